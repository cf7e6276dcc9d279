"""What search asks of an engine: the `Engine` protocol, its query tree and its documents.

Engines know words and ids, not games or languages: analysis happens before them, so that every engine
finds the same. An index is a shadow of the database; nothing stands in it alone.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Protocol

from django.conf import settings


class Busy(Exception):
    """Another thread or process is writing; it will look at the outbox again before it ends."""


class Unreadable(Exception):
    """The index cannot be read. It stays where it is until a new one stands beside it."""


class State(StrEnum):
    """What a look at the index says."""

    READY = "ready"
    MISSING = "missing"
    OUTDATED = "outdated"  # of another schema, analysis or glossary
    UNREADABLE = "unreadable"


# --- documents ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """One document of one shelf: its words by field, and what to hand back with a hit.

    `key` is unique within the shelf. `revision` is the game's when the entry was made.
    """

    shelf: str
    key: str
    game_id: int
    revision: int
    words: Mapping[str, Sequence[str]]
    payload: str


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that was found. Scores compare within one shelf and query only."""

    key: str
    game_id: int
    revision: int
    score: float
    payload: str


@dataclass(frozen=True, slots=True)
class Held:
    """What `contents` says of an entry: enough to verify an index against the database."""

    shelf: str
    key: str
    game_id: int
    revision: int


# --- the query tree ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Term:
    """A word as it stands in the field."""

    field: str
    text: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a field with positions, one behind the other."""

    field: str
    texts: tuple[str, ...]
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class Prefix:
    """The most frequent words of a field that begin so; all count alike."""

    field: str
    text: str
    boost: float = 1.0


@dataclass(frozen=True, slots=True)
class AnyOf:
    """One of the parts or several; scores add up."""

    parts: tuple["Wanted", ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Every part; scores add up."""

    parts: tuple["Wanted", ...]


@dataclass(frozen=True, slots=True)
class Except:
    """What fits the first part and not the second."""

    part: "Wanted"
    unwanted: "Wanted"


Wanted = Term | Phrase | Prefix | AnyOf | AllOf | Except


# --- the engine --------------------------------------------------------------------------------


class Writer(Protocol):
    """Takes changes; all of them count when the context that gave it ends well, none otherwise."""

    def replace(self, game_id: int, entries: Iterable[Entry]) -> None:
        """Let exactly these entries stand for the game; none drops it."""


class Rebuild(Protocol):
    """An index in the making, beside the one that serves."""

    def fill(self, games: Iterable[tuple[int, Sequence[Entry]]]) -> None:
        """Write the entries of all games."""

    def take_over(self, catch_up: Callable[[Iterable[Held], Writer], None]) -> None:
        """Keep other writers out, let `catch_up` repair what changed meanwhile, then serve from here."""


class Engine(Protocol):
    """A full-text engine. `find`, `frequencies` and `words` raise `Unreadable`."""

    def state(self) -> State:
        """Whether the index can serve, found without reading all of it."""

    def generation(self) -> str:
        """Changes whenever anything in the index has changed: a key for caches."""

    def find(self, shelf: str, wanted: Wanted, limit: int) -> list[Hit]:
        """The best `limit` entries of a shelf, best first."""

    def size(self, shelf: str) -> int:
        """How many entries a shelf holds."""

    def frequencies(self, shelf: str, field: str, texts: Iterable[str]) -> dict[str, int]:
        """In how many entries each text occurs (deleted ones may still count for a while)."""

    def words(self, shelf: str, field: str) -> Mapping[str, int]:
        """All words of a field with their frequencies; may be a minute old."""

    def contents(self) -> Iterator[Held]:
        """Every entry of every shelf."""

    def report_damage(self) -> None:
        """Note that reading failed, so that `state` says so from now on."""

    def writer(self) -> AbstractContextManager[Writer]:
        """The one writer. Raises Busy at once where another holds it."""

    def rebuild(self) -> AbstractContextManager[Rebuild]:
        """A new index beside the old. Raises Busy where another rebuild is under way."""


def get_engine() -> Engine:
    """The engine that the settings name, on the folder that they name."""
    return _engine(settings.SEARCH_ENGINE, str(settings.SEARCH_INDEX_DIR))


@cache
def _engine(name: str, folder: str) -> Engine:
    engine: Engine = import_module(f"search.engines.{name}").open_engine(folder)
    return engine
