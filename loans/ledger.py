"""The only writer of the books, the closing of a day apart (see `till`).

Every function is one transaction and one entry; what the desk does by itself (a fee at lending, a late fee)
joins the desk's transaction and points at its event, so that an undo reverses just that. An entry with a
nonce that was written before is answered again and not written twice. What cannot be is raised as `Refused`.

    wrong entry    reverse it: a new entry with debit and credit changed, once
    a closed day   takes no entry any more: what comes later belongs to the day after it
"""

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Q

from catalogue.models import Branch
from loans import fees
from loans.accounts import balance as balance
from loans.accounts import fees_of, is_same_day, owner_of
from loans.calendar import calendar_of, local_date
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
    LoanPlace,
    Member,
    Membership,
    TillDay,
    Voucher,
    VoucherUse,
)
from loans.models.money import OF_A_BRANCH
from loans.rules import Policy, Refusal, RefusalCode
from loans.transaction import in_one_transaction

if TYPE_CHECKING:
    from loans.act import Act

INCOME = {
    EntryKind.MEMBERSHIP: AccountKind.MEMBERSHIPS,
    EntryKind.LOAN: AccountKind.LOAN_FEES,
    EntryKind.LATE: AccountKind.LATE_FEES,
    EntryKind.PIECES: AccountKind.PIECES,
    EntryKind.OTHER: AccountKind.OTHER,
    EntryKind.DEPOSIT: AccountKind.DEPOSIT,
}
"""What may be charged, and on which account it is income. A deposit is none: it stays the member's."""

NEVER_REVERSED = {EntryKind.REVERSAL, EntryKind.DIFFERENCE}
NEVER_OVERDRAWN = {AccountKind.DEPOSIT, AccountKind.PREPAID}
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""For voucher codes: without those that are taken for another."""


class Method(StrEnum):
    """By what money comes and goes."""

    CASH = "cash"
    CARD = "card"
    TRANSFER = "transfer"

    @property
    def account(self) -> AccountKind:
        """The account of a till that it stands on."""
        return AccountKind(self.value)


class Refused(Exception):
    """The books say no, and why."""

    def __init__(self, code: RefusalCode, /, **data: str | int) -> None:
        super().__init__(code)
        self.refusals = (Refusal(code, data=data),)


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


def account_of(member: Member) -> Account:
    """Where a member's charges go: the account of the household if there is one, else the member's own."""
    return account_of_owner(owner_of(member))


def account_of_owner(owner: Household | Member) -> Account:
    """What a household, or a member without one, owes."""
    return _personal(owner, AccountKind.OWED)


def house(kind: AccountKind, branch: Branch | None = None) -> Account:
    """An account of the library itself; what a till holds is the branch's own."""
    of = branch if kind in OF_A_BRANCH else None
    return Account.objects.get_or_create(kind=kind, branch=of, household=None, member=None)[0]


def _personal(owner: Household | Member, kind: AccountKind) -> Account:
    if isinstance(owner, Household):
        return Account.objects.get_or_create(kind=kind, household=owner, member=None)[0]
    return Account.objects.get_or_create(kind=kind, member=owner, household=None)[0]


def _purse(account: Account, kind: AccountKind) -> Account:
    """The deposit or the prepaid card beside an account of what is owed."""
    owner = account.household or account.member
    assert owner is not None  # noqa: S101 - personal accounts have one, by constraint
    return _personal(owner, kind)


# --- charges -------------------------------------------------------------------------------------


@in_one_transaction
def charge(
    account: Account,
    kind: EntryKind,
    cents: int,
    *,
    act: "Act",
    about: Loan | None = None,
    note: str = "",
    member: Member | None = None,
    event: DeskEvent | None = None,
) -> Entry:
    """Let `account` owe `cents` more. ValueError for what is no charge; Refused for another's nonce."""
    if kind not in INCOME or cents <= 0:
        raise ValueError(f"not a charge: {kind} {cents}")
    income = _purse(account, AccountKind.DEPOSIT) if kind == EntryKind.DEPOSIT else house(INCOME[kind])
    branch = about.copy.branch if about else None
    member = about.member if about else member
    facts = About(loan=about, member=member, branch=branch, event=event, text=note)
    return once(kind, (account, income, cents), act, facts)


