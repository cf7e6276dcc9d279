"""The only writer of closures, and of the due dates that a closure moves.

A change of closures is planned first and shown: `plan` writes nothing and says which open loans would move,
and where to. `apply` does what was seen, in one transaction, or raises `PlanChanged`. One rule places every
loan, whatever was closed or lifted, and in whatever order, so overlapping closures add up and come apart:

    due = the promised date, or the next open day if a closure that still stands covers it

The promise is the date from before any closure moved the loan (`Redating.promised_on`). A loan that was
renewed or changed by hand since has a new promise, and is left alone. Nothing moves to before its promise,
and nothing that is not late becomes late: what would, gets the next open day instead.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from enum import StrEnum
from functools import reduce
from hashlib import sha256
from operator import or_

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogue.models import Branch, Copy
from loans import opening
from loans.calendar import Days, all_days, local_date
from loans.models import Closure, Loan, LoanPlace, Redating
from loans.opening import DAY, Calendar
from loans.openings import EARLIEST, LATEST, NeverOpen, refuse_never_open
from loans.transaction import in_one_transaction

LOCK = 0x636C6F7365
"""Any number that nobody else locks (`close`)."""


class PlanChanged(Exception):
    """What would move is no longer what was seen; `plan` is how it stands now."""

    def __init__(self, plan: "Plan") -> None:
        super().__init__()
        self.plan = plan


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosureDraft:
    """Days on which a branch is closed all the same, first and last included; no branch: every branch."""

    first_on: date
    last_on: date
    branch: Branch | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """New closures; or one that there is already, to say something else (`to`) or to be lifted (None)."""

    new: tuple[ClosureDraft, ...] = ()
    old: Closure | None = None
    to: ClosureDraft | None = None

    @property
    def closes(self) -> tuple[ClosureDraft, ...]:
        """What is closed when the change is made."""
        return (*self.new, self.to) if self.to else self.new


@dataclass(frozen=True, slots=True)
class Move:
    """A loan, and where the change puts its due date."""

    loan: Loan
    promised_on: date
    due_before: date
    due_after: date

    @property
    def earlier(self) -> bool:
        """Whether it goes back towards its promise."""
        return self.due_after < self.due_before


class Because(StrEnum):
    """Why a loan that a closure once moved stays as it is."""

    RETURNED = "returned"
    RENEWED = "renewed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class LeftAlone:
    """A loan that the closure once moved, and that has gone its own way since."""

    loan: Loan
    because: Because


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change of closures does to the open loans."""

    change: Change
    moves: tuple[Move, ...]
    left_alone: tuple[LeftAlone, ...] = ()

    @property
    def seen(self) -> str:
        """The plan as a short name: a page hands it back to say what it showed."""
        moves = [f"{move.loan.pk} {move.due_before} {move.due_after}" for move in self.moves]
        return sha256("\n".join(moves).encode()).hexdigest()[:32]


# --- plan and apply ----------------------------------------------------------------------------


def plan(change: Change, *, now: datetime) -> Plan:
    """What the change would do, without doing it. Raises ValueError for wrong days, NeverOpen."""
    for draft in change.closes:
        _check(draft)
    days = _after(change)
    refuse_never_open(all_days(), days, today=local_date(now, None))
    loans = tuple(_candidates(change))
    latest = _latest_redatings(loans)
    moves = (_move(loan, latest.get(loan.pk), days.of(loan.copy.branch_id), now=now) for loan in loans)
    moved = tuple(move for move in moves if move.due_after != move.due_before)
    return Plan(change, moved, tuple(_left_alone(change.old)) if change.old else ())


@in_one_transaction
def apply(change: Change, *, by: User, now: datetime, seen: str | None = None) -> Plan:
    """Make the change and move the loans. `seen`: the plan that was shown; None: whatever it is.

    Raises as `plan` does, and PlanChanged when a loan has come or gone since the plan was seen.
    """
    _lock(change)
    made = plan(change, now=now)
    if seen is not None and made.seen != seen:
        raise PlanChanged(made)
    closures = _write(change, by=by, now=now)
    Redating.objects.bulk_create(
        Redating(
            loan=move.loan,
            closure=_closure_of(move, closures),
            promised_on=move.promised_on,
            due_before=move.due_before,
            due_after=move.due_after,
            renewals=move.loan.renewals,
            at=now,
            by=by,
        )
        for move in made.moves
    )
    Loan.objects.bulk_update([_moved(move) for move in made.moves], ["due_on"], batch_size=200)
    return made


def describe(closure: Closure) -> ClosureDraft:
    """What the closure says now."""
    return ClosureDraft(**{field.name: getattr(closure, field.name) for field in fields(ClosureDraft)})


def still_due_in(closure: Closure) -> QuerySet[Loan]:
    """Open loans that are due on a day of the closure: lent since, or never moved."""
    return _open_loans().filter(_due_in(describe(closure)))


# --- which loans, and where to -----------------------------------------------------------------


def _check(draft: ClosureDraft) -> None:
    if draft.last_on < draft.first_on:
        raise ValueError("The last day of a closure is not before its first.")
    if draft.first_on < EARLIEST or draft.last_on > LATEST:
        raise ValueError(f"A closure lies between {EARLIEST} and {LATEST}.")


