"""A games day over HTTP: badges, boxes, and everything back at the end."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from loans import games_day
from loans.models import GamesDay, Loan
from tests.loans.api_client import client_of
from tests.make import NOON, make_copy, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


@pytest.fixture
def day() -> GamesDay:
    return games_day.open_day("Nuit du jeu", now=NOON)


def send(api: APIClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = api.post(f"/api/games-days/{path}", body, format="json")
    return answer.status_code, answer.json()


def scans(api: APIClient, day: GamesDay, *codes: str, **first: Any) -> list[dict[str, Any]]:
    """Scan one code after the other; each takes along what the answer before it said."""
    answers, state = [], first
    for code in codes:
        status, told = send(api, f"{day.pk}/scans/", code=code, **state)
        assert status == 200
        state = {"badges": told["badges"], "table": told["table"]}
        answers.append(told)
    return answers


def test_a_day_is_opened_and_listed(api: APIClient) -> None:
    status, told = send(api, "", name=" Nuit\ndu jeu ")
    assert (status, told["name"], told["tables"], told["closed_at"]) == (201, "Nuit du jeu", [], None)
    assert [one["id"] for one in api.get("/api/games-days/").json()] == [told["id"]]
    assert list(send(api, "", name=" ")[1]) == ["name"]


def test_badges_wait_for_a_box_and_others_join_its_table(api: APIClient, day: GamesDay) -> None:
    make_member("Camille Martin", card_number="20000012")
    make_copy(barcode="91300")
    first, second, box, late, again = scans(api, day, "17", "20000012", "91300", "18", "18")
    assert (first["badges"], second["badges"]) == (["17"], ["17", "20000012"])
    assert (box["badges"], box["table"], box["loan"]["barcode"]) == ([], box["loan"]["id"], "91300")
    assert (late["table"], late["loan"]) == (box["table"], None)
    assert again == late
    (table,) = api.get(f"/api/games-days/{day.pk}/").json()["tables"]
    assert [one["name"] for one in table["players"]] == ["17", "Camille Martin", "18"]


def test_a_box_sent_twice_under_its_nonce_is_one_loan(api: APIClient, day: GamesDay) -> None:
    make_copy(barcode="91300")
    sent = {"code": "91300", "badges": ["17"], "nonce": "g1"}
    first, again = (send(api, f"{day.pk}/scans/", **sent) for _ in range(2))
    assert first == again
    assert Loan.objects.count() == 1


def test_nobody_joins_a_table_of_another_day_or_a_box_that_came_back(api: APIClient, day: GamesDay) -> None:
    make_copy(barcode="91300")
    loan = scans(api, day, "17", "91300")[-1]["table"]
    other = games_day.open_day("Fête du jeu", now=NOON)
    assert scans(api, other, "18", table=loan)[0] == {
        "badges": ["18"],
        "table": None,
        "loan": None,
        "event": None,
    }
    send(api, f"{day.pk}/close/")
    assert scans(api, day, "18", table=loan)[0]["badges"] == ["18"]


def test_a_lost_box_and_a_code_that_nobody_knows_are_refused(api: APIClient, day: GamesDay) -> None:
    make_copy(barcode="91301", condition="lost")
    for code, reason in (("91301", "copy_lost"), ("123456789", "unknown_code")):
        status, told = send(api, f"{day.pk}/scans/", code=code, badges=["17"])
        assert (status, told["code"]) == (409, reason)


def test_at_the_end_everything_comes_back_once(api: APIClient, day: GamesDay) -> None:
    for barcode in ("91300", "91400"):
        make_copy(barcode=barcode)
        scans(api, day, "17", barcode)
    status, told = send(api, f"{day.pk}/close/")
    assert (status, [one["done"] for one in told]) == (200, [True, True])
    assert send(api, f"{day.pk}/close/") == (200, [])
    full = api.get(f"/api/games-days/{day.pk}/").json()
    assert (full["tables"], full["closed_at"] is None) == ([], False)


def test_a_member_has_no_say_in_it(day: GamesDay) -> None:
    user = make_user()
    make_member(user=user)
    api = client_of(user)
    for path in ("", f"{day.pk}/"):
        assert api.get(f"/api/games-days/{path}").status_code == 403
    for path in ("", f"{day.pk}/scans/", f"{day.pk}/close/"):
        assert send(api, path, name="Mine", code="17")[0] == 403