def charge_membership(member: Member, kind_name: str, cents: int, act: "Act") -> Entry | None:
    """The fee of a membership; nothing is written where it is free."""
    if cents <= 0:
        return None
    account = account_of(member)
    return charge(account, EntryKind.MEMBERSHIP, cents, act=act, note=kind_name, member=member)


def charge_sale(sale: Membership, act: "Act") -> Entry | None:
    """The fee of a membership that was sold; it carries the name of the sale."""
    by_sale = replace(act, nonce=_name_of(sale))
    return charge_membership(sale.member, sale.kind.name, sale.fee_cents, by_sale)


def reverse_sale(sale: Membership, act: "Act") -> None:
    """Take the fee of a sale back with it; what was paid for it becomes credit."""
    entry = Entry.objects.filter(nonce=_name_of(sale), reversed_by=None).first()
    if entry:
        reverse(entry, act=unnamed(act))


def _name_of(sale: Membership) -> str:
    return f"membership-{sale.pk}"


# --- payments ------------------------------------------------------------------------------------


@in_one_transaction
def pay(
    account: Account,
    method: Method,
    cents: int,
    *,
    act: "Act",
    branch: Branch | None = None,
    tendered: int = 0,
) -> Entry:
    """Take `cents` for what is owed, the oldest charge first; more than is owed stays as credit.

    `tendered` is what was laid on the counter: the change is the rest, and is no entry.
    """
    money = house(method.account, branch)
    facts = About(branch=branch, tendered=tendered or None, member=account.member)
    return once(EntryKind.PAYMENT, (money, account, _positive(cents)), act, facts)


@in_one_transaction
def receive(
    account: Account,
    method: Method,
    tendered: int,
    *,
    act: "Act",
    branch: Branch | None = None,
    keep_rest: bool = False,
) -> Entry:
    """Take what is owed out of what was laid on the counter. Refused where nothing is owed.

    The rest is change, or credit if it is to be kept; a card or a transfer knows no change.
    """
    lock(account)
    if is_written(act):
        return _same_tender(act, tendered)
    owed = balance(account)
    if owed <= 0 and not keep_rest:
        raise Refused(RefusalCode.NOTHING_OWED)
    gives_change = method == Method.CASH and not keep_rest
    cents = min(owed, tendered) if gives_change else tendered
    return pay(account, method, cents, act=act, branch=branch, tendered=tendered)


def _same_tender(act: "Act", tendered: int) -> Entry:
    entry = Entry.objects.get(nonce=act.nonce)
    if entry.kind != EntryKind.PAYMENT or entry.tendered_cents != tendered:
        raise Refused(RefusalCode.NONCE_REUSED)
    return entry


@in_one_transaction
def pay_out(
    account: Account, method: Method, cents: int, *, act: "Act", branch: Branch | None = None
) -> Entry:
    """Give credit back. Refused if there is not so much of it."""
    lock(account)
    if done := _written(act, EntryKind.PAYOUT, account, cents):
        return done
    _at_most(cents, -balance(account))
    facts = About(branch=branch, member=account.member)
    return _book(EntryKind.PAYOUT, (account, house(method.account, branch), cents), act, facts)


@in_one_transaction
def top_up(
    account: Account, method: Method, cents: int, *, act: "Act", branch: Branch | None = None
) -> Entry:
    """Load the prepaid card of the account's owner."""
    prepaid = _purse(account, AccountKind.PREPAID)
    facts = About(branch=branch, member=account.member)
    moved = (house(method.account, branch), prepaid, _positive(cents))
    return once(EntryKind.PREPAID_IN, moved, act, facts)


@in_one_transaction
def pay_prepaid(account: Account, cents: int, *, act: "Act") -> Entry:
    """Pay from the prepaid card. Refused for more than is on it, or more than is owed."""
    lock(account)
    prepaid = _purse(account, AccountKind.PREPAID)
    if done := _written(act, EntryKind.PREPAID_USED, account, cents):
        return done
    _at_most(cents, min(-balance(prepaid), balance(account)))
    return _book(EntryKind.PREPAID_USED, (prepaid, account, cents), act, About(member=account.member))


