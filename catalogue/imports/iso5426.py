"""ISO 5426:1983, the character set of older UNIMARC: both ways, strictly.

A mark stands before its letter there and behind it in Unicode. What a code does not have raises
UnicodeError; nothing is ever replaced. Decoded text is in NFC.
"""

import unicodedata

SIGNS = {
    0xA1: "¡", 0xA2: "„", 0xA3: "£", 0xA4: "$", 0xA5: "¥", 0xA6: "†", 0xA7: "§", 0xA8: "′",
    0xA9: "‘", 0xAA: "“", 0xAB: "«", 0xAC: "♭", 0xAD: "©", 0xAE: "℗", 0xAF: "®",
    0xB0: "ʻ", 0xB1: "ʼ", 0xB2: "‚", 0xB6: "‡", 0xB7: "·", 0xB8: "″", 0xB9: "’", 0xBA: "”",
    0xBB: "»", 0xBC: "♯", 0xBD: "ʹ", 0xBE: "ʺ", 0xBF: "¿",
    0xE1: "Æ", 0xE2: "Đ", 0xE6: "Ĳ", 0xE8: "Ł", 0xE9: "Ø", 0xEA: "Œ", 0xEC: "Þ",
    0xF1: "æ", 0xF2: "đ", 0xF3: "ð", 0xF5: "ı", 0xF6: "ĳ", 0xF8: "ł", 0xF9: "ø", 0xFA: "œ", 0xFB: "ß",
    0xFC: "þ",
}  # fmt: skip
MARKS = {
    0xC0: "\u0309", 0xC1: "\u0300", 0xC2: "\u0301", 0xC3: "\u0302", 0xC4: "\u0303", 0xC5: "\u0304",
    0xC6: "\u0306", 0xC7: "\u0307", 0xC8: "\u0308", 0xC9: "\u0308", 0xCA: "\u030a", 0xCB: "\u0315",
    0xCC: "\u0313", 0xCD: "\u030b", 0xCE: "\u031b", 0xCF: "\u030c",
    0xD0: "\u0327", 0xD1: "\u031c", 0xD2: "\u0326", 0xD3: "\u0328", 0xD4: "\u0325", 0xD5: "\u032e",
    0xD6: "\u0323", 0xD7: "\u0324", 0xD8: "\u0332", 0xD9: "\u0333", 0xDA: "\u0329", 0xDB: "\u032d",
    0xDD: "\u0360",
}  # fmt: skip
# The trema (C8) and the umlaut (C9) are one mark in Unicode; an umlaut is what it is written as.
SIGN_CODES = {sign: code for code, sign in SIGNS.items() if sign != "$"}
MARK_CODES = {mark: code for code, mark in MARKS.items() if code != 0xC8}
LARGEST_ASCII = 0x7F


def decode(data: bytes) -> str:
    """The text. Raises UnicodeError for a byte that has no character, and for a mark without a letter."""
    letters: list[str] = []
    waiting = ""
    for at, byte in enumerate(data):
        if byte in MARKS:
            waiting += MARKS[byte]
            continue
        letter = chr(byte) if byte <= LARGEST_ASCII else SIGNS.get(byte)
        if letter is None or (waiting and letter < " "):
            raise UnicodeDecodeError("iso5426", data, at, at + 1, "no character")
        letters += (letter, waiting)
        waiting = ""
    if waiting:
        raise UnicodeDecodeError("iso5426", data, len(data) - 1, len(data), "a mark without a letter")
    return unicodedata.normalize("NFC", "".join(letters))


def encode(text: str) -> bytes:
    """The bytes. Raises UnicodeError for a character that the set does not have."""
    found = bytearray()
    marks = bytearray()
    letter = b""
    for at, char in enumerate(_apart(text)):
        if char in MARK_CODES and letter:
            marks.append(MARK_CODES[char])
            continue
        found += marks + letter
        marks.clear()
        letter = _letter(text, at, char)
    return bytes(found + marks + letter)


def _letter(text: str, at: int, char: str) -> bytes:
    if ord(char) <= LARGEST_ASCII:
        return char.encode("ascii")
    if char not in SIGN_CODES:
        raise UnicodeEncodeError("iso5426", text, min(at, len(text)), min(at, len(text)) + 1, "no code")
    return bytes((SIGN_CODES[char],))


def _apart(text: str) -> str:
    """Letters and marks apart; a letter that the set has as a whole stays one."""
    return "".join(c if c in SIGN_CODES else unicodedata.normalize("NFD", c) for c in text)
