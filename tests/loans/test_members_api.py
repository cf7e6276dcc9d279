"""Members, memberships, blocks and policies over HTTP: what a programme sends, and what it is told."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans.models import Block, Member, Membership, PolicyRow
from loans.rules import DueMode
from tests.make import make_category, make_copy, make_game, make_kind, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db


class Api:
    """A client that speaks JSON."""

    def __init__(self, role: str) -> None:
        self.client = Client()
        self.client.force_login(make_user(role))

    def sends(self, method: str, url: str, **body: Any) -> Any:
        return getattr(self.client, method)(url, body, content_type="application/json")

    def gets(self, url: str) -> Any:
        return self.client.get(url).json()


@pytest.fixture
def desk(settings: Settings) -> Api:
    settings.LANGUAGE_CODE = "en"
    return Api("desk")


@pytest.fixture
def manager() -> Api:
    return Api("manager")


def test_a_member_is_registered_found_and_corrected(desk: Api) -> None:
    make_member(card_number="000099")
    told = desk.sends("post", "/api/members/", first_name="José", last_name="Núñez").json()
    assert told["card_number"] == "000100"
    assert [found["id"] for found in desk.gets("/api/members/?q=nunez")] == [told["id"]]
    changed = desk.sends("patch", f"/api/members/{told['id']}/", birth_year=2016)
    assert changed.json() == told | {"birth_year": 2016} == desk.gets(f"/api/members/{told['id']}/")
    assert Member.objects.get(pk=told["id"]).name_key == "jose nunez"


def test_a_card_that_is_taken_is_a_409_with_the_remedy(desk: Api) -> None:
    make_member(card_number="5")
    other = make_member(card_number="6")
    created = desk.sends("post", "/api/members/", last_name="Roth", card_number="5")
    changed = desk.sends("patch", f"/api/members/{other.pk}/", card_number="5")
    for response in (created, changed):
        assert (response.status_code, response.json()["code"]) == (409, "card_taken")


def test_a_membership_is_sold_once_for_one_nonce(desk: Api) -> None:
    member, kind = make_member(), make_kind(fee_cents=3000)
    address = f"/api/members/{member.pk}/memberships/"
    first, second = (desk.sends("post", address, kind=kind.pk, nonce="n1") for _ in range(2))
    assert first.status_code == 201
    assert first.json() == second.json()
    assert Membership.objects.get().fee_cents == first.json()["fee_cents"] == 3000


def test_a_member_is_blocked_and_the_block_lifted(desk: Api) -> None:
    member = make_member()
    address = f"/api/members/{member.pk}/blocks/"
    assert desk.sends("post", address, reason="Key lost", ends_on="2020-01-01").status_code == 400
    told = desk.sends("post", address, reason="Key lost").json()
    assert (told["starts_on"], told["ends_on"]) == (timezone.localdate().isoformat(), None)
    assert desk.sends("post", f"/api/blocks/{told['id']}/lift/").json()["lifted_at"]
    assert Block.objects.get().lifted_by is not None
    assert [block["id"] for block in desk.gets(address)] == [told["id"]]


def test_a_policy_is_said_changed_and_taken_out(manager: Api) -> None:
    school = make_category()
    said = {"rule": "loan_days", "member_category": school.pk}
    first = manager.sends("put", "/api/policies/", **said, value=42)
    second = manager.sends("put", "/api/policies/", **said, value=28)
    assert first.json() | {"value": 28} == second.json()
    assert manager.gets("/api/policies/") == [second.json()]
    assert manager.sends("delete", f"/api/policies/{second.json()['id']}/").status_code == 204
    assert not PolicyRow.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {"rule": "loan_days", "value": "many"},
        {"rule": "loan_days", "value": None},
        {"rule": "loan_days", "value": True},
        {"rule": "loan_days", "value": 1.5},
        {"rule": "loan_days", "value": [1]},
        {"rule": "due_mode", "value": "sometimes"},
        {"rule": "due_mode", "value": {}},
        {"rule": "max_of_kind", "value": 1},
        {"rule": "loan_days", "value": 1, "class_prefix": "406"},
        {"rule": "nonsense", "value": 1},
    ],
    ids=str,
)
def test_a_policy_that_does_not_fit_its_rule_is_a_400(manager: Api, body: dict[str, Any]) -> None:
    assert manager.sends("put", "/api/policies/", **body).status_code == 400


def test_what_would_apply_is_told_with_the_rows_that_lost(desk: Api) -> None:
    school = make_member("École Ferry", card_number="5", category=make_category())
    make_copy(make_game("Finca"), barcode="91300")
    everybody, _due_mode = make_policy(loan_days=28, due_mode=DueMode.SAME_WEEKDAY)
    (schools,) = make_policy(member_category=school.category, loan_days=42)
    told = {one["rule"]: one for one in desk.gets("/api/policies/decided/?card_number=5&barcode=91300")}
    days = told["loan_days"]
    assert (days["value"], days["row"]["id"]) == (42, schools.pk)
    assert [(lost["row"]["id"], lost["why"]) for lost in days["lost"]] == [(everybody.pk, "less_exact")]
    assert told["due_mode"]["value"] == "same_weekday"
    assert told["deposit"] == {"rule": "deposit", "value": 0, "row": None, "lost": []}
    assert desk.client.get("/api/policies/decided/?card_number=99").status_code == 404


def test_the_desk_does_not_change_policies_and_a_member_sees_none_of_this(desk: Api) -> None:
    assert desk.sends("put", "/api/policies/", rule="loan_days", value=1).status_code == 403
    nobody = Api("")
    for address in ("/api/members/", "/api/policies/", "/api/policies/decided/"):
        assert nobody.client.get(address).status_code == 403
