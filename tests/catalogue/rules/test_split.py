"""A record's contents field: pieces, rules, or both."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue import pieces
from catalogue.rules.split import contents_and_rules
from tests.catalogue.rules.sources import FIELDS, case, field, words


def test_pieces_alone() -> None:
    text = "36 tuiles d'espace, 12 tuiles de joueur, 33 cubes par couleur, 1 règle."
    assert contents_and_rules(text) == (text, "")


def test_rules_alone() -> None:
    text = "But du jeu:\nGagner.\nFin du jeu:\nOn compte."
    assert contents_and_rules(text) == ("", text)


def test_pieces_and_then_rules() -> None:
    text = "Contenu:\n15 cartes, 1règle de jeu.\nPréparation:\nMélangez.\nBut du jeu:\nGagner."
    assert contents_and_rules(text) == (
        "Contenu:\n15 cartes, 1règle de jeu.",
        "Préparation:\nMélangez.\nBut du jeu:\nGagner.",
    )


def test_pieces_without_a_heading_before_the_rules() -> None:
    assert contents_and_rules("12 cartes, 3 dés.\nPréparation:\nMélangez.") == (
        "12 cartes, 3 dés.",
        "Préparation:\nMélangez.",
    )


def test_all_on_one_line() -> None:
    assert contents_and_rules("Contenu: 4 dés, 2 pions. Préparation: Placez tout.") == (
        "Contenu: 4 dés, 2 pions.",
        "Préparation: Placez tout.",
    )


def test_a_blurb_before_the_pieces_goes_with_the_rules() -> None:
    contents, rules = contents_and_rules("Un jeu tactique.\nMatériel du jeu:\n3 dés\nMise en place:\nPosez.")
    assert contents == "Matériel du jeu:\n3 dés"
    assert rules == "Un jeu tactique.\nMise en place:\nPosez."


def test_a_field_of_prose_stays_contents() -> None:
    text = "Une belle histoire d'amour avec, en toile de fond, une fresque."
    assert contents_and_rules(text) == (text, "")


def test_nothing_is_split_into_nothing() -> None:
    assert contents_and_rules(" \n") == ("", "")


@pytest.mark.parametrize(
    ("name", "count", "first_heading"),
    [
        ("beep", 3, "Préparation:"),
        ("havane", 9, "La Havane est"),
        ("kling-dong", 3, "Idée du jeu:"),
        ("pieds", 2, "Idée du jeu:"),
        ("safranito", 8, "Préparatifs:"),
    ],
)
def test_the_seeds_split(shared, name: str, count: int, first_heading: str) -> None:  # type: ignore[no-untyped-def]
    contents, rules = contents_and_rules(field(shared, name))
    assert len(pieces.split(contents)) == count
    assert rules.startswith(first_heading)


@pytest.mark.parametrize("name", FIELDS)
def test_both_parts_hold_every_word_of_a_seed(shared, name: str) -> None:  # type: ignore[no-untyped-def]
    text = field(shared, name)
    assert sorted(words(" ".join(contents_and_rules(text)))) == sorted(words(text))


def test_a_real_page_of_another_library_splits(shared) -> None:  # type: ignore[no-untyped-def]
    page = case(shared, "pmb-page-banana-runon.txt")
    text = page.split("Contenu :\n", 1)[1].split("Banana Matcho [", 1)[0]
    contents, rules = contents_and_rules(text)
    assert [piece.count for piece in pieces.split(contents)] == [1, 1, 6, 6, 3]
    assert rules.startswith("But du jeu:")


LINES = [
    "Contenu:",
    "3 dés, 2 pions",
    "Préparation:",
    "Mélangez.",
    "Un jeu.",
    "",
    "Contenu: 4 dés. But du jeu: Gagner.",
]


@given(st.lists(st.sampled_from(LINES)).map("\n".join))
def test_no_mixture_of_lines_loses_a_word(text: str) -> None:
    assert sorted(words(" ".join(contents_and_rules(text)))) == sorted(words(text))
