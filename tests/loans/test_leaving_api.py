"""Sales taken back, members removed and erased, over HTTP; one's own calendar."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from loans import accounts, memberships
from loans.models import CalendarFeed, Member
from tests.loans.api_client import client_of
from tests.make import make_act, make_kind, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> APIClient:
    return client_of(make_user("desk"))


@pytest.fixture
def manager() -> APIClient:
    return client_of(make_user("manager"))


def send(api: APIClient, method: str, path: str, **body: Any) -> tuple[int, Any]:
    answer = getattr(api, method)(f"/api/{path}/", body, format="json")
    return answer.status_code, answer.json() if answer.content else None


def test_a_sale_is_listed_and_taken_back_once_with_its_fee(desk: APIClient) -> None:
    member = make_member()
    sale = memberships.sell(make_kind(fee_cents=3000), member, act=make_act())
    (told,) = desk.get(f"/api/members/{member.pk}/memberships/").json()
    assert (told["id"], told["cancelled_at"]) == (sale.pk, None)
    status, back = send(desk, "post", f"memberships/{sale.pk}/take-back")
    assert (status, bool(back["cancelled_at"])) == (200, True)
    assert accounts.owed_by(member) == 0
    status, told = send(desk, "post", f"memberships/{sale.pk}/take-back")
    assert (status, told["code"]) == (409, "changed_since")


def test_only_who_never_borrowed_is_removed(desk: APIClient) -> None:
    member, borrower = make_member(), make_loan().member
    assert borrower
    assert send(desk, "delete", f"members/{member.pk}")[0] == 204
    status, told = send(desk, "delete", f"members/{borrower.pk}")
    assert (status, told["code"]) == (409, "member_in_use")
    assert list(Member.objects.all()) == [borrower]


def test_a_member_is_erased_by_card_once_nothing_is_open(manager: APIClient) -> None:
    member = make_member(card_number="20000012")
    loan = make_loan(member=member)
    (told,) = manager.get(f"/api/members/{member.pk}/data/").json()["open"]
    assert (told["code"], told["count"]) == ("loans", 1)
    path = f"members/{member.pk}/erase"
    assert list(send(manager, "post", path, card_number="1")[1]) == ["card_number"]
    status, refused = send(manager, "post", path, card_number="20000012")
    assert (status, refused["code"], refused["open"]) == (409, "not_yet", [told])
    assert send(manager, "post", "check-ins", barcode=loan.copy.barcode)[0] == 201
    assert send(manager, "post", path, card_number="20000012")[0] == 204
    member.refresh_from_db()
    assert member.erased_at


@pytest.mark.parametrize(
    ("role", "manages", "erases"), [("", 403, 403), ("desk", 200, 403), ("manager", 200, 400)]
)
def test_who_may_do_what(role: str, manages: int, erases: int) -> None:
    user = make_user(role)
    member = make_member(user=user)
    api, sale = client_of(user), memberships.sell(make_kind(), member, act=make_act())
    for path in ("memberships", "data"):
        assert api.get(f"/api/members/{member.pk}/{path}/").status_code == manages
    assert send(api, "post", f"members/{member.pk}/erase", card_number="no")[0] == erases
    assert send(api, "delete", f"members/{member.pk}")[0] == (409 if role else 403)
    assert send(api, "post", f"memberships/{sale.pk}/take-back")[0] == manages


def test_a_member_makes_and_ends_the_address_of_the_own_calendar() -> None:
    user = make_user()
    make_member(user=user)
    api = client_of(user)
    assert api.get("/api/me/calendar/").json() == {"address": ""}
    status, told = send(api, "post", "me/calendar")
    assert status == 201
    assert CalendarFeed.objects.get().secret in told["address"]
    assert api.get("/api/me/calendar/").json() == told
    assert send(api, "post", "me/calendar")[1] != told
    assert send(api, "delete", "me/calendar")[0] == 204
    assert api.get("/api/me/calendar/").json() == {"address": ""}
    assert send(client_of(make_user("desk")), "post", "me/calendar")[0] == 404
