"""Cutting a saved PMB page into notices, and a notice into its parts.

A page says each record twice (labels, then an ISBD paragraph and the last labels again), then the
copies and the names of documents. Pure functions on text; `pmb` reads what they cut out.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest

from catalogue.imports.labels import (
    AFTER_TITLE,
    BAR_LABEL,
    RUN_ON_LABEL,
    WORDS,
    Field,
    Label,
    bar_labels,
    run_on_labels,
)

TITLE_LABEL = re.compile(r"(?<![\w'’-])(?P<bar>\|[ \t]*)?Titre[ \t\u00a0]?:[ \t]*(?P<closing>\|)?(?=\s)")
TITLE_REACH = 900  # characters within which a title is followed by the next label
SERIES_BEFORE = re.compile(r"\|?[ \t]*Titre de série[ \t\u00a0]?:[^:]{1,300}$")
END_OF_NOTICES = re.compile(
    r"(?m)^[ \t]*(?:Affiner la recherche|Interroger des sources externes"
    r"|Détail d[eu] (?:l['’]|la |)(?:auteur|éditeur|collection|catégorie|série)\b)"
)
COPIES = re.compile(
    r"Exemplaires\s*(?:\(\s*\d+\s*\))?\s*"
    r"(?=\|?\s*(?:Cote|Code-barres|Localisation|Section|Support|Disponibilité"
    r"|aucun exemplaire|Pas d['’]exemplaire))"
)
DOCUMENTS = re.compile(r"Documents numériques(?: \(\d+\))?")
ANNOUNCED = re.compile(r"Documents disponibles [^\n(]{1,80}\((?P<count>\d{1,6})\)")
LONG = {Field.RULES, Field.CONTENTS, Field.PRINCIPLE, Field.SUMMARY, Field.CONTENTS_NOTE}
SENTENCE_ENDS = tuple('.!?…)»”"')
LINE_OF_BARS = re.compile(r"(?m)^[ \t]*\|[ \t]*$\n?")


@dataclass(frozen=True, slots=True)
class Notice:
    """One record as cut out of a page. Fields hold the values as printed, without bars."""

    raw: str
    line: int
    fields: dict[Field, str] = field(default_factory=dict)
    repeated: dict[Field, str] = field(default_factory=dict)
    own: tuple[tuple[str, str], ...] = ()
    isbd: str = ""
    copies: str = ""
    documents: str = ""
    is_cut_off: bool = False


def announced_count(page: str) -> int | None:
    """How many records the heading of an author's or publisher's page speaks of."""
    found = ANNOUNCED.search(page)
    return int(found["count"]) if found else None


def cut(page: str) -> list[Notice]:
    """The notices of a page, in order."""
    notices, line, counted = [], 1, 0
    for start, end in pairwise([*notice_starts(page), len(page)]):
        line += page.count("\n", counted, start)
        counted = start
        notices.append(_notice(page[start:end], line, is_last=end == len(page)))
    return notices


def notice_starts(page: str) -> list[int]:
    """Where notices begin: at a title label that is followed by another label of the first part."""
    starts = []
    for match in TITLE_LABEL.finditer(page):
        if not _has_next_label(page, match):
            continue
        series = SERIES_BEFORE.search(page, max(0, match.start() - 400), match.start())
        starts.append(series.start() if series else match.start())
    return starts


def _has_next_label(page: str, title: re.Match[str]) -> bool:
    pattern = BAR_LABEL if title["closing"] else RUN_ON_LABEL
    following = pattern.search(page, title.end(), title.end() + TITLE_REACH)
    if following is None or WORDS.get(following["label"].replace("’", "'")) not in AFTER_TITLE:
        return False
    # Without bars a title that runs over lines is a word in a text.
    return bool(title["closing"]) or "\n" not in page[title.end() : following.start()].strip()


def _notice(raw: str, line: int, *, is_last: bool) -> Notice:
    has_end = END_OF_NOTICES.search(raw)
    body = raw[: has_end.start()] if has_end else raw
    body, documents = _before_last(DOCUMENTS, body)
    body, copies = _before_last(COPIES, body)
    has_bars = BAR_LABEL.match(body) is not None
    isbd_at = _isbd_start(body, has_bars=has_bars)
    first, second = body[:isbd_at], body[isbd_at:]
    labels, labels_again = _labels(first, has_bars=has_bars), _labels(second, has_bars=has_bars)
    fields, repeated = _values(first, labels), _values(second, labels_again)
    is_open = is_last and not (has_end or copies or documents)
    return Notice(
        raw=raw.strip(),
        line=line,
        fields=fields,
        repeated=repeated,
        own=_own_values(first, labels),
        isbd=second[: labels_again[0].start if labels_again else len(second)].strip(" \n\t|"),
        copies=copies,
        documents=documents,
        is_cut_off=is_open and _is_cut_off(body, fields, repeated, has_bars=has_bars),
    )


def _labels(text: str, *, has_bars: bool) -> list[Label]:
    return bar_labels(text) if has_bars else run_on_labels(text)


def _before_last(marker: re.Pattern[str], text: str) -> tuple[str, str]:
    """The text before the last marker, and what follows the marker (empty where there is none)."""
    found = list(marker.finditer(text))
    return (text[: found[-1].start()], text[found[-1].end() :]) if found else (text, "")


def _isbd_start(body: str, *, has_bars: bool) -> int:
    """Where the ISBD paragraph begins: at the title said again, with the type in brackets or an author.

    Often nothing but the title itself tells: it is glued to the last word of the text before it.
    """
    fields = _values(body, _labels(body, has_bars=has_bars))
    title, kind = fields.get(Field.TITLE, ""), fields.get(Field.TYPE, "")
    if not title:
        return len(body)
    behind = title_end = body.find(title) + len(title)
    if kind:
        behind = max(behind, body.find(kind, title_end) + len(kind))
    marks = [f"{title} [{kind}]"] if kind else [f"\n{title} [", f"\n{title} / "]
    found = [at for at in (body.find(mark, behind) for mark in marks) if at >= 0]
    return min(found, default=len(body))


def _values(text: str, labels: list[Label]) -> dict[Field, str]:
    values: dict[Field, str] = {}
    for label, value in _pairs(text, labels):
        if label.field and label.field not in values:
            values[label.field] = value
    return {name: value for name, value in values.items() if value}


def _own_values(text: str, labels: list[Label]) -> tuple[tuple[str, str], ...]:
    return tuple((label.words, value) for label, value in _pairs(text, labels) if value and not label.field)


def _pairs(text: str, labels: list[Label]) -> list[tuple[Label, str]]:
    """Each label with what stands between it and the next."""
    ends = [label.start for label in labels[1:]]
    return [(x, _clean(text[x.end : end])) for x, end in zip_longest(labels, ends)] if labels else []


def _clean(value: str) -> str:
    """A value without the bars that close it; a bar inside a value is part of it."""
    return LINE_OF_BARS.sub("", value).strip().removesuffix("|").strip(" \t\n\u00a0|")


def _is_cut_off(body: str, fields: dict[Field, str], repeated: dict[Field, str], *, has_bars: bool) -> bool:
    """Whether the page breaks off in this notice: a cell is left open, or the second saying is shorter."""
    if has_bars:
        return not body.rstrip().endswith("|")
    if not repeated:
        return bool(LONG & fields.keys()) and body.rstrip()[-1:] not in SENTENCE_ENDS
    last = list(repeated)[-1]
    whole, again = fields.get(last, ""), repeated[last]
    return len(again) < len(whole) and whole.startswith(again)
