"""On which days is it open, and when must it come back? Pure functions of plain values.

The rows are read by `calendar`; `situation` asks here for the due dates that `rules` decides on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from dateutil.rrule import rrule, rruleset, rrulestr

HORIZON = timedelta(days=366)
"""How far ahead the next open day is looked for: a calendar that is never open must end somewhere."""


@dataclass(frozen=True, slots=True)
class OpeningRule:
    """Days on which a branch is open: an RFC 5545 recurrence (`FREQ=WEEKLY;BYDAY=WE,SA`), from a day."""

    starts_on: date
    rrule: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """When a branch is open. Without any opening it is not said, and every day counts as open.

    `closures` are first and last days; they may overlap.
    """

    openings: tuple[OpeningRule, ...] = ()
    closures: tuple[tuple[date, date], ...] = ()


def due_date(from_on: date, days: int, calendar: Calendar) -> date | None:
    """The first open day on or after `from_on` + `days`; None if there is none within `HORIZON`."""
    return next(open_days(calendar, from_on + timedelta(days=days)), None)


def open_days(calendar: Calendar, first_on: date) -> Iterator[date]:
    """The open days from `first_on` on, in order, within `HORIZON`."""
    last_on = first_on + HORIZON
    for day in _said_open(calendar, first_on):
        if day > last_on:
            return
        if not any(first <= day <= last for first, last in calendar.closures):
            yield day


def _said_open(calendar: Calendar, first_on: date) -> Iterator[date]:
    if not calendar.openings:
        return (first_on + timedelta(days=n) for n in range(HORIZON.days + 1))
    days = rruleset()
    for opening in calendar.openings:
        try:
            days.rrule(read_opening(opening))
        except ValueError:
            # The writer lets no such rule in. One that came in past it opens no day, and the loan says so.
            continue
    return (moment.date() for moment in days.xafter(datetime.combine(first_on, time.min), inc=True))


RRULE_PARTS = {"FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTH", "BYMONTHDAY", "BYSETPOS"}
RRULE_STEPS = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}


def read_opening(opening: OpeningRule) -> rrule:
    """The recurrence of an opening. Raises ValueError if it is none, or none of whole days.

    Everything that is not known to end is refused here: dateutil takes `INTERVAL=0`, and never returns.
    """
    parts = dict(_rrule_part(part) for part in opening.rrule.upper().removeprefix("RRULE:").split(";"))
    if not parts.keys() <= RRULE_PARTS:
        raise ValueError(f"not known: {', '.join(sorted(parts.keys() - RRULE_PARTS))}")
    if parts.get("FREQ") not in RRULE_STEPS:
        raise ValueError(f"FREQ: one of {', '.join(sorted(RRULE_STEPS))}")
    if not 1 <= int(parts.get("INTERVAL", "1")) <= 366:
        raise ValueError("INTERVAL: from 1 to 366")
    if "UNTIL" in parts:
        # The day counts; a time or zone behind it would only set dateutil against our zoneless days.
        parts["UNTIL"] = parts["UNTIL"][:8]
    text = ";".join(f"{name}={value}" for name, value in parts.items())
    recurrence = rrulestr(text, dtstart=datetime.combine(opening.starts_on, time.min))
    assert isinstance(recurrence, rrule)  # noqa: S101 - a single RRULE line is never a set
    return recurrence


def _rrule_part(part: str) -> tuple[str, str]:
    name, equals, value = part.strip().partition("=")
    if not equals or not value:
        raise ValueError(f"not of the form NAME=VALUE: {part!r}")
    return name, value
