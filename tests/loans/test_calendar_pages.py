"""The pages of the calendar: what they show, what they ask before they change anything, what they refuse."""

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone, translation
from django.utils.formats import date_format
from pytest_django import Settings

from catalogue.models import Branch
from loans.calendar import local_date
from loans.models import Closure, Loan, Opening
from tests.loans.test_proposals import AUTUMN, calendar_file
from tests.make import make_closure, make_copy, make_loan, make_opening, make_user

pytestmark = pytest.mark.django_db
CALENDAR = "/desk/calendar/"
WEDNESDAYS = {"every": "week", "nth": "1", "weekdays": ["2"], "starts_on": "2027-01-01"}


@pytest.fixture
def manager(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    return client


def text(client: Client, address: str) -> str:
    """What a page says, in one line."""
    response = client.get(address)
    assert response.status_code == 200
    return " ".join(response.content.decode().split())


def today() -> date:
    return local_date(timezone.now(), None)


# --- the days ----------------------------------------------------------------------------------


def test_a_month_tells_open_closed_and_not_said_in_words(manager: Client) -> None:
    make_opening("FREQ=WEEKLY;BYDAY=SA;UNTIL=20270320", starts_on=date(2027, 3, 6))
    Opening.objects.update(opens_at="10:00", closes_at="12:30")
    make_closure(date(2027, 3, 13))
    Closure.objects.update(reason="Burst pipe")
    days = manager.get(CALENDAR + "?month=2027-03").context["month"].weeks
    told = {day.day.day: (day.word, day.symbol) for week in days for day in week if day}
    assert told[5] == told[21] == ("not said", "?")
    assert told[6] == told[20] == ("open", "●")
    assert told[7] == told[13] == ("closed", "✕")
    page = text(manager, CALENDAR + "?month=2027-03")
    assert "10:00–12:30" in page
    assert "Burst pipe" in page
    assert text(manager, CALENDAR + "?year=2027").count("●") == 3  # the 6th, the 20th, and the key


def test_every_branch_has_its_own_days(manager: Client) -> None:
    here, there = make_copy(branch="Here").branch, make_copy(branch="There").branch
    assert here is not None
    assert there is not None
    make_opening("FREQ=WEEKLY;BYDAY=SA", branch=there)
    assert "Every week: Saturday" in text(manager, f"{CALENDAR}?branch={there.pk}")
    page = text(manager, f"{CALENDAR}?branch={here.pk}")
    assert "Every week: Saturday" not in page
    assert "No opening day was entered yet" in page


@pytest.mark.parametrize(
    "query", ["month=x", "month=2027-13", "year=99999", "year=-1", "month=", "year=2027-02-03", "month=²-1"]
)
def test_an_address_that_names_no_month_shows_this_one(manager: Client, query: str) -> None:
    assert manager.get(CALENDAR + "?" + query).context["year"] == today().year


def test_a_branch_that_does_not_exist_is_not_found(manager: Client) -> None:
    assert manager.get(CALENDAR + "?branch=12345").status_code == 404


def test_a_calendar_that_is_never_open_says_so_on_top(manager: Client) -> None:
    make_opening("FREQ=DAILY;UNTIL=20210101")
    assert "No day within a year is open" in text(manager, CALENDAR)


def test_the_desk_sees_the_days_and_changes_nothing(client: Client) -> None:
    make_opening("FREQ=WEEKLY;BYDAY=SA")
    closure = make_closure(today())
    client.force_login(make_user("desk"))
    assert client.get(CALENDAR).status_code == 200
    for address in ("openings/new/", "closures/new/", f"closures/{closure.pk}/", "holidays/"):
        assert client.get(CALENDAR + address).status_code == 403
    for address in ("openings/remove/", f"closures/{closure.pk}/lift/", "holidays/close/"):
        assert client.post(CALENDAR + address).status_code == 403


# --- opening days ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "rrule", "words"),
    [
        ({"weekdays": ["2", "5"]}, "FREQ=WEEKLY;BYDAY=WE,SA", "Every week: Wednesday, Saturday"),
        (
            {"every": "second_week", "until": "2030-06-30"},
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE;UNTIL=20300630",
            "Every second week: Wednesday",
        ),
        (
            {"every": "month", "nth": "1", "weekdays": ["5"]},
            "FREQ=MONTHLY;BYDAY=1SA",
            "Once a month, the first: Saturday",
        ),
        (
            {"every": "month", "nth": "-1", "weekdays": ["5"]},
            "FREQ=MONTHLY;BYDAY=-1SA",
            "Once a month, the last: Saturday",
        ),
    ],
)
def test_opening_days_are_typed_in_weekdays_and_read_back_in_words(
    manager: Client, typed: dict[str, str], rrule: str, words: str
) -> None:
    sent = {**WEDNESDAYS, **typed, "opens_at": "14:00", "closes_at": "18:00"}
    assert manager.post(CALENDAR + "openings/new/", sent).status_code == 302
    row = Opening.objects.get()
    assert row.rrule == rrule
    page = text(manager, CALENDAR)
    assert words in page
    assert "14:00–18:00" in page
    shown = manager.get(f"{CALENDAR}openings/{row.pk}/").context["form"].initial
    assert shown["weekdays"] == tuple(int(day) for day in sent["weekdays"])


