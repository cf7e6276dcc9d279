"""Kits, boxes that are new at the desk, and loans until a booking, over HTTP."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from catalogue.draft import Doubt
from catalogue.models import Copy, Flag, Game, Kit
from loans import bookings
from loans.calendar import local_date
from loans.models import Loan
from tests.loans.api_client import client_of
from tests.make import make_act, make_copy, make_game, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


def send(api: APIClient, path: str, method: str = "post", **body: Any) -> tuple[int, Any]:
    answer = getattr(api, method)(f"/api/{path}/", body, format="json")
    return answer.status_code, answer.json() if answer.content else None


def labels(kit: dict[str, Any]) -> list[str]:
    return [box["barcode"] for box in kit["boxes"]]


def test_a_kit_is_put_together_changed_and_taken_apart(api: APIClient) -> None:
    for barcode in ("91300", "91400", "91500"):
        make_copy(barcode=barcode)
    status, kit = send(api, "kits", name="Fair", barcodes=["91400", "91300"])
    assert (status, kit["name"], labels(kit)) == (201, "Fair", ["91300", "91400"])
    assert kit["boxes"][0]["title"] == "Finca"
    status, changed = send(api, f"kits/{kit['id']}", "put", name="Fête", barcodes=["91500"])
    assert (status, changed["name"], labels(changed)) == (200, "Fête", ["91500"])
    assert api.get("/api/kits/").json() == [changed]
    assert send(api, f"kits/{kit['id']}", "delete")[0] == 204
    assert Copy.objects.count() == 3


def test_a_box_is_in_one_kit_at_most_and_then_nothing_is_saved(api: APIClient) -> None:
    make_copy(barcode="91300")
    send(api, "kits", name="Fair", barcodes=["91300"])
    status, told = send(api, "kits", name="Other", barcodes=["91300"])
    assert (status, told["code"]) == (409, "box_in_another_kit")
    assert send(api, "kits", name="Other", barcodes=["nothing"])[1]["code"] == "unknown_code"
    assert list(send(api, "kits", name=" ", barcodes=[])[1]) == ["name"]
    assert list(Kit.objects.values_list("name", flat=True)) == ["Fair"]


def test_a_kit_goes_home_once_and_what_cannot_is_told(api: APIClient) -> None:
    make_copy(barcode="91300")
    make_copy(barcode="91400", condition="lost")
    kit = send(api, "kits", name="Fair", barcodes=["91300", "91400"])[1]
    card = make_member().card_number
    first, again = (send(api, f"kits/{kit['id']}/loans", card_number=card, nonce="k1") for _ in range(2))
    assert first[0] == 200
    assert [(one["done"], [why["code"] for why in one["refusals"]]) for one in first[1]] == [
        (True, []),
        (False, ["copy_lost"]),
    ]
    assert again[1][0]["event"] == first[1][0]["event"]
    assert Loan.objects.count() == 1


def test_a_box_that_nobody_has_catalogued_is_there_once_and_can_be_lent(api: APIClient) -> None:
    status, told = send(api, "quick-adds", barcode="77777", title=" Quoridor\n")
    assert (status, told["barcode"], told["title"]) == (200, "77777", "Quoridor")
    assert send(api, "quick-adds", barcode="77777", title="Quoridor Kids")[1] == told
    assert Flag.objects.get(game=told["game"]).code == Doubt.QUICKLY_ADDED
    assert send(api, "loans", barcode="77777", card_number=make_member().card_number)[0] == 201


def test_a_code_of_which_nothing_is_left_is_no_label(api: APIClient) -> None:
    status, told = send(api, "quick-adds", barcode="\u200b", title="Quoridor")
    assert (status, list(told)) == (400, ["barcode"])


@pytest.mark.parametrize(
    "body", [{"barcode": "77777", "title": " "}, {"barcode": "", "title": "Quoridor"}, {"title": "Quoridor"}]
)
def test_a_box_without_a_label_or_a_title_is_refused(api: APIClient, body: dict[str, str]) -> None:
    assert send(api, "quick-adds", **body)[0] == 400
    assert not Game.objects.exists()


def test_a_box_that_is_booked_soon_may_be_lent_until_then(api: APIClient) -> None:
    game, today = make_game(), local_date(timezone.now(), None)
    box = make_copy(game)
    first, last = today + timedelta(days=10), today + timedelta(days=12)
    draft = bookings.BookingDraft(
        game=game, member=make_member(), copies=1, from_on=first, to_on=last, buffer_days=0
    )
    bookings.book(draft, act=make_act(now=timezone.now()))
    sent = {"barcode": box.barcode, "card_number": make_member().card_number}
    status, told = send(api, "loans", **sent)
    assert (status, told["code"]) == (409, "booked_soon")
    status, told = send(api, "loans", **sent, term="before_booking")
    assert (status, told["due_on"]) == (201, (first - timedelta(days=1)).isoformat())


@pytest.mark.parametrize(("role", "reads", "writes"), [("", 403, 403), ("desk", 200, 400)])
def test_it_is_for_the_desk(role: str, reads: int, writes: int) -> None:
    user = make_user(role)
    make_member(user=user)
    api, kit = client_of(user), Kit.objects.create(name="Fair")
    assert api.get("/api/kits/").status_code == reads
    for path in ("kits", f"kits/{kit.pk}/loans", "quick-adds"):
        assert send(api, path)[0] == writes, path
    assert send(api, f"kits/{kit.pk}", "put")[0] == writes
    assert send(api, f"kits/{kit.pk}", "delete")[0] == (204 if role else 403)
