"""The desk in a real browser: a scanner's speed, the box that keeps the focus, scans that are never lost."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from catalogue.models import Copy
from loans.models import Booking, DeskEvent, Loan, Member
from tests.make import make_copy, make_game, make_loan, make_member, make_user
from tests.pages.browser import PHONE, grave_violations, overflow_px

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
CARD, FINCA, BEEP, SAFRANITO = "20000012", "91300", "90859", "91340"
SENDING = re.compile(r"/desk/scans?/$")


@pytest.fixture
def camille() -> Member:
    return make_member("Camille Martin", card_number=CARD)


@pytest.fixture
def copies() -> list[Copy]:
    titles = {FINCA: "Finca", BEEP: "Beep/ Beep/", SAFRANITO: "Safranito"}
    return [make_copy(make_game(title), barcode=barcode) for barcode, title in titles.items()]


@pytest.fixture
def desk(page: Page, live_server: Any, camille: Member, copies: list[Copy]) -> Page:
    """The desk page of a volunteer."""
    return opened(page, live_server.url, make_user("desk"))


def opened(page: Page, url: str, user: User) -> Page:
    """The desk page of somebody who is signed in."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": url}])
    page.goto("/desk/")
    return page


def scan(page: Page, *codes: str) -> None:
    """As a scanner does it: keys and Enter, to whatever has the focus, waiting for nothing."""
    for code in codes:
        page.keyboard.type(code)
        page.keyboard.press("Enter")


def scan_before_the_answer(page: Page, *codes: str) -> None:
    """Scan so fast that the first answer comes after the last scan."""
    late: list[Route] = []
    page.route("**/desk/scan/", lambda route: late.append(route), times=1)
    scan(page, *codes)
    expect(page.locator("#desk-waiting li")).to_have_text(list(codes))
    late[0].continue_()


def answer(page: Page) -> Any:
    return page.locator("[data-say]")


def borrowed() -> set[tuple[str, str]]:
    """Who has what."""
    loans = Loan.objects.filter(returned_at=None)
    return set(loans.values_list("member__card_number", "copy__barcode"))


def test_three_games_to_a_family_with_the_scanner_alone(desk: Page) -> None:
    scan(desk, CARD, FINCA, BEEP, SAFRANITO)
    expect(answer(desk)).to_contain_text("Safranito")
    expect(desk.locator(".desk-member tbody tr")).to_have_count(3)
    assert borrowed() == {(CARD, FINCA), (CARD, BEEP), (CARD, SAFRANITO)}
    desk.keyboard.press("Escape")
    expect(answer(desk)).to_contain_text("Ready")
    scan(desk, FINCA)
    expect(answer(desk)).to_contain_text("Back")
    assert borrowed() == {(CARD, BEEP), (CARD, SAFRANITO)}


def test_scans_faster_than_the_page_answers_wait_and_none_is_lost(desk: Page) -> None:
    late: list[Route] = []
    desk.route("**/desk/scan/", lambda route: late.append(route), times=1)
    scan(desk, CARD, FINCA, BEEP, SAFRANITO)
    expect(desk.locator("#desk-waiting li")).to_have_text([CARD, FINCA, BEEP, SAFRANITO])
    expect(desk.locator("#scan")).to_have_value("")
    late[0].continue_()
    expect(desk.locator(".desk-member tbody tr")).to_have_count(3)
    expect(desk.locator("#desk-waiting")).to_be_hidden()
    assert borrowed() == {(CARD, FINCA), (CARD, BEEP), (CARD, SAFRANITO)}


def test_two_families_scanned_in_one_go_get_their_own_games(desk: Page) -> None:
    make_member("Aminata Diallo", card_number="20000029")
    scan(desk, CARD, FINCA, "20000029", BEEP)
    expect(answer(desk)).to_contain_text("Beep")
    assert borrowed() == {(CARD, FINCA), ("20000029", BEEP)}


def test_double_enter_is_one_scan_and_does_not_close_the_card(desk: Page) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    desk.keyboard.type(FINCA)
    desk.keyboard.press("Enter")
    desk.keyboard.press("Enter")
    expect(answer(desk)).to_contain_text("Lent")
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    assert DeskEvent.objects.count() == 1


def test_after_an_unreadable_card_the_boxes_wait_for_the_right_one(desk: Page) -> None:
    make_member("Aminata Diallo", card_number="20000029")
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    late: list[Route] = []
    desk.route("**/desk/scan/", lambda route: late.append(route), times=1)
    scan(desk, "2000002X", FINCA, BEEP)
    expect(desk.locator("#desk-waiting li")).to_have_text(["2000002X", FINCA, BEEP])
    late[0].continue_()
    expect(answer(desk)).to_contain_text("2000002X")
    expect(desk.locator("#desk-waiting li")).to_have_text([FINCA, BEEP])
    assert borrowed() == set()
    scan(desk, "20000029")
    expect(answer(desk)).to_contain_text("Beep")
    assert borrowed() == {("20000029", FINCA), ("20000029", BEEP)}


