"""A stranger's twenty seconds: the desk by scanner alone, in a real browser, every key counted.

A scanner is a keyboard: it types the code and Enter, faster than any page answers. What a person adds is
counted apart: no click, no Tab, no key of theirs is needed from the desk's first page to "done".
"""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from loans.models import Loan, Member
from tests.loans.test_desk_in_browser import opened
from tests.make import make_copy, make_game, make_member, make_user
from tests.pages.browser import PHONE, grave_violations, overflow_px

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
CARD, BOXES = "20000012", {"91300": "Finca", "90859": "Beep/ Beep/", "91340": "Safranito"}


class Scanner:
    """The scanner in the hand: it counts its beeps, and the keys that it types."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.typed: Counter[str] = Counter()

    def beep(self, *codes: str) -> "Scanner":
        for code in codes:
            self.page.keyboard.type(code)
            self.page.keyboard.press("Enter")
            self.typed.update(beeps=1, keys=len(code) + 1)
        return self


@pytest.fixture
def martin() -> Member:
    for barcode, title in BOXES.items():
        make_copy(make_game(title), barcode=barcode)
    return make_member("Camille Martin", card_number=CARD)


@pytest.fixture
def desk(page: Page, live_server: Any, martin: Member) -> Page:
    """The first page of the desk."""
    return opened(page, live_server.url, make_user("desk"))


def said(page: Page) -> Any:
    return page.locator("[data-say]")


def test_three_games_to_a_family_from_the_first_page_to_done(desk: Page, martin: Member) -> None:
    scanner = Scanner(desk).beep(CARD, *BOXES, "LDT-DONE")
    expect(desk.locator(".journal__line--lend")).to_have_count(3)
    expect(said(desk)).to_contain_text("Ready")
    assert {loan.copy.barcode for loan in martin.loans.filter(returned_at=None)} == set(BOXES)
    assert scanner.typed == Counter(beeps=5, keys=9 + 3 * 6 + 9)


def test_and_back_again_with_the_next_family_at_the_desk(desk: Page, martin: Member) -> None:
    Scanner(desk).beep(CARD, *BOXES, "LDT-DONE", *BOXES)
    expect(desk.locator(".journal__line--check_in")).to_have_count(3)
    assert not Loan.objects.filter(returned_at=None).exists()


def test_a_command_that_waits_in_the_queue_is_done_in_its_turn(desk: Page, martin: Member) -> None:
    Scanner(desk).beep(CARD, *BOXES, "LDT-UNDO")
    expect(said(desk)).to_contain_text("Undone")
    assert Loan.objects.get(voided=True).copy.barcode == "91340"


def test_enter_alone_says_yes_to_a_question_and_closes_nothing(desk: Page, martin: Member) -> None:
    Scanner(desk).beep(CARD, "91300", "LDT-DONE", "91300", CARD, "91300")
    expect(desk.locator("form[data-yes]")).to_be_visible()
    # Slower than the double Enter of a scanner that adds one of its own.
    desk.wait_for_function("performance.now() - enteredAt > DOUBLE_ENTER_MS")
    desk.keyboard.press("Enter")
    expect(desk.locator(".desk-member tbody tr")).to_have_count(1)
    expect(desk.locator("#member")).to_have_text("Camille Martin")


def test_each_answer_sounds_otherwise_unless_it_is_silenced(desk: Page, martin: Member) -> None:
    sounded = "document.documentElement.dataset.sounded ?? ''"
    scanner = Scanner(desk).beep(CARD)
    expect(desk.locator("#member")).to_be_visible()
    assert desk.evaluate(sounded) == "ok"
    scanner.beep("99999")
    expect(desk.locator(".notice--stop .desk-answer__mark")).to_have_text("✕")
    assert desk.evaluate(sounded) == "stop"
    desk.locator("#desk-sound").click()
    desk.reload()
    expect(desk.locator("#desk-sound")).to_have_attribute("aria-pressed", "false")
    scanner.beep(CARD)
    expect(desk.locator("#member")).to_be_visible()
    assert desk.evaluate(sounded) == ""


def test_the_games_day_takes_badges_and_boxes_at_a_scanners_speed(desk: Page, martin: Member) -> None:
    desk.goto("/desk/event/")
    desk.locator("#name").fill("Fête du jeu")
    desk.keyboard.press("Enter")
    expect(desk.locator("#desk-form")).to_be_visible()
    Scanner(desk).beep("12", CARD, "91300", "14")
    expect(said(desk)).to_contain_text("14")
    # The list beside follows without a reload.
    expect(desk.locator(".in-play")).to_contain_text("Camille Martin")
    loan = Loan.objects.get()
    assert [str(player) for player in loan.players.all()] == ["12", "Camille Martin", "14"]


@pytest.mark.parametrize("window", [{"viewport": PHONE}, {"viewport": {"width": 1280, "height": 900}}])
@pytest.mark.parametrize("address", ["commands", "list", "kits", "event"])
def test_the_smaller_pages_are_for_everybody(desk: Page, address: str) -> None:
    desk.goto(f"/desk/{address}/")
    assert grave_violations(desk) == []
    assert overflow_px(desk) == 0
