"""Values of the desk: who acts, what is set aside, what came of it. No rows are written here.

`desk` and `sets` take them and give them back; views and API make them.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q

from loans.models import DeskEvent, Loan
from loans.rules import REPEAT_WITHIN, Refusal, RefusalCode

LONGEST_KEPT = timedelta(days=31)
"""A scan that says it was kept for longer comes from a device whose clock was wrong."""


@dataclass(frozen=True, slots=True)
class Act:
    """Who acts, when, and on which scan. `nonce` is the client's name for this one scan, or empty.

    `at_desk` is False when a member acts alone at home. `waited`: how long the scan was kept before it
    could be sent.
    """

    by: User
    now: datetime
    nonce: str = ""
    scanned: str = ""
    at_desk: bool = True
    waited: timedelta = timedelta(0)

    @property
    def scanned_at(self) -> datetime:
        """When Enter was pressed."""
        return self.now - self.waited

    def as_scanned(self) -> "Act":
        """The act as of its scan, if that was kept for long: a box that came back on Saturday is not late
        because the network came back on Monday.
        """
        dated = REPEAT_WITHIN < self.waited <= LONGEST_KEPT
        return replace(self, now=self.scanned_at, waited=timedelta(0)) if dated else self


@dataclass(frozen=True, slots=True)
class Waiver:
    """Refusals to set aside, by a person who may, for a reason that stays on the journal."""

    codes: frozenset[RefusalCode] = frozenset()
    reason: str = ""


NO_WAIVER = Waiver()


@dataclass(frozen=True, slots=True)
class Done:
    """What was done; `repeated` if it had been done before and nothing was written this time."""

    event: DeskEvent
    repeated: bool = False

    @property
    def loan(self) -> Loan:
        """The loan that the action was about."""
        assert self.event.loan is not None  # noqa: S101 - only refusals have none
        return self.event.loan


def of_scan(nonce: str) -> Q:
    """The row that was written under this nonce.

    The indexes leave out rows without one: a query that does not, SQLite answers by reading the whole table.
    """
    return Q(nonce=nonce) & ~Q(nonce="")


class Refused(Exception):
    """The desk or the books say no. `refusals` are all the reasons; `event`: the journal's line, if something
    was tried.
    """

    def __init__(self, refusals: tuple[Refusal, ...], event: DeskEvent | None = None) -> None:
        super().__init__(", ".join(refusal.code for refusal in refusals))
        self.refusals = refusals
        self.event = event

    @classmethod
    def because(cls, code: RefusalCode, /, **data: str | int) -> "Refused":
        """For this one reason."""
        return cls((Refusal(code, data=data),))


def refusals_of(event: DeskEvent) -> tuple[Refusal, ...]:
    """The refusals that the journal kept."""
    return tuple(Refusal.from_json(kept) for kept in event.refusals)


def waived_of(event: DeskEvent) -> tuple[Refusal, ...]:
    """The refusals that were set aside, as the journal kept them."""
    return tuple(Refusal.from_json(kept) for kept in event.waived)
