"""Reader of rules kept as a file of their own: plain text, HTML, DocBook or wikitext, or our Markdown under a
head between `---` lines.

The head may say `game`, `language`, `kind`, `edition`, `title`, `source`, `source_url` and `licence`.
Without it the first line names the game. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from catalogue import languages
from catalogue.draft import (
    Doubt,
    GameDraft,
    Problem,
    Reason,
    RecordDraft,
    RevisionDraft,
    RulesDraft,
    RulesHead,
)
from catalogue.imports.text_language import language_of
from catalogue.rules import foreign
from catalogue.rules.foreign import Form
from catalogue.text import name_key, one_line

FORMAT = "rules"
FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<head>.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
FRONT_LINE = re.compile(r"^(?P<name>[A-Za-z_]+)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$")
NAMES = {"game", "language", "kind", "edition", "title", "source", "source_url", "licence", "license"}
KINDS = {"rules", "errata", "faq", "summary"}
LONGEST = {"language": 35, "edition": 300, "title": 300, "source": 300, "source_url": 1000, "licence": 200}


@dataclass(frozen=True, slots=True)
class _Head:
    """The lines between the `---`, and what could not be used of them."""

    values: dict[str, str]
    problems: tuple[Problem, ...] = ()


def read(text: str, asked: str = "") -> Iterator[RecordDraft | Problem]:
    """The one rules text of a file."""
    front = FRONT_MATTER.match(text)
    head = _read_head(front["head"]) if front else _Head({})
    yield from head.problems
    body = text[front.end() :] if front else text
    said = head.values
    game = said.get("game") or foreign.title_of(body) or _first_line(body)
    if not body.strip() or not game:
        yield Problem("line 1", Reason.NO_RECORD, raw=text[:1000])
        return
    words = body if foreign.form_of(body) is Form.PLAIN else foreign.to_markdown(body)
    language = language_of(words, said=languages.normal(said.get("language", "")) or "", asked=asked)
    if not language.tag:
        yield Problem("line 1", Reason.LANGUAGE_UNKNOWN, detail=game, raw=text[:1000])
        return
    rules = _rules(said, game, language.tag, body)
    yield RecordDraft(
        key=rules.head.source_key,
        game=GameDraft(title=game[:500]),
        raw=text,
        format=FORMAT,
        is_title_only=True,
        rules=(rules,),
        doubts=((Doubt.LANGUAGE_GUESSED, language.tag),) if language.is_guessed else (),
        place="line 1",
    )


def _rules(said: dict[str, str], game: str, language: str, body: str) -> RulesDraft:
    """The text with its head. It is known again by what it says it is, not by the file's name or place."""
    identity = [name_key(game), language, said.get("kind", "rules"), said.get("edition", "")]
    identity += [said.get("title", ""), said.get("source_url") or said.get("source", "")]
    head = RulesHead(
        language=language,
        kind=said.get("kind", "rules"),
        title=said.get("title", "") or ("" if said.get("game") else game[:300]),
        edition=said.get("edition", ""),
        source_name=said.get("source", ""),
        source_url=said.get("source_url", ""),
        licence=said.get("licence", ""),
        source_key=f"{FORMAT}:{_digest('|'.join(identity))}",
    )
    is_ours = said and foreign.form_of(body) is Form.PLAIN
    markdown = body.strip() if is_ours else foreign.to_markdown(body, language)
    revision = RevisionDraft(body=markdown, source_key=_digest(markdown), raw=body)
    return RulesDraft(head, (revision,))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]


def _first_line(body: str) -> str:
    """The title line: the first that says something, without the marks of a heading."""
    lines = (one_line(line.strip().strip("#*=_ \t")) for line in body.split("\n"))
    return next((line for line in lines if line), "")


def _read_head(head: str) -> _Head:
    values: dict[str, str] = {}
    problems = []
    for number, line in enumerate(head.split("\n"), start=2):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        found = FRONT_LINE.match(line)
        name = found["name"].lower().replace("license", "licence") if found else ""
        value = found["value"].strip("\"'") if found else ""
        if name in NAMES and _is_usable(name, value):
            values[name] = value
        else:
            problems.append(
                Problem(f"line {number}", Reason.VALUE_UNREADABLE, detail=line.strip()[:500], raw=line)
            )
    return _Head({name: value for name, value in values.items() if value}, tuple(problems))


def _is_usable(name: str, value: str) -> bool:
    if name == "kind":
        return value in KINDS
    if name == "language" and value and languages.normal(value) is None:
        return False
    return len(value) <= LONGEST.get(name, 500)
