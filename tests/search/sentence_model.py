"""Sentence models for tests: one that knows two meanings, and broken ones."""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

from catalogue.text import fold
from search.sentences import Missing

MEANINGS = ({"hibou", "zibbel"}, {"marchandises", "morrup"})
"""Words of one meaning; the second ones stand in no glossary."""


class Meanings:
    """How often each meaning is said; deterministic, and blind to all other words."""

    size = len(MEANINGS) + 1
    embedded: list[str] = []  # noqa: RUF012 - shared on purpose: tests count what was computed

    def version(self) -> str:
        """A version of its own."""
        return "meanings-1"

    def embed(self, texts: Sequence[str]) -> NDArray[numpy.float32]:
        """One row a text."""
        self.embedded.extend(texts)
        rows = [[0.01, *(self._said(meaning, text) for meaning in MEANINGS)] for text in texts]
        vectors = numpy.array(rows, dtype=numpy.float32)
        lengths: NDArray[numpy.float32] = numpy.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / lengths

    def _said(self, meaning: set[str], text: str) -> int:
        words = fold(text).replace(".", " ").replace(",", " ").replace("?", " ").split()
        return sum(word in meaning for word in words)


class NotInstalled(Meanings):
    """A model whose package is missing."""

    def version(self) -> str:
        """None."""
        raise Missing("a-package")


class Broken(Meanings):
    """A model that this machine cannot run."""

    def embed(self, texts: Sequence[str]) -> NDArray[numpy.float32]:
        """Fails."""
        raise RuntimeError(f"this processor lacks something for {len(texts)} texts")
