"""Reading rules: the text with its contents, older versions, the history, and what changed."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue.models import RulesText
from tests.make import make_game, make_rules
from tests.pages.library import HOSTILE, finca, three_versions

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def read(client: Client, text: RulesText, rest: str = "") -> str:
    answer = client.get(f"/rules/{text.pk}/{rest}", headers=ENGLISH)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_text_has_contents_that_lead_to_its_sections(client: Client) -> None:
    html = read(client, finca().rules_texts.get(language="fr"))
    assert 'href="#fin-de-la-partie"' in html
    assert 'id="fin-de-la-partie"' in html
    assert "celui qui garde le plus de fruits" in html
    assert html.count("<h1") == 1


def test_a_text_says_its_language_source_and_licence(client: Client) -> None:
    html = read(client, finca().rules_texts.get(language="fr"))
    assert '<article class="prose rules-text" lang="fr">' in html
    assert "CC0-1.0" in html
    assert "as of" in html


def test_the_other_languages_are_one_tap_away(client: Client) -> None:
    game = finca()
    spanish = game.rules_texts.get(language="es")
    assert f'href="/rules/{spanish.pk}/" hreflang="es"' in read(client, game.rules_texts.get(language="fr"))


def test_a_question_asked_on_the_page_stays_in_this_game_and_language(client: Client) -> None:
    game = finca()
    html = read(client, game.rules_texts.get(language="es"))
    assert f'name="game" value="{game.pk}"' in html
    assert 'name="language" value="es"' in html


def test_an_older_version_says_so_and_leads_to_the_current_one(client: Client) -> None:
    text = three_versions()
    html = read(client, text, "revisions/2/")
    assert "You are reading an older version of this text" in html
    assert f'href="/rules/{text.pk}/"' in html
    assert "Piochez trois cartes." in html


def test_the_current_version_carries_no_warning(client: Client) -> None:
    text = three_versions()
    current = text.current
    assert current is not None
    assert "older version" not in read(client, text, f"revisions/{current.number}/")


def test_the_history_lists_versions_with_comments_latest_first(client: Client) -> None:
    html = read(client, three_versions(), "history/")
    assert "compté dans la boîte" in html
    assert "May 1, 2030" in html
    assert html.index("/revisions/3/") < html.index("/revisions/2/")
    assert "<script>alert" not in html


def test_a_difference_marks_added_and_removed_words(client: Client) -> None:
    html = read(client, three_versions(), "diff/?from=1&to=2")
    assert "<del>deux</del>" in html
    assert "<ins>trois</ins>" in html


def test_without_numbers_the_last_two_versions_are_compared(client: Client) -> None:
    html = read(client, three_versions(), "diff/")
    assert "<ins>## Fin</ins>" in html
    assert "Version 2" in html
    assert "Version 3" in html


def test_the_same_version_twice_says_that_nothing_changed(client: Client) -> None:
    assert "The two versions say the same." in read(client, three_versions(), "diff/?from=2&to=2")


@pytest.mark.parametrize(
    "numbers", ["from=9&to=1", "from=1&to=99999999999999999999", "from=x", "to=-1", "from=1%00"]
)
def test_a_version_that_does_not_exist_is_not_found(client: Client, numbers: str) -> None:
    assert client.get(f"/rules/{three_versions().pk}/diff/?{numbers}").status_code == 404


@pytest.mark.parametrize("path", ["", "history/", "diff/", "revisions/1/"])
def test_an_unknown_text_is_not_found(client: Client, path: str) -> None:
    assert client.get(f"/rules/4711/{path}").status_code == 404


def test_an_unknown_version_is_not_found(client: Client) -> None:
    assert client.get(f"/rules/{three_versions().pk}/revisions/9/").status_code == 404


def test_nothing_in_a_text_is_ever_run(client: Client) -> None:
    text = make_rules(make_game(HOSTILE), f"## {HOSTILE}\n{HOSTILE}\n[x](javascript:alert(1))")
    for rest in ("", "history/", "diff/"):
        html = read(client, text, rest)
        assert "<script>alert" not in html
        assert 'href="javascript:' not in html


def test_reading_takes_a_fixed_number_of_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    text = three_versions()
    for path, most in (("", 4), ("history/", 2), ("diff/", 4), ("revisions/1/", 4)):
        with django_assert_max_num_queries(most):
            client.get(f"/rules/{text.pk}/{path}")
