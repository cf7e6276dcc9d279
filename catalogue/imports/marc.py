"""Reader of MARC files: UNIMARC and MARC 21, in ISO 2709 or XML, one record after the other in flat memory.

Never raises for bad data, never touches the database. A record that cannot be read is a Problem with its
number; all others come. Films and books come too: what a record describes is its document type.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO

from catalogue import marc_own
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, Problem, Reason, RecordDraft
from catalogue.imports import charsets, iso2709, marc21, marc_xml, unimarc
from catalogue.imports.charsets import Charset
from catalogue.imports.iso2709 import Bytes, Chunk, Damaged
from catalogue.imports.labels import Field
from catalogue.imports.marc_xml import Broken
from catalogue.imports.meaning import Reading, digest, key_of, long_texts, rules_of, with_numbers
from catalogue.imports.merge import SPANS
from catalogue.imports.told import Told
from catalogue.marc import Dialect, MarcField, MarcRecord, dialect_of
from catalogue.marc_own import Own
from catalogue.models import Condition
from catalogue.text import one_line

TELL = {Dialect.UNIMARC: unimarc.tell, Dialect.MARC21: marc21.tell}
HEAD = 1 << 16
SHOWN = 2000  # characters of a record that a problem shows


@dataclass(slots=True)
class _File:
    """What the records before tell of the next one."""

    asked: Dialect | None
    is_xml: bool
    charset: Charset | None = None
    dialect: Dialect | None = None


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A record, and what was not right with it though it could be read."""

    record: MarcRecord
    was_wrong: str = ""


def format_of(head: bytes) -> Dialect | None:
    """What a file is that begins so; None if it is no MARC."""
    if _is_xml(head):
        return _xml_dialect(head)
    if iso2709.SUBFIELD not in head or not _is_leader(head.lstrip(iso2709.BETWEEN)[:24]):
        return None
    file = _File(None, is_xml=False)
    for chunk in iso2709.chunks(BytesIO(head)):
        parsed = _parse(chunk, file, "")
        if isinstance(parsed, _Parsed) and (found := dialect_of(parsed.record)):
            return found
    leader = head.lstrip(iso2709.BETWEEN)[:24]
    return Dialect.MARC21 if leader[20:24] == b"4500" else Dialect.UNIMARC


def _is_leader(start: bytes) -> bool:
    """Five digits and a letter, as far as a damaged one still shows it."""
    return len(start) == 24 and sum(byte in b"0123456789" for byte in start[:5]) > 3


def _is_xml(head: bytes) -> bool:
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return head[2:40].replace(b"\0", b"").lstrip().startswith(b"<")
    return head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<")


def _xml_dialect(head: bytes) -> Dialect | None:
    text = _plain_xml(head)[:HEAD].decode("utf-8", "replace")
    if "<notice>" in text or "<notice " in text:
        return Dialect.UNIMARC if "<f " in text else None
    if "datafield" not in text and "controlfield" not in text:
        return None
    if 'tag="245"' in text or "tag='245'" in text:
        return Dialect.MARC21
    is_unimarc = "unimarc" in text[:4000].lower() or 'tag="200"' in text or "tag='200'" in text
    return Dialect.UNIMARC if is_unimarc else Dialect.MARC21


def as_text(data: bytes) -> str:
    """The bytes of a MARC file in the shape that readers take; one character a byte."""
    return (_plain_xml(data) if _is_xml(data) else data).replace(b"\0", b"").decode("latin-1")


def _plain_xml(data: bytes) -> bytes:
    """UTF-16 as UTF-8, anything else as it is."""
    if not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data
    return data.decode("utf-16", "replace").encode("utf-8")


def read(text: str, language: str = "", dialect: Dialect | None = None) -> Iterator[RecordDraft | Problem]:
    """As `read_stream`, for a file that `as_text` has made a text of."""
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "replace")
    yield from read_stream(BytesIO(data), language, dialect)


