"""What the books say: balances, open charges, statements. Only reads; `ledger` writes.

The balance of an account is its debits less its credits: positive is owed to the library, negative is
credit of the family.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import BigIntegerField, Case, F, Q, QuerySet, Sum, When
from django.db.models.functions import Coalesce

from loans.models import Account, AccountKind, Entry, Household, Line, Member
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


def owner_of(member: Member) -> Household | Member:
    """Whose books a member's loans go on."""
    return member.household if member.household is not None else member


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
    """All entries of the account's owner, oldest first, deposit and prepaid card among them."""
    kinds = {a.pk: AccountKind(a.kind) for a in _accounts_of(account.household or account.member)}
    lines = tuple(_lines_of(kinds))
    charges = {charge.entry: charge for charge in settle(_movements(lines, {account.pk})).charges}
    running = dict.fromkeys(PERSONAL, 0)
    told = []
    for line in lines:
        for pk, cents in ((line.debit_id, line.cents), (line.credit_id, -line.cents)):
            if pk in kinds:
                kind = kinds[pk]
                running[kind] += cents
                charge = charges.get(line.entry_id) if kind == AccountKind.OWED else None
                told.append(StatementLine(line.entry, kind, cents, running[kind], charge))
    return tuple(told)


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
