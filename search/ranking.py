"""How well a passage answers: the words of a question met in it, at which level, how near each other.

Engines only propose; this decides the order, the same on every engine. Pure functions on values.
Levels exact > folded > stemmed > meant (concept, repaired spelling, part of a compound), so that `port`
never loses to `porte`; a word counts once, at its best level, never as the sum of its forms.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from search.analysis import Token
from search.concepts import concepts
from search.written import Written, line_of, places_at

SATURATION, LENGTH_PENALTY, USUAL_SIZE = 0.9, 0.7, 90
HEADING_GAIN = 0.9
COVERAGE_FLOOR = 0.35
ASIDE = 0.45
"""How much a related thing that is met makes the asked one less telling: figs, where fruit is everywhere."""
NEAR_GAIN = 0.6
NUMBER_GAIN, NUMBER_NEAR = 1.12, 7
BESIDE, HELD_APART, CLOSE_BY = 2.0, 0.7, 5
"""Asked what happens to a thing: what a related thing gains beside the happening, what a passage is worth
that does not bring the two together, and how many words apart they may stand."""
HAPPENS = 0.525
"""So well a happening must be met: as itself or as what says nearly the same, not by a term of two senses."""
SURE = 0.62
"""A word met at less than this covers its share of the question only in part, and steeply less."""
UNMET_DF = 3.0
"""A word that fewer passages have weighs no more: people ask in words that the text does not use."""


class Level(StrEnum):
    """The forms under which a reading knows its words."""

    EXACT = "exact"
    FOLD = "fold"
    STEM = "stem"
    PART = "part"
    CONCEPT = "concept"


BETWEEN = "\f"
"""Stands between the parts of a stored reading; no word has it."""


LEVELS = {level: place for place, level in enumerate(Level)}


@dataclass(frozen=True, slots=True)
class Reading:
    """A passage's words by level with their places; a place beyond the body is in the heading.

    Kept as the texts that stand in the index, `written` one a level: of hundreds that are loaded for a
    question, all are searched, and a few are laid out.
    """

    size: int
    said: str  # the folded words, one a line
    written: tuple[str, ...]
    counted: str  # where numbers stand, in words or digits

    @classmethod
    def of(
        cls,
        size: int,
        folds: Iterable[str],
        places: Mapping[Level, Mapping[str, Sequence[int]]],
        numbers: Iterable[int],
    ) -> "Reading":
        """Written down."""
        written = tuple(Written.of(places[level]).text for level in Level)
        return cls(size, "\n".join(folds), written, ",".join(map(str, numbers)))

    @property
    def folds(self) -> list[str]:
        """The folded words in their order."""
        return self.said.split("\n") if self.said else []

    @property
    def numbers(self) -> list[int]:
        """The places of numbers."""
        return [int(n) for n in self.counted.split(",")] if self.counted else []

    def at(self, level: Level) -> Written:
        """The places of the words of a level."""
        return Written(self.written[LEVELS[level]])

    def stored(self) -> str:
        """As one text, to stand in the index: laying a passage out costs many times what loading does."""
        return BETWEEN.join((str(self.size), self.said, *self.written, self.counted))

    @classmethod
    def loaded(cls, stored: str) -> "Reading":
        """The inverse of `stored`."""
        size, said, *written, counted = stored.split(BETWEEN)
        return cls(int(size), said, tuple(written), counted)


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a word that is looked for, and how much meeting it is worth (1 = the word as typed)."""

    level: Level
    key: str
    worth: float
    is_aside: bool = False  # a related thing: meeting it does not make the word itself less rare

    @property
    def is_kin(self) -> bool:
        """Whether it is a related concept: fruit, where figs are asked for."""
        return self.is_aside and self.level is Level.CONCEPT


@dataclass(frozen=True, slots=True)
class Unit:
    """One word of the question: all forms under which it may be met."""

    word: str
    forms: tuple[Form, ...]
    emphasis: float = 1.0
    is_name: bool = False  # of the game: to meet it is no sign that the question is answered
    happens: bool = False  # it says what happens to something: "run out", "knocked over"


