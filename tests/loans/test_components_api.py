"""What boxes should hold over HTTP: lists of pieces, one box's differences, the bank of spare pieces."""

from datetime import timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from catalogue import components
from catalogue.models import Component, Copy, Game
from loans import counting, desk
from loans.models import MissingPiece
from tests.loans.api_client import client_of
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def librarian() -> APIClient:
    return client_of(make_user("librarian"))


@pytest.fixture
def finca() -> Game:
    return make_game("Finca", contents="108 fruits, 20 joueurs")


@pytest.fixture
def box(finca: Game) -> Copy:
    return make_copy(finca, barcode="91300")


def send(api: APIClient, method: str, path: str, **body: Any) -> tuple[int, Any]:
    answer = getattr(api, method)(f"/api/{path}/", body, format="json")
    return answer.status_code, answer.json() if answer.content else None


def test_a_list_is_read_corrected_and_added_to(librarian: APIClient, finca: Game) -> None:
    fruits, players = librarian.get("/api/components/", {"game": finca.pk}).json()
    assert (fruits["name"], fruits["count"], players["importance"]) == ("fruits", 108, "ordinary")
    said = {"name": "fruits en bois", "count": 108, "importance": "key", "price_cents": 50, "spares": 3}
    assert send(librarian, "put", f"components/{fruits['id']}", **said) == (200, fruits | said)
    status, bag = send(librarian, "post", "components", game=finca.pk, name="1 sac")
    assert (status, bag["count"], bag["game"]) == (201, None, finca.pk)
    assert send(librarian, "delete", f"components/{players['id']}")[0] == 204
    assert [piece.name for piece in components.of(finca)] == ["fruits en bois", "1 sac"]


def test_a_piece_without_a_name_is_refused_by_name(librarian: APIClient, finca: Game) -> None:
    assert list(send(librarian, "post", "components", game=finca.pk, name=" \n")[1]) == ["name"]
    assert librarian.get("/api/components/").status_code == 400
    assert librarian.get("/api/components/", {"game": 10**9}).status_code == 404


def test_a_box_that_holds_less_for_good_is_judged_by_it(librarian: APIClient, finca: Game, box: Copy) -> None:
    players = components.of(finca)[1].pk
    short = {"component": players, "count": 18, "note": "two are lost", "playable": True}
    status, told = send(librarian, "put", "box-differences", barcode="91300", differences=[short])
    assert (status, told[1]["count"], told[1]["differs"], told[0]["differs"]) == (200, 18, True, False)
    box.refresh_from_db()
    assert box.condition == "incomplete"
    as_listed = {"component": players, "count": None}
    told = send(librarian, "put", "box-differences", barcode="91300", differences=[as_listed])[1]
    assert not told[1]["differs"]
    box.refresh_from_db()
    assert box.condition == "in_service"


def test_a_piece_of_another_game_is_no_difference(librarian: APIClient, box: Copy) -> None:
    other = components.of(make_game("Uptown", contents="5 chevalets"))[0].pk
    wrong = [{"component": other, "count": 4}]
    status, told = send(librarian, "put", "box-differences", barcode="91300", differences=wrong)
    assert (status, list(told)) == (400, ["differences"])


def test_the_bank_of_spare_pieces_is_searched_by_words(finca: Game, box: Copy) -> None:
    fruits = components.of(finca)[0]
    Component.objects.filter(pk=fruits.pk).update(spares=3)
    Copy.objects.filter(pk=box.pk).update(condition="withdrawn")
    api = client_of(make_user("desk"))
    (spare,) = api.get("/api/spares/", {"q": "fruits"}).json()
    assert (spare["title"], spare["in_drawer"], spare["wanted"]) == ("Finca", 3, 0)
    assert spare["donors"] == [{"barcode": "91300", "count": 108}]
    assert len(api.get("/api/spares/").json()) == 2
    assert api.get("/api/spares/", {"q": "dragons"}).json() == []


def missing_players(box: Copy) -> MissingPiece:
    """Two players are missing after the latest of two loans."""
    for days in (20, 10):
        make_loan(box, make_member(), now=NOON - timedelta(days=days))
        back = desk.check_in(box, act=make_act(now=NOON - timedelta(days=days - 1)))
    count = counting.count_of(back.event, act=make_act())
    counting.missing(count, components.of(box.game)[1], 2, act=make_act())
    return MissingPiece.objects.get()


def test_a_piece_went_missing_with_another_loan_or_nobody_knows(box: Copy) -> None:
    piece, api = missing_players(box), client_of(make_user("desk"))
    path = f"missing-pieces/{piece.pk}/lost-with"
    earlier = box.loans.order_by("lent_at").first()
    assert earlier
    assert earlier.pk != piece.loan_id
    assert send(api, "post", path, loan=earlier.pk)[1]["loan"] == earlier.pk
    assert send(api, "post", path, loan=None)[1]["loan"] is None
    other = make_loan()
    assert (send(api, "post", path, loan=other.pk)[0], send(api, "post", path, loan=10**9)[0]) == (409, 404)


@pytest.mark.parametrize(
    ("role", "lists", "spares"), [("", 403, 403), ("desk", 403, 200), ("librarian", 200, 200)]
)
def test_who_may_do_what(finca: Game, role: str, lists: int, spares: int) -> None:
    user = make_user(role)
    make_member(user=user)
    api, piece = client_of(user), components.of(finca)[0]
    assert api.get("/api/components/", {"game": finca.pk}).status_code == lists
    wrong = 400 if lists == 200 else lists
    assert send(api, "post", "components")[0] == wrong
    assert send(api, "put", f"components/{piece.pk}")[0] == wrong
    assert send(api, "put", "box-differences")[0] == wrong
    assert send(api, "delete", f"components/{piece.pk}")[0] == (204 if lists == 200 else 403)
    assert api.get("/api/spares/").status_code == spares
    assert send(api, "post", "missing-pieces/1/lost-with", loan=None)[0] == (404 if role else 403)
