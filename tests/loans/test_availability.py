"""Where a copy is, told by the same query everywhere."""

from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from catalogue.models import Copy, Game
from loans import desk
from loans.availability import Availability, annotate, available_games
from tests.make import make_act, make_copy, make_game, make_loan, make_member

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        ("in_service", Availability.ON_SHELF),
        ("incomplete", Availability.ON_SHELF),
        ("in_repair", Availability.IN_REPAIR),
        ("not_for_loan", Availability.NOT_FOR_LOAN),
        ("lost", Availability.LOST),
        ("withdrawn", Availability.WITHDRAWN),
    ],
)
def test_a_copy_that_nobody_has_is_where_its_condition_says(condition: str, status: str) -> None:
    make_copy(condition=condition)
    copy = annotate(Copy.objects.all()).get()
    assert (copy.status, copy.due_back_on) == (status, None)


@pytest.mark.parametrize(
    ("condition", "status"),
    [("in_service", "on_loan"), ("in_repair", "on_loan"), ("lost", "lost"), ("withdrawn", "withdrawn")],
)
def test_a_copy_that_somebody_has(condition: str, status: str) -> None:
    loan = make_loan()
    Copy.objects.update(condition=condition)
    copy = annotate(Copy.objects.all()).get()
    assert (copy.status, copy.due_back_on) == (status, date(2025, 3, 25))
    assert loan.due_on == copy.due_back_on


def test_a_returned_or_undone_loan_leaves_the_copy_on_the_shelf() -> None:
    returned = make_loan()
    desk.check_in(returned.copy, act=make_act())
    undone = desk.lend(make_copy(), make_member(), act=make_act())
    desk.undo(undone.event, act=make_act())
    assert {copy.status for copy in annotate(Copy.objects.all())} == {"on_shelf"}


def test_any_number_of_copies_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for _ in range(5):
        make_loan()
    with django_assert_num_queries(1):
        assert len([copy.status for copy in annotate(Copy.objects.all())]) == 5


def test_a_game_is_available_while_one_of_its_copies_is_on_the_shelf() -> None:
    game, without = make_game("Finca"), make_game("Safranito")
    lent = make_loan(make_copy(game))
    make_copy(without, condition="lost")
    assert not Game.objects.filter(pk__in=available_games())
    other = make_copy(game)
    assert Game.objects.filter(pk__in=available_games()).get() == game
    make_loan(other)
    desk.check_in(lent.copy, act=make_act())
    assert Game.objects.filter(pk__in=available_games()).get() == game
