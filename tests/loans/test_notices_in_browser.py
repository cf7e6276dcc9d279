"""The text of a notice in a real browser: the letter follows what is typed, on a desk and on a phone."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page, expect

from tests.make import make_user
from tests.pages.browser import NARROWEST, PHONE, grave_violations, overflow_px

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def manager(page: Page, live_server: Any) -> Page:
    client = Client()
    client.force_login(make_user("manager"))
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    return page


def test_the_letter_follows_what_is_typed_and_names_a_mistake(manager: Page) -> None:
    manager.goto("/desk/notices/texts/due_soon/en/")
    manager.get_by_label("Text").fill("Please bring $games.")
    expect(manager.locator("#preview")).to_contain_text("Please bring A game of the library.")
    manager.get_by_label("Text").fill("Please bring $gmaes.")
    expect(manager.locator("#preview")).to_contain_text("Do you mean $games?")


@pytest.mark.parametrize("window", [{}, {"viewport": PHONE}, {"viewport": NARROWEST}], indirect=True)
def test_the_pages_are_accessible_and_fit_the_window(manager: Page) -> None:
    for path in ("", "texts/late_1/fr/", "today/", "log/", "letters/"):
        manager.goto(f"/desk/notices/{path}")
        assert grave_violations(manager) == []
        assert overflow_px(manager) == 0
