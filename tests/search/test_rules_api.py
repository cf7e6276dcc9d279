"""The rules texts of the API: lists, passages with permalinks, conditional requests, pages of other sites."""

from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from catalogue import records
from catalogue.draft import RevisionDraft
from catalogue.models import RulesText
from search import sync
from tests.make import make_game, make_rules, make_user

pytestmark = pytest.mark.django_db

LONG = " ".join(f"Au tour {n}, chaque joueur pioche deux cartes et les ajoute à sa main." for n in range(40))
BODY = f"## Tour de jeu\n\n{LONG}\n\n## Fin\n\nLe dernier hibou *posé* arrête la partie."


@pytest.fixture
def text() -> RulesText:
    game = make_game("Hiboux")
    return make_rules(game, BODY, edition="2e", source_name="Notice", licence="CC0-1.0")


def get(client: Client, path: str, **asked: str) -> Any:
    return client.get(f"/api/rules/{path}", asked)


# --- the list ----------------------------------------------------------------------------------


def test_texts_are_listed_by_game_with_where_they_stand(client: Client, text: RulesText) -> None:
    make_rules(make_game("Abalone"), "## Ende\nNach dem letzten Stein.", "de")
    found = get(client, "").json()
    assert (found["total"], [t["game_title"] for t in found["rules"]]) == (2, ["Abalone", "Hiboux"])
    mine = found["rules"][1]
    assert mine["permalink"] == f"http://testserver/rules/{text.pk}/"
    assert (mine["language"], mine["kind"], mine["edition"], mine["revision"]) == ("fr", "rules", "2e", 1)


def test_texts_are_filtered_and_paged(client: Client, text: RulesText) -> None:
    make_rules(text.game, "## Faut-il ?\nOui.", "fr-BE", kind="faq")
    make_rules(text.game, "## Einde\nNu.", "nl")
    make_rules(make_game("Abalone"), "## Fin\nFini.")
    game = str(text.game_id)
    asked = [{"game": game}, {"game": game, "language": "fr"}, {"kind": "faq"}, {"language": "pt"}]
    assert [get(client, "", **a).json()["total"] for a in asked] == [3, 2, 1, 0]
    page = get(client, "", game=game, limit="1", offset="1").json()
    assert [t["language"] for t in page["rules"]] == ["fr-BE"]
    assert page["total"] == 3


def test_the_list_takes_the_same_number_of_queries_for_any_number_of_texts(
    client: Client, text: RulesText, django_assert_max_num_queries: Any
) -> None:
    for number in range(8):
        make_rules(make_game(f"Jeu {number}"), "## Fin\nFini.")
    with django_assert_max_num_queries(4):
        assert len(get(client, "").json()["rules"]) == 9


# --- passages ----------------------------------------------------------------------------------


def test_passages_are_given_word_for_word_in_reading_order(client: Client, text: RulesText) -> None:
    found = get(client, f"{text.pk}/passages/").json()
    passages = found["passages"]
    assert found["total"] == len(passages) > 3
    ids = [p["id"] for p in passages]
    assert ids[:2] == ["tour-de-jeu", "tour-de-jeu~2"]
    assert len(set(ids)) == len(ids)
    assert all(p["body"] in BODY for p in passages)
    assert [p["previous"] for p in passages] == [None, *ids[:-1]]
    assert [p["next"] for p in passages] == [*ids[1:], None]


def test_a_passage_has_all_that_one_needs_to_quote_it(client: Client, text: RulesText) -> None:
    found = get(client, f"{text.pk}/passages/fin/").json()
    assert found["permalink"] == f"http://testserver/rules/{text.pk}/#fin"
    assert found["html"] == "<p>Le dernier hibou <em>posé</em> arrête la partie.</p>\n"
    told = {name: found[name] for name in ("path", "anchor", "language", "edition", "source_name", "licence")}
    assert told == {
        "path": ["Fin"],
        "anchor": "fin",
        "language": "fr",
        "edition": "2e",
        "source_name": "Notice",
        "licence": "CC0-1.0",
    }
    current = text.current
    assert current is not None
    assert (found["revision"], found["revised_at"][:16]) == (
        1,
        f"{current.made_at.astimezone():%Y-%m-%dT%H:%M}",
    )


def test_passages_are_paged(client: Client, text: RulesText) -> None:
    whole = get(client, f"{text.pk}/passages/").json()
    page = get(client, f"{text.pk}/passages/", limit="1", offset="1").json()
    assert page == {"total": whole["total"], "passages": [whole["passages"][1]]}


def test_a_further_piece_of_a_section_has_an_address_of_its_own(client: Client, text: RulesText) -> None:
    found = get(client, f"{text.pk}/passages/tour-de-jeu~2/").json()
    assert (found["id"], found["anchor"], found["previous"]) == (
        "tour-de-jeu~2",
        "tour-de-jeu",
        "tour-de-jeu",
    )


def test_a_section_that_stands_within_a_passage_leads_to_it(client: Client) -> None:
    text = make_rules(make_game(), "## Fin\nAprès six tours.\n\n### Égalité\nOn partage.")
    assert [p["id"] for p in get(client, f"{text.pk}/passages/").json()["passages"]] == ["fin"]
    assert get(client, f"{text.pk}/passages/egalite/").json()["id"] == "fin"


def test_an_id_that_a_section_had_before_leads_to_it(client: Client, text: RulesText) -> None:
    records.add_revisions(text, [RevisionDraft(BODY.replace("## Tour de jeu", "## Déroulement d'un tour"))])
    assert get(client, f"{text.pk}/passages/tour-de-jeu/").json()["id"] == "deroulement-d-un-tour"
    assert get(client, f"{text.pk}/passages/tour-de-jeu~2/").json()["id"] == "deroulement-d-un-tour~2"


