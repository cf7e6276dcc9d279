"""Values in the reader's words."""

from types import ModuleType

import pytest
from django.template import defaultfilters
from django.templatetags import i18n, l10n, static, tz
from django.utils.translation import override

from catalogue.models import Category, Game
from config.templatetags import display


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (2, 4, "2 to 4 players"),
        (2, 2, "2 players"),
        (1, 1, "1 player"),
        (3, None, "3 players or more"),
        (None, 6, "up to 6 players"),
        (None, None, ""),
    ],
)
def test_players_are_told_as_far_as_they_are_known(low: int | None, high: int | None, words: str) -> None:
    with override("en"):
        assert display.players(Game(players_min=low, players_max=high)) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (120, None, "from 10 years"),
        (12, None, "from 1 year"),
        (18, None, "from 18 months"),
        (6, 18, "6 to 18 months"),
        (36, 72, "3 to 6 years"),
        (None, 72, "up to 6 years"),
        (0, None, "from birth"),
        (None, None, ""),
    ],
)
def test_ages_are_in_years_and_for_the_smallest_in_months(
    low: int | None, high: int | None, words: str
) -> None:
    with override("en"):
        assert display.age(Game(age_min_months=low, age_max_months=high)) == words


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (45, 45, "45 min"),
        (30, 60, "30 to 60 min"),
        (20, None, "20 min"),
        (None, 90, "90 min"),
        (None, None, ""),
    ],
)
def test_minutes_are_one_number_where_they_can_be(low: int | None, high: int | None, words: str) -> None:
    with override("en"):
        assert display.minutes(Game(minutes_min=low, minutes_max=high)) == words


@pytest.mark.parametrize("library", [defaultfilters, i18n, l10n, tz, static])
def test_no_filter_of_ours_has_the_name_of_one_of_djangos(library: ModuleType) -> None:
    assert display.register.filters.keys() & library.register.filters.keys() == set()


@pytest.mark.parametrize(
    ("code", "shape"),
    [("A 406", "pawn"), ("A 407", "die"), ("A 404", "target"), ("A 301", "blocks"), ("", "box")],
)
def test_a_category_is_drawn_by_its_code(code: str, shape: str) -> None:
    drawn = display.look(Category(code=code, key=code.lower()))
    assert drawn.shape == shape
    assert 1 <= drawn.hue <= display.HUES


def test_a_game_without_a_category_is_a_plain_box() -> None:
    assert display.look(None) == display.look("")
    assert display.look("").shape == "box"
