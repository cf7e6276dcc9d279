"""What else in the texts a word may mean: slips of the pen, words that begin alike, parts of a compound.

None of it is sure, so all of it is worth less than a form of the word itself. Called by `find`.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from search.analysis import COMPOUNDING, OTHER, compound_parts, forms
from search.common import ranks
from search.concepts import CollectionWords, known_stems
from search.engines import Engine
from search.questions import Question
from search.ranking import Form, Level
from search.spelling import MEANT, ONE_ERROR, Vocabulary
from search.wordlists import LANGUAGES

MISSPELT, ALIKE, PART = 0.55, 0.4, 0.5
"""What it is worth to meet a slip, a word that begins alike, a part of a compound, for the word itself."""
RARE = 2
"""So few passages have a slip; an index counts what was replaced a moment ago as well."""
BEGINNING, SHARE = 5, 0.6
"""Two words begin alike from so many letters on, and so much of the longer one."""


def with_nearby(engine: Engine, question: Question) -> Question:
    """The question with what its words may be in the texts of its language."""
    shelf = question.language if question.language in LANGUAGES else OTHER
    words = kept_words(shelf, engine.words(shelf, "fold"))
    typed = [question.words[place].fold for place in question.content]
    nearby = {word: tuple(words.nearby(word)) for word in typed if _is_long(word)}
    return replace(question, nearby={word: found for word, found in nearby.items() if found})


def _is_long(word: str) -> bool:
    return len(word) > ONE_ERROR and not any(c.isdigit() for c in word)


@dataclass(frozen=True, slots=True)
class ShelfWords:
    """The words of one language's texts, laid out for looking around in them."""

    shelf: str
    counts: Mapping[str, int]
    in_order: Sequence[str]
    odd: Vocabulary

    def nearby(self, word: str) -> Iterator[Form]:
        """What may stand for the word, besides its own forms."""
        own = set(forms(word, self.shelf)[2])
        for _, other in self.odd.near(word, 1)[:MEANT]:
            yield Form(Level.FOLD, other, MISSPELT)
        for other in self._alike(word):
            if own.isdisjoint(forms(other, self.shelf)[2]):
                yield Form(Level.FOLD, other, ALIKE)
        if self.shelf in COMPOUNDING:
            for part in compound_parts(word, self.shelf, CollectionWords(self.shelf, self.counts)):
                yield from (Form(Level.STEM, stem, PART) for stem in forms(part, self.shelf)[2])

    def _alike(self, word: str) -> Iterator[str]:
        beginning = word[: max(BEGINNING, round(SHARE * len(word)))]
        at = bisect_left(self.in_order, beginning)
        while at < len(self.in_order) and self.in_order[at].startswith(beginning):
            other = self.in_order[at]
            if other != word and len(beginning) >= SHARE * len(other):
                yield other
            at += 1


_kept: dict[str, ShelfWords] = {}


def kept_words(shelf: str, counts: Mapping[str, int]) -> ShelfWords:
    """The words laid out, once for as long as the very same mapping is handed in."""
    held = _kept.get(shelf)
    if held is None or held.counts is not counts:
        held = _kept[shelf] = ShelfWords(shelf, counts, sorted(counts), _oddities(shelf, counts))
    return held


def _oddities(shelf: str, counts: Mapping[str, int]) -> Vocabulary:
    """The words that may be slips: rare in the texts, rare in the language, and without kin."""
    stems = Counter(stem for word in counts for stem in set(forms(word, shelf)[2]))
    known, common = known_stems(shelf), ranks(shelf)
    alone = (
        w for w, n in counts.items() if n <= RARE and w not in common and _is_alone(w, shelf, stems, known)
    )
    return Vocabulary.of(dict.fromkeys(alone, 1))


def _is_alone(word: str, shelf: str, stems: Mapping[str, int], known: Set[str]) -> bool:
    return all(stems[stem] == 1 and stem not in known for stem in forms(word, shelf)[2])