def test_the_permalink_of_a_further_piece_is_a_place_on_the_page(client: Client, text: RulesText) -> None:
    found = get(client, f"{text.pk}/passages/tour-de-jeu~2/").json()
    assert found["permalink"] == f"http://testserver/rules/{text.pk}/#tour-de-jeu~2"
    assert 'id="tour-de-jeu~2"' in client.get(f"/rules/{text.pk}/").content.decode()


def test_a_piece_that_is_no_more_leads_to_what_is_left_of_its_section(
    client: Client, text: RulesText
) -> None:
    assert get(client, f"{text.pk}/passages/fin~9/").json()["id"] == "fin"


@pytest.mark.parametrize("path", ["99/passages/", "99/passages/fin/", "{}/passages/nowhere/"])
def test_a_passage_that_is_not_there_is_not_found_in_json(client: Client, text: RulesText, path: str) -> None:
    answer = get(client, path.format(text.pk))
    assert answer.status_code == 404
    assert answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "asked", "wrong"),
    [
        ("", {"kind": "novel"}, "kind"),
        ("", {"language": "?"}, "language"),
        ("", {"games": "1"}, "games"),
        ("", {"offset": "-1"}, "offset"),
        ("{}/passages/", {"limit": "101"}, "limit"),
        ("{}/passages/fin/", {"limit": "1"}, "limit"),
    ],
)
def test_a_wrong_parameter_is_named(
    client: Client, text: RulesText, path: str, asked: dict[str, str], wrong: str
) -> None:
    answer = get(client, path.format(text.pk), **asked)
    assert answer.status_code == 400
    assert list(answer.json()) == [wrong]


def test_passages_found_by_a_question_have_their_permalink(client: Client, text: RulesText) -> None:
    sync.sync()
    (first, *_rest) = client.get("/api/passages/", {"q": "dernier hibou", "reader": "fr"}).json()["hits"]
    assert first["permalink"] == f"http://testserver/rules/{text.pk}/#{first['anchor']}"


def test_a_record_found_by_a_question_leads_to_its_game(client: Client) -> None:
    game = make_game("Abalone", principle="Pousser les billes hors du plateau.")
    sync.sync()
    (hit, *_rest) = client.get("/api/passages/", {"q": "billes hors du plateau", "reader": "fr"}).json()[
        "hits"
    ]
    assert hit["permalink"] == f"http://testserver/games/{game.pk}/"


# --- conditional requests ----------------------------------------------------------------------


@pytest.mark.parametrize("path", ["{}/", "{}/passages/", "{}/passages/fin/"])
def test_who_has_a_text_already_is_answered_in_a_word(client: Client, text: RulesText, path: str) -> None:
    address = f"/api/rules/{path.format(text.pk)}"
    first = client.get(address)
    for header in ({"if-none-match": first["ETag"]}, {"if-modified-since": first["Last-Modified"]}):
        again = client.get(address, headers=header)
        assert (again.status_code, again.content) == (304, b"")
        assert again["ETag"] == first["ETag"]


def test_a_new_revision_and_a_new_word_on_the_text_make_it_another(client: Client, text: RulesText) -> None:
    address = f"/api/rules/{text.pk}/"
    seen = [client.get(address)["ETag"]]
    records.add_revisions(text, [RevisionDraft("## Fin\nJamais.")])
    seen.append(client.get(address)["ETag"])
    records.update_rules_text(text, replace(records.describe_head(text), edition="3e"))
    seen.append(client.get(address)["ETag"])
    assert len(set(seen)) == 3
    assert client.get(address, headers={"if-none-match": seen[0]}).json()["edition"] == "3e"


# --- pages of other sites ----------------------------------------------------------------------

ORIGIN = {"origin": "https://club.example"}


@pytest.mark.parametrize(
    "path",
    [
        "games/",
        "games/{game}/",
        "passages/?q=fin",
        "rules/",
        "rules/{text}/",
        "rules/{text}/passages/fin/",
        "schema/",
    ],
)
def test_pages_of_other_sites_may_read_the_public_api(client: Client, text: RulesText, path: str) -> None:
    answer = client.get("/api/" + path.format(game=text.game_id, text=text.pk), headers=ORIGIN)
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer


def test_a_mistake_may_be_read_too(client: Client) -> None:
    assert client.get("/api/games/?limit=x", headers=ORIGIN)["Access-Control-Allow-Origin"] == "*"


def test_a_browser_that_asks_first_is_told_reading_only(client: Client) -> None:
    asked = ORIGIN | {
        "access-control-request-method": "GET",
        "access-control-request-headers": "if-none-match",
    }
    answer = client.options("/api/rules/", headers=asked)
    assert answer.status_code == 200
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert answer["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "If-None-Match" in answer["Access-Control-Allow-Headers"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/loans/",
        "/api/check-ins/",
        "/api/catalogue/games/",
        "/catalogue/questions/",
        "/desk/",
        "/",
        "/ask/",
    ],
)
def test_nothing_else_may_be_read_by_other_sites(client: Client, path: str) -> None:
    client.force_login(make_user("manager"))
    for answer in (client.get(path, headers=ORIGIN), client.options(path, headers=ORIGIN)):
        assert not [name for name in answer.headers if name.startswith("Access-Control")]


def test_writing_is_not_opened(client: Client) -> None:
    answer = client.post("/api/games/", headers=ORIGIN)
    assert answer.status_code in {401, 403, 405}
    assert "Access-Control-Allow-Origin" not in answer
