"""Reader of saved pages of a PMB catalogue: notices of games, in all four layouts met.

`notices` cuts the page, `values`, `isbd` and `copies` read the cells, this module says what each cell
means for a game. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from catalogue import pieces
from catalogue.draft import (
    ContributorDraft,
    CopyDraft,
    Doubt,
    GameDraft,
    Problem,
    PublicationDraft,
    Reason,
    RecordDraft,
    RevisionDraft,
    RulesDraft,
    RulesHead,
)
from catalogue.imports import copies, isbd, notices, values
from catalogue.imports.labels import WORDS, Field
from catalogue.imports.notices import Notice
from catalogue.imports.text_language import language_of
from catalogue.rules import plain, split, words
from catalogue.text import name_key, one_line

FORMAT = "pmb"
FILE_NAME = re.compile(
    r"[^\s|/\\][^\n|/\\]{0,250}?\.(?i:pdf|docx?|odt|rtf|jpe?g|png|gif|mp[34]|zip)(?![a-z])"
)
# `Règles du jeu : Grands Caractères` tells the print of the leaflet, not the rules.
SHORTEST_RULES = 80
DEFINITE_COUNT = re.compile(r"\b[Ll]es (?P<count>\d{1,4}) (?P<what>\w+ [\"«“]?\s?\w+)")
# What a toy library's record has no place for is kept in words in the note.
NOTE_FIELDS = (
    Field.SERIES,
    Field.COLLECTION,
    Field.SUBCOLLECTION,
    Field.EXTENT,
    Field.PRESENTATION,
    Field.SIZE,
    Field.ACCOMPANYING,
    Field.PRICE,
    Field.CONCEPTS,
    Field.CLASS_NUMBER,
    Field.ONLINE,
)
FIRST_WORDS = {field: words for words, field in reversed(WORDS.items())}


@dataclass(slots=True)
class _Reading:
    """What is gathered while one notice is read."""

    place: str
    problems: list[Problem] = field(default_factory=list)
    doubts: list[tuple[Doubt, str]] = field(default_factory=list)

    def unreadable(self, label: Field, printed: str) -> None:
        detail = f"{FIRST_WORDS[label]} : {printed}"
        self.problems.append(Problem(self.place, Reason.VALUE_UNREADABLE, detail=detail[:500], raw=printed))


@dataclass(frozen=True, slots=True)
class _Texts:
    """The long texts of a notice, told apart."""

    contents: str = ""
    rules: str = ""
    principle: str = ""
    note: str = ""


def read(page: str, asked: str = "") -> Iterator[RecordDraft | Problem]:
    """The records of a saved page, each once, with what could not be read. `asked` is the language (BCP 47)
    of texts that do not say theirs, as for all readers.
    """
    found = notices.cut(page)
    if not found:
        yield Problem("line 1", Reason.NO_RECORD, raw=page[:1000])
    for notice in found:
        yield from _record(notice, asked)
    announced = notices.announced_count(page)
    if announced and found and announced > len(found):
        yield Problem("line 1", Reason.RECORDS_MISSING, detail=f"{len(found)}/{announced}")


def _record(notice: Notice, asked: str) -> Iterator[RecordDraft | Problem]:
    said = _said(notice)
    reading = _Reading(place=f"line {notice.line}")
    if not said.get(Field.TITLE):
        yield Problem(reading.place, Reason.NO_TITLE, raw=notice.raw)
        return
    texts = _texts(said, reading)
    game = _game(said, texts, notice, reading)
    boxes, without_barcode = copies.read(notice.copies, _sections(game.categories))
    reading.problems += copies.without_barcode(reading.place, without_barcode)
    if notice.is_cut_off:
        reading.doubts.append((Doubt.TEXT_TRUNCATED, ""))
        reading.problems.append(
            Problem(reading.place, Reason.TRUNCATED, detail=game.title, raw=notice.raw[-200:])
        )
    yield RecordDraft(
        key=_key(game),
        game=game,
        raw=notice.raw,
        format=FORMAT,
        copies=_once(boxes),
        rules=_rules(texts.rules, game, asked, reading),
        documents=_documents(notice.documents),
        doubts=tuple(reading.doubts),
        place=reading.place,
    )
    yield from reading.problems


def _said(notice: Notice) -> dict[Field, str]:
    """All that the notice says: the labelled part, filled up from its repetition and the ISBD paragraph.

    Of a text that stands twice the longer is kept where one only breaks off earlier than the other.
    """
    said = isbd.read(notice.isbd) | notice.repeated | notice.fields
    for name, again in notice.repeated.items():
        if len(again) > len(said[name]) and again.startswith(said[name].rstrip(" .…")):
            said[name] = again
    return said


def _key(game: GameDraft) -> str:
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
    return f"{FORMAT}:{_digest('|'.join(parts))}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:32]


def _once(boxes: list[CopyDraft]) -> tuple[CopyDraft, ...]:
    return tuple({box.barcode: box for box in boxes}.values())


# --- the game ----------------------------------------------------------------------------------


def _game(said: dict[Field, str], texts: _Texts, notice: Notice, reading: _Reading) -> GameDraft:
    title, subtitle = values.title_and_subtitle(said[Field.TITLE])
    publications, year = _publications(said)
    players = _players(said, reading)
    ages = _ages(said, reading)
    duration = _minutes(said, reading)
    return GameDraft(
        title=title,
        subtitle=subtitle,
        alternative_titles=_alternative_titles(said),
        document_type=one_line(said.get(Field.TYPE, "")),
        contributors=_contributors(said),
        publications=publications,
        edition=one_line(said.get(Field.EDITION, "")),
        year=year,
        identifiers=_identifiers(said),
        languages=values.languages(said.get(Field.LANGUAGES, "")),
        categories=values.lines(said.get(Field.CATEGORIES, "")),
        keywords=values.keywords(said.get(Field.KEYWORDS, "")),
        players_min=players[0],
        players_max=players[1],
        age_min_months=ages[0],
        age_max_months=ages[1],
        minutes_min=duration[0],
        minutes_max=duration[1],
        principle=texts.principle,
        pedagogy=said.get(Field.PEDAGOGY, ""),
        contents=texts.contents,
        note=_note(said, texts, notice),
    )


def _contributors(said: dict[Field, str]) -> tuple[ContributorDraft, ...]:
    return values.contributors(said.get(Field.AUTHORS, ""))


def _alternative_titles(said: dict[Field, str]) -> tuple[str, ...]:
    titles = (said.get(name, "") for name in (Field.OTHER_TITLE, Field.ORIGINAL_TITLE))
    return tuple(title for value in titles for title in values.lines(value))


def _publications(said: dict[Field, str]) -> tuple[tuple[PublicationDraft, ...], int | None]:
    """Publishers with their places, and the year, which may stand in its own field or in the cell."""
    cells = [said.get(name, "") for name in (Field.PUBLISHER, Field.OTHER_PUBLISHER)]
    pairs = [values.publication(line) for cell in cells for line in values.lines(cell)]
    years = [year for _, year in pairs if year]
    year = values.year_of(said.get(Field.YEAR, "")) or next(iter(years), None)
    return tuple(dict.fromkeys(publisher for publisher, _ in pairs if publisher)), year


def _identifiers(said: dict[Field, str]) -> tuple[str, ...]:
    return values.lines(said.get(Field.CODE, ""))


def _players(said: dict[Field, str], reading: _Reading) -> tuple[int | None, int | None]:
    both = values.span(said.get(Field.PLAYERS_AND_TIME, "").partition("/")[0])
    if both:
        return both
    fewest = _number(said, Field.PLAYERS_MIN, reading)
    most = _number(said, Field.PLAYERS_MAX, reading)
    return _in_order(fewest, most, Field.PLAYERS_MAX, reading)


def _ages(said: dict[Field, str], reading: _Reading) -> tuple[int | None, int | None]:
    youngest = values.months(said.get(Field.AGE_MIN, ""))
    oldest = values.upper_age_months(said.get(Field.AGE_MAX, ""))
    return _in_order(youngest, oldest, Field.AGE_MAX, reading)


def _minutes(said: dict[Field, str], reading: _Reading) -> tuple[int | None, int | None]:
    printed = said.get(Field.MINUTES) or said.get(Field.PLAYERS_AND_TIME, "").partition("/")[2]
    duration = values.minutes(printed) if printed else None
    if printed.strip() and duration is None:
        reading.unreadable(Field.MINUTES, printed)
    return duration or (None, None)


def _number(said: dict[Field, str], name: Field, reading: _Reading) -> int | None:
    printed = said.get(name, "")
    number = values.number(printed)
    if printed and number is None:
        reading.unreadable(name, printed)
    return number or None


def _in_order(
    low: int | None, high: int | None, name: Field, reading: _Reading
) -> tuple[int | None, int | None]:
    """Both ends of a span; where they contradict each other neither is taken, and it is said."""
    if low is not None and high is not None and low > high:
        reading.unreadable(name, f"{low} > {high}")
        return None, None
    return low, high


def _sections(categories: tuple[str, ...]) -> list[str]:
    """How the copies table prints the categories: without the bracket behind them."""
    return [re.sub(r"\s*\([^()]*\)\s*$", "", category) for category in categories]


def _note(said: dict[Field, str], texts: _Texts, notice: Notice) -> str:
    kept = [f"{FIRST_WORDS[name]} : {one_line(said[name])}" for name in NOTE_FIELDS if said.get(name)]
    own = [f"{label} : {one_line(value)}" for label, value in notice.own]
    return "\n".join(filter(None, [said.get(Field.NOTE, ""), texts.note, *kept, *own]))


def _documents(listed: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m[0].strip() for m in FILE_NAME.finditer(listed)))


# --- the long texts ----------------------------------------------------------------------------


def _texts(said: dict[Field, str], reading: _Reading) -> _Texts:
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
    return _Texts(contents, rules, said.get(Field.PRINCIPLE, "") or summary, note)


def _begins_with_heading(summary: str) -> bool:
    """A summary that begins with a heading of rules is the rules (libraries without a field for them)."""
    first = re.split(r"[\n:]", summary, maxsplit=1)[0]
    return name_key(first) in words.MAIN


def _without_heading(contents: str) -> str:
    """The list of pieces without its own heading word."""
    heading = re.match(r"(?P<words>[^\n:]{1,60})(?::|\n|$)\s*", contents)
    return contents[heading.end() :] if heading and name_key(heading["words"]) in words.PIECES else contents


def _compare(contents: str, rules: str, reading: _Reading) -> None:
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


def _rules(text: str, game: GameDraft, asked: str, reading: _Reading) -> tuple[RulesDraft, ...]:
    if not text:
        return ()
    said = game.languages[0] if len(game.languages) == 1 else ""
    language = language_of(text, said=said, asked=asked)
    if language.is_guessed:
        reading.doubts.append((Doubt.LANGUAGE_GUESSED, language.tag))
    if not language.tag:
        reading.problems.append(Problem(reading.place, Reason.LANGUAGE_UNKNOWN, detail=game.title, raw=text))
        return ()
    head = RulesHead(language=language.tag, source_key=f"{_key(game)}:rules")
    markdown = plain.to_markdown(text)
    revision = RevisionDraft(body=markdown, source_key=_digest(markdown), raw=text)
    return (RulesDraft(head, (revision,)),)