def test_a_single_opening_needs_no_weekday(manager: Client) -> None:
    sent = {"every": "once", "nth": "1", "starts_on": (today() + timedelta(days=9)).isoformat()}
    assert manager.post(CALENDAR + "openings/new/", sent).status_code == 302
    assert Opening.objects.get().rrule == "FREQ=DAILY;COUNT=1"
    assert "Once only:" in text(manager, CALENDAR)


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"weekdays": []}, "weekdays"),
        ({"weekdays": ["8"]}, "weekdays"),
        ({"every": "never"}, "every"),
        ({"starts_on": ""}, "starts_on"),
        ({"starts_on": "soon"}, "starts_on"),
        ({"until": "2026-12-31"}, "until"),
        ({"opens_at": "18:00", "closes_at": "14:00"}, "closes_at"),
        ({"branch": "77"}, "branch"),
        ({"until": "2027-01-02"}, "__all__"),  # no Wednesday between
        ({"starts_on": "0001-01-01"}, "__all__"),
        ({"starts_on": "1990-01-01", "until": "1991-01-01"}, "__all__"),  # long over: never open again
    ],
)
def test_opening_days_that_make_no_sense_are_said_beside_the_field_and_nothing_typed_is_lost(
    manager: Client, typed: dict[str, str], field: str
) -> None:
    response = manager.post(CALENDAR + "openings/new/", {**WEDNESDAYS, "until": "2030-01-01", **typed})
    assert response.status_code == 200
    assert list(response.context["form"].errors) == [field]
    assert response.context["form"].data["nth"] == "1"
    assert not Opening.objects.exists()


def test_opening_rules_are_removed_together_after_a_second_look(manager: Client) -> None:
    rows = [make_opening("FREQ=WEEKLY;BYDAY=SA"), make_opening("FREQ=MONTHLY;BYDAY=2SU")]
    kept = make_opening("FREQ=WEEKLY;BYDAY=WE")
    ticked = {"opening": [row.pk for row in rows]}
    page = manager.post(CALENDAR + "openings/remove/", ticked).content.decode()
    assert "Once a month, the second: Sunday" in page
    assert Opening.objects.count() == 3
    assert manager.post(CALENDAR + "openings/remove/", {**ticked, "sure": "1"}).status_code == 302
    assert list(Opening.objects.all()) == [kept]


def test_the_last_rule_that_still_opens_a_day_is_not_removed_from_under_the_others(manager: Client) -> None:
    make_opening("FREQ=WEEKLY;BYDAY=SA;UNTIL=20210101")
    alive = make_opening("FREQ=WEEKLY;BYDAY=WE")
    response = manager.post(CALENDAR + "openings/remove/", {"opening": [alive.pk], "sure": "1"}, follow=True)
    assert "no day within a year would be open" in response.content.decode()
    assert Opening.objects.count() == 2


