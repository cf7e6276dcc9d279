"""The tray in a real browser: taps, keys, and a scan that comes in between."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from loans.models import MissingPiece, PieceCount
from tests.make import make_copy, make_game, make_loan, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def desk(page: Page, live_server: Any, settings: Any) -> Page:
    """A desk at which Finca has just come back."""
    settings.LANGUAGE_CODE = "en"
    game = make_game("Finca", contents="108 fruits, 20 joueurs, 1 plan de jeu")
    make_loan(make_copy(game, barcode="91300"), now=timezone.now() - timedelta(days=9))
    make_loan(make_copy(barcode="91301"), now=timezone.now() - timedelta(days=9))
    make_user("desk", username="volunteer")
    page.goto(f"{live_server.url}/accounts/login/?next=/desk/")
    page.fill("[name=username]", "volunteer")
    page.fill("[name=password]", "secret")
    page.press("[name=password]", "Enter")
    page.fill("#scan", "91300")
    page.press("#scan", "Enter")
    expect(page.locator(".tray__list")).to_be_visible()
    return page


def test_a_tap_for_each_missing_piece_and_the_box_of_the_scanner_has_the_focus_again(desk: Page) -> None:
    for number in ("1 missing", "2 missing"):
        desk.locator(".tray__piece", has_text="joueurs").click()
        expect(desk.locator(".tray__line--missing")).to_contain_text(number)
    expect(desk.locator("#scan")).to_be_focused()
    assert MissingPiece.objects.get().quantity == 2


def test_complete_by_the_keyboard_alone(desk: Page) -> None:
    for _ in range(12):
        desk.keyboard.press("Tab")
        if desk.evaluate("document.activeElement.classList.contains('tray__complete')"):
            break
    desk.keyboard.press("Enter")
    expect(desk.locator(".tray")).to_contain_text("Counted: complete")
    assert PieceCount.objects.get().state == "complete"


def test_the_next_box_may_be_scanned_while_the_last_one_is_not_counted(desk: Page) -> None:
    desk.fill("#scan", "91301")
    desk.press("#scan", "Enter")
    expect(desk.locator(".desk-answer__game")).to_contain_text("91301")
    assert not PieceCount.objects.exists()
