"""A MARC record as ISO 2709 bytes, in UTF-8. A field has at most 9,999 bytes, a record 99,999: what does not
fit is left out from the least needed on, and named.
"""

from dataclasses import dataclass

from catalogue.marc import MarcField, MarcRecord

LONGEST_FIELD, LONGEST_RECORD = 9_999, 99_999
LEADER, ENTRY = 24, 12
# From the least needed to the most: a copy can be lent by its barcode alone, a record needs its title.
DISPENSABLE = ("520", "330", "500", "300", "505", "327", "900", "909", "852", "996", "952", "995")


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes, and the tags of fields that did not fit."""

    data: bytes
    left_out: tuple[str, ...] = ()


def write(record: MarcRecord) -> Written:
    """The record, whole if the format can hold it."""
    bodies = [(one.tag, _body(one)) for one in record.fields]
    left_out = [tag for tag, body in bodies if len(body) > LONGEST_FIELD]
    bodies = [(tag, body) for tag, body in bodies if len(body) <= LONGEST_FIELD]
    for tag in DISPENSABLE:
        while _size(bodies) > LONGEST_RECORD and any(found == tag for found, _body in bodies):
            at = max(i for i, (found, _body) in enumerate(bodies) if found == tag)
            del bodies[at]
            left_out.append(tag)
    return Written(_join(record.leader, bodies), tuple(dict.fromkeys(left_out)))


def _size(bodies: list[tuple[str, bytes]]) -> int:
    return LEADER + ENTRY * len(bodies) + 1 + sum(len(body) for _tag, body in bodies) + 1


def _body(one: MarcField) -> bytes:
    if not one.subfields:
        return f"{one.data}\x1e".encode()
    told = "".join(f"\x1f{code}{value}" for code, value in one.subfields)
    return f"{one.indicators}{told}\x1e".encode()


def _join(leader: str, bodies: list[tuple[str, bytes]]) -> bytes:
    directory, at = "", 0
    for tag, body in bodies:
        directory += f"{tag}{len(body):04}{at:05}"
        at += len(body)
    base = LEADER + len(directory) + 1
    head = f"{base + at + 1:05}{leader[5:12]}{base:05}{leader[17:]}{directory}\x1e"
    return head.encode() + b"".join(body for _tag, body in bodies) + b"\x1d"
