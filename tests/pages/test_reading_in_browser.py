"""A reader goes on from a passage: to its neighbours, to other languages, to a link for the others."""

import re

import pytest
from playwright.sync_api import Page, expect

from catalogue.models import Game, RulesText
from search import sync
from tests.make import make_game, make_rules
from tests.pages.browser import PHONE, overflow_px
from tests.pages.library import finca, indexed_finca

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
without_scripts = pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
ENDING = "/?q=maison+de+bois"
FRENCH = {
    "But du jeu": "Récoltez des fruits et livrez-les aux villages de l'île. Six sortes y mûrissent.",
    "Fin de la partie": "La partie s'arrête dès que la dernière maison de bois est posée, et chacun compte.",
    "Égalité": "Parmi les joueurs à égalité, celui qui garde le plus de fruits l'emporte, sinon on partage.",
}
SPANISH = {
    "Objetivo": "Recoged fruta y llevadla a los pueblos de la isla. Seis clases maduran.",
    "Fin de la partida": "La partida termina cuando se coloca la última casa de madera, y cada cual cuenta.",
}
LAYOUT_SHIFT = """() => new Promise(resolve => {
  let sum = 0;
  new PerformanceObserver(list => { for (const shift of list.getEntries()) sum += shift.value; })
    .observe({type: "layout-shift", buffered: true});
  requestAnimationFrame(() => setTimeout(() => resolve(sum), 100));
})"""


def long_rules(game: Game, sections: dict[str, str], language: str) -> RulesText:
    """Rules whose sections are long enough to be passages of their own."""
    body = "\n\n".join(f"## {heading}\n{words} {words} {words}" for heading, words in sections.items())
    return make_rules(game, body, language)


@pytest.fixture
def french() -> RulesText:
    """Rules of Finca that stand in the index with their Spanish version."""
    game = make_game("Finca")
    text = long_rules(game, FRENCH, "fr")
    long_rules(game, SPANISH, "es")
    sync.rebuild()
    return text


def test_the_same_passage_opens_in_the_other_language_in_its_place(page: Page, french: RulesText) -> None:
    page.goto(ENDING)
    address = page.url
    card = page.locator(".passage").first
    expect(card.locator("mark").first).to_be_visible()
    card.get_by_role("link", name="Spanish").click()
    expect(card.locator("blockquote[lang=es]")).to_contain_text("última casa de madera")
    expect(card.get_by_role("link", name="French")).to_be_focused()
    assert page.url == address
    card.get_by_role("button", name="Back to the passage found").click()
    expect(card.locator("blockquote[lang=fr] mark").first).to_be_visible()
    expect(card.get_by_role("button", name="Back to the passage found")).to_be_hidden()
    expect(card.locator("[data-card-title]")).to_be_focused()


def test_a_reader_walks_through_the_text_by_keyboard_within_the_card(page: Page, french: RulesText) -> None:
    page.goto(ENDING)
    card = page.locator(".passage").first
    card.get_by_role("link", name="Section before: But du jeu").press("Enter")
    expect(card).to_contain_text("Récoltez des fruits")
    expect(card.locator("[data-card-title]")).to_be_focused()
    card.get_by_role("link", name="Next section").press("Enter")
    expect(card).to_contain_text("dernière maison de bois")
    onward = card.get_by_role("link", name="Next section: Égalité")
    expect(onward).to_be_focused()
    page.keyboard.press("Enter")
    expect(card).to_contain_text("celui qui garde le plus de fruits")
    expect(card.get_by_role("link", name="Next section")).to_have_count(0)


def test_the_whole_section_of_a_piece_opens_in_its_place(page: Page) -> None:
    paragraphs = "\n\n".join(
        f"Phrase {n} : {'le joueur pioche une carte et la pose. ' * 8}" for n in range(6)
    )
    make_rules(make_game("Finca"), f"## Tour de jeu\nLe moulin tourne.\n\n{paragraphs}\n\nLe vent tombe.")
    sync.rebuild()
    page.goto("/?q=moulin+tourne")
    card = page.locator(".passage").first
    expect(card).to_contain_text("Le moulin tourne.")
    expect(card).not_to_contain_text("Le vent tombe.")
    card.get_by_role("link", name="The whole section").click()
    expect(card).to_contain_text("Le vent tombe.")
    expect(card.get_by_role("link", name="The whole section")).to_have_count(0)


def test_what_was_opened_in_place_leads_on_and_back_again_and_again(page: Page, french: RulesText) -> None:
    page.goto(ENDING)
    card = page.locator(".passage").first
    for _ in range(2):
        card.get_by_role("link", name="Spanish").click()
        expect(card.locator("blockquote[lang=es]")).to_be_visible()
        card.get_by_role("button", name="Back to the passage found").click()
        expect(card.locator("blockquote[lang=fr]")).to_be_visible()


