"""The short address of a text leads to the rules in the reader's language, and always has an answer."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from catalogue import records
from catalogue.draft import RulesHead
from catalogue.models import Game, RulesText
from tests.make import make_copy, make_game, make_rules

pytestmark = pytest.mark.django_db
BODY = "## Fin\n\nAprès six tours."


@pytest.fixture
def game() -> Game:
    game = make_game("Finca")
    for language in ("fr", "es", "nl"):
        make_rules(game, BODY, language)
    return game


def text_in(game: Game, language: str) -> RulesText:
    return game.rules_texts.get(language=language)


def leads(client: Client, text: RulesText, accepts: str = "") -> str:
    answer = client.get(f"/r/{text.pk}", headers={"accept-language": accepts})
    assert answer.status_code == 302
    return str(answer["Location"])


@pytest.mark.parametrize(
    ("accepts", "language"),
    [
        ("es-AR,es;q=0.9,en;q=0.5", "es"),
        ("nl", "nl"),
        ("pl,nl;q=0.3", "nl"),
        ("pl", "fr"),
        ("", "fr"),
        ("*", "fr"),
        (";;;q=x, \x00", "fr"),
    ],
)
def test_it_leads_to_the_text_that_the_reader_understands(
    client: Client, game: Game, accepts: str, language: str
) -> None:
    expected = f"/rules/{text_in(game, language).pk}/"
    assert leads(client, text_in(game, "fr"), accepts) == expected


def test_the_language_chosen_on_the_site_stands_above_the_browsers(client: Client, game: Game) -> None:
    client.post("/i18n/setlang/", {"language": "es", "next": "/"})
    assert leads(client, text_in(game, "fr"), "nl") == f"/rules/{text_in(game, 'es').pk}/"


def test_a_label_of_one_edition_leads_to_the_same_edition(client: Client) -> None:
    game = make_game()
    first = make_rules(game, BODY, "fr", edition="2009")
    make_rules(game, BODY, "es", edition="2020")
    same = make_rules(game, BODY, "es", edition="2009")
    assert leads(client, first, "es") == f"/rules/{same.pk}/"


def test_errata_lead_to_errata_and_never_to_the_rules(client: Client, game: Game) -> None:
    errata = make_rules(game, BODY, "de", kind="errata")
    assert leads(client, errata, "es") == f"/rules/{errata.pk}/"


def test_caches_are_told_that_the_answer_depends_on_the_reader(client: Client, game: Game) -> None:
    answer = client.get(f"/r/{text_in(game, 'fr').pk}")
    assert {"Accept-Language", "Cookie"} <= set(re.split(r",\s*", answer["Vary"]))


def test_the_address_outlives_a_new_title_and_a_new_language(client: Client, game: Game) -> None:
    text = text_in(game, "fr")
    records.update_rules_text(text, RulesHead(language="fr-BE", title="Tout autre chose"))
    assert leads(client, text, "pl") == f"/rules/{text.pk}/"


def test_a_removed_text_is_gone_and_names_what_is_here_now(client: Client, game: Game) -> None:
    pk = text_in(game, "fr").pk
    records.delete_rules_text(text_in(game, "fr"))
    answer = client.get(f"/r/{pk}", headers={"accept-language": "en"})
    html = answer.content.decode()
    assert answer.status_code == 410
    assert f'href="/games/{game.pk}/"' in html
    assert f'href="/rules/{text_in(game, "es").pk}/"' in html


def test_a_removed_game_leaves_an_answer_too(client: Client, game: Game) -> None:
    pk = text_in(game, "fr").pk
    records.delete_game(game)
    answer = client.get(f"/r/{pk}", headers={"accept-language": "en"})
    assert answer.status_code == 410
    assert 'value="Finca"' in answer.content.decode()


def test_a_game_in_use_keeps_its_addresses(client: Client, game: Game) -> None:
    make_copy(game)
    with pytest.raises(records.InUse):
        records.delete_game(game)
    assert leads(client, text_in(game, "fr"), "fr") == f"/rules/{text_in(game, 'fr').pk}/"


def test_the_number_of_a_removed_text_is_never_given_again(game: Game) -> None:
    last = make_rules(game, BODY, "it")
    number = last.pk
    records.delete_rules_text(last)
    assert make_rules(game, BODY, "it").pk > number


@pytest.mark.parametrize("number", ["4711", "99999999999999999999"])
def test_a_number_that_never_was_is_not_found(client: Client, number: str) -> None:
    for rest in ("", "/qr.svg", "/label/"):
        assert client.get(f"/r/{number}{rest}").status_code == 404


# --- codes and labels --------------------------------------------------------------------------


def shown_address(client: Client, text: RulesText, **headers: str) -> str:
    html = client.get(f"/r/{text.pk}/label/", headers={"accept-language": "en"} | headers).content.decode()
    found = re.search(r'box-label__address">([^<]+)<', html)
    assert found is not None
    return found[1]


def test_the_address_is_the_one_under_which_the_library_was_asked(
    client: Client, game: Game, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["jeux.example.org"]
    text = text_in(game, "fr")
    assert shown_address(client, text, host="jeux.example.org") == f"jeux.example.org/r/{text.pk}"


def test_the_address_of_the_settings_stands_above_it(client: Client, game: Game, settings: Settings) -> None:
    settings.LIBRARY_ADDRESS = "https://ludo.example"
    text = text_in(game, "fr")
    assert shown_address(client, text) == f"ludo.example/r/{text.pk}"


def test_behind_a_proxy_the_code_says_https(client: Client, game: Game, settings: Settings) -> None:
    text = text_in(game, "fr")
    plain = client.get(f"/r/{text.pk}/qr.svg").content
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    secure = client.get(f"/r/{text.pk}/qr.svg", headers={"x-forwarded-proto": "https"}).content
    assert plain != secure


def test_the_code_is_a_picture_in_black_on_white(client: Client, game: Game) -> None:
    answer = client.get(f"/r/{text_in(game, 'fr').pk}/qr.svg")
    svg = answer.content.decode()
    assert answer["Content-Type"] == "image/svg+xml"
    assert 'viewBox="0 0' in svg
    assert 'fill="#fff"' in svg
    assert "<script" not in svg


def test_a_label_that_leads_to_this_machine_alone_warns(
    client: Client, game: Game, settings: Settings
) -> None:
    settings.ALLOWED_HOSTS = ["localhost", "jeux.example.org"]
    page = f"/r/{text_in(game, 'fr').pk}/label/"
    local = client.get(page, headers={"accept-language": "en", "host": "localhost:8000"}).content.decode()
    public = client.get(page, headers={"accept-language": "en", "host": "jeux.example.org"}).content.decode()
    assert "LUDOTHECA_ADDRESS" in local
    assert "LUDOTHECA_ADDRESS" not in public


@pytest.mark.parametrize(
    ("asked", "shown"), [("", 2), ("?labels=7", 7), ("?labels=9999", 24), ("?labels=x", 2), ("?labels=0", 2)]
)
def test_there_are_as_many_labels_as_boxes_or_as_asked_for(
    client: Client, game: Game, asked: str, shown: int
) -> None:
    make_copy(game)
    make_copy(game)
    html = client.get(f"/r/{text_in(game, 'fr').pk}/label/{asked}").content.decode()
    assert html.count('class="box-label"') == shown
