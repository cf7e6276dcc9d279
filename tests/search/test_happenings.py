"""Asked what happens to a thing, a passage that says both together comes before one that has both apart."""

import pytest

from search import ranking
from search.analysis import tokens
from search.concepts import glossary, happenings, met_by
from search.ranking import HELD_APART, Form, Level, Match, Reading, Unit, read


def reading(body: str, heading: str = "Rules") -> Reading:
    return read(tokens(body, "en"), tokens(heading, "en"), "en")


def unit(concept: str, *, word: str = "", happens: bool = False) -> Unit:
    forms = [Form(Level.CONCEPT, m.mark, 0.62 * m.share, m.is_kin) for m in met_by(concept)]
    return Unit(
        word or concept, (*forms, Form(Level.FOLD, word, 0.98)) if word else tuple(forms), happens=happens
    )


def match(units: tuple[Unit, ...], weight: tuple[float, ...], here: Reading) -> Match | None:
    """The passage alone, with weights that are given."""
    (meetings,) = ranking.meet(units, [here])
    return ranking.match(units, weight, here, meetings)


FIGS, GONE = unit("fig", word="figs"), unit("run-out", happens=True)


def matched(body: str, heading: str = "Rules") -> Match:
    found = match((GONE, FIGS), (1.0, 1.0), reading(body, heading))
    assert found
    return found


FILL = "everybody puts a farmer on any blade of the mill and goes on clockwise"


def test_the_class_of_a_thing_beside_the_happening_beats_the_thing_elsewhere() -> None:
    said = matched(f"{FILL}. When any fruit is used up, all hand it back. {FILL}.")
    elsewhere = matched(f"The mill has figs and figs. {FILL}. {FILL}. When carts are used up, stop. {FILL}.")
    assert said.score > elsewhere.score


def test_the_class_of_a_thing_is_raised_only_beside_the_happening() -> None:
    beside = matched("Not enough fruit")
    apart = matched(f"Fruit is taken: {FILL}; not enough")
    assert beside.met[1] > apart.met[1]
    assert beside.met[1] <= matched("Not enough figs").met[1]


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("When the figs are used up, stop", "Rules"),
        (f"{FILL} until the last figs", "When a fruit runs out"),
        (f"{FILL} until none left", "Figs"),
    ],
)
def test_a_heading_or_a_close_word_brings_them_together(body: str, heading: str) -> None:
    units, weight = (GONE, FIGS), (1.0, 1.0)
    plain = (unit("run-out"), FIGS)
    here = reading(body, heading)
    asked, unasked = match(units, weight, here), match(plain, weight, here)
    assert asked
    assert unasked
    assert asked.score >= unasked.score


def test_a_passage_that_keeps_them_apart_is_held_back() -> None:
    here = reading(f"Figs grow here. {FILL}. Carts are used up")
    asked = match((GONE, FIGS), (1.0, 1.0), here)
    unasked = match((unit("run-out"), FIGS), (1.0, 1.0), here)
    assert asked
    assert unasked
    assert asked.score == pytest.approx(HELD_APART * unasked.score)


def test_where_only_the_happening_is_asked_for_nothing_is_held_back() -> None:
    here = reading("Carts are used up")
    asked, plain = match((GONE,), (1.0,), here), match((unit("run-out"),), (1.0,), here)
    assert asked
    assert plain
    assert asked.score == plain.score


def test_happenings_are_concepts_of_the_glossary() -> None:
    assert {"run-out", "not-enough", "tie"} <= happenings() <= {c.name for c in glossary()}
    assert "fig" not in happenings()
