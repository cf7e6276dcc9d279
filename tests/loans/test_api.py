"""The desk over HTTP: what a programme sends, and every answer that it must be ready for."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans import desk
from loans.models import DeskEvent, Loan, Member
from tests.make import make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"


class Api:
    """A client that speaks JSON."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def post(self, url: str, **body: Any) -> Any:
        return self.client.post(url, body, content_type="application/json")

    def get(self, url: str, **query: str) -> Any:
        return self.client.get(url, query)


@pytest.fixture
def api(client: Client) -> Api:
    client.force_login(make_user("desk"))
    return Api(client)


@pytest.fixture
def managers_api() -> Api:
    client = Client()
    client.force_login(make_user("manager"))
    return Api(client)


@pytest.fixture
def camille() -> Member:
    return make_member("Camille Martin", card_number="20000012")


def test_a_loan_is_made_and_described(api: Api, camille: Member) -> None:
    copy = make_copy(make_game("Finca"), barcode="91300")
    response = api.post("/api/loans/", barcode="91300", card_number="20000012")
    assert response.status_code == 201
    loan = Loan.objects.get()
    told = response.json()
    assert (told["id"], told["barcode"], told["title"]) == (loan.pk, "91300", "Finca")
    assert (told["game"], told["card_number"], told["renewals"]) == (copy.game_id, "20000012", 0)
    assert (told["due_on"], told["returned_at"]) == (loan.due_on.isoformat(), None)


def test_the_same_nonce_is_answered_200_with_the_same_loan(api: Api, camille: Member) -> None:
    make_copy(barcode="91300")
    first, second = (
        api.post("/api/loans/", barcode="91300", card_number="20000012", nonce="n1") for _ in range(2)
    )
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert DeskEvent.objects.count() == 1


def test_a_refusal_is_a_409_with_all_reasons_in_words_and_codes(api: Api) -> None:
    make_copy(barcode="91300", condition="in_repair")
    make_member(card_number="5", block_reason="Key lost")
    response = api.post("/api/loans/", barcode="91300", card_number="5")
    assert response.status_code == 409
    told = response.json()
    assert [refusal["code"] for refusal in told["refusals"]] == ["copy_in_repair", "member_blocked"]
    assert (told["code"], told["detail"]) == ("copy_in_repair", told["refusals"][0]["detail"])
    assert told["refusals"][1] == {
        "code": "member_blocked",
        "detail": "This card is blocked: Key lost. Settle it, then lift the block.",
        "waivable": True,
    }


def test_a_refusal_speaks_the_language_of_the_request(api: Api, camille: Member) -> None:
    make_loan(make_copy(barcode="91300"))
    response = api.client.post(
        "/api/loans/",
        {"barcode": "91300", "card_number": "20000012"},
        content_type="application/json",
        headers={"accept-language": "de"},
    )
    assert response.status_code == 409
    assert response["Content-Language"] == "de"


def test_who_came_first_is_told_since_when(api: Api, camille: Member) -> None:
    first = make_loan(make_copy(barcode="91300"), make_member("Aminata Diallo"), now=timezone.now())
    told = api.post("/api/loans/", barcode="91300", card_number="20000012").json()
    assert told["code"] == "copy_on_loan"
    assert "Aminata Diallo has this game since" in told["detail"]
    assert Loan.objects.get() == first


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"barcode": "99999", "card_number": "20000012"}, "unknown_code"),
        ({"barcode": "91300", "card_number": "99999"}, "unknown_code"),
        ({"barcode": "9.13E+04", "card_number": "20000012"}, "damaged_code"),
    ],
)
def test_an_unknown_code_is_a_404_with_the_reason(
    api: Api, camille: Member, body: dict[str, Any], code: str
) -> None:
    make_copy(barcode="91300")
    response = api.post("/api/loans/", **body)
    assert (response.status_code, response.json()["code"]) == (404, code)
    assert response.json()["detail"]


