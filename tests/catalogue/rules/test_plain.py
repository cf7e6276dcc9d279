"""Plain rules texts: headings found, words kept."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.rules.plain import to_markdown
from catalogue.rules.render import plain, to_html
from catalogue.rules.sections import parse
from tests.catalogue.rules.sources import FIELDS, case, field, seed, words


def headings(text: str) -> list[tuple[int, str]]:
    return [(section.level, section.heading) for section in parse(to_markdown(text)) if section.level]


def test_a_heading_word_with_a_colon_is_a_heading() -> None:
    assert headings("Préparation:\nMélangez.\nFin du jeu :\nComptez.") == [
        (1, "Préparation"),
        (1, "Fin du jeu"),
    ]


def test_a_heading_word_before_its_text_on_the_same_line() -> None:
    assert to_markdown("But du jeu: Gagner.") == "## But du jeu\n\nGagner."


def test_a_colon_inside_a_sentence_is_no_heading() -> None:
    text = "Chaque joueur a le choix: il pioche ou il passe.\nNombre possible de joueurs : Deux\nIl joue."
    assert headings(text) == []


@pytest.mark.parametrize(
    "line",
    [
        "Les joueurs peuvent faire ceci:\n- jouer\n- passer",
        "Il choisit une des actions suivantes :\nJouer une carte.",
        "Ensuite, le joueur actif:\n- joue",
        "4 jetons rouges\n5 jetons bleus\nFin.",
        "Poisson= Blob\nChat= Miaou\nOn joue.",
        "A 2 joueurs, 25 points.\nA 3 joueurs, 20 points.\nC'est tout.",
    ],
)
def test_lines_that_only_look_like_headings(line: str) -> None:
    assert headings(f"On joue.\n{line}") == []


def test_a_call_for_attention_stays_in_its_section() -> None:
    text = "Fin du jeu:\nOn compte.\nTrès important:\nLes jetons ne comptent pas."
    assert to_markdown(text).endswith("On compte.\n**Très important**:\nLes jetons ne comptent pas.")


def test_numbered_headings_stand_under_the_heading_they_began_under() -> None:
    text = (
        "Tour de jeu:\nOn joue.\n1) Lancer:\nOn lance.\n2). Vendre:\nOn vend.\n"
        "Aux voisins:\nSi on veut.\n3 Cuisiner:\nOn cuit.\nFin du jeu:\nOn mange."
    )
    assert headings(text) == [
        (1, "Tour de jeu"),
        (2, "1) Lancer"),
        (2, "2). Vendre"),
        (3, "Aux voisins"),
        (2, "3 Cuisiner"),
        (1, "Fin du jeu"),
    ]


def test_phases_are_headings() -> None:
    text = "Phase 1: Approvisionnement\nOn prend.\nPhase 2: On vend. Puis on paie.\nFin du jeu:\nx"
    assert headings(text) == [(1, "Phase 1: Approvisionnement"), (1, "Phase 2"), (1, "Fin du jeu")]
    assert "On vend. Puis on paie." in to_markdown(text)


def test_numbered_lines_one_after_another_are_a_list() -> None:
    assert to_markdown("Ordre:\n1. Piocher\n2. Jouer\n3. Défausser\nEt on recommence.") == (
        "## Ordre\n\n1. Piocher\n2. Jouer\n3. Défausser\n\nEt on recommence."
    )


def test_the_numbers_of_a_list_stay_as_they_are() -> None:
    html = to_html(to_markdown("3. Mélangez bien les cartes.\n5. Distribuez-en six à chacun."))
    assert re.findall(r'value="(\d)"', html) == ["3", "5"]


def test_capitals_and_short_lines_of_their_own_are_headings() -> None:
    assert headings("MISE EN PLACE\nOn pose tout.\n\nLes oiseaux\n\nIls volent.") == [
        (1, "MISE EN PLACE"),
        (1, "Les oiseaux"),
    ]


def test_a_wrapped_line_is_no_heading() -> None:
    text = "Le premier joueur prend une carte et la donne à\nMathilde\nqui la garde devant elle."
    assert headings(text) == []


def test_questions_of_their_own_are_headings() -> None:
    assert headings("On joue.\nCombien de cases?\nTrois.") == [(1, "Combien de cases?")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Preparación:\nx\nFin del juego\n\nGana.", ["Preparación", "Fin del juego"]),
        ("Setup\nPlace all.\nEnd of the game:\nCount.", ["Setup", "End of the game"]),
        ("Spielende:\nZählen.\nSpielvorbereitung\nMischen.", ["Spielende", "Spielvorbereitung"]),
        ("Scopo del gioco:\nVincere.\nFine del gioco:\nContare.", ["Scopo del gioco", "Fine del gioco"]),
        ("Doel van het spel:\nWinnen.", ["Doel van het spel"]),
    ],
)
def test_heading_words_of_other_languages(text: str, expected: list[str]) -> None:
    assert [heading for _, heading in headings(text)] == expected


def test_lines_run_together_are_told_apart() -> None:
    text = (
        "La table est là.Les 12 ailes tournent.On prend :- à 4 : 6 cubes- à 3 : 5 cubesLes fruits sont triés."
    )
    assert to_markdown(text) == (
        "La table est là.\nLes 12 ailes tournent.\nOn prend :\n\n- à 4 : 6 cubes\n- à 3 : 5 cubes\n\n"
        "Les fruits sont triés."
    )


def test_steps_on_one_line_are_a_list() -> None:
    assert to_markdown("1) Lancer, 2) vendre 3) cuire.") == "1) Lancer,\n2) vendre\n3) cuire."


def test_a_heading_inside_a_line_is_found_after_a_full_stop() -> None:
    assert headings("On joue. Fin du jeu: on compte.") == [(1, "Fin du jeu")]
    assert headings("On joue. Fin du jeu Qui a quatre fruits gagne.") == [(1, "Fin du jeu")]
    assert headings("La fin du jeu arrive. On compte.") == []


def test_numbers_and_abbreviations_stay_whole() -> None:
    assert (
        to_markdown("Il paie 3.50 ou c.à.d 2.5 pièces, Beep/Beep.")
        == "Il paie 3.50 ou c.à.d 2.5 pièces, Beep/Beep."
    )


def test_lists_keep_their_depth_and_their_further_lines() -> None:
    text = "On a :\n• un\n   • deux\n\n   suite\n• trois"
    assert to_markdown(text) == "On a :\n\n- un\n  - deux\n\n  suite\n- trois"


def test_lines_between_bars_are_a_table() -> None:
    assert to_markdown("| Paquet | Standard |\n| Talon | Reste |") == (
        "|  |  |\n|---|---|\n| Paquet | Standard |\n| Talon | Reste |"
    )


def test_marks_of_markdown_stay_text() -> None:
    text = "Le signe * vaut a*b*c et [x](#y) \\ <b>\n+ non"
    assert plain(to_markdown(text)) == text


@pytest.mark.parametrize("name", FIELDS)
def test_every_word_of_a_seed_is_kept_in_order(shared, name: str) -> None:  # type: ignore[no-untyped-def]
    text = field(shared, name)
    assert words(plain(to_markdown(text))) == words(text)


def test_the_french_seed_of_finca_has_its_sections(shared) -> None:  # type: ignore[no-untyped-def]
    assert headings(field(shared, "finca-fr")) == [
        (1, "Placement initial"),
        (1, "Déroulement de la partie"),
        (2, "1. Déplacer une figurine paysan"),
        (2, "2. Approvisionner les villages"),
        (2, '3. Utiliser ses tuiles "action"'),
        (1, 'Tuile "bonus"'),
        (1, "Fin de la partie"),
    ]


def test_the_spanish_seed_of_finca_has_its_sections_and_its_slips(shared) -> None:  # type: ignore[no-untyped-def]
    text = seed(shared, "001")
    assert headings(text) == [
        (1, "Reglas del juego Finca"),
        (1, "Componentes"),
        (1, "Objeto del juego"),
        (1, "Preparar"),
        (1, "Como se Juega"),
        (2, "1. Move Farmer"),
        (2, "2) Entrega fruta"),
        (2, "3). Usar mosaico de acción"),
        (1, "Azulejos de bonificación"),
        (1, "Fin del juego"),
    ]
    assert words(plain(to_markdown(text))) == words(text)
    assert "\n   •. Coloca" in to_markdown(text)


def test_the_seed_of_safranito_splits_into_its_phases(shared) -> None:  # type: ignore[no-untyped-def]
    found = headings(field(shared, "safranito"))
    assert [heading for level, heading in found if level == 2] == [
        "1) Lancement des jetons",
        "2) Décompte des cases Action",
        "3) Vente et achat d'épices",
        "4 Préparation des plats",
    ]
    assert [heading for level, heading in found if level == 1] == [
        "Contenu",
        "Préparatifs",
        "Tableau-Aperçu rapide d'un tour de jeu",
        "But du jeu",
        "Déroulement de la partie",
        "Début d'un nouveau tour",
        "Fin de la partie et vainqueur",
    ]


def test_the_seed_of_la_havane_has_its_phases_and_its_cards(shared) -> None:  # type: ignore[no-untyped-def]
    sections = parse(to_markdown(field(shared, "havane")))
    assert [
        s.heading[:8] for s in sections if s.path[:1] == ("Déroulement d'une partie",) and s.level == 2
    ] == [
        "Phase 1:",
        "Phase 2:",
        "Phase 3:",
    ]
    assert len([s for s in sections if s.path[:1] == ("Les cartes en détail",)]) == 14


def documentation(shared) -> list[str]:  # type: ignore[no-untyped-def]
    return sorted(path.stem for path in shared.joinpath("cases").glob("rules-*.txt"))


def test_documentation_of_other_games_has_the_expected_sections(shared) -> None:  # type: ignore[no-untyped-def]
    for name in documentation(shared):
        text, meta = case(shared, f"{name}.txt"), case(shared, f"{name}.meta")
        expected = re.search(r"sections: \[(.*)\]", meta)
        found = [heading for _, heading in headings(text)]
        if expected:
            assert found == re.findall(r"'([^']+)'", expected[1]), name
        assert words(plain(to_markdown(text))) == words(text), name


LINES = [
    "Fin du jeu:",
    "1) Jouer:",
    "1. Jouer",
    "2. Passer",
    "Phase 2: Vendre",
    "- un",
    "   • deux",
    "| a | b |",
]
TEXTS = [
    "Il joue une carte.",
    "CAPITALES",
    "# titre",
    "Note:",
    "",
    "mot.Mot",
    "a: - b- c",
    "*x*",
    "Et toi?",
    "1",
]


@given(st.lists(st.sampled_from(LINES + TEXTS)).map("\n".join))
def test_no_mixture_of_lines_loses_a_word(text: str) -> None:
    assert words(plain(to_markdown(text))) == words(text)


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_any_text_is_converted_without_an_error(text: str) -> None:
    to_html(to_markdown(text))


@given(st.text(alphabet="aB1.):;?-•|#*_[]()\\<> \n"))
def test_no_mixture_of_marks_loses_a_word(text: str) -> None:
    assert words(plain(to_markdown(text))) == words(text)


def test_two_million_characters_without_a_heading_are_one_section() -> None:
    text = (
        "le joueur actif prend une carte de la pioche et la pose devant lui, puis passe la main au suivant;\n"
        * 20_000
    )
    assert [section.anchor for section in parse(to_markdown(text))] == ["top"]


def test_one_heading_five_thousand_times() -> None:
    assert len(headings("Fin du jeu:\nOn compte les points.\n" * 5000)) == 5000


# --- questions, and what only furnishes a page ---------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Q: Peut-on passer son tour quand il ne reste plus rien à jouer dans la main ?", "R: Oui."),
        ("F: Darf ich passen?", "A: Ja, jederzeit."),
        ("P: ¿Se puede pasar?", "R: Sí."),
        ("D: Si può passare?", "R: Sì."),
        ("Q12. May I pass", "A12. Yes."),
        ("Question : peut-on passer", "Réponse : oui."),
    ],
)
def test_a_marked_question_heads_its_answer(question: str, answer: str) -> None:
    markdown = to_markdown(f"{question}\n{answer}\n{question} bis\n{answer}")
    assert markdown.startswith(f"## {question}\n\n{answer}\n\n## ")


def test_a_marked_line_without_answer_is_no_question() -> None:
    assert "##" not in to_markdown("D: deux dés rouges, posés près du plateau,\net trois jetons bleus.")


@pytest.mark.parametrize(
    "line",
    [
        "12",
        "- 3 -",
        "Page 3",
        "P. 4/8",
        "Seite 3 von 12",
        "Suite p. 4",
        "Fortsetzung auf Seite 5",
        "(Suite page 2)",
    ],
)
def test_what_furnishes_a_page_is_no_heading(line: str) -> None:
    markdown = to_markdown(f"Fin du jeu\n\nOn compte les points.\n\n{line}\n\nLe plus riche gagne.")
    assert [section.heading for section in parse(markdown)] == ["Fin du jeu"]
    assert line.strip("- ") in markdown.replace("\\", "")


def test_the_title_again_on_every_page_is_no_heading() -> None:
    text = "PORT AUX ÉPICES\n\nPréparation\n\nMêlez tout.\n\nPORT AUX ÉPICES\n\nFin du jeu\n\nComptez."
    assert [s.heading for s in parse(to_markdown(text))] == ["PORT AUX ÉPICES", "Préparation", "Fin du jeu"]
