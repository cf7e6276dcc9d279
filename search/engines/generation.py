"""The folders of the embedded engine: a generation is one complete set of Whoosh indexes, one a shelf.

    gen-…/format.json      what the generation was made with; another format means rebuild
    gen-…/fr, es … games/  one Whoosh index each, so that each language has its own statistics

Called by `whoosh`, which knows which generation serves and who may write.

What experience with Whoosh (2.7.4 and its forks) forbids here: compound segments, one Searcher for two
threads, `refresh()`, opening an index without handing it the schema, AsyncWriter.
"""

import json
import logging
import math
import os
import secrets
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import itemgetter
from pathlib import Path
from typing import Any

from whoosh import columns, fields, scoring
from whoosh import index as whoosh_index
from whoosh.analysis import IDTokenizer
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.reading import SegmentReader

from search.documents import FIELDS, FORMAT, SHELVES
from search.engines import Entry, Held
from search.engines.kept import K1, B

logger = logging.getLogger(__name__)

SEGMENTS, SMALL_SEGMENT = 6, 50
"""So many segments alike in size are merged into one; what is smaller than so many entries is alike."""
BULK_MB, SINGLE_MB = 256, 32


def _schema() -> Any:
    """Values are lists of words: the analysers are never called."""
    texts = {
        field.name: fields.TEXT(analyzer=IDTokenizer(), phrase=field.has_positions, field_boost=field.weight)
        for field in FIELDS
    }
    return fields.Schema(
        id=fields.ID(unique=True, stored=True),
        game=fields.ID(stored=True),
        revision=fields.STORED(),
        # A column, not a stored field: those are compressed and pickled, a third of the time of a question.
        hit=fields.COLUMN(columns.VarBytesColumn()),
        **texts,
    )


SCHEMA = _schema()
WEIGHTING = scoring.BM25F(B=B, K1=K1)


class OpenedFile(StructFile):  # type: ignore[misc]
    """A file that is read here and there: Whoosh's own seeks and fills a buffer for some bytes each time."""

    def get(self, position: int, length: int) -> bytes:
        """So many bytes from there."""
        return os.pread(self.fileno(), length, position)


class TidyStorage(FileStorage):  # type: ignore[misc]
    """A folder of files that remembers what it has opened: Whoosh 2.7.4 leaves half of it open."""

    def __init__(self, folder: Path | str) -> None:
        super().__init__(str(folder))
        self.opened: list[Any] = []
        self.below: list[TidyStorage] = []

    def open_file(self, name: str, **options: Any) -> Any:
        """As Whoosh does, and remembered."""
        file = OpenedFile(super().open_file(name).raw_file(), name=name, **options)
        self.opened.append(file)
        return file

    def create_file(self, name: str, *options: Any, **named: Any) -> Any:
        """As Whoosh does, and remembered."""
        file = super().create_file(name, *options, **named)
        self.opened.append(file)
        return file

    def temp_storage(self, name: str | None = None) -> "TidyStorage":
        """A folder below, closed with this one."""
        below = TidyStorage(Path(self.folder) / (name or f"{secrets.token_hex(6)}.tmp"))
        below.create()
        self.below.append(below)
        return below

    def close_files(self) -> None:
        """Close whatever is still open."""
        while self.opened:
            file = self.opened.pop()
            if not file.is_closed:
                file.close()
        for below in self.below:
            below.close_files()


class Shelf:
    """One Whoosh index, opened by one thread for reading."""

    def __init__(self, folder: Path) -> None:
        self.storage = TidyStorage(folder)
        self._searcher: Any = None
        self._hits: list[tuple[int, Any]] = []
        self._look = 0
        # The schema is handed over: otherwise Whoosh unpickles the one on the disk.
        self.index = whoosh_index.FileIndex(self.storage, schema=SCHEMA)

    def searcher(self, look: int = 0) -> Any:
        """A searcher on the latest commit; within one `look` that has a number, on the commit first seen.

        Never `refresh()`: it goes on showing deleted entries.
        """
        is_seen = look != 0 and look == self._look
        if self._searcher is None or not (is_seen or self._searcher.up_to_date()):
            self.close()
            try:
                self._searcher = self.index.searcher(weighting=WEIGHTING)
            except BaseException:
                # What it opened before it failed is closed now: a traceback may hold it for long.
                self.storage.close_files()
                raise
        self._look = look
        return self._searcher

    def hit(self, number: int) -> tuple[str, int, int, str]:
        """Key, game, revision and payload of an entry that the searcher in use has found."""
        if not self._hits:
            leaves = self._searcher.reader().leaf_readers()
            self._hits = [(offset, r.column_reader("hit", translate=False)) for r, offset in leaves]
        offset, column = self._hits[bisect_right(self._hits, number, key=itemgetter(0)) - 1]
        head, _, payload = column[number - offset].decode().partition("\n")
        key, game, revision = head.split("\t")
        return key, int(game), int(revision), payload

    def close(self) -> None:
        """Let go of the searcher and its files."""
        self._hits = []
        if self._searcher is not None:
            self._searcher.close()
            self._searcher = None
        self.storage.close_files()

    def __del__(self) -> None:
        """A thread that ends closes what it had open."""
        self.close()


