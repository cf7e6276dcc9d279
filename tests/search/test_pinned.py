"""Pinned places: what everybody asks for, found by headings in six languages; where in doubt, nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.rules.sections import parse
from search.pinned import Kind, Pin, pinned

PLACES = {
    "fr": ("Matériel", "Mise en place du plateau", "Le tour de jeu", "Fin de la partie", "Décompte final"),
    "es": ("Componentes", "Preparación", "Tu turno", "Final de la partida", "Puntuación"),
    "en": ("Components", "Set-up", "Your turn", "End of the game", "Final scoring"),
    "de": ("Spielmaterial", "Aufbau", "Der Spielzug", "Spielende", "Wertung"),
    "it": ("Materiale", "Preparazione", "Il tuo turno", "Fine della partita", "Punteggio finale"),
    "nl": ("Spelmateriaal", "Voorbereiding", "Je beurt", "Einde van het spel", "Puntentelling"),
}
KINDS = (Kind.COMPONENTS, Kind.SETUP, Kind.TURN, Kind.END, Kind.SCORING)


def text(*headings: str) -> str:
    return "\n\n".join(f"## {heading}\n\nUn, deux, trois." for heading in headings)


def pins(markdown: str, language: str = "fr") -> tuple[Pin, ...]:
    return pinned(parse(markdown), language)


def kinds(markdown: str, language: str = "fr") -> list[Kind]:
    return [pin.kind for pin in pins(markdown, language)]


@pytest.mark.parametrize("language", PLACES)
def test_the_places_are_found_in_six_languages(language: str) -> None:
    found = pins(text(*PLACES[language]), language)
    assert [(pin.kind, pin.heading) for pin in found] == list(zip(KINDS, PLACES[language], strict=True))


def test_a_regional_tag_is_its_language() -> None:
    assert kinds(text("Fin du jeu"), "fr-BE") == [Kind.END]


def test_a_language_that_we_do_not_read_has_none() -> None:
    assert pins(text("Fin du jeu"), "pt") == ()


@pytest.mark.parametrize("heading", ["5. Fin du jeu", "IV) FIN DU JEU", "La fin du jeu", "Fin du jeu :"])
def test_numbers_capitals_articles_and_marks_do_not_matter(heading: str) -> None:
    assert kinds(text(heading)) == [Kind.END]


@pytest.mark.parametrize(
    "heading",
    [
        "Fin d'une manche",
        "Fin exceptionnelle",
        "Préparation des plats",
        "Mise en place de fin de tour",
        "Phase 1 : Préparation",
        "Phase 4 : Décompte",
        "Décompte des cases Action",
        "Décompte et remise en place",
        "Ordre de jeu en cas d'égalité",
        "Égalité ou refus d'acheter",
        "Quand la partie finit-elle ?",
        "Nouvel ordre du tour",
    ],
)
def test_a_heading_that_means_something_else_is_not_pinned(heading: str) -> None:
    assert pins(text(heading)) == ()


def test_the_end_of_a_round_is_not_the_end_of_the_game() -> None:
    assert pins(text("End of a round"), "en") == ()


def test_one_heading_may_tell_two_things() -> None:
    assert kinds(text("Scoring and ties"), "en") == [Kind.SCORING, Kind.TIE]


def test_the_end_with_something_beside_it_is_still_the_end() -> None:
    assert kinds(text("Fin de la partida y bonos de templo"), "es") == [Kind.END]


def test_a_tie_counts_behind_the_end_alone() -> None:
    assert kinds(text("Égalité", "Fin du jeu")) == [Kind.END]
    assert kinds(text("Fin du jeu", "Égalité")) == [Kind.END, Kind.TIE]


def test_a_tie_told_within_the_scoring_counts() -> None:
    told = "## Compter les points\n\nUn.\n\n### Égalité dans le jeu normal\n\nDeux.\n\n## Autres\n\nRien."
    assert kinds(told) == [Kind.SCORING, Kind.TIE]


def test_breaking_a_tie_counts_everywhere() -> None:
    assert kinds(text("Desempate"), "es") == [Kind.TIE]


def test_a_bare_word_counts_among_the_main_headings_alone() -> None:
    assert pins("## Éclipses\n\nTrois.\n\n### Décompte\n\nUn.\n\n## Autres\n\nRien.") == ()
    assert kinds("# Règles de Finca\n\n## Décompte\n\nUn.\n\n## Autres\n\nRien.") == [Kind.SCORING]


def test_where_no_turn_is_told_the_course_of_play_is() -> None:
    assert kinds(text("Déroulement du jeu")) == [Kind.PLAY]
    assert kinds(text("Déroulement du jeu", "Tour de jeu")) == [Kind.TURN]


def test_a_section_for_two_players_is_pinned() -> None:
    (pin,) = pins(text("Partida de dos jugadores"), "es")
    assert (pin.kind, pin.players, pin.anchor) == (Kind.PLAYERS, 2, "partida-de-dos-jugadores")


@pytest.mark.parametrize(
    ("language", "heading", "lines"),
    [
        (
            "fr",
            "Quantités selon le nombre de joueurs",
            ("À **deux** : cinq pions.", "À **trois** : six pions."),
        ),
        ("es", "Preparar", ("2 jugadores: 4 fincas", "3 jugadores: 5 fincas")),
        ("en", "Set-up", ("**Two** players: five pawns", "**Three** players: six pawns")),
        ("de", "Mengen nach Spielerzahl", ("Zu **zweit**: fünf Figuren", "Zu **dritt**: sechs Figuren")),
    ],
)
def test_lines_for_so_many_players_are_pinned_each(
    language: str, heading: str, lines: tuple[str, str]
) -> None:
    body = "\n".join(f"- {line}" for line in lines)
    found = [pin for pin in pins(f"## {heading}\n\nAvant.\n\n{body}", language) if pin.kind == Kind.PLAYERS]
    assert [pin.players for pin in found] == [2, 3]
    opening = lines[0].replace("*", "")
    assert opening.startswith(found[0].line)
    assert len(found[0].line.split()) >= 2


def test_players_in_the_middle_of_a_rule_are_not_pinned() -> None:
    assert kinds("## Mise en place\n\n- Les 2 joueurs piochent.\n- Posez un pion.") == [Kind.SETUP]
    assert pins("## Vendre\n\n- 2 joueurs : un.\n- 3 joueurs : deux.") == ()


def test_a_text_without_headings_has_none() -> None:
    assert pins("La partie finit quand tout est vendu.") == ()
    assert pins("") == ()


@given(st.lists(st.text(max_size=40), max_size=4), st.sampled_from(["fr", "es", "en", "de", "it", "nl", "x"]))
def test_no_heading_is_too_strange(headings: list[str], language: str) -> None:
    markdown = "## Fin du jeu\n\n" + "\n".join(
        f"{'#' * (2 + n % 3)} {h}\n- {h}" for n, h in enumerate(headings)
    )
    anchors = {section.anchor for section in parse(markdown)}
    assert {pin.anchor for pin in pins(markdown, language)} <= anchors
