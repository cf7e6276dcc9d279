"""What the desk books by itself: fees and deposits at lending, late fees at the return, all of it undone.

`desk` calls these inside its own transaction, after the event is written; every entry points at its event,
so that an undo takes back just that. Where nothing costs anything, the books are not asked.
"""

from collections.abc import Callable
from datetime import date

from django.db.models import Q

from catalogue.prepared import Prepared
from loans import fees
from loans.accounts import balance
from loans.act import Act
from loans.calendar import calendar_of, local_date
from loans.entries import About, book, lock, personal, unnamed
from loans.ledger import account_of, charge, give_deposit_back, write_reversal
from loans.models import Account, AccountKind, DeskAction, DeskEvent, Entry, EntryKind, Loan, LoanPlace
from loans.rules import Policy


def lock_owed(*members: int) -> None:
    """The accounts of several members at once, in one order, before anything is booked on any of them."""
    owners = Q(member__in=members) | Q(household__members__in=members)
    accounts = Account.objects.filter(owners, kind=AccountKind.OWED).order_by("pk")
    for pk in dict.fromkeys(accounts.values_list("pk", flat=True)):
        Account.objects.select_for_update(no_key=True).get(pk=pk)


def when_lent(event: DeskEvent, policy: Policy, act: Act) -> None:
    """The fee and the deposit of a new loan; what is played here, and what is free, books nothing."""
    loan = _loan_of(event)
    if loan.place != LoanPlace.HOME:
        return
    _charge_at_desk(event, EntryKind.LOAN, fees.lending_fee(policy, _days(loan.lent_on, loan.due_on)), act)
    _charge_at_desk(event, EntryKind.DEPOSIT, policy.deposit, act)


def when_renewed(event: DeskEvent, policy: Policy, act: Act) -> None:
    """The fee of the further days, where the library takes one by the day."""
    before = date.fromisoformat(event.before["due_on"])
    more = _days(before, _loan_of(event).due_on)
    _charge_at_desk(event, EntryKind.LOAN, fees.renewal_fee(policy, more), act)


def when_returned(event: DeskEvent, policy: Callable[[], Policy], act: Act) -> None:
    """The late fee, and the deposit back. `policy` is asked only for what came late."""
    loan = _loan_of(event)
    returned_on = local_date(loan.returned_at or act.now, loan.copy.branch)
    if returned_on > loan.due_on and loan.place == LoanPlace.HOME:
        late = fees.days_late(loan.due_on, returned_on, calendar_of(loan.copy.branch))
        _charge_at_desk(event, EntryKind.LATE, fees.late_fee(policy(), late), act)
    _give_back_at_desk(event, loan, act)


def when_undone(event: DeskEvent, undoing: DeskEvent, act: Act) -> None:
    """Reverse what `event` has booked, and nothing else; `undoing` is the event of the undo."""
    causes = Q(event=event)
    if event.action == DeskAction.LEND:
        # A loan that never was has no deposit to keep either.
        causes |= Q(loan=event.loan_id, kind=EntryKind.DEPOSIT_KEPT)
    for entry in Entry.objects.filter(causes, reversed_by=None, reverses=None).order_by("-pk"):
        write_reversal(entry, act, event=undoing)
    if event.action == DeskAction.CHECK_IN:
        _charge_again(event, act)


def _charge_again(returned: DeskEvent, act: Act) -> None:
    """The fees that were given back because the box came home on its first day: it did not."""
    refunded = Entry.objects.filter(kind=EntryKind.LOAN, reversed_by__event=returned).order_by("pk")
    for entry in refunded.select_related("event__loan__copy__branch", "event__loan__member"):
        if entry.event is not None:
            _charge_at_desk(entry.event, EntryKind.LOAN, entry.lines.get().cents, act)


def _charge_at_desk(event: DeskEvent, kind: EntryKind, cents: int, act: Act) -> None:
    if cents <= 0:
        return
    loan, by_desk = _loan_of(event), unnamed(act)
    account = account_of(loan.borrower)
    lock(account)
    charge(account, kind, cents, act=by_desk, about=loan, event=event)
    prepaid = Account.objects.filter(
        kind=AccountKind.PREPAID, household=account.household_id, member=account.member_id
    ).first()
    spend = min(cents, -balance(prepaid), balance(account)) if prepaid else 0
    if spend > 0 and prepaid and kind != EntryKind.DEPOSIT:
        facts = About(loan=loan, member=loan.member, branch=loan.copy.branch, event=event)
        book(EntryKind.PREPAID_USED, (prepaid, account, spend), by_desk, facts)


DEPOSITS = Prepared(
    lambda loan: Entry.objects.filter(
        kind__in=(EntryKind.DEPOSIT, EntryKind.DEPOSIT_BACK, EntryKind.DEPOSIT_KEPT),
        reversed_by=None,
        loan=loan,
    ).prefetch_related("lines__credit"),
    int,
)


def _give_back_at_desk(event: DeskEvent, loan: Loan, act: Act) -> None:
    entries = DEPOSITS(loan.pk)
    lines = [(entry.kind, line) for entry in entries for line in entry.lines.all()]
    held = sum(line.cents if kind == EntryKind.DEPOSIT else -line.cents for kind, line in lines)
    if held <= 0:
        return
    deposit = next(line.credit for kind, line in lines if kind == EntryKind.DEPOSIT)
    owner = deposit.household or deposit.member
    assert owner is not None  # noqa: S101 - personal accounts have one, by constraint
    account = personal(owner, AccountKind.OWED)
    lock(account)
    back = min(held, -balance(deposit))
    if back > 0:
        give_deposit_back(account, back, act=unnamed(act), loan=loan, event=event)


def _loan_of(event: DeskEvent) -> Loan:
    assert event.loan is not None  # noqa: S101 - only refusals have none
    return event.loan


def _days(first_on: date, last_on: date) -> int:
    return (last_on - first_on).days
