"""Words with their places, written down as one text and looked up in it. Used by `ranking` alone.

Thousands of passages stand ready in memory. As a dictionary of lists, each would be hundreds of objects, and
Python, looking through all of them again and again for what it may forget, would spend more time on that
than on the whole search; one text it never looks into.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


def line_of(word: str) -> str:
    """What the line of a word begins with, the line break before it included."""
    return f"\n{word}\t"


def places_at(line: str, text: str) -> list[int]:
    """The places behind the beginning of a line that the text has."""
    start = text.index(line) + len(line)
    return [int(place) for place in text[start : text.index("\n", start)].split(",")]


class Written(Mapping[str, Sequence[int]]):
    """A line a word: the word, a tab, its places with commas between; a line break before and after each.

    No word has a tab or a line break in it.
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def of(cls, places: Mapping[str, Sequence[int]]) -> "Written":
        """The same, written down."""
        lines = (f"{word}\t{','.join(map(str, found))}\n" for word, found in places.items())
        return cls("\n" + "".join(lines))

    def __contains__(self, word: object) -> bool:
        return line_of(str(word)) in self.text

    def get(self, word: str, default: Any = None) -> Any:
        """The places of a word, or `default`."""
        return places_at(line_of(word), self.text) if word in self else default

    def __getitem__(self, word: str) -> Sequence[int]:
        found: Sequence[int] | None = self.get(word)
        if found is None:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return (line.split("\t")[0] for line in self.text.split("\n") if line)

    def __len__(self) -> int:
        return self.text.count("\t")
