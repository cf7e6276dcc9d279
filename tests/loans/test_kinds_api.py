"""Kinds of membership and categories of members over HTTP."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from loans import memberships
from loans.models import MemberCategory, MembershipKind
from tests.make import make_act, make_category, make_kind, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db
KINDS, CATEGORIES = "/api/membership-kinds/", "/api/member-categories/"


@pytest.fixture
def manager(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    return client


def send(client: Client, method: str, path: str, **body: Any) -> tuple[int, Any]:
    """Status and answer."""
    answer = getattr(client, method)(path, body, content_type="application/json")
    return answer.status_code, answer.json() if answer.content else None


def test_a_kind_is_made_changed_taken_off_sale_and_removed(manager: Client) -> None:
    status, told = send(manager, "post", KINDS, name="Family", months=12, fee_cents=3000)
    assert (status, told["for_household"], told["on_sale"]) == (201, True, True)
    status, changed = send(manager, "patch", f"{KINDS}{told['id']}/", on_sale=False)
    assert (status, changed) == (200, told | {"on_sale": False})
    status, to_june = send(manager, "patch", f"{KINDS}{told['id']}/", months=None, ends_month=6, ends_day=30)
    assert (status, to_june["months"], to_june["ends_day"]) == (200, None, 30)
    assert manager.get(KINDS).json() == [to_june] == [manager.get(f"{KINDS}{told['id']}/").json()]
    assert send(manager, "delete", f"{KINDS}{told['id']}/")[0] == 204


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"months": 12, "ends_month": 6, "ends_day": 30},
        {"ends_month": 2, "ends_day": 30},
        {"ends_month": 6},
        {"months": 0},
        {"months": 12, "fee_cents": -1},
        {"months": 12, "name": " "},
    ],
    ids=str,
)
def test_a_kind_that_never_or_twice_ends_is_refused(manager: Client, body: dict[str, Any]) -> None:
    assert send(manager, "post", KINDS, **{"name": "Family"} | body)[0] == 400
    assert not MembershipKind.objects.exists()


def test_a_kind_that_was_sold_stays(manager: Client) -> None:
    kind = make_kind()
    memberships.sell(kind, make_member(), act=make_act())
    status, told = send(manager, "delete", f"{KINDS}{kind.pk}/")
    assert (status, told["code"]) == (409, "membership_kind_sold")


def test_a_category_is_made_renamed_and_removed(manager: Client) -> None:
    status, told = send(manager, "post", CATEGORIES, name="School")
    assert status == 201
    assert send(manager, "put", f"{CATEGORIES}{told['id']}/", name="Schools")[1] == told | {"name": "Schools"}
    assert manager.get(CATEGORIES).json() == [told | {"name": "Schools"}]
    assert send(manager, "delete", f"{CATEGORIES}{told['id']}/")[0] == 204
    assert not MemberCategory.objects.exists()


def test_a_name_that_is_taken_and_a_category_in_use_are_409s(manager: Client) -> None:
    school, nursery = make_category("School"), make_category("Nursery")
    make_policy(member_category=school, loan_days=42)
    assert send(manager, "post", CATEGORIES, name="schoöl")[1]["code"] == "name_taken"
    assert send(manager, "put", f"{CATEGORIES}{nursery.pk}/", name="School")[1]["code"] == "name_taken"
    status, told = send(manager, "delete", f"{CATEGORIES}{school.pk}/")
    assert (status, told["code"]) == (409, "member_category_in_use")


@pytest.mark.parametrize("name", ["", " ", "\n", None])
def test_a_category_without_a_name_is_refused_by_name(manager: Client, name: str | None) -> None:
    status, told = send(manager, "post", CATEGORIES, name=name)
    assert (status, list(told)) == (400, ["name"])


def test_the_desk_reads_what_it_sells_and_changes_nothing(client: Client) -> None:
    kind, school = make_kind(), make_category()
    client.force_login(make_user("desk"))
    assert [one["id"] for one in client.get(KINDS).json()] == [kind.pk]
    assert [one["id"] for one in client.get(CATEGORIES).json()] == [school.pk]
    for path in (KINDS, CATEGORIES):
        assert send(client, "post", path, name="Mine", months=1)[0] == 403
    assert send(client, "patch", f"{KINDS}{kind.pk}/", fee_cents=0)[0] == 403
    assert send(client, "put", f"{CATEGORIES}{school.pk}/", name="Mine")[0] == 403
    for path in (f"{KINDS}{kind.pk}/", f"{CATEGORIES}{school.pk}/"):
        assert send(client, "delete", path)[0] == 403


def test_a_member_does_not_see_them(client: Client) -> None:
    client.force_login(make_user())
    assert client.get(KINDS).status_code == 403
    assert client.get(CATEGORIES).status_code == 403
