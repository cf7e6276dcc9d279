"""Which section goes on under another heading, told by its words, its heading and its place."""

import pytest

from catalogue.rules.renames import renamed

SETUP = "Mélangez les tuiles et posez-les face cachée près du plateau, puis donnez cinq jetons à chacun."
TURN = "À son tour, chacun déplace un pion et prend autant de fruits qu'il y a de pions sur la case."
END = "La partie s'arrête quand la dernière maison est posée ; on compte alors tous les points."


def text(**sections: str) -> str:
    return "\n\n".join(f"## {name.replace('_', ' ')}\n\n{body}" for name, body in sections.items())


def test_a_section_under_another_heading_is_known_by_its_words() -> None:
    old, new = text(Mise_en_place=SETUP, Tour=TURN), text(Préparatifs=SETUP, Tour=TURN)
    assert renamed(old, new) == {"mise-en-place": "preparatifs"}


def test_a_section_that_was_reworded_a_little_too() -> None:
    old = text(Mise_en_place=SETUP, Fin=END)
    new = text(Préparatifs=SETUP.replace("cinq jetons", "six jetons"), Fin=END)
    assert renamed(old, new) == {"mise-en-place": "preparatifs"}


def test_new_words_under_a_new_heading_are_another_section() -> None:
    assert renamed(text(Tour=TURN, Fin=END), text(Variante=SETUP, Fin=END)) == {}


def test_a_section_that_is_gone_leads_nowhere() -> None:
    assert renamed(text(Tour=TURN, Fin=END), text(Fin=END)) == {}


def test_a_section_taken_into_its_neighbour_is_found_there() -> None:
    assert renamed(text(Tour=TURN, Fin=END), text(Tour=f"{TURN}\n\n{END}")) == {"fin": "tour"}


def test_a_numbered_double_follows_its_words_when_the_first_is_gone() -> None:
    old = "## Exemple\n\n" + SETUP + "\n\n## Exemple\n\n" + TURN
    assert renamed(old, "## Exemple\n\n" + TURN) == {"exemple-2": "exemple"}


def test_steps_that_were_counted_anew_follow_their_words() -> None:
    old = "## 1. Semer\n\n" + SETUP + "\n\n## 2. Bouger\n\n" + TURN
    new = "## 1. Tirer\n\n" + END + "\n\n## 2. Semer\n\n" + SETUP + "\n\n## 3. Bouger\n\n" + TURN
    assert renamed(old, new) == {"1-semer": "2-semer", "2-bouger": "3-bouger"}


def test_a_bare_heading_over_subsections_follows_its_words() -> None:
    old = f"## Préparation\n\n### Plateau\n\n{SETUP}"
    assert renamed(old, f"## Préparation du jeu\n\n### Plateau\n\n{SETUP}") == {
        "preparation": "preparation-du-jeu"
    }


def test_a_bare_heading_with_another_number_is_another_one() -> None:
    assert renamed(f"## Phase 1\n\n### A\n\n{TURN}", f"## Phase 2\n\n### A\n\n{TURN}") == {}


def test_where_two_sections_could_be_meant_none_is() -> None:
    old = text(Tour=TURN)
    new = "## Un\n\n" + TURN + " Fin.\n\n## Deux\n\n" + TURN + " Bien."
    assert renamed(old, new) == {}


@pytest.mark.parametrize("count", [1, 300])
def test_however_many_headings_change_all_are_followed(count: int) -> None:
    bodies = [f"Carte {n} : avancez de {n} cases puis tirez {n} jetons bleus." for n in range(count)]
    old = "".join(f"## Ancien {n}\n\n{body}\n\n" for n, body in enumerate(bodies))
    new = "".join(f"## Nouveau {n}\n\n{body}\n\n" for n, body in enumerate(bodies))
    assert renamed(old, new) == {f"ancien-{n}": f"nouveau-{n}" for n in range(count)}
