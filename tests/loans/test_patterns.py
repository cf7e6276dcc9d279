"""Opening days as a volunteer says them: there and back, and the days that they mean."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loans import opening, patterns
from loans.opening import Calendar, DayState, OpeningRule
from loans.patterns import LAST, Every, Pattern

START = date(2027, 1, 4)  # a Monday
MONDAY, WEDNESDAY, SATURDAY = 0, 2, 5


@pytest.mark.parametrize(
    ("pattern", "rrule"),
    [
        (Pattern(every=Every.WEEK, weekdays=(WEDNESDAY, SATURDAY)), "FREQ=WEEKLY;BYDAY=WE,SA"),
        (
            Pattern(every=Every.SECOND_WEEK, weekdays=(SATURDAY,), until=date(2027, 6, 30)),
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=SA;UNTIL=20270630",
        ),
        (Pattern(every=Every.MONTH, weekdays=(SATURDAY,)), "FREQ=MONTHLY;BYDAY=1SA"),
        (Pattern(every=Every.MONTH, weekdays=(MONDAY, SATURDAY), nth=LAST), "FREQ=MONTHLY;BYDAY=-1MO,-1SA"),
        (Pattern(every=Every.ONCE), "FREQ=DAILY;COUNT=1"),
    ],
)
def test_a_pattern_is_a_recurrence_and_comes_back_from_it(pattern: Pattern, rrule: str) -> None:
    assert patterns.recurrence(pattern) == rrule
    assert patterns.read(rrule, START) == pattern


@pytest.mark.parametrize(
    "rrule",
    [
        "FREQ=DAILY",
        "FREQ=DAILY;COUNT=2",
        "FREQ=WEEKLY;INTERVAL=3;BYDAY=SA",
        "FREQ=WEEKLY;INTERVAL=x;BYDAY=SA",
        "FREQ=WEEKLY;COUNT=5;BYDAY=SA",
        "FREQ=MONTHLY;BYDAY=1SA,2SA",
        "FREQ=MONTHLY;BYDAY=5SA",
        "FREQ=MONTHLY;BYDAY=SA",
        "FREQ=MONTHLY",
        "FREQ=MONTHLY;BYDAY=1XX",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;UNTIL=never",
        "wednesdays",
        "",
    ],
)
def test_what_no_volunteer_would_say_is_no_pattern(rrule: str) -> None:
    assert patterns.read(rrule, START) is None


def test_a_weekly_rule_without_days_means_the_weekday_of_its_first_day() -> None:
    assert patterns.read("FREQ=WEEKLY", START) == Pattern(every=Every.WEEK, weekdays=(MONDAY,))


@pytest.mark.parametrize(
    ("pattern", "days"),
    [
        (Pattern(every=Every.WEEK, weekdays=(WEDNESDAY,)), [6, 13, 20, 27]),
        (Pattern(every=Every.SECOND_WEEK, weekdays=(WEDNESDAY, SATURDAY)), [6, 9, 20, 23]),
        (Pattern(every=Every.MONTH, weekdays=(SATURDAY,), nth=2), [9]),
        (Pattern(every=Every.MONTH, weekdays=(SATURDAY,), nth=LAST), [30]),
        (Pattern(every=Every.WEEK, weekdays=(WEDNESDAY,), until=date(2027, 1, 13)), [6, 13]),
        (Pattern(every=Every.ONCE), [4]),
    ],
)
def test_a_pattern_opens_the_days_that_it_says(pattern: Pattern, days: list[int]) -> None:
    calendar = Calendar((OpeningRule(START, patterns.recurrence(pattern)),))
    january = (date(2027, 1, day) for day in range(1, 32))
    opened = [day.day for day in january if opening.day_state(calendar, day) == DayState.OPEN]
    assert opened == days


@given(
    st.builds(
        Pattern,
        every=st.sampled_from([Every.WEEK, Every.SECOND_WEEK]),
        weekdays=st.sets(st.integers(0, 6), min_size=1).map(lambda days: tuple(sorted(days))),
        until=st.none() | st.dates(START, date(2099, 1, 1)),
    )
)
def test_any_weekly_pattern_comes_back(pattern: Pattern) -> None:
    assert patterns.read(patterns.recurrence(pattern), START) == pattern
