"""The way of a phone at the table, from the code on the box to the rule, with scripts and without."""

import pytest
from playwright.sync_api import Page, expect

from search import sync
from tests.make import make_game, make_rules
from tests.pages.browser import PHONE, overflow_px

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
FR = """## Préparation
Posez le moulin au milieu de la table et donnez une charrette à chacun, puis mélangez les tuiles avec soin.
Chaque joueur place ses paysans sur les ailes du moulin, l'un après l'autre, dans le sens des aiguilles.

## Quand une espèce est épuisée
S'il ne reste plus assez de figues dans la réserve, tout le monde rend les siennes, sans exception aucune.
Servez-vous ensuite comme d'habitude, et la partie continue avec la réserve ainsi remplie de nouveau.

## Fin de la partie
La partie s'arrête quand la dernière maison de bois est posée ; chacun termine encore le tour commencé.
Le plus grand total de points gagne, et à égalité celui à qui il reste le plus de fruits devant lui.
"""
ES = """## Preparación
Colocad el molino en medio de la mesa, dad un carro a cada cual y mezclad las losetas con mucho cuidado.
Cada jugador pone sus campesinos en las aspas del molino, uno tras otro, en el sentido de las agujas.

## Cuando se agota una clase
Si ya no quedan bastantes higos en la reserva, todo el mundo devuelve los suyos, sin excepción ninguna.
Después coged como siempre, y la partida sigue adelante con la reserva llena otra vez de fruta fresca.

## Final de la partida
La partida termina cuando se coloca la última casa de madera; cada cual acaba todavía la ronda empezada.
Gana el total de puntos más alto, y en caso de empate quien conserve más fruta delante de sí en la mesa.
"""


@pytest.fixture
def code() -> str:
    """The address that the code on the box of a game holds."""
    game = make_game("Les Vergers")
    text = make_rules(game, FR)
    make_rules(game, ES, "es")
    sync.rebuild()
    return f"/r/{text.pk}"


def card_of(page: Page, words: str) -> None:
    card = page.locator(".passage").first
    expect(card).to_contain_text(words)
    assert overflow_px(page) <= 0


@pytest.mark.parametrize("window", [ON_A_PHONE], indirect=True)
def test_from_the_code_on_the_box_to_the_rule(page: Page, code: str) -> None:
    page.set_extra_http_headers({"Accept-Language": "fr"})
    page.goto(code)
    expect(page.locator("h1")).to_contain_text("Les Vergers")
    box = page.locator("#find-in-rules")
    box.press_sequentially("ép")
    page.get_by_role("option").filter(has_text="Quand une espèce est épuisée").tap()
    expect(page.locator("#quand-une-espece-est-epuisee")).to_be_in_viewport()

    box.fill("plus de figues")
    box.press("Enter")
    card_of(page, "tout le monde rend les siennes")
    card = page.locator(".passage").first
    card.locator("[data-step=tongue][hreflang=es]").tap()
    expect(card.locator("blockquote[lang=es]")).to_contain_text("todo el mundo devuelve los suyos")
    card.locator("[data-step=following]").tap()
    expect(card.locator("blockquote[lang=es]")).to_contain_text("última casa de madera")


@pytest.mark.parametrize("window", [{"viewport": PHONE, "java_script_enabled": False}], indirect=True)
def test_without_scripts_from_the_code_on_the_box_to_the_rule(page: Page, code: str) -> None:
    page.set_extra_http_headers({"Accept-Language": "fr"})
    page.goto(code)
    page.locator("#find-in-rules").fill("plus de figues")
    page.locator("#find-in-rules").press("Enter")
    card_of(page, "tout le monde rend les siennes")
    page.locator(".passage").first.locator("[data-step=tongue][hreflang=es]").click()
    expect(page.locator("#cuando-se-agota-una-clase")).to_be_in_viewport()
    expect(page.get_by_text("todo el mundo devuelve los suyos")).to_be_visible()

    page.goto(code)
    page.locator("#find-in-rules").fill("plus de figues")
    page.locator("#find-in-rules").press("Enter")
    page.locator(".passage").first.locator("[data-step=following]").click()
    expect(page.get_by_text("dernière maison de bois")).to_be_visible()
