"""MARC-8, the character sets of older MARC 21, strictly: read only. The tables are pymarc's; its decoder is
not used, because it puts blanks in the place of what it does not know.

Library of Congress, MARC 21 Specifications, Character Sets. A mark stands before its letter; an escape
sequence changes one of the two sets in use, of bytes below and above 0x80. Decoded text is in NFC.
"""

import unicodedata
from collections.abc import Iterator

from pymarc.marc8_mapping import CODESETS, ODD_MAP

ESCAPE = 0x1B
ASCII, ANSEL, EACC = 0x42, 0x45, 0x31
LOWER, UPPER = b"(,", b")-"
GRAPHICS = {0x73: ASCII, 0x67: 0x67, 0x62: 0x62, 0x70: 0x70}  # ESC s, g, b, p: back, Greek, sub-, superscript
NON_SORTING = {0x88, 0x89}
HIGH = 0x80


def decode(data: bytes) -> str:
    """The text. Raises UnicodeError for a code that its set does not have, or a mark without letter."""
    if data.isascii() and ESCAPE not in data:
        return data.decode("ascii")
    letters: list[str] = []
    waiting = ""
    for char, is_mark in _characters(data):
        if is_mark:
            waiting += char
        else:
            letters += (char, waiting)
            waiting = ""
    if waiting:
        raise _error(data, len(data) - 1)
    return unicodedata.normalize("NFC", "".join(letters))


def _characters(data: bytes) -> Iterator[tuple[str, bool]]:
    """The characters in the order of the bytes, and which are marks."""
    sets = [ASCII, ANSEL]
    at = 0
    while at < len(data):
        if data[at] == ESCAPE:
            at = _change(data, at + 1, sets)
        elif data[at] <= 0x20:
            yield chr(data[at]), False
            at += 1
        elif data[at] in NON_SORTING:
            at += 1
        else:
            codes = sets[data[at] >= HIGH]
            size = 3 if codes == EACC else 1
            yield _character(data, at, codes, size)
            at += size


def _change(data: bytes, at: int, sets: list[int]) -> int:
    """Take an escape sequence behind its first byte; returns where it ends."""
    found = data[at : at + 1]
    if found and found[0] in GRAPHICS:
        sets[0] = GRAPHICS[found[0]]
        return at + 1
    end = at + 1 if found == b"$" else at
    which = 1 if data[end : end + 1] in (b")", b"-") else 0
    if data[end : end + 1] and data[end : end + 1] in LOWER + UPPER:
        end += 1
    elif found != b"$":
        raise _error(data, at)
    if data[end : end + 1] == b"!":  # one more byte that belongs to the name of extended Latin
        end += 1
    if end >= len(data) or data[end] not in CODESETS:
        raise _error(data, at)
    sets[which] = data[end]
    return end + 1


def _character(data: bytes, at: int, codes: int, size: int) -> tuple[str, bool]:
    """A set may be used below or above 0x80; the tables have one of the two."""
    code = int.from_bytes(data[at : at + size], "big")
    other = code ^ (0x808080 if size == 3 else HIGH)
    table = CODESETS[codes]
    found = table.get(code) or table.get(other)
    if found is None and size == 3:
        odd = ODD_MAP.get(code) or ODD_MAP.get(other)
        found = (odd, 0) if odd else None
    if found is None or at + size > len(data):
        raise _error(data, at)
    return chr(found[0]), bool(found[1])


def _error(data: bytes, at: int) -> UnicodeDecodeError:
    at = max(0, min(at, len(data) - 1))
    return UnicodeDecodeError("marc-8", data, at, at + 1, "no character")
