"""Care of boxes over HTTP: plans, what is due and done, the story of one box."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from catalogue.models import Category
from loans import care
from loans.care_rules import Move
from loans.models import CareKind, CarePlan
from tests.loans.api_client import client_of
from tests.make import NOON, make_act, make_copy, make_game, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk() -> APIClient:
    return client_of(make_user("desk"))


@pytest.fixture
def librarian() -> APIClient:
    return client_of(make_user("librarian"))


def send(api: APIClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = api.post(f"/api/{path}/", body, format="json")
    return answer.status_code, answer.json()


def old_plan(**fields: Any) -> CarePlan:
    draft = care.PlanDraft(kind=CareKind.CLEANING, what="Wash the fruits", every_days=30, **fields)
    return care.add_plan(draft, today=NOON.date())


def test_a_plan_is_made_for_one_box_a_game_a_category_or_all_and_ends(librarian: APIClient) -> None:
    copy, category = make_copy(barcode="91300"), Category.objects.create(code="A", label="A", key="a")
    plan = {"kind": "check", "what": " Count\nit ", "every_loans": 20}
    for scope in ({}, {"barcode": "91300"}, {"game": copy.game_id}, {"category": category.pk}):
        status, told = send(librarian, "care-plans", **plan, **scope)
        assert (status, told["what"], {name: told[name] for name in scope}) == (201, "Count it", scope)
    assert len(librarian.get("/api/care-plans/").json()) == 4
    status, ended = send(librarian, f"care-plans/{told['id']}/end")
    assert (status, ended["ended_on"]) == (200, told["since_on"])
    assert send(librarian, f"care-plans/{told['id']}/end") == (200, ended)
    assert len(librarian.get("/api/care-plans/").json()) == 3


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"kind": "check", "what": "Count it"}, "every_loans"),
        ({"kind": "quarantine", "what": "Days of rest", "every_loans": 5}, "every_days"),
        ({"kind": "check", "what": " ", "every_loans": 5}, "what"),
        ({"kind": "check", "what": "Count it", "every_loans": 0}, "every_loans"),
        ({"kind": "check", "what": "Count it", "every_loans": 10**10}, "every_loans"),
        ({"kind": "dance", "what": "Count it", "every_loans": 5}, "kind"),
    ],
    ids=str,
)
def test_a_plan_that_says_too_little_is_refused_by_name(
    librarian: APIClient, body: dict[str, Any], field: str
) -> None:
    status, told = send(librarian, "care-plans", **body)
    assert (status, list(told)) == (400, [field])
    assert not CarePlan.objects.exists()


def test_a_plan_is_of_one_thing(librarian: APIClient) -> None:
    copy = make_copy(barcode="91300")
    plan = {"kind": "check", "what": "Count it", "every_days": 5, "barcode": "91300", "game": copy.game_id}
    assert send(librarian, "care-plans", **plan)[0] == 400
    assert send(librarian, "care-plans", **plan | {"barcode": "nothing"})[1]["code"] == "unknown_code"


def test_what_is_due_is_done_once_and_is_due_no_more(desk: APIClient) -> None:
    copy = make_copy(make_game("Finca"), barcode="91300")
    plan = old_plan(copy=copy)
    (due,) = desk.get("/api/care/due/").json()
    assert (due["plan"], due["barcode"], due["title"]) == (plan.pk, "91300", "Finca")
    sent = {"plan": plan.pk, "barcode": "91300", "note": "All 108"}
    status, told = send(desk, "care/done", **sent)
    assert (status, told["note"]) == (201, "All 108")
    assert send(desk, "care/done", **sent)[1] == told
    assert desk.get("/api/care/due/").json() == []
    assert send(desk, "care/done", **sent | {"plan": 10**9})[0] == 404


def test_the_story_of_a_box_tells_what_may_be_done_to_it(desk: APIClient, librarian: APIClient) -> None:
    copy = make_copy(barcode="91300")
    care.move(copy, Move.QUARANTINE, act=make_act(), why="Measles", until_on=NOON.date())
    told = desk.get("/api/care/box/", {"barcode": "91300"}).json()
    assert (told["condition"], told["events"][0]["why"], told["due"]) == ("quarantine", "Measles", [])
    assert "back_in_service" in told["moves"]
    more = librarian.get("/api/care/box/", {"barcode": "91300"}).json()["moves"]
    assert set(more) - set(told["moves"])
    assert desk.get("/api/care/quarantined/").json() == [
        {"barcode": "91300", "title": copy.game.title, "until_on": "2025-03-04"}
    ]


@pytest.mark.parametrize(
    ("role", "plans", "at_the_desk"), [("", 403, 403), ("desk", 403, 400), ("librarian", 400, 400)]
)
def test_who_may_do_what(role: str, plans: int, at_the_desk: int) -> None:
    user = make_user(role)
    make_member(user=user)
    api, plan = client_of(user), old_plan()
    assert send(api, "care-plans")[0] == plans
    assert api.get("/api/care-plans/").status_code == (200 if plans == 400 else 403)
    assert send(api, f"care-plans/{plan.pk}/end")[0] == (200 if plans == 400 else 403)
    assert send(api, "care/done")[0] == at_the_desk
    for path in ("due", "quarantined"):
        assert api.get(f"/api/care/{path}/").status_code == (200 if role else 403)
    assert api.get("/api/care/box/").status_code == (404 if role else 403)
