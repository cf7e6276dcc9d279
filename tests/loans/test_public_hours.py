"""Opening hours on the start page."""

from datetime import UTC, date, datetime, time

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from loans.models import Closure, Opening
from loans.opening import Hours
from loans.public_hours import OpenDay, public_hours
from tests.make import make_closure, make_copy, make_opening

pytestmark = pytest.mark.django_db
TUESDAY = datetime(2025, 3, 4, 12, 0, tzinfo=UTC)


def test_today_and_the_next_open_days_are_told_with_their_hours() -> None:
    make_opening("FREQ=WEEKLY;BYDAY=TU")
    Opening.objects.update(opens_at="14:00", closes_at="18:00")
    make_opening("FREQ=WEEKLY;BYDAY=SA")
    (told,) = public_hours(TUESDAY)
    afternoon = (Hours(time(14), time(18)),)
    assert told.names == ()
    assert told.today == OpenDay(date(2025, 3, 4), afternoon)
    assert told.next_days[:3] == (
        OpenDay(date(2025, 3, 8), ()),
        OpenDay(date(2025, 3, 11), afternoon),
        OpenDay(date(2025, 3, 15), ()),
    )


def test_branches_with_the_same_days_are_told_together_and_others_apart() -> None:
    here, there, far = (make_copy(branch=name).branch for name in ("Here", "There", "Afar"))
    make_opening("FREQ=WEEKLY;BYDAY=SA", branch=far)
    for branch in (here, there):
        make_opening("FREQ=WEEKLY;BYDAY=TU", branch=branch)
    assert {told.names: told.today is not None for told in public_hours(TUESDAY)} == {
        ("Here", "There"): True,
        ("Afar",): False,
    }


def test_closures_ahead_are_told_if_they_close_something() -> None:
    make_opening("FREQ=WEEKLY;BYDAY=TU")
    make_closure(date(2025, 3, 10), date(2025, 3, 12))
    make_closure(date(2025, 3, 9))  # a Sunday
    make_closure(date(2025, 9, 1), date(2025, 9, 9))  # far away
    Closure.objects.create(first_on=date(2025, 3, 18), last_on=date(2025, 3, 18), lifted_at=TUESDAY)
    (told,) = public_hours(TUESDAY)
    assert [closure.first_on for closure in told.closures] == [date(2025, 3, 10)]
    assert date(2025, 3, 11) not in [day.day for day in told.next_days]


def test_the_start_page_says_when_it_is_open(client: Client, settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"
    assert "When we are open" not in client.get("/").content.decode()
    make_opening("FREQ=DAILY")
    Opening.objects.update(opens_at="14:00", closes_at="18:00")
    page = " ".join(client.get("/").content.decode().split())
    assert "Open today" in page
    assert "14:00–18:00" in page


def test_the_hours_of_many_branches_cost_as_many_queries_as_those_of_one(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for number in range(5):
        make_opening("FREQ=WEEKLY;BYDAY=SA", branch=make_copy(branch=f"Branch {number}").branch)
    with django_assert_max_num_queries(4):
        public_hours(TUESDAY)