class Generation:
    """One folder of shelves, complete in itself."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.shelves = {shelf: Shelf(folder / shelf) for shelf in SHELVES}

    @classmethod
    def create(cls, folder: Path) -> "Generation":
        """A new, empty generation."""
        folder.mkdir(mode=0o700)
        for shelf in SHELVES:
            (folder / shelf).mkdir(mode=0o700)
            whoosh_index.create_in(str(folder / shelf), SCHEMA)
        (folder / "format.json").write_text(json.dumps(FORMAT), encoding="utf-8")
        return cls(folder)

    def stamp(self) -> str:
        """Changes with every commit on any shelf."""
        numbers = "-".join(str(shelf.index.latest_generation()) for shelf in self.shelves.values())
        return f"{self.folder.name}:{numbers}"

    def contents(self) -> Iterator[Held]:
        """Every entry, read from the disk."""
        for name, shelf in self.shelves.items():
            for _, stored in shelf.searcher().reader().iter_docs():
                yield Held(name, stored["id"], int(stored["game"]), stored["revision"])

    @contextmanager
    def writing(self) -> Iterator["GenerationWriter"]:
        """A writer of changes that counts when the block ends well."""
        writer = GenerationWriter(self)
        yield writer
        writer.commit()

    def fill(self, games: Iterable[tuple[int, Sequence[Entry]]]) -> None:
        """Write many games at once into an empty generation."""
        writers: dict[str, Any] = {}
        try:
            for _, entries in games:
                for entry in entries:
                    if entry.shelf not in writers:
                        writers[entry.shelf] = _open_writer(self.folder / entry.shelf, BULK_MB)
                    writers[entry.shelf].add_document(**_fields(entry))
            while writers:
                _commit(writers.popitem()[1])
        finally:
            for writer in writers.values():
                _cancel(writer)

    def close(self) -> None:
        """Let go of all files."""
        for shelf in self.shelves.values():
            shelf.close()


class GenerationWriter:
    """Collects whole games and writes them shelf by shelf, the shelf of records last.

    One commit over several shelves is not atomic; but a game's record, which carries its revision,
    only moves after its passages have, and whoever was interrupted does the game again.
    """

    def __init__(self, generation: Generation) -> None:
        self.generation = generation
        self.games: dict[int, list[Entry]] = {}

    def replace(self, game_id: int, entries: Iterable[Entry]) -> None:
        """Let exactly these entries stand for the game."""
        self.games[game_id] = list(entries)

    def commit(self) -> None:
        """Write what was collected."""
        for name in SHELVES:
            added = [e for entries in self.games.values() for e in entries if e.shelf == name]
            reader = self.generation.shelves[name].searcher().reader()
            gone = [game for game in self.games if reader.doc_frequency("game", str(game))]
            if added or gone:
                _write(self.generation.folder / name, gone, added)


def _fields(entry: Entry) -> dict[str, Any]:
    words = {name: list(texts) for name, texts in entry.words.items() if texts}
    return {
        "id": entry.key,
        "game": str(entry.game_id),
        "revision": entry.revision,
        "hit": f"{entry.key}\t{entry.game_id}\t{entry.revision}\n{entry.payload}".encode(),
        **words,
    }


def _open_writer(folder: Path, megabytes: int) -> Any:
    index = whoosh_index.FileIndex(TidyStorage(folder), schema=SCHEMA)
    # compound=False: a compound segment is read into memory by every searcher that opens it.
    return index.writer(limitmb=megabytes, compound=False)


def _write(folder: Path, gone: list[int], added: list[Entry]) -> None:
    writer = _open_writer(folder, SINGLE_MB)
    try:
        for game_id in gone:
            writer.delete_by_term("game", str(game_id))
        for entry in added:
            writer.add_document(**_fields(entry))
    except BaseException:
        _cancel(writer)
        raise
    _commit(writer)


def _merge_many(writer: Any, segments: list[Any]) -> list[Any]:
    """Merge segments that are alike in size once there are many: few open files, and large ones seldom wait
    for it. An edit adds a small one; merging it with all others each time would write the shelf anew."""
    alike = Counter(map(_size, segments))
    merged = [s for s in segments if alike[_size(s)] >= SEGMENTS]
    for segment in merged:
        reader = SegmentReader(writer.storage, writer.schema, segment)
        writer.add_reader(reader)
        reader.close()
    return [s for s in segments if s not in merged]


def _size(segment: Any) -> int:
    """The order of magnitude of what a segment holds, without what was deleted from it."""
    return int(math.log(max(segment.doc_count(), SMALL_SEGMENT) / SMALL_SEGMENT, SEGMENTS))


def _commit(writer: Any) -> None:
    """Commit, and free Whoosh's own lock if that fails: 2.7.4 keeps it until the process ends."""
    try:
        writer.commit(mergetype=_merge_many)
    except BaseException:
        _release(writer)
        raise
    finally:
        writer.storage.close_files()


def _cancel(writer: Any) -> None:
    try:
        writer.cancel()
    except Exception:
        logger.exception("A search index writer could not be cancelled.")
        _release(writer)
    finally:
        writer.storage.close_files()


def _release(writer: Any) -> None:
    lock, writer.writelock = writer.writelock, None
    if lock is not None:
        lock.release()
