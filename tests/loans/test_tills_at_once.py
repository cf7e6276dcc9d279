"""Several people at the till at the same moment: nothing is paid twice, nothing is overdrawn."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from loans import accounts, entries, ledger, till
from loans.ledger import Method
from loans.models import AccountKind, Entry, EntryKind, TillDay
from tests.make import NOON, make_act, make_member, make_user

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 6


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """What each of several threads got, or the exception that it met."""

    def one(number: int) -> Any:
        try:
            return work(number)
        except ledger.Refused as refused:
            return refused.refusals[0].code
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, range(AT_ONCE)))


def test_the_same_payment_sent_by_several_threads_is_one() -> None:
    account, by = ledger.account_of(make_member()), make_user("desk")
    ledger.charge(account, EntryKind.OTHER, 500, act=make_act(by))
    act = make_act(by, nonce="once")
    entries = at_once(lambda _number: ledger.receive(account, Method.CASH, 500, act=act).pk)
    assert len(set(entries)) == 1
    assert ledger.balance(account) == 0


def test_credit_is_paid_out_no_more_often_than_it_lasts() -> None:
    account, by = ledger.account_of(make_member()), make_user("desk")
    ledger.pay(account, Method.CASH, 300, act=make_act(by))
    got = at_once(lambda _number: ledger.pay_out(account, Method.CASH, 100, act=make_act(by)))
    assert sum(isinstance(one, Entry) for one in got) == 3
    assert ledger.balance(account) == 0


def test_one_entry_is_reversed_once_by_several() -> None:
    account, by = ledger.account_of(make_member()), make_user("manager")
    charge = ledger.charge(account, EntryKind.OTHER, 500, act=make_act(by))
    got = at_once(lambda _number: ledger.reverse(charge, act=make_act(by)))
    assert sum(isinstance(one, Entry) for one in got) == 1
    assert ledger.balance(account) == 0


def test_a_voucher_is_redeemed_by_one_of_several() -> None:
    by = make_user("desk")
    voucher = ledger.issue_voucher(1000, act=make_act(by), method=Method.CASH)
    members = [make_member() for _ in range(AT_ONCE)]
    at_once(
        lambda number: ledger.redeem_voucher(
            ledger.account_of(members[number]), voucher.code, act=make_act(by)
        )
    )
    assert sorted(accounts.owed_by(member) for member in members) == [-1000] + [0] * (AT_ONCE - 1)


def test_no_payment_slips_into_the_day_that_is_being_closed() -> None:
    by = make_user("desk")
    owing = [ledger.account_of(make_member()) for _ in range(AT_ONCE)]

    def work(number: int) -> Any:
        if number == 2:
            expected = till.read(None, on=NOON.date()).expected
            return till.close(None, NOON.date(), expected, act=make_act(by), reason="counted in haste")
        return ledger.pay(owing[number], Method.CASH, 100, act=make_act(by))

    at_once(work)
    closed = TillDay.objects.get()
    on_the_day = till.flows(None, after=None, on=closed.on)[0].sum
    assert on_the_day == closed.counted_cents
    assert ledger.balance(entries.house(AccountKind.CASH)) == 100 * (AT_ONCE - 1) + closed.difference_cents


def test_first_charges_of_one_member_open_one_account() -> None:
    member, by = make_member(), make_user("desk")

    def work(_number: int) -> Any:
        account = ledger.account_of(member)
        return ledger.charge(account, EntryKind.OTHER, 100, act=make_act(by))

    at_once(work)
    assert accounts.owed_by(member) == 100 * AT_ONCE
