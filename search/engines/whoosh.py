"""The embedded engine: Whoosh, one index folder a shelf.

    SEARCH_INDEX_DIR/        mode 0700: Whoosh unpickles its own files, so they are nobody else's
      write.lock             held by the one writer (flock: the kernel frees it when a process dies)
      rebuild.lock           held by the one rebuild
      current                the name of the serving generation, replaced atomically
      gen-…/                 a generation: see `generation`

This module knows which generation serves, who may write, and what each thread has open. Whoosh's
QueryParser is not used: what people type is read by `search.query`.
"""

import fcntl
import heapq
import json
import os
import secrets
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from whoosh import matching
from whoosh import query as whoosh_query

from search.documents import FORMAT, SHELVES
from search.engines import (
    AllOf,
    AnyOf,
    Busy,
    Entry,
    Except,
    Held,
    Hit,
    Phrase,
    Prefix,
    Rebuild,
    State,
    Term,
    Unreadable,
    Wanted,
    Writer,
)
from search.engines.generation import Generation, Shelf
from search.engines.kept import Kept

Read = TypeVar("Read")

PREFIX_SEEN, PREFIX_KEPT = 5_000, 64
WORDS_AGE_S = 60.0
LOOK_S = 0.05
"""A commit of another process is seen this much later at most: a question asks the engine a hundred times,
and each look at the disk costs as much as an answer."""


def open_engine(folder: str) -> "WhooshEngine":
    """The engine on an index folder, which need not exist yet."""
    return WhooshEngine(Path(folder))


class CappedPrefix(whoosh_query.Prefix):  # type: ignore[misc]
    """A prefix as one flat set of ids: Whoosh's own, over thousands of words, takes seconds."""

    def matcher(self, searcher: Any, context: Any = None) -> Any:  # noqa: ARG002
        reader = searcher.reader()
        texts = list(islice(reader.expand_prefix(self.fieldname, self.text), PREFIX_SEEN))
        kept = heapq.nlargest(PREFIX_KEPT, texts, key=lambda t: reader.doc_frequency(self.fieldname, t))
        ids: set[int] = set()
        for text in kept:
            ids.update(searcher.postings(self.fieldname, text, weighting=None).all_ids())
        return matching.ListMatcher(sorted(ids), all_weights=self.boost) if ids else matching.NullMatcher()


def _translate(wanted: Wanted) -> Any:
    match wanted:
        case Term(field, text, boost):
            return whoosh_query.Term(field, text, boost=boost)
        case Phrase(field, texts, boost):
            return whoosh_query.Phrase(field, list(texts), boost=boost)
        case Prefix(field, text, boost):
            return CappedPrefix(field, text, boost=boost)
        case AnyOf(parts):
            return whoosh_query.Or([_translate(p) for p in parts])
        case AllOf(parts):
            return whoosh_query.And([_translate(p) for p in parts])
        case Except(part, unwanted):
            return whoosh_query.AndNot(_translate(part), _translate(unwanted))


def _plain_terms(wanted: Wanted) -> tuple[Term, ...]:
    """The terms of "any of these words"; none where more is asked."""
    parts = wanted.parts if isinstance(wanted, AnyOf) else (wanted,)
    terms = tuple(part for part in parts if isinstance(part, Term))
    return terms if len(terms) == len(parts) else ()


def _searched(searcher: Any, wanted: Wanted, limit: int) -> list[tuple[int, float]]:
    # Skipping blocks by quality gains nothing with BM25F, and divides by the weight of a term.
    results = searcher.search(_translate(wanted), limit=limit, optimize=False)
    return [(hit.docnum, float(hit.score or 0.0)) for hit in results]


class View(threading.local):
    """What a thread sees of the index: a Searcher answers one thread only."""

    generation: Generation | None = None
    stamp = ""
    look = 0
    looked_at = 0.0
    commits = -1


