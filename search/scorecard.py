"""The measures by slices, as a table of rows with their intervals. Pure functions.

Called by `evaluate_search` and the quality benchmark.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from search.evaluation import CROSS_LANGUAGE, NO_ANSWER, RECALL_DEPTH, TITLE, TYPO, Judgment, Outcome, gain
from search.intervals import Estimate, estimate
from search.variations import Variation


@dataclass(frozen=True, slots=True)
class Row:
    """One slice: how many questions it has, and its measures by name."""

    name: str
    n: int
    measures: Mapping[str, Estimate]


# --- slices ------------------------------------------------------------------------------------


def is_question(outcome: Outcome) -> bool:
    """Whether it asks for a rule that the texts hold: no title look-up, nothing unanswerable."""
    return bool({TITLE, NO_ANSWER}.isdisjoint(outcome.judgment.slices()))


def is_same_language(outcome: Outcome) -> bool:
    """Whether the answer stands in a text of the asker's language, and the question is rightly spelt."""
    at_home = outcome.has_asker_language and not _has(outcome, CROSS_LANGUAGE)
    return is_question(outcome) and at_home and not _has(outcome, TYPO)


def is_across(outcome: Outcome) -> bool:
    """Whether the game has no text at all in the asker's language."""
    return is_question(outcome) and not outcome.has_asker_language


def scorecard(outcomes: Sequence[Outcome], copies: Mapping[Variation, Sequence[Outcome]]) -> list[Row]:
    """All rows that the questions can fill. `copies` are outcomes of the same questions typed otherwise."""
    clean = {o.judgment: o for o in outcomes}
    rows = [
        _found("same language", outcomes, is_same_language),
        _found("natural typo", outcomes, lambda o: is_question(o) and _has(o, TYPO)),
        *(_compared(kind, copies.get(kind, ()), clean) for kind in Variation),
        _found("across languages", outcomes, is_across),
        _found("across, asker's language elsewhere", outcomes, _is_across_at_home),
        _found("edition decides", outcomes, lambda o: _has(o, "EDITION")),
        _found("number of players decides", outcomes, lambda o: _has(o, "PLAYERS")),
        _found("game not named", outcomes, lambda o: is_question(o) and _has(o, "no game named")),
        _found("title", outcomes, lambda o: _has(o, TITLE) and not _has(o, TYPO)),
        _found("title with a typo", outcomes, lambda o: _has(o, TITLE) and _has(o, TYPO)),
        _found("title, copies with 1 typo", copies.get(Variation.ONE_TYPO, ()), lambda o: _has(o, TITLE)),
        _share("game named", "wrong game first", [(_is_wrong_game(o), o) for o in outcomes if _names(o)]),
        _share("no answer", "flagged", [(o.rank == 1, o) for o in outcomes if _has(o, NO_ANSWER)]),
        _share("answer", "wrongly flagged", [(o.is_flagged, o) for o in outcomes if is_question(o)]),
    ]
    return [row for row in rows if row]


def by_language(outcomes: Sequence[Outcome]) -> list[Row]:
    """The same-language row once more for each language."""
    languages = sorted({o.judgment.language for o in outcomes})
    rows = [
        _found(f"same language: {tag}", [o for o in outcomes if o.judgment.language == tag], is_same_language)
        for tag in languages
    ]
    return [row for row in rows if row]


def _has(outcome: Outcome, slice_name: str) -> bool:
    return slice_name in outcome.judgment.slices()


def _is_across_at_home(outcome: Outcome) -> bool:
    return is_question(outcome) and outcome.has_asker_language and _has(outcome, CROSS_LANGUAGE)


def _names(outcome: Outcome) -> bool:
    return outcome.names_game and not _has(outcome, TITLE)


def _is_wrong_game(outcome: Outcome) -> bool:
    return bool(outcome.results.hits) and not outcome.is_first_of_game


# --- rows --------------------------------------------------------------------------------------

MEASURES: dict[str, Callable[[int], float]] = {
    "success@1": lambda rank: rank == 1,
    "mrr@10": lambda rank: 1 / rank if rank else 0.0,
    "ndcg@10": gain,
    "recall@5": lambda rank: 0 < rank <= RECALL_DEPTH,
}


def _found(name: str, outcomes: Iterable[Outcome], belongs: Callable[[Outcome], bool]) -> Row | None:
    ranks = [o.rank for o in outcomes if belongs(o)]
    if not ranks:
        return None
    found = {measure: estimate([(of(rank), 1.0) for rank in ranks]) for measure, of in MEASURES.items()}
    return Row(name, len(ranks), found)


def _compared(kind: Variation, copies: Iterable[Outcome], clean: Mapping[Judgment, Outcome]) -> Row | None:
    """What is left of nDCG@10; of questions that stay the same when typed so, there is no copy."""
    asked = [(copy, clean[copy.judgment]) for copy in copies if is_question(copy)]
    pairs = [(gain(copy.rank), gain(original.rank)) for copy, original in asked]
    return Row(kind, len(pairs), {"relative ndcg@10": estimate(pairs)}) if pairs else None


def _share(name: str, measure: str, cases: Sequence[tuple[bool, Outcome]]) -> Row | None:
    if not cases:
        return None
    return Row(name, len(cases), {measure: estimate([(float(is_so), 1.0) for is_so, _ in cases])})
