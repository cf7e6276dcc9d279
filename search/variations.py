"""A judged question as others would have typed it: without accents, in capitals, with slips of the thumb.

The right answer stays the same, so nothing is judged anew. Pure functions; what is random hangs on the
question's own words, so that a set gives the same slips on every machine. Called by `evaluation`.
"""

import re
import string
import unicodedata
from collections.abc import Callable
from enum import StrEnum
from random import Random

from catalogue.text import fold
from search.wordlists import word_list

LONG_ENOUGH = 5
"""Letters that a word needs to be misspelt: shorter ones become other words."""

WORD = re.compile(r"\w+")
UNCOMPOSED = str.maketrans({"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o", "Œ": "OE", "Æ": "AE", "Ø": "O"})
KEY_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class Variation(StrEnum):
    """A way to type the same question."""

    NO_ACCENTS = "no accents"
    CAPITALS = "capitals"
    APOSTROPHES = "typographic apostrophes"
    ONE_TYPO = "1 typo"
    TWO_TYPOS = "2 typos"


def varied(text: str, language: str, variation: Variation) -> str:
    """The question typed in that way, or "" where that would be the question itself."""
    match variation:
        case Variation.NO_ACCENTS:
            typed = without_accents(text)
        case Variation.CAPITALS:
            typed = text.upper()
        case Variation.APOSTROPHES:
            typed = text.replace("'", "’")
        case Variation.ONE_TYPO:
            typed = misspelt(text, language, 1)
        case Variation.TWO_TYPOS:
            typed = misspelt(text, language, 2)
    return "" if typed == text else typed


def without_accents(text: str) -> str:
    """Letters alone, as on a keyboard that has no others; case and marks between words stay."""
    letters = unicodedata.normalize("NFD", text.translate(UNCOMPOSED))
    return "".join(c for c in letters if not unicodedata.combining(c))


def misspelt(text: str, language: str, slips: int) -> str:
    """The text with a slip in each of so many of its content words, or "" where it has not so many."""
    words = [m for m in WORD.finditer(text) if _may_be_misspelt(m.group(), language)]
    if len(words) < slips:
        return ""
    # Seeded with the question: no clock and no place in the file decides which slip it gets.
    random = Random(f"{slips}:{text}")  # noqa: S311
    for word in sorted(random.sample(words, slips), key=lambda m: -m.start()):
        text = text[: word.start()] + _with_a_slip(word.group(), random) + text[word.end() :]
    return text


def _may_be_misspelt(word: str, language: str) -> bool:
    is_long = len(word) >= LONG_ENOUGH and word.isalpha()
    return is_long and fold(word) not in word_list(language).stop


def _with_a_slip(word: str, random: Random) -> str:
    """One letter left out, doubled, hit beside, put in, or swapped with the next: each as likely."""
    while True:
        slipped = random.choice(SLIPS)(word, random.randrange(len(word)), random)
        if slipped != word:
            return slipped


def _left_out(word: str, at: int, _random: Random) -> str:
    return word[:at] + word[at + 1 :]


def _doubled(word: str, at: int, _random: Random) -> str:
    return word[:at] + word[at] + word[at:]


def _hit_beside(word: str, at: int, random: Random) -> str:
    row = next((keys for keys in KEY_ROWS if fold(word[at]) in keys), string.ascii_lowercase)
    key = row.find(fold(word[at]))
    beside = row[max(0, key - 1) : key + 2] if key >= 0 else row
    return word[:at] + random.choice(beside) + word[at + 1 :]


def _put_in(word: str, at: int, random: Random) -> str:
    return word[:at] + random.choice(string.ascii_lowercase) + word[at:]


def _swapped(word: str, at: int, _random: Random) -> str:
    return word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]


SLIPS: tuple[Callable[[str, int, Random], str], ...] = (_left_out, _doubled, _hit_beside, _put_in, _swapped)
