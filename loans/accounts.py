"""What the books say: balances, open charges, statements. Only reads; `ledger` writes.

The balance of an account is its debits less its credits: positive is owed to the library, negative is
credit of the family.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from catalogue.prepared import Prepared
from loans.calendar import local_date
from loans.marks import may_have
from loans.models import (
    Account,
    AccountKind,
    DeskAction,
    DeskEvent,
    Entry,
    EntryKind,
    Household,
    Line,
    Loan,
    Member,
)
from loans.models.money import PERSONAL
from loans.settling import Charge, Movement, Settlement, settle


@dataclass(frozen=True, slots=True)
class Purses:
    """How a household, or a member without one, stands. `owed` is negative where there is credit."""

    owed: int = 0
    deposit: int = 0
    prepaid: int = 0

    @property
    def credit(self) -> int:
        """What the library owes."""
        return max(-self.owed, 0)

    @property
    def debt(self) -> int:
        """What is owed to the library."""
        return max(self.owed, 0)


@dataclass(frozen=True, slots=True)
class StatementLine:
    """One entry on an account, with the balance after it. `kind` tells which of the owner's accounts."""

    entry: Entry
    kind: AccountKind
    cents: int
    balance: int
    charge: Charge | None

    @property
    def is_reversed(self) -> bool:
        """Whether another entry has taken it back."""
        return hasattr(self.entry, "reversed_by")

    @property
    def shown_cents(self) -> int:
        """The amount as its owner sees it: what goes on a deposit or a prepaid card is more of it."""
        return self.cents if self.kind == AccountKind.OWED else -self.cents

    @property
    def shown_balance(self) -> int:
        """The balance in the same way."""
        return self.balance if self.kind == AccountKind.OWED else -self.balance


def owner_of(member: Member) -> Household | Member:
    """Whose books a member's loans go on."""
    return member.household if member.household is not None else member


def find(owner: Household | Member, kind: AccountKind = AccountKind.OWED) -> Account | None:
    """The owner's account of a kind, if anything was ever booked on it."""
    return _accounts_of(owner).filter(kind=kind).select_related("household", "member").first()


def personal_of(entry: Entry) -> Account | None:
    """The account of whoever an entry is about, if it is about anybody."""
    touched = Q(debits__entry=entry) | Q(credits__entry=entry)
    accounts = Account.objects.filter(touched, kind__in=PERSONAL).select_related("household", "member")
    return accounts.first()


@dataclass(frozen=True, slots=True)
class Booked:
    """What the desk's last answer has cost. `may_refund`: out and back on one day, so the fee may go back."""

    entries: tuple[Entry, ...]
    may_refund: bool


BOOKED = Prepared(
    lambda event: (
        Entry.objects.filter(event=event, reversed_by=None).prefetch_related("lines").order_by("pk")
    ),
    int,
)


def booked_by(event: DeskEvent) -> Booked | None:
    """What an action at the desk has booked, if anything; one query, two after a return."""
    entries = tuple(BOOKED(event.pk)) if may_have(event, "entries") else ()
    loan = event.loan
    back = event.action == DeskAction.CHECK_IN and loan is not None and loan.returned_at is not None
    may_refund = bool(back and loan and is_same_day(loan) and fees_of(loan).exists())
    return Booked(entries, may_refund) if entries or may_refund else None


def is_same_day(loan: Loan) -> bool:
    """Whether a game came back on the day on which it was lent."""
    return loan.returned_at is not None and local_date(loan.returned_at, loan.copy.branch) == loan.lent_on


def fees_of(loan: Loan) -> QuerySet[Entry]:
    """The fees of a loan that stand, and what the prepaid card paid of them; the newest first."""
    kinds = {EntryKind.LOAN, EntryKind.PREPAID_USED}
    return loan.entries.filter(kind__in=kinds, reversed_by=None).order_by("-pk")


@dataclass(frozen=True, slots=True)
class Owing:
    """An account with what is owed on it, or (negative) with the credit on it."""

    account: Account
    cents: int

    @property
    def credit(self) -> int:
        """What the library owes."""
        return max(-self.cents, 0)


