"""The public API answers everybody; a wrong parameter is named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from search import sync
from tests.make import make_copy, make_game, make_rules, make_user

pytestmark = pytest.mark.django_db

DESCRIPTION = Path(__file__).parents[1] / "architecture" / "openapi.yaml"
TOO_LARGE = "9" * 30
"""No column and no LIMIT of a database takes such a number."""


@pytest.fixture
def game() -> Any:
    game = make_game("Hiboux", players_min=2, players_max=4, categories=("A 407 jeu de hasard",))
    make_copy(game, "04127", call_number="REI", section="A 407 jeu de hasard", branch="Centre")
    make_rules(game, "## Fin\n\nLe dernier hibou posé arrête la partie.\n\n### Égalité\n\nOn partage.")
    sync.sync()
    return game


def test_games_are_listed_and_filtered(client: Client, game: Any) -> None:
    found = client.get("/api/games/", {"q": "hibou", "players": "3"}).json()
    assert (found["total"], found["games"][0]["title"]) == (1, "Hiboux")
    assert client.get("/api/games/", {"q": "hibou", "players": "9"}).json()["total"] == 0


def test_a_game_shows_its_boxes_and_texts(client: Client, game: Any) -> None:
    found = client.get(f"/api/games/{game.pk}/").json()
    assert found["categories"] == ["A 407 jeu de hasard"]
    assert found["copies"] == [
        {
            "barcode": "04127",
            "call_number": "REI",
            "section": "A 407 jeu de hasard",
            "branch": "Centre",
            "status": "on_shelf",
            "due_back_on": None,
        }
    ]
    assert [t["language"] for t in found["rules_texts"]] == ["fr"]


def test_passages_are_verbatim_with_their_place(client: Client, game: Any) -> None:
    found = client.get("/api/passages/", {"q": "dernier hibou", "reader": "fr"}).json()
    assert found["hits"][0]["path"] == ["Fin"]
    assert "Le dernier hibou posé arrête la partie." in found["hits"][0]["body"]
    assert not found["no_answer"]


def test_a_rules_text_is_given_section_by_section(client: Client, game: Any) -> None:
    text = game.rules_texts.get()
    found = client.get(f"/api/rules/{text.pk}/").json()
    assert [(s["anchor"], s["path"]) for s in found["sections"]] == [
        ("fin", ["Fin"]),
        ("egalite", ["Fin", "Égalité"]),
    ]
    assert found["revision"] == 1


@pytest.mark.parametrize(
    ("path", "parameters", "wrong"),
    [
        ("/api/games/", {"players": "many"}, "players"),
        ("/api/games/", {"age": "-1"}, "age"),
        ("/api/games/", {"limit": "1000"}, "limit"),
        ("/api/games/", {"language": "not a language"}, "language"),
        ("/api/games/", {"available": "perhaps"}, "available"),
        ("/api/games/", {"q": "a\x00b"}, "q"),
        ("/api/games/", {"language": "fr-"}, "language"),
        ("/api/games/", {"player": "3"}, "player"),
        ("/api/games/", {"page": "2"}, "page"),
        ("/api/games/1/", {"language": "fr"}, "language"),
        ("/api/rules/1/", {"revision": "1"}, "revision"),
        ("/api/passages/", {"q": "x", "lang": "fr"}, "lang"),
        ("/api/passages/", {"q": "x", "reader": "French!"}, "reader"),
        ("/api/passages/", {}, "q"),
        ("/api/passages/", {"q": "x", "game": "Finca"}, "game"),
        ("/api/passages/", {"q": "x", "language": "?"}, "language"),
    ],
)
def test_a_wrong_parameter_is_named(
    client: Client, path: str, parameters: dict[str, str], wrong: str
) -> None:
    answer = client.get(path, parameters)
    assert answer.status_code == 400
    assert list(answer.json()) == [wrong]


def whole_numbers() -> Iterator[tuple[str, str]]:
    """Address and name of every whole number that an address of the interface may be asked for by."""
    described = yaml.safe_load(DESCRIPTION.read_text(encoding="utf-8"))
    for path, methods in described["paths"].items():
        for parameter in methods.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query" and parameter["schema"].get("type") == "integer":
                yield path.replace("{id}", "1"), parameter["name"]


@pytest.mark.parametrize(("path", "name"), [n for n in whole_numbers() if "{" not in n[0]])
@pytest.mark.parametrize("number", [TOO_LARGE, str(2**63), str(2**63 - 1)])
def test_a_number_that_no_database_takes_breaks_nothing(
    client: Client, game: Any, path: str, name: str, number: str
) -> None:
    client.force_login(make_user("manager"))
    answer = client.get(path, {"q": "hibou", name: number} if "passages/" in path else {name: number})
    assert answer.status_code < 500, answer.content


@pytest.mark.parametrize(
    "path",
    ["/api/games/99/", "/api/rules/99/", "/api/", "/api/game/1/", "/api/games/finca/", "/api/catalogue/x/"],
)
def test_what_is_not_there_is_not_found_in_json(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.json()["detail"]


def test_the_parameters_that_are_known_are_named(client: Client) -> None:
    (told,) = client.get("/api/games/", {"player": "3"}, headers={"accept-language": "en"}).json()["player"]
    assert "players" in told


def test_people_get_a_page_where_an_address_leads_nowhere(client: Client) -> None:
    assert client.get("/nowhere/")["Content-Type"].startswith("text/html")


def test_a_language_or_game_that_does_not_exist_finds_nothing(client: Client, game: Any) -> None:
    assert client.get("/api/passages/", {"q": "hibou", "language": "xx"}).json()["hits"] == []
    assert client.get("/api/passages/", {"q": "hibou", "game": "999"}).json()["hits"] == []
