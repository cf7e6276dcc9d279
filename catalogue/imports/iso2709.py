"""Reading ISO 2709 files: records as their end marks part them, whatever the lengths in them say.

Memory is that of one record. The lengths and places of a directory are only believed where the end marks
agree; where they do not, the fields are told by their marks, and it is said. Bytes stay bytes here: which
characters they are is for `charsets` to say.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

END_OF_RECORD, END_OF_FIELD, SUBFIELD = b"\x1d", b"\x1e", b"\x1f"
LEADER, ENTRY = 24, 12
PIECE = 1 << 16
LARGEST = 4 * 1024 * 1024  # forty times what the standard allows a record
BETWEEN = b" \r\n\t\x00\x1a\xef\xbb\xbf"  # blanks, ends of lines and files, a byte order mark


class Bytes(Protocol):
    """What can be read from: a file, or what stands in for one."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""


class Damaged(Exception):
    """The record's fields cannot be told apart; the text says why."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The bytes of one record without its end mark; `is_whole` is False where that mark is missing."""

    data: bytes
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class RawRecord:
    """A record with its fields' bytes; `was_wrong` says which lengths were not right, or nothing."""

    leader: bytes
    fields: tuple[tuple[str, bytes], ...]
    was_wrong: str = ""


def chunks(stream: Bytes) -> Iterator[Chunk]:
    """The records of a stream, one after the other."""
    waiting = b""
    while piece := stream.read(PIECE):
        *whole, waiting = (waiting + piece).split(END_OF_RECORD)
        yield from (Chunk(data.lstrip(BETWEEN)) for data in whole if data.strip(BETWEEN))
        if len(waiting) > LARGEST:
            yield Chunk(waiting[:PIECE], is_whole=False)
            waiting = b""
    if waiting.strip(BETWEEN):
        yield Chunk(waiting.lstrip(BETWEEN), is_whole=False)


def take_apart(data: bytes) -> RawRecord:
    """Leader and fields. Raises Damaged."""
    end = data.find(END_OF_FIELD, LEADER)
    if end < 0 or (end - LEADER) % ENTRY:
        raise Damaged("directory")
    directory = data[LEADER:end]
    entries = [directory[at : at + ENTRY] for at in range(0, len(directory), ENTRY)]
    body = data[end + 1 :]
    wrong = _wrong_lengths(data, end + 1)
    fields = _by_places(entries, body)
    if fields is None:
        fields, wrong = _by_marks(entries, body), wrong or "directory"
    return RawRecord(data[:LEADER], fields, wrong)


def _wrong_lengths(data: bytes, base: int) -> str:
    """Which numbers of the leader are not what the marks say. A record of 100,000 bytes has no length."""
    length, said_base = data[:5], data[12:17]
    if len(data) < 99_999 and length != b"%05d" % (len(data) + 1):
        return f"{length.decode('ascii', 'replace')} ≠ {len(data) + 1:05}"
    if base < 99_999 and said_base != b"%05d" % base:
        return f"{said_base.decode('ascii', 'replace')} ≠ {base:05}"
    return ""


def _by_places(entries: list[bytes], body: bytes) -> tuple[tuple[str, bytes], ...] | None:
    """The fields where the directory says they are, if each lies between two end marks and none twice."""
    fields: list[tuple[str, bytes]] = []
    starts: set[int] = set()
    for entry in entries:
        if not entry[3:].isdigit():
            return None
        length, start = int(entry[3:7]), int(entry[7:12])
        value = body[start : start + length]
        begins = start == 0 or body[start - 1 : start] == END_OF_FIELD
        if not begins or value.find(END_OF_FIELD) != length - 1 or start in starts:
            return None
        starts.add(start)
        fields.append((_tag(entry), value[:-1]))
    return tuple(fields) if len(fields) == body.count(END_OF_FIELD) else None


def _by_marks(entries: list[bytes], body: bytes) -> tuple[tuple[str, bytes], ...]:
    """The fields one after the other, in the order in which the directory places them."""
    values = body.split(END_OF_FIELD)[:-1]
    if len(values) != len(entries) or not all(entry[3:].isdigit() for entry in entries):
        raise Damaged(f"directory: {len(entries)} ≠ {len(values)}")
    ordered = sorted(entries, key=lambda entry: int(entry[7:12]))
    return tuple((_tag(entry), value) for entry, value in zip(ordered, values, strict=True))


def _tag(entry: bytes) -> str:
    return entry[:3].decode("latin-1")
