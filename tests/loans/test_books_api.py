"""What the books say over HTTP: who owes, the journal, receipts by mail."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from loans import ledger
from loans.models import EntryKind, Mail, Member
from tests.loans.api_client import client_of
from tests.make import NOON, make_act, make_household, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


def owes(member: Member, cents: int) -> None:
    ledger.charge(ledger.account_of(member), EntryKind.OTHER, cents, act=make_act(), note="A bag")


def journal(api: APIClient, **asked: Any) -> list[tuple[str, int]]:
    lines = api.get("/api/money/journal/", asked).json()
    return [(line["kind"], line["cents"]) for line in lines]


def test_who_owes_most_comes_first_and_who_has_credit_last(api: APIClient) -> None:
    family = make_household("Famille Roth")
    alone, child = make_member("Camille Martin"), make_member(household=family)
    owes(child, 500)
    owes(alone, 900)
    ledger.pay(ledger.account_of(make_member()), ledger.Method.CASH, 200, act=make_act())
    told = api.get("/api/money/owing/").json()
    assert [(one["name"], one["cents"]) for one in told[:2]] == [
        ("Camille Martin", 900),
        ("Famille Roth", 500),
    ]
    assert (told[0]["member"], told[1]["household"], told[2]["cents"]) == (alone.pk, family.pk, -200)


def test_the_journal_is_cut_by_what_the_address_says(api: APIClient) -> None:
    member = make_member()
    owes(member, 500)
    ledger.pay(ledger.account_of(member), ledger.Method.CARD, 500, act=make_act())
    assert journal(api) == [("payment", 500), ("other", 500)]
    assert journal(api, kind="other") == journal(api, page=1, kind="other") == [("other", 500)]
    assert journal(api, method="card") == [("payment", 500)]
    assert journal(api, last_on="2025-03-03") == []
    assert journal(api, first_on=NOON.date().isoformat()) == journal(api)
    assert api.get("/api/money/journal/", {"first_on": "soon"}).status_code == 400
    assert api.get("/api/money/journal/", {"page": 9}).status_code == 404


def test_a_receipt_goes_into_the_outbox_once_a_day(api: APIClient) -> None:
    told, silent = make_member(email="camille@example.org"), make_member()
    for member in (told, silent):
        owes(member, 500)
    entries = [
        ledger.pay(ledger.account_of(one), ledger.Method.CASH, 500, act=make_act()) for one in (told, silent)
    ]
    first, again = (api.post(f"/api/money/entries/{entries[0].pk}/mail/") for _ in range(2))
    assert (first.status_code, first.json()["to"]) == (201, "camille@example.org")
    assert again.json() == first.json()
    assert Mail.objects.count() == 1
    refused = api.post(f"/api/money/entries/{entries[1].pk}/mail/")
    assert (refused.status_code, refused.json()["code"]) == (409, "no_address")


def test_the_books_are_not_for_members() -> None:
    user = make_user()
    member = make_member(user=user)
    owes(member, 500)
    api = client_of(user)
    for path in ("owing", "journal"):
        assert api.get(f"/api/money/{path}/").status_code == 403
    assert api.post("/api/money/entries/1/mail/").status_code == 403
