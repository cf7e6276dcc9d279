"""Which characters the bytes of a MARC record are. Decided here and by nobody else, record by record.

What a record says of itself (UNIMARC 100 $a, MARC 21 leader/09) is a hint: bytes that are UTF-8 beyond
chance are UTF-8, a record that says UTF-8 and is not is refused. What could be read in two ways is read as
the record before it was. Nothing is replaced: what no set can read raises UnicodeError.
"""

import re
import unicodedata
from enum import StrEnum

from catalogue.imports import iso5426, marc8
from catalogue.imports.iso2709 import RawRecord
from catalogue.marc import Dialect


class Charset(StrEnum):
    """The sets that catalogues are written in."""

    UTF8 = "utf-8"
    ISO5426 = "iso5426"
    MARC8 = "marc-8"
    LATIN1 = "latin-1"


ESCAPE = b"\x1b"
REFERENCE = re.compile(r"&#x([0-9A-Fa-f]{4,6});")  # a letter that MARC-8 does not have, as LC writes it
OUR_SETS = {b"01", b"03", b"50", b"  ", b"||", b"##", b""}
# Signs around an article that does not count in sorting (C1 of Unicode and of ISO 6630), and all controls.
UNWANTED = str.maketrans("", "", "\x88\x89\x98\x9c" + "".join(map(chr, {*range(32)} - {9, 10, 13})))
NON_SORTING_BYTES = re.compile(rb"\x98([^\x1e\x1f\x98\x9c]{1,30})\x9c|\x88([^\x1e\x1f\x88\x89]{1,30})\x89")
# Letters with marks of European languages; a mark that makes anything else was no mark.
LAST_COMMON_LETTER = 0x21B
CAPITAL_INSIDE = re.compile(r"[a-zà-öø-ÿ][ÆĐĲŁØŒÞ](?=[a-z\s]|$)")
# High bytes of Western European text in Windows-1252, which holds Latin-1.
WINDOWS = frozenset(range(0xA0, 0x100)) | frozenset(b"\x80\x82\x84\x85\x8c\x91\x92\x93\x94\x96\x97\x99\x9c")
UNLIKELY = frozenset(b"\xd7\xf7\xa4\xa6\xac\xad\xaf\xb8\xbe")


def decode(data: bytes, charset: Charset) -> str:
    """The text, in NFC and without non-sorting signs. Raises UnicodeError."""
    if charset is not Charset.UTF8:
        data = NON_SORTING_BYTES.sub(rb"\1\2", data)
    if charset is Charset.UTF8:
        text = data.decode("utf-8")
    elif charset is Charset.ISO5426:
        text = iso5426.decode(data.translate(None, b"\x88\x89\x98\x9c"))
    elif charset is Charset.MARC8:
        text = REFERENCE.sub(_letter, marc8.decode(data))
    else:
        text = data.decode("cp1252")
    return clean(text)


def clean(text: str) -> str:
    """Composed letters, no signs around articles, no other controls: for text that came decoded, too."""
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", text.translate(UNWANTED))


def _letter(reference: re.Match[str]) -> str:
    code = int(reference[1], 16)
    return chr(code) if 0x9F < code < 0x110000 and not 0xD7FF < code < 0xE000 else reference[0]


def charset_of(record: RawRecord, dialect: Dialect | None, before: Charset | None) -> Charset | None:
    """The set of a record, or None; `before` is that of the record before it."""
    data = b"\x1e".join(value for _tag, value in record.fields)
    if ESCAPE in data:
        return None if dialect is Dialect.UNIMARC else Charset.MARC8
    if _is_utf8(data):
        is_older = dialect is Dialect.MARC21 and record.leader[9:10] == b" " and data.isascii()
        return Charset.MARC8 if is_older and b"&#x" in data else Charset.UTF8
    said = _said(record, dialect)
    if b"50" in said or not said <= OUR_SETS:
        return None
    likely = [charset for charset in _sets(dialect) if PLAUSIBLE[charset](data)]
    if before in likely:
        return before
    return next(iter(likely), None)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _said(record: RawRecord, dialect: Dialect | None) -> set[bytes]:
    """The sets that a record says it is in, in UNIMARC's numbers: 50 is UTF-8, 01 and 03 are ISO 5426."""
    if record.leader[9:10] == b"a":
        return {b"50"}
    if dialect is Dialect.MARC21:
        return set()
    general = next((value for tag, value in record.fields if tag == "100"), b"")
    codes = general[general.find(b"\x1fa") + 2 :][26:34]
    return {codes[at : at + 2] for at in range(0, len(codes), 2)} if len(general) > 36 else set()


def _sets(dialect: Dialect | None) -> tuple[Charset, Charset]:
    older = Charset.MARC8 if dialect is Dialect.MARC21 else Charset.ISO5426
    return older, Charset.LATIN1


def _is_iso5426(data: bytes) -> bool:
    """Marks only where they make letters of European languages, and no capital within a word."""
    plain = data.translate(None, b"\x88\x89\x98\x9c")
    try:
        text = iso5426.decode(plain)
    except UnicodeError:
        return False
    return _are_letters(text) and not CAPITAL_INSIDE.search(text)


def _is_marc8(data: bytes) -> bool:
    """Marks only where they make letters of European languages."""
    try:
        fields = [marc8.decode(part) for part in re.split(rb"[\x1e\x1f]", data)]
    except UnicodeError:
        return False
    return all(map(_are_letters, fields)) and not re.search(rb"[\xe0-\xfe][^a-zA-Z\xa1-\xff]", data)


def _are_letters(text: str) -> bool:
    return not any(unicodedata.combining(c) or LAST_COMMON_LETTER < ord(c) < 0x2000 for c in text)


def _is_latin1(data: bytes) -> bool:
    high = [byte for byte in NON_SORTING_BYTES.sub(rb"\1\2", data) if byte > 0x7F]
    return all(byte in WINDOWS for byte in high) and sum(byte in UNLIKELY for byte in high) * 10 <= len(high)


PLAUSIBLE = {Charset.ISO5426: _is_iso5426, Charset.MARC8: _is_marc8, Charset.LATIN1: _is_latin1}