def test_a_rule_that_no_form_can_show_is_shown_as_it_is_and_may_be_replaced(manager: Client) -> None:
    row = make_opening("FREQ=WEEKLY;INTERVAL=3;BYDAY=SA")
    assert "By the rule FREQ=WEEKLY;INTERVAL=3;BYDAY=SA" in text(manager, CALENDAR)
    address = f"{CALENDAR}openings/{row.pk}/"
    assert "which this form cannot show" in text(manager, address)
    assert manager.post(address, WEDNESDAYS).status_code == 302
    assert Opening.objects.get().rrule == "FREQ=WEEKLY;BYDAY=WE"


# --- closures ----------------------------------------------------------------------------------


def days_ahead(first: int, last: int) -> dict[str, str]:
    """A closure, in days from today."""
    return {
        "first_on": (today() + timedelta(days=first)).isoformat(),
        "last_on": (today() + timedelta(days=last)).isoformat(),
        "reason": "Burst pipe",
    }


def seen_on(page: object) -> str:
    """The name of the plan that a page shows."""
    return str(page.context["plan"].seen)  # type: ignore[attr-defined]


@pytest.fixture
def loan() -> Loan:
    """A game that is due in three weeks."""
    return make_loan(now=timezone.now())


def test_a_closure_is_shown_with_what_it_moves_and_then_made(manager: Client, loan: Loan) -> None:
    sent = days_ahead(18, 25)
    page = manager.post(CALENDAR + "closures/new/", sent)
    assert loan.copy.game.title in page.content.decode()
    assert "1 game gets a new due date" in page.content.decode()
    assert not Closure.objects.exists()
    done = manager.post(CALENDAR + "closures/new/", {**sent, "seen": seen_on(page)}, follow=True)
    assert "Done. 1 loan has a new due date." in done.content.decode()
    loan.refresh_from_db()
    assert loan.due_on == today() + timedelta(days=26)
    assert Closure.objects.get().reason == "Burst pipe"


def test_the_days_of_the_look_are_written_as_a_reader_writes_them(manager: Client, loan: Loan) -> None:
    manager.cookies["django_language"] = "fr"
    page = manager.post(CALENDAR + "closures/new/", days_ahead(18, 25))
    with translation.override("fr"):
        then = date_format(today() + timedelta(days=26), "l j F Y")
    assert f"<strong>{then}</strong>" in page.content.decode()


def test_a_closure_is_lifted_after_a_look_at_what_goes_back(manager: Client, loan: Loan) -> None:
    promised, sent = loan.due_on, days_ahead(18, 25)
    seen = seen_on(manager.post(CALENDAR + "closures/new/", sent))
    manager.post(CALENDAR + "closures/new/", {**sent, "seen": seen})
    closure = Closure.objects.get()
    address = f"{CALENDAR}closures/{closure.pk}/lift/"
    page = manager.post(address)
    assert "as promised" in page.content.decode()
    assert Closure.objects.get().lifted_at is None
    manager.post(address, {"seen": seen_on(page)})
    loan.refresh_from_db()
    assert loan.due_on == promised
    closure.refresh_from_db()
    assert closure.lifted_at is not None
    assert manager.post(address).status_code == 404


def test_a_closure_is_given_other_days(manager: Client, loan: Loan) -> None:
    closure = make_closure(today() + timedelta(days=18), today() + timedelta(days=25))
    address = f"{CALENDAR}closures/{closure.pk}/"
    assert "1 loan is due in it" in text(manager, CALENDAR)
    sent = days_ahead(18, 22)
    page = manager.post(address, sent)
    assert manager.post(address, {**sent, "seen": seen_on(page)}).status_code == 302
    loan.refresh_from_db()
    assert loan.due_on == today() + timedelta(days=23)
    assert "is due in it" not in text(manager, CALENDAR)


def test_a_plan_that_is_no_longer_true_is_shown_again(manager: Client, loan: Loan) -> None:
    sent = days_ahead(18, 25)
    seen = seen_on(manager.post(CALENDAR + "closures/new/", sent))
    make_loan(now=timezone.now())
    page = manager.post(CALENDAR + "closures/new/", {**sent, "seen": seen})
    assert "Meanwhile a game has gone out or come back" in page.content.decode()
    assert "2 games get a new due date" in page.content.decode()
    assert not Closure.objects.exists()