def test_a_way_that_cannot_be_opened_in_place_is_opened_as_a_link(page: Page, french: RulesText) -> None:
    page.goto(ENDING)
    page.route("**/sections/**", lambda route: route.abort())
    page.locator(".passage").first.get_by_role("link", name="Section before").click()
    page.wait_for_url(f"**/rules/{french.pk}/#but-du-jeu")


def test_the_link_of_a_passage_is_copied_and_it_is_said(page: Page, french: RulesText) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(ENDING)
    card = page.locator(".passage").first
    card.get_by_role("button", name="Copy link").click()
    expect(card.locator("[aria-live]")).to_have_text("Link copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.endswith(f"/rules/{french.pk}/sections/fin-de-la-partie/")
    page.goto(copied)
    expect(page.get_by_role("heading", level=1)).to_have_text("Fin de la partie")


def test_where_the_browser_has_no_clipboard_for_the_page_the_link_is_copied_all_the_same(
    page: Page, french: RulesText
) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(ENDING)
    card = page.locator(".passage").first
    button = card.get_by_role("button", name="Copy link")
    button.click()
    expect(card.locator("[aria-live]")).to_have_text("Link copied")
    expect(button).to_be_focused()


@without_scripts
def test_without_scripts_the_same_ways_are_links(page: Page, french: RulesText) -> None:
    spanish = french.game.rules_texts.get(language="es")
    page.goto(ENDING)
    card = page.locator(".passage").first
    expect(card.get_by_role("button", name="Copy link")).to_be_hidden()
    card.get_by_role("link", name="Spanish").click()
    assert page.url.endswith(f"/rules/{spanish.pk}/#fin-de-la-partida")
    page.go_back()
    card.get_by_role("link", name="Next section: Égalité").click()
    expect(page.locator("#egalite")).to_be_in_viewport()


@without_scripts
def test_without_scripts_a_section_is_a_page_that_leads_on(page: Page) -> None:
    text = finca().rules_texts.get(language="fr")
    page.goto(f"/rules/{text.pk}/sections/but-du-jeu/")
    page.get_by_role("link", name="Next section").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Fin de la partie")
    page.get_by_role("link", name="Spanish").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Fin de la partida")
    page.get_by_role("link", name="Read on in the whole text").click()
    expect(page.locator("#fin-de-la-partida")).to_be_in_viewport()


def test_who_asks_in_a_language_that_the_game_lacks_is_told_so(page: Page, french: RulesText) -> None:
    page.goto("/?q=wann+endet+das+Spiel+Finca")
    told = re.compile(r"There is no text in German; this is (French|Spanish)\.")
    expect(page.locator(".passage").first).to_contain_text(told)


@pytest.mark.parametrize("window", [{"viewport": PHONE}], indirect=True)
def test_on_a_phone_two_languages_stand_one_under_the_other(page: Page) -> None:
    game = finca()
    french, spanish = (game.rules_texts.get(language=language) for language in ("fr", "es"))
    page.goto(f"/rules/{french.pk}/beside/{spanish.pk}/")
    one, other = page.locator(".beside__row").nth(2).locator(".beside__side").all()
    assert other.bounding_box()["y"] >= one.bounding_box()["y"] + one.bounding_box()["height"]  # type: ignore[index]
    assert overflow_px(page) == 0


def test_on_a_wide_screen_two_languages_stand_on_one_height(page: Page) -> None:
    game = finca()
    page.goto(f"/rules/{game.rules_texts.get(language='fr').pk}/")
    page.get_by_role("complementary").get_by_role("link", name="Side by side with Spanish").click()
    one, other = page.locator(".beside__row").nth(2).locator(".beside__side").all()
    assert one.bounding_box()["y"] == other.bounding_box()["y"]  # type: ignore[index]


@pytest.mark.parametrize("window", [{}, {"viewport": PHONE}], indirect=True, ids=["wide", "phone"])
def test_nothing_moves_while_a_page_opens(page: Page) -> None:
    game = indexed_finca()
    french, spanish = (game.rules_texts.get(language=language) for language in ("fr", "es"))
    moved = {}
    for path in (ENDING, f"/rules/{french.pk}/", f"/rules/{french.pk}/beside/{spanish.pk}/"):
        page.goto(path)
        moved[path] = page.evaluate(LAYOUT_SHIFT)
    assert [path for path, sum_ in moved.items() if sum_ > 0.02] == []
