"""Reader of saved pages of a PMB catalogue: notices of games, in all four layouts met.

`notices` cuts the page, `values`, `isbd` and `copies` read the cells, this module says what each cell
means for a game. Never raises for bad data, never touches the database.
"""

import re
from collections.abc import Iterator

from catalogue.draft import (
    ContributorDraft,
    CopyDraft,
    Doubt,
    GameDraft,
    Problem,
    PublicationDraft,
    Reason,
    RecordDraft,
)
from catalogue.imports import copies, isbd, notices, values
from catalogue.imports.labels import Field
from catalogue.imports.meaning import (
    FIRST_WORDS,
    Reading,
    Texts,
    key_of,
    long_texts,
    rules_of,
    with_numbers,
)
from catalogue.imports.notices import Notice
from catalogue.text import one_line

FORMAT = "pmb"
FILE_NAME = re.compile(
    r"[^\s|/\\][^\n|/\\]{0,250}?\.(?i:pdf|docx?|odt|rtf|jpe?g|png|gif|mp[34]|zip)(?![a-z])"
)
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
    reading = Reading(place=f"line {notice.line}")
    if not said.get(Field.TITLE):
        yield Problem(reading.place, Reason.NO_TITLE, raw=notice.raw)
        return
    texts = long_texts(said, reading)
    game = _game(said, texts, notice, reading)
    boxes, without_barcode = copies.read(notice.copies, _sections(game.categories))
    reading.problems += copies.without_barcode(reading.place, without_barcode)
    if notice.is_cut_off:
        reading.doubts.append((Doubt.TEXT_TRUNCATED, ""))
        reading.problems.append(
            Problem(reading.place, Reason.TRUNCATED, detail=game.title, raw=notice.raw[-200:])
        )
    key = key_of(game, FORMAT)
    yield RecordDraft(
        key=key,
        game=game,
        raw=notice.raw,
        format=FORMAT,
        copies=_once(boxes),
        rules=rules_of(texts.rules, game, key, asked, reading),
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


def _once(boxes: list[CopyDraft]) -> tuple[CopyDraft, ...]:
    return tuple({box.barcode: box for box in boxes}.values())


# --- the game ----------------------------------------------------------------------------------


def _game(said: dict[Field, str], texts: Texts, notice: Notice, reading: Reading) -> GameDraft:
    title, subtitle = values.title_and_subtitle(said[Field.TITLE])
    publications, year = _publications(said)
    game = GameDraft(
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
        principle=texts.principle,
        pedagogy=said.get(Field.PEDAGOGY, ""),
        contents=texts.contents,
        note=_note(said, texts, notice),
    )
    return with_numbers(game, said, reading)


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


def _sections(categories: tuple[str, ...]) -> list[str]:
    """How the copies table prints the categories: without the bracket behind them."""
    return [re.sub(r"\s*\([^()]*\)\s*$", "", category) for category in categories]


def _note(said: dict[Field, str], texts: Texts, notice: Notice) -> str:
    kept = [f"{FIRST_WORDS[name]} : {one_line(said[name])}" for name in NOTE_FIELDS if said.get(name)]
    own = [f"{label} : {one_line(value)}" for label, value in notice.own]
    return "\n".join(filter(None, [said.get(Field.NOTE, ""), texts.note, *kept, *own]))


def _documents(listed: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(m[0].strip() for m in FILE_NAME.finditer(listed)))
