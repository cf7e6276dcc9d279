"""What the embedded engine keeps in memory of one commit of a shelf, and the plain scoring done with it.

Most questions are "any of these words". Whoosh scores that posting by posting through layers of objects;
here the postings of a word are read once, scored as BM25, kept, and added up. The words of a language are
few and come again and again. Shared by all threads of a process: whatever two of them make twice is equal.
"""

import heapq
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from search.engines import Term

B, K1 = 0.6, 1.2
MOST_FREQUENCIES, MOST_POSTINGS, MOST_STORED = 100_000, 400_000, 500
"""What is kept a shelf, at most some 5 MB; beyond it all is dropped and gathered anew."""

Word = tuple[str, str]
"""A field and a text in it."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries that hold a word, by number, and what it adds to the score of each."""

    entries: "array[int]"
    scores: "array[float]"


@dataclass(slots=True)
class Kept:
    """What was read of one commit. The searchers handed in must show that commit."""

    frequencies: dict[Word, int] = field(default_factory=dict)
    postings: dict[Word, Postings] = field(default_factory=dict)
    norms: dict[str, dict[int, float]] = field(default_factory=dict)
    stored: dict[int, dict[str, Any]] = field(default_factory=dict)
    held: int = 0

    def frequency(self, searcher: Any, word: Word) -> int:
        """In how many entries a word occurs."""
        known = self.frequencies.get(word)
        if known is None:
            if len(self.frequencies) >= MOST_FREQUENCIES:
                self.frequencies.clear()
            known = self.frequencies[word] = int(searcher.reader().doc_frequency(*word))
        return known

    def best(self, searcher: Any, terms: Sequence[Term], limit: int) -> list[tuple[int, float]]:
        """The entries that hold any of the terms, the best first, with their scores."""
        scores: dict[int, float] = {}
        for term in terms:
            if not self.frequency(searcher, (term.field, term.text)):
                continue
            found = self._postings(searcher, (term.field, term.text))
            for entry, score in zip(found.entries, found.scores, strict=True):
                scores[entry] = scores.get(entry, 0.0) + term.boost * score
        return heapq.nsmallest(limit, scores.items(), key=lambda pair: (-pair[1], pair[0]))

    def entry(self, searcher: Any, number: int) -> dict[str, Any]:
        """What was stored with an entry."""
        known = self.stored.get(number)
        if known is None:
            if len(self.stored) >= MOST_STORED:
                self.stored.clear()
            known = self.stored[number] = searcher.stored_fields(number)
        return known

    def _postings(self, searcher: Any, word: Word) -> Postings:
        known = self.postings.get(word)
        if known is None:
            known = self._read(searcher, word)
            if self.held >= MOST_POSTINGS:
                self.postings.clear()
                self.held = 0
            self.postings[word] = known
            self.held += len(known.entries)
        return known

    def _read(self, searcher: Any, word: Word) -> Postings:
        """BM25 as Whoosh has it, over all segments."""
        name, text = word
        idf = searcher.idf(name, text)
        usual = searcher.avg_field_length(name) or 1.0
        norms = self.norms.setdefault(name, {})
        entries, scores = array("L"), array("d")
        raw = searcher.schema[name].to_bytes(text)
        for part, offset in searcher.leaf_searchers():
            reader = part.reader()
            matcher = reader.postings(name, raw) if (name, raw) in reader else None
            while matcher is not None and matcher.is_active():
                number, often = matcher.id(), matcher.weight()
                norm = norms.get(offset + number)
                if norm is None:
                    length = part.doc_field_length(number, name, 1)
                    norm = norms[offset + number] = K1 * (1 - B + B * length / usual)
                entries.append(offset + number)
                scores.append(idf * often * (K1 + 1) / (often + norm))
                matcher.next()
        return Postings(entries, scores)
