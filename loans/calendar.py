"""The days of a branch, read from the opening and closure rows as the plain values of `opening`.

Only reads. A row without a branch holds for every branch.
"""

from datetime import date, datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import Q
from django.utils import timezone

from catalogue.models import Branch
from loans.models import Closure, Opening
from loans.opening import Calendar, OpeningRule


def local_date(now: datetime, branch: Branch | None) -> date:
    """The day it is at the branch (or in the library's own zone) at the instant `now`."""
    return now.astimezone(_zone(branch)).date()


def end_of_day(day: date, branch: Branch | None) -> datetime:
    """The last moment of `day` at the branch (or in the library's own zone)."""
    return datetime.combine(day, time.max, tzinfo=_zone(branch))


def calendar_of(branch: Branch | None) -> Calendar:
    """What is known of the days on which the branch is open."""
    here = Q(branch=None) | Q(branch=branch)
    openings = Opening.objects.filter(here).values_list("starts_on", "rrule")
    closures = Closure.objects.filter(here).values_list("first_on", "last_on")
    return Calendar(tuple(OpeningRule(*row) for row in openings), tuple(closures))


def _zone(branch: Branch | None) -> ZoneInfo:
    library = ZoneInfo(timezone.get_default_timezone_name())
    if branch is None or not branch.time_zone:
        return library
    try:
        return ZoneInfo(branch.time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        # A zone that this machine does not know must not stop the desk; it is hours off at most.
        return library
