"""Prepaid cards, credit, deposits, vouchers and refunds over HTTP; sent twice, done once."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from catalogue.models import Branch
from loans import accounts, desk, ledger
from loans.models import Account, Entry, EntryKind, Member
from tests.loans.api_client import client_of
from tests.make import make_act, make_copy, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


@pytest.fixture
def member() -> Member:
    return make_member()


def account_of(member: Member) -> Account:
    return ledger.account_of(member)


def owes(member: Member, cents: int, kind: EntryKind = EntryKind.OTHER) -> None:
    ledger.charge(account_of(member), kind, cents, act=make_act())


def send(api: APIClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = api.post(f"/api/{path}/", body, format="json")
    return answer.status_code, answer.json()


def twice(api: APIClient, path: str, **body: Any) -> Any:
    """What is answered to the same request sent two times: it is one thing that was done."""
    (first, told), (second, again) = (send(api, path, **body, nonce="n1") for _ in range(2))
    assert (first, second) == (201, 200)
    assert told == again
    return told


def test_a_prepaid_card_is_loaded_and_pays_what_is_owed(api: APIClient, member: Member) -> None:
    card = member.card_number
    assert twice(api, "top-ups", card_number=card, cents=2000, method="card")["kind"] == "prepaid_in"
    owes(member, 500)
    status, told = send(api, "prepaid-payments", card_number=card, cents=500, nonce="n2")
    assert (status, told["cents"]) == (201, 500)
    assert send(api, "prepaid-payments", card_number=card, cents=500, nonce="n2") == (200, told)
    assert accounts.purses_of(member) == accounts.Purses(owed=0, prepaid=1500)


def test_a_prepaid_card_pays_no_more_than_is_owed(api: APIClient, member: Member) -> None:
    send(api, "top-ups", card_number=member.card_number, cents=2000, method="cash")
    status, told = send(api, "prepaid-payments", card_number=member.card_number, cents=1)
    assert (status, told["code"]) == (409, "not_that_much")


def test_credit_is_paid_out_once_and_never_more_than_there_is(api: APIClient, member: Member) -> None:
    ledger.pay(account_of(member), ledger.Method.CASH, 700, act=make_act())
    sent = {"card_number": member.card_number, "cents": 700, "method": "cash"}
    assert twice(api, "payouts", **sent)["kind"] == "payout"
    status, told = send(api, "payouts", **sent)
    assert (status, told["code"]) == (409, "not_that_much")


def test_money_goes_into_the_till_at_which_this_person_works(member: Member) -> None:
    Branch.objects.create(name="Nord", key="nord")
    south = Branch.objects.create(name="Sud", key="sud")
    api = client_of(make_user("desk"))
    sent = {"card_number": member.card_number, "cents": 100, "method": "cash"}
    named = send(api, "top-ups", **sent, branch=south.pk)[1]
    assert named["branch"] == send(api, "top-ups", **sent)[1]["branch"] == south.pk


def test_a_deposit_is_given_back_or_kept_with_the_reason(member: Member) -> None:
    owes(member, 3000, EntryKind.DEPOSIT)
    ledger.pay(account_of(member), ledger.Method.CASH, 3000, act=make_act())
    manager, card = client_of(make_user("manager")), member.card_number
    twice(manager, "deposits/end", card_number=card, cents=1000, what="back")
    kept = {"card_number": card, "cents": 2000, "what": "keep"}
    assert send(manager, "deposits/end", **kept, note="--")[1]["code"] == "reason_missing"
    assert send(manager, "deposits/end", **kept, note="Never came back")[0] == 201
    assert send(manager, "deposits/end", **kept, note="Never came back")[1]["code"] == "not_that_much"
    assert accounts.purses_of(member) == accounts.Purses(owed=-1000)


def test_a_voucher_is_sold_redeemed_and_then_used_up(api: APIClient, member: Member) -> None:
    sold = twice(api, "vouchers", cents=2000, method="cash", note="For a birthday")
    assert (sold["cents"], sold["is_used"]) == (2000, False)
    sent = {"card_number": member.card_number, "code": sold["code"].lower()}
    status, told = send(api, "vouchers/redeem", **sent, nonce="r1")
    assert (status, told["cents"]) == (201, 2000)
    assert send(api, "vouchers/redeem", **sent, nonce="r1") == (200, told)
    assert send(api, "vouchers/redeem", **sent)[1]["code"] == "voucher_used"
    assert send(api, "vouchers/redeem", **sent | {"code": "NOPE"})[1]["code"] == "unknown_voucher"
    assert [(one["code"], one["is_used"]) for one in api.get("/api/vouchers/").json()] == [
        (sold["code"], True)
    ]


def test_only_who_manages_the_money_gives_vouchers_away(api: APIClient) -> None:
    assert send(api, "vouchers", cents=500, method=None)[0] == 403
    assert send(client_of(make_user("manager")), "vouchers", cents=500, method=None)[0] == 201


def test_the_fee_of_a_game_that_came_home_the_same_day_goes_back_once(api: APIClient, member: Member) -> None:
    make_policy(fee_per_loan=150)
    copy = make_copy()
    loan = desk.lend(copy, member, act=make_act()).loan
    assert send(api, "refunds", loan=loan.pk)[1]["code"] == "already_reversed"
    desk.check_in(copy, act=make_act())
    status, told = send(api, "refunds", loan=loan.pk)
    assert (status, [one["cents"] for one in told]) == (201, [150])
    assert accounts.owed_by(member) == 0
    assert send(api, "refunds", loan=loan.pk)[0] == 409
    assert send(api, "refunds", loan=10**9)[0] == 404


@pytest.mark.parametrize(
    ("role", "at_the_till", "deposits"), [("", 403, 403), ("desk", 400, 403), ("manager", 400, 400)]
)
def test_who_may_do_what(role: str, at_the_till: int, deposits: int) -> None:
    user = make_user(role)
    member = make_member(user=user)
    api, mine = client_of(user), {"card_number": member.card_number}
    for path in ("top-ups", "prepaid-payments", "payouts", "refunds", "vouchers", "vouchers/redeem"):
        assert send(api, path, **mine)[0] == at_the_till, path
    assert send(api, "deposits/end", **mine)[0] == deposits
    assert api.get("/api/vouchers/").status_code == (200 if role else 403)
    assert not Entry.objects.exists()
