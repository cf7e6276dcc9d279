"""What the embedded engine keeps in memory of one commit of a shelf, and the plain scoring done with it.

Most questions are "any of these words". Whoosh scores that posting by posting through layers of objects;
here the postings of a word are read once, scored as BM25, kept, and added up. The words of a language are
few and come again and again. Shared by all threads of a process: whatever two of them make twice is equal.
"""

import heapq
import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from search.engines import Term

B, K1 = 0.6, 1.2
MOST_POSTINGS, MOST_STORED = 400_000, 500
"""What is kept a shelf, at most some 5 MB; beyond it all is dropped and gathered anew."""

Word = tuple[str, str]
"""A field and a text in it."""
Stored = tuple[str, int, int, str]
"""Key, game, revision and payload of an entry."""


@dataclass(frozen=True, slots=True)
class Postings:
    """The entries that hold a word, by number, and what it adds to the score of each."""

    entries: "array[int]"
    scores: "array[float]"


@dataclass(slots=True)
class Kept:
    """What was read of one commit. The searchers handed in must show that commit."""

    segments: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    vocabularies: dict[str, list[dict[str, int]]] = field(default_factory=dict)
    postings: dict[Word, Postings] = field(default_factory=dict)
    norms: dict[str, dict[int, float]] = field(default_factory=dict)
    lengths: dict[str, float] = field(default_factory=dict)
    stored: dict[int, Stored] = field(default_factory=dict)
    held: int = 0

    def after(self, searcher: Any) -> "Kept":
        """For the commit that came after: the words of the segments that are in both."""
        there = {_name(reader) for reader, _ in _leaves(searcher)}
        return Kept(segments={key: words for key, words in self.segments.items() if key[0] in there})

    def words(self, searcher: Any, name: str) -> list[dict[str, int]]:
        """The words of a field with their frequencies, by segment.

        Most words that are asked about stand nowhere, and Whoosh reads the disk for each, in every segment.
        A segment never changes: after an edit only a small one is read.
        """
        known = self.vocabularies.get(name)
        if known is None:
            known = [self._words_of(reader, name) for reader, _ in _leaves(searcher)]
            self.vocabularies[name] = known
        return known

    def _words_of(self, reader: Any, name: str) -> dict[str, int]:
        key = _name(reader), name
        if key not in self.segments:
            found = ((text.decode(), int(info.doc_frequency())) for text, info in reader.iter_field(name))
            self.segments[key] = dict(found)
        return self.segments[key]

    def frequency(self, searcher: Any, word: Word) -> int:
        """In how many entries a word occurs."""
        name, text = word
        return sum(words.get(text, 0) for words in self.words(searcher, name))

    def best(self, searcher: Any, terms: Sequence[Term], limit: int) -> list[tuple[int, float]]:
        """The entries that hold any of the terms, the best first, with their scores."""
        scores: dict[int, float] = {}
        for term in terms:
            if not self.frequency(searcher, (term.field, term.text)):
                continue
            found = self._postings(searcher, (term.field, term.text))
            for entry, score in zip(found.entries, found.scores, strict=True):
                scores[entry] = scores.get(entry, 0.0) + term.boost * score
        least = min(heapq.nlargest(limit, scores.values()), default=0.0)
        best = sorted((-score, entry) for entry, score in scores.items() if score >= least)
        return [(entry, -score) for score, entry in best[:limit]]

    def entry(self, read: Callable[[int], Stored], number: int) -> Stored:
        """What was stored with an entry."""
        known = self.stored.get(number)
        if known is None:
            if len(self.stored) >= MOST_STORED:
                self.stored.clear()
            known = self.stored[number] = read(number)
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
        idf = math.log(searcher.doc_count_all() / (self.frequency(searcher, word) + 1)) + 1
        norms = self.norms.setdefault(name, {})
        entries, scores = array("L"), array("d")
        for (reader, offset), words in zip(_leaves(searcher), self.words(searcher, name), strict=True):
            matcher = reader.postings(name, text) if text in words else None
            while matcher is not None and matcher.is_active():
                number, often = matcher.id(), matcher.weight()
                norm = norms.get(offset + number)
                if norm is None:
                    norm = norms[offset + number] = self._norm(searcher, name, reader, number)
                entries.append(offset + number)
                scores.append(idf * often * (K1 + 1) / (often + norm))
                matcher.next()
        return Postings(entries, scores)

    def _norm(self, searcher: Any, name: str, reader: Any, number: int) -> float:
        """What the length of a field in an entry does to the scores of its words."""
        if name not in self.lengths:
            self.lengths[name] = searcher.avg_field_length(name) or 1.0
        return K1 * (1 - B + B * float(reader.doc_field_length(number, name, 1)) / self.lengths[name])


def _leaves(searcher: Any) -> list[tuple[Any, int]]:
    """The readers of the segments, each with the number of its first entry; an empty index has none."""
    return [(r, offset) for r, offset in searcher.reader().leaf_readers() if r.segment() is not None]


def _name(reader: Any) -> str:
    return str(reader.segment().segment_id())
