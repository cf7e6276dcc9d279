"""Games as MARC, in four forms, one after the other. What the standard's fields would not bring back into an
empty library goes into our own field 909 as well (`catalogue.marc_own`), so that nothing is lost on the way.

`NOT_CARRIED` names what no record of ours holds, and why.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from enum import StrEnum

from catalogue import marc_own
from catalogue.draft import GameDraft
from catalogue.exports import iso2709, marc21, marc_xml, unimarc
from catalogue.exports.library import Outgoing
from catalogue.imports import marc as reader
from catalogue.imports.meaning import Reading
from catalogue.marc import Dialect, MarcField, MarcRecord
from catalogue.records import comparable


class Form(StrEnum):
    """How a file is written; the words are those of the command."""

    UNIMARC = "unimarc"
    UNIMARC_XML = "unimarc-xml"
    MARC21 = "marc21"
    MARCXML = "marcxml"

    @property
    def dialect(self) -> Dialect:
        """What its fields mean."""
        return Dialect.UNIMARC if self in {Form.UNIMARC, Form.UNIMARC_XML} else Dialect.MARC21

    @property
    def is_xml(self) -> bool:
        """Whether it is XML, which has no limits of length."""
        return self in {Form.UNIMARC_XML, Form.MARCXML}


MAKE = {Dialect.UNIMARC: unimarc.record_of, Dialect.MARC21: marc21.record_of}
NOT_CARRIED = {
    "rules": "a rules text is longer than a record may be, and has its own revisions, licence and exports",
    "documents' files": "a record names a file, it does not hold one",
    "doubts": "what a librarian here should look at says nothing about the game",
    "the raw source": "an import keeps what it was made from, an export is made from what it became",
    "components, kits, expansions": "made from the contents, or relations between rows of this library",
    "loans and members": "who has a box is for the lending desk, and personal",
    "a bare title beside a full record of it": "an import takes the two for one game, whatever the format",
    "order of categories and keywords": "they are sets",
}


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a file; `left_out` are the tags that a record of `number` could not hold."""

    data: bytes
    number: int | None = None
    left_out: tuple[str, ...] = ()


def file_of(games: Iterable[Outgoing], form: Form, *, language: str) -> Iterator[Piece]:
    """A file's bytes, piece by piece: a record each, and what XML has before and behind them."""
    if form.is_xml:
        yield Piece(marc_xml.head(form.dialect).encode())
    for out in games:
        record = record_of(out, form.dialect, language=language)
        if form.is_xml:
            yield Piece(marc_xml.write(record, form.dialect).encode(), out.number)
        else:
            written = iso2709.write(record)
            yield Piece(written.data, out.number, written.left_out)
    if form.is_xml:
        yield Piece(marc_xml.TAIL.encode())


def record_of(out: Outgoing, dialect: Dialect, *, language: str, is_public: bool = False) -> MarcRecord:
    """The record of a game. A public one (OAI, SRU) holds the standard's fields and nothing for the desk."""
    record = MAKE[dialect](out, language=language, is_public=is_public)
    if is_public:
        return record
    return replace(record, fields=(*record.fields, *_missing(record, out, dialect)))


def _missing(record: MarcRecord, out: Outgoing, dialect: Dialect) -> list[MarcField]:
    """Our own fields for what a reader would not have again."""
    reading = Reading("")
    draft = reader.draft_of(record, dialect, reading, raw="")
    game = draft.game if draft else GameDraft(title="")
    values: dict[str, object] = {one.name: getattr(out.game, one.name) for one in fields(GameDraft)}
    lost = {name: value for name, value in values.items() if not _is_same(name, value, getattr(game, name))}
    if draft is None or sorted(draft.copies, key=str) != sorted(out.copies, key=str):
        lost["copies"] = out.copies
    if out.documents:
        lost["documents"] = out.documents
    if reading.doubts or (draft and draft.rules):
        lost["title"] = out.game.title  # our own fields tell the reader that no text is to be taken for rules
    return [one for name, value in lost.items() for one in marc_own.write(name, value)]


def _is_same(name: str, one: object, other: object) -> bool:
    return comparable(name, one) == comparable(name, other)
