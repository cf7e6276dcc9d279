"""The days of a branch, read from the opening and closure rows as the plain values of `opening`.

Only reads. A row without a branch holds for every branch; a closure that was lifted holds no longer.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import F, Q, QuerySet, Value
from django.utils import timezone

from catalogue.models import Branch
from catalogue.prepared import Prepared
from loans.models import Closure, Opening
from loans.opening import Calendar, Hours, OpeningRule, due_date, moved_out
from loans.rules import Policy

T = TypeVar("T")
OPENING_FIELDS = ("starts_on", "rrule", "opens_at", "closes_at")


def local_date(now: datetime, branch: Branch | None) -> date:
    """The day it is at the branch (or in the library's own zone) at the instant `now`."""
    return now.astimezone(_zone(branch)).date()


def end_of_day(day: date, branch: Branch | None) -> datetime:
    """The last moment of `day` at the branch (or in the library's own zone)."""
    return datetime.combine(day, time.max, tzinfo=_zone(branch))


def due_date_for(
    branch: Branch | None, from_on: date, policy: Policy, *, lent_on: date | None = None
) -> date | None:
    """When a loan that begins (or goes on) at `from_on` is due, by the policy; one query.

    `lent_on`: the day on which a loan that goes on began, for its weekday. None if the branch is never open
    within a year.
    """
    weekday = (lent_on or from_on).weekday()
    return due_date(from_on, policy.loan_days, _days_from(branch, from_on), policy.due_mode, weekday=weekday)


def kept_promise(branch: Branch | None, due_on: date) -> date:
    """A due date from before, as the closures of today leave it; one query."""
    return moved_out(due_on, _days_from(branch, due_on)) or due_on


def calendar_of(branch: Branch | None) -> Calendar:
    """What is known of the days on which the branch is open; two queries."""
    here = Q(branch=None) | Q(branch=branch)
    openings = Opening.objects.filter(here).values_list(*OPENING_FIELDS)
    closures = Closure.objects.filter(here, lifted_at=None).values_list("first_on", "last_on")
    return Calendar(tuple(_rule(*row) for row in openings), tuple(closures))


def _days_from(branch: Branch | None, first_on: date) -> Calendar:
    """What a due date on or after `first_on` depends on: neither hours nor closures that are over.

    Every lend comes here: openings and closures in one query, those of other branches too, for they are few.
    """
    here = {None, branch.pk if branch else None}
    rows = [row for row in OPENINGS_AND_CLOSURES(first_on) if row[0] in here]
    return Calendar(
        tuple(OpeningRule(first, rule) for _branch, first, _last, rule in rows if rule),
        tuple((first, last) for _branch, first, last, rule in rows if not rule),
    )


def _openings_and_closures(first_on: date) -> QuerySet[Any, tuple[int | None, date, date, str]]:
    """Branch, first and last day; an opening has its recurrence (and its first day twice), a closure none."""
    openings = Opening.objects.order_by().values_list("branch_id", "starts_on", F("starts_on"), "rrule")
    closures = Closure.objects.filter(lifted_at=None, last_on__gte=first_on).order_by()
    return openings.union(closures.values_list("branch_id", "first_on", "last_on", Value("")), all=True)


OPENINGS_AND_CLOSURES = Prepared(_openings_and_closures, date)


@dataclass(frozen=True, slots=True)
class Days:
    """The opening rules and closures of all branches: (branch id or None, plain value)."""

    openings: tuple[tuple[int | None, OpeningRule], ...]
    closures: tuple[tuple[int | None, tuple[date, date]], ...]

    def of(self, branch_id: int | None) -> Calendar:
        """The calendar of one branch, or of what has no branch."""
        return Calendar(_here(self.openings, branch_id), _here(self.closures, branch_id))


def all_days(*, without: Iterable[Closure] = ()) -> Days:
    """The days of all branches, as if the closures `without` were not there; two queries."""
    openings = Opening.objects.values_list("branch_id", *OPENING_FIELDS)
    left_out = [closure.pk for closure in without]
    closures = Closure.objects.filter(lifted_at=None).exclude(pk__in=left_out)
    return Days(
        tuple((branch_id, _rule(*row)) for branch_id, *row in openings),
        tuple((row[0], (row[1], row[2])) for row in closures.values_list("branch_id", "first_on", "last_on")),
    )


def _here(rows: Iterable[tuple[int | None, T]], branch_id: int | None) -> tuple[T, ...]:
    return tuple(value for owner, value in rows if owner is None or owner == branch_id)


def _rule(starts_on: date, rrule: str, opens_at: time | None, closes_at: time | None) -> OpeningRule:
    return OpeningRule(starts_on, rrule, Hours(opens_at, closes_at))


def _zone(branch: Branch | None) -> ZoneInfo:
    library = ZoneInfo(timezone.get_default_timezone_name())
    if branch is None or not branch.time_zone:
        return library
    try:
        return ZoneInfo(branch.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        # A zone that this machine does not know must not stop the desk; it is hours off at most.
        return library