@pytest.fixture
def held(desk: Page) -> Page:
    """A box that is refused to Camille, and two of her boxes scanned before the answer came."""
    make_member("Aminata Diallo", card_number="20000029")
    make_copy(make_game("Pantomime"), barcode="91311", condition="not_for_loan")
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    scan_before_the_answer(desk, "91311", FINCA, BEEP)
    expect(answer(desk)).to_contain_text("Not done")
    expect(desk.locator("#desk-waiting li")).to_have_text([FINCA, BEEP])
    return desk


def test_boxes_that_are_held_do_not_go_to_the_next_family(held: Page) -> None:
    scan(held, "20000029", SAFRANITO)
    expect(answer(held)).to_contain_text("Safranito")
    expect(held.locator("#desk-waiting")).to_contain_text("another card")
    expect(held.locator("#desk-waiting li")).to_have_text([FINCA, BEEP])
    assert borrowed() == {("20000029", SAFRANITO)}
    scan(held, CARD)
    expect(held.locator("#desk-waiting")).to_be_hidden()
    expect(answer(held)).to_contain_text("Beep")
    assert borrowed() == {("20000029", SAFRANITO), (CARD, FINCA), (CARD, BEEP)}


def test_boxes_that_are_held_go_to_the_next_family_if_a_person_says_so(held: Page) -> None:
    scan(held, "20000029")
    held.get_by_role("button", name="for Aminata Diallo").click()
    expect(answer(held)).to_contain_text("Beep")
    assert borrowed() == {("20000029", FINCA), ("20000029", BEEP)}


def test_boxes_that_are_held_can_be_dropped(held: Page) -> None:
    scan(held, "20000029")
    expect(held.locator("#desk-waiting")).to_contain_text("another card")
    held.get_by_role("button", name="Drop these scans").click()
    expect(held.locator("#desk-waiting")).to_be_hidden()
    scan(held, SAFRANITO)
    expect(answer(held)).to_contain_text("Safranito")
    assert borrowed() == {("20000029", SAFRANITO)}


def test_another_box_for_the_same_family_lets_the_held_ones_go_on(held: Page) -> None:
    scan(held, SAFRANITO)
    expect(held.locator(".desk-member tbody tr")).to_have_count(3)
    assert borrowed() == {(CARD, SAFRANITO), (CARD, FINCA), (CARD, BEEP)}


def test_a_box_scanned_before_a_second_refusal_was_seen_is_held_too(held: Page) -> None:
    held.get_by_role("button", name="Drop these scans").click()
    scan_before_the_answer(held, "91311", FINCA)
    expect(held.locator("#desk-waiting li")).to_have_text([FINCA])
    expect(held.locator("#desk-waiting")).to_contain_text("wait for your answer")
    assert borrowed() == set()


@pytest.mark.parametrize("card", ["20000029", ""])
def test_neither_reload_nor_esc_nor_empty_enter_lets_held_boxes_go(held: Page, card: str) -> None:
    held.reload()
    expect(held.locator("#desk-waiting li")).to_have_text([FINCA, BEEP])
    held.keyboard.press("Escape")
    expect(answer(held)).to_contain_text("Ready")
    expect(held.locator("#desk-waiting li")).to_have_text([FINCA, BEEP])
    held.keyboard.press("Enter")
    held.goto("/desk/")
    scan(held, *filter(None, [card]))
    if card:
        expect(held.locator("#member")).to_have_text("Aminata Diallo")
    expect(held.locator("#desk-waiting li")).to_have_text([FINCA, BEEP])
    assert borrowed() == set()
    scan(held, CARD)
    expect(answer(held)).to_contain_text("Beep")
    assert borrowed() == {(CARD, FINCA), (CARD, BEEP)}


@pytest.mark.parametrize("slowly", [True, False])
def test_after_an_unreadable_card_no_box_overtakes_another(desk: Page, *, slowly: bool) -> None:
    make_member("Aminata Diallo", card_number="20000029")
    for code, said in {
        CARD: "Camille",
        "2000002X": "X",
        FINCA: "Finca",
        BEEP: "Beep",
        SAFRANITO: "Saf",
    }.items():
        scan(desk, code)
        if slowly:
            expect(answer(desk)).to_contain_text(said)
    expect(desk.locator("#desk-waiting li")).to_have_text([FINCA, BEEP, SAFRANITO])
    assert borrowed() == set()
    scan(desk, "20000029")
    expect(desk.locator(".desk-member tbody tr")).to_have_count(3)
    lent = DeskEvent.objects.filter(action="lend").order_by("pk").values_list("copy__barcode", flat=True)
    assert list(lent) == [FINCA, BEEP, SAFRANITO]
    assert {card for card, _box in borrowed()} == {"20000029"}


