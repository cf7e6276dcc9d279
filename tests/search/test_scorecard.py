"""The rows of the scorecard: which questions they hold, and intervals that are worth their name."""

from search.evaluation import Judgment, Outcome
from search.find import PassageHit, PassageResults
from search.intervals import estimate
from search.scorecard import Row, by_language, scorecard
from search.variations import Variation


def hit(game: str) -> PassageHit:
    return PassageHit(1, game, 1, "rules", "fr", "", 1, None, "a", (), "x", 1.0)


def outcome(
    query: str, rank: int, note: str = "", *, language: str = "fr", own: bool = True, first: str = "G"
) -> Outcome:
    snippets = () if note.startswith("NO ANSWER") else ("x",)
    judgment = Judgment(query, language, "G", snippets, note)
    results = PassageResults(hits=(hit(first),), no_answer=rank == 1 and not snippets)
    return Outcome(judgment, rank, 1, 1.0, results, names_game="G" in query, has_asker_language=own)


def rows(*outcomes: Outcome, **copies: list[Outcome]) -> dict[str, Row]:
    kinds = {Variation[name]: found for name, found in copies.items()}
    return {row.name: row for row in scorecard(outcomes, kinds)}


def value(row: Row, measure: str) -> float:
    return row.measures[measure].value


def test_an_interval_holds_its_value_and_narrows_with_more_questions() -> None:
    few = estimate([(1.0, 1.0), (0.0, 1.0)] * 10)
    many = estimate([(1.0, 1.0), (0.0, 1.0)] * 200)
    assert few.value == many.value == 0.5
    assert few.low < many.low < 0.5 < many.high < few.high
    assert few == estimate([(1.0, 1.0), (0.0, 1.0)] * 10)


def test_where_all_are_right_the_interval_has_no_width() -> None:
    found = estimate([(1.0, 1.0)] * 5)
    assert (found.value, found.low, found.high) == (1.0, 1.0, 1.0)


def test_same_language_leaves_out_typos_titles_other_languages_and_the_unanswerable() -> None:
    found = rows(
        outcome("a", 1),
        outcome("b", 2, "TYPO"),
        outcome("c", 1, "TITLE"),
        outcome("d", 0, "CROSS-LANGUAGE fr->es", own=False),
        outcome("e", 3, "CROSS-LANGUAGE fr->es; language present"),
        outcome("f", 1, "NO ANSWER"),
    )
    named = (
        "same language",
        "natural typo",
        "title",
        "across languages",
        "across, asker's language elsewhere",
    )
    assert [(name, found[name].n) for name in named] == [(name, 1) for name in named]
    assert value(found["same language"], "success@1") == 1.0
    assert value(found["natural typo"], "success@1") == 0.0


def test_copies_are_measured_against_the_same_questions_as_they_stand() -> None:
    first, second, third = outcome("a", 1), outcome("b", 1), outcome("c", 0)
    misspelt = [
        Outcome(first.judgment, 1, 1, 1.0, first.results),
        Outcome(second.judgment, 0, 0, 1.0, first.results),
    ]
    row = rows(first, second, third, ONE_TYPO=misspelt)["1 typo"]
    assert (row.n, value(row, "relative ndcg@10")) == (2, 0.5)


def test_a_wrong_game_counts_only_where_the_question_names_one() -> None:
    found = rows(outcome("G a", 2, first="Other"), outcome("G b", 1), outcome("c", 2, first="Other"))
    assert (found["game named"].n, value(found["game named"], "wrong game first")) == (2, 0.5)


def test_saying_no_is_right_without_an_answer_and_wrong_with_one() -> None:
    flagged = Outcome(Judgment("q", "fr", "G", ("x",), ""), 1, 1, 1.0, PassageResults())
    found = rows(outcome("a", 1, "NO ANSWER"), outcome("b", 0, "NO ANSWER"), outcome("c", 1), flagged)
    assert value(found["no answer"], "flagged") == 0.5
    assert value(found["answer"], "wrongly flagged") == 0.5


def test_each_language_has_its_own_row() -> None:
    listed = by_language([outcome("a", 1), outcome("b", 0, language="nl"), outcome("c", 1, language="nl")])
    assert [(row.name, row.n, value(row, "success@1")) for row in listed] == [
        ("same language: fr", 1, 1.0),
        ("same language: nl", 2, 0.5),
    ]
