"""Privacy by clock: past loans lose their member after a time, and so does all that was written down of them.

    what                       becomes                                            when
    loan, its events           without member, codes, reasons                     months after the return
    entries of the books       the same amounts, without loan, member and text    with their loan
    refusals without a loan    the same                                           months after them
    missing pieces             without the entry that charged them                with their loan
    holds, bookings            removed                                            months after their end
    blocks, desk messages      removed                                            months after their end
    the admin's log of people  removed                                            months after it

The months are the library's (`HISTORY_MONTHS`), or fewer where the member wants it. A loan with open money
or an open question about a piece keeps its member until that is settled. Safe to repeat, and safe to stop at
any time: every batch is one transaction. Called by `manage.py privacy forget`, which runs daily beside the
server; and by `erasure`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from dateutil.relativedelta import relativedelta
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.db import models, transaction
from django.db.models import CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Cast, Concat

from loans import accounts, notices
from loans.borrowers import with_borrower
from loans.models import (
    ACTIVE,
    Block,
    BookedLoan,
    Booking,
    CountState,
    DeskEvent,
    DeskNote,
    Entry,
    EntryKind,
    Hold,
    HoldEvent,
    Loan,
    Member,
    MissingPiece,
    PieceDecision,
    Player,
)

BATCH = 500
OFFERED_MONTHS = (1, 3, 6, 12, 24, 36)


@dataclass(slots=True)
class Forgotten:
    """How many rows lost their member, or were removed."""

    loans: int = 0
    events: int = 0
    others: int = 0


# --- how long ------------------------------------------------------------------------------------


def months_of(member: Member) -> int:
    """For how many months after the return the member's loans are kept."""
    chosen = member.history_months
    return settings.HISTORY_MONTHS if chosen is None else min(chosen, settings.HISTORY_MONTHS)


def months_offered() -> tuple[int, ...]:
    """The months among which a member may choose; the last is the library's own."""
    library: int = settings.HISTORY_MONTHS
    return (*(months for months in OFFERED_MONTHS if months < library), library)


@transaction.atomic
def choose_months(member: Member, months: int) -> None:
    """Keep the member's loans for so many months from now on. Raises ValueError for more than is offered."""
    if months not in months_offered():
        raise ValueError(f"{months} months are not offered.")
    chosen = None if months == settings.HISTORY_MONTHS else months
    Member.objects.filter(pk=member.pk).update(history_months=chosen)


def kept_until(loan: Loan, member: Member) -> datetime | None:
    """When a loan that has come back is forgotten, if nothing is open; None while it is out."""
    return loan.returned_at + relativedelta(months=months_of(member)) if loan.returned_at else None


def is_past(now: datetime, at: str, *, member: str = "member") -> Q:
    """Whether what stands in `at` (a time, or a date) is over for longer than `member` lets it be kept."""
    library: int = settings.HISTORY_MONTHS
    past = Q(**{f"{at}__lt": _ago(now, library, at)})
    shorter = Member.objects.filter(history_months__lt=library).order_by()
    for months in shorter.values_list("history_months", flat=True).distinct():
        asked = {f"{member}__history_months": months, f"{at}__lt": _ago(now, months or 0, at)}
        past |= Q(**asked)
    return past


def _ago(now: datetime, months: int, at: str) -> Any:
    then = now - relativedelta(months=months)
    return then.date() if at.endswith("_on") else then


# --- the clock -----------------------------------------------------------------------------------


