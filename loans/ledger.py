"""What is booked: charges, payments, deposits, prepaid cards, vouchers, and putting right what was wrong.

Every function is one transaction and, as a rule, one entry. An entry whose nonce was written before is
answered again and not written twice. What cannot be is raised as `Refused`.

    wrong entry    reverse it: a new entry with debit and credit changed, once
    a closed day   takes no entry any more: what comes later belongs to the day after it
"""

import secrets
from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User

from catalogue.models import Branch
from loans.accounts import balance as balance
from loans.accounts import fees_of, is_same_day, owner_of
from loans.act import Act, of_scan
from loans.act import Refused as Refused
from loans.entries import (
    About,
    at_most,
    book,
    book_lines,
    day_of_books,
    house,
    is_written,
    lock,
    once,
    personal,
    personal_accounts,
    positive,
    purse,
    unnamed,
    written,
)
from loans.entries import Method as Method
from loans.models import (
    Account,
    AccountKind,
    DeskAction,
    DeskEvent,
    Entry,
    EntryKind,
    Household,
    Loan,
    Member,
    Membership,
    Voucher,
    VoucherUse,
)
from loans.rules import RefusalCode
from loans.transaction import in_one_transaction

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

# --- accounts ------------------------------------------------------------------------------------


def account_of(member: Member) -> Account:
    """Where a member's charges go: the account of the household if there is one, else the member's own."""
    return account_of_owner(owner_of(member))


def account_of_owner(owner: Household | Member) -> Account:
    """What a household, or a member without one, owes."""
    return personal(owner, AccountKind.OWED)


# --- charges -------------------------------------------------------------------------------------


@in_one_transaction
def charge(
    account: Account,
    kind: EntryKind,
    cents: int,
    *,
    act: Act,
    about: Loan | None = None,
    note: str = "",
    member: Member | None = None,
    event: DeskEvent | None = None,
) -> Entry:
    """Let `account` owe `cents` more. ValueError for what is no charge; Refused for another's nonce."""
    if kind not in INCOME or cents <= 0:
        raise ValueError(f"not a charge: {kind} {cents}")
    income = purse(account, AccountKind.DEPOSIT) if kind == EntryKind.DEPOSIT else house(INCOME[kind])
    branch = about.copy.branch if about else None
    member = about.member if about else member
    facts = About(loan=about, member=member, branch=branch, event=event, text=note)
    return once(kind, (account, income, cents), act, facts)


def charge_membership(member: Member, kind_name: str, cents: int, act: Act) -> Entry | None:
    """The fee of a membership; nothing is written where it is free."""
    if cents <= 0:
        return None
    account = account_of(member)
    return charge(account, EntryKind.MEMBERSHIP, cents, act=act, note=kind_name, member=member)


def charge_sale(sale: Membership, act: Act) -> Entry | None:
    """The fee of a membership that was sold; it carries the name of the sale."""
    by_sale = replace(act, nonce=_name_of(sale))
    return charge_membership(sale.member, sale.kind.name, sale.fee_cents, by_sale)


def reverse_sale(sale: Membership, act: Act) -> None:
    """Take the fee of a sale back with it; what was paid for it becomes credit."""
    entry = Entry.objects.filter(of_scan(_name_of(sale)), reversed_by=None).first()
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
    act: Act,
    branch: Branch | None = None,
    tendered: int = 0,
) -> Entry:
    """Take `cents` for what is owed, the oldest charge first; more than is owed stays as credit.

    `tendered` is what was laid on the counter: the change is the rest, and is no entry.
    """
    money = house(method.account, branch)
    facts = About(branch=branch, tendered=tendered or None, member=account.member)
    return once(EntryKind.PAYMENT, (money, account, positive(cents)), act, facts)