def _after(change: Change) -> Days:
    """The days of all branches as the change leaves them."""
    days = all_days(without=(change.old,) if change.old else ())
    added = tuple(
        (draft.branch.pk if draft.branch else None, (draft.first_on, draft.last_on))
        for draft in change.closes
    )
    return replace(days, closures=days.closures + added)


def _open_loans() -> QuerySet[Loan]:
    """Those at home: what is played in the house goes back to its shelf the same day."""
    rows = Loan.objects.filter(returned_at=None, place=LoanPlace.HOME)
    return rows.select_related("copy__game", "copy__branch", "member").order_by("due_on", "pk")


def _candidates(change: Change) -> QuerySet[Loan]:
    """Open loans due on a day that is closed now, and those that were moved across a closure that changes."""
    wanted = [_due_in(draft) for draft in change.closes]
    if change.old:
        across = Redating.objects.filter(
            loan=OuterRef("pk"), promised_on__lte=change.old.last_on, due_after__gte=change.old.first_on
        )
        wanted.append(Q(Exists(across)) & _at(change.old.branch_id))
    return _open_loans().filter(reduce(or_, wanted)) if wanted else Loan.objects.none()


def _due_in(draft: ClosureDraft) -> Q:
    branch_id = draft.branch.pk if draft.branch else None
    return Q(due_on__range=(draft.first_on, draft.last_on)) & _at(branch_id)


def _at(branch_id: int | None) -> Q:
    return Q(copy__branch=branch_id) if branch_id else Q()


def _latest_redatings(loans: Iterable[Loan]) -> dict[int, Redating]:
    rows = Redating.objects.filter(loan__in=[loan.pk for loan in loans]).order_by("pk")
    return {row.loan_id: row for row in rows}


def _move(loan: Loan, latest: Redating | None, calendar: Calendar, *, now: datetime) -> Move:
    promised_on = latest.promised_on if latest and _holds(latest, loan) else loan.due_on
    due_on = opening.moved_out(promised_on, calendar)
    if due_on is None:
        raise NeverOpen(loan.copy.branch)
    today = local_date(now, loan.copy.branch)
    if due_on >= loan.due_on or due_on >= today:
        return Move(loan, promised_on, loan.due_on, due_on)
    # The promised day is over: who was told a later one gets one more day to come, and that is promised now.
    soonest = opening.next_open_day(calendar, today + DAY) or loan.due_on
    due_on = min(opening.moved_out(loan.due_on, calendar) or loan.due_on, soonest)
    return Move(loan, due_on, loan.due_on, due_on)


def _holds(latest: Redating, loan: Loan) -> bool:
    """Whether the loan is still as the closure left it."""
    return (loan.due_on, loan.renewals) == (latest.due_after, latest.renewals)


def _left_alone(closure: Closure) -> Iterable[LeftAlone]:
    loans = Loan.objects.filter(Exists(closure.redatings.filter(loan=OuterRef("pk"))))
    loans = loans.select_related("copy__game", "member").order_by("due_on", "pk")
    latest = _latest_redatings(loans)
    for loan in loans:
        if loan.returned_at:
            yield LeftAlone(loan, Because.RETURNED)
        elif loan.renewals != latest[loan.pk].renewals:
            yield LeftAlone(loan, Because.RENEWED)
        elif not _holds(latest[loan.pk], loan):
            yield LeftAlone(loan, Because.CHANGED)


# --- writing -----------------------------------------------------------------------------------


def _lock(change: Change) -> None:
    """One change of closures at a time; and the desk waits for the boxes whose loans may move.

    Boxes are locked in the order of their rows, and the desk locks one: nobody waits in a circle.
    """
    if connection.vendor == "postgresql":
        # No row would do: a library may have no branch, and no closure yet. SQLite writes one at a time.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    boxes = Copy.objects.filter(pk__in=[loan.copy_id for loan in _candidates(change)])
    list(boxes.select_for_update(no_key=True).order_by("pk").values_list("pk"))


def _write(change: Change, *, by: User, now: datetime) -> tuple[Closure, ...]:
    if change.old and change.to is None:
        change.old.lifted_at, change.old.lifted_by = now, by
        change.old.save(update_fields=["lifted_at", "lifted_by"])
        return (change.old,)
    if change.old and change.to:
        return (_save(change.old, change.to),)
    return tuple(_save(_same_days(draft) or Closure(), draft) for draft in change.new)


def _same_days(draft: ClosureDraft) -> Closure | None:
    """A closure of just these days: whoever presses twice means it once."""
    same = Closure.objects.filter(lifted_at=None, branch=draft.branch)
    return same.filter(first_on=draft.first_on, last_on=draft.last_on).first()


def _save(closure: Closure, draft: ClosureDraft) -> Closure:
    for field in fields(draft):
        setattr(closure, field.name, getattr(draft, field.name))
    closure.save()
    return closure


def _closure_of(move: Move, closures: tuple[Closure, ...]) -> Closure:
    """Which of the written closures the loan is moved by: the one it was due in, else any."""
    covers = (each for each in closures if each.first_on <= move.due_before <= each.last_on)
    return next(covers, closures[0])


def _moved(move: Move) -> Loan:
    move.loan.due_on = move.due_after
    return move.loan
