"""What is to be told on a day, decided on plain values: no database, no clock, no words for people.

Everything is told once: about a due date, a box on the hold shelf, an end of membership. A day on which
nothing was sent is made up for on the next; a stage of reminders is never skipped.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from enum import StrEnum


class Kind(StrEnum):
    """What a notice is about; the order is that of a letter, the most urgent first."""

    LATE_3 = "late_3"
    LATE_2 = "late_2"
    LATE_1 = "late_1"
    DUE_TODAY = "due_today"
    HOLD_READY = "hold_ready"
    DUE_SOON = "due_soon"
    HOLD_LAPSED = "hold_lapsed"
    MEMBERSHIP_ENDING = "membership_ending"
    WELCOME = "welcome"
    RECEIPT = "receipt"


STAGES = (Kind.LATE_1, Kind.LATE_2, Kind.LATE_3)
"""The reminders of a late game, one after the other."""

DECLINABLE = frozenset(
    {Kind.DUE_SOON, Kind.DUE_TODAY, Kind.HOLD_LAPSED, Kind.MEMBERSHIP_ENDING, Kind.WELCOME}
)
"""What a member may do without. A late game costs money and a kept box was asked for: both are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """When what is told: days before the due day, days after it for each stage, days before an end."""

    due_soon_days: int = 3
    late_days: tuple[int, int, int] = (2, 9, 16)
    membership_days: int = 21
    news_days: int = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLoan:
    """An open loan. `open_days_late`: on how many days since it was due somebody could bring it back.

    `told`: what was told about this very due date, and on which day.
    """

    lent_on: date
    due_on: date
    open_days_late: int = 0
    told: Mapping[Kind, date] = field(default_factory=dict)


def about_loan(loan: OpenLoan, today: date, timing: Timing) -> Kind | None:
    """What is to be told today about a loan; nothing on the day on which it was lent."""
    left = (loan.due_on - today).days
    if left > timing.due_soon_days or loan.lent_on >= today:
        return None
    if left < 0:
        return _stage(loan, today, timing)
    kind = Kind.DUE_SOON if left else Kind.DUE_TODAY
    return None if kind in loan.told else kind


def _stage(loan: OpenLoan, today: date, timing: Timing) -> Kind | None:
    """The next reminder, once as much time has passed since the one before as lies between the two."""
    told = [stage for stage in STAGES if stage in loan.told]
    if len(told) == len(STAGES) or not loan.open_days_late:
        return None
    waits = timing.late_days[len(told)]
    if (today - loan.due_on).days < waits:
        return None
    if told and (today - loan.told[told[-1]]).days < waits - timing.late_days[len(told) - 1]:
        return None
    return STAGES[len(told)]


def membership_ends(ends_on: date | None, today: date, timing: Timing) -> bool:
    """Whether the end of a membership is near enough to be told; one that has ended is not."""
    return ends_on is not None and today <= ends_on <= today + timedelta(days=timing.membership_days)


RETRIES = (timedelta(minutes=10), timedelta(minutes=30), timedelta(hours=2), timedelta(hours=6))
"""How long to wait after each attempt that a mail server has put off."""


def next_try(attempts: int, now: datetime) -> datetime | None:
    """When to try again after so many attempts; None: no more."""
    return now + RETRIES[attempts - 1] if attempts <= len(RETRIES) else None
