"""The till over HTTP: a float, the count at the end of the day, closed days."""

from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from catalogue.models import Branch
from loans import ledger
from loans.calendar import local_date
from loans.models import TillDay
from tests.loans.api_client import client_of
from tests.make import make_act, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


def send(api: APIClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = api.post(f"/api/till/{path}/", body, format="json")
    return answer.status_code, answer.json()


def today() -> str:
    return local_date(timezone.now(), None).isoformat()


def test_a_float_is_put_in_once_and_money_taken_out(api: APIClient) -> None:
    assert send(api, "moves", cents=5000, note="Float", nonce="m1")[0] == 201
    assert send(api, "moves", cents=5000, note="Float", nonce="m1")[0] == 200
    assert send(api, "moves", cents=-1000)[0] == 201
    told = api.get("/api/till/").json()
    assert (told["branch"], told["last_closed_on"], told["opening"], told["expected"]) == (
        None,
        None,
        0,
        4000,
    )
    assert told["flows"][0] == {"method": "cash", "came": 5000, "went": 1000}
    assert send(api, "moves", cents=0)[1]["code"] == "amount_missing"


def test_a_day_is_closed_once_and_a_difference_needs_its_reason(api: APIClient) -> None:
    send(api, "moves", cents=5000)
    ledger.pay(ledger.account_of(make_member()), ledger.Method.CASH, 700, act=make_act(now=timezone.now()))
    count = {"on": today(), "counted": 5600, "to_safe": 600}
    assert send(api, "days", **count)[1]["code"] == "reason_missing"
    status, told = send(api, "days", **count, reason="A coin of old money")
    assert (status, told["expected_cents"], told["difference_cents"]) == (201, 5700, -100)
    assert send(api, "days", **count, reason="A coin of old money") == (200, told)
    assert send(api, "days", **count | {"counted": 1})[1]["code"] == "day_closed"
    assert api.get("/api/till/days/").json() == [told]
    full = api.get(f"/api/till/days/{told['id']}/").json()
    assert (full["day"], full["left"], len(full["entries"])) == (told, 5000, 4)
    assert api.get("/api/till/").json()["opening"] == 5000


def test_a_day_that_is_not_over_is_not_closed(api: APIClient) -> None:
    assert send(api, "days", on="9999-12-31", counted=0)[1]["code"] == "day_not_over"
    assert not TillDay.objects.exists()


def test_each_branch_has_its_own_till(api: APIClient) -> None:
    north, south = (Branch.objects.create(name=name, key=name) for name in ("Nord", "Sud"))
    send(api, "moves", cents=5000, branch=south.pk)
    assert api.get("/api/till/").json()["branch"] == south.pk
    assert api.get("/api/till/", {"branch": north.pk}).json()["expected"] == 0
    assert api.get("/api/till/", {"branch": 10**9}).status_code == 400
    send(api, "days", on=today(), counted=5000)
    assert api.get("/api/till/days/", {"branch": north.pk}).json() == []


def test_the_till_is_for_who_takes_money() -> None:
    closed = TillDay.objects.create(
        on="2025-03-04", opening_cents=0, expected_cents=0, counted_cents=0, closed_at=timezone.now()
    )
    user = make_user()
    make_member(user=user)
    api = client_of(user)
    for path in ("", "days/", f"days/{closed.pk}/"):
        assert api.get(f"/api/till/{path}").status_code == 403
    assert send(api, "moves", cents=1)[0] == 403
    assert send(api, "days", on=today(), counted=0)[0] == 403
    manager = client_of(make_user("manager"))
    assert send(manager, "moves", cents=1)[0] == 201
