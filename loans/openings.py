"""The only writer of opening rules: on which days a branch is open.

Every function is one transaction. Open loans keep the due date that was promised. What would leave a branch
without any open day within a year is refused: from then on nothing could be lent there.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import date, time

from django.db import transaction

from catalogue.models import Branch
from loans import opening as opening_days
from loans.calendar import Days, all_days
from loans.models import Opening

EARLIEST, LATEST = date(1970, 1, 1), date(2200, 1, 1)
"""Days that rules may speak of: farther ones are typing errors, and long to reckon through."""


class NotARecurrence(ValueError):
    """The opening rule cannot be read, or names no day at all; the message says what is wrong."""


class NeverOpen(Exception):
    """With this a branch would have no open day within a year. `branch`: None where copies have none."""

    def __init__(self, branch: Branch | None) -> None:
        super().__init__(str(branch or ""))
        self.branch = branch


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningDraft:
    """A recurrence of opening days (RFC 5545, whole days); no branch: every branch."""

    starts_on: date
    rrule: str
    branch: Branch | None = None
    opens_at: time | None = None
    closes_at: time | None = None


@transaction.atomic
def save_opening(opening: Opening | None, draft: OpeningDraft, *, today: date) -> Opening:
    """A new opening rule, or a changed one. Raises NotARecurrence, NeverOpen, or ValueError for its hours."""
    check_recurrence(draft.starts_on, draft.rrule)
    if draft.opens_at and draft.closes_at and draft.closes_at <= draft.opens_at:
        raise ValueError("It closes after it opens.")
    before = all_days()
    opening = opening or Opening()
    for field in fields(draft):
        setattr(opening, field.name, getattr(draft, field.name))
    opening.save()
    refuse_never_open(before, all_days(), today=today)
    return opening


@transaction.atomic
def delete_openings(openings: Iterable[Opening], *, today: date) -> int:
    """Remove opening rules, all or none. Returns how many there were; raises NeverOpen."""
    before = all_days()
    _, removed = Opening.objects.filter(pk__in=[opening.pk for opening in openings]).delete()
    refuse_never_open(before, all_days(), today=today)
    return removed.get(Opening._meta.label, 0)


def check_recurrence(starts_on: date, rrule: str) -> None:
    """Refuse a recurrence that cannot be read or has no day. Raises NotARecurrence."""
    if not EARLIEST <= starts_on <= LATEST:
        raise NotARecurrence(f"from: between {EARLIEST} and {LATEST}")
    try:
        recurrence = opening_days.read_opening(opening_days.OpeningRule(starts_on, rrule))
    except ValueError as error:
        raise NotARecurrence(str(error)) from error
    if next(iter(recurrence), None) is None:
        raise NotARecurrence("it names no day")


def refuse_never_open(before: Days, after: Days, *, today: date) -> None:
    """Raise NeverOpen for a branch that a change takes its last open day from.

    A branch that has none already is no reason: whoever is putting it right does so in steps.
    """
    for branch in (None, *Branch.objects.all()):
        branch_id = branch.pk if branch else None
        if opening_days.next_open_day(after.of(branch_id), today):
            continue
        if opening_days.next_open_day(before.of(branch_id), today):
            raise NeverOpen(branch)
