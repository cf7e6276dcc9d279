"""Counts and missing pieces over HTTP."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from catalogue import components
from catalogue.models import Copy
from loans.models import Loan, MissingPiece, PieceCount
from tests.loans.test_api import Api
from tests.make import make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(client: Client) -> Api:
    client.force_login(make_user("desk"))
    return Api(client)


@pytest.fixture
def finca(api: Api) -> Loan:
    """A box that has just come back from Camille."""
    copy = make_copy(make_game("Finca", contents="108 fruits, 20 joueurs"), barcode="91300")
    loan = make_loan(copy, make_member(), now=timezone.now() - timedelta(days=9))
    assert api.post("/api/check-ins/", barcode="91300").status_code == 201
    return loan


def piece_of(api: Api, name: str) -> int:
    listed: list[dict[str, Any]] = api.get("/api/box-contents/", barcode="91300").json()
    found: int = next(one["component"] for one in listed if one["name"] == name)
    return found


def test_a_box_says_what_it_should_hold(api: Api, finca: Loan) -> None:
    components.set_difference(finca.copy, components.of(finca.copy.game)[1], 19, note="still playable")
    listed = api.get("/api/box-contents/", barcode="91300").json()
    assert [(one["name"], one["count"], one["differs"], one["note"]) for one in listed] == [
        ("fruits", 108, False, ""),
        ("joueurs", 19, True, "still playable"),
    ]


def test_a_count_names_what_is_missing_and_said_twice_it_is_missing_once(api: Api, finca: Loan) -> None:
    missing = [{"component": piece_of(api, "joueurs"), "quantity": 2}]
    for _ in range(2):
        told = api.post("/api/counts/", barcode="91300", missing=missing).json()
    assert (told["state"], told["loan"]) == ("short", finca.pk)
    assert [(p["name"], p["quantity"]) for p in told["missing"]] == [("joueurs", 2)]
    assert MissingPiece.objects.get().quantity == 2


def test_a_count_without_anything_missing_is_complete(api: Api, finca: Loan) -> None:
    assert api.post("/api/counts/", barcode="91300").json()["state"] == "complete"


def test_later_is_the_queue(api: Api, finca: Loan) -> None:
    api.post("/api/counts/", barcode="91300", later=True)
    assert [(c["barcode"], c["loan"]) for c in api.get("/api/counts/").json()] == [("91300", finca.pk)]


def test_a_piece_of_another_game_is_no_piece_of_this_one(api: Api, finca: Loan) -> None:
    other = components.of(make_game("Uptown", contents="5 chevalets"))[0]
    answer = api.post("/api/counts/", barcode="91300", missing=[{"component": other.pk, "quantity": 1}])
    assert answer.status_code == 400
    assert not PieceCount.objects.exists()


def test_a_box_that_never_came_back_cannot_be_counted_after_a_return(api: Api) -> None:
    make_copy(barcode="91301")
    answer = api.post("/api/counts/", barcode="91301")
    assert (answer.status_code, answer.json()["code"]) == (409, "nothing_returned")


def test_charged_found_and_no_second_time(api: Api, finca: Loan) -> None:
    missing = [{"component": piece_of(api, "joueurs"), "quantity": 1}]
    api.post("/api/counts/", barcode="91300", missing=missing)
    (piece,) = api.get("/api/missing-pieces/", barcode="91300").json()
    address = f"/api/missing-pieces/{piece['id']}"

    decided = api.post(f"{address}/decision/", decision="unplayable", charge_cents=250).json()
    assert (decided["decision"], decided["charge_cents"]) == ("unplayable", 250)
    assert Copy.objects.get().condition == "unplayable"

    found = api.post(f"{address}/found/").json()
    assert (found["end"], found["reversed_at"] is not None) == ("found", True)
    assert Copy.objects.get().condition == "in_service"
    again = api.post(f"{address}/found/")
    assert (again.status_code, again.json()["code"]) == (409, "piece_settled")


def test_a_box_moves_by_the_table_only(api: Api, finca: Loan) -> None:
    lost = api.post("/api/copy-moves/", barcode="91300", move="lose", why="not on the shelf")
    assert (lost.status_code, lost.json()["after"]) == (201, "lost")
    answer = api.post("/api/copy-moves/", barcode="91300", move="clean")
    assert (answer.status_code, answer.json()["code"]) == (409, "move_not_allowed")


def test_who_may_not_use_the_desk_sees_no_missing_piece(client: Client) -> None:
    client.force_login(make_user())
    assert client.get("/api/missing-pieces/").status_code == 403
    assert client.get("/api/counts/").status_code == 403
