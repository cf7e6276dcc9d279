"""What a person has to look at, over HTTP: kept scans, findings of a stocktake."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from loans import stocktake
from loans.models import KeptScan, Stocktake
from tests.loans.api_client import client_of
from tests.make import make_act, make_copy, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    return client_of(make_user("desk"))


def send(api: APIClient, path: str, **body: Any) -> tuple[int, Any]:
    answer = api.post(f"/api/{path}/", body, format="json")
    return answer.status_code, answer.json() if answer.content else None


def test_a_kept_scan_that_was_refused_is_looked_at_and_ticked_off(api: APIClient) -> None:
    make_copy(barcode="91300", condition="lost")
    member = make_member()
    merged = send(api, "desk/scans", nonce="k1", code="91300", waited=60, member=member.pk)[1]
    assert merged["to_look_at"]
    (row,) = api.get("/api/desk/scans/to-look-at/").json()
    assert (row["barcode"], row["card_number"], len(row["reasons"])) == ("91300", member.card_number, 1)
    for _ in range(2):
        assert send(api, f"desk/scans/{row['id']}/settle")[0] == 204
    assert api.get("/api/desk/scans/to-look-at/").json() == []
    assert KeptScan.objects.get().settled_at


@pytest.fixture
def shelf() -> Stocktake:
    """A box in its place, one that is still on a card, one that is withdrawn, and one that is missing."""
    seen, away = make_copy(barcode="91300"), make_loan(make_copy(barcode="91400")).copy
    withdrawn = make_copy(barcode="91500", condition="withdrawn")
    make_copy(barcode="91600")
    row = stocktake.start(None, None, act=make_act())
    codes = "\n".join(copy.barcode for copy in (seen, away, withdrawn))
    stocktake.scan_codes(row, codes, act=make_act())
    return stocktake.close(row, act=make_act())


def lines_of(api: APIClient, row: Stocktake) -> dict[str, dict[str, Any]]:
    return {line["code"]: line for line in api.get(f"/api/stocktakes/{row.pk}/lines/").json()}


def test_a_finding_is_settled_by_one_of_its_remedies_once(api: APIClient, shelf: Stocktake) -> None:
    lines = lines_of(api, shelf)
    assert set(lines) == {"91400", "91500", "91600"}
    assert (lines["91400"]["finding"], lines["91400"]["remedies"]) == ("on_loan", ["checked_in", "put_back"])
    path = f"stocktake-lines/{lines['91400']['id']}/settle"
    for _ in range(2):
        status, told = send(api, path, how="checked_in")
        assert (status, told["settled"], told["remedies"]) == (200, "checked_in", [])
    assert send(api, path, how="lost")[1]["code"] == "changed_since"
    assert send(api, path, how="eaten")[0] == 400


def test_a_withdrawn_box_is_taken_back_by_a_librarian(api: APIClient, shelf: Stocktake) -> None:
    librarian = client_of(make_user("librarian"))
    line = lines_of(librarian, shelf)["91500"]
    assert (lines_of(api, shelf)["91500"]["remedies"], line["remedies"]) == (
        ["put_back"],
        ["found", "put_back"],
    )
    path = f"stocktake-lines/{line['id']}/settle"
    assert send(api, path, how="found")[0] == 403
    assert send(librarian, path, how="found")[0] == 200


def test_a_member_sees_and_settles_nothing(shelf: Stocktake) -> None:
    user = make_user()
    make_member(user=user)
    api, line = client_of(user), shelf.lines.filter(finding="missing").get()
    assert api.get("/api/desk/scans/to-look-at/").status_code == 403
    assert api.get(f"/api/stocktakes/{shelf.pk}/lines/").status_code == 403
    assert send(api, f"stocktake-lines/{line.pk}/settle", how="lost")[0] == 403
    assert send(api, "desk/scans/1/settle")[0] == 403