def with_balance() -> list[Owing]:
    """All accounts on which something is owed, the most first, then those with credit; three queries."""
    owed = Account.objects.filter(kind=AccountKind.OWED)
    sums: dict[int, int] = {}
    for side, sign in (("debit", 1), ("credit", -1)):
        lines = Line.objects.filter(**{f"{side}__kind": AccountKind.OWED}).values_list(f"{side}_id")
        for pk, cents in lines.annotate(Sum("cents")):
            sums[pk] = sums.get(pk, 0) + sign * cents
    rows = owed.filter(pk__in=[pk for pk, cents in sums.items() if cents])
    found = [Owing(account, sums[account.pk]) for account in rows.select_related("household", "member")]
    return sorted(found, key=lambda owing: -owing.cents)


def balance(account: Account) -> int:
    """What is owed on the account, in cents; negative where there is credit."""
    return _total(Line.objects.filter(Q(debit=account) | Q(credit=account)), Q(debit=account))


def purses_of(owner: Household | Member) -> Purses:
    """How the owner stands, in two queries."""
    accounts = {a.pk: AccountKind(a.kind) for a in _accounts_of(owner)}
    if not accounts:
        return Purses()
    totals = dict.fromkeys(PERSONAL, 0)
    lines = Line.objects.filter(Q(debit__in=accounts) | Q(credit__in=accounts))
    for debit, credit, cents in lines.values_list("debit_id", "credit_id").annotate(Sum("cents")):
        if debit in accounts:
            totals[accounts[debit]] += cents
        if credit in accounts:
            totals[accounts[credit]] -= cents
    return Purses(totals[AccountKind.OWED], -totals[AccountKind.DEPOSIT], -totals[AccountKind.PREPAID])


def owed_by(member: Member) -> int:
    """What the member owes, alone and with the household: one query, for the rule."""
    of_member = Q(member=member) | (Q(household=member.household_id) if member.household_id else Q(pk=None))
    accounts = Account.objects.filter(of_member, kind=AccountKind.OWED).values("pk")
    lines = Line.objects.filter(Q(debit__in=accounts) | Q(credit__in=accounts))
    return _total(lines, Q(debit__in=accounts))


def settlement(account: Account) -> Settlement:
    """Which payments settled which charges of this account."""
    return settle(_movements(_lines_of([account.pk]), {account.pk}))


def statement(account: Account) -> tuple[StatementLine, ...]:
    """All entries of the owner, oldest first: what each does to the debt, else to the other accounts."""
    kinds = {a.pk: AccountKind(a.kind) for a in _accounts_of(account.household or account.member)}
    lines = tuple(_lines_of(kinds))
    charges = {charge.entry: charge for charge in settle(_movements(lines, {account.pk})).charges}
    running = dict.fromkeys(PERSONAL, 0)
    told: dict[tuple[int, bool], StatementLine] = {}
    for line in lines:
        for pk, cents in ((line.debit_id, line.cents), (line.credit_id, -line.cents)):
            if pk not in kinds:
                continue
            kind = kinds[pk]
            running[kind] += cents
            charge = charges.get(line.entry_id) if kind == AccountKind.OWED else None
            shown = StatementLine(line.entry, kind, cents, running[kind], charge)
            told[line.entry_id, kind == AccountKind.OWED] = shown
    return tuple(line for (pk, owed), line in told.items() if owed or (pk, True) not in told)


def _accounts_of(owner: Household | Member | None) -> QuerySet[Account]:
    if isinstance(owner, Household):
        return Account.objects.filter(household=owner)
    return Account.objects.filter(member=owner, member__isnull=False)


def _lines_of(accounts: Iterable[int]) -> QuerySet[Line]:
    pks = list(accounts)
    lines = Line.objects.filter(Q(debit__in=pks) | Q(credit__in=pks))
    rows = ("entry__reversed_by", "entry__loan__copy__game", "entry__member", "entry__by")
    return lines.select_related(*rows).order_by("entry_id", "pk")


def _movements(lines: Iterable[Line], accounts: set[int]) -> Iterable[Movement]:
    for line in lines:
        sign = (line.debit_id in accounts) - (line.credit_id in accounts)
        if sign:
            yield Movement(line.entry_id, sign * line.cents, line.entry.reverses_id)


def _total(lines: QuerySet[Line], debits: Q) -> int:
    signed = Case(When(debits, then=F("cents")), default=-F("cents"), output_field=BigIntegerField())
    total: int = lines.aggregate(total=Coalesce(Sum(signed), 0, output_field=BigIntegerField()))["total"]
    return total
