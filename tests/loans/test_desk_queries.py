"""How many questions the desk asks the database: the contract behind `docs/desk-speed.md`, on any machine.

Session, user and permissions are not counted: every signed-in page has them. Nor are the words around a
transaction.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from catalogue.models import Copy
from loans import desk, holds
from loans.models import Loan, Member
from tests.make import make_act, make_copy, make_game, make_member, make_opening, make_policy, make_user

pytestmark = pytest.mark.django_db

NOT_COUNTED = re.compile(r'FROM "(django_session|auth_\w+)"|^(SAVEPOINT|RELEASE|ROLLBACK|BEGIN|COMMIT)')


@contextmanager
def at_most(number: int) -> Iterator[None]:
    with CaptureQueriesContext(connection) as asked:
        yield
    counted = [query["sql"] for query in asked if not NOT_COUNTED.search(query["sql"])]
    assert len(counted) <= number, "\n".join([f"{len(counted)} of {number}:", *counted])


@pytest.fixture
def desk_client(client: Client) -> Client:
    client.force_login(make_user("desk"))
    return client


@pytest.fixture
def camille() -> Member:
    make_opening("FREQ=WEEKLY;BYDAY=SA")
    return make_member(card_number="20000012")


@pytest.fixture
def finca() -> Copy:
    return make_copy(make_game("Finca"), barcode="91300")


def _lent_last_week(copy: Copy, member: Member) -> Loan:
    return desk.lend(copy, member, act=make_act(now=timezone.now() - timedelta(days=7))).loan


def _post(client: Client, url: str, **fields: Any) -> None:
    response = client.post(url, fields | {"nonce": uuid4().hex}, content_type="application/json")
    assert response.status_code == 201, response.content


def _scan(client: Client, code: str, member: Member | None = None) -> None:
    fields = {"scan": code, "nonce": uuid4().hex, "member": member.pk if member else ""}
    response = client.post("/desk/scan/", fields, headers={"hx-request": "true"})
    assert response.status_code == 200


# --- the API -----------------------------------------------------------------------------------------


def test_a_lend_asks_at_most_fifteen_times(desk_client: Client, camille: Member, finca: Copy) -> None:
    with at_most(15):
        _post(desk_client, "/api/loans/", barcode="91300", card_number="20000012")


def test_a_return_asks_at_most_ten_times(desk_client: Client, camille: Member, finca: Copy) -> None:
    _lent_last_week(finca, camille)
    with at_most(10):
        _post(desk_client, "/api/check-ins/", barcode="91300")


def test_a_renewal_asks_at_most_fifteen_times(desk_client: Client, camille: Member, finca: Copy) -> None:
    loan = _lent_last_week(finca, camille)
    with at_most(15):
        _post(desk_client, "/api/renewals/", loan=loan.pk)


def test_a_lend_that_costs_something_writes_it_too(desk_client: Client, camille: Member, finca: Copy) -> None:
    make_policy(fee_per_loan=50)
    with at_most(26):
        _post(desk_client, "/api/loans/", barcode="91300", card_number="20000012")


def test_a_return_for_which_somebody_waits_settles_the_queue(
    desk_client: Client, camille: Member, finca: Copy
) -> None:
    _lent_last_week(finca, camille)
    holds.place_hold(finca.game, make_member(), act=make_act(now=timezone.now()))
    with at_most(26):
        _post(desk_client, "/api/check-ins/", barcode="91300")


# --- the page: the action, and all that it then shows --------------------------------------------------


def test_a_lend_and_the_card_that_is_shown(desk_client: Client, camille: Member, finca: Copy) -> None:
    with at_most(26):
        _scan(desk_client, "91300", camille)


def test_a_return_and_what_is_shown(desk_client: Client, camille: Member, finca: Copy) -> None:
    _lent_last_week(finca, camille)
    with at_most(19):
        _scan(desk_client, "91300")


def test_a_return_with_a_list_of_pieces(desk_client: Client, camille: Member) -> None:
    copy = make_copy(make_game("Catan", contents="19 tuiles, 2 dés, 1 voleur"), barcode="91301")
    _lent_last_week(copy, camille)
    _scan(desk_client, "91301")
    desk.lend(copy, camille, act=make_act(now=timezone.now() - timedelta(days=2)))
    with at_most(19):
        _scan(desk_client, "91301")


def test_an_open_card(desk_client: Client, camille: Member, finca: Copy) -> None:
    _lent_last_week(finca, camille)
    with at_most(9):
        desk_client.get(f"/desk/?member={camille.pk}")


# --- however much there is ------------------------------------------------------------------------------


def _plan_of(work: Callable[[], object]) -> str:
    """How the database would answer the questions of `work` if its tables were large."""
    with CaptureQueriesContext(connection) as asked:
        work()
    is_sqlite = connection.vendor == "sqlite"
    with connection.cursor() as cursor:
        if not is_sqlite:
            cursor.execute("SET LOCAL enable_seqscan = off")
        told = []
        for query in asked:
            if query["sql"].startswith("SELECT"):
                cursor.execute(("EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN ") + query["sql"])
                told += [str(row[-1]) for row in cursor.fetchall()]
    return "\n".join(told)


def test_whether_a_scan_came_before_is_looked_up_in_its_index(camille: Member, finca: Copy) -> None:
    act = make_act(nonce="a-scan")
    assert "one_event_per_scan" in _plan_of(lambda: desk.lend(finca, camille, act=act))


def test_the_volunteers_own_refusals_are_looked_up_in_their_index(desk_client: Client) -> None:
    plan = _plan_of(lambda: desk_client.get("/desk/"))
    assert "latest_refusals_of_a_user" in plan