def test_going_back_from_the_plan_keeps_what_was_typed(manager: Client) -> None:
    page = manager.post(CALENDAR + "closures/new/", {**days_ahead(18, 25), "back": "1"})
    assert page.context["form"].data["reason"] == "Burst pipe"
    assert b"Burst pipe" in page.content


@pytest.mark.parametrize(
    ("days", "field"),
    [((5, 4), "last_on"), ((0, 500), "__all__"), ((0, 99_999), "last_on")],
)
def test_a_closure_that_cannot_be_is_said_and_nothing_typed_is_lost(
    manager: Client, days: tuple[int, int], field: str
) -> None:
    page = manager.post(CALENDAR + "closures/new/", days_ahead(*days))
    assert list(page.context["form"].errors) == [field]
    assert b"Burst pipe" in page.content
    assert not Closure.objects.exists()


# --- holidays ----------------------------------------------------------------------------------


def test_holidays_are_proposed_and_only_those_ticked_become_closures(manager: Client) -> None:
    make_opening("FREQ=DAILY")
    page = manager.post(CALENDAR + "holidays/", {"region": "CH-GE", "zone": "B"})
    offers = {offer.holiday.name: offer for offer in page.context["offers"]}
    assert {"New Year's Day", "Vacances d'été"} <= offers.keys()
    assert offers["New Year's Day"].is_ticked
    assert not offers["Vacances d'été"].is_ticked
    assert not Closure.objects.exists()
    ticked = {"days": [offers["Vacances d'été"].value, offers["New Year's Day"].value], "branch": ""}
    plan = manager.post(CALENDAR + "holidays/close/", ticked)
    assert plan.status_code == 200
    assert not Closure.objects.exists()
    manager.post(CALENDAR + "holidays/close/", {**ticked, "seen": seen_on(plan)})
    assert {closure.reason for closure in Closure.objects.all()} == {"New Year's Day", "Vacances d'été"}
    again = manager.post(CALENDAR + "holidays/", {"region": "CH-GE"})
    entered = {offer.holiday.name: offer.is_entered for offer in again.context["offers"]}
    assert entered["New Year's Day"]
    assert not entered["Good Friday"]


def test_a_holiday_on_a_day_that_is_closed_anyway_is_not_ticked(manager: Client) -> None:
    make_opening("FREQ=WEEKLY;BYDAY=WE")
    page = manager.post(CALENDAR + "holidays/", {"region": "FR"})
    by_weekday = {offer.holiday.first_on.weekday() == 2: offer.is_ticked for offer in page.context["offers"]}
    assert by_weekday[False] is False


def test_the_calendar_file_of_a_canton_is_read(manager: Client) -> None:
    file = SimpleUploadedFile("ge.ics", calendar_file(AUTUMN, "SUMMARY:On no day"))
    page = manager.post(CALENDAR + "holidays/", {"file": file})
    assert [offer.holiday.name for offer in page.context["offers"]] == ["Vacances d'automne"]
    assert "1 entry of the file is no holiday" in page.content.decode()


@pytest.mark.parametrize("content", [b"\x89PNG", b"", b"<html>"])
def test_a_file_that_is_no_calendar_is_said_beside_the_field(manager: Client, content: bytes) -> None:
    page = manager.post(CALENDAR + "holidays/", {"file": SimpleUploadedFile("x.ics", content)})
    assert list(page.context["form"].errors) == ["file"]


def test_holidays_of_nowhere_are_asked_about_again(manager: Client) -> None:
    page = manager.post(CALENDAR + "holidays/", {"branch": ""})
    assert "Say whose holidays" in page.content.decode()


@pytest.mark.parametrize(
    "days", [[], ["x"], ["2027-01-01"], ["2027-01-02/2027-01-01/x"], ["0001-01-01/0001-01-01/x"]]
)
def test_ticks_that_name_no_days_close_nothing(manager: Client, days: list[str]) -> None:
    response = manager.post(CALENDAR + "holidays/close/", {"days": days}, follow=True)
    assert "No holiday was ticked" in response.content.decode()
    assert not Closure.objects.exists()


def test_superusers_of_old_libraries_manage_the_calendar(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root", password="secret"))
    Branch.objects.create(name="Here", key="here")
    assert client.get(CALENDAR + "closures/new/").status_code == 200
