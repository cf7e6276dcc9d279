"""How a number is made: a prefix, a counter of fixed width, and a check character of our own.

Pure. The check characters are those of ISO/IEC 7064: MOD 11,10 (a digit, for numbers of digits alone) and
MOD 37,36 (a letter or a digit). Both notice every single wrong character and nearly every exchange of two
neighbours, so that a label read wrong does not become another box.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

DIGITS = "0123456789"
CHARACTERS = DIGITS + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PREFIX = re.compile(r"[0-9A-Z]{0,6}")
FEWEST_DIGITS, MOST_DIGITS = 3, 10


class Check(StrEnum):
    """What stands at the end of a number."""

    NONE = "none"
    DIGIT = "digit"
    CHARACTER = "character"


class Reading(StrEnum):
    """What a scanned code is to a pattern."""

    OURS = "ours"
    MISREAD = "misread"
    FOREIGN = "foreign"


@dataclass(frozen=True, slots=True)
class Pattern:
    """Raises ValueError for what no scanner could be trusted with: see `__post_init__`."""

    prefix: str
    digits: int
    check: Check

    def __post_init__(self) -> None:
        if not PREFIX.fullmatch(self.prefix):
            raise ValueError("A prefix has at most six letters A to Z or digits.")
        if not FEWEST_DIGITS <= self.digits <= MOST_DIGITS:
            raise ValueError("A counter has three to ten digits.")
        if self.check == Check.DIGIT and not set(self.prefix) <= set(DIGITS):
            raise ValueError("A check digit needs a prefix of digits.")

    @property
    def last(self) -> int:
        """The highest counter that fits."""
        return int("9" * self.digits)

    def number(self, counter: int) -> str:
        """The whole number on the label."""
        body = f"{self.prefix}{counter:0{self.digits}}"
        return body + check_character(body, self.check)

    def read(self, code: str) -> Reading:
        """Whether a code may be one of ours, looks like one that was read wrong, or is another thing."""
        tail = {Check.NONE: "", Check.DIGIT: r"\d", Check.CHARACTER: "[0-9A-Z]"}[self.check]
        shape = re.compile(rf"{self.prefix}\d{{{self.digits}}}{tail}", re.ASCII)
        if not shape.fullmatch(code):
            return Reading.FOREIGN
        holds = self.check == Check.NONE or check_character(code[:-1], self.check) == code[-1]
        return Reading.OURS if holds else Reading.MISREAD


def check_character(body: str, check: Check) -> str:
    """The check character of `body` under ISO/IEC 7064, hybrid systems; "" where there is none."""
    if check == Check.NONE:
        return ""
    alphabet = DIGITS if check == Check.DIGIT else CHARACTERS
    modulus = len(alphabet)
    rest = modulus
    for character in body:
        rest = (rest + alphabet.index(character)) % modulus or modulus
        rest = rest * 2 % (modulus + 1)
    return alphabet[(modulus + 1 - rest) % modulus]
