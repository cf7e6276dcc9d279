"""What the desk books by itself: fees, deposits, late fees; and all of it undone exactly."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from loans import accounts, desk, ledger, rules
from loans.accounts import Purses
from loans.ledger import Method
from loans.models import Entry, EntryKind, Loan, Member
from loans.rules import Policy, RefusalCode, Term
from tests.make import NOON, make_act, make_copy, make_loan, make_member, make_opening, make_policy

pytestmark = pytest.mark.django_db


@pytest.fixture
def policy() -> None:
    """A library that takes money for everything."""
    make_policy(
        fee_per_loan=100, fee_per_day=10, deposit=2000, late_fee_per_day=50, grace_days=1, late_fee_cap=300
    )


def booked(kind: EntryKind) -> list[int]:
    """The amounts of the entries of a kind that stand."""
    entries = Entry.objects.filter(kind=kind, reversed_by=None)
    return [line.cents for entry in entries for line in entry.lines.all()]


def purses(member: Member) -> Purses:
    return accounts.purses_of(accounts.owner_of(member))


def returned(loan: Loan, days: int) -> desk.Done:
    """The box comes back so many days after it was lent."""
    return desk.check_in(loan.copy, act=make_act(now=NOON + timedelta(days=days)))


def test_without_prices_nothing_is_booked() -> None:
    returned(make_loan(), 60)
    assert not Entry.objects.exists()


def test_a_loan_costs_what_the_policy_says(policy: None) -> None:
    loan = make_loan()
    assert booked(EntryKind.LOAN) == [310]
    assert booked(EntryKind.DEPOSIT) == [2000]
    assert purses(loan.borrower) == Purses(owed=2310, deposit=2000)


def test_the_second_scan_of_the_same_box_costs_nothing(policy: None) -> None:
    copy, member = make_copy(), make_member()
    make_loan(copy, member)
    make_loan(copy, member, now=NOON + timedelta(seconds=20))
    assert booked(EntryKind.LOAN) == [310]


def test_a_game_in_time_costs_no_more_and_gives_the_deposit_back(policy: None) -> None:
    loan = make_loan()
    ledger.pay(ledger.account_of(loan.borrower), Method.CASH, 2310, act=make_act())
    returned(loan, 21)
    assert booked(EntryKind.LATE) == []
    assert purses(loan.borrower) == Purses(owed=-2000, deposit=0)


def test_a_late_game_costs_its_open_days_after_the_grace(policy: None) -> None:
    returned(make_loan(), 24)
    assert booked(EntryKind.LATE) == [100]


def test_days_on_which_the_branch_was_shut_cost_nothing(policy: None) -> None:
    make_opening("FREQ=WEEKLY;BYDAY=SA")
    loan = make_loan()
    assert loan.due_on == date(2025, 3, 29)
    desk.check_in(loan.copy, act=make_act(now=NOON + timedelta(days=39)))  # 12 April: two Saturdays late
    assert booked(EntryKind.LATE) == [50]


def test_the_late_fee_has_a_cap(policy: None) -> None:
    returned(make_loan(), 200)
    assert booked(EntryKind.LATE) == [300]


def test_a_renewal_costs_its_further_days(policy: None) -> None:
    loan = make_loan()
    desk.renew(loan, act=make_act(now=NOON + timedelta(days=7)))
    assert booked(EntryKind.LOAN) == [310, 70]


def test_an_undone_loan_costs_nothing(policy: None) -> None:
    copy, member = make_copy(), make_member()
    done = desk.lend(copy, member, act=make_act())
    desk.undo(done.event, act=make_act())
    assert purses(member) == Purses()
    assert Entry.objects.filter(kind=EntryKind.REVERSAL).count() == 2


def test_an_undone_return_takes_its_late_fee_and_its_deposit_with_it(policy: None) -> None:
    loan = make_loan()
    before = purses(loan.borrower)
    done = returned(loan, 30)
    desk.undo(done.event, act=make_act(now=NOON + timedelta(days=30)))
    assert purses(loan.borrower) == before
    returned(loan, 24)
    assert booked(EntryKind.LATE) == [100]
    assert purses(loan.borrower).deposit == 0


def test_an_undo_leaves_what_was_booked_by_hand(policy: None) -> None:
    loan = make_loan()
    done = returned(loan, 24)
    ledger.charge(
        ledger.account_of(loan.borrower), EntryKind.PIECES, 700, act=make_act(), about=loan, note="1 die"
    )
    desk.undo(done.event, act=make_act(now=NOON + timedelta(days=24)))
    assert booked(EntryKind.PIECES) == [700]


def test_an_undone_return_is_owed_again_what_its_refund_gave_back(policy: None) -> None:
    loan = make_loan()
    first = returned(loan, 0)
    ledger.refund_same_day(first.loan, act=make_act())
    assert booked(EntryKind.LOAN) == []
    desk.undo(first.event, act=make_act())
    assert booked(EntryKind.LOAN) == [310]
    assert purses(loan.borrower) == Purses(owed=2310, deposit=2000)
    ledger.refund_same_day(returned(loan, 0).loan, act=make_act())
    assert booked(EntryKind.LOAN) == []


def test_a_loan_undone_after_its_refund_was_undone_costs_nothing(policy: None) -> None:
    loan = make_loan()
    lent = loan.events.get()
    back = returned(loan, 0)
    ledger.refund_same_day(back.loan, act=make_act())
    desk.undo(back.event, act=make_act())
    desk.undo(lent, act=make_act())
    assert purses(loan.borrower) == Purses(owed=0, deposit=0)


def test_an_undone_renewal_gives_the_fee_of_its_days_back(policy: None) -> None:
    loan = make_loan()
    done = desk.renew(loan, act=make_act(now=NOON + timedelta(days=7)))
    desk.undo(done.event, act=make_act(now=NOON + timedelta(days=7)))
    assert booked(EntryKind.LOAN) == [310]


def test_a_prepaid_card_pays_the_fee_at_once_but_not_the_deposit(policy: None) -> None:
    member = make_member()
    ledger.top_up(ledger.account_of(member), Method.CASH, 1000, act=make_act())
    done = desk.lend(make_copy(), member, act=make_act())
    assert purses(member) == Purses(owed=2000, deposit=2000, prepaid=690)
    desk.undo(done.event, act=make_act())
    assert purses(member) == Purses(prepaid=1000)


def test_a_prepaid_card_pays_as_far_as_it_goes(policy: None) -> None:
    member = make_member()
    ledger.top_up(ledger.account_of(member), Method.CASH, 110, act=make_act())
    desk.lend(make_copy(), member, act=make_act())
    assert purses(member) == Purses(owed=2200, deposit=2000, prepaid=0)


def test_a_deposit_that_was_kept_is_not_given_back_once_more(policy: None) -> None:
    loan = make_loan()
    account = ledger.account_of(loan.borrower)
    ledger.keep_deposit(account, 2000, act=make_act(), note="Thought lost", loan=loan)
    returned(loan, 21)
    assert booked(EntryKind.DEPOSIT_BACK) == []


def test_a_game_that_is_played_here_costs_nothing(policy: None) -> None:
    desk.lend(make_copy(), make_member(), act=make_act(), term=Term.HOUSE)
    assert not Entry.objects.exists()


def test_a_return_found_in_the_book_drop_is_late_as_of_the_day_it_came(policy: None) -> None:
    loan = make_loan()
    came, found = NOON + timedelta(days=21), NOON + timedelta(days=25)
    desk.check_in(loan.copy, act=make_act(now=found), returned_at=came)
    assert booked(EntryKind.LATE) == []


# --- the rule ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("owes", "limit", "says_no"), [(500, 500, False), (501, 500, True), (501, None, False)]
)
def test_who_owes_more_than_the_limit_borrows_nothing(owes: int, limit: int | None, *, says_no: bool) -> None:
    standing = rules.Standing(
        today=NOON.date(), policy=Policy(max_debt=limit), borrower=rules.Borrower(owes=owes)
    )
    assert [refusal.code for refusal in rules.may_borrow(standing)] == [RefusalCode.MEMBER_OWES] * says_no


def test_the_desk_says_how_much_is_owed() -> None:
    make_policy(max_debt=500)
    member = make_member()
    ledger.charge(ledger.account_of(member), EntryKind.PIECES, 700, act=make_act(), note="1 die")
    with pytest.raises(desk.Refused, match=r"^member_owes$") as caught:
        make_loan(member=member)
    assert caught.value.refusals[0].data == {"owes_cents": 700, "limit_cents": 500}


# --- what it costs the database -------------------------------------------------------------------


def of_the_books(queries: CaptureQueriesContext) -> int:
    """How many of the queries were about money."""
    tables = ("loans_entry", "loans_line", "loans_account", "loans_tillday")
    return sum(any(table in query["sql"] for table in tables) for query in queries.captured_queries)


def test_where_nothing_costs_anything_the_books_are_hardly_asked() -> None:
    copy, member, act = make_copy(), make_member(), make_act()
    with CaptureQueriesContext(connection) as lent:
        desk.lend(copy, member, act=act)
    with CaptureQueriesContext(connection) as back:
        desk.check_in(copy, act=act)
    assert (of_the_books(lent), of_the_books(back)) == (0, 1)
