"""Suggestions in the search box: by keyboard, by touch, never in the way of Enter, absent without scripts."""

import pytest
from playwright.sync_api import Locator, Page, expect

from search import sync
from tests.make import make_game
from tests.pages.browser import PHONE, grave_violations, overflow_px
from tests.pages.library import HOSTILE, indexed_finca

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


def the_box(page: Page) -> Locator:
    """The search box; filters are combo boxes as well."""
    return page.get_by_role("combobox", name="A question about the rules")


def typed(page: Page, text: str, path: str = "/") -> Locator:
    """The options after typing."""
    page.goto(path)
    the_box(page).clear()
    the_box(page).press_sequentially(text)
    expect(page.get_by_role("listbox")).to_be_visible()
    return page.get_by_role("option")


def test_two_letters_suggest_a_game_and_arrow_and_enter_open_it(page: Page) -> None:
    game = indexed_finca()
    options = typed(page, "fi")
    box = the_box(page)
    expect(box).to_have_attribute("aria-expanded", "true")
    box.press("ArrowDown")
    expect(options.first).to_have_attribute("aria-selected", "true")
    first = options.first.get_attribute("id") or ""
    expect(box).to_have_attribute("aria-activedescendant", first)
    box.press("Enter")
    expect(page).to_have_url(f"{page.url.split('/games')[0].rstrip('/')}/games/{game.pk}/")


def test_enter_with_nothing_chosen_asks_what_was_typed(page: Page) -> None:
    indexed_finca()
    typed(page, "fi")
    the_box(page).press("Enter")
    page.wait_for_url("**/?q=fi")


def test_past_the_last_option_the_box_itself_is_reached_again(page: Page) -> None:
    indexed_finca()
    options = typed(page, "finc")
    box = the_box(page)
    for _option in range(options.count() + 1):
        box.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant") is None
    box.press("Enter")
    page.wait_for_url("**/?q=finc")


def test_escape_closes_the_list_and_keeps_what_was_typed(page: Page) -> None:
    indexed_finca()
    typed(page, "finc")
    box = the_box(page)
    box.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(box).to_have_attribute("aria-expanded", "false")
    expect(box).to_have_value("finc")
    expect(box).to_be_focused()
    box.press("ArrowDown")
    expect(page.get_by_role("listbox")).to_be_visible()


def test_a_heading_leads_to_its_place_in_the_rules(page: Page) -> None:
    game = indexed_finca()
    french = game.rules_texts.get(language="fr")
    options = typed(page, "finca egal")
    expect(options.first.locator("[lang=fr]")).to_have_text("Égalité")
    options.first.click()
    page.wait_for_url(f"**/rules/{french.pk}/#egalite")
    expect(page.locator("#egalite")).to_be_in_viewport()


def test_a_term_fills_the_box_and_keeps_the_filters(page: Page) -> None:
    indexed_finca()
    options = typed(page, "tie-br", path="/?q=x&players=3")
    options.filter(has_text="tie-break").first.click()
    expect(the_box(page)).to_have_value("tie-break")
    page.wait_for_url("**/?q=tie-break&players=3**")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_within_one_game_only_its_headings_are_suggested(page: Page) -> None:
    game = indexed_finca()
    make_game("Finale")
    sync.sync()
    options = typed(page, "fin", path=f"/?game={game.pk}&q=")
    expect(page.get_by_role("group", name="In the rules")).to_be_visible()
    expect(page.get_by_role("group", name="Games")).to_have_count(0)
    expect(options.first).to_contain_text("Fin de la partie")


def test_the_number_of_suggestions_is_told_and_nothing_moves(page: Page) -> None:
    indexed_finca()
    page.goto("/")
    before = page.get_by_role("heading", name="Questions to try").bounding_box()
    the_box(page).press_sequentially("finca")
    expect(page.get_by_role("option")).not_to_have_count(0)
    told = f"{page.get_by_role('option').count()} suggestion"
    expect(page.locator(".search-box [aria-live=polite]")).to_contain_text(told)
    assert page.get_by_role("heading", name="Questions to try").bounding_box() == before


def test_leaving_the_box_closes_the_list(page: Page) -> None:
    indexed_finca()
    typed(page, "finca")
    page.keyboard.press("Tab")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_a_title_is_text_whatever_stands_in_it(page: Page) -> None:
    make_game(f"Finca {HOSTILE}")
    sync.rebuild()
    expect(typed(page, "finca").first).to_have_text(f"Finca {HOSTILE}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_open_list_has_no_grave_faults(page: Page, scheme: str) -> None:
    indexed_finca()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    typed(page, "fin")
    the_box(page).press("ArrowDown")
    assert grave_violations(page) == []


@pytest.mark.parametrize("window", [{"viewport": PHONE, "has_touch": True, "is_mobile": True}], indirect=True)
def test_on_a_phone_a_tap_opens_the_game(page: Page) -> None:
    game = indexed_finca()
    page.goto("/accounts/login/")
    the_box(page).tap()
    the_box(page).press_sequentially("finca")
    option = page.get_by_role("option").first
    expect(option).to_be_visible()
    assert overflow_px(page) == 0
    option.tap()
    page.wait_for_url(f"**/games/{game.pk}/")


@pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
def test_without_scripts_the_box_is_a_plain_search_box(page: Page) -> None:
    indexed_finca()
    page.goto("/")
    page.get_by_role("searchbox").press_sequentially("fi")
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.get_by_role("searchbox").press("Enter")
    page.wait_for_url("**/?q=fi")
