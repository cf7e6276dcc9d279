"""Texts of old machines: Mac Roman and the code pages of DOS, told by the letters that come out.

Only tables are read so, for their programs live long; and it is always said that the letters were guessed.
Pure functions on bytes.
"""

import re

ENCODINGS = ("mac_roman", "cp850")
MARKS = frozenset("«»’‘“”–—…°€·\u00a0½")
HIGH = re.compile(r"[^\x00-\x7f]")
DOUBLY = re.compile(r"[ÃÂÅÄâÌáÐ][^\x00-\x7f]{1,2}")
"""What is left of UTF-8 that was once read as Windows-1252: says nothing of the present encoding."""
LEAST = 0.4


def guess(data: bytes) -> tuple[str, str] | None:
    """The text and the name of its encoding, or None where the letters fit neither."""
    likely = max((_likelihood(data.decode(encoding)), encoding) for encoding in ENCODINGS)
    return (data.decode(likely[1]), likely[1]) if likely[0] >= LEAST else None


def _likelihood(text: str) -> float:
    """How the letters beyond ASCII stand in their words: 1 where all stand well, below 0 where few do."""
    text = DOUBLY.sub("", text)
    weights = [_weight(text, found.start()) for found in HIGH.finditer(text)]
    return sum(weights) / len(weights) if weights else 0.0


def _weight(text: str, at: int) -> float:
    letter, before, behind = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if letter in MARKS:
        return 0.5
    if not letter.isalpha():
        return -1
    if letter.islower():
        return 1 if before.isalpha() or behind.isalpha() else 0
    return -1 if before.islower() else 0.5
