"""The list of doubts on a phone: the words have the width of the list, the button stands under them."""

import pytest
from playwright.sync_api import Page

from catalogue import records
from catalogue.draft import Doubt
from tests.make import make_game, make_user
from tests.pages.browser import NARROWEST, PHONE

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]


def sign_in(page: Page, then: str) -> None:
    page.goto(f"/accounts/login/?next={then}")
    page.get_by_label("Username").fill(make_user("librarian").username)
    page.get_by_label("Password").fill("secret")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize(
    "window", [{"viewport": PHONE, "is_mobile": True}, {"viewport": NARROWEST}], indirect=True
)
def test_a_doubt_has_the_whole_width_of_its_list(page: Page) -> None:
    game = make_game()
    records.raise_flag(game, Doubt.LANGUAGE_GUESSED, "fr")
    sign_in(page, "/catalogue/")
    doubt, words = page.locator(".doubt").bounding_box(), page.locator(".doubt > div").bounding_box()
    button = page.get_by_role("button", name="Settle").bounding_box()
    assert doubt is not None
    assert words is not None
    assert button is not None
    assert button["y"] >= words["y"] + words["height"]
    assert words["width"] > 0.7 * doubt["width"]
