"""The calendar in a real browser: a burst pipe from the phone, and no barrier on any of its pages."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect

from loans.calendar import local_date
from loans.models import Loan
from tests.make import make_closure, make_loan, make_opening, make_user
from tests.pages.browser import PHONE, grave_violations, overflow_px

pytestmark = [
    pytest.mark.browser,
    pytest.mark.xdist_group("browser"),
    pytest.mark.django_db(transaction=True),
]
WINDOWS = {
    "desktop": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": PHONE},
    "dark": {"viewport": PHONE, "color_scheme": "dark"},
    "no script": {"viewport": PHONE, "java_script_enabled": False},
}


@pytest.fixture
def manager(page: Page, live_server: Any) -> Page:
    """A window of somebody who manages the calendar."""
    client = Client()
    client.force_login(make_user("manager"))
    name = settings.SESSION_COOKIE_NAME
    page.context.add_cookies([{"name": name, "value": client.cookies[name].value, "url": live_server.url}])
    return page


@pytest.mark.parametrize("window", WINDOWS.values(), ids=WINDOWS.keys(), indirect=True)
def test_a_closure_is_entered_looked_at_and_lifted(manager: Page, window: dict[str, Any]) -> None:
    make_opening("FREQ=DAILY")
    loan = make_loan(now=timezone.now())
    promised, today = loan.due_on, local_date(timezone.now(), None)
    manager.goto("/desk/calendar/")
    manager.get_by_role("link", name="Close some days").click()
    manager.get_by_label("First closed day").fill((today + timedelta(days=20)).isoformat())
    manager.get_by_label("Last closed day").fill((today + timedelta(days=25)).isoformat())
    manager.get_by_label("Reason").fill("Burst pipe")
    manager.get_by_role("button", name="See what it moves").click()
    expect(manager.get_by_role("cell", name=loan.copy.game.title)).to_be_visible()
    manager.get_by_role("button", name="Other days").click()
    expect(manager.get_by_label("Reason")).to_have_value("Burst pipe")
    manager.get_by_role("button", name="See what it moves").click()
    manager.get_by_role("button", name="Yes, close, and move").click()
    expect(manager.get_by_text("1 loan has a new due date")).to_be_visible()
    assert Loan.objects.get().due_on == promised + timedelta(days=5)
    manager.get_by_role("button", name="Lift").click()
    manager.get_by_role("button", name="Yes, lift it").click()
    expect(manager.get_by_text("1 loan has a new due date")).to_be_visible()
    assert Loan.objects.get().due_on == promised


def test_which_of_the_month_is_asked_only_where_it_matters(manager: Page) -> None:
    manager.goto("/desk/calendar/openings/new/")
    which, monday = manager.get_by_label("Once a month: which?"), manager.get_by_label("Monday")
    expect(which).to_be_hidden()
    manager.get_by_label("once a month", exact=True).check()
    expect(which).to_be_visible()
    manager.get_by_label("once only").check()
    expect(which).to_be_hidden()
    expect(monday).to_be_hidden()


@pytest.mark.parametrize("window", list(WINDOWS.values())[:3], ids=list(WINDOWS)[:3], indirect=True)
def test_the_pages_of_the_calendar_have_no_grave_barrier(manager: Page, window: dict[str, Any]) -> None:
    today = local_date(timezone.now(), None)
    opening = make_opening("FREQ=WEEKLY;BYDAY=SA")
    closure = make_closure(today, today + timedelta(days=3))
    make_loan(now=timezone.now())
    for address in (
        "",
        "?year=2027",
        "openings/new/",
        f"openings/{opening.pk}/",
        "closures/new/",
        f"closures/{closure.pk}/",
        "holidays/",
    ):
        manager.goto("/desk/calendar/" + address)
        assert grave_violations(manager) == [], address
        assert overflow_px(manager) <= 0, address
    manager.get_by_label("Public holidays of").select_option("CH-GE")
    manager.get_by_role("button", name="Look up").click()
    manager.get_by_role("button", name="See what closing moves").wait_for()
    assert grave_violations(manager) == []
    manager.get_by_role("button", name="See what closing moves").click()
    manager.get_by_role("button", name="Yes, close").wait_for()
    assert grave_violations(manager) == []
    assert overflow_px(manager) <= 0
    manager.goto("/")
    assert grave_violations(manager) == []
