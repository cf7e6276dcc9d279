"""How often it is open, as a volunteer says it, and as the recurrence that is kept. Pure.

    every week, every second week      on these weekdays
    first ... fourth, last of month    on these weekdays
    once                               on the first day itself

A recurrence that came in otherwise and says none of these is no pattern; it still opens its days.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
LAST = -1
_DAY_OF_MONTH = re.compile(r"(-1|[1-4])([A-Z]{2})")


class Every(StrEnum):
    """How often."""

    WEEK = "week"
    SECOND_WEEK = "second_week"
    MONTH = "month"
    ONCE = "once"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """How often, on which weekdays (0 is Monday), which of the month (1 to 4, or LAST), and until when."""

    every: Every
    weekdays: tuple[int, ...] = ()
    nth: int = 1
    until: date | None = None


def recurrence(pattern: Pattern) -> str:
    """The RFC 5545 recurrence of a pattern. Every second week counts from the week of the first day."""
    if pattern.every == Every.ONCE:
        return "FREQ=DAILY;COUNT=1"
    days = [WEEKDAYS[day] for day in sorted(set(pattern.weekdays))]
    if not days:
        raise ValueError("A pattern needs a weekday.")
    end = f";UNTIL={pattern.until:%Y%m%d}" if pattern.until else ""
    if pattern.every == Every.MONTH:
        return f"FREQ=MONTHLY;BYDAY={','.join(f'{pattern.nth}{day}' for day in days)}{end}"
    interval = ";INTERVAL=2" if pattern.every == Every.SECOND_WEEK else ""
    return f"FREQ=WEEKLY{interval};BYDAY={','.join(days)}{end}"


def read(rrule: str, starts_on: date) -> Pattern | None:
    """The pattern that a recurrence is, if it is one; the inverse of `recurrence`."""
    parts = dict(part.partition("=")[::2] for part in rrule.upper().removeprefix("RRULE:").split(";"))
    known = _read_days(parts, starts_on)
    if known is None:
        return None
    every, nth, weekdays = known
    try:
        until = datetime.strptime(parts["UNTIL"][:8], "%Y%m%d").date() if "UNTIL" in parts else None  # noqa: DTZ007
    except ValueError:
        return None
    return Pattern(every=every, weekdays=weekdays, nth=nth, until=until)


def _read_days(parts: dict[str, str], starts_on: date) -> tuple[Every, int, tuple[int, ...]] | None:
    rest = {name: value for name, value in parts.items() if name not in {"UNTIL", "BYDAY"}}
    days = [day for day in parts.get("BYDAY", "").split(",") if day]
    if "UNTIL" not in parts and not days and rest in ({"FREQ": "DAILY", "COUNT": "1"},):
        return Every.ONCE, 1, ()
    if rest == {"FREQ": "MONTHLY"}:
        return _read_month(days)
    every = {1: Every.WEEK, 2: Every.SECOND_WEEK}.get(_interval(rest))
    days = days or [WEEKDAYS[starts_on.weekday()]]
    if every is None or not set(days) <= set(WEEKDAYS):
        return None
    return every, 1, tuple(sorted({WEEKDAYS.index(day) for day in days}))


def _interval(rest: dict[str, str]) -> int:
    """Every how many weeks, 0 if it is not weekly or says more."""
    if rest == {"FREQ": "WEEKLY"}:
        return 1
    if rest.keys() == {"FREQ", "INTERVAL"} and rest["FREQ"] == "WEEKLY" and rest["INTERVAL"].isdecimal():
        return int(rest["INTERVAL"])
    return 0


def _read_month(days: list[str]) -> tuple[Every, int, tuple[int, ...]] | None:
    found = [_DAY_OF_MONTH.fullmatch(day) for day in days]
    read = {(int(match[1]), match[2]) for match in found if match}
    if len(read) != len(days) or len({nth for nth, _ in read}) != 1:
        return None
    if not {day for _, day in read} <= set(WEEKDAYS):
        return None
    nth = next(iter(read))[0]
    return Every.MONTH, nth, tuple(sorted(WEEKDAYS.index(day) for _, day in read))
