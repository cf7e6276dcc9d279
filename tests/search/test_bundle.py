"""The file of one game's rules: whole, safe, without a single request, and with the words to search it by."""

import json
import re

import pytest
from django.test import Client

from catalogue import records
from catalogue.draft import RevisionDraft
from search import bundle
from tests.make import make_game, make_rules
from tests.pages.library import HOSTILE, finca

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def read(client: Client, pk: int, **headers: str) -> str:
    answer = client.get(f"/games/{pk}/rules.html", headers=ENGLISH | headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_file_holds_every_text_of_the_game_word_for_word(client: Client) -> None:
    html = read(client, finca().pk)
    assert "celui qui garde le plus de fruits" in html
    assert "cuando se coloca la última casa de madera" in html
    assert html.count("<h1") == 1


def test_the_readers_own_language_comes_first(client: Client) -> None:
    game = finca()
    spanish = read(client, game.pk, **{"accept-language": "es"})
    assert spanish.index('lang="es" data-text') < spanish.index('lang="fr" data-text')
    assert '<html lang="es">' in spanish


def test_headings_of_several_texts_have_anchors_of_their_own(client: Client) -> None:
    game = make_game()
    texts = [make_rules(game, "## Fin\n\nVoir [la fin](#fin).", language) for language in ("fr", "fr-CA")]
    html = read(client, game.pk)
    for text in texts:
        assert f'id="t{text.pk}-fin"' in html
        assert html.count(f'href="#t{text.pk}-fin"') == 3  # pinned, among the contents, in the text
    ids = re.findall(r' id="([^"]+)"', html)
    assert sorted(ids) == sorted(set(ids))


def test_the_file_asks_for_nothing_and_says_so_to_the_browser(client: Client) -> None:
    html = read(client, finca().pk)
    assert (
        re.findall(
            r"(?:src|srcset|poster)=|<link|@import|url\(|fetch\(|XMLHttpRequest|<form[^>]*action", html
        )
        == []
    )
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)
    assert policy is not None
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert "unsafe" not in policy[1]


def test_words_of_a_text_never_become_a_script(client: Client) -> None:
    game = make_game(HOSTILE)
    make_rules(game, f'## {HOSTILE}\n\n{HOSTILE} </script> id="x"', title=HOSTILE)
    html = read(client, game.pk)
    assert "<script>alert" not in html
    assert html.count("</script>") == 2
    assert 'id="x"' in html.replace("&quot;", '"')


def test_a_superseded_text_is_not_in_the_file(client: Client) -> None:
    game = make_game()
    text = make_rules(game, "## Fin\n\nAprès quatre tours.")
    records.add_revisions(text, [RevisionDraft("## Fin\n\nAprès six tours.")])
    html = read(client, game.pk)
    assert "six tours" in html
    assert "quatre tours" not in html


def test_the_file_is_not_made_again_for_who_has_it(client: Client) -> None:
    game = finca()
    etag = client.get(f"/games/{game.pk}/rules.html", headers=ENGLISH)["ETag"]
    again = client.get(f"/games/{game.pk}/rules.html", headers=ENGLISH | {"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    records.add_revisions(game.rules_texts.get(language="fr"), [RevisionDraft("## Fin\n\nNouvelle.")])
    changed = client.get(f"/games/{game.pk}/rules.html", headers=ENGLISH | {"if-none-match": etag})
    assert changed.status_code == 200


def test_a_game_without_rules_says_so(client: Client) -> None:
    assert "no rules text of this game yet" in read(client, make_game().pk)
    assert client.get("/games/4711/rules.html").status_code == 404


def test_forms_of_one_word_are_one_family(client: Client) -> None:
    game = make_game()
    make_rules(game, "## Figues\n\nUne figue, des figues, deux dés.")
    words = bundle.search_words(bundle.texts(game, "fr"))
    assert "figue figues" in words["families"]["fr"]
    assert "2 deux" in words["families"]["fr"]


def test_a_concept_has_its_phrases_in_all_languages() -> None:
    game = make_game()
    make_rules(game, "## Fin de la partie\n\nAprès six tours.")
    words = bundle.search_words(bundle.texts(game, "fr"))
    french, german = words["phrases"]["fr"]["fin de la partie"], words["phrases"]["de"]["spielende"]
    assert set(french) & set(german)


def test_the_file_stays_small() -> None:
    game = make_game()
    for language in ("fr", "en", "es", "de", "it", "nl"):
        body = "\n\n".join(
            f"## Partie {n}\n\n{' '.join(f'mot{n}x{i}' for i in range(330))}" for n in range(10)
        )
        make_rules(game, body, language)
    texts = bundle.texts(game, "fr")
    whole = bundle.html(game, texts, address="")
    shown = sum(len(text.html.encode()) for text in texts)
    assert len(whole.encode()) - shown < 60_000
    assert json.dumps(bundle.search_words(texts))
