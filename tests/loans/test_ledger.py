"""The books: every entry adds up to nothing, nothing is edited, what is wrong is reversed, once."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loans import accounts, entries, ledger
from loans.accounts import Purses
from loans.ledger import Method
from loans.models import Account, AccountKind, Entry, EntryKind, Household, Line, Member
from loans.rules import RefusalCode
from tests.make import NOON, make_act, make_member, make_user

pytestmark = pytest.mark.django_db


def refused(code: RefusalCode) -> Any:
    return pytest.raises(ledger.Refused, match=f"^{code}$")


def owing(cents: int, member: Member | None = None) -> Account:
    """The account of a member who owes so much for a lost pawn."""
    account = ledger.account_of(member or make_member())
    ledger.charge(account, EntryKind.PIECES, cents, act=make_act(), note="1 red pawn")
    return account


def purses(account: Account) -> Purses:
    owner = account.household or account.member
    assert owner is not None
    return accounts.purses_of(owner)


# --- whose account -------------------------------------------------------------------------------


def test_a_household_has_one_bill() -> None:
    household = Household.objects.create(name="Martin", name_key="martin")
    anna, ben = make_member("Anna Martin"), make_member("Ben Martin")
    Member.objects.update(household=household)
    anna.refresh_from_db()
    ben.refresh_from_db()
    owing(300, anna)
    assert accounts.owed_by(ben) == 300
    assert ledger.account_of(anna) == ledger.account_of(ben)


def test_a_debt_from_before_the_household_is_still_the_members() -> None:
    member = make_member()
    owing(300, member)
    member.household = Household.objects.create(name="Martin", name_key="martin")
    member.save()
    owing(200, member)
    assert accounts.owed_by(member) == 500


# --- charges and payments ------------------------------------------------------------------------


def test_a_payment_in_part_leaves_the_rest() -> None:
    account = owing(500)
    ledger.pay(account, Method.CASH, 300, act=make_act())
    assert ledger.balance(account) == 200
    (charge,) = accounts.settlement(account).open_charges
    assert charge.open_cents == 200


def test_what_is_paid_too_much_is_credit() -> None:
    account = owing(500)
    ledger.pay(account, Method.CARD, 800, act=make_act())
    assert purses(account) == Purses(owed=-300)
    ledger.pay_out(account, Method.CASH, 300, act=make_act())
    assert ledger.balance(account) == 0


def test_no_more_credit_is_paid_out_than_there_is() -> None:
    account = owing(500)
    with refused(RefusalCode.NOT_THAT_MUCH):
        ledger.pay_out(account, Method.CASH, 1, act=make_act())


def test_a_payment_sent_twice_is_one_payment() -> None:
    account = owing(500)
    first = ledger.pay(account, Method.CASH, 500, act=make_act(nonce="n1"))
    assert ledger.pay(account, Method.CASH, 500, act=make_act(nonce="n1")) == first
    assert ledger.balance(account) == 0


def test_the_nonce_of_another_payment_is_refused() -> None:
    account = owing(500)
    ledger.pay(account, Method.CASH, 200, act=make_act(nonce="n1"))
    with refused(RefusalCode.NONCE_REUSED):
        ledger.pay(account, Method.CASH, 300, act=make_act(nonce="n1"))
    assert ledger.balance(account) == 300


def test_the_nonce_of_a_charge_to_somebody_else_is_refused() -> None:
    here, there = (ledger.account_of(make_member()) for _ in range(2))
    ledger.charge(here, EntryKind.OTHER, 300, act=make_act(nonce="n1"))
    with refused(RefusalCode.NONCE_REUSED):
        ledger.charge(there, EntryKind.OTHER, 300, act=make_act(nonce="n1"))


@pytest.mark.parametrize("cents", [0, -100])
def test_a_payment_of_nothing_is_refused(cents: int) -> None:
    with refused(RefusalCode.AMOUNT_MISSING):
        ledger.pay(owing(500), Method.CASH, cents, act=make_act())


def test_a_free_membership_books_nothing() -> None:
    assert ledger.charge_membership(make_member(), "Volunteer", 0, make_act()) is None
    entry = ledger.charge_membership(make_member(), "Family, a year", 2500, make_act())
    assert entry is not None
    assert (entry.kind, entry.text) == (EntryKind.MEMBERSHIP, "Family, a year")


# --- deposits, prepaid cards, vouchers -----------------------------------------------------------


def test_a_deposit_is_held_and_is_no_income() -> None:
    account = ledger.account_of(make_member())
    ledger.charge(account, EntryKind.DEPOSIT, 2000, act=make_act())
    ledger.pay(account, Method.CASH, 2000, act=make_act())
    assert purses(account) == Purses(owed=0, deposit=2000)
    ledger.give_deposit_back(account, 2000, act=make_act())
    assert purses(account) == Purses(owed=-2000, deposit=0)


def test_a_deposit_that_is_kept_is_income() -> None:
    account = ledger.account_of(make_member())
    ledger.charge(account, EntryKind.DEPOSIT, 2000, act=make_act())
    ledger.keep_deposit(account, 2000, act=make_act(), note="The game never came back")
    assert purses(account) == Purses(owed=2000, deposit=0)
    assert ledger.balance(entries.house(AccountKind.DEPOSITS_KEPT)) == -2000
    with refused(RefusalCode.NOT_THAT_MUCH):
        ledger.give_deposit_back(account, 1, act=make_act())


def test_a_prepaid_card_pays_no_more_than_is_on_it() -> None:
    account = owing(500)
    ledger.top_up(account, Method.CASH, 300, act=make_act())
    assert purses(account) == Purses(owed=500, prepaid=300)
    with refused(RefusalCode.NOT_THAT_MUCH):
        ledger.pay_prepaid(account, 301, act=make_act())
    ledger.pay_prepaid(account, 300, act=make_act())
    assert purses(account) == Purses(owed=200, prepaid=0)


def test_a_top_up_that_was_spent_cannot_be_reversed() -> None:
    account = owing(500)
    top_up = ledger.top_up(account, Method.CASH, 300, act=make_act())
    used = ledger.pay_prepaid(account, 200, act=make_act())
    with refused(RefusalCode.NOT_THAT_MUCH):
        ledger.reverse(top_up, act=make_act())
    ledger.reverse(used, act=make_act())
    ledger.reverse(top_up, act=make_act())
    assert purses(account) == Purses(owed=500)


def test_a_voucher_is_redeemed_once_however_it_is_typed() -> None:
    account = owing(500)
    voucher = ledger.issue_voucher(2000, act=make_act(), method=Method.CASH)
    typed = f" {voucher.code[:5].lower()}-{voucher.code[5:]} "
    ledger.redeem_voucher(account, typed, act=make_act())
    assert ledger.balance(account) == -1500
    with refused(RefusalCode.VOUCHER_USED):
        ledger.redeem_voucher(account, voucher.code, act=make_act())


def test_a_voucher_whose_use_was_reversed_can_be_used_again() -> None:
    account = owing(500)
    voucher = ledger.issue_voucher(2000, act=make_act())
    used = ledger.redeem_voucher(account, voucher.code, act=make_act())
    with refused(RefusalCode.VOUCHER_USED):
        ledger.reverse(voucher.entry, act=make_act())
    ledger.reverse(used, act=make_act())
    ledger.redeem_voucher(account, voucher.code, act=make_act())
    assert ledger.balance(account) == -1500


def test_a_voucher_that_was_taken_back_is_not_known() -> None:
    voucher = ledger.issue_voucher(2000, act=make_act())
    ledger.reverse(voucher.entry, act=make_act())
    with refused(RefusalCode.UNKNOWN_VOUCHER):
        ledger.redeem_voucher(owing(1), voucher.code, act=make_act())


def test_the_same_request_issues_one_voucher() -> None:
    first = ledger.issue_voucher(2000, act=make_act(nonce="v1"))
    assert ledger.issue_voucher(2000, act=make_act(nonce="v1")) == first


def test_a_debt_can_be_taken_along_to_another_account() -> None:
    here, there = owing(500), ledger.account_of(make_member())
    ledger.move(here, there, 500, act=make_act(), note="Left the household")
    assert (ledger.balance(here), ledger.balance(there)) == (0, 500)


# --- putting right -------------------------------------------------------------------------------


def test_a_charge_is_reversed_by_an_entry_of_its_own_and_only_once() -> None:
    account = owing(500)
    charge = Entry.objects.get()
    reversal = ledger.reverse(charge, act=make_act(), note="The pawn was found")
    assert (reversal.kind, reversal.reverses) == (EntryKind.REVERSAL, charge)
    assert ledger.balance(account) == 0
    with refused(RefusalCode.ALREADY_REVERSED):
        ledger.reverse(charge, act=make_act())
    with refused(RefusalCode.NOT_REVERSIBLE):
        ledger.reverse(reversal, act=make_act())


def test_a_reversal_sent_twice_is_one() -> None:
    owing(500)
    charge = Entry.objects.get()
    first = ledger.reverse(charge, act=make_act(nonce="r1"))
    assert ledger.reverse(charge, act=make_act(nonce="r1")) == first


def test_nothing_in_the_books_can_be_edited_or_removed() -> None:
    owing(500)
    entry, line = Entry.objects.get(), Line.objects.get()
    line.cents = 1
    for attempt in (
        entry.save,
        line.save,
        line.delete,
        Line.objects.all().delete,
        lambda: Line.objects.update(cents=1),
        lambda: Entry.objects.filter(pk=entry.pk).update(text=""),
    ):
        with pytest.raises(TypeError, match="is never"):
            attempt()
    assert Line.objects.get().cents == 500


def test_whoever_has_a_line_in_the_books_stays() -> None:
    member = make_member()
    owing(500, member)
    with pytest.raises(ProtectedError):
        member.delete()


@pytest.mark.parametrize("cents", [0])
def test_the_database_itself_refuses_a_line_that_moves_nothing(cents: int) -> None:
    account = owing(500)
    entry = Entry.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        Line.objects.create(entry=entry, debit=account, credit=entries.house(AccountKind.OTHER), cents=cents)
    with pytest.raises(IntegrityError), transaction.atomic():
        Line.objects.create(entry=entry, debit=account, credit=account, cents=1)


def test_the_database_itself_refuses_a_second_account_of_a_kind() -> None:
    account = owing(500)
    for again in (
        {"kind": account.kind, "member": account.member},
        {"kind": AccountKind.PIECES},
        {"kind": AccountKind.OWED},
        {"kind": AccountKind.CASH, "member": account.member},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Account.objects.create(**again)


# --- any sequence --------------------------------------------------------------------------------

STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["charge", "deposit", "pay", "pay_out", "top_up", "prepaid", "back", "keep", "reverse"]
        ),
        st.integers(1, 2000),
        st.integers(0, 1),
    ),
    max_size=25,
)


def step(what: str, cents: int, account: Account) -> None:
    """One thing that somebody does at the till; a refusal changes nothing."""
    act = make_act(SOMEBODY[0])
    if what == "reverse":
        entries = list(Entry.objects.all())
        if entries:
            ledger.reverse(entries[cents % len(entries)], act=act)
        return
    actions = {
        "charge": lambda: ledger.charge(account, EntryKind.OTHER, cents, act=act),
        "deposit": lambda: ledger.charge(account, EntryKind.DEPOSIT, cents, act=act),
        "pay": lambda: ledger.pay(account, Method.CASH, cents, act=act),
        "pay_out": lambda: ledger.pay_out(account, Method.CASH, cents, act=act),
        "top_up": lambda: ledger.top_up(account, Method.CARD, cents, act=act),
        "prepaid": lambda: ledger.pay_prepaid(account, cents, act=act),
        "back": lambda: ledger.give_deposit_back(account, cents, act=act),
        "keep": lambda: ledger.keep_deposit(account, cents, act=act, note="kept"),
    }
    actions[what]()


SOMEBODY: list[Any] = []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_after_any_sequence_the_books_add_up_and_can_be_replayed(
    db: None, steps: list[tuple[str, int, int]]
) -> None:
    with transaction.atomic():
        SOMEBODY[:] = [make_user("desk")]
        both = [ledger.account_of(make_member()) for _ in range(2)]
        for what, cents, which in steps:
            before = Line.objects.count()
            try:
                step(what, cents, both[which])
            except ledger.Refused:
                assert Line.objects.count() == before
        _check_books(both)
        transaction.set_rollback(True)


def _check_books(both: list[Account]) -> None:
    replayed = dict.fromkeys(Account.objects.values_list("pk", flat=True), 0)
    for debit, credit, cents in Line.objects.values_list("debit", "credit", "cents"):
        replayed[debit] += cents
        replayed[credit] -= cents
    assert sum(replayed.values()) == 0
    assert {a.pk: ledger.balance(a) for a in Account.objects.all()} == replayed
    for account in both:
        standing = purses(account)
        settled = accounts.settlement(account)
        still_open = sum(charge.open_cents for charge in settled.charges)
        assert standing.owed == replayed[account.pk] == still_open - settled.credit_cents
        assert standing.deposit >= 0
        assert standing.prepaid >= 0
        owed = [line.balance for line in accounts.statement(account) if line.kind == AccountKind.OWED]
        assert (owed or [0])[-1] == standing.owed


# --- the day of the books ------------------------------------------------------------------------


def test_an_entry_belongs_to_the_day_of_its_branch() -> None:
    owing(500)
    assert Entry.objects.get().on == date(2025, 3, 4)
    ledger.pay(owing(500), Method.CASH, 1, act=make_act(now=NOON + timedelta(hours=11, minutes=30)))
    assert Entry.objects.latest("pk").on == date(2025, 3, 5)
