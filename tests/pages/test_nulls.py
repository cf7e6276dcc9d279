"""A null in an address: PostgreSQL takes none in a text, and no page may fall over it."""

import pytest
from django.test import Client

from tests.make import make_copy, make_game, make_user

pytestmark = pytest.mark.django_db

ADDRESSES = [
    "/?q=a%00b",
    "/?q=12%00345",
    "/?q=fin&category=%00&language=%00&players=%00",
    "/api/games/?q=12%00345",
    "/api/games/?q=a%00b&category=%00",
    "/api/passages/?q=a%00b&language=%00",
    "/catalogue/?q=a%00b",
    "/catalogue/?q=12%00345",
    "/desk/?member=%00&event=%00",
    "/api/loans/?card_number=%00",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_a_null_in_an_address_breaks_nothing(client: Client, address: str) -> None:
    make_copy(make_game("Finca"), barcode="12345")
    client.force_login(make_user("manager"))
    assert client.get(address).status_code < 500


def test_a_null_in_a_scan_breaks_nothing(client: Client) -> None:
    client.force_login(make_user("manager"))
    assert client.post("/desk/scan/", {"scan": "12\0345"}).status_code < 500
    body = {"barcode": "12\0345"}
    assert client.post("/api/check-ins/", body, content_type="application/json").status_code < 500
