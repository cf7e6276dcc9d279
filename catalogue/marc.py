"""A MARC record as plain values, whatever file it came from or goes to: UNIMARC or MARC 21, ISO 2709 or XML.

Readers in `imports` make it, writers in `exports` too; it knows no meaning of its fields.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Dialect(StrEnum):
    """What the numbers of the fields mean."""

    UNIMARC = "unimarc"
    MARC21 = "marc21"


@dataclass(frozen=True, slots=True)
class MarcField:
    """One field: a control field has `data`, any other has subfields (code and value, in order)."""

    tag: str
    indicators: str = "  "
    subfields: tuple[tuple[str, str], ...] = ()
    data: str = ""

    def values(self, codes: str) -> list[str]:
        """What the subfields of these codes say, in the order of the record."""
        return [value for code, value in self.subfields if code in codes]

    def first(self, code: str) -> str:
        """The first subfield of that code, or nothing."""
        return next((value for found, value in self.subfields if found == code), "")


@dataclass(frozen=True, slots=True)
class MarcRecord:
    """A leader of 24 characters and the fields in the order of the source."""

    leader: str
    fields: tuple[MarcField, ...]

    def select(self, *tags: str) -> Iterator[MarcField]:
        """The fields with these tags, in the order of the tags asked for."""
        return (field for tag in tags for field in self.fields if field.tag == tag)

    def control(self, tag: str) -> str:
        """The text of a control field, or nothing."""
        return next((field.data for field in self.select(tag)), "")

    def first(self, tag: str, code: str) -> str:
        """The first subfield of that code in the fields of that tag, or nothing."""
        return next((value for field in self.select(tag) for value in field.values(code)), "")

    @property
    def kind(self) -> str:
        """Leader/06, the type of record: `r` is an object, such as a game."""
        return self.leader[6:7].strip()


def dialect_of(record: MarcRecord) -> Dialect | None:
    """What the titles say (245 or 200), else the last four characters of the leader; None: neither tells."""
    tags = {field.tag for field in record.fields}
    if ("245" in tags) != ("200" in tags):
        return Dialect.MARC21 if "245" in tags else Dialect.UNIMARC
    if record.leader[20:24] in {"4500", "450 "}:
        return Dialect.MARC21 if record.leader[20:24] == "4500" else Dialect.UNIMARC
    return None