# --- deposits ------------------------------------------------------------------------------------


@in_one_transaction
def give_deposit_back(
    account: Account, cents: int, *, act: "Act", loan: Loan | None = None, event: DeskEvent | None = None
) -> Entry:
    """Release a deposit: it pays what is owed, the rest is credit to be paid out. Refused for too much."""
    return _end_deposit(
        EntryKind.DEPOSIT_BACK, account, account, cents, act=act, facts=About(loan=loan, event=event)
    )


@in_one_transaction
def keep_deposit(account: Account, cents: int, *, act: "Act", note: str, loan: Loan | None = None) -> Entry:
    """Keep a deposit that is held, for a reason. Refused for too much."""
    into = house(AccountKind.DEPOSITS_KEPT)
    return _end_deposit(
        EntryKind.DEPOSIT_KEPT, account, into, cents, act=act, facts=About(loan=loan, text=note)
    )


def _end_deposit(
    kind: EntryKind, account: Account, into: Account, cents: int, *, act: "Act", facts: About
) -> Entry:
    lock(account)
    deposit = _purse(account, AccountKind.DEPOSIT)
    if done := _written(act, kind, deposit, cents):
        return done
    _at_most(cents, -balance(deposit))
    branch = facts.loan.copy.branch if facts.loan else None
    # What belongs to the member leaves the deposit as a debit and comes in as a credit of `into`.
    return _book(kind, (deposit, into, cents), act, replace(facts, branch=branch, member=account.member))


# --- vouchers ------------------------------------------------------------------------------------


@in_one_transaction
def issue_voucher(
    cents: int, *, act: "Act", method: Method | None = None, branch: Branch | None = None, note: str = ""
) -> Voucher:
    """Sell a voucher, or give one away (no method)."""
    paid_by = house(method.account, branch) if method else house(AccountKind.GIVEN)
    moved = (paid_by, house(AccountKind.VOUCHERS), _positive(cents))
    entry = once(EntryKind.VOUCHER, moved, act, About(branch=branch, text=note))
    code = "".join(secrets.choice(LETTERS) for _ in range(10))
    return Voucher.objects.get_or_create(entry=entry, defaults={"code": code, "cents": cents})[0]


@in_one_transaction
def redeem_voucher(account: Account, code: str, *, act: "Act") -> Entry:
    """Put the whole worth of a voucher on the account. Refused if there is none, or it was used."""
    code = "".join(character for character in code.upper() if character.isalnum())[:32]
    voucher = Voucher.objects.select_for_update(of=("self",)).filter(code=code).first()
    if voucher is None or Entry.objects.filter(reverses=voucher.entry_id).exists():
        raise Refused(RefusalCode.UNKNOWN_VOUCHER, code=code)
    if done := _written(act, EntryKind.VOUCHER_USED, account, voucher.cents):
        return done
    if voucher.uses.filter(entry__reversed_by=None).exists():
        raise Refused(RefusalCode.VOUCHER_USED, code=code)
    moved = (house(AccountKind.VOUCHERS), account, voucher.cents)
    entry = _book(EntryKind.VOUCHER_USED, moved, act, About(text=code, member=account.member))
    VoucherUse.objects.create(voucher=voucher, entry=entry)
    return entry


# --- moving and putting right --------------------------------------------------------------------


@in_one_transaction
def move(from_account: Account, to_account: Account, cents: int, *, act: "Act", note: str) -> Entry:
    """Let another account owe it: a child leaves the household and takes its debt along."""
    moved = (to_account, from_account, _positive(cents))
    return once(EntryKind.MOVED, moved, act, About(text=note))


@in_one_transaction
def reverse(entry: Entry, *, act: "Act", note: str = "") -> Entry:
    """Take an entry back by its opposite, once. Refused if that was done, or what it gave is spent."""
    for account in _personal_accounts(entry):
        lock(account)
    entry = Entry.objects.select_related("branch", "loan", "member").get(pk=entry.pk)
    if act.nonce and (done := Entry.objects.filter(nonce=act.nonce, reverses=entry).first()):
        return done
    _may_reverse(entry)
    return _write_reversal(entry, act, note=note)


