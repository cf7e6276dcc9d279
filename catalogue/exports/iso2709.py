"""A MARC record as ISO 2709 bytes, in UTF-8. A field has at most 9,999 bytes, a record 99,999: what does not
fit is left out from the least needed on, and named.
"""

from dataclasses import dataclass

from catalogue import marc_own
from catalogue.marc import MarcField, MarcRecord

LONGEST_FIELD, LONGEST_RECORD = 9_999, 99_999
LEADER, ENTRY = 24, 12
# From the least needed to the most: a copy can be lent by its barcode alone, a record needs its title.
DISPENSABLE = ("520", "330", "500", "300", "505", "327", "900", marc_own.TAG, "852", "952", "995")
LARGE = 3_000  # bytes of one of our own values, from which on it goes before the standard's fields


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes, and the tags of fields that did not fit."""

    data: bytes
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Body:
    """A field's bytes; `part_of` names the value of which it is a piece, and without which it is nothing."""

    tag: str
    data: bytes
    part_of: str = ""


def write(record: MarcRecord) -> Written:
    """The record, whole if the format can hold it."""
    bodies = [_body(one) for one in record.fields]
    left_out = {body.tag: None for body in bodies if len(body.data) > LONGEST_FIELD}
    bodies = [body for body in bodies if len(body.data) <= LONGEST_FIELD]
    while (excess := _size(bodies) - LONGEST_RECORD) > 0 and (least := _least_needed(bodies, excess)):
        left_out[least[0].tag] = None
        gone = set(map(id, least))
        bodies = [body for body in bodies if id(body) not in gone]
    return Written(_join(record.leader, bodies), tuple(left_out))


def _least_needed(bodies: list[_Body], excess: int) -> list[_Body]:
    """What goes next: the largest of our own values, then from the end of the longest notes on."""
    own: dict[str, list[_Body]] = {}
    for body in bodies:
        if body.part_of:
            own.setdefault(body.part_of, []).append(body)
    largest = max(own.values(), key=_bytes_of, default=[])
    if _bytes_of(largest) > LARGE:
        return largest
    tags = {body.tag for body in bodies}
    tag = next((tag for tag in DISPENSABLE if tag in tags), None)
    if tag == marc_own.TAG:
        return largest
    return _last([body for body in bodies if body.tag == tag], excess)


def _last(bodies: list[_Body], excess: int) -> list[_Body]:
    """As many from the end as are too much."""
    at = len(bodies)
    while at and excess > 0:
        at -= 1
        excess -= len(bodies[at].data) + ENTRY
    return bodies[at:]


def _bytes_of(bodies: list[_Body]) -> int:
    return sum(len(body.data) for body in bodies)


def _size(bodies: list[_Body]) -> int:
    return LEADER + ENTRY * len(bodies) + 1 + _bytes_of(bodies) + 1


def _body(one: MarcField) -> _Body:
    if not one.subfields:
        return _Body(one.tag, f"{one.data}\x1e".encode())
    told = "".join(f"\x1f{code}{value}" for code, value in one.subfields)
    name = one.first("a") if one.tag == marc_own.TAG else ""
    return _Body(one.tag, f"{one.indicators}{told}\x1e".encode(), name)


def _join(leader: str, bodies: list[_Body]) -> bytes:
    directory, at = "", 0
    for body in bodies:
        directory += f"{body.tag}{len(body.data):04}{at:05}"
        at += len(body.data)
    base = LEADER + len(directory) + 1
    head = f"{base + at + 1:05}{leader[5:12]}{base:05}{leader[17:]}{directory}\x1e"
    return head.encode() + b"".join(body.data for body in bodies) + b"\x1d"
