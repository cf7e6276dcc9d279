"""MARC files for tests, made by hand: right ones, and ones with a chosen fault."""

from collections.abc import Callable, Iterable

from catalogue.draft import Problem, RecordDraft
from catalogue.imports import marc
from catalogue.imports.sniff import Format, recognise

Fields = Iterable[tuple[str, bytes]]
UTF8 = b"20240101d2010    u  y0frey50      ba"
ISO5426 = b"20240101d2010    u  y0frey0103    ba"
UNSAID = b"20240101d2010    u  y0frey        ba"


def joined(
    fields: Fields,
    *,
    leader: bytes = b"     nrm  22     z  450 ",
    length: int | None = None,
    base: int | None = None,
    order: Iterable[int] | None = None,
    count: Callable[[bytes], int] = len,
) -> bytes:
    """An ISO 2709 record. `length` and `base` are lies to tell, `order` that of the directory,
    `count` how its lengths are counted.
    """
    entries, body, at = [], b"", 0
    for tag, value in fields:
        entries.append(tag.encode() + b"%04d%05d" % (count(value) + 1, at))
        at += count(value) + 1
        body += value + b"\x1e"
    entries = [entries[at] for at in order] if order is not None else entries
    directory = b"".join(entries) + b"\x1e"
    true_base = 24 + len(directory)
    true_length = true_base + len(body) + 1
    head = b"%05d" % (length if length is not None else true_length) + leader[5:12]
    return (
        head + b"%05d" % (base if base is not None else true_base) + leader[17:] + directory + body + b"\x1d"
    )


def sub(indicators: str, *subfields: tuple[str, str | bytes]) -> bytes:
    """A data field's bytes; text is UTF-8."""
    parts = (
        b"\x1f" + code.encode() + (value if isinstance(value, bytes) else value.encode())
        for code, value in subfields
    )
    return indicators.encode() + b"".join(parts)


def unimarc(title: str | bytes, *more: tuple[str, bytes], general: bytes = UTF8) -> list[tuple[str, bytes]]:
    """The fields of a small UNIMARC record."""
    first = [("001", b"1"), ("100", sub("  ", ("a", general))), ("200", sub("1 ", ("a", title)))]
    return [*first, *more]


def marc21(title: str | bytes, *more: tuple[str, bytes]) -> list[tuple[str, bytes]]:
    """The fields of a small MARC 21 record."""
    return [("001", b"1"), ("245", sub("00", ("a", title))), *more]


MARC21 = b"     nrm a22     u  4500"
MARC8 = b"     nrm  22     u  4500"


def read(data: bytes) -> list[RecordDraft | Problem]:
    """What the reader makes of a file that is recognised as MARC."""
    found = recognise(data)
    assert found.format in {Format.UNIMARC, Format.MARC21}, found.problems
    return list(marc.read(found.text))


def one(data: bytes) -> RecordDraft:
    """The only record of a file, with nothing to tell about it."""
    (draft,) = read(data)
    assert isinstance(draft, RecordDraft), draft
    return draft


def xml(*fields: str, leader: str = "     nrm  22     z  450 ", name: str = "collection") -> bytes:
    """One record in XML without a namespace."""
    return f"<{name}><record><leader>{leader}</leader>{''.join(fields)}</record></{name}>".encode()


def data(tag: str, **subfields: str) -> str:
    """A data field in XML; a code that is no name in Python stands behind `_`."""
    inside = "".join(
        f'<subfield code="{code.strip("_")}">{text}</subfield>' for code, text in subfields.items()
    )
    return f'<datafield tag="{tag}" ind1=" " ind2=" ">{inside}</datafield>'
