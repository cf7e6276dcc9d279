"""The catalogue for programs: what may be written, what is refused and under which code."""

from typing import Any

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from catalogue import records
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, PublicationDraft
from catalogue.models import Change, Copy, Game
from tests.make import make_copy, make_game, make_rules, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> APIClient:
    """A program that writes with a librarian's right."""
    client = APIClient()
    client.force_authenticate(make_user("librarian", "rosa"))
    return client


def at(name: str, *args: int) -> str:
    """An address of this API."""
    return reverse(f"catalogue-api:{name}", args=args)


def send(api: APIClient, method: str, address: str, **values: Any) -> Any:
    """Send values as JSON."""
    return getattr(api, method)(address, values, format="json")


def test_a_stranger_and_a_member_may_not_write() -> None:
    client = APIClient()
    assert send(client, "post", at("games"), title="Finca").status_code == 403
    client.force_authenticate(make_user())
    assert send(client, "post", at("games"), title="Finca").status_code == 403
    assert not Game.objects.exists()


RECORD = {
    "title": "Finca",
    "contributors": [{"name": "Ralf zur Linde", "role": "070"}],
    "publications": [{"publisher": "Filosofia", "place": "Vaudreuil-Dorion"}],
    "identifiers": ["68862310192"],
    "languages": ["fr"],
    "categories": ["A 406 Jeu de stratégie"],
    "players_min": 2,
    "players_max": 4,
}
DRAFT = GameDraft(
    "Finca",
    contributors=(ContributorDraft("Ralf zur Linde", "070"),),
    publications=(PublicationDraft("Filosofia", "Vaudreuil-Dorion"),),
    identifiers=("68862310192",),
    languages=("fr",),
    categories=("A 406 Jeu de stratégie",),
    players_min=2,
    players_max=4,
)


def test_a_game_is_added(api: APIClient) -> None:
    response = send(api, "post", at("games"), **RECORD)
    assert response.status_code == 201
    assert records.describe(Game.objects.get(pk=response.data["id"])) == DRAFT
    assert Change.objects.exists()


def test_what_was_read_can_be_sent_back_unchanged(api: APIClient) -> None:
    game = records.create_game(DRAFT)
    read = api.get(at("game", game.pk)).json()
    again = send(api, "put", at("game", game.pk), **read["record"], revision=read["revision"])
    assert again.json() == read


def test_an_update_of_a_state_that_is_gone_is_a_conflict(api: APIClient) -> None:
    game = make_game("Finca")
    read = game.revision
    records.update_game(game, GameDraft("Finca", year=2009))
    response = send(api, "put", at("game", game.pk), title="Fincas", revision=read)
    assert (response.status_code, response.data["code"]) == (409, "changed_meanwhile")
    assert response.data["revision"] == read + 1
    assert Game.objects.get().title == "Finca"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "a\0b"),
        ("year", "MMIX"),
        ("players_min", 9),
        ("languages", ["klingonais"]),
        ("identifiers", ["6.37702E+15"]),
        ("contributors", [{"role": "070"}]),
        ("contributors", "Ralf"),
        ("keywords", ["\ufdfa" * 60]),
        ("categories", ["x"] * 500),
    ],
)
def test_what_cannot_be_stored_is_named_by_its_field(api: APIClient, field: str, value: object) -> None:
    response = send(api, "post", at("games"), **(RECORD | {field: value}))
    assert response.status_code == 400
    assert field in response.data or (field, "players_max" in response.data) == ("players_min", True)
    assert not Game.objects.exists()


def test_a_taken_barcode_is_a_conflict_that_names_the_box(api: APIClient) -> None:
    holder = make_copy(make_game("Safranito"), "01877")
    response = send(api, "post", at("copies", make_game().pk), barcode="01877")
    assert response.status_code == 409
    assert response.data["code"] == "barcode_taken"
    assert (response.data["game"], response.data["copy"]) == (holder.game_id, holder.pk)


def test_a_copy_is_added_corrected_and_removed(api: APIClient) -> None:
    game = make_game()
    made = send(api, "post", at("copies", game.pk), barcode="01877", section="A 407", branch="Genève").data
    assert (made["barcode"], made["section"], made["condition"]) == ("01877", "A 407", "in_service")
    send(api, "put", at("copy", made["id"]), barcode="01877", condition="incomplete")
    assert records.describe_copy(Copy.objects.get()) == CopyDraft("01877", condition="incomplete")
    assert api.delete(at("copy", made["id"])).status_code == 204
    assert not Copy.objects.exists()


def test_a_game_with_copies_is_in_use(api: APIClient) -> None:
    response = api.delete(at("game", make_copy().game_id))
    assert (response.status_code, response.data["code"]) == (409, "in_use")


def test_a_rules_text_is_added_and_revised(api: APIClient) -> None:
    game = make_game()
    made = send(api, "post", at("rules-texts", game.pk), language="fr", body="## But\n\nGagner.").data
    assert (made["revision"], made["body"]) == (1, "## But\n\nGagner.")
    revised = send(api, "post", at("revisions", made["id"]), body="## But\n\nPerdre.", after=1)
    assert (revised.status_code, revised.data["revision"]) == (201, 2)
    assert send(api, "post", at("revisions", made["id"]), body="## But\n\nPerdre.").status_code == 200
    late = send(api, "post", at("revisions", made["id"]), body="## But\n\nJouer.", after=1)
    assert (late.status_code, late.data["code"], late.data["revision"]) == (409, "changed_meanwhile", 2)


def test_correcting_what_is_said_about_a_text_keeps_the_key_of_its_import(api: APIClient) -> None:
    text = make_rules(make_game(), "x", source_key="wiki:finca")
    response = send(api, "put", at("rules-text", text.pk), language="pt-br", kind="faq")
    assert (response.data["language"], response.data["kind"]) == ("pt-BR", "faq")
    text.refresh_from_db()
    assert text.source_key == "wiki:finca"


def test_an_address_that_would_run_is_refused(api: APIClient) -> None:
    sent = {"language": "fr", "body": "x", "source_url": "javascript:alert(1)"}
    response = send(api, "post", at("rules-texts", make_game().pk), **sent)
    assert (response.status_code, list(response.data)) == (400, ["source_url"])


@pytest.mark.parametrize("name", ["game", "copy", "rules-text"])
def test_what_does_not_exist_is_not_found(api: APIClient, name: str) -> None:
    assert api.get(at(name, 99)).status_code == 404
    assert api.delete(at(name, 99)).status_code == 404
