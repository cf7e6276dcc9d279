"""A reader with a browser finds a passage and opens it: on a phone, by keyboard, without scripts."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from catalogue import records
from catalogue.models import Game
from search import sync
from tests.make import make_rules, make_user
from tests.pages.browser import NARROWEST, PHONE, overflow_px
from tests.pages.library import finca, indexed_finca, three_versions

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
PASSAGE = "celui qui garde le plus de fruits"


def find_and_open(page: Page) -> None:
    page.goto("/")
    page.locator("#search-large").fill("égalité fruits")
    page.get_by_role("button", name="Search").click()
    passage = page.locator(".passage").first
    expect(passage).to_contain_text(PASSAGE)
    passage.get_by_role("link", name="Égalité").click()
    expect(page).to_have_url(page.url.split("#")[0] + "#egalite")
    expect(page.locator("#egalite")).to_be_in_viewport()
    expect(page.get_by_text(PASSAGE)).to_be_in_viewport()


def test_a_passage_is_found_and_its_section_opens(page: Page) -> None:
    indexed_finca()
    find_and_open(page)


@pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_the_same_passage_opens(page: Page) -> None:
    indexed_finca()
    find_and_open(page)


@pytest.mark.parametrize("window", [{"viewport": PHONE, "has_touch": True, "is_mobile": True}], indirect=True)
def test_on_a_phone_the_same_passage_opens(page: Page) -> None:
    indexed_finca()
    find_and_open(page)


@pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_filters_and_languages_work(page: Page) -> None:
    indexed_finca()
    page.goto("/?q=")
    page.get_by_label("Players").fill("5")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    page.locator("summary", has_text="English").click()
    page.get_by_role("button", name="español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert "players=5" in page.url


def test_results_follow_a_filter_in_place_and_the_focus_stays(page: Page) -> None:
    indexed_finca()
    page.goto("/?q=finca")
    page.evaluate("window.isSamePage = true")
    players = page.get_by_label("Players")
    players.fill("5")
    players.press("Tab")
    expect(page.locator(".game-card")).to_have_count(0)
    assert page.evaluate("window.isSamePage")
    assert "players=5" in page.url
    expect(page.get_by_label("Age (years)")).to_be_focused()
    expect(page.get_by_role("status")).to_have_count(1)
    page.go_back()
    expect(page.locator(".game-card")).to_have_count(1)


def pages_of(game: Game) -> list[str]:
    text = game.rules_texts.get(language="fr")
    versions = three_versions()
    return [
        "/",
        "/?q=fruits",
        "/?q=",
        f"/games/{game.pk}/",
        f"/rules/{text.pk}/",
        f"/rules/{text.pk}/sections/egalite/",
        f"/rules/{text.pk}/beside/{game.rules_texts.get(language='es').pk}/",
        f"/rules/{versions.pk}/history/",
        f"/rules/{versions.pk}/diff/",
        "/accounts/login/",
        "/nowhere/",
    ]


@pytest.mark.parametrize(
    "window", [{"viewport": PHONE}, {"viewport": NARROWEST}], indirect=True, ids=["390px", "320px"]
)
def test_no_page_is_wider_than_a_phone(page: Page) -> None:
    game = finca()
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenschachtel"
    records.update_game(game, replace(records.describe(game), title=f"Finca {long}", edition=long * 3))
    sync.rebuild()
    wide = []
    for path in pages_of(game):
        page.goto(path)
        if overflow_px(page) > 0:
            wide.append(path)
    assert wide == []


def test_a_search_is_done_by_keyboard_alone(page: Page) -> None:
    indexed_finca()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="A question about the rules, or a game")).to_be_focused()
    page.keyboard.type("égalité fruits")
    page.keyboard.press("Enter")
    link = page.locator(".passage").first.get_by_role("link", name="Égalité")
    expect(link).to_be_visible()
    for _step in range(30):
        page.keyboard.press("Tab")
        if link.evaluate("element => element === document.activeElement"):
            break
    expect(link).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#egalite")).to_be_in_viewport()


def test_the_language_menu_closes_by_escape_and_gives_the_focus_back(page: Page) -> None:
    page.goto("/")
    menu = page.locator("details.menu")
    menu.locator("summary").press("Enter")
    expect(page.get_by_role("button", name="Deutsch")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Deutsch")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_two_versions_are_picked_and_compared(page: Page) -> None:
    text = three_versions()
    page.goto(f"/rules/{text.pk}/history/")
    page.get_by_label("Compare from version 1").check()
    page.get_by_label("Compare to version 3").check()
    page.get_by_role("button", name="Compare the two").click()
    expect(page.locator("ins").first).to_contain_text("trois")
    expect(page.locator("del")).to_contain_text("deux")


def test_signing_in_returns_to_the_page_that_asked_for_it(page: Page) -> None:
    user = make_user("librarian")
    page.goto("/accounts/login/?next=/%3Fq%3Dfinca")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert page.url.endswith("/?q=finca")


FILLER = "\n\n".join(["Une longue règle."] * 40)


def translated_rules() -> tuple[str, str]:
    """Addresses of two long texts with the same sections."""
    game = finca()
    texts = [
        make_rules(game, f"## {first}\n{FILLER}\n\n## {middle}\n{FILLER}\n\n## {last}\n{FILLER}", language)
        for language, first, middle, last in (
            ("nl", "Doel", "Beurt", "Einde"),
            ("it", "Scopo", "Turno", "Fine"),
        )
    ]
    return f"/rules/{texts[0].pk}/", f"/rules/{texts[1].pk}/"


def test_another_language_of_the_pages_keeps_the_place(page: Page) -> None:
    address, _ = translated_rules()
    page.goto(f"{address}#beurt")
    page.locator("summary", has_text="English").click()
    page.get_by_role("button", name="español").click()
    expect(page.locator("html")).to_have_attribute("lang", "es")
    assert page.url.endswith(f"{address}#beurt")
    expect(page.locator("#beurt")).to_be_in_viewport()


def test_another_language_of_the_rules_opens_at_the_same_section(page: Page) -> None:
    dutch, italian = translated_rules()
    page.goto(f"{dutch}#beurt")
    page.get_by_role("link", name="Italian", exact=True).click()
    expect(page.locator("#turno")).to_be_in_viewport()
    assert page.url.endswith(f"{italian}#turno")
    page.locator("#fine").evaluate("heading => heading.scrollIntoView()")
    page.get_by_role("link", name="Dutch", exact=True).click()
    expect(page.locator("#einde")).to_be_in_viewport()


def test_another_language_with_other_sections_opens_at_the_top(page: Page) -> None:
    dutch, _ = translated_rules()
    page.goto(f"{dutch}#beurt")
    page.get_by_role("link", name="Spanish", exact=True).click()
    expect(page.locator("article[lang=es]")).to_be_visible()
    assert "#" not in page.url