def may_reverse(by: User, entry: Entry, *, now: datetime) -> bool:
    """Whether somebody may take an entry back: who manages the money, or who wrote it on this day."""
    if entry.kind in NEVER_REVERSED or hasattr(entry, "reversed_by"):
        return False
    own = entry.by_id == by.pk and entry.on >= day_of_books(entry.branch, now)
    return by.has_perm("loans.manage_money") or (own and by.has_perm("loans.use_till"))


def _may_reverse(entry: Entry) -> None:
    if entry.kind in NEVER_REVERSED:
        raise Refused(RefusalCode.NOT_REVERSIBLE)
    if Entry.objects.filter(reverses=entry).exists():
        raise Refused(RefusalCode.ALREADY_REVERSED)
    if VoucherUse.objects.filter(voucher__entry=entry, entry__reversed_by=None).exists():
        raise Refused(RefusalCode.VOUCHER_USED, code=entry.voucher.code)
    for line in entry.lines.select_related("credit"):
        if line.credit.kind in NEVER_OVERDRAWN:
            _at_most(line.cents, -balance(line.credit))


def _write_reversal(entry: Entry, act: "Act", *, note: str = "", event: DeskEvent | None = None) -> Entry:
    lines = [(line.credit, line.debit, line.cents) for line in entry.lines.select_related("debit", "credit")]
    facts = About(
        loan=entry.loan, member=entry.member, branch=entry.branch, event=event, text=note, reverses=entry
    )
    return _book_lines(EntryKind.REVERSAL, lines, act if event is None else unnamed(act), facts)


@in_one_transaction
def refund_same_day(loan: Loan, *, act: "Act") -> list[Entry]:
    """Give the fee of a loan back that came home on its first day. Refused if there is none to give back."""
    lock(account_of(loan.member))
    found = list(fees_of(loan)) if is_same_day(loan) else []
    if not found:
        raise Refused(RefusalCode.ALREADY_REVERSED)
    return [_write_reversal(entry, unnamed(act)) for entry in found]


# --- what the desk calls -------------------------------------------------------------------------


def when_lent(event: DeskEvent, policy: Policy, act: "Act") -> None:
    """The fee and the deposit of a new loan; what is played here, and what is free, books nothing."""
    loan = _loan_of(event)
    if loan.place != LoanPlace.HOME:
        return
    _charge_at_desk(event, EntryKind.LOAN, fees.lending_fee(policy, _days(loan.lent_on, loan.due_on)), act)
    _charge_at_desk(event, EntryKind.DEPOSIT, policy.deposit, act)


def when_renewed(event: DeskEvent, policy: Policy, act: "Act") -> None:
    """The fee of the further days, where the library takes one by the day."""
    before = date.fromisoformat(event.before["due_on"])
    more = _days(before, _loan_of(event).due_on)
    _charge_at_desk(event, EntryKind.LOAN, fees.renewal_fee(policy, more), act)


def when_returned(event: DeskEvent, policy: Callable[[], Policy], act: "Act") -> None:
    """The late fee, and the deposit back. `policy` is asked only for what came late."""
    loan = _loan_of(event)
    returned_on = local_date(loan.returned_at or act.now, loan.copy.branch)
    if returned_on > loan.due_on and loan.place == LoanPlace.HOME:
        late = fees.days_late(loan.due_on, returned_on, calendar_of(loan.copy.branch))
        _charge_at_desk(event, EntryKind.LATE, fees.late_fee(policy(), late), act)
    _give_back_at_desk(event, loan, act)


def when_undone(event: DeskEvent, undoing: DeskEvent, act: "Act") -> None:
    """Reverse what `event` has booked, and nothing else; `undoing` is the event of the undo."""
    causes = Q(event=event)
    if event.action == DeskAction.LEND:
        # A loan that never was has no deposit to keep either.
        causes |= Q(loan=event.loan_id, kind=EntryKind.DEPOSIT_KEPT)
    for entry in Entry.objects.filter(causes, reversed_by=None, reverses=None).order_by("-pk"):
        _write_reversal(entry, act, event=undoing)


