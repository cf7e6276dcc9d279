"""Pages of texts in languages that few programs know: they open, and name the language to their reader."""

import pytest
from django.test import Client

from catalogue import records
from catalogue.draft import RevisionDraft
from catalogue.models import RulesText
from search import sync
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db
BODY = "## Finis ludi\nLudus finitur."


@pytest.fixture(params=["la", "xx", "zh-Hant", "mul", "tlh", "fr-x-kids", "no tag"])
def text(request: pytest.FixtureRequest) -> RulesText:
    text = make_rules(make_game("Rota", languages=(request.param,)), BODY, request.param)
    records.add_revisions(text, [RevisionDraft(f"{BODY} Vale.")])
    sync.rebuild()
    return text


def test_every_page_of_a_text_opens_whatever_its_language(client: Client, text: RulesText) -> None:
    rules = f"/rules/{text.pk}/"
    pages = (f"/games/{text.game_id}/", rules, f"{rules}history/", f"{rules}diff/")
    for address in (*pages, "/?q=ludus", f"/?q=&language={text.language}"):
        for reader in ("fr", "en", "es", "de"):
            assert client.get(address, headers={"accept-language": reader}).status_code == 200


@pytest.mark.parametrize(
    ("reader", "told"),
    [
        ("fr", "Règles en français"),
        ("en", "Rules in French"),
        ("es", "Reglas en francés"),
        ("de", "Spielregeln auf Französisch"),
    ],
)
def test_a_text_says_its_language_as_the_reader_writes_it(client: Client, reader: str, told: str) -> None:
    text = make_rules(make_game(), BODY, "fr")
    assert told in client.get(f"/rules/{text.pk}/", headers={"accept-language": reader}).content.decode()


def test_the_filter_writes_all_its_languages_alike(client: Client) -> None:
    for language in ("it", "nl", "de", "la"):
        make_rules(make_game(), BODY, language)
    html = client.get("/?q=", headers={"accept-language": "fr"}).content.decode()
    names = ("allemand", "italien", "latin", "néerlandais")
    places = [html.find(f">{name}</option>") for name in names]
    assert -1 not in places
    assert places == sorted(places)
