"""The desk with the plug pulled, in a real browser: scans are kept, sent in order, none done twice."""

import json
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Dialog, Error, Page, Request, Route, expect

from catalogue.models import Copy
from loans import kept
from loans.act import Act
from loans.models import DeskEvent, Loan, Member
from tests.loans.test_desk_in_browser import answer, borrowed, opened, scan, sign_in
from tests.make import make_copy, make_game, make_loan, make_member, make_user
from tests.pages.browser import ARGUMENTS, PHONE, chromium_path, grave_violations, overflow_px

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
app = pytest.mark.parametrize("window", [{"service_workers": "allow"}], indirect=True)
CARD, OTHER, FINCA, BEEP, SAFRANITO = "20000012", "20000029", "91300", "90859", "91340"
DESK_IS_KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const isKept = () => caches.match("/desk/offline/", { ignoreVary: true });
  const isReady = async () => navigator.serviceWorker.controller && (await isKept());
  while (!(await isReady())) await new Promise((again) => setTimeout(again, 20));
}"""
ON_THE_DEVICE = """async () => {
  const open = indexedDB.open("desk", 1);
  await new Promise((done) => { open.onsuccess = done; });
  const read = (name) => new Promise((done) => {
    const request = open.result.transaction(name).objectStore(name).getAll();
    request.onsuccess = () => done(request.result);
  });
  return [await read("scans"), await read("facts")];
}"""


@pytest.fixture
def camille() -> Member:
    return make_member("Camille Martin", card_number=CARD)


@pytest.fixture
def copies() -> list[Copy]:
    titles = {FINCA: "Finca", BEEP: "Beep/ Beep/", SAFRANITO: "Safranito"}
    return [make_copy(make_game(title), barcode=barcode) for barcode, title in titles.items()]


@pytest.fixture
def desk(page: Page, live_server: Any, window: dict[str, Any], camille: Member, copies: list[Copy]) -> Page:
    """The desk page of Ines, whose device knows by now which of the codes are cards, with no card open."""
    make_member("Aminata Diallo", card_number=OTHER)
    opened(page, live_server.url, make_user("desk", "ines"))
    if window.get("service_workers") == "allow":
        page.evaluate(DESK_IS_KEPT)
    scan(page, CARD)
    expect(page.locator("#member")).to_have_text("Camille Martin")
    page.keyboard.press("Escape")
    expect(answer(page)).to_contain_text("Ready")
    return page


def kept_codes(page: Page) -> Any:
    return page.locator("#desk-offline [data-visits] .printed:not(:empty)")


def pull_the_plug(page: Page) -> None:
    page.context.set_offline(True)


def plug_in(page: Page) -> None:
    page.context.set_offline(False)


def everything_sent(page: Page) -> None:
    expect(page.locator("#desk-sent")).to_be_visible()
    expect(page.locator("#desk-offline")).to_be_hidden()


@app
def test_a_closed_tab_a_reload_and_a_conflict_lose_nothing_and_lend_nothing_twice(
    desk: Page, copies: list[Copy], camille: Member
) -> None:
    pull_the_plug(desk)
    scan(desk, CARD, FINCA)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    expect(desk.locator("#scan")).to_have_value("")
    expect(desk.locator("#desk-panel")).to_be_hidden()
    context, desk_before = desk.context, desk
    tab = context.new_page()
    desk_before.close()
    tab.goto("/desk/")
    expect(kept_codes(tab)).to_have_text([CARD, FINCA])
    scan(tab, OTHER, BEEP, SAFRANITO)
    expect(kept_codes(tab)).to_have_text([CARD, FINCA, OTHER, BEEP, SAFRANITO])
    tab.reload()
    expect(kept_codes(tab)).to_have_text([CARD, FINCA, OTHER, BEEP, SAFRANITO])
    # Another desk, which has a network, lends one of the boxes meanwhile.
    make_loan(copies[1], make_member("Eva Roth", card_number="5"), now=timezone.now() + timedelta(seconds=1))
    assert borrowed() == {("5", BEEP)}
    plug_in(tab)
    expect(tab.locator("#desk-kept [data-count]")).to_have_text("1", timeout=20_000)
    expect(tab.locator("#desk-offline")).to_be_hidden()
    assert borrowed() == {(CARD, FINCA), ("5", BEEP), (OTHER, SAFRANITO)}
    assert Loan.objects.count() == 3
    tab.get_by_role("link", name="need a look").click()
    expect(tab.locator(".visit")).to_contain_text("Beep")
    tab.reload()
    tab.get_by_role("button", name="Seen to").click()
    expect(tab.get_by_text("Nothing to look at")).to_be_visible()


def test_scans_go_on_in_the_page_that_is_open_and_come_back_to_it(desk: Page) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")
    pull_the_plug(desk)
    scan(desk, FINCA, BEEP)
    expect(kept_codes(desk)).to_have_text([FINCA, BEEP])
    expect(desk.locator(".visit h3")).to_contain_text("The card that was open")
    plug_in(desk)
    everything_sent(desk)
    expect(desk.locator(".desk-member tbody tr")).to_have_count(2)
    assert borrowed() == {(CARD, FINCA), (CARD, BEEP)}
    scan(desk, SAFRANITO)
    expect(answer(desk)).to_contain_text("Safranito")
    assert borrowed() == {(CARD, FINCA), (CARD, BEEP), (CARD, SAFRANITO)}


def test_a_wrong_scan_is_removed_and_done_and_undo_work(desk: Page) -> None:
    pull_the_plug(desk)
    scan(desk, CARD, FINCA, BEEP, SAFRANITO)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA, BEEP, SAFRANITO])
    desk.get_by_role("button", name=f"Remove {FINCA}").click()
    expect(kept_codes(desk)).to_have_text([CARD, BEEP, SAFRANITO])
    scan(desk, "LDT-UNDO")
    expect(kept_codes(desk)).to_have_text([CARD, BEEP])
    scan(desk, "LDT-EXTEND")
    expect(desk.locator("#desk-offline [data-told]")).to_contain_text("Without network only")
    plug_in(desk)
    everything_sent(desk)
    assert borrowed() == {(CARD, BEEP)}


def test_two_windows_send_each_scan_once_and_keep_their_cards_apart(desk: Page) -> None:
    second = desk.context.new_page()
    second.goto("/desk/")
    expect(second.locator("#desk-panel")).to_be_visible()
    pull_the_plug(desk)
    scan(desk, CARD, FINCA)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    scan(second, OTHER, BEEP)
    expect(kept_codes(second)).to_have_text([CARD, FINCA, OTHER, BEEP])
    scan(desk, SAFRANITO)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA, OTHER, BEEP, CARD, SAFRANITO])
    sent: list[str] = []

    def note(asked: Request) -> None:
        if "/api/desk/" in asked.url:
            sent.append(json.loads(asked.post_data or "{}")["nonce"])

    for tab in (desk, second):
        tab.on("requestfinished", note)
    plug_in(desk)
    for tab in (desk, second):
        expect(tab.locator("#desk-offline")).to_be_hidden(timeout=20_000)
    assert borrowed() == {(CARD, FINCA), (OTHER, BEEP), (CARD, SAFRANITO)}
    assert DeskEvent.objects.count() == 3
    assert len(sent) == len(set(sent)) == 5


def test_an_answer_that_got_lost_is_not_done_again(desk: Page) -> None:
    scan(desk, CARD)
    expect(desk.locator("#member")).to_have_text("Camille Martin")

    def lose_the_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    for address in ("**/desk/scan/", "**/api/desk/scans/"):
        desk.route(address, lose_the_answer, times=1)
    scan(desk, FINCA)
    everything_sent(desk)
    assert (borrowed(), DeskEvent.objects.count()) == ({(CARD, FINCA)}, 1)


def test_signed_out_meanwhile_the_scans_wait_for_their_volunteer(desk: Page) -> None:
    pull_the_plug(desk)
    scan(desk, CARD, FINCA)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    desk.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    plug_in(desk)
    expect(desk.locator("#desk-offline [data-state]")).to_contain_text("You are signed out")
    assert borrowed() == set()
    desk.locator("#desk-offline").get_by_role("link", name="Sign in").click()
    sign_in(desk, "ines")
    everything_sent(desk)
    assert borrowed() == {(CARD, FINCA)}


def test_somebody_else_is_told_whose_scans_they_are(desk: Page) -> None:
    make_user("desk", "margaux")
    pull_the_plug(desk)
    scan(desk, CARD, FINCA)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    desk.context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    plug_in(desk)
    desk.locator("#desk-offline").get_by_role("link", name="Sign in").click()
    sign_in(desk, "margaux")
    expect(desk.locator("#desk-offline [data-state]")).to_contain_text("made by ines")
    assert borrowed() == set()
    desk.get_by_role("button", name="Send them in my name").click()
    everything_sent(desk)
    assert borrowed() == {(CARD, FINCA)}
    assert {event.by.username for event in DeskEvent.objects.select_related("by") if event.by} == {"margaux"}


def test_who_signs_out_is_warned_of_unsent_scans_and_leaves_nothing(desk: Page) -> None:
    pull_the_plug(desk)
    scan(desk, CARD, FINCA)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    scans, facts = desk.evaluate(ON_THE_DEVICE)
    assert [one["code"] for one in scans] == [CARD, FINCA]
    assert "Camille" not in str(scans + facts)
    desk.route("**/api/desk/scans/", lambda route: route.abort())
    plug_in(desk)
    asked: list[str] = []

    def stay_then_go(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss() if len(asked) == 1 else dialog.accept()

    desk.on("dialog", stay_then_go)
    desk.get_by_role("button", name="Sign out").click()
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    desk.get_by_role("button", name="Sign out").click()
    expect(desk.get_by_role("link", name="Sign in").first).to_be_visible()
    assert len(asked) == 2
    assert "not sent: 2" in asked[0]
    assert desk.evaluate(ON_THE_DEVICE) == [[], []]


@pytest.mark.parametrize(
    "window",
    [
        {"service_workers": "allow", "viewport": PHONE},
        {"service_workers": "allow", "viewport": PHONE, "color_scheme": "dark"},
    ],
    indirect=True,
)
def test_it_is_accessible_and_fits_a_phone(desk: Page) -> None:
    pull_the_plug(desk)
    scan(desk, CARD, FINCA)
    expect(kept_codes(desk)).to_have_text([CARD, FINCA])
    for reopened in (False, True):
        if reopened:
            desk.reload()
            expect(kept_codes(desk)).to_have_text([CARD, FINCA])
        assert grave_violations(desk) == []
        assert overflow_px(desk) == 0
    plug_in(desk)
    expect(desk.locator("#desk-panel")).to_be_visible(timeout=20_000)
    make_list()
    desk.goto("/desk/kept/")
    expect(desk.locator(".visit")).to_have_count(2)
    assert grave_violations(desk) == []
    assert overflow_px(desk) == 0


def test_a_browser_that_crashes_keeps_every_scan(desk: Page, live_server: Any, tmp_path: Path) -> None:
    """A browser with a profile on the disk, ended in the middle of it all, as by a flat battery."""
    session = {"name": settings.SESSION_COOKIE_NAME, "url": live_server.url}
    session["value"] = next(c["value"] for c in desk.context.cookies() if c["name"] == session["name"])
    browser = desk.context.browser
    assert browser
    start = partial(
        browser.browser_type.launch_persistent_context,
        tmp_path,
        executable_path=chromium_path(),
        args=ARGUMENTS,
    )
    before = start()
    before.add_cookies([session])  # type: ignore[list-item]
    tab = before.new_page()
    tab.goto(desk.url)
    tab.evaluate(DESK_IS_KEPT)
    before.set_offline(offline=True)
    scan(tab, CARD, FINCA)
    expect(kept_codes(tab)).to_have_text([CARD, FINCA])
    with pytest.raises(Error, match="closed"):
        before.new_cdp_session(tab).send("Browser.crash")
    after = start(offline=True)
    tab = after.new_page()
    tab.goto(desk.url)
    expect(kept_codes(tab)).to_have_text([CARD, FINCA])
    scan(tab, BEEP)
    expect(kept_codes(tab)).to_have_text([CARD, FINCA, BEEP])
    after.add_cookies([session])  # type: ignore[list-item]
    after.set_offline(offline=False)
    expect(tab.locator("#desk-kept [data-count]")).to_have_text("1", timeout=20_000)
    # The second browser does not know on whose card the last box was meant to go, and says so.
    assert borrowed() == {(CARD, FINCA)}
    assert [row.event.copy.barcode for row in kept.to_look_at() if row.event.copy] == [BEEP]
    after.close()


def make_list() -> None:
    """Two scans that need a look."""
    by = User.objects.get(groups__name="desk")
    act = Act(by=by, now=timezone.now(), nonce="u", scanned="2000002X")
    after = kept.merge("2000002X", kept.Place(), act).after
    kept.merge(BEEP, after, Act(by=by, now=timezone.now(), nonce="b", scanned=BEEP))
