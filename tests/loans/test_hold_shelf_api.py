"""What the desk has to do about holds today, over HTTP; letters on paper."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from loans import desk, holds
from loans.models import Hold, HoldState, Mail
from tests.loans.api_client import client_of
from tests.make import make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
LONG_AGO = timezone.now() - timedelta(days=60)


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


def shelf(api: APIClient) -> dict[str, Any]:
    told: dict[str, Any] = api.get("/api/hold-shelf/").json()
    return told


def test_the_hold_shelf_tells_what_is_to_be_done_and_for_whom(api: APIClient) -> None:
    free, out = make_game("Finca"), make_game("Uptown")
    make_copy(free, "91300")
    make_loan(make_copy(out), now=timezone.now())
    member, act = make_member(), make_act(now=timezone.now())
    for game in (free, out):
        holds.place_hold(game, member, act=act)
    told = shelf(api)
    assert [(one["barcode"], one["card_number"]) for one in told["to_fetch"]] == [
        ("91300", member.card_number)
    ]
    assert (told["to_send"], told["ready"]) == ([], [])
    assert [(one["title"], one["size"]) for one in told["queues"]] == [("Uptown", 1)]


def test_what_was_not_fetched_in_time_is_let_go_once(api: APIClient) -> None:
    game = make_game("Finca")
    box = make_copy(game)
    desk.lend(box, make_member(), act=make_act(now=LONG_AGO))
    holds.place_hold(game, make_member(), act=make_act(now=LONG_AGO))
    desk.check_in(box, act=make_act(now=LONG_AGO))
    assert len(shelf(api)["ready"]) == 1
    assert [api.post("/api/holds/expire/").json() for _ in range(2)] == [{"lapsed": 1}, {"lapsed": 0}]
    assert shelf(api)["ready"] == []
    assert Hold.objects.get().state == HoldState.LAPSED


def test_letters_on_paper_are_made_once_and_read_at_the_desk(api: APIClient) -> None:
    make_loan(make_copy(make_game("Finca")), make_member(), now=LONG_AGO)
    manager = client_of(make_user("manager"))
    assert [manager.post("/api/notices/letters/").json() for _ in range(2)] == [{"made": 1}, {"made": 0}]
    told = api.get(f"/api/notices/{Mail.objects.get().pk}/").json()
    assert (told["state"], "Finca" in told["text"], bool(told["subject"])) == ("printed", True, True)
    assert api.post("/api/notices/letters/").status_code == 403


def test_a_member_does_nothing_of_it() -> None:
    user = make_user()
    make_member(user=user)
    api = client_of(user)
    for path in ("hold-shelf", "notices/1"):
        assert api.get(f"/api/{path}/").status_code == 403
    for path in ("holds/expire", "notices/letters"):
        assert api.post(f"/api/{path}/").status_code == 403
