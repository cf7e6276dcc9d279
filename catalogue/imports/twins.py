"""What earlier records of a batch have named, so that two records of one game are seen as such beforehand.

Kept in a private file of SQLite's that vanishes with the object: memory stays flat however many records
there are. Nothing of it is needed for applying, when earlier records are in the catalogue themselves.
"""

import sqlite3
from collections.abc import Callable, Iterable
from typing import TypeVar

from catalogue.draft import RecordDraft
from catalogue.imports.matching import Candidate, of_draft, of_record
from catalogue.imports.shelf import Shelf
from catalogue.text import name_key

TABLES = (
    "CREATE TABLE mark (word TEXT, position INTEGER, game INTEGER)",
    "CREATE INDEX by_word ON mark (word)",
    "CREATE TABLE said (key TEXT PRIMARY KEY, words TEXT, position INTEGER) WITHOUT ROWID",
)
Found = TypeVar("Found")


class Twins:
    """The games that records of this batch will make, or have found, as a source of candidates.

    `drafted` gives the draft of the record at a position.
    """

    def __init__(self, drafted: Callable[[int], RecordDraft]) -> None:
        self._drafted = drafted
        self._shelf = Shelf()
        self._marks = sqlite3.connect("", isolation_level=None)
        for table in TABLES:
            self._marks.execute(table)

    def draft(self, position: int) -> RecordDraft:
        """The record at a position."""
        return self._drafted(position)

    def close(self) -> None:
        """Let the file go."""
        self._marks.close()

    def said_before(self, draft: RecordDraft, words: str, position: int) -> tuple[str, int] | None:
        """Words and position of the first record with the same key; None where this is the first."""
        found = self._marks.execute("SELECT words, position FROM said WHERE key = ?", [draft.key]).fetchone()
        if found is None:
            self._marks.execute("INSERT INTO said VALUES (?, ?, ?)", [draft.key, words, position])
            return None
        return str(found[0]), int(found[1])

    def remember(self, draft: RecordDraft, *, position: int | None, game: int | None) -> None:
        """That `draft` means the game of the catalogue, or the one that the record at `position` makes."""
        rows = [(word, position, game) for word in _marks(draft)]
        self._marks.executemany("INSERT INTO mark VALUES (?, ?, ?)", rows)

    def with_barcodes(self, barcodes: Iterable[str]) -> list[Candidate]:
        """Games of which a box carries one of the labels."""
        return self._marked(f"box {code}" for code in barcodes)

    def with_gtins(self, gtins: Iterable[str]) -> list[Candidate]:
        """Games with one of the product codes."""
        return self._marked(f"code {gtin}" for gtin in gtins)

    def titled(self, key: str) -> list[Candidate]:
        """Games whose title has this key."""
        return self._marked([f"title {key}"])

    def named(self, keys: Iterable[str]) -> list[Candidate]:
        """Games of which any title has one of the keys."""
        return self._marked(f"name {key}" for key in keys)

    def run_together(self, word: str) -> list[Candidate]:
        """Games of which a title, its blanks left out, is this word."""
        return self._marked([f"word {word}"])

    def with_texts(self, keys: Iterable[str]) -> list[Candidate]:  # noqa: ARG002 - asked of every source
        """None: a text said twice is the same record said twice."""
        return []

    def with_keys(self, keys: Iterable[str]) -> list[Candidate]:
        """Games brought by a source of one of the keys; one that ends in ":" is a beginning."""
        return self._marked(f"key {key}" for key in keys)

    def _marked(self, words: Iterable[str]) -> list[Candidate]:
        found: dict[tuple[int | None, int | None], None] = {}
        for word in words:
            rows = self._marks.execute("SELECT position, game FROM mark WHERE word = ?", [word])
            found |= dict.fromkeys((position, game) for position, game in rows)
        games = self._shelf.games(game for _, game in found if game is not None)
        new = [of_record(self.draft(at), at) for at, _ in found if at is not None]
        return games + new


class Both:
    """The catalogue first, then the batch, each game once."""

    def __init__(self, shelf: Shelf, twins: Twins) -> None:
        self._sources = (shelf, twins)

    def with_barcodes(self, barcodes: Iterable[str]) -> list[Candidate]:
        """Games of which a box carries one of the labels."""
        codes = list(barcodes)
        return _once(source.with_barcodes(codes) for source in self._sources)

    def with_gtins(self, gtins: Iterable[str]) -> list[Candidate]:
        """Games with one of the product codes."""
        codes = list(gtins)
        return _once(source.with_gtins(codes) for source in self._sources)

    def titled(self, key: str) -> list[Candidate]:
        """Games whose title has this key."""
        return _once(source.titled(key) for source in self._sources)

    def named(self, keys: Iterable[str]) -> list[Candidate]:
        """Games of which any title has one of the keys."""
        names = list(keys)
        return _once(source.named(names) for source in self._sources)

    def run_together(self, word: str) -> list[Candidate]:
        """Games of which a title, its blanks left out, is this word."""
        return _once(source.run_together(word) for source in self._sources)

    def with_texts(self, keys: Iterable[str]) -> list[Candidate]:
        """Games that have a rules text of one of the source keys."""
        names = list(keys)
        return _once(source.with_texts(names) for source in self._sources)

    def with_keys(self, keys: Iterable[str]) -> list[Candidate]:
        """Games brought by a source of one of the keys; one that ends in ":" is a beginning."""
        asked = list(keys)
        return _once(source.with_keys(asked) for source in self._sources)


def _once(lists: Iterable[list[Candidate]]) -> list[Candidate]:
    return list({found.identity: found for part in lists for found in part}.values())


def _marks(draft: RecordDraft) -> set[str]:
    said = of_draft(draft.game, 0)
    words = {f"box {box.barcode}" for box in draft.copies}
    words |= {f"code {gtin}" for gtin in said.gtins}
    words |= {f"name {name}" for name in said.titles}
    words |= {f"key {key}" for key in _beginnings(draft.key)}
    whole = {name_key(title) for title in (draft.game.title, *draft.game.alternative_titles)}
    words |= {f"word {name.replace(' ', '')}" for name in whole}
    return words | {f"title {said.title_key}"}


def _beginnings(key: str) -> set[str]:
    """`bgg:421:table:x` -> itself, `bgg:421:table:` and `bgg:421:`, by which other sources may ask for it."""
    parts = key.split(":")
    return {key} | {":".join(parts[:length]) + ":" for length in range(2, len(parts))}
