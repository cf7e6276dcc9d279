"""Holds, bookings and transfers over HTTP."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from catalogue.models import Branch, Game
from loans import desk, holds
from loans.models import Hold
from tests.make import make_act, make_copy, make_game, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def at_desk(client: Client) -> Client:
    """A volunteer's programme."""
    client.force_login(make_user("desk"))
    return client


def post(client: Client, path: str, **body: Any) -> tuple[int, Any]:
    """Status and answer."""
    answer = client.post(path, body, content_type="application/json")
    return answer.status_code, answer.json()


def lent_game() -> Game:
    """A game whose one box is out."""
    game = make_game("Finca")
    desk.lend(make_copy(game, "04127"), make_member(), act=make_act(now=timezone.now() - timedelta(days=2)))
    return game


def waiting(game: Game) -> Hold:
    """Somebody in the queue."""
    return holds.place_hold(game, make_member("Aminata Diallo"), act=make_act(now=timezone.now()))


def test_the_desk_places_lists_moves_and_cancels(at_desk: Client) -> None:
    game, member = lent_game(), make_member(card_number="30001234")
    waiting(game)
    status, told = post(at_desk, "/api/holds/", game=game.pk, card_number="30001234")
    assert (status, told["position"], told["state"], told["title"]) == (201, 2, "waiting", "Finca")
    status, moved = post(at_desk, f"/api/holds/{told['id']}/move/", position=1, reason="Birthday")
    assert (status, moved["position"]) == (200, 1)
    listed = at_desk.get("/api/holds/", {"game": game.pk}).json()
    assert listed[0]["card_number"] == member.card_number
    assert len(at_desk.get("/api/holds/", {"card_number": "30001234"}).json()) == 1
    status, gone = post(at_desk, f"/api/holds/{told['id']}/cancel/")
    assert (status, gone["state"], gone["position"]) == (200, "cancelled", None)


def test_a_refusal_is_a_409_with_its_code(at_desk: Client) -> None:
    game, member = lent_game(), make_member(card_number="30001234", block_reason="Key lost")
    status, told = post(at_desk, "/api/holds/", game=game.pk, card_number=member.card_number)
    assert (status, told["code"]) == (409, "member_blocked")


def test_a_fetched_box_is_ready(at_desk: Client) -> None:
    hold = waiting(make_copy().game)
    status, told = post(at_desk, f"/api/holds/{hold.pk}/shelve/")
    assert (status, told["state"]) == (200, "ready")
    assert told["expires_on"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/holds/", {"game": 999_999, "card_number": "30001234"}),
        ("/api/holds/", {"game": 1, "card_number": "none"}),
        ("/api/holds/999999/move/", {"position": 1, "reason": "x"}),
        ("/api/holds/999999/cancel/", {}),
        ("/api/bookings/999999/cancel/", {}),
        ("/api/transfers/", {"barcode": "04127", "to_branch": 999_999}),
        ("/api/transfers/receive/", {"barcode": "04127"}),
    ],
)
def test_what_is_not_there_is_a_404(at_desk: Client, path: str, body: dict[str, Any]) -> None:
    make_member(card_number="30001234")
    make_copy(barcode="04127")
    assert post(at_desk, path, **body)[0] == 404


def test_a_member_sees_and_changes_only_his_own(client: Client) -> None:
    user = make_user()
    make_member("Zoé Blanc", user=user)
    client.force_login(user)
    game = lent_game()
    other = waiting(game)
    status, told = post(client, "/api/me/holds/", game=game.pk)
    assert (status, told["position"]) == (201, 2)
    assert "card_number" not in told
    assert [one["id"] for one in client.get("/api/me/holds/").json()] == [told["id"]]
    assert post(client, f"/api/me/holds/{other.pk}/cancel/")[0] == 404
    assert post(client, f"/api/me/holds/{told['id']}/cancel/")[0] == 200
    assert client.get("/api/holds/").status_code == 403


def test_who_is_no_member_has_no_holds(client: Client) -> None:
    client.force_login(make_user())
    assert client.get("/api/me/holds/").status_code == 404


def test_a_booking_is_made_once_listed_and_cancelled(at_desk: Client) -> None:
    game = make_copy().game
    day = timezone.localdate() + timedelta(days=9)
    body = {"game": game.pk, "card_number": make_member().card_number, "copies": 1, "nonce": "n1"}
    body |= {"from_on": day.isoformat(), "to_on": day.isoformat()}
    status, told = post(at_desk, "/api/bookings/", **body)
    assert (status, told["state"], told["handed_over"]) == (201, "planned", 0)
    assert post(at_desk, "/api/bookings/", **body)[1]["id"] == told["id"]
    status, refused = post(at_desk, "/api/bookings/", **body | {"nonce": "n2"})
    assert (status, refused["code"]) == (409, "too_few_copies")
    assert [one["id"] for one in at_desk.get("/api/bookings/").json()] == [told["id"]]
    assert post(at_desk, f"/api/bookings/{told['id']}/cancel/")[1]["state"] == "cancelled"


def test_a_box_is_sent_and_received(at_desk: Client) -> None:
    make_copy(barcode="04127", branch="North")
    south = Branch.objects.create(name="South", key="south")
    status, told = post(at_desk, "/api/transfers/", barcode="04127", to_branch=south.pk)
    assert (status, told["received_at"]) == (201, None)
    assert [one["id"] for one in at_desk.get("/api/transfers/").json()] == [told["id"]]
    status, received = post(at_desk, "/api/transfers/receive/", barcode="04127")
    assert status == 200
    assert received["received_at"]
    assert at_desk.get("/api/transfers/").json() == []
