"""The calendar over HTTP."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans.calendar import local_date
from loans.models import Closure, Opening
from tests.make import make_closure, make_copy, make_loan, make_opening, make_user

pytestmark = pytest.mark.django_db
API = "/api/calendar/"
JSON = "application/json"
SATURDAYS = {"starts_on": "2027-01-01", "rrule": "FREQ=WEEKLY;BYDAY=SA"}


@pytest.fixture
def manager(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    return client


def days_ahead(first: int, last: int, **more: Any) -> dict[str, Any]:
    """A closure, in days from today."""
    today = local_date(timezone.now(), None)
    span = {"first_on": today + timedelta(days=first), "last_on": today + timedelta(days=last)}
    return {name: day.isoformat() for name, day in span.items()} | more


def test_days_are_open_closed_or_not_said(client: Client) -> None:
    client.force_login(make_user("desk"))
    branch = make_copy(branch="Here").branch
    assert branch is not None
    make_opening("FREQ=WEEKLY;BYDAY=SA", branch=branch, starts_on=date(2027, 1, 2))
    Opening.objects.update(opens_at="10:00")
    make_closure(date(2027, 1, 9))
    Closure.objects.update(reason="Works")
    asked = {"branch": str(branch.pk), "first_on": "2027-01-01", "last_on": "2027-01-09"}
    told = client.get(API + "days/", asked).json()
    assert [day["state"] for day in told] == ["not_said", "open"] + ["closed"] * 7
    assert told[1]["hours"] == [{"opens_at": "10:00:00", "closes_at": None}]
    assert told[8]["reasons"] == ["Works"]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"first_on": "2027-01-02", "last_on": "2027-01-01"},
        {"first_on": "2027-01-01", "last_on": "2030-01-01"},
        {"first_on": "0001-01-01", "last_on": "0001-01-02"},
        {"first_on": "soon", "last_on": "later"},
        {"first_on": "2027-01-01", "last_on": "2027-01-01", "branch": "77"},
        {"first_on": "2027-01-01", "last_on": "2027-01-01", "branch": str(2**70)},
    ],
)
def test_days_that_cannot_be_are_refused(manager: Client, asked: dict[str, str]) -> None:
    assert manager.get(API + "days/", asked).status_code == 400


def test_opening_rules_are_added_changed_and_removed(manager: Client) -> None:
    added = manager.post(API + "openings/", SATURDAYS, content_type=JSON)
    assert added.status_code == 201
    row = added.json()
    assert manager.get(API + "openings/").json() == [row]
    address = f"{API}openings/{row['id']}/"
    changed = {**SATURDAYS, "rrule": "FREQ=WEEKLY;BYDAY=WE", "opens_at": "14:00"}
    assert manager.put(address, changed, content_type=JSON).json()["opens_at"] == "14:00:00"
    assert manager.delete(address).status_code == 204
    assert manager.delete(address).status_code == 404


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"rrule": "FREQ=SECONDLY"}, "rrule"),
        ({"rrule": "FREQ=WEEKLY\x00"}, "rrule"),
        ({"starts_on": "0001-01-01"}, "rrule"),
        ({"starts_on": "x"}, "starts_on"),
        ({"opens_at": "18:00", "closes_at": "14:00"}, "closes_at"),
        ({"branch": 77}, "branch"),
    ],
)
def test_an_opening_rule_that_makes_no_sense_is_refused_by_field(
    manager: Client, wrong: dict[str, Any], field: str
) -> None:
    answer = manager.post(API + "openings/", SATURDAYS | wrong, content_type=JSON)
    assert (answer.status_code, list(answer.json())) == (400, [field])


def test_a_calendar_that_would_never_be_open_is_refused_with_its_code(manager: Client) -> None:
    over = {"starts_on": "2020-01-01", "rrule": "FREQ=WEEKLY;UNTIL=20210101"}
    answer = manager.post(API + "openings/", over, content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "never_open")
    answer = manager.post(API + "closures/", days_ahead(0, 500), content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "never_open")


def test_a_closure_is_looked_at_made_changed_and_lifted(manager: Client) -> None:
    loan = make_loan(now=timezone.now())
    promised = loan.due_on
    looked = manager.post(API + "closures/", days_ahead(20, 25, preview=True), content_type=JSON)
    assert looked.status_code == 200
    assert [move["loan"] for move in looked.json()["moves"]] == [loan.pk]
    assert not Closure.objects.exists()
    seen = looked.json()["seen"]
    made = manager.post(API + "closures/", days_ahead(20, 25, seen=seen), content_type=JSON)
    assert made.status_code == 201
    loan.refresh_from_db()
    assert loan.due_on == promised + timedelta(days=5)
    (row,) = manager.get(API + "closures/").json()
    address = f"{API}closures/{row['id']}/"
    assert manager.put(address, days_ahead(20, 22), content_type=JSON).status_code == 200
    loan.refresh_from_db()
    assert loan.due_on == promised + timedelta(days=2)
    assert manager.delete(address + "?preview=true").json()["moves"][0]["due_after"] == promised.isoformat()
    assert manager.delete(address).status_code == 200
    loan.refresh_from_db()
    assert loan.due_on == promised
    assert manager.delete(address).status_code == 404


def test_a_plan_that_has_changed_comes_back_as_it_stands(manager: Client) -> None:
    loan = make_loan(now=timezone.now())
    answer = manager.post(API + "closures/", days_ahead(20, 25, seen="old"), content_type=JSON)
    assert (answer.status_code, answer.json()["code"]) == (409, "plan_changed")
    assert answer.json()["plan"]["moves"][0]["loan"] == loan.pk
    assert not Closure.objects.exists()


def test_only_who_may_manage_the_calendar_changes_it(client: Client) -> None:
    client.force_login(make_user("desk"))
    closure = make_closure(date(2027, 1, 1))
    assert client.post(API + "openings/", SATURDAYS, content_type=JSON).status_code == 403
    assert client.post(API + "closures/", days_ahead(1, 2), content_type=JSON).status_code == 403
    assert client.delete(f"{API}closures/{closure.pk}/").status_code == 403
    client.force_login(make_user())
    assert client.get(API + "days/", {"first_on": "2027-01-01", "last_on": "2027-01-01"}).status_code == 403