class WhooshEngine:
    """The serving generation, the locks, and one searcher a thread, shelf and commit."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._view = View()
        self._commits = 0
        self._words: dict[tuple[str, str], tuple[float, str, Mapping[str, int]]] = {}
        self._kept: dict[str, tuple[str, Kept]] = {}

    # -- reading

    def state(self) -> State:
        """Whether the index can serve."""
        name = self._current_name()
        if not name:
            return State.MISSING
        folder = self.root / name
        try:
            made_with = json.loads((folder / "format.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return State.UNREADABLE
        if made_with != FORMAT:
            return State.OUTDATED
        if (folder / "damaged").exists():
            return State.UNREADABLE
        try:
            with self._reading():
                self._view.commits = -1
                for shelf in SHELVES:
                    self._searcher(shelf)
        except Unreadable:
            return State.UNREADABLE
        return State.READY

    def generation(self) -> str:
        """Changes with every commit and every rebuild."""

        def ask() -> str:
            opened = self._opened()
            self._view.stamp = self._view.stamp or opened.stamp()
            return self._view.stamp

        return self._read(ask)

    def find(self, shelf: str, wanted: Wanted, limit: int) -> list[Hit]:
        """The best entries of a shelf, best first."""
        terms = _plain_terms(wanted)

        def ask() -> list[Hit]:
            opened, searcher, kept = self._seen(shelf)
            best = kept.best(searcher, terms, limit) if terms else _searched(searcher, wanted, limit)
            entries = ((kept.entry(opened.hit, number), score) for number, score in best)
            return [Hit(key, game, made, score, payload) for (key, game, made, payload), score in entries]

        return self._read(ask)

    def size(self, shelf: str) -> int:
        """How many entries a shelf holds."""
        return self._read(lambda: int(self._searcher(shelf).doc_count()))

    def frequencies(self, shelf: str, field: str, texts: Iterable[str]) -> dict[str, int]:
        """In how many entries each text occurs."""
        asked = list(texts)

        def ask() -> dict[str, int]:
            _, searcher, kept = self._seen(shelf)
            parts = kept.words(searcher, field)
            return {text: sum(words.get(text, 0) for words in parts) for text in asked}

        return self._read(ask)

    def words(self, shelf: str, field: str) -> Mapping[str, int]:
        """All words of a field with their frequencies, read again at most once a minute."""
        return self._read(lambda: self._all_words(shelf, field))

    def _all_words(self, shelf: str, field: str) -> Mapping[str, int]:
        stamp, held = self._stamp(shelf), self._words.get((shelf, field))
        if held and (held[1] == stamp or time.monotonic() - held[0] < WORDS_AGE_S):
            return held[2]
        found: Counter[str] = Counter()
        _, searcher, kept = self._seen(shelf)
        for words in kept.words(searcher, field):
            found.update(words)
        self._words[(shelf, field)] = (time.monotonic(), stamp, found)
        return found

    def contents(self) -> Iterator[Held]:
        """Every entry of every shelf."""
        with self._reading():
            yield from self._opened().contents()

    def report_damage(self) -> None:
        """Leave a mark, so that the next `search sync` rebuilds."""
        folder = self.root / self._current_name()
        if folder != self.root and folder.exists():
            (folder / "damaged").touch()

    def _read(self, ask: Callable[[], Read]) -> Read:
        """What reading gives. Once more where a commit took files away that were yet to open."""
        try:
            return ask()
        except Exception:
            self._view.commits = -1
            with self._reading():
                return ask()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except (Busy, Unreadable):
            raise
        except Exception as error:
            # A torn file shows itself as nearly any exception: unpickling, struct, index, key, OS errors.
            raise Unreadable(f"{type(error).__name__}: {error}") from error

    def _current_name(self) -> str:
        try:
            return (self.root / "current").read_text(encoding="ascii").strip()
        except OSError:
            return ""

    def _opened(self) -> Generation:
        """The serving generation as this thread has it open, looked for again every few milliseconds."""
        view, now = self._view, time.monotonic()
        if view.generation and view.commits == self._commits and now - view.looked_at < LOOK_S:
            return view.generation
        view.commits, view.looked_at, view.stamp = self._commits, now, ""
        view.look += 1
        name = self._current_name()
        if not name:
            raise Unreadable("There is no index yet.")
        held = view.generation
        if held is not None and held.folder.name == name:
            return held
        view.generation = opened = Generation(self.root / name)
        if held is not None:
            held.close()
        return opened

    def _searcher(self, shelf: str) -> Any:
        return self._opened().shelves[shelf].searcher(self._view.look)

    def _stamp(self, shelf: str) -> str:
        """Changes with every commit on a shelf."""
        return f"{self._opened().folder.name}:{self._searcher(shelf).reader().generation()}"

    def _seen(self, shelf: str) -> tuple[Shelf, Any, Kept]:
        """A shelf as this thread sees it, its searcher, and what is kept of that very commit."""
        generation = self._opened()
        opened = generation.shelves[shelf]
        searcher = opened.searcher(self._view.look)
        stamp, held = f"{generation.folder.name}:{searcher.reader().generation()}", self._kept.get(shelf)
        if held is None or held[0] != stamp:
            held = self._kept[shelf] = (stamp, held[1].after(searcher) if held else Kept())
        return opened, searcher, held[1]

    # -- writing

    @contextmanager
    def writer(self) -> Iterator[Writer]:
        """The one writer on the serving generation. Raises Busy, or Unreadable."""
        # Closed here and not when memory is tidied up: after an error that may be late and in any order.
        with (
            self._locked("write.lock", wait=False),
            closing(self._opened_for_writing()) as opened,
            opened.writing() as writer,
        ):
            yield writer
        self._commits += 1

    @contextmanager
    def rebuild(self) -> Iterator[Rebuild]:
        """A new generation; thrown away unless it has taken over."""
        with self._locked("rebuild.lock", wait=False):
            self._sweep()
            made = Generation.create(self.root / f"gen-{secrets.token_hex(6)}")
            try:
                yield _Rebuild(self, made)
            finally:
                made.close()
                if self._current_name() != made.folder.name:
                    shutil.rmtree(made.folder, ignore_errors=True)

    def take_over(self, made: Generation, catch_up: Callable[[Iterable[Held], Writer], None]) -> None:
        """Serve from `made`, brought up to date while no other writer can write."""
        with self._locked("write.lock", wait=True):
            with made.writing() as writer:
                catch_up(made.contents(), writer)
            pointer = self.root / "current.new"
            with pointer.open("w", encoding="ascii") as file:
                file.write(made.folder.name)
                file.flush()
                os.fsync(file.fileno())
            pointer.replace(self.root / "current")
        self._commits += 1

    def _opened_for_writing(self) -> Generation:
        with self._reading():
            name = self._current_name()
            if not name:
                raise Unreadable("There is no index yet.")
            return Generation(self.root / name)

    @contextmanager
    def _locked(self, name: str, *, wait: bool) -> Iterator[None]:
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.root.chmod(0o700)
        with (self.root / name).open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise Busy(name) from error
            yield

    def _sweep(self) -> None:
        """Remove generations that serve no more, as a killed rebuild leaves them.

        The one that serves stays, and so does what its readers have open: deleted files live on
        until they are closed, and a reader that misses one opens the generation that serves now.
        """
        serving = self._current_name()
        for folder in self.root.glob("gen-*"):
            if folder.name != serving:
                shutil.rmtree(folder, ignore_errors=True)


class _Rebuild:
    """An index in the making."""

    def __init__(self, engine: WhooshEngine, made: Generation) -> None:
        self._engine = engine
        self._made = made

    def fill(self, games: Iterable[tuple[int, Sequence[Entry]]]) -> None:
        """Write the entries of all games."""
        self._made.fill(games)

    def take_over(self, catch_up: Callable[[Iterable[Held], Writer], None]) -> None:
        """Serve from here."""
        self._engine.take_over(self._made, catch_up)
