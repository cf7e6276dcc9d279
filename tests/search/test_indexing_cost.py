"""Indexing a game costs so much a passage, however many its texts have: one book must not stop the index.

Counted in calls and not in seconds, so that a busy machine measures the same.
"""

import sys
from collections.abc import Callable
from typing import Any

import pytest

from catalogue.models import Game
from search import documents
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db

FEW, TIMES = 60, 4
SLACK = 1.6
"""A sort may cost a little more a passage; what is done once more for each costs `TIMES` as much."""

Shape = Callable[[int], str]


def headings(count: int) -> str:
    """So many sections, no two alike."""
    return "\n\n".join(f"## Étape {n}\n\n" + f"Le joueur pose la carte {n}. " * 9 for n in range(count))


def one_heading(count: int) -> str:
    """The same heading so many times."""
    return "\n\n".join("## Fin\n\n" + f"Le pion {n} part. " * 12 for n in range(count))


def one_list(count: int) -> str:
    """One section with so many long items."""
    return "## Liste\n\n" + "\n".join(f"- Le pion {n} " + "va " * 90 for n in range(count))


SHAPES: dict[str, Shape] = {
    "many headings": headings,
    "one heading many times": one_heading,
    "a long list": one_list,
}


def calls(work: Callable[[], Any]) -> int:
    """How many calls of functions a piece of work is."""
    made = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal made
        made += event in {"call", "c_call"}

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return made


def indexed(shape: Shape, count: int) -> int:
    """What indexing a game with a text of that shape costs."""
    game = make_game(f"Finca {count}")
    make_rules(game, shape(count))
    found: Game = documents.indexed_games().get(pk=game.pk)
    documents.entries(found, {})
    return calls(lambda: documents.entries(found, {}))


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_what_a_passage_costs_does_not_grow_with_the_text(shape: Shape) -> None:
    assert indexed(shape, TIMES * FEW) < TIMES * SLACK * indexed(shape, FEW)