def test_after_an_unreadable_card_and_esc_the_boxes_do_not_go_on_the_next_card(desk: Page) -> None:
    make_member("Aminata Diallo", card_number="20000029")
    scan(desk, CARD, "2000002X", FINCA)
    expect(desk.locator("#desk-waiting li")).to_have_text([FINCA])
    desk.keyboard.press("Escape")
    expect(answer(desk)).to_contain_text("Ready")
    scan(desk, "20000029")
    expect(desk.locator("#desk-waiting")).to_contain_text("another card")
    assert borrowed() == set()


def test_a_scan_without_network_is_kept_and_sent_again(desk: Page) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    desk.context.set_offline(True)
    scan(desk, FINCA)
    expect(desk.locator("#desk-offline")).to_contain_text(FINCA)
    desk.context.set_offline(False)
    expect(answer(desk)).to_contain_text("Lent")
    assert borrowed() == {(CARD, FINCA)}


def test_an_answer_that_got_lost_is_asked_for_again_and_the_loan_made_once(desk: Page) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    desk.route("**/desk/scan/", lose_the_answer, times=1)
    scan(desk, FINCA)
    expect(answer(desk)).to_contain_text("Lent")
    assert Loan.objects.get().returned_at is None
    assert DeskEvent.objects.count() == 1


def test_scans_that_wait_outlive_a_reload(desk: Page) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    desk.route(SENDING, lambda route: route.abort())
    scan(desk, FINCA)
    expect(desk.locator("#desk-offline")).to_contain_text(FINCA)
    desk.unroute(SENDING)
    desk.reload()
    expect(answer(desk)).to_contain_text("Lent")
    assert borrowed() == {(CARD, FINCA)}


def test_a_scan_kept_for_an_hour_does_not_undo_what_was_done_meanwhile(
    desk: Page, camille: Member, copies: list[Copy]
) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    desk.route(SENDING, lambda route: route.abort())
    scan(desk, FINCA)
    expect(desk.locator("#desk-offline")).to_contain_text(FINCA)
    make_loan(copies[0], camille, now=timezone.now() - timedelta(minutes=20))
    desk.evaluate(
        """async () => {
          const [scan] = await deskStore.scans();
          await deskStore.change({ ...scan, at: scan.at - 3600 * 1000 });
        }"""
    )
    desk.unroute(SENDING)
    desk.reload()
    expect(answer(desk)).to_contain_text("This scan was kept since")
    assert borrowed() == {(CARD, FINCA)}


def sign_in(page: Page, name: str) -> None:
    page.locator("[name=username]").fill(name)
    page.locator("[name=password]").fill("secret")
    page.keyboard.press("Enter")


@pytest.fixture
def signed_out(page: Page, live_server: Any, camille: Member, copies: list[Copy]) -> Page:
    """The desk of a volunteer who was signed out with Camille's card open."""
    opened(page, live_server.url, make_user("desk", "ines"))
    scan(page, CARD)
    expect(page.locator("#member")).to_have_text("Camille Martin")
    page.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    return page


def test_signed_out_at_the_desk_a_link_leads_back_and_the_scans_go_on(signed_out: Page) -> None:
    scan(signed_out, FINCA)
    expect(signed_out.locator("#desk-waiting")).to_contain_text("You are signed out")
    signed_out.keyboard.press("Escape")
    signed_out.get_by_role("link", name="Sign in").last.click()
    sign_in(signed_out, "ines")
    expect(answer(signed_out)).to_contain_text("Lent")
    expect(signed_out.locator("#member")).to_have_text("Camille Martin")
    assert borrowed() == {(CARD, FINCA)}


def test_signed_in_again_in_another_tab_the_scans_go_on(signed_out: Page) -> None:
    scan(signed_out, FINCA)
    expect(signed_out.locator("#desk-waiting")).to_contain_text("You are signed out")
    other = signed_out.context.new_page()
    other.goto("/accounts/login/?next=/desk/")
    sign_in(other, "ines")
    expect(other.locator("#desk-panel")).to_be_visible()
    other.close()
    signed_out.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(answer(signed_out)).to_contain_text("Lent")
    assert borrowed() == {(CARD, FINCA)}


def test_esc_after_a_sign_out_closes_the_card_and_is_not_kept(signed_out: Page) -> None:
    signed_out.keyboard.press("Escape")
    sign_in(signed_out, "ines")
    expect(answer(signed_out)).to_contain_text("Ready")
    assert signed_out.url.endswith("/desk/")


