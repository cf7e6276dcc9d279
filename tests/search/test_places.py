"""Where a passage stands: neighbours in its text, the same place in other languages, the asker's language."""

from dataclasses import replace

import pytest
from pytest_django import DjangoAssertNumQueries

from catalogue.models import Game, RulesText
from search.find import PassageHit
from search.places import Card, cards, section_card
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db

FRENCH = """## But du jeu
Gagner 5 figues.

## Tour

### Piocher
Piochez une carte.

## Fin de la partie
La partie se termine.
"""
SPANISH = """## Objetivo del juego
Ganar 5 higos.

## Turno

### Robar
Robad una carta.

## Fin de la partida
La partida termina.
"""


def make_texts(game: Game | None = None) -> tuple[RulesText, RulesText]:
    game = game or make_game()
    return make_rules(game, FRENCH), make_rules(game, SPANISH, "es")


def section(text: RulesText, anchor: str) -> Card:
    card = section_card(text, anchor)
    assert card is not None
    return card


def asked(hit: PassageHit, asker: str) -> Card:
    (card,) = cards([hit], asker=asker)
    assert isinstance(card, Card)
    return card


def test_neighbours_are_the_sections_with_words_before_and_behind() -> None:
    card = section(make_texts()[0], "piocher")
    assert card.previous is not None
    assert card.following is not None
    assert (card.previous.heading, card.following.heading) == ("But du jeu", "Fin de la partie")


def test_the_first_and_the_last_section_have_one_neighbour() -> None:
    text, _ = make_texts()
    assert section(text, "but-du-jeu").previous is None
    assert section(text, "fin-de-la-partie").following is None


def test_a_section_that_the_passage_holds_already_is_no_neighbour() -> None:
    text, _ = make_texts()
    hit = section(text, "but-du-jeu")
    whole = f"{hit.body}\n\n### Piocher\n\nPiochez une carte."
    card = asked(replace(hit, body=whole), "fr")
    assert card.following is not None
    assert card.following.heading == "Fin de la partie"


def test_the_same_place_in_the_other_language_is_named() -> None:
    text, spanish = make_texts()
    (place,) = section(text, "fin-de-la-partie").elsewhere
    assert (place.text_id, place.language, place.anchor) == (spanish.pk, "es", "fin-de-la-partida")


def test_of_two_texts_in_one_language_the_reader_is_offered_one() -> None:
    text, _ = make_texts()
    make_rules(text.game, SPANISH, "es", edition="second")
    assert len(section(text, "fin-de-la-partie").elsewhere) == 1


def test_errata_are_no_translation_of_rules() -> None:
    text = make_rules(make_game(), FRENCH)
    make_rules(text.game, SPANISH, "es", kind="errata")
    assert section(text, "fin-de-la-partie").elsewhere == ()


def test_who_asks_in_a_language_that_the_game_lacks_is_told_so() -> None:
    hit = section(make_texts()[0], "piocher")
    assert asked(hit, "de").lacking == "de"
    assert asked(hit, "es-MX").lacking == ""
    assert asked(hit, "other").lacking == ""


def test_who_opened_a_section_by_choice_is_told_nothing() -> None:
    assert section(make_texts()[0], "piocher").lacking == ""


def test_a_piece_of_a_longer_section_says_that_it_is_one() -> None:
    text = make_rules(make_game(), "## Tour\nPiochez une carte.\n\nDéfaussez-en une.")
    whole = section(text, "tour")
    assert not whole.is_part
    assert asked(replace(whole, body="Piochez une carte."), "fr").is_part


def test_a_passage_of_a_state_that_is_gone_still_stands_there() -> None:
    hit = section(make_texts()[0], "piocher")
    old = replace(hit, anchor="gone")
    card = asked(old, "fr")
    assert card.body == "Piochez une carte."
    assert (card.previous, card.following, card.elsewhere) == (None, None, ())


def test_many_passages_take_as_many_queries_as_one(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    hits = [section(make_texts(make_game(f"Game {n}"))[0], "piocher") for n in range(5)]
    with django_assert_num_queries(1):
        cards(hits, asker="fr")


def test_a_card_says_the_page_of_the_print_where_that_is_known() -> None:
    text = make_rules(make_game(), "## But\n\n[p. 1] Gagner.\n\n## Tour\n\nPiocher [p. 2] une carte.\n\nFin.")
    card = section(text, "tour")
    assert card.page == 1
    assert asked(replace(card, body="Fin."), "fr").page == 2
    assert section(make_texts()[0], "piocher").page is None
