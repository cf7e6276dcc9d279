"""Writes entries and their lines: the one place where the books grow. `ledger` and `till` say what is booked.

An entry is written with its lines in one go and never touched again. While it is being written the cash
account of its branch is locked, as it is while a day is being closed: no entry slips into a day that is
being counted. Locks are taken in one order: a household's account first, a till's last.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum

from django.db.models import Q

from catalogue.models import Branch
from catalogue.text import one_line
from loans.act import Act, Refused, of_scan
from loans.calendar import local_date
from loans.models import (
    Account,
    AccountKind,
    DeskEvent,
    Entry,
    EntryKind,
    Household,
    Line,
    Loan,
    Member,
    TillDay,
)
from loans.models.money import OF_A_BRANCH
from loans.rules import RefusalCode


class Method(StrEnum):
    """By what money comes and goes."""

    CASH = "cash"
    CARD = "card"
    TRANSFER = "transfer"

    @property
    def account(self) -> AccountKind:
        """The account of a till that it stands on."""
        return AccountKind(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What an entry is about beside its amount."""

    loan: Loan | None = None
    member: Member | None = None
    branch: Branch | None = None
    event: DeskEvent | None = None
    text: str = ""
    tendered: int | None = None
    reverses: Entry | None = None
    on: date | None = None


# --- accounts ------------------------------------------------------------------------------------


def house(kind: AccountKind, branch: Branch | None = None) -> Account:
    """An account of the library itself; what a till holds is the branch's own."""
    of = branch if kind in OF_A_BRANCH else None
    return Account.objects.get_or_create(kind=kind, branch=of, household=None, member=None)[0]


def personal(owner: Household | Member, kind: AccountKind) -> Account:
    """An account of a household, or of a member without one."""
    if isinstance(owner, Household):
        return Account.objects.get_or_create(kind=kind, household=owner, member=None)[0]
    return Account.objects.get_or_create(kind=kind, member=owner, household=None)[0]


def purse(account: Account, kind: AccountKind) -> Account:
    """The deposit or the prepaid card beside an account of what is owed."""
    owner = account.household or account.member
    assert owner is not None  # noqa: S101 - personal accounts have one, by constraint
    return personal(owner, kind)


# --- entries -------------------------------------------------------------------------------------

Moved = tuple[Account, Account, int]
"""Debit, credit, cents: the first gets what the second gives."""


def once(kind: EntryKind, moved: Moved, act: Act, facts: About) -> Entry:
    """Write the entry, or answer with the one that the nonce has written before."""
    debit, credit, cents = moved
    return written(act, kind, cents, debit, credit) or book(kind, moved, act, facts)


def is_written(act: Act) -> bool:
    """Whether this act has written its entry before."""
    return bool(act.nonce) and Entry.objects.filter(of_scan(act.nonce)).exists()


def written(act: Act, kind: EntryKind, cents: int, *touched: Account) -> Entry | None:
    """The entry that the act has written before. Refused if it was another one than is asked for now."""
    entry = Entry.objects.filter(of_scan(act.nonce)).first() if act.nonce else None
    if entry is None:
        return None
    lines = entry.lines.filter(cents=cents)
    for account in touched:
        lines = lines.filter(Q(debit=account) | Q(credit=account))
    if entry.kind != kind or not lines.exists():
        raise Refused.because(RefusalCode.NONCE_REUSED)
    return entry


def book(kind: EntryKind, moved: Moved, act: Act, facts: About) -> Entry:
    """Write an entry of one line."""
    return book_lines(kind, [moved], act, facts)


def book_lines(kind: EntryKind, moved: Iterable[Moved], act: Act, facts: About) -> Entry:
    """Write an entry with its lines."""
    # The closing of a day holds the same row: no entry slips into a day while it is being counted.
    lock(house(AccountKind.CASH, facts.branch))
    entry = Entry.objects.create(
        kind=kind,
        at=act.now,
        on=facts.on or day_of_books(facts.branch, act.now),
        by=act.by,
        branch=facts.branch,
        loan=facts.loan,
        member=facts.member,
        event=facts.event,
        text=one_line(facts.text)[:300],
        tendered_cents=facts.tendered,
        reverses=facts.reverses,
        nonce=act.nonce,
    )
    for debit, credit, cents in moved:
        Line.objects.create(entry=entry, debit=debit, credit=credit, cents=cents)
    return entry


def day_of_books(branch: Branch | None, now: datetime) -> date:
    """The day that an entry of now belongs to: today, or the day after a till that was closed for today."""
    today = local_date(now, branch)
    closed_on = TillDay.objects.filter(branch=branch).values_list("on", flat=True).first()
    return max(today, closed_on + timedelta(days=1)) if closed_on else today


def unnamed(act: Act) -> Act:
    """The same act for an entry that comes with another one, whose nonce it cannot have as well."""
    return replace(act, nonce="")


def lock(account: Account) -> None:
    """Nobody else decides on this account until the end; the owner's first, a till's last."""
    Account.objects.select_for_update(of=("self",), no_key=True).get(pk=account.pk)


def personal_accounts(entry: Entry) -> list[Account]:
    """The accounts of what is owed that the entry touches, in the order in which they are locked."""
    owed = Q(kind=AccountKind.OWED)
    return list(
        Account.objects.filter(owed, Q(debits__entry=entry) | Q(credits__entry=entry))
        .distinct()
        .order_by("pk")
    )


def positive(cents: int) -> int:
    """The amount. Refused if it is none."""
    if cents <= 0:
        raise Refused.because(RefusalCode.AMOUNT_MISSING)
    return cents


def at_most(cents: int, most: int) -> None:
    """Refuse an amount that is none, or more than `most`."""
    if positive(cents) > most:
        raise Refused.because(RefusalCode.NOT_THAT_MUCH, cents=max(most, 0))
