"""axe-core finds nothing serious on the public pages, in both themes and on both widths."""

from typing import Any

import pytest
from playwright.sync_api import Page

from catalogue import records
from tests.make import make_user
from tests.pages.browser import PHONE, grave_violations
from tests.pages.library import indexed_finca, three_versions

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
WINDOWS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "phone": {"viewport": PHONE},
    "dark phone": {"viewport": PHONE, "color_scheme": "dark"},
}
every_window = pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS.keys(), indirect=True)


@every_window
def test_public_pages_have_no_grave_barrier(page: Page) -> None:
    game = indexed_finca()
    text, versions = game.rules_texts.get(language="fr"), three_versions()
    other = game.rules_texts.get(language="es")
    paths = [
        "/",
        "/?q=fruits",
        "/?q=finca&players=3",
        "/?q=zzzqqq",
        f"/games/{game.pk}/",
        f"/rules/{text.pk}/",
    ]
    paths += [f"/rules/{versions.pk}/{rest}" for rest in ("history/", "diff/", "revisions/1/")]
    paths += [f"/rules/{text.pk}/sections/egalite/", f"/rules/{text.pk}/beside/{other.pk}/"]
    paths += ["/accounts/login/", "/nowhere/"]
    found = []
    for path in paths:
        page.goto(path)
        found += [f"{path} {violation}" for violation in grave_violations(page)]
    assert found == []


@every_window
def test_the_record_seen_by_a_librarian_has_no_grave_barrier(page: Page) -> None:
    game = indexed_finca()
    records.raise_flag(game, "identifier_check", "68862310192")
    user = make_user("librarian")
    page.goto(f"/accounts/login/?next=/games/{game.pk}/")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("secret")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="To be checked").wait_for()
    assert grave_violations(page) == []


@every_window
def test_the_cataloguing_pages_have_no_grave_barrier(page: Page) -> None:
    game = indexed_finca()
    text = game.rules_texts.get(language="fr")
    user = make_user("librarian")
    page.goto("/accounts/login/?next=/catalogue/")
    page.get_by_label("Username").fill(user.username)
    page.get_by_label("Password").fill("secret")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="Add a game").wait_for()
    at_game = f"/catalogue/games/{game.pk}/"
    forms = ["/catalogue/games/add/", at_game, f"{at_game}copies/add/", f"{at_game}rules/add/"]
    forms += [f"{at_game}documents/add/", f"/catalogue/rules/{text.pk}/"]
    found = []
    for path in ["/catalogue/", *forms]:
        page.goto(path)
        found += [f"{path} {violation}" for violation in grave_violations(page)]
    assert found == []
