"""Open days and due dates, as tables of plain values: no database, no clock."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.models import Branch
from loans import opening
from loans.calendar import local_date
from loans.opening import Calendar, DayState, Hours, OpeningRule
from loans.rules import DueMode

TODAY = date(2025, 3, 4)

WEDNESDAYS_AND_SATURDAYS = OpeningRule(date(2020, 1, 1), "FREQ=WEEKLY;BYDAY=WE,SA")
EVERY_SECOND_TUESDAY = OpeningRule(date(2025, 3, 4), "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU")
FIRST_SUNDAY = OpeningRule(date(2020, 1, 1), "RRULE:FREQ=MONTHLY;BYDAY=1SU")
EASTER_WEEK = (date(2025, 4, 14), date(2025, 4, 21))


@pytest.mark.parametrize(
    ("days", "calendar", "due_on"),
    [
        (21, Calendar(), date(2025, 3, 25)),
        (0, Calendar(), TODAY),
        (21, Calendar((WEDNESDAYS_AND_SATURDAYS,)), date(2025, 3, 26)),
        (22, Calendar((WEDNESDAYS_AND_SATURDAYS,)), date(2025, 3, 26)),
        (21, Calendar((EVERY_SECOND_TUESDAY,)), date(2025, 4, 1)),
        (21, Calendar((FIRST_SUNDAY,)), date(2025, 4, 6)),
        (21, Calendar((FIRST_SUNDAY, EVERY_SECOND_TUESDAY)), date(2025, 4, 1)),
        (42, Calendar((WEDNESDAYS_AND_SATURDAYS,), (EASTER_WEEK,)), date(2025, 4, 23)),
        (42, Calendar((), (EASTER_WEEK,)), date(2025, 4, 22)),
        # Overlapping closures count once, whatever their order.
        (42, Calendar((), ((date(2025, 4, 15), date(2025, 4, 24)), EASTER_WEEK)), date(2025, 4, 25)),
        # The last day that is said and the last day of the horizon still count.
        (1, Calendar((OpeningRule(TODAY, "FREQ=DAILY;UNTIL=20250305T000000Z"),)), date(2025, 3, 5)),
        (0, Calendar((OpeningRule(TODAY + opening.HORIZON, "FREQ=DAILY"),)), TODAY + opening.HORIZON),
    ],
)
def test_the_due_date_is_the_next_open_day(days: int, calendar: Calendar, due_on: date) -> None:
    assert opening.due_date(TODAY, days, calendar) == due_on


@pytest.mark.parametrize(
    "calendar",
    [
        Calendar((OpeningRule(date(2020, 1, 1), "FREQ=WEEKLY;UNTIL=20240101"),)),
        Calendar((OpeningRule(date(2040, 1, 1), "FREQ=DAILY"),)),
        Calendar((OpeningRule(date(2020, 1, 1), "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),)),
        Calendar((WEDNESDAYS_AND_SATURDAYS,), ((date(2025, 1, 1), date(2035, 1, 1)),)),
        Calendar((), ((date(2025, 1, 1), date(2035, 1, 1)),)),
        Calendar((OpeningRule(date(2020, 1, 1), "FREQ=WEEKLY;INTERVAL=0"),)),
        Calendar((OpeningRule(date(2020, 1, 1), "FREQ=SECONDLY"),)),
    ],
)
def test_a_calendar_that_is_never_open_ends_without_a_date(calendar: Calendar) -> None:
    assert opening.due_date(TODAY, 21, calendar) is None


@pytest.mark.parametrize(
    "rrule",
    [
        "",
        "every Wednesday",
        "FREQ=WEEKLY;INTERVAL=0",
        "FREQ=WEEKLY;INTERVAL=-1",
        "FREQ=WEEKLY;INTERVAL=often",
        "FREQ=SECONDLY",
        "FREQ=DAILY;BYHOUR=9",
        "FREQ=WEEKLY;BYDAY=XX",
        "FREQ=WEEKLY;BYDAY=",
        "FREQ=WEEKLY\nRDATE:20250101",
        "INTERVAL=2",
    ],
)
def test_a_recurrence_that_is_not_one_of_whole_days_is_refused(rrule: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        opening.read_opening(OpeningRule(TODAY, rrule))


# --- the three ways of a due date ----------------------------------------------------------------

SATURDAY = date(2025, 3, 1)
OPEN = Calendar((WEDNESDAYS_AND_SATURDAYS,))
SUMMER = Calendar((WEDNESDAYS_AND_SATURDAYS,), ((date(2025, 3, 20), date(2025, 4, 30)),))


@pytest.mark.parametrize(
    ("mode", "days", "calendar", "due_on"),
    [
        (DueMode.CALENDAR_DAYS, 20, OPEN, date(2025, 3, 21)),
        (DueMode.CALENDAR_DAYS, 20, SUMMER, date(2025, 3, 21)),
        (DueMode.NEXT_OPEN_DAY, 20, OPEN, date(2025, 3, 22)),
        (DueMode.NEXT_OPEN_DAY, 17, OPEN, date(2025, 3, 19)),
        (DueMode.SAME_WEEKDAY, 17, OPEN, date(2025, 3, 22)),
        (DueMode.SAME_WEEKDAY, 21, OPEN, date(2025, 3, 22)),
        # Six weeks of holiday: Thursday 1 May opens nothing, so the first Saturday after.
        (DueMode.SAME_WEEKDAY, 21, SUMMER, date(2025, 5, 3)),
    ],
)
def test_a_due_date_is_placed_as_the_policy_says(
    mode: DueMode, days: int, calendar: Calendar, due_on: date
) -> None:
    assert opening.due_date(SATURDAY, days, calendar, mode) == due_on


def test_a_weekday_that_does_not_come_again_soon_gives_way_to_the_next_open_day() -> None:
    """Lent at the yearly open Sunday, in a library of Wednesdays and Saturdays."""
    sunday = date(2025, 3, 2)
    open_sunday = OpeningRule(sunday, "FREQ=YEARLY;COUNT=2")
    calendar = Calendar((WEDNESDAYS_AND_SATURDAYS, open_sunday))
    assert opening.due_date(sunday, 21, calendar, DueMode.SAME_WEEKDAY) == date(2025, 3, 26)


def test_calendar_days_need_no_calendar_and_the_other_ways_say_when_there_is_none() -> None:
    never = Calendar((), ((date(2025, 1, 1), date(2035, 1, 1)),))
    assert opening.due_date(TODAY, 21, never, DueMode.CALENDAR_DAYS) == date(2025, 3, 25)
    assert opening.due_date(TODAY, 21, never, DueMode.SAME_WEEKDAY) is None


# --- open, closed, not said ----------------------------------------------------------------------

SPRING_TERM = OpeningRule(
    date(2025, 3, 1), "FREQ=WEEKLY;BYDAY=SA;UNTIL=20250628", Hours(time(10), time(12, 30))
)
GAMES_NIGHT = OpeningRule(date(2025, 9, 12), "FREQ=DAILY;COUNT=1", Hours(time(18), time(23)))
TERM = Calendar((SPRING_TERM, GAMES_NIGHT), ((date(2025, 4, 14), date(2025, 4, 21)),))


@pytest.mark.parametrize(
    ("day", "state"),
    [
        (date(2025, 2, 22), DayState.NOT_SAID),  # before the term
        (date(2025, 3, 1), DayState.OPEN),
        (date(2025, 3, 2), DayState.CLOSED),
        (date(2025, 4, 19), DayState.CLOSED),  # a Saturday in a closure
        (date(2025, 6, 28), DayState.OPEN),  # the last day of the rule counts
        (date(2025, 7, 5), DayState.NOT_SAID),  # after the term
        (date(2025, 9, 12), DayState.OPEN),  # a single opening
        (date(2025, 9, 13), DayState.NOT_SAID),
    ],
)
def test_open_closed_and_not_said_are_told_apart(day: date, state: DayState) -> None:
    assert opening.day_state(TERM, day) == state


def test_without_openings_nothing_is_said_but_the_closures() -> None:
    calendar = Calendar((), (EASTER_WEEK,))
    assert opening.day_state(calendar, TODAY) == DayState.NOT_SAID
    assert opening.day_state(calendar, date(2025, 4, 14)) == DayState.CLOSED


def test_the_hours_of_a_day_are_those_of_its_rules() -> None:
    evening = OpeningRule(date(2025, 3, 1), "FREQ=MONTHLY;BYDAY=1SA", Hours(time(18), time(22)))
    calendar = Calendar((evening, SPRING_TERM), TERM.closures)
    assert opening.hours_on(calendar, date(2025, 5, 3)) == (SPRING_TERM.hours, evening.hours)
    assert opening.hours_on(calendar, date(2025, 5, 10)) == (SPRING_TERM.hours,)
    assert opening.hours_on(calendar, date(2025, 4, 19)) == ()
    assert opening.hours_on(Calendar((WEDNESDAYS_AND_SATURDAYS,)), SATURDAY) == ()


# --- for any calendar ----------------------------------------------------------------------------

near = st.dates(date(2020, 1, 1), date(2030, 12, 31))
weekdays = st.sets(st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"]), min_size=1)
rules = st.builds(
    lambda starts_on, every, days: OpeningRule(
        starts_on, f"FREQ=WEEKLY;INTERVAL={every};BYDAY={','.join(sorted(days))}"
    ),
    near,
    st.integers(1, 3),
    weekdays,
)
closures = st.tuples(near, st.integers(0, 90)).map(lambda span: (span[0], span[0] + timedelta(days=span[1])))
calendars = st.builds(
    Calendar,
    st.lists(rules, max_size=3).map(tuple),
    st.lists(closures, max_size=4).map(tuple),
)


@given(calendars, near, st.integers(0, 60), st.sampled_from(DueMode))
def test_a_due_date_is_never_before_the_days_are_over_and_never_on_a_closed_day(
    calendar: Calendar, from_on: date, days: int, mode: DueMode
) -> None:
    due_on = opening.due_date(from_on, days, calendar, mode)
    if due_on is None:
        return
    assert due_on >= from_on + timedelta(days=days)
    if mode != DueMode.CALENDAR_DAYS:
        assert opening.day_state(calendar, due_on) == (
            DayState.OPEN if calendar.openings else DayState.NOT_SAID
        )
    if mode == DueMode.NEXT_OPEN_DAY:
        first = from_on + timedelta(days=days)
        between = (first + timedelta(days=n) for n in range((due_on - first).days))
        passed_over = DayState.NOT_SAID if calendar.openings else DayState.CLOSED
        assert all(opening.day_state(calendar, day) in {DayState.CLOSED, passed_over} for day in between)


@given(calendars, near)
def test_a_day_counts_as_open_where_the_recurrence_itself_says_so(calendar: Calendar, day: date) -> None:
    """The years that are kept ready say the same as dateutil asked about the one day."""
    noon = datetime.combine(day, time.min)
    named = any(opening.read_opening(rule).between(noon, noon, inc=True) for rule in calendar.openings)
    closed = any(first <= day <= last for first, last in calendar.closures)
    assert (opening.day_state(calendar, day) == DayState.OPEN) == (named and not closed)


ZONES = ("Europe/Brussels", "Europe/Zurich", "Pacific/Auckland", "America/St_Johns", "Africa/Casablanca")
CHANGES_OF_CLOCKS = (date(2025, 3, 30), date(2025, 10, 26), date(2026, 4, 5), date(2026, 9, 27))


@given(
    st.sampled_from(ZONES),
    st.sampled_from(CHANGES_OF_CLOCKS),
    st.integers(-3 * 24 * 60, 3 * 24 * 60),
    st.integers(0, 60),
)
def test_the_due_day_is_whole_in_the_branchs_own_zone_across_changes_of_clocks(
    zone: str, near_change: date, minutes: int, days: int
) -> None:
    """Lent at any minute, it is due `days` calendar days on, late from that day's midnight, not before."""
    branch = Branch(name="Here", key="here", time_zone=zone)
    lent_at = datetime.combine(near_change, time(12), UTC) + timedelta(minutes=minutes)
    lent_on = local_date(lent_at, branch)
    assert lent_on == lent_at.astimezone(ZoneInfo(zone)).date()
    due_on = opening.due_date(lent_on, days, Calendar())
    assert due_on == lent_on + timedelta(days=days)
    midnight = datetime.combine(due_on + timedelta(days=1), time.min, ZoneInfo(zone)).astimezone(UTC)
    assert local_date(midnight - timedelta(seconds=1), branch) == due_on
    assert local_date(midnight, branch) > due_on