def test_a_code_that_may_mean_two_boxes_is_refused_not_guessed(api: Api, camille: Member) -> None:
    make_copy(barcode="0123")
    make_copy(barcode="00123")
    response = api.post("/api/loans/", barcode="123", card_number="20000012")
    assert (response.status_code, response.json()["code"]) == (409, "ambiguous_code")


def test_a_card_and_a_box_of_one_number_are_told_apart_by_the_field(api: Api) -> None:
    member, copy = make_member(card_number="123"), make_copy(barcode="123")
    assert api.post("/api/loans/", barcode="123", card_number="123").status_code == 201
    assert Loan.objects.get(member=member, copy=copy)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"barcode": "91300"},
        {"barcode": "", "card_number": "1"},
        {"barcode": ["91300"], "card_number": {}},
        {"barcode": "91300", "card_number": "1", "nonce": "x" * 65},
        {"barcode": "91300", "card_number": "1", "waive": ["everything"]},
        {"barcode": "9\x001300", "card_number": "1"},
    ],
)
def test_a_request_that_is_none_is_a_400(api: Api, body: dict[str, Any]) -> None:
    assert api.post("/api/loans/", **body).status_code == 400
    assert not Loan.objects.exists()


def test_a_waiver_over_the_api(api: Api, managers_api: Api) -> None:
    make_copy(barcode="91300")
    make_member(card_number="5", block_reason="Unpaid")
    body = {"barcode": "91300", "card_number": "5", "waive": ["member_blocked"], "waive_reason": "Paid now"}
    assert api.post("/api/loans/", **body).status_code == 403
    told = managers_api.post("/api/loans/", **{**body, "waive_reason": ""}).json()
    assert told["code"] == "waiver_needs_reason"
    assert managers_api.post("/api/loans/", **body).status_code == 201


def test_a_copy_comes_back_once(api: Api) -> None:
    make_loan(make_copy(barcode="91300"), now=timezone.now() - timedelta(days=2))
    first, second = (api.post("/api/check-ins/", barcode="91300") for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json()["returned_at"] == second.json()["returned_at"] is not None


def test_a_copy_on_the_shelf_does_not_come_back(api: Api) -> None:
    make_copy(barcode="91300")
    response = api.post("/api/check-ins/", barcode="91300")
    assert (response.status_code, response.json()["code"]) == (409, "copy_not_on_loan")


def test_a_loan_is_renewed(api: Api) -> None:
    loan = make_loan(now=timezone.now() - timedelta(days=2))
    response = api.post("/api/renewals/", loan=loan.pk)
    assert (response.status_code, response.json()["renewals"]) == (201, 1)


@pytest.mark.parametrize(("loan", "status"), [(999, 404), (0, 400), (2**70, 400), ("x", 400)])
def test_a_loan_that_does_not_exist_is_not_renewed(api: Api, loan: Any, status: int) -> None:
    assert api.post("/api/renewals/", loan=loan).status_code == status


def test_the_open_loans_of_a_member(api: Api, camille: Member) -> None:
    loan = make_loan(member=camille)
    back = make_loan(member=camille)
    desk.check_in(back.copy, act=make_act())
    make_loan()
    response = api.get("/api/loans/", card_number="20000012")
    assert [told["id"] for told in response.json()] == [loan.pk]
    assert api.get("/api/loans/", card_number="99").status_code == 404
    assert api.get("/api/loans/").status_code == 400


@pytest.mark.parametrize("url", ["/api/loans/", "/api/check-ins/", "/api/renewals/"])
def test_only_the_desk_lends(client: Client, url: str) -> None:
    assert client.post(url, {}, content_type="application/json").status_code in {401, 403}
    client.force_login(make_user())
    assert client.post(url, {}, content_type="application/json").status_code == 403
    assert client.get("/api/loans/?card_number=1").status_code == 403
