"""Open days and due dates, as tables of plain values: no database, no clock."""

from datetime import date
from time import perf_counter

import pytest

from loans import opening
from loans.opening import Calendar, OpeningRule

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
    begun = perf_counter()
    assert opening.due_date(TODAY, 21, calendar) is None
    assert perf_counter() - begun < 2


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