def forget_expired(*, now: datetime, dry_run: bool = False) -> Forgotten:
    """Forget all whose time has come; with `dry_run` only count it."""
    told = Forgotten()
    due = due_loans(now)
    if dry_run:
        told.loans, told.events = due.count(), _old_events(now).count()
        told.others = sum(rows.count() for rows in _others(now))
        return told
    while pks := list(due.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        told.loans += forget_loans(pks)
    old = _old_events(now).order_by("pk").values_list("pk", flat=True)
    while events := list(old[:BATCH]):
        told.events += forget_events(Q(pk__in=events))
    for rows in _others(now):
        told.others += rows.delete()[0]
    return told


def due_loans(now: datetime) -> QuerySet[Loan]:
    """The loans whose time has come and on which nothing is open."""
    closed = Loan.objects.filter(member__isnull=False, returned_at__isnull=False)
    past = closed.filter(is_past(now, "returned_at")).exclude(pk__in=loans_with_open_money())
    return past.exclude(pk__in=Loan.objects.filter(MISSES_PIECES).values("pk"))


MISSES_PIECES = Q(counts__state=CountState.WAITING) | (
    Q(missing_pieces__isnull=False, missing_pieces__end="") & ~Q(missing_pieces__decision=PieceDecision.SPARE)
)
"""Loans whose box is to be counted, or lacks a piece that is not found, replaced or given up."""


def loans_with_open_money() -> set[int]:
    """The loans of which a charge is not paid yet, or a deposit not given back."""
    unpaid = [
        charge.entry
        for owing in accounts.with_balance()
        if owing.cents > 0
        for charge in accounts.settlement(owing.account).open_charges
    ]
    charged = Entry.objects.filter(pk__in=unpaid, loan__isnull=False).values_list("loan", flat=True)
    return {pk for pk in charged if pk} | _loans_with_a_deposit()


def _loans_with_a_deposit() -> set[int]:
    kinds = {EntryKind.DEPOSIT: 1, EntryKind.DEPOSIT_BACK: -1, EntryKind.DEPOSIT_KEPT: -1}
    entries = Entry.objects.filter(kind__in=kinds, loan__isnull=False, reversed_by=None)
    held: dict[int, int] = {}
    for loan, kind, cents in entries.values_list("loan", "kind").annotate(Sum("lines__cents")):
        held[loan] = held.get(loan, 0) + kinds[EntryKind(kind)] * cents
    return {loan for loan, cents in held.items() if cents > 0}


# --- loans ---------------------------------------------------------------------------------------


@transaction.atomic
def forget_loans(pks: Iterable[int]) -> int:
    """Let these closed loans, and all that points at them, lose their member."""
    loans = Loan.objects.filter(pk__in=list(pks), returned_at__isnull=False)
    of_loans = list(loans.values_list("pk", flat=True))
    forget_events(Q(loan__in=of_loans))
    unlink_entries(Q(loan__in=of_loans) | Q(event__loan__in=of_loans))
    notices.forget_about(Loan.objects.filter(pk__in=of_loans))
    Hold.objects.filter(loan__in=of_loans).delete()
    BookedLoan.objects.filter(loan__in=of_loans).delete()
    MissingPiece.objects.filter(loan__in=of_loans).update(charge_entry=None, reversal_entry=None, note="")
    forget_players(Player.objects.filter(loan__in=of_loans))
    told = with_borrower(Loan.objects.filter(pk=OuterRef("pk")))
    return loans.update(
        age_band=Subquery(told.values("band")),
        borrower_category=Subquery(told.values("category")),
        postcode_area=Subquery(told.values("area")),
        member=None,
    )


def unlink_entries(which: Q) -> None:
    """Let entries of the books forget what and whom they were about; amounts, accounts and days stay.

    The one edit of the books: it moves no money. The accounts themselves belong to a household, which has
    to see what it paid.
    """
    rows: QuerySet[Entry] = models.QuerySet(Entry)
    rows.filter(which).update(loan=None, event=None, member=None, text="")


def forget_players(players: QuerySet[Player]) -> None:
    """A badge may be a card: it becomes a number that says nothing, so that the players can be counted."""
    players.update(member=None, badge=Concat(Value("#"), Cast(F("pk"), CharField())))


# --- the journal of the desk -----------------------------------------------------------------------

NOT_SAID = "–"


@transaction.atomic
def forget_events(which: Q) -> int:
    """Let events of the desk lose the member, the scanned code, the reasons, and a member who acted alone."""
    events = DeskEvent.objects.filter(which)
    refused = list(events.exclude(refusals=[], waived=[]))
    for event in refused:
        event.refusals, event.waived = _impersonal(event.refusals), _impersonal(event.waived)
    DeskEvent.objects.bulk_update(refused, ["refusals", "waived"], batch_size=100)
    events.filter(at_desk=False).update(by=None)
    return events.update(member=None, scanned="", waive_reason="", nonce="")


def _impersonal(kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [one | {"data": _without_person(one.get("data", {}))} for one in kept]


def _without_person(data: dict[str, Any]) -> dict[str, Any]:
    """A refusal may name a member's row, and a code that may be a card: the sentence needs some code."""
    kept = {name: value for name, value in data.items() if name != "member"}
    return kept | {"code": NOT_SAID} if "code" in kept else kept


def _old_events(now: datetime) -> QuerySet[DeskEvent]:
    """What was refused, without a loan, too long ago, and is not forgotten yet."""
    tells = Q(member__isnull=False) | ~Q(scanned="") | ~Q(waive_reason="")
    return DeskEvent.objects.filter(tells, is_past(now, "at"), loan=None)


# --- what is removed -------------------------------------------------------------------------------


def _others(now: datetime) -> tuple[QuerySet[Any], ...]:
    """Rows that nobody needs any more once they are old enough."""
    lately = HoldEvent.objects.filter(~is_past(now, "at", member="hold__member"), hold=OuterRef("pk"))
    named = Q(loan__isnull=False, loan__member__isnull=False)
    holds = Hold.objects.exclude(state__in=ACTIVE).exclude(named).filter(~Exists(lately))
    bookings = Booking.objects.filter(is_past(now, "to_on"), booked_loans=None)
    ended = is_past(now, "lifted_at") | is_past(now, "ends_on")
    return (
        holds.filter(is_past(now, "placed_at")),
        bookings,
        Block.objects.filter(ended),
        DeskNote.objects.filter(is_past(now, "settled_at"), member__isnull=False),
        LogEntry.objects.filter(
            action_time__lt=_ago(now, settings.HISTORY_MONTHS, "at"), content_type__app_label="loans"
        ),
    )
