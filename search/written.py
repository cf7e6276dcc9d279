"""Words with their places, written down as one text and looked up in it. Used by `ranking` alone.

Thousands of passages stand ready in memory. As a dictionary of lists, each would be hundreds of objects, and
Python, looking through all of them again and again for what it may forget, would spend more time on that
than on the whole search; one text it never looks into.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any


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
        return f"\n{word}\t" in self.text

    def get(self, word: str, default: Any = None) -> Any:
        """The places of a word, or `default`."""
        at = self.text.find(f"\n{word}\t")
        if at < 0:
            return default
        start = at + len(word) + 2
        return [int(place) for place in self.text[start : self.text.index("\n", start)].split(",")]

    def __getitem__(self, word: str) -> Sequence[int]:
        found: Sequence[int] | None = self.get(word)
        if found is None:
            raise KeyError(word)
        return found

    def __iter__(self) -> Iterator[str]:
        return (line.split("\t")[0] for line in self.text.split("\n") if line)

    def __len__(self) -> int:
        return self.text.count("\t")
