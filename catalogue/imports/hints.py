"""What a reader is told besides the text: plain values from the command line and the file's name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hints:
    """`language` (BCP 47, or empty) is said by the caller for texts that do not say theirs."""

    file: str = ""
    language: str = ""
