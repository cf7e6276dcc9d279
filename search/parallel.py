"""Two language versions of a game's rules: which section of the one says what a section of the other says.

Pure functions on sections. Evidence is what no language owns: concepts of the glossary, numbers, and words
that look alike in both (cognates by their first four letters, Simard 1992), together with order, length and
heading level. What is not sure is left out: a reader is sooner told nothing than led astray.
Called by `places`, `reading` and `beside`.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import median

from catalogue.rules.sections import Section
from search.analysis import OTHER, Token, shelf_language, tokens
from search.concepts import CollectionWords, concepts
from search.wordlists import LANGUAGES, word_list

MOST_CELLS = 40_000
"""Pairs of sections that are compared at most; texts cut into more than that are left unaligned."""
READ = 3000
"""Letters of a section that are looked at: its beginning tells enough, and time stays bounded."""
COGNATE = 4
FEW = 2.0
"""Damps the likeness of what is short: two headings of one common word are not yet alike."""

# Tuned on sections judged by hand (tests/search/judged_sections.py) and on our own translations with holes.
HEADING, BODY, PLACE, LENGTH, LEVEL = 0.38, 0.42, 0.12, 0.05, 0.03
"""What each kind of evidence counts; together 1."""
CONTRAST = 0.8
"""What it adds or takes by how much the words are more alike than in any other pair of either section."""
SURE, STRAY = 0.36, 0.5
"""From what likeness on two sections are a pair: in the order of both texts; out of it."""
DOUBT, NEARLY_ALL = 0.55, 0.85
"""A pair below `DOUBT` of what is usual in the two texts is none, unless they match nearly everywhere."""

Signs = tuple[tuple[str, int], ...]
"""What stands in a text beyond its language: sign and how often."""


@dataclass(frozen=True, slots=True)
class _Side:
    """One text as the comparison sees it: the signs of headings and bodies, sizes, levels."""

    headings: tuple[dict[str, int], ...]
    bodies: tuple[dict[str, int], ...]
    words: tuple[int, ...]
    levels: tuple[int, ...]


def align(
    here: Sequence[Section], there: Sequence[Section], language_here: str, language_there: str
) -> tuple[str | None, ...]:
    """For each section of `here` the anchor of the one in `there` that says the same, None where unsure.

    The languages are BCP 47 tags. No section is in two pairs; pairs keep the order of both texts, but for
    very like sections that stand elsewhere.
    """
    pairs = _pairs(tuple(here), tuple(there), shelf_language(language_here), shelf_language(language_there))
    return tuple(None if at is None else there[at].anchor for at in pairs)


@lru_cache(maxsize=128)
def _pairs(
    here: tuple[Section, ...], there: tuple[Section, ...], language_here: str, language_there: str
) -> tuple[int | None, ...]:
    if not here or not there or len(here) * len(there) > MOST_CELLS:
        return (None,) * len(here)
    likeness = _likeness(_side(here, language_here), _side(there, language_there))
    return _believed(_with_strays(_best_path(likeness), likeness), likeness)


def _side(sections: Sequence[Section], language: str) -> _Side:
    return _Side(
        headings=tuple(dict(_signs(s.heading, language)) for s in sections),
        bodies=tuple(dict(_signs(s.body[:READ], language)) for s in sections),
        words=tuple(len(s.body.split()) for s in sections),
        levels=tuple(s.level for s in sections),
    )


@lru_cache(maxsize=8192)
def _signs(text: str, language: str) -> Signs:
    known = CollectionWords(language, {}) if language in LANGUAGES else None
    words = [t for t in tokens(text, language, known) if not t.is_joined]
    found = Counter(f"concept {c.concept}" for c in concepts(words, language))
    found.update(sign for word in words for sign in _word_signs(word, language))
    return tuple(found.items())


def _word_signs(word: Token, language: str) -> Iterable[str]:
    """A number by its digits, any other telling word by its first letters."""
    digits = [stem for stem in word.stems if stem.isdigit()]
    if digits:
        return [f"number {digits[0]}"]
    little = word_list(language).stop if language != OTHER else frozenset()
    return [f"word {word.fold[:COGNATE]}"] if len(word.fold) >= COGNATE and word.fold not in little else []


def _likeness(here: _Side, there: _Side) -> list[list[float]]:
    """How much each section here is like each one there, from 0 to about 1."""
    headings = _alike(here.headings, there.headings)
    bodies = _alike(here.bodies, there.bodies)
    ratio = (1 + sum(there.words)) / (1 + sum(here.words))
    last_here, last_there = max(1, len(here.words) - 1), max(1, len(there.words) - 1)
    contrast = _contrast(bodies)
    return [
        [
            HEADING * headings[i][j]
            + BODY * bodies[i][j]
            + CONTRAST * contrast[i][j]
            + PLACE * (1 - 4 * abs(i / last_here - j / last_there))
            + LENGTH * _as_long(here.words[i] * ratio, there.words[j])
            + LEVEL * (here.levels[i] == there.levels[j])
            for j in range(len(there.words))
        ]
        for i in range(len(here.words))
    ]


def _contrast(likeness: Sequence[Sequence[float]]) -> list[list[float]]:
    """By how much each pair is more alike than the best that either of the two makes with another section."""
    columns = [_top_two(column) for column in zip(*likeness, strict=True)]
    rows = [_top_two(row) for row in likeness]
    return [
        [value - max(_rival(value, rows[i]), _rival(value, columns[j])) for j, value in enumerate(row)]
        for i, row in enumerate(likeness)
    ]


def _top_two(values: Sequence[float]) -> tuple[float, float]:
    first, *rest = sorted(values, reverse=True)
    return first, rest[0] if rest else 0.0


def _rival(value: float, top: tuple[float, float]) -> float:
    return top[1] if value >= top[0] else top[0]


def _as_long(one: float, other: float) -> float:
    """1 for the same length, 0 for twice it, down to -1."""
    return max(-1.0, 1 - abs(math.log2((one + 10) / (other + 10))))


def _alike(here: Sequence[dict[str, int]], there: Sequence[dict[str, int]]) -> list[list[float]]:
    """Weighted Dice of each pair; only signs that both texts have count, the rare ones more."""
    spread_here, spread_there = _spread(here), _spread(there)
    both = spread_here.keys() & spread_there.keys()
    parts = len(here) + len(there)
    weight = {sign: math.log(1 + parts / (spread_here[sign] + spread_there[sign])) for sign in both}
    left, right = _weighed(here, weight), _weighed(there, weight)
    sums_left, sums_right = [sum(bag.values()) for bag in left], [sum(bag.values()) for bag in right]
    return [
        [2 * _common(one, other) / (sums_left[i] + sums_right[j] + FEW) for j, other in enumerate(right)]
        for i, one in enumerate(left)
    ]


def _spread(bags: Sequence[dict[str, int]]) -> Counter[str]:
    return Counter(sign for bag in bags for sign in bag)


def _weighed(bags: Sequence[dict[str, int]], weight: dict[str, float]) -> list[dict[str, float]]:
    return [
        {sign: weight[sign] * (1 + math.log(times)) for sign, times in bag.items() if sign in weight}
        for bag in bags
    ]


def _common(one: dict[str, float], other: dict[str, float]) -> float:
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    return sum(min(worth, large[sign]) for sign, worth in small.items() if sign in large)


def _best_path(likeness: Sequence[Sequence[float]]) -> list[int | None]:
    """The pairs in the order of both texts whose likeness above `SURE` sums up highest."""
    rows, columns = len(likeness), len(likeness[0])
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows):
        for j in range(columns):
            paired = best[i][j] + likeness[i][j] - SURE
            best[i + 1][j + 1] = max(best[i][j + 1], best[i + 1][j], paired)
    found: list[int | None] = [None] * rows
    i, j = rows, columns
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            found[i] = j
    return found


def _believed(pairs: Sequence[int | None], likeness: Sequence[Sequence[float]]) -> tuple[int | None, ...]:
    """The pairs without those that are far less alike than the others of the same two texts.

    Translations are alike throughout: a section that has lost its like must not get its neighbour's.
    Where hardly any section would be left alone, what is left belongs together after all.
    """
    usual = median([likeness[i][j] for i, j in enumerate(pairs) if j is not None] or [0.0])
    kept = [j if j is not None and likeness[i][j] >= DOUBT * usual else None for i, j in enumerate(pairs)]
    sections = max(len(likeness), len(likeness[0]))
    return tuple(pairs if sum(j is not None for j in kept) >= NEARLY_ALL * sections else kept)


def _with_strays(pairs: Sequence[int | None], likeness: Sequence[Sequence[float]]) -> tuple[int | None, ...]:
    """With very like sections that stand elsewhere in the other text, such as the aim of the game."""
    taken = {j for j in pairs if j is not None}
    rows = [i for i, j in enumerate(pairs) if j is None]
    columns = [j for j in range(len(likeness[0])) if j not in taken]
    found = list(pairs)
    for likely, i, j in sorted(((likeness[i][j], i, j) for i in rows for j in columns), reverse=True):
        if likely < STRAY:
            break
        if found[i] is None and j not in taken:
            found[i] = j
            taken.add(j)
    return tuple(found)
