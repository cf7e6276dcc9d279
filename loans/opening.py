"""On which days is it open, and when must it come back? Pure functions of plain values.

The rows are read by `calendar`, which `situation` and the desk's pages ask; `closures` moves due dates by
`moved_out`. Days are calendar days of the branch: no clock, no zone, so no change of clocks either.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from functools import lru_cache

from dateutil.rrule import rrule, rrulestr

from loans.rules import DueMode

DAY = timedelta(days=1)

HORIZON = timedelta(days=366)
"""How far ahead the next open day is looked for: a calendar that is never open must end somewhere."""

SAME_WEEKDAY_WITHIN = timedelta(days=28)
"""How long after the first open day the weekday of the loan is waited for, before any open day will do."""


class DayState(StrEnum):
    """What the calendar says about a day. Not said: no opening rule reaches it, and no closure."""

    OPEN = "open"
    CLOSED = "closed"
    NOT_SAID = "not_said"


@dataclass(frozen=True, slots=True, order=True)
class Hours:
    """From when to when it is open on a day; None: not said."""

    opens_at: time | None = None
    closes_at: time | None = None


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """Days on which a branch is open: an RFC 5545 recurrence (`FREQ=WEEKLY;BYDAY=WE,SA`), from a day."""

    starts_on: date
    rrule: str
    hours: Hours = Hours()


@dataclass(frozen=True, slots=True)
class Calendar:
    """When a branch is open. Without any opening it is not said, and every day counts as open.

    `closures` are first and last days; they may overlap.
    """

    openings: tuple[OpeningRule, ...] = ()
    closures: tuple[tuple[date, date], ...] = ()


# --- days --------------------------------------------------------------------------------------


def day_state(calendar: Calendar, day: date) -> DayState:
    """Open, closed, or not said."""
    if is_closed(calendar, day):
        return DayState.CLOSED
    if any(day in _days_in(rule.starts_on, rule.rrule, day.year) for rule in calendar.openings):
        return DayState.OPEN
    reached = any(rule.starts_on <= day <= last_day(rule) for rule in calendar.openings)
    return DayState.CLOSED if reached else DayState.NOT_SAID


def hours_on(calendar: Calendar, day: date) -> tuple[Hours, ...]:
    """The hours of an open day, in order; empty where they are not said or the day is not open."""
    if day_state(calendar, day) != DayState.OPEN:
        return ()
    rules = (rule for rule in calendar.openings if day in _days_in(rule.starts_on, rule.rrule, day.year))
    said = {rule.hours for rule in rules if rule.hours.opens_at or rule.hours.closes_at}
    return tuple(sorted(said, key=lambda hours: (hours.opens_at or time.min, hours.closes_at or time.max)))


def is_closed(calendar: Calendar, day: date) -> bool:
    """Whether a closure covers the day."""
    return any(first <= day <= last for first, last in calendar.closures)


def open_days(calendar: Calendar, first_on: date) -> Iterator[date]:
    """The days from `first_on` on that count as open, in order, within `HORIZON`."""
    for ahead in range(HORIZON.days + 1):
        try:
            day = first_on + ahead * DAY
        except OverflowError:
            return
        if _counts_as_open(calendar, day):
            yield day


def next_open_day(calendar: Calendar, first_on: date) -> date | None:
    """The first open day on or after `first_on`; None if there is none within `HORIZON`."""
    return next(open_days(calendar, first_on), None)


def _counts_as_open(calendar: Calendar, day: date) -> bool:
    said = not calendar.openings or any(
        day in _days_in(rule.starts_on, rule.rrule, day.year) for rule in calendar.openings
    )
    return said and not is_closed(calendar, day)


# --- due dates ---------------------------------------------------------------------------------


def due_date(
    from_on: date, days: int, calendar: Calendar, mode: DueMode = DueMode.NEXT_OPEN_DAY
) -> date | None:
    """The last day that is not late of a loan of `days` from `from_on`; None if no day is open in a year.

    Calendar days count as they are. Next open day: the first one when the days are over. Same weekday: the
    first open day of the weekday of `from_on`, if there is one soon after, else the next open day.
    """
    plain = from_on + timedelta(days=days)
    if mode == DueMode.CALENDAR_DAYS:
        return plain
    first = next_open_day(calendar, plain)
    if first is None or mode == DueMode.NEXT_OPEN_DAY:
        return first
    return _of_weekday(calendar, first, from_on.weekday()) or first


def moved_out(due_on: date, calendar: Calendar) -> date | None:
    """A promised due date as the closures leave it: the next open day if it lies in one, else as it is."""
    return next_open_day(calendar, due_on) if is_closed(calendar, due_on) else due_on


def _of_weekday(calendar: Calendar, first_on: date, weekday: int) -> date | None:
    for day in open_days(calendar, first_on):
        if day > first_on + SAME_WEEKDAY_WITHIN:
            return None
        if day.weekday() == weekday:
            return day
    return None


# --- recurrences -------------------------------------------------------------------------------

RRULE_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS"}
RRULE_STEPS = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}
LONGEST_COUNT = 3660
"""Ten years of days: what is longer is meant to have no end."""


def read_opening(opening: OpeningRule) -> rrule:
    """The recurrence of an opening. Raises ValueError if it is none, or none of whole days.

    Everything that is not known to end is refused here: dateutil takes `INTERVAL=0`, and never returns.
    """
    parts = _rrule_parts(opening.rrule)
    if not parts.keys() <= RRULE_PARTS:
        raise ValueError(f"not known: {', '.join(sorted(parts.keys() - RRULE_PARTS))}")
    if parts.get("FREQ") not in RRULE_STEPS:
        raise ValueError(f"FREQ: one of {', '.join(sorted(RRULE_STEPS))}")
    if not 1 <= int(parts.get("INTERVAL", "1")) <= 366:
        raise ValueError("INTERVAL: from 1 to 366")
    if not 1 <= int(parts.get("COUNT", "1")) <= LONGEST_COUNT:
        raise ValueError(f"COUNT: from 1 to {LONGEST_COUNT}")
    if "UNTIL" in parts:
        # The day counts; a time or zone behind it would only set dateutil against our zoneless days.
        parts["UNTIL"] = parts["UNTIL"][:8]
    text = ";".join(f"{name}={value}" for name, value in parts.items())
    recurrence = rrulestr(text, dtstart=datetime.combine(opening.starts_on, time.min))
    assert isinstance(recurrence, rrule)  # noqa: S101 - a single RRULE line is never a set
    return recurrence


def _rrule_parts(rule: str) -> dict[str, str]:
    return dict(_rrule_part(part) for part in rule.upper().removeprefix("RRULE:").split(";"))


def _rrule_part(part: str) -> tuple[str, str]:
    name, equals, value = part.strip().partition("=")
    if not equals or not value:
        raise ValueError(f"not of the form NAME=VALUE: {part!r}")
    return name, value


# To build a recurrence costs a millisecond, and a lend has less: so each is worked out once a year and
# process. The key is the rule itself, so a changed rule is another key and nothing can be stale.


@lru_cache(maxsize=2048)
def _days_in(starts_on: date, rrule: str, year: int) -> frozenset[date]:
    """The days of one year that the recurrence names; none if it cannot be read."""
    try:
        recurrence = read_opening(OpeningRule(starts_on, rrule))
    except ValueError:
        # The writer lets no such rule in. One that came in past it opens no day, and the loan says so.
        return frozenset()
    first = datetime(year, 1, 1)  # noqa: DTZ001 - dateutil reckons in days without a zone
    return frozenset(
        moment.date() for moment in recurrence.between(first, first.replace(month=12, day=31), inc=True)
    )


@lru_cache(maxsize=2048)
def last_day(rule: OpeningRule) -> date:
    """The last day that the rule speaks about."""
    try:
        recurrence, parts = read_opening(rule), _rrule_parts(rule.rrule)
    except ValueError:
        return date.min
    if "COUNT" in parts:
        return max((moment.date() for moment in recurrence), default=date.min)
    return datetime.strptime(parts["UNTIL"][:8], "%Y%m%d").date() if "UNTIL" in parts else date.max  # noqa: DTZ007
