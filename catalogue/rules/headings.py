"""Which lines of a plain rules text are headings, and how deep each stands.

Told by `#` marks if there are any, else by numbers and phases, the usual heading words, CAPITALS, a colon
or a question mark that ends a short line, and short lines of their own. Called by `plain`, `joints`, `split`.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from catalogue.rules import words
from catalogue.text import name_key

HASHES = re.compile(r"(#{1,6})[ \t]+(\S.*?)[ \t#]*")
NUMBERED = re.compile(r"(\d{1,2})(\s?\)\.?|\.\)?|(?= ))\s*(\S.*)")
PHASE = re.compile(rf"(?:{words.STEPS})\s(\d{{1,2}}|[IVX]{{1,4}})\b\s*[:.–-]?\s*(.*)", re.IGNORECASE)
INTRODUCING = re.compile(rf"\b(?:{words.INTRODUCING})\b", re.IGNORECASE)
DETERMINER = re.compile(rf"(?:{words.DETERMINERS})\b", re.IGNORECASE)
LIST_LINE = re.compile(r"\s*[-–—•●▪◦*]")
QUESTION = re.compile(r"(?:Q|F|P|D|V|Question|Frage|Pregunta|Domanda|Vraag)\s?\d{0,3}\s?[.:)]\s*\S.*")
ANSWER = re.compile(r"(?:R|A|Réponse|Answer|Antwort|Respuesta|Risposta|Antwoord)\s?\d{0,3}\s?[.:)]\s*\S.*")
PAGE = r"(?:page|p|seite|s|página|pág|pagina|pag|blz)\.?\s*\d{1,3}"
CONTINUED = "suite|à suivre|continued|cont|fortsetzung|weiter|sigue|continúa|continuación|segue|vervolg"
FURNITURE = re.compile(
    rf"[-–— ]*\d{{1,3}}[-–— ]*|\W*{PAGE}(?:\s*\D{{1,4}}\s*\d{{1,3}})?\W*"
    rf"|\W*(?:{CONTINUED})\b.{{0,30}}\b{PAGE}\W*",
    re.IGNORECASE,
)
SENTENCE_END = re.compile(r"[.!?:;…»”\")]\s*$")
QUOTE_END = re.compile(r"[»”\")]$")
STOP_INSIDE = re.compile(r"(?<!\.)\. ")
FINAL_MARK = re.compile(r"\s*[:.]\s*$")

LONGEST, MOST_WORDS = 70, 11
LONGEST_PHASE = 110
LONGEST_QUESTION = 300
NUMBERED_SENTENCE_WORDS = 5  # a numbered line with a full stop and more words than that is a sentence
QUESTION_WORDS = 8
FRAGMENT_WORDS = 3
SHORTEST_SHOUT = 3  # `OU` between two choices is no heading
TOP_LEVEL, LOWEST_LEVEL = 2, 4


class Style(Enum):
    """How a heading was told."""

    MAIN = "main"
    NUMBERED = "numbered"
    CLOSED = "closed"  # by its colon or question mark
    BARE = "bare"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `level` counts hashes of our Markdown, `rest` is text that stood behind it on its line."""

    text: str
    level: int
    rest: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A line without its ends, and the lines with words before and after it."""

    text: str
    before: str
    after: str
    is_apart: bool  # blank lines, or nothing, before it
    is_joined: bool


@dataclass(frozen=True, slots=True)
class _Found:
    style: Style
    text: str
    rest: str = ""
    number: int = 0
    is_in_list: bool = False
    index: int = 0
    has_colon: bool = False


def find(lines: Sequence[str], joined: Collection[int] = ()) -> dict[int, Heading]:
    """Index of a line -> the heading that it is.

    `joined` are the lines that had run into the next: those may be headings though they end like sentences.
    """
    marked = {index: match for index, line in enumerate(lines) if (match := HASHES.fullmatch(line))}
    if marked:
        return {index: Heading(match[2], len(match[1]) + 1) for index, match in marked.items()}
    return _levelled(_without_lists(list(_candidates(lines, joined))))


def is_call(line: str) -> bool:
    """`Remarque:` alone on its line: a call for attention within a section."""
    return len(line) <= LONGEST and line.rstrip().endswith(":") and name_key(line) in words.CALLS


def is_title(text: str) -> bool:
    """A usual heading, or too short for a sentence: `Tuile "bonus".`"""
    is_sentence = DETERMINER.match(text) or name_key(text) in words.CALLS or not text[:1].isupper()
    return name_key(text) in words.MAIN or (len(text.split()) <= FRAGMENT_WORDS and not is_sentence)


def _candidates(lines: Sequence[str], joined: Collection[int]) -> Iterator[_Found]:
    filled = [index for index, line in enumerate(lines) if line.strip()]
    title = _running_head(lines[filled[0]]) if filled else ""
    for place, index in enumerate(filled):
        line = lines[index]
        if place and line.strip() == title:
            continue
        if line[0] in " \t|" or (len(line) > LONGEST_PHASE and ":" not in line[:LONGEST]):
            continue
        before = lines[filled[place - 1]].strip() if place else ""
        after = lines[filled[place + 1]].strip() if place + 1 < len(filled) else ""
        apart = not place or filled[place - 1] < index - 1
        found = _candidate(_Line(line.strip(), before, after, apart, index in joined))
        if found:
            yield replace(found, index=index, has_colon=line.rstrip().endswith(":"))


def _running_head(first: str) -> str:
    """The title of a text, which its pages may say again at their heads; a usual heading word is none."""
    return "" if name_key(first) in words.MAIN else first.strip()


def _candidate(line: _Line) -> _Found | None:
    if LIST_LINE.match(line.text) or is_call(line.text) or FURNITURE.fullmatch(line.text):
        return None
    return (
        _question(line)
        or _phase(line)
        or _numbered(line)
        or _main(line)
        or _capitals(line)
        or _closed(line)
        or _bare(line)
    )


def _question(line: _Line) -> _Found | None:
    """`Q: Peut-on passer ?` over its `R: Oui.`; the mark of a question stays, it is printed there."""
    if not QUESTION.fullmatch(line.text) or len(line.text) > LONGEST_QUESTION:
        return None
    return _Found(Style.CLOSED, line.text) if ANSWER.fullmatch(line.after) else None


def _phase(line: _Line) -> _Found | None:
    """`Phase 2: Approvisionnement`, or `Phase 2: ` and sentences."""
    found = PHASE.fullmatch(line.text)
    if not found:
        return None
    number = int(found[1]) if found[1].isdigit() else 0
    if len(line.text) <= LONGEST_PHASE and not STOP_INSIDE.search(found[2]):
        return _Found(Style.NUMBERED, _title(line.text), number=number)
    head = line.text[: found.start(2)]
    return _Found(Style.NUMBERED, _title(head), rest=found[2], number=number) if ":" in head else None


def _numbered(line: _Line) -> _Found | None:
    """`1) Lancement des jetons:`, `1. Move Farmer`; the words of a step in a list are a sentence."""
    found = NUMBERED.fullmatch(line.text)
    if not found or not line.after or not found[3][0].isupper() or not _is_short(found[3]):
        return None
    inner = _title(found[3])
    closes_sentence = SENTENCE_END.search(inner) and not QUOTE_END.search(inner)
    if closes_sentence or "," in inner or INTRODUCING.search(inner):
        return None
    if line.text.endswith(".") and (not line.is_joined or len(inner.split()) > NUMBERED_SENTENCE_WORDS):
        return None
    if not found[2] and not line.text.endswith(":"):
        return None
    number = int(found[1])
    in_list = _number(line.after) == number + 1 or (number > 1 and _number(line.before) == number - 1)
    return _Found(Style.NUMBERED, _title(line.text), number=number, is_in_list=in_list)


def _number(text: str) -> int:
    found = NUMBERED.fullmatch(text)
    return int(found[1]) if found and found[2] else 0


def _main(line: _Line) -> _Found | None:
    """A usual heading word, alone on its line or before a colon and its text."""
    if (
        len(line.text) <= LONGEST
        and name_key(line.text) in words.MAIN
        and (line.after or line.text.endswith(":"))
    ):
        return _Found(Style.MAIN, _title(line.text))
    head, colon, rest = line.text[:LONGEST].partition(":")
    if colon and rest.strip() and name_key(head) in words.MAIN:
        return _Found(Style.MAIN, head.strip(), rest=line.text[len(head) + 1 :].strip())
    return None


def _capitals(line: _Line) -> _Found | None:
    title = _title(line.text)
    is_shouted = title.isupper() and len(title) > SHORTEST_SHOUT and title[0].isalpha()
    return _Found(Style.MAIN, title) if is_shouted and _is_short(title) and line.after else None


def _closed(line: _Line) -> _Found | None:
    """A short line that ends with a colon or a question mark, with text of its own after it."""
    title = _title(line.text)
    if line.text[-1] not in ":?" or not title or not line.after or not _is_short(line.text):
        return None
    if any(mark in title for mark in ",:") or STOP_INSIDE.search(title) or INTRODUCING.search(title):
        return None
    if LIST_LINE.match(line.after) and DETERMINER.match(title):
        return None
    is_long_question = line.text[-1] == "?" and len(title.split()) > QUESTION_WORDS
    return None if is_long_question else _Found(Style.CLOSED, title)


def _bare(line: _Line) -> _Found | None:
    """A title without any mark, between sentences that are complete."""
    title = _title(line.text)
    if not line.after or not title or not (title[0].isupper() or title[0] in "¿¡«") or not _is_short(title):
        return None
    if any(mark in title for mark in ",;:=|/*\\<>") or STOP_INSIDE.search(title):
        return None
    if line.text[-1] in ":!?;…" or (line.text[-1] == "." and not (line.is_joined and is_title(title))):
        return None
    if name_key(title.rsplit(maxsplit=1)[-1]) in words.LINKING:
        return None
    starts_anew = line.is_apart or bool(SENTENCE_END.search(line.before))
    return _Found(Style.BARE, title) if starts_anew and not line.after[0].islower() else None


def _is_short(text: str) -> bool:
    return len(text) <= LONGEST and len(text.split()) <= MOST_WORDS


def _title(text: str) -> str:
    return FINAL_MARK.sub("", text).strip()


def _without_lists(found: list[_Found]) -> list[_Found]:
    """Without the counts 1, 2, 3 of which two follow one another line by line: those are lists."""
    runs = _runs(found)
    lists = {runs[place] for place, one in enumerate(found) if one.is_in_list}
    return [one for place, one in enumerate(found) if runs.get(place) not in lists]


def _runs(found: Sequence[_Found]) -> dict[int, int]:
    """Place of each numbered heading -> place of the first of the same count."""
    firsts: dict[int, int] = {}
    first = last = -1
    for place, one in enumerate(found):
        if one.style is Style.NUMBERED:
            first = first if firsts and one.number == last + 1 else place
            firsts[place] = first
            last = one.number
    return firsts


def _levelled(found: Sequence[_Found]) -> dict[int, Heading]:
    """A count stands under the heading before its 1, and holds all headings up to its last number."""
    runs = _runs(found)
    ends = {first: place for place, first in runs.items()}
    levels: dict[int, Heading] = {}
    run_level, run_end = TOP_LEVEL, -1
    has_colons = False
    for place, one in enumerate(found):
        if runs.get(place) == place:
            run_level, run_end = TOP_LEVEL + bool(levels), ends[place]
        if place in runs:
            level = run_level
        elif place < run_end:
            level = run_level + 1
        else:
            level = TOP_LEVEL + (has_colons and one.style is Style.BARE)
        has_colons = has_colons or one.has_colon
        levels[one.index] = Heading(one.text, min(level, LOWEST_LEVEL), one.rest)
    return levels
