"""Money over HTTP: what is owed, charges, payments, reversals; sent twice, done once."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from catalogue.models import Branch
from loans import accounts, ledger
from loans.models import Entry, EntryKind, Member
from tests.loans.api_client import client_of
from tests.make import make_act, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


def owing(cents: int, **fields: Any) -> Member:
    member = make_member(**fields)
    ledger.charge(ledger.account_of(member), EntryKind.PIECES, cents, act=make_act(), note="1 die")
    return member


def test_what_is_owed_is_told_in_cents_with_the_currency(api: APIClient) -> None:
    member = owing(750)
    told = api.get("/api/money/", {"card_number": member.card_number}).json()
    (charge,) = told.pop("open_charges")
    assert told == {"currency": "EUR", "owed": 750, "deposit": 0, "prepaid": 0}
    assert (charge["cents"], charge["open_cents"]) == (750, 750)


def test_a_charge_and_a_payment_sent_twice_are_done_once(api: APIClient) -> None:
    member = make_member()
    sent = {"card_number": member.card_number, "cents": 500, "kind": "other", "note": "A bag", "nonce": "c1"}
    first, again = (api.post("/api/charges/", sent, format="json") for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    paid = {"card_number": member.card_number, "cents": 500, "method": "cash", "nonce": "p1"}
    codes = [api.post("/api/payments/", paid, format="json").status_code for _ in range(2)]
    assert codes == [201, 200]
    assert accounts.owed_by(member) == 0


def test_a_payment_goes_into_the_till_of_who_takes_it() -> None:
    """Said or not: cash in the till of no branch would be counted by nobody."""
    for name in ("Nord", "Sud"):
        Branch.objects.create(name=name, key=name)
    south, member = Branch.objects.get(name="Sud"), owing(750)
    api, paid = (
        client_of(make_user("desk")),
        {"card_number": member.card_number, "cents": 5, "method": "cash"},
    )
    told = [
        api.post("/api/payments/", paid | more, format="json").json() for more in ({"branch": south.pk}, {})
    ]
    assert [entry["branch"] for entry in told] == [south.pk, south.pk]


def test_a_nonce_of_another_payment_is_a_conflict(api: APIClient) -> None:
    member = owing(750)
    paid = {"card_number": member.card_number, "cents": 500, "method": "cash", "nonce": "p1"}
    api.post("/api/payments/", paid, format="json")
    answer = api.post("/api/payments/", paid | {"cents": 250}, format="json")
    assert answer.status_code == 409
    assert answer.json()["code"] == "nonce_reused"


def test_an_entry_is_reversed_once(api: APIClient) -> None:
    owing(750)
    manager = client_of(make_user("manager"))
    entry = Entry.objects.get().pk
    assert api.post("/api/reversals/", {"entry": entry}, format="json").status_code == 403
    assert manager.post("/api/reversals/", {"entry": entry}, format="json").status_code == 201
    answer = manager.post("/api/reversals/", {"entry": entry}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "already_reversed")


def test_an_entry_that_there_is_not_is_said_so(api: APIClient) -> None:
    answer = api.post("/api/reversals/", {"entry": 12345}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_entry")


@pytest.mark.parametrize("cents", [0, -1, 10_000_001, "12.50", None])
def test_an_amount_that_is_none_is_refused_by_name(api: APIClient, cents: Any) -> None:
    sent = {"card_number": make_member().card_number, "cents": cents, "method": "cash"}
    answer = api.post("/api/payments/", sent, format="json")
    assert answer.status_code == 400
    assert "cents" in answer.json()


def test_the_statement_has_the_newest_entry_first(api: APIClient) -> None:
    member = owing(750)
    paid = {"card_number": member.card_number, "cents": 500, "method": "card"}
    api.post("/api/payments/", paid, format="json")
    told = api.get("/api/money/entries/", {"card_number": member.card_number}).json()
    assert [(line["kind"], line["cents"]) for line in told] == [("payment", 500), ("pieces", 750)]


def test_members_see_their_own_account_and_nobody_elses() -> None:
    user = make_user()
    owing(750, user=user)
    other = owing(300)
    mine = client_of(user)
    assert mine.get("/api/me/money/").json()["owed"] == 750
    assert mine.get("/api/money/", {"card_number": other.card_number}).status_code == 403
    assert client_of(make_user()).get("/api/me/money/").status_code == 404
