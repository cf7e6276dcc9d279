"""Households over HTTP: made, found, moved; who comes, who leaves, and what is refused."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from loans import ledger
from loans.models import EntryKind, Household, HouseholdMove
from tests.make import make_act, make_household, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("desk"))
    return client


def send(client: Client, method: str, path: str, **body: Any) -> tuple[int, Any]:
    """Status and answer."""
    answer = getattr(client, method)(f"/api/households/{path}", body, content_type="application/json")
    return answer.status_code, answer.json() if answer.content else None


def cards(told: dict[str, Any]) -> list[str]:
    return [one["card_number"] for one in told["members"]]


def test_a_household_is_made_found_and_moves(desk: Client) -> None:
    status, told = send(desk, "post", "", name="Famille Núñez", city="Lausanne")
    assert (status, told["members"], told["moves"]) == (201, [], [])
    for words in ("nunez", "lausanne"):
        assert [one["id"] for one in desk.get("/api/households/", {"q": words}).json()] == [told["id"]]
    assert desk.get("/api/households/", {"q": "martin"}).json() == []
    status, moved = send(desk, "patch", f"{told['id']}/", city="Vevey", postcode="1800")
    assert (status, moved) == (200, told | {"city": "Vevey", "postcode": "1800"})
    assert desk.get(f"/api/households/{told['id']}/").json() == moved


@pytest.mark.parametrize("name", ["", " \n ", None])
def test_a_household_without_a_name_is_refused_by_name(desk: Client, name: str | None) -> None:
    status, told = send(desk, "post", "", name=name)
    assert (status, list(told)) == (400, ["name"])
    row = make_household()
    assert send(desk, "patch", f"{row.pk}/", name=name)[0] == 400


def test_a_member_joins_once_however_often_it_is_sent(desk: Client) -> None:
    row = make_household()
    make_member(card_number="20000012")
    for _ in range(2):
        status, told = send(desk, "post", f"{row.pk}/join/", card_number="20000012")
        assert (status, cards(told), len(told["moves"])) == (200, ["20000012"], 1)
    status, told = send(desk, "post", f"{row.pk}/join/", card_number="nobody")
    assert (status, told["code"]) == (404, "unknown_code")


def test_members_leave_alone_or_together_into_a_new_household(desk: Client) -> None:
    row = make_household("Famille Martin")
    for card in ("1", "2", "3"):
        make_member(card_number=card, household=row)
    status, told = send(desk, "post", f"{row.pk}/leave/", card_numbers=["1"])
    assert (status, told["id"], cards(told)) == (200, row.pk, ["2", "3"])
    into = {"name": "Famille Roth"}
    status, told = send(desk, "post", f"{row.pk}/leave/", card_numbers=["2", "3"], into=into)
    assert (status, told["name"], cards(told)) == (200, "Famille Roth", ["2", "3"])
    assert {(one["left"], one["joined"]) for one in told["moves"]} == {(row.pk, told["id"])}


def test_who_is_not_there_cannot_leave_and_then_nobody_does(desk: Client) -> None:
    row = make_household()
    inside, outside = make_member(household=row), make_member()
    gone = [inside.card_number, outside.card_number]
    status, told = send(desk, "post", f"{row.pk}/leave/", card_numbers=gone, into={"name": "Roth"})
    assert (status, told["code"]) == (409, "not_in_this_household")
    assert not HouseholdMove.objects.exists()
    assert not Household.objects.filter(name="Roth").exists()
    assert send(desk, "post", f"{row.pk}/leave/", card_numbers=[])[0] == 400


def test_only_an_empty_household_without_a_bill_is_removed(desk: Client) -> None:
    lived_in, billed, empty = make_household("A", "Camille Martin"), make_household("B"), make_household("C")
    ledger.charge(ledger.account_of_owner(billed), EntryKind.OTHER, 100, act=make_act(), note="A bag")
    for row in (lived_in, billed):
        status, told = send(desk, "delete", f"{row.pk}/")
        assert (status, told["code"]) == (409, "household_in_use")
    assert send(desk, "delete", f"{empty.pk}/")[0] == 204
    assert send(desk, "delete", f"{empty.pk}/")[1]["code"] == "not_found"


def test_a_member_sees_and_changes_no_household(client: Client) -> None:
    user = make_user()
    row = make_household()
    member = make_member(household=row, user=user)
    client.force_login(user)
    assert client.get("/api/households/").status_code == 403
    assert client.get(f"/api/households/{row.pk}/").status_code == 403
    for method, path in (("post", ""), ("patch", f"{row.pk}/"), ("delete", f"{row.pk}/")):
        assert send(client, method, path, name="Mine")[0] == 403
    assert send(client, "post", f"{row.pk}/join/", card_number=member.card_number)[0] == 403
    assert send(client, "post", f"{row.pk}/leave/", card_numbers=[member.card_number])[0] == 403