@in_one_transaction
def receive(
    account: Account,
    method: Method,
    tendered: int,
    *,
    act: Act,
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
        raise Refused.because(RefusalCode.NOTHING_OWED)
    gives_change = method == Method.CASH and not keep_rest
    cents = min(owed, tendered) if gives_change else tendered
    return pay(account, method, cents, act=act, branch=branch, tendered=tendered)


def _same_tender(act: Act, tendered: int) -> Entry:
    entry = Entry.objects.get(of_scan(act.nonce))
    if entry.kind != EntryKind.PAYMENT or entry.tendered_cents != tendered:
        raise Refused.because(RefusalCode.NONCE_REUSED)
    return entry


@in_one_transaction
def pay_out(account: Account, method: Method, cents: int, *, act: Act, branch: Branch | None = None) -> Entry:
    """Give credit back. Refused if there is not so much of it."""
    lock(account)
    if done := written(act, EntryKind.PAYOUT, cents, account):
        return done
    at_most(cents, -balance(account))
    facts = About(branch=branch, member=account.member)
    return book(EntryKind.PAYOUT, (account, house(method.account, branch), cents), act, facts)


@in_one_transaction
def top_up(account: Account, method: Method, cents: int, *, act: Act, branch: Branch | None = None) -> Entry:
    """Load the prepaid card of the account's owner."""
    prepaid = purse(account, AccountKind.PREPAID)
    facts = About(branch=branch, member=account.member)
    moved = (house(method.account, branch), prepaid, positive(cents))
    return once(EntryKind.PREPAID_IN, moved, act, facts)


@in_one_transaction
def pay_prepaid(account: Account, cents: int, *, act: Act) -> Entry:
    """Pay from the prepaid card. Refused for more than is on it, or more than is owed."""
    lock(account)
    prepaid = purse(account, AccountKind.PREPAID)
    if done := written(act, EntryKind.PREPAID_USED, cents, account):
        return done
    at_most(cents, min(-balance(prepaid), balance(account)))
    return book(EntryKind.PREPAID_USED, (prepaid, account, cents), act, About(member=account.member))


# --- deposits ------------------------------------------------------------------------------------


@in_one_transaction
def give_deposit_back(
    account: Account, cents: int, *, act: Act, loan: Loan | None = None, event: DeskEvent | None = None
) -> Entry:
    """Release a deposit: it pays what is owed, the rest is credit to be paid out. Refused for too much."""
    return _end_deposit(
        EntryKind.DEPOSIT_BACK, account, account, cents, act=act, facts=About(loan=loan, event=event)
    )


@in_one_transaction
def keep_deposit(account: Account, cents: int, *, act: Act, note: str, loan: Loan | None = None) -> Entry:
    """Keep a deposit that is held. Refused without a reason in words, and for too much."""
    if not any(character.isalpha() for character in note):
        raise Refused.because(RefusalCode.REASON_MISSING)
    into = house(AccountKind.DEPOSITS_KEPT)
    return _end_deposit(
        EntryKind.DEPOSIT_KEPT, account, into, cents, act=act, facts=About(loan=loan, text=note)
    )


def _end_deposit(
    kind: EntryKind, account: Account, into: Account, cents: int, *, act: Act, facts: About
) -> Entry:
    lock(account)
    deposit = purse(account, AccountKind.DEPOSIT)
    if done := written(act, kind, cents, deposit):
        return done
    at_most(cents, -balance(deposit))
    branch = facts.loan.copy.branch if facts.loan else None
    # What belongs to the member leaves the deposit as a debit and comes in as a credit of `into`.
    return book(kind, (deposit, into, cents), act, replace(facts, branch=branch, member=account.member))


# --- vouchers ------------------------------------------------------------------------------------


@in_one_transaction
def issue_voucher(
    cents: int, *, act: Act, method: Method | None = None, branch: Branch | None = None, note: str = ""
) -> Voucher:
    """Sell a voucher, or give one away (no method)."""
    paid_by = house(method.account, branch) if method else house(AccountKind.GIVEN)
    moved = (paid_by, house(AccountKind.VOUCHERS), positive(cents))
    entry = once(EntryKind.VOUCHER, moved, act, About(branch=branch, text=note))
    code = "".join(secrets.choice(LETTERS) for _ in range(10))
    return Voucher.objects.get_or_create(entry=entry, defaults={"code": code, "cents": cents})[0]


def may_give_away(by: User) -> bool:
    """Whether somebody may issue a voucher that nobody pays."""
    return by.has_perm("loans.manage_money")


@in_one_transaction
def redeem_voucher(account: Account, code: str, *, act: Act) -> Entry:
    """Put the whole worth of a voucher on the account. Refused if there is none, or it was used."""
    code = "".join(character for character in code.upper() if character.isalnum())[:32]
    voucher = Voucher.objects.select_for_update(of=("self",)).filter(code=code).first()
    if voucher is None or Entry.objects.filter(reverses=voucher.entry_id).exists():
        raise Refused.because(RefusalCode.UNKNOWN_VOUCHER, code=code)
    if done := written(act, EntryKind.VOUCHER_USED, voucher.cents, account):
        return done
    if voucher.uses.filter(entry__reversed_by=None).exists():
        raise Refused.because(RefusalCode.VOUCHER_USED, code=code)
    moved = (house(AccountKind.VOUCHERS), account, voucher.cents)
    entry = book(EntryKind.VOUCHER_USED, moved, act, About(text=code, member=account.member))
    VoucherUse.objects.create(voucher=voucher, entry=entry)
    return entry


# --- moving and putting right --------------------------------------------------------------------


@in_one_transaction
def move(from_account: Account, to_account: Account, cents: int, *, act: Act, note: str) -> Entry:
    """Let another account owe it: a child leaves the household and takes its debt along."""
    moved = (to_account, from_account, positive(cents))
    return once(EntryKind.MOVED, moved, act, About(text=note))


@in_one_transaction
def reverse(entry: Entry, *, act: Act, note: str = "") -> Entry:
    """Take an entry back by its opposite, once. Refused if that was done, or what it gave is spent."""
    for account in personal_accounts(entry):
        lock(account)
    entry = Entry.objects.select_related("branch", "loan", "member").get(pk=entry.pk)
    if act.nonce and (done := Entry.objects.filter(of_scan(act.nonce), reverses=entry).first()):
        return done
    _may_reverse(entry)
    return write_reversal(entry, act, note=note)


def may_reverse(by: User, entry: Entry, *, now: datetime) -> bool:
    """Whether the button makes sense: the entry stands, and this person has the right."""
    stands = entry.kind not in NEVER_REVERSED and not hasattr(entry, "reversed_by")
    return stands and has_right_to_reverse(by, entry, now=now)


def has_right_to_reverse(by: User, entry: Entry, *, now: datetime) -> bool:
    """Who manages the money may take any entry back, and everybody at the till their own on the same day."""
    if by.has_perm("loans.manage_money"):
        return True
    own = entry.by_id == by.pk and by.has_perm("loans.use_till")
    return own and entry.on >= day_of_books(entry.branch, now)


def _may_reverse(entry: Entry) -> None:
    if entry.kind in NEVER_REVERSED:
        raise Refused.because(RefusalCode.NOT_REVERSIBLE)
    if Entry.objects.filter(reverses=entry).exists():
        raise Refused.because(RefusalCode.ALREADY_REVERSED)
    if VoucherUse.objects.filter(voucher__entry=entry, entry__reversed_by=None).exists():
        raise Refused.because(RefusalCode.VOUCHER_USED, code=entry.voucher.code)
    for line in entry.lines.select_related("credit"):
        if line.credit.kind in NEVER_OVERDRAWN:
            at_most(line.cents, -balance(line.credit))


def write_reversal(entry: Entry, act: Act, *, note: str = "", event: DeskEvent | None = None) -> Entry:
    lines = [(line.credit, line.debit, line.cents) for line in entry.lines.select_related("debit", "credit")]
    facts = About(
        loan=entry.loan, member=entry.member, branch=entry.branch, event=event, text=note, reverses=entry
    )
    return book_lines(EntryKind.REVERSAL, lines, act if event is None else unnamed(act), facts)


@in_one_transaction
def refund_same_day(loan: Loan, *, act: Act) -> list[Entry]:
    """Give the fee of a loan back that came home on its first day. Refused if there is none to give back.

    The entries point at the return: once that is undone, the fee is owed again.
    """
    if loan.member is not None:
        lock(account_of(loan.member))
    found = list(fees_of(loan)) if is_same_day(loan) else []
    if not found:
        raise Refused.because(RefusalCode.ALREADY_REVERSED)
    returned = loan.events.filter(action=DeskAction.CHECK_IN, undone_by=None).first()
    return [write_reversal(entry, act, event=returned) for entry in found]
