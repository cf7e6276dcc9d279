"""The list of what should be in a box: made from the contents, corrected by hand, made anew."""

from dataclasses import replace

import pytest

from catalogue import components, records
from catalogue.components import ComponentDraft
from catalogue.models import Component, Game
from tests.make import make_copy, make_game

pytestmark = pytest.mark.django_db


def named(game: Game) -> list[tuple[int | None, str]]:
    return [(row.count, row.name) for row in components.of(game)]


def says(game: Game, contents: str) -> Game:
    """The record's contents are corrected."""
    records.update_game(game, replace(records.describe(game), contents=contents))
    return Game.objects.get(pk=game.pk)


def test_the_list_is_made_when_it_is_first_needed_and_once() -> None:
    game = make_game(contents="108 fruits, 1 plan de jeu")
    assert not game.components.exists()
    assert named(game) == [(108, "fruits"), (1, "plan de jeu")]
    rows = set(game.components.values_list("pk", flat=True))
    assert {row.pk for row in components.of(game)} == rows


def test_a_game_without_contents_has_an_empty_list() -> None:
    assert named(make_game()) == []


def test_new_contents_keep_what_was_corrected_and_the_rows_that_stay() -> None:
    game = make_game(contents="108 fruits, 20 joueurs, 1 sac")
    fruits, farmers, bag = components.of(game)
    components.correct(farmers, ComponentDraft(name="paysans", count=20, price_cents=250))
    game = says(game, "1 plan de jeu, 110 fruits, 21 joueurs")
    assert named(game) == [(1, "plan de jeu"), (110, "fruits"), (20, "paysans")]
    assert {fruits, farmers} < set(components.of(game))
    assert not Component.objects.get(pk=bag.pk).listed


def test_what_was_struck_out_stays_out_and_what_was_added_stays_in() -> None:
    game = make_game(contents="108 fruits, en français")
    components.strike(components.of(game)[1])
    components.add(game, ComponentDraft(name="sac en toile", count=1))
    game = says(game, "108 fruits, en français, 2 dés")
    assert named(game) == [(108, "fruits"), (2, "dés"), (1, "sac en toile")]


def test_words_that_come_back_are_the_same_piece_again() -> None:
    game = make_game(contents="108 fruits")
    (fruits,) = components.of(game)
    components.change_spares(fruits, 3)
    game = says(game, "2 dés")
    assert named(game) == [(2, "dés")]
    game = says(game, "108 fruits")
    assert [(row.pk, row.spares) for row in components.of(game)] == [(fruits.pk, 3)]


def test_the_same_piece_printed_twice_is_two_rows() -> None:
    game = make_game(contents="2 dés, 3 dés")
    assert named(game) == [(2, "dés"), (3, "dés")]
    assert named(says(game, "2 dés, 4 dés")) == [(2, "dés"), (4, "dés")]


def test_a_box_may_differ_from_its_game_and_no_other_box_does() -> None:
    game = make_game(contents="4 dés")
    copy, other = make_copy(game), make_copy(game)
    components.set_difference(copy, components.of(game)[0], 3, note="still playable")
    (own,), (usual,) = components.expected_in(copy), components.expected_in(other)
    assert (own.count, own.differs, own.note) == (3, True, "still playable")
    assert (usual.count, usual.differs) == (4, False)


def test_a_difference_that_is_none_is_taken_away() -> None:
    game = make_game(contents="4 dés")
    copy, (dice,) = make_copy(game), components.of(game)
    components.set_difference(copy, dice, 3)
    components.set_difference(copy, dice, 4)
    assert not copy.differences.exists()


def test_more_spares_than_there_are_cannot_be_taken() -> None:
    (dice,) = components.of(make_game(contents="4 dés"))
    assert components.change_spares(dice, 2)
    assert not components.change_spares(dice, -3)
    assert Component.objects.get().spares == 2


def test_a_piece_needs_a_name() -> None:
    with pytest.raises(ValueError, match="name"):
        components.add(make_game(), ComponentDraft(name=" "))