@dataclass(frozen=True, slots=True)
class Match:
    """How a passage met a question. `covered` is the weighted share of the words met, 0 to 1; `met` that
    share word by word, times how well each was met."""

    score: float
    covered: float
    met: tuple[float, ...] = ()
    units: Sequence[Unit] = ()
    reading: Reading | None = None

    # What to mark is made when it is asked for: of hundreds that are matched, a few are shown.

    @property
    def folds(self) -> frozenset[str]:
        """The folded words to mark; those of a longer term with blanks between them."""
        return frozenset(mark for _, mark in self.pairs)

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each word of the question with the folded words met for it."""
        if self.reading is None:
            return ()
        marked = [(unit.word, _marks(unit, self.reading)) for unit in self.units]
        return tuple((word, mark) for word, marks in marked for mark in sorted(marks))


def read(body: Sequence[Token], heading: Sequence[Token], language: str) -> Reading:
    """Lay out a passage's words for matching."""
    words = [*body, *heading]
    folds = [t.fold for t in words]
    places = {
        # Only what its accents tell from its folded form: all else is met there.
        Level.EXACT: _places((i, t.exact) for i, t in enumerate(words) if t.exact != t.fold),
        Level.FOLD: _places(enumerate(folds)),
        Level.STEM: _places((i, s) for i, t in enumerate(words) for s in {*t.stems, t.fold}),
        Level.PART: _places((i, part) for i, t in enumerate(words) for part in t.parts),
        Level.CONCEPT: _concept_places(body, heading, language),
    }
    numbers = (i for i, t in enumerate(body) if any(stem.isdigit() for stem in t.stems))
    return Reading.of(len(body), folds, places, numbers)