def read_stream(
    stream: Bytes, language: str = "", dialect: Dialect | None = None
) -> Iterator[RecordDraft | Problem]:
    """The records of a file. `language` is that of rules that do not say theirs, `dialect` what the caller
    says that the file is.
    """
    head = stream.read(HEAD)
    file = _File(dialect, is_xml=_is_xml(head), dialect=dialect or format_of(head))
    whole = _Again(head, stream)
    number = 0
    for chunk in marc_xml.chunks(whole) if file.is_xml else iso2709.chunks(whole):
        parsed = _parse(chunk, file, f"record {number + 1}")
        if parsed is None:
            continue
        number += 1
        if isinstance(parsed, Problem):
            yield parsed
        else:
            yield from _record(parsed, chunk, file, f"record {number}", language)
    if not number:
        yield Problem("record 1", Reason.NO_RECORD, raw=as_text(head)[:SHOWN])


class _Again:
    """A stream whose beginning was looked at already."""

    def __init__(self, head: bytes, rest: Bytes) -> None:
        self.head, self.rest = head, rest

    def read(self, size: int, /) -> bytes:
        """The beginning, then the rest."""
        head, self.head = self.head, b""
        return head or self.rest.read(size)


# --- one record --------------------------------------------------------------------------------


def _parse(chunk: Chunk, file: _File, place: str) -> _Parsed | Problem | None:
    """The record of a chunk; None for XML that holds none."""
    raw = raw_text(chunk.data)
    try:
        if file.is_xml:
            record = marc_xml.parse(chunk.data)
            return _Parsed(record) if record else None
        if not chunk.is_whole:
            return Problem(place, Reason.TRUNCATED, raw=raw[:SHOWN])
        return _decoded(chunk, file)
    except UnicodeError as error:
        return Problem(place, Reason.CHARACTERS, detail=_odd(error), raw=raw)
    except (Broken, Damaged) as error:
        reason = Reason.MALFORMED if chunk.is_whole else Reason.TRUNCATED
        return Problem(place, reason, detail=str(error)[:200], raw=raw[:SHOWN])


def _decoded(chunk: Chunk, file: _File) -> _Parsed:
    """An ISO 2709 record as text. Raises Damaged and UnicodeError."""
    raw = iso2709.take_apart(chunk.data)
    leader = raw.leader.decode("latin-1").ljust(24)
    tags = tuple(MarcField(tag) for tag, _value in raw.fields)
    dialect = file.asked or dialect_of(MarcRecord(leader, tags)) or file.dialect
    charset = charsets.charset_of(raw, dialect, file.charset)
    if charset is None:
        data = b"".join(value for _tag, value in raw.fields)
        data.decode("utf-8")  # says which byte it is
        raise UnicodeError(leader)
    if any(byte > 0x7F for _tag, value in raw.fields for byte in value):
        file.charset = charset
    fields = tuple(_field(tag, value, charset) for tag, value in raw.fields)
    return _Parsed(MarcRecord(leader, fields), raw.was_wrong)


def _field(tag: str, value: bytes, charset: Charset) -> MarcField:
    start = value.find(iso2709.SUBFIELD)
    if start < 0:
        return MarcField(tag, data=charsets.decode(value, charset))
    parts = value[start + 1 :].split(iso2709.SUBFIELD)
    # The code is cut off before its value is read: a mark that begins it would join the code.
    subfields = tuple(
        (part[:1].decode("latin-1"), charsets.decode(part[1:], charset)) for part in parts if part
    )
    return MarcField(tag, value[:start].decode("latin-1").ljust(2)[:2], subfields)


def raw_text(data: bytes) -> str:
    """A record as it came, kept as text: its bytes are UTF-8, else one character a byte."""
    try:
        return data.decode("utf-8").replace("\0", "")
    except UnicodeDecodeError:
        return data.decode("latin-1").replace("\0", "")


def _odd(error: UnicodeError) -> str:
    if not isinstance(error, UnicodeDecodeError):
        return ""
    return f"0x{error.object[error.start]:02X}"


def _record(
    parsed: _Parsed, chunk: Chunk, file: _File, place: str, language: str
) -> Iterator[RecordDraft | Problem]:
    reading = Reading(place)
    raw = raw_text(chunk.data)
    if parsed.was_wrong:
        reading.problems.append(
            Problem(place, Reason.LENGTHS_WRONG, detail=parsed.was_wrong, raw=raw[:SHOWN])
        )
    dialect = file.asked or dialect_of(parsed.record) or file.dialect or Dialect.UNIMARC
    draft = draft_of(parsed.record, dialect, reading, raw=raw, language=language)
    if draft is None:
        reading.problems.append(Problem(place, Reason.NO_TITLE, raw=raw))
    else:
        yield draft
    yield from reading.problems