def test_at_a_wide_screen_the_card_stands_close_under_the_answer(
    desk: Page, camille: Member, copies: list[Copy]
) -> None:
    desk.set_viewport_size({"width": 1280, "height": 900})
    for _ in range(10):
        make_loan(now=timezone.now())
    scan(desk, CARD, FINCA, BEEP)
    expect(answer(desk)).to_contain_text("Beep")
    said, card = desk.locator(".desk-answer").bounding_box(), desk.locator(".desk-member").bounding_box()
    assert said
    assert card
    assert 0 <= card["y"] - (said["y"] + said["height"]) < 48


def test_the_box_has_the_focus_whatever_is_clicked(desk: Page) -> None:
    box = desk.locator("#scan")
    expect(box).to_be_focused()
    desk.locator("h1").click()
    expect(box).to_be_focused()
    scan(desk, CARD, FINCA)
    expect(answer(desk)).to_contain_text("Lent")
    desk.get_by_role("button", name="Undo").first.click()
    expect(answer(desk)).to_contain_text("Undone")
    expect(box).to_be_focused()
    assert borrowed() == set()


def test_refused_renewed_and_undone_by_keyboard_alone(
    desk: Page, camille: Member, copies: list[Copy]
) -> None:
    make_loan(copies[0], camille, now=timezone.now() - timedelta(days=5))
    make_loan(copies[1], now=timezone.now() - timedelta(days=5))
    Copy.objects.filter(pk=copies[2].pk).update(condition="lost")
    scan(desk, CARD, SAFRANITO)
    expect(answer(desk)).to_contain_text("listed as lost")
    desk.get_by_role("button", name="Renew").focus()
    desk.keyboard.press("Enter")
    expect(answer(desk)).to_contain_text("Renewed")
    desk.get_by_role("button", name="Undo").first.focus()
    desk.keyboard.press("Space")
    expect(answer(desk)).to_contain_text("Undone")
    assert Loan.objects.get(copy=copies[0]).renewals == 0


def test_a_scanner_aimed_at_the_reason_sets_nothing_aside(
    page: Page, live_server: Any, copies: list[Copy]
) -> None:
    make_member("Eva Roth", card_number="5", block_reason="Unpaid")
    opened(page, live_server.url, make_user("manager"))
    scan(page, "5", FINCA)
    page.get_by_label("Do it all the same").click()
    scan(page, BEEP)
    expect(answer(page)).to_contain_text("Not done")
    assert borrowed() == set()
    page.get_by_label("Do it all the same").fill("Paid just now")
    page.get_by_role("button", name="Set the refusal aside").click()
    expect(answer(page)).to_contain_text("Paid just now")
    assert borrowed() == {("5", FINCA)}


@pytest.mark.parametrize(
    "window", [{}, {"viewport": PHONE}, {"viewport": PHONE, "color_scheme": "dark"}], indirect=True
)
def test_the_desk_is_accessible_and_fits_the_window(desk: Page, camille: Member, copies: list[Copy]) -> None:
    make_loan(copies[0], camille, now=timezone.now() - timedelta(days=30))
    scan(desk, CARD, BEEP)
    expect(answer(desk)).to_contain_text("Not done")
    assert grave_violations(desk) == []
    assert overflow_px(desk) == 0


@pytest.mark.parametrize("window", [{"java_script_enabled": False}], indirect=True)
def test_the_desk_works_without_javascript(desk: Page) -> None:
    expect(desk.locator("#scan")).to_be_focused()
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    expect(desk.locator("#scan")).to_be_focused()
    scan(desk, FINCA)
    expect(answer(desk)).to_contain_text("Lent")
    expect(desk.locator("#scan")).to_be_focused()
    desk.get_by_role("button", name="Undo").first.click()
    expect(answer(desk)).to_contain_text("Undone")
    assert borrowed() == set()


@pytest.mark.parametrize("window", [{"viewport": PHONE, "locale": "fr-FR"}], indirect=True)
def test_a_long_label_leaves_room_for_what_it_names(desk: Page, camille: Member, copies: list[Copy]) -> None:
    day = timezone.localdate() + timedelta(days=20)
    trip = Booking.objects.create(
        game=copies[0].game,
        member=camille,
        copies=1,
        from_on=day,
        to_on=day,
        made_at=timezone.now(),
    )
    desk.goto(f"/desk/bookings/{trip.pk}/")
    facts = desk.locator(".facts")
    whole, value = facts.bounding_box(), facts.locator("dd").first.bounding_box()
    assert whole is not None
    assert value is not None
    assert value["width"] > whole["width"] / 2
