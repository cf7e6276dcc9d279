"""The vectors of passages, kept in files beside the index: a cache that can be deleted at any time.

A row is found by the hash of the text that it stands for, so nothing in it can be stale, and a rebuild
computes only what is new. Files are written beside and renamed, and never changed: many processes read and
write at once without a lock, and whoever is killed leaves at most an unfinished file that nobody reads.
Called by `semantic`.
"""

import logging
import os
import secrets
import threading
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

logger = logging.getLogger(__name__)

Vector = NDArray[numpy.float32]

MOST_FILES = 16
"""With more than these, they are written together into one."""
KEY_BYTES = 16


def key(text: str) -> bytes:
    """Under which the vector of a text is kept."""
    # A last byte that is not zero: numpy cuts zeros off the end of bytes.
    return blake2b(text.encode(), digest_size=KEY_BYTES - 1).digest() + b"."


@dataclass(frozen=True, slots=True)
class Opened:
    """The files as they were looked at, mapped into memory, and where each key stands."""

    names: frozenset[str]
    parts: tuple[NDArray[Any], ...]
    places: Mapping[bytes, tuple[int, int]]


class Vectors:
    """The cache of one model in one folder."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder = folder
        self._row = numpy.dtype([("key", f"S{KEY_BYTES}"), ("vector", "<f4", (size,))])
        self._opened = Opened(frozenset(), (), {})
        self._lock = threading.Lock()

    def names(self) -> frozenset[str]:
        """The files that there are now."""
        try:
            return frozenset(name for name in os.listdir(self.folder) if name.endswith(".npy"))  # noqa: PTH208
        except FileNotFoundError:
            return frozenset()

    def of(self, keys: Sequence[bytes]) -> list[Vector | None]:
        """The vectors of these texts, None for each that is not known."""
        held = self._now()
        places = (held.places.get(k) for k in keys)
        return [held.parts[p[0]]["vector"][p[1]] if p else None for p in places]

    def missing(self, keys: Sequence[bytes]) -> list[bytes]:
        """Those of the keys that have no vector yet, each once."""
        held = self._now().places
        return [k for k in dict.fromkeys(keys) if k not in held]

    def add(self, keys: Sequence[bytes], vectors: Vector) -> None:
        """Keep vectors, one for each key."""
        rows = numpy.empty(len(keys), self._row)
        rows["key"], rows["vector"] = keys, vectors
        self._write(rows)
        if len(self.names()) > MOST_FILES:
            self._replace(self._now(), None)

    def forget(self, names: Set[str], but: Set[bytes]) -> None:
        """Drop from the named files every vector but those."""
        held = self._now()
        kept = [(n, p) for n, p in zip(sorted(held.names), held.parts, strict=True) if n in names]
        self._replace(Opened(frozenset(n for n, _ in kept), tuple(p for _, p in kept), {}), but)

    # -- files

    def _now(self) -> Opened:
        with self._lock:
            names = self.names()
            if names != self._opened.names:
                self._opened = self._open(names)
            return self._opened

    def _open(self, names: Set[str]) -> Opened:
        found = {name: part for name in sorted(names) if (part := self._part(name)) is not None}
        places = {
            bytes(k): (i, j) for i, part in enumerate(found.values()) for j, k in enumerate(part["key"])
        }
        return Opened(frozenset(found), tuple(found.values()), places)

    def _part(self, name: str) -> NDArray[Any] | None:
        """One file; None if it has just been written together with others, or is torn."""
        try:
            part = numpy.load(self.folder / name, mmap_mode="r", allow_pickle=False)
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            logger.warning("Vectors in %s cannot be read (%s) and are dropped.", name, error)
            (self.folder / name).unlink(missing_ok=True)
            return None
        return part if part.dtype == self._row else None

    def _write(self, rows: NDArray[Any]) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        made = self.folder / f"{secrets.token_hex(8)}.npy"
        beside = made.with_suffix(".new")
        with beside.open("wb") as file:
            numpy.save(file, rows, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(made)

    def _replace(self, held: Opened, but: Set[bytes] | None) -> None:
        """One file instead of several. Whoever has them open reads on in the old ones."""
        if held.parts:
            rows = numpy.concatenate(held.parts)
            _, first = numpy.unique(rows["key"], return_index=True)
            kept = [i for i in first if but is None or bytes(rows["key"][i]) in but]
            self._write(rows[kept])
        for name in held.names:
            (self.folder / name).unlink(missing_ok=True)