def draft_of(
    record: MarcRecord, dialect: Dialect, reading: Reading, *, raw: str, language: str = ""
) -> RecordDraft | None:
    """What a record says; None without a title. What could not be read is told to `reading`."""
    said = TELL[dialect](record)
    own = marc_own.read(record.select(marc_own.TAG))
    if not said.title and "title" not in own.game:
        return None
    texts = long_texts(said.said, reading)
    summary = said.said.get(Field.SUMMARY, "")
    if summary and summary not in {texts.principle, texts.rules} and said.said.get(Field.PRINCIPLE):
        said.note("summary", summary)
    game = with_numbers(_game(said, texts.contents, texts.principle, texts.note), said.said, reading)
    game = _with_own(game, own, reading)
    for printed in said.without_barcode if own.copies is None else ():
        detail = f"copy: {printed}"[:500]
        reading.problems.append(Problem(reading.place, Reason.VALUE_UNREADABLE, detail=detail, raw=printed))
    key = _key(record, game, dialect)
    return RecordDraft(
        key=key,
        game=game,
        raw=raw,
        format=dialect.value,
        copies=_boxes(own.copies if own.copies is not None else said.copies),
        rules=() if own.is_there else rules_of(texts.rules, game, key, language, reading),
        documents=tuple(dict.fromkeys(own.documents if own.documents is not None else said.documents)),
        doubts=() if own.is_there else tuple(reading.doubts),
        place=reading.place,
    )


def _game(said: Told, contents: str, principle: str, note: str) -> GameDraft:
    others = (title for title in said.alternative_titles if title and title != said.title)
    return GameDraft(
        title=one_line(said.title),
        subtitle=said.subtitle,
        alternative_titles=tuple(dict.fromkeys(others)),
        document_type=said.document_type,
        contributors=_people(said.contributors),
        publications=tuple(dict.fromkeys(said.publications)),
        edition=said.edition,
        year=said.year,
        identifiers=tuple(dict.fromkeys(said.identifiers)),
        languages=tuple(dict.fromkeys(said.languages)),
        categories=tuple(dict.fromkeys(said.categories)),
        keywords=tuple(dict.fromkeys(said.keywords)),
        principle=principle,
        pedagogy=said.said.get(Field.PEDAGOGY, ""),
        contents=contents,
        note="\n".join(dict.fromkeys(filter(None, [*said.notes, note]))),
    )


def _people(found: list[ContributorDraft]) -> tuple[ContributorDraft, ...]:
    return tuple(dict.fromkeys(person for person in found if person.name))


def _with_own(game: GameDraft, own: Own, reading: Reading) -> GameDraft:
    """The game with what our own fields say; not a span that contradicts itself: others may write them."""
    for name in own.refused:
        detail = f"{marc_own.TAG} {name}"
        reading.problems.append(Problem(reading.place, Reason.VALUE_UNREADABLE, detail=detail[:500]))
    values = dict(own.game)
    for ends in SPANS:
        low, high = (values.get(name, getattr(game, name)) for name in ends)
        if low is not None and high is not None and low > high:
            detail = f"{ends[0]}: {low} > {high}"
            reading.problems.append(Problem(reading.place, Reason.VALUE_UNREADABLE, detail=detail))
            values = {name: value for name, value in values.items() if name not in ends}
    return replace(game, **values)


def _boxes(copies: tuple[CopyDraft, ...] | list[CopyDraft]) -> tuple[CopyDraft, ...]:
    known = (
        box if box.condition in Condition.values else replace(box, condition="in_service") for box in copies
    )
    return tuple({box.barcode: box for box in known}.values())


def _key(record: MarcRecord, game: GameDraft, dialect: Dialect) -> str:
    """By its number in the catalogue that it comes from, together with what it describes: numbers alone
    repeat from catalogue to catalogue, and one catalogue may have two records of one title.
    """
    number = one_line(record.control("001") or record.first("035", "a"))
    return f"{key_of(game, dialect.value)}:{digest(number)[:8]}" if number else key_of(game, dialect.value)
