"""Printed contents as components."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.pieces import Component, split
from tests.catalogue.rules.sources import seed, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 dés", [(3, "dés")]),
        ("3 dés.", [(3, "dés")]),
        ("3 dés, 2 pions; 1 sac", [(3, "dés"), (2, "pions"), (1, "sac")]),
        ("6 aides,50 pièces, 1règle de jeu.", [(6, "aides"), (50, "pièces"), (1, "règle de jeu")]),
        ("3 dés et 2 pions", [(3, "dés"), (2, "pions")]),
        ("12 blades and 20 farmers", [(12, "blades"), (20, "farmers")]),
        ("3 dados y 2 fichas", [(3, "dados"), (2, "fichas")]),
        ("3 Würfel und 2 Figuren", [(3, "Würfel"), (2, "Figuren")]),
        ("1 panier de fruits et ses plateaux", [(1, "panier de fruits et ses plateaux")]),
        ("cartes (54)", [(54, "cartes")]),
        ("cartes (x54)", [(54, "cartes")]),
        ("dés x 6", [(6, "dés")]),
        ("cartes : 54", [(54, "cartes")]),
        ("2x pions, 3 x dés", [(2, "pions"), (3, "dés")]),
        ("4x2 cartes Aide", [(8, "cartes Aide")]),
        ("2 xylophones", [(2, "xylophones")]),
        ("un plateau, deux sacs", [(1, "plateau"), (2, "sacs")]),
        ("règles", [(None, "règles")]),
        ("3D puzzle, 2e plateau", [(None, "3D puzzle"), (None, "2e plateau")]),
        ("1,5 m de ficelle", [(None, "1,5 m de ficelle")]),
        ("24 jetons(6 dans chacune, 4 couleurs)", [(24, "jetons(6 dans chacune, 4 couleurs)")]),
        ("42 billets(6*100.12.50 roupies)", [(42, "billets(6*100.12.50 roupies)")]),
        ("8 cubes (2 par ton) 1 gros dé 1 règle", [(8, "cubes (2 par ton)"), (1, "gros dé"), (1, "règle")]),
        ("Contenu: 4 dés", [(4, "dés")]),
        ("", []),
        (" , ;.", []),
        ("1 000 pièces, 1.200 cartes", [(1000, "pièces"), (1200, "cartes")]),
        ("fruits 108, tuiles 44, règle", [(108, "fruits"), (44, "tuiles"), (None, "règle")]),
        ("cartes niveau 1, 3 dés", [(None, "cartes niveau 1"), (3, "dés")]),
        ("cartes (2 x 54)", [(108, "cartes")]),
        ("tapis (60x60)", [(None, "tapis (60x60)")]),
        ("cartes 2x54", [(None, "cartes 2x54")]),
        ("6 à 8 pions, 10-12 cartes", [(None, "6 à 8 pions"), (None, "10-12 cartes")]),
        ("100+ cartes", [(None, "100+ cartes")]),
        ("une centaine de fruits", [(None, "une centaine de fruits")]),
        ("1 plateau / 4 pions + 2 dés • 1 sac", [(1, "plateau"), (4, "pions"), (2, "dés"), (1, "sac")]),
        ("12 cartes (6 rouges / 6 bleues), 1 dé", [(12, "cartes (6 rouges / 6 bleues)"), (1, "dé")]),
        ("5 coquilles en 2 parties -- 1 pieuvre", [(5, "coquilles en 2 parties"), (1, "pieuvre")]),
        ("3 dobbelstenen en 2 pionnen", [(3, "dobbelstenen"), (2, "pionnen")]),
        ("4 Figuren sowie 1 Spielplan", [(4, "Figuren"), (1, "Spielplan")]),
        ("3 dadi e 2 pedine & 1 tavola", [(3, "dadi"), (2, "pedine"), (1, "tavola")]),
        ("20 Stk. Karten, 6 Stück Würfel", [(20, "Karten"), (6, "Würfel")]),
        ("vingt cartes, twenty dice, dreißig Steine", [(20, "cartes"), (20, "dice"), (30, "Steine")]),
    ],
)  # fmt: skip
def test_one_line(text: str, expected: list[tuple[int | None, str]]) -> None:
    assert split(text) == tuple(Component(count, name) for count, name in expected)


def test_a_list_one_a_line_keeps_its_descriptions() -> None:
    text = "Matériel:\n10 cubes, de ces couleurs: rouge (brique), jaune (grès).\n• 1 sac\n- 4 pions, 2 dés"
    assert split(text) == (
        Component(10, "cubes, de ces couleurs: rouge (brique), jaune (grès)"),
        Component(1, "sac"),
        Component(4, "pions"),
        Component(2, "dés"),
    )


def test_a_bracket_that_never_closes_keeps_the_rest_together() -> None:
    assert split("9 épices (cury, ail, 2 sortes") == (Component(9, "épices (cury, ail, 2 sortes"),)


def test_the_contents_of_finca_are_eleven(shared) -> None:  # type: ignore[no-untyped-def]
    line = next(line for line in seed(shared, "000").splitlines() if line.startswith("1 plan de jeu"))
    found = split(line.removesuffix(" |"))
    assert [piece.count for piece in found] == [1, 108, 44, 12, 20, 16, 8, 6, 10, 4, 1]
    assert (found[0].name, found[-1].name) == ("plan de jeu", "règle de jeu")


def test_the_components_of_the_spanish_finca_are_ten(shared) -> None:  # type: ignore[no-untyped-def]
    listed = seed(shared, "001").split("Componentes")[1].split("Objeto")[0]
    assert [piece.count for piece in split(listed)] == [1, 12, 42, 10, 16, 4, 8, 6, 108, 20]


PARTS = ["3", "x", " ", "dés", ",", ";", "(", ")", "\n", " et ", "2x2", "un", ".", "- ", ": 4", "règle"]


@given(st.lists(st.sampled_from(PARTS)).map("".join))
def test_every_name_stands_in_the_text(text: str) -> None:
    assert all(words(piece.name) in words(text) for piece in split(text))


@given(st.text())
def test_any_text_is_split_without_an_error(text: str) -> None:
    assert all(piece.name for piece in split(text))


def test_two_million_characters_are_split() -> None:
    assert len(split("3 dés rouges, " * 140_000)) == 140_000
