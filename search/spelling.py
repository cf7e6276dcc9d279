"""Repairs typing errors against words that really occur; numbers are never touched.

Optimal string alignment: a swapped pair is one error. One error from 4 letters, two from 8.
Called by `find` and `titles`.
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

from rapidfuzz.distance import OSA
from rapidfuzz.process import extract_iter

ONE_ERROR, TWO_ERRORS = 4, 8
FIRST_LETTER = 6
"""Shorter words are not repaired in their first letter: "haie" is hardly a mistyped "paie"."""
MEANT = 3
"""So many equally near words are taken for the one that was meant."""
DOUBLED = re.compile(r"([a-z])\1")


def allowed_errors(word: str) -> int:
    """How many errors a word of this length may have; none where digits are in it."""
    if any(c.isdigit() for c in word) or len(word) < ONE_ERROR:
        return 0
    return 1 if len(word) < TWO_ERRORS else 2


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Folded words with their frequencies, laid out for look-up of near words."""

    counts: Mapping[str, int]
    _by_length: dict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    _by_single_letters: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, counts: Mapping[str, int]) -> "Vocabulary":
        """A vocabulary of these words."""
        made = cls(counts)
        for word in counts:
            made._by_length[len(word)].append(word)
            made._by_single_letters[_undoubled(word)].append(word)
        return made

    def near(self, word: str, errors: int) -> list[tuple[int, str]]:
        """The words at most so many errors away, as (weight, word), the likeliest first.

        An error in the first letter counts double: people seldom miss it.
        """
        found = []
        for length in range(len(word) - errors, len(word) + errors + 1):
            bucket = self._by_length.get(length, ())
            for other, distance, _place in extract_iter(
                word, bucket, scorer=OSA.distance, score_cutoff=errors
            ):
                found.append((2 * int(distance) + (other[0] != word[0]), other))
        # Doubled letters are what people misspell most: "charete" is one slip, however many letters it lacks.
        found += [(1, other) for other in self._by_single_letters.get(_undoubled(word), ()) if other != word]
        return sorted(found, key=lambda pair: (pair[0], -self.counts[pair[1]], pair[1]))

    def repairs(self, word: str) -> tuple[str, ...]:
        """The words that were probably meant, all equally near, the likeliest first."""
        errors = allowed_errors(word)
        near = self.near(word, errors) if errors else []
        if len(word) < FIRST_LETTER:
            near = [(weight, other) for weight, other in near if other[0] == word[0]]
        best = [other for weight, other in near if weight == near[0][0]]
        return tuple(dict.fromkeys(best))[:MEANT]

    def repaired(self, word: str) -> str:
        """The likeliest word that was meant, or "" where none is near."""
        return next(iter(self.repairs(word)), "")


_kept: dict[str, tuple[Mapping[str, int], Vocabulary]] = {}


def kept_vocabulary(name: str, counts: Mapping[str, int]) -> Vocabulary:
    """The vocabulary of these words, laid out once for as long as the very same mapping is handed in."""
    held = _kept.get(name)
    if held is None or held[0] is not counts:
        held = _kept[name] = (counts, Vocabulary.of(counts))
    return held[1]


def _undoubled(word: str) -> str:
    return DOUBLED.sub(r"\1", word)
