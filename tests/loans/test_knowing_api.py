"""Stocktakes, figures and one's own data over HTTP."""

import pytest
from django.test import Client
from pytest_django import Settings

from tests.make import make_category, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    return client


def test_a_stocktake_from_start_to_close(manager: Client) -> None:
    make_copy(barcode="901")
    make_copy(barcode="902")
    pk = manager.post("/api/stocktakes/", {}, content_type="application/json").json()["id"]
    url, codes = f"/api/stocktakes/{pk}/scans/", {"codes": ["901", "901", "x"]}
    found = manager.post(url, codes, content_type="application/json").json()
    assert [one["finding"] for one in found] == ["seen", "seen", "unknown"]
    missing = manager.post(f"/api/stocktakes/{pk}/close/").json()
    assert [one["code"] for one in missing] == ["902"]
    assert manager.post(url, codes, content_type="application/json").status_code == 409


def test_figures_are_cut_by_the_address(manager: Client) -> None:
    make_loan(make_copy(make_game("Finca")))
    url = "/api/figures/games/?first_on=2025-01-01&last_on=2025-12-31"
    assert manager.get(url).json() == {"columns": ["Game", "Loans"], "rows": [["Finca", 1]]}
    assert manager.get(f"{url}&category={make_category().pk}").json()["rows"] == []
    assert manager.get("/api/figures/games/?first_on=x").status_code == 400
    assert manager.get("/api/figures/nonsense/").status_code == 404


def test_figures_and_stocktakes_are_for_the_staff_and_ones_data_for_oneself(client: Client) -> None:
    user = make_user()
    make_member("Ana Quetzal", user=user)
    client.force_login(user)
    assert client.get("/api/figures/late/").status_code == 403
    assert client.post("/api/stocktakes/").status_code == 403
    assert client.get("/api/me/data/").json()["member"][0]["last_name"] == "Quetzal"
