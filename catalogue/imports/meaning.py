"""What the fields of a notice mean for a game: numbers, spans, the long texts and the rules in them.

The readers of PMB's pages and of MARC share it, so that one library's page and export say the same. Pure
functions on the fields as printed (`labels.Field`); what cannot be read is told to the `Reading`.
"""

import re
from dataclasses import dataclass, field, replace
from hashlib import sha256

from catalogue import pieces
from catalogue.draft import Doubt, GameDraft, Problem, Reason, RevisionDraft, RulesDraft, RulesHead
from catalogue.imports import values
from catalogue.imports.labels import WORDS, Field
from catalogue.imports.text_language import language_of
from catalogue.rules import plain, split, words
from catalogue.text import name_key, one_line

# `Règles du jeu : Grands Caractères` tells the print of the leaflet, not the rules.
SHORTEST_RULES = 80
DEFINITE_COUNT = re.compile(r"\b[Ll]es (?P<count>\d{1,4}) (?P<what>\w+ [\"«“]?\s?\w+)")
FIRST_WORDS = {field: words for words, field in reversed(WORDS.items())}


@dataclass(slots=True)
class Reading:
    """What is gathered while one notice is read."""

    place: str
    problems: list[Problem] = field(default_factory=list)
    doubts: list[tuple[Doubt, str]] = field(default_factory=list)

    def unreadable(self, label: Field, printed: str) -> None:
        detail = f"{FIRST_WORDS[label]} : {printed}"
        self.problems.append(Problem(self.place, Reason.VALUE_UNREADABLE, detail=detail[:500], raw=printed))


@dataclass(frozen=True, slots=True)
class Texts:
    """The long texts of a notice, told apart."""

    contents: str = ""
    rules: str = ""
    principle: str = ""
    note: str = ""


def with_numbers(game: GameDraft, said: dict[Field, str], reading: Reading) -> GameDraft:
    """The game with its players, ages and duration."""
    players, ages, duration = _players(said, reading), _ages(said, reading), _minutes(said, reading)
    return replace(
        game,
        players_min=players[0],
        players_max=players[1],
        age_min_months=ages[0],
        age_max_months=ages[1],
        minutes_min=duration[0],
        minutes_max=duration[1],
    )


def _players(said: dict[Field, str], reading: Reading) -> tuple[int | None, int | None]:
    both = values.span(said.get(Field.PLAYERS_AND_TIME, "").partition("/")[0])
    if both:
        return both
    fewest = _number(said, Field.PLAYERS_MIN, reading)
    most = _number(said, Field.PLAYERS_MAX, reading)
    return _in_order(fewest, most, Field.PLAYERS_MAX, reading)


def _ages(said: dict[Field, str], reading: Reading) -> tuple[int | None, int | None]:
    youngest = values.months(said.get(Field.AGE_MIN, ""))
    oldest = values.upper_age_months(said.get(Field.AGE_MAX, ""))
    return _in_order(youngest, oldest, Field.AGE_MAX, reading)


def _minutes(said: dict[Field, str], reading: Reading) -> tuple[int | None, int | None]:
    printed = said.get(Field.MINUTES) or said.get(Field.PLAYERS_AND_TIME, "").partition("/")[2]
    duration = values.minutes(printed) if printed else None
    if printed.strip() and duration is None:
        reading.unreadable(Field.MINUTES, printed)
    return duration or (None, None)


def _number(said: dict[Field, str], name: Field, reading: Reading) -> int | None:
    printed = said.get(name, "")
    number = values.number(printed)
    if printed and number is None:
        reading.unreadable(name, printed)
    return number or None


def _in_order(
    low: int | None, high: int | None, name: Field, reading: Reading
) -> tuple[int | None, int | None]:
    """Both ends of a span; where they contradict each other neither is taken, and it is said."""
    if low is not None and high is not None and low > high:
        reading.unreadable(name, f"{low} > {high}")
        return None, None
    return low, high


def key_of(game: GameDraft, kind: str) -> str:
    """What makes two notices the same record: title, publisher, year and code. Numbers of a
    permalink are not taken: they repeat from library to library.
    """
    publishers = [name_key(p.publisher) for p in game.publications]
    parts = [
        name_key(game.title),
        name_key(game.subtitle),
        *publishers,
        str(game.year or ""),
        *game.identifiers,
    ]
    return f"{kind}:{digest('|'.join(parts))}"


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]


# --- the long texts ----------------------------------------------------------------------------


def long_texts(said: dict[Field, str], reading: Reading) -> Texts:
    """Contents, rules and idea of the game: told by what the texts are, not by their field alone."""
    contents, rules = split.contents_and_rules(said.get(Field.CONTENTS, ""))
    if rules and contents:
        reading.doubts.append((Doubt.CONTENTS_SPLIT, ""))
    told = said.get(Field.RULES, "")
    note = ""
    if told and len(told) < SHORTEST_RULES:
        note, told = f"{FIRST_WORDS[Field.RULES]} : {one_line(told)}", ""
    summary = said.get(Field.SUMMARY, "")
    if summary and not (told or rules) and _begins_with_heading(summary):
        told, summary = summary, ""
    rules = "\n\n".join(filter(None, [told, rules]))
    contents = _without_heading(contents) or said.get(Field.CONTENTS_NOTE, "")
    _compare(contents, rules, reading)
    return Texts(contents, rules, said.get(Field.PRINCIPLE, "") or summary, note)


def _begins_with_heading(summary: str) -> bool:
    """A summary that begins with a heading of rules is the rules (libraries without a field for them)."""
    first = re.split(r"[\n:]", summary, maxsplit=1)[0]
    return name_key(first) in words.MAIN


def _without_heading(contents: str) -> str:
    """The list of pieces without its own heading word."""
    heading = re.match(r"(?P<words>[^\n:]{1,60})(?::|\n|$)\s*", contents)
    return contents[heading.end() :] if heading and name_key(heading["words"]) in words.PIECES else contents


def _compare(contents: str, rules: str, reading: Reading) -> None:
    """Say where the list of pieces and the rules count the same thing differently.

    Only a definite count of two words or more ("Les 42 tuiles fruits") speaks of the whole set.
    """
    listed = {name_key(c.name): c.count for c in pieces.split(contents) if c.count}
    for found in DEFINITE_COUNT.finditer(rules):
        count = listed.get(name_key(found["what"]))
        if count and count != int(found["count"]):
            detail = f"{count} / {found['count']} {one_line(found['what'])}"
            reading.doubts.append((Doubt.CONTENTS_CONTRADICT_RULES, detail))
            return


def rules_of(text: str, game: GameDraft, key: str, asked: str, reading: Reading) -> tuple[RulesDraft, ...]:
    """The rules text of a record whose key is `key`; `asked` is the language where the record says none."""
    if not text:
        return ()
    said = game.languages[0] if len(game.languages) == 1 else ""
    language = language_of(text, said=said, asked=asked)
    if language.is_guessed:
        reading.doubts.append((Doubt.LANGUAGE_GUESSED, language.tag))
    if not language.tag:
        reading.problems.append(Problem(reading.place, Reason.LANGUAGE_UNKNOWN, detail=game.title, raw=text))
        return ()
    head = RulesHead(language=language.tag, source_key=f"{key}:rules")
    markdown = plain.to_markdown(text)
    revision = RevisionDraft(body=markdown, source_key=digest(markdown), raw=text)
    return (RulesDraft(head, (revision,)),)
