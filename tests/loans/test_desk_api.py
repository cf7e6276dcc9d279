"""The rarer desk actions over HTTP: swap, undo, renew all, a list, a return dated back, a shorter term."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from loans.calendar import local_date
from loans.models import Loan, Member
from tests.make import make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
CARD = "20000012"


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(make_user("desk"))
    return client


@pytest.fixture
def camille() -> Member:
    return make_member("Camille Martin", card_number=CARD)


def send(client: Client, url: str, **body: Any) -> Any:
    return client.post(f"/api/{url}/", body, content_type="application/json")


def test_a_swap_is_one_request_and_done_once(desk: Client, camille: Member) -> None:
    old = make_loan(make_copy(barcode="91300"), now=timezone.now() - timedelta(days=3))
    answers = [send(desk, "swaps", barcode="91300", card_number=CARD, nonce="n1") for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    old.refresh_from_db()
    assert old.returned_at
    assert Loan.objects.get(returned_at=None).member == camille


def test_an_action_is_undone_by_the_number_that_it_answered(desk: Client, camille: Member) -> None:
    make_copy(barcode="91300")
    lent = send(desk, "loans", barcode="91300", card_number=CARD).json()
    assert send(desk, "undos", event=lent["event"]).status_code == 201
    assert Loan.objects.get().voided
    again = send(desk, "undos", event=lent["event"])
    assert (again.status_code, again.json()["code"]) == (409, "already_undone")
    assert send(desk, "undos", event=999_999).json()["code"] == "unknown_event"


def test_renew_all_answers_for_every_loan(desk: Client, camille: Member) -> None:
    for days in (0, 5):
        make_loan(member=camille, now=timezone.now() - timedelta(days=days))
    parts = send(desk, "renewals/all", card_number=CARD).json()
    assert [part["done"] for part in parts] == [True, False]
    assert parts[1]["refusals"][0]["code"] == "renewal_gains_nothing"


def test_a_list_answers_line_by_line(desk: Client, camille: Member) -> None:
    make_copy(make_game("Finca"), barcode="91300")
    body = {"card_number": CARD, "barcodes": ["91300", "nothing"], "term": "today"}
    parts = send(desk, "loans/list", **body).json()
    assert [(part["scanned"], part["done"]) for part in parts] == [("91300", True), ("nothing", False)]
    assert parts[0]["loan"]["due_on"] == local_date(timezone.now(), None).isoformat()
    assert parts[1]["refusals"][0]["code"] == "unknown_code"


def test_a_return_is_dated_back(desk: Client) -> None:
    loan = make_loan(make_copy(barcode="91300"), now=timezone.now() - timedelta(days=9))
    dropped = timezone.now() - timedelta(days=2)
    answer = send(desk, "check-ins", barcode="91300", returned_at=dropped.isoformat())
    assert answer.status_code == 201
    loan.refresh_from_db()
    assert loan.returned_at == dropped


@pytest.mark.parametrize("url", ["swaps", "undos", "renewals/all", "loans/list"])
def test_members_may_do_none_of_it(client: Client, url: str) -> None:
    client.force_login(make_user())
    assert send(client, url, event=1, barcode="1", card_number="1", barcodes=["1"]).status_code == 403
