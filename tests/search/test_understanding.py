"""What a question is understood to ask: as typed, by edition, through a slip, in another language's words."""

import re
from typing import Any

import pytest
from django.test import Client

from catalogue.models import Game
from search import sync
from search.common import ranks
from search.find import PassageHit, PassageResults, find_passages
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db


def ask(text: str, reader: str = "fr", **named: Any) -> PassageResults:
    return find_passages(text, reader_language=reader, **named)


def first(text: str, reader: str = "fr", **named: Any) -> PassageHit:
    return ask(text, reader, **named).hits[0]


@pytest.fixture
def harbour() -> Game:
    game = make_game("Le Port aux Huîtres", alternative_titles=("Oyster Harbour",), players_min=2)
    make_rules(
        game,
        """## Préparation
Chacun prend quatre filets et une barque.

## Fin de la partie
La partie s'arrête dès qu'un joueur a rempli trois paniers.

## Marée basse
Quand la vase apparaît, personne ne navigue ; on ramasse à pied les coquillages de sa plagge.
""",
        edition="Première édition, 2009",
    )
    make_rules(
        game,
        """## Préparation
Chacun prend six filets et deux barques.

## Fin de la partie
On joue encore un tour complet après le troisième panier.
""",
        edition="Deuxième édition, 2018",
    )
    sync.sync()
    return game


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("port aux huîtres première édition combien de filets", "quatre filets"),
        ("port aux huîtres 2e édition combien de filets", "six filets"),
        ("combien de filets dans l'édition 2018 du port aux huîtres", "six filets"),
        ("combien de filets port aux huîtres 2009", "quatre filets"),
    ],
)
def test_the_edition_that_is_asked_for_comes_first(harbour: Game, text: str, words: str) -> None:
    assert words in first(text).body


def test_a_word_is_repaired_unless_it_is_meant_as_typed(harbour: Game) -> None:
    assert ask("coquilages à la marée").corrected == "coquillages à la marée"
    literal = ask("coquilages à la marée", is_exact=True)
    assert literal.corrected == ""
    assert literal.hits[0].anchor == "maree-basse"  # by its other word


def test_the_page_offers_to_search_as_typed(harbour: Game, client: Client) -> None:
    asked = {"q": "coquilages à la marée", "players": "3"}
    literally = re.search(r'<a href="(\?[^"]*exact=1)"', client.get("/", asked).content.decode())
    assert literally
    page = client.get("/" + literally[1].replace("&amp;", "&")).content.decode()
    assert "coquilages" in page
    assert not re.search(r'<a href="\?[^"]*exact=1"', page)


def test_a_slip_in_the_text_is_met_by_the_right_spelling(harbour: Game) -> None:
    assert "plagge" in first("ramasser sur la plage").body


def test_everyday_words_are_no_slips_of_other_words() -> None:
    assert "plage" in ranks("fr")
    assert "plagge" not in ranks("fr")
    assert ranks("xx") == {}


FR = """## Nourrir les bêtes
En fin de manche, donnez une botte de foin à chaque bête. Une bête sans foin quitte la ferme.

## La vente
Vendez autant de laine que vous voulez au marché, contre deux pièces chacune.

## Le loup
Si le dé montre le loup, chacun cache une brebis sous son chapeau.
"""
EN = """## Keeping your animals
At the close of a round every beast gets a bundle. One that goes without leaves your holding.

## The sale
Trade any amount of wool at the market for two coins each.

## The wolf
If the die shows the wolf, everybody hides one ewe beneath a hat.
"""


@pytest.fixture
def farm() -> Game:
    game = make_game("La Ferme aux Brebis", alternative_titles=("Ewe Farm",))
    make_rules(game, FR)
    make_rules(game, EN, language="en")
    sync.sync()
    return game


def test_words_of_another_translation_lead_to_the_askers_own_text(farm: Game) -> None:
    hit = first("ewe farm what if I cannot feed them hay", "en")
    assert (hit.language, hit.anchor) == ("en", "keeping-your-animals")


def test_passages_of_other_languages_stand_behind_the_askers_own(farm: Game) -> None:
    hits = ask("que fait le loup, qui cache sa brebis", game_id=farm.pk).hits
    assert [(hit.language, hit.anchor) for hit in hits[:2]] == [("fr", "le-loup"), ("en", "the-wolf")]


def test_abroad_the_askers_words_stand_beside_those_that_were_met(farm: Game) -> None:
    hit = first("was macht der wolf", "de", game_id=farm.pk)
    assert hit.anchor in ("le-loup", "the-wolf")
    assert ("wolf", "wolf") not in [(asked.lower(), met.lower()) for asked, met in hit.terms]
    german = first("wolle verkaufen auf dem markt", "de", game_id=farm.pk)
    assert dict(german.terms)["wolle"] in ("laine", "wool")
    assert first("vendre la laine", game_id=farm.pk).terms == []


def test_a_record_stands_behind_the_rules_unless_a_field_is_asked_for(farm: Game) -> None:
    game = make_game(
        "Les Semailles", principle="Semer des graines de trou en trou.", players_min=2, players_max=4
    )
    make_rules(
        game, "## Semer\nPrenez toutes les graines d'un trou et semez-les une à une dans les suivants."
    )
    sync.sync()
    assert first("les semailles comment semer les graines").text_id is not None
    assert first("les semailles nombre de joueurs").text_id is None


def test_what_the_texts_do_not_hold_is_said(farm: Game) -> None:
    assert ask("la ferme aux brebis que fait le kraken").no_answer
    assert not ask("la ferme aux brebis que fait le loup").no_answer


def test_a_title_is_understood_with_a_letter_missing(farm: Game) -> None:
    assert ask("ferme aux brebi le loup").games == (farm.pk,)