def _charge_at_desk(event: DeskEvent, kind: EntryKind, cents: int, act: "Act") -> None:
    if cents <= 0:
        return
    loan, by_desk = _loan_of(event), unnamed(act)
    account = account_of(loan.member)
    lock(account)
    charge(account, kind, cents, act=by_desk, about=loan, event=event)
    prepaid = Account.objects.filter(
        kind=AccountKind.PREPAID, household=account.household_id, member=account.member_id
    ).first()
    spend = min(cents, -balance(prepaid)) if prepaid else 0
    if spend > 0 and prepaid and kind != EntryKind.DEPOSIT:
        facts = About(loan=loan, member=loan.member, branch=loan.copy.branch, event=event)
        _book(EntryKind.PREPAID_USED, (prepaid, account, spend), by_desk, facts)


def _give_back_at_desk(event: DeskEvent, loan: Loan, act: "Act") -> None:
    of_deposit = {EntryKind.DEPOSIT, EntryKind.DEPOSIT_BACK, EntryKind.DEPOSIT_KEPT}
    entries = loan.entries.filter(kind__in=of_deposit, reversed_by=None).prefetch_related("lines__credit")
    lines = [(entry.kind, line) for entry in entries for line in entry.lines.all()]
    held = sum(line.cents if kind == EntryKind.DEPOSIT else -line.cents for kind, line in lines)
    if held <= 0:
        return
    deposit = next(line.credit for kind, line in lines if kind == EntryKind.DEPOSIT)
    owner = deposit.household or deposit.member
    assert owner is not None  # noqa: S101 - personal accounts have one, by constraint
    account = _personal(owner, AccountKind.OWED)
    lock(account)
    back = min(held, -balance(deposit))
    if back > 0:
        give_deposit_back(account, back, act=unnamed(act), loan=loan, event=event)


def _loan_of(event: DeskEvent) -> Loan:
    assert event.loan is not None  # noqa: S101 - only refusals have none
    return event.loan


def _days(first_on: date, last_on: date) -> int:
    return (last_on - first_on).days


# --- writing -------------------------------------------------------------------------------------

Moved = tuple[Account, Account, int]
"""Debit, credit, cents: the first gets what the second gives."""


def once(kind: EntryKind, moved: Moved, act: "Act", facts: About) -> Entry:
    """Write the entry, or answer with the one that the nonce has written before."""
    return _written(act, kind, moved[1], moved[2]) or _book(kind, moved, act, facts)


def is_written(act: "Act") -> bool:
    """Whether this act has written its entry before."""
    return bool(act.nonce) and Entry.objects.filter(nonce=act.nonce).exists()


def _written(act: "Act", kind: EntryKind, account: Account, cents: int) -> Entry | None:
    entry = Entry.objects.filter(nonce=act.nonce).first() if act.nonce else None
    if entry is None:
        return None
    of_account = Q(debit=account) | Q(credit=account)
    if entry.kind != kind or not entry.lines.filter(of_account, cents=cents).exists():
        raise Refused(RefusalCode.NONCE_REUSED)
    return entry


def _book(kind: EntryKind, moved: Moved, act: "Act", facts: About) -> Entry:
    return _book_lines(kind, [moved], act, facts)


def _book_lines(kind: EntryKind, moved: Iterable[Moved], act: "Act", facts: About) -> Entry:
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
        text=facts.text.strip()[:300],
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


def unnamed(act: "Act") -> "Act":
    """The same act for an entry that comes with another one, whose nonce it cannot have as well."""
    return replace(act, nonce="")


def lock(account: Account) -> None:
    """Nobody else decides on this account until the end; the owner's first, a till's last."""
    Account.objects.select_for_update(of=("self",), no_key=True).get(pk=account.pk)


def _personal_accounts(entry: Entry) -> list[Account]:
    """The accounts of what is owed that the entry touches, in the order in which they are locked."""
    owed = Q(kind=AccountKind.OWED)
    return list(
        Account.objects.filter(owed, Q(debits__entry=entry) | Q(credits__entry=entry))
        .distinct()
        .order_by("pk")
    )


def _positive(cents: int) -> int:
    if cents <= 0:
        raise Refused(RefusalCode.AMOUNT_MISSING)
    return cents


def _at_most(cents: int, most: int) -> None:
    if _positive(cents) > most:
        raise Refused(RefusalCode.NOT_THAT_MUCH, cents=max(most, 0))
