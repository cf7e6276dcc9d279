"""The quality benchmark can run on what search is now: every switch has its place, every baseline finds."""

from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.quality_baselines import asker, grams_of
from benchmarks.quality_mechanisms import MECHANISMS, Baseline, Mechanism, places
from search.evaluation import Judgment, evaluate
from tests.make import make_game, make_rules

SEARCH = Path(__file__).resolve().parent.parent.parent / "search"


@pytest.fixture(autouse=True)
def all_of_search() -> None:
    for path in SEARCH.glob("*.py"):
        import_module(f"search.{path.stem}")


@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda mechanism: mechanism.name)
def test_every_mechanism_that_is_switched_off_is_there(mechanism: Mechanism) -> None:
    assert all(places(name) for name in mechanism.off)


def test_a_name_that_search_has_no_more_is_refused() -> None:
    with pytest.raises(LookupError, match="change its switch"):
        places("_gone_since_long")


def test_a_substitute_takes_the_place_of_what_every_module_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in places("allowed_errors"):
        monkeypatch.setattr(module, name, getattr(module, name))  # put back after the test
    Mechanism("none", {"allowed_errors": lambda _there: lambda _word: 0}).switch_off()
    assert len(places("allowed_errors")) > 1
    assert {getattr(module, name)("livraison") for module, name in places("allowed_errors")} == {0}


@pytest.mark.django_db
@pytest.mark.parametrize("baseline", Baseline)
def test_a_baseline_finds_the_passage_that_has_the_words(baseline: Baseline) -> None:
    make_rules(make_game("Boum"), "## Fin\n\nLe dernier petard arrête la partie.\n\n## But\n\nGagner.")
    make_rules(make_game("Finca"), "## Fin\n\nLa dernière finca met un terme au jeu.")
    judgment = Judgment("boum dernier petard", "fr", "Boum", ("dernier petard",), "")
    (outcome,) = evaluate([judgment], asker(baseline))
    assert outcome.rank == 1


def test_grams_are_of_folded_words_with_their_ends() -> None:
    assert grams_of("Où été") == [" ou ", " ete", "ete "]
