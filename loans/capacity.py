"""How many boxes of a game are spoken for on which days? Pure functions of plain values.

`bookings` and `situation` read the rows and ask here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Claim:
    """So many boxes are wanted on all days from the first to the last, both included."""

    copies: int
    first_on: date
    last_on: date

    def covers(self, day: date) -> bool:
        """Whether the day is one of the claim's."""
        return self.first_on <= day <= self.last_on


def most_wanted(claims: Iterable[Claim], first_on: date, last_on: date) -> int:
    """The most boxes that are wanted on any one day of the span, both ends included."""
    claims = [claim for claim in claims if claim.first_on <= last_on and claim.last_on >= first_on]
    days = {max(claim.first_on, first_on) for claim in claims}
    return max((wanted_on(claims, day) for day in days), default=0)


def wanted_on(claims: Iterable[Claim], day: date) -> int:
    """How many boxes are wanted on that day."""
    return sum(claim.copies for claim in claims if claim.covers(day))


def needed_from(copies: int, out: Sequence[date], claims: Sequence[Claim], today: date) -> date | None:
    """The first day on which one box less would be too few; None: one can be spared for ever.

    `copies`: all boxes that may be lent, the asked one among them. `out`: the due dates of the others
    that are lent; a late box is not counted on, whatever its date.
    """
    days = sorted({max(claim.first_on, today) for claim in claims if claim.last_on >= today})
    for day in days:
        away = sum(due_on >= day or due_on < today for due_on in out)
        if copies - away - 1 < wanted_on(claims, day):
            return day
    return None


def kept_back(out: Sequence[date], claims: Sequence[Claim], today: date, until: date) -> int:
    """How many boxes of those in the house must not be promised to anybody until a day, for who has booked.

    `out`: the due dates of the boxes that are lent; what is due before it is wanted counts as back by then.
    """
    soon = [claim for claim in claims if claim.first_on <= until and claim.last_on >= today]
    days = {max(claim.first_on, today) for claim in soon}
    short = (wanted_on(soon, day) - sum(today <= due_on < day for due_on in out) for day in days)
    return max(short, default=0)


def with_buffer(first_on: date, last_on: date, days: int) -> tuple[date, date]:
    """The days of a booking with those before and after it."""
    return first_on - timedelta(days=days), last_on + timedelta(days=days)
