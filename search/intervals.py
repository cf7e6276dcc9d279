"""95 % bootstrap intervals for measures over questions.

Every measure is a sum over questions divided by another sum over the same questions: a mean, a share, or
what is left of a measure when the questions are typed in another way. Pure; the resampling is seeded.
Called by `scorecard` and the quality benchmark.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

RESAMPLES, SEED, TAIL = 1000, 20, 0.025

Pair = tuple[float, float]
"""A question's part of the upper and of the lower sum."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measure and the interval that holds it in 95 of 100 resamplings of the questions."""

    value: float
    low: float
    high: float


def estimate(pairs: Sequence[Pair]) -> Estimate:
    """The quotient of the sums of some questions, which must not be none."""
    drawn = sorted(_quotient([pairs[i] for i in draw]) for draw in _draws(len(pairs)))
    low, high = (drawn[round(share * (len(drawn) - 1))] for share in (TAIL, 1 - TAIL))
    return Estimate(round(_quotient(pairs), 4), round(low, 4), round(high, 4))


def _quotient(pairs: Sequence[Pair]) -> float:
    whole = sum(below for _, below in pairs)
    return sum(above for above, _ in pairs) / whole if whole else 0.0


@cache
def _draws(size: int) -> tuple[tuple[int, ...], ...]:
    """The same draws for every measure of as many questions, so that two can be compared."""
    random = Random(SEED)  # noqa: S311
    return tuple(tuple(random.choices(range(size), k=size)) for _ in range(RESAMPLES))
