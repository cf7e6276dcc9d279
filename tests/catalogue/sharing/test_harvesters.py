"""Harvesters by other people read all that we offer, over a real connection."""

from typing import Any

import pytest
from oaipmh_scythe import Scythe
from pytest_django.live_server_helper import LiveServer
from sickle import Sickle

from catalogue import records
from catalogue.draft import GameDraft
from catalogue.models import Game
from catalogue.oai import listing
from tests.make import make_game

pytestmark = pytest.mark.django_db(transaction=True)
FORMATS = pytest.mark.parametrize("prefix", ["oai_dc", "marc21", "unimarc"])


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> list[Game]:
    monkeypatch.setattr(listing, "PAGE", 3)
    found = [make_game(f"Jeu {n}", document_type="Jeu") for n in range(10)]
    records.delete_game(Game.objects.get(pk=found[4].pk))
    return found


def numbers(identifiers: list[str]) -> list[int]:
    return [int(one.rpartition(":")[2]) for one in identifiers]


@FORMATS
def test_sickle_harvests_everything(live_server: LiveServer, games: list[Game], prefix: str) -> None:
    sickle = Sickle(f"{live_server.url}/oai")
    found = list(sickle.ListRecords(metadataPrefix=prefix))
    assert numbers([r.header.identifier for r in found]) == [game.pk for game in games]
    assert [r.header.deleted for r in found].index(True) == 4
    assert all(f"Jeu {n}" in found[n].raw for n in range(10) if n != 4)
    assert sickle.Identify().deletedRecord == "persistent"
    assert [s.setSpec for s in sickle.ListSets()] == ["type-jeu"]


def test_sickle_meets_a_change_halfway(live_server: LiveServer, games: list[Game]) -> None:
    found: list[Any] = []
    for record in Sickle(f"{live_server.url}/oai").ListRecords(metadataPrefix="oai_dc"):
        if not found:
            for at in (0, 8):
                records.update_game(games[at], GameDraft(title=f"Anders {at}"))
        found.append(record)
    assert numbers([r.header.identifier for r in found]) == [game.pk for game in games]
    assert "Anders 8" in found[8].raw


@FORMATS
def test_scythe_harvests_everything(live_server: LiveServer, games: list[Game], prefix: str) -> None:
    with Scythe(f"{live_server.url}/oai") as scythe:
        found: list[Any] = list(scythe.list_records(metadata_prefix=prefix))
        kept = list(scythe.list_identifiers(metadata_prefix=prefix, ignore_deleted=True))
    assert numbers([str(r.header.identifier) for r in found]) == [game.pk for game in games]
    assert len(kept) == len(games) - 1
