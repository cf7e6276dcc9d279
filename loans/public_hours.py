"""When it is open, as the public reads it: the days of the coming week, and closures ahead. Only reads.

Branches with the same days are told in one. Where no opening day was entered, nothing is said.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from catalogue.models import Branch
from loans import opening
from loans.calendar import all_days, local_date
from loans.models import Closure
from loans.opening import Calendar, DayState, Hours

DAYS_SHOWN = 4
"""How many open days are told."""

CLOSURES_AHEAD = timedelta(days=45)


@dataclass(frozen=True, slots=True)
class OpenDay:
    """A day and its hours, in order; no hours where only the day is said."""

    day: date
    hours: tuple[Hours, ...]


@dataclass(frozen=True, slots=True)
class PublicHours:
    """What is told about branches that keep the same days; `names` is empty when it is the whole library."""

    names: tuple[str, ...]
    today: OpenDay | None
    next_days: tuple[OpenDay, ...]
    closures: tuple[Closure, ...]


def public_hours(now: datetime) -> tuple[PublicHours, ...]:
    """The hours of all branches, those of equal days together; four queries at most."""
    days = all_days()
    if not days.openings:
        return ()
    branches = tuple(Branch.objects.all())
    together: dict[tuple[Calendar, date], list[Branch | None]] = {}
    for branch in branches or (None,):
        calendar = days.of(branch.pk if branch else None)
        if calendar.openings:
            together.setdefault((calendar, local_date(now, branch)), []).append(branch)
    closures = tuple(Closure.objects.filter(lifted_at=None)) if together else ()
    alone = len(together) == 1 and sum(map(len, together.values())) == max(len(branches), 1)
    return tuple(
        _told(calendar, today, owners, closures, named=not alone)
        for (calendar, today), owners in together.items()
    )


def _told(
    calendar: Calendar,
    today: date,
    owners: list[Branch | None],
    closures: Iterable[Closure],
    *,
    named: bool,
) -> PublicHours:
    places = {branch.pk for branch in owners if branch} | {None}
    ahead = (
        closure
        for closure in closures
        if closure.branch_id in places
        and closure.last_on >= today
        and closure.first_on <= today + CLOSURES_AHEAD
        and _closes_something(calendar, closure)
    )
    coming = opening.open_days(calendar, today + opening.DAY)
    return PublicHours(
        names=tuple(str(branch) for branch in owners if branch) if named else (),
        today=_open_day(calendar, today) if _is_open(calendar, today) else None,
        next_days=tuple(_open_day(calendar, day) for day, _ in zip(coming, range(DAYS_SHOWN), strict=False)),
        closures=tuple(sorted(ahead, key=lambda closure: closure.first_on)),
    )


def _closes_something(calendar: Calendar, closure: Closure) -> bool:
    """Whether a day of the closure would be open without it: a holiday on a Sunday is no news."""
    plain = Calendar(calendar.openings)
    first = opening.next_open_day(plain, closure.first_on)
    return first is not None and first <= closure.last_on


def _is_open(calendar: Calendar, day: date) -> bool:
    return opening.day_state(calendar, day) == DayState.OPEN


def _open_day(calendar: Calendar, day: date) -> OpenDay:
    return OpenDay(day, opening.hours_on(calendar, day))
