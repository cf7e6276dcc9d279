"""Texts of old machines: Mac Roman and the code pages of DOS, told by the letters that come out.

Only tables are read so, for their programs live long; and it is always said that the letters were guessed.
Pure functions on bytes.
"""

ENCODINGS = ("mac_roman", "cp850")
USUAL = frozenset("éèêëàâçîïôùûüäößñíáóúœÉÈÀÇÄÖÜÑ«»’‘“”–…°€ ãõìòåæø")
ASCII = bytes(range(0x80))
LEAST_USUAL = 0.5
DOUBLY = ("Ã", "Å", "â€", "Ä")  # what is left of UTF-8 that was once read as Windows-1252


def guess(data: bytes) -> tuple[str, str] | None:
    """The text and the name of its encoding, or None where the letters fit neither."""
    best = max(ENCODINGS, key=lambda encoding: _usual(data, encoding))
    if _usual(data, best) < LEAST_USUAL:
        return None
    return data.decode(best), best


def _usual(data: bytes, encoding: str) -> float:
    """Which share of the letters beyond ASCII are such as Western European texts have."""
    high = data.translate(None, ASCII).decode(encoding)
    words = data.decode(encoding)
    broken = sum(words.count(mark) * len(mark) for mark in DOUBLY)
    usual = sum(letter in USUAL for letter in high)
    return usual / max(1, len(high) - 3 * broken) if high else 0.0