def _places(words: Iterable[tuple[int, str]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, word in words:
        found.setdefault(word, []).append(place)
    return found


def _concept_places(body: Sequence[Token], heading: Sequence[Token], language: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for offset, part in ((0, body), (len(body), heading)):
        for hit in concepts([t for t in part if not t.is_joined], language):
            spread = range(offset + hit.first, offset + hit.first + hit.length)
            found.setdefault(hit.concept, []).extend(spread)
    return found


# --- meeting -----------------------------------------------------------------------------------

Meeting = tuple[dict[int, float], float]
"""Where a passage has a word, each place at its best worth; and how much of the thing itself that is: all,
ASIDE where only related ones are met, or nothing."""


def meet(units: Sequence[Unit], readings: Iterable[Reading]) -> list[list[Meeting]]:
    """Every word in every passage."""
    lines = [_lines(unit) for unit in units]
    return [[_meeting(own, aside, reading.written) for own, aside in lines] for reading in readings]


Line = tuple[int, str, float]
"""A form as it stands in a reading: which of its texts, the beginning of the line, the worth."""


def _lines(unit: Unit) -> tuple[list[Line], list[Line]]:
    """The forms of the word itself and those of related things."""
    own, aside = list[Line](), list[Line]()
    for form in unit.forms:
        line = (LEVELS[form.level], line_of(form.key), form.worth)
        (aside if form.is_aside else own).append(line)
    return own, aside


def _meeting(own: Iterable[Line], aside: Sequence[Line], written: Sequence[str]) -> Meeting:
    # Most forms stand nowhere: a call for each of them would be half of all matching.
    met = [form for form in own if form[1] in written[form[0]]]
    share = 1.0 if met else ASIDE
    if aside:
        met += [form for form in aside if form[1] in written[form[0]]]
    best: dict[int, float] = {}
    for level, line, worth in met:
        for place in places_at(line, written[level]):
            if best.get(place, 0.0) < worth:
                best[place] = worth
    return best, share if met else 0.0


# --- weights -----------------------------------------------------------------------------------


def weights(units: Sequence[Unit], meetings: Sequence[Sequence[Meeting]]) -> list[float]:
    """How telling each word is among the passages that were met: rare ones more."""
    counts = [sum(met[i][1] for met in meetings) for i in range(len(units))]
    return [rarity(c, len(meetings)) * unit.emphasis for c, unit in zip(counts, units, strict=True)]


def rarity(count: float, total: int) -> float:
    """Inverse document frequency as BM25 has it, never below a small positive value."""
    met = max(count, UNMET_DF)
    return max(0.1, math.log(1 + (total - met + 0.5) / (met + 0.5)))


# --- matching ----------------------------------------------------------------------------------


def match(
    units: Sequence[Unit],
    weight: Sequence[float],
    reading: Reading,
    meetings: Sequence[Meeting],
    *,
    how_many: bool = False,
) -> Match | None:
    """How a passage meets the words, or None if it meets none. `how_many`: the answer should be a number."""
    whole = sum(weight)
    only_names = all(unit.is_name for unit in units)
    asked = sum(w for unit, w in zip(units, weight, strict=True) if only_names or not unit.is_name)
    gained = met_share = covered = 0.0
    met: list[tuple[float, list[int]]] = []
    worths = [0.0] * len(units)
    places = _raised(units, [best for best, _share in meetings], reading)
    for i, (unit, importance, best) in enumerate(zip(units, weight, places, strict=True)):
        if not best:
            continue
        gained += importance * _gain(best, reading.size)
        worth = max(best.values())
        worths[i] = importance * worth
        met_share += worths[i]
        if not unit.is_name or only_names:
            covered += importance * min(1.0, worth / SURE) ** 2
        body = [place for place in best if place < reading.size]
        if body:
            met.append((worths[i], body))
    if not whole or not met_share:
        return None
    share = met_share / whole
    near = NEAR_GAIN * _nearness(met) / whole
    score = (gained / whole + near) * (COVERAGE_FLOOR + (1 - COVERAGE_FLOOR) * share)
    if _is_apart(units, places, reading.size):
        score *= HELD_APART
    if how_many and _has_number_near(met, reading):
        score *= NUMBER_GAIN
    return Match(score, covered / asked, tuple(w / whole for w in worths), units, reading)


def _has_number_near(met: Sequence[tuple[float, list[int]]], reading: Reading) -> bool:
    places = [place for _, found in met for place in found]
    return any(abs(number - place) <= NUMBER_NEAR for number in reading.numbers for place in places)


def _raised(
    units: Sequence[Unit], met: Sequence[dict[int, float]], reading: Reading
) -> Sequence[dict[int, float]]:
    """Where each word is met; related things beside a happening are raised: "not enough fruit", of figs."""
    happens = [place for place in _happenings(units, met) if place < reading.size]
    if not happens:
        return met
    return [
        best if unit.happens else best | _beside(unit, best, happens, reading)
        for unit, best in zip(units, met, strict=True)
    ]


def _beside(
    unit: Unit, best: Mapping[int, float], happens: Sequence[int], reading: Reading
) -> dict[int, float]:
    """The related things that stand close by a happening, at what they are worth there."""
    raised: dict[int, float] = {}
    for form in unit.forms:
        if form.is_kin:
            for place in reading.at(form.level).get(form.key, ()):
                if any(abs(place - at) <= CLOSE_BY for at in happens):
                    worth = min(SURE, form.worth * BESIDE)
                    raised[place] = max(best[place], raised.get(place, 0.0), worth)
    return raised


def _happenings(units: Sequence[Unit], met: Sequence[Mapping[int, float]]) -> list[int]:
    """The places where what is asked of happens, not counting words of two senses."""
    return [
        place
        for unit, best in zip(units, met, strict=True)
        if unit.happens
        for place, worth in best.items()
        if worth >= HAPPENS
    ]


def _is_apart(units: Sequence[Unit], met: Sequence[Mapping[int, float]], size: int) -> bool:
    """Whether it is asked what happens to a thing, and nothing says so of it: neither close by in the body,
    nor one of the two in the heading."""
    asked = [not unit.happens and not unit.is_name for unit in units]
    if not any(asked) or not any(unit.happens for unit in units):
        return False
    happens = _happenings(units, met)
    things = [place for is_thing, best in zip(asked, met, strict=True) if is_thing for place in best]
    if not happens or not things:
        return True
    if max(*happens, *things) >= size:
        return False
    return all(abs(a - b) > CLOSE_BY for a in happens for b in things)


def _marks(unit: Unit, reading: Reading) -> set[str]:
    """What to mark: words met as such alone, the words of a longer term only where they stand together."""
    ((met, _),) = meet([unit], [reading])[0]
    names = [form.key for form in unit.forms if form.level is Level.CONCEPT]
    runs = [run for name in names for run in _runs(reading.at(Level.CONCEPT).get(name, ()))]
    met_as_such = [f for f in unit.forms if f.level is not Level.CONCEPT]
    alone = {place for f in met_as_such for place in reading.at(f.level).get(f.key, ())}
    in_terms = {place for run in runs for place in run}
    folds = reading.folds
    terms = {" ".join(folds[place] for place in run) for run in runs}
    return terms | {folds[place] for place in met if place in alone or place not in in_terms}


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Places that follow one another, together."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs


def _gain(best: Mapping[int, float], size: int) -> float:
    body = [worth for place, worth in best.items() if place < size]
    heading = max((worth for place, worth in best.items() if place >= size), default=0.0)
    if not body:
        return HEADING_GAIN * heading
    often = len(body)
    norm = SATURATION * (1 - LENGTH_PENALTY + LENGTH_PENALTY * size / USUAL_SIZE)
    return max(body) * often * (1 + SATURATION) / (often + norm) + HEADING_GAIN * heading


def _nearness(met: Sequence[tuple[float, list[int]]]) -> float:
    """The weight of neighbouring pairs of words, halved for each few words that stand between them."""
    total = 0.0
    for (first_weight, first), (second_weight, second) in pairwise(met):
        gap = min(abs(a - b) for a in first for b in second)
        total += min(first_weight, second_weight) * 2 / (1 + max(1, gap) ** 0.7)
    return total


def holds_phrase(reading: Reading, phrase: list[str]) -> bool:
    """Whether the folded words stand one behind the other."""
    size, folds = len(phrase), reading.folds
    return any(folds[i : i + size] == phrase for i in range(len(folds) - size + 1))
