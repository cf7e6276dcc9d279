"""The start page and the answers: what a reader sees for a question, a title, filters, and nothing."""

import re

import pytest
from django.test import Client
from django.utils.formats import date_format
from pytest_django import DjangoAssertNumQueries

from catalogue.models import Category
from search import sync
from tests.make import make_copy, make_game, make_loan, make_rules
from tests.pages.library import HOSTILE, indexed_finca

pytestmark = pytest.mark.django_db


def read(client: Client, path: str, **query: str) -> str:
    answer = client.get(path, query, headers={"accept-language": "en"})
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_start_page_welcomes_with_questions_new_games_and_categories(client: Client) -> None:
    indexed_finca()
    html = read(client, "/")
    assert "What are we playing today?" in html
    assert "?q=What%20happens%20in%20case%20of%20a%20tie%3F" in html
    assert "Finca" in html
    assert "A 406 Jeu de stratégie" in html


def test_an_empty_library_says_how_games_come(client: Client) -> None:
    assert "The shelf is still empty" in read(client, "/")


def test_a_question_shows_the_passage_word_for_word_with_a_link_to_its_section(client: Client) -> None:
    game = indexed_finca()
    french = game.rules_texts.get(language="fr")
    html = read(client, "/", q="égalité fruits")
    assert f'href="/rules/{french.pk}/#egalite"' in html
    assert "<mark>" in html
    assert "CC0-1.0" in html
    assert "Fin de la partie" in html


def test_a_title_shows_the_game_with_its_facts_at_a_glance(client: Client) -> None:
    game = indexed_finca()
    html = read(client, "/", q="finca")
    assert f'href="/games/{game.pk}/"' in html
    for fact in ("2 to 4 players", "from 10 years", "45 min", "available now"):
        assert fact in html


def test_a_game_that_is_lent_says_when_it_is_back(client: Client) -> None:
    loan = make_loan(make_copy(make_game("Azul")))
    sync.rebuild()
    html = read(client, "/", q="azul")
    assert "available now</span>" not in html
    assert f"back on {date_format(loan.due_on)}" in html


def test_the_label_of_a_box_is_answered_by_its_game_and_the_rules_are_silent(client: Client) -> None:
    game = indexed_finca()
    make_copy(game, barcode="01877")
    html = read(client, "/", q="01877")
    assert "Finca" in html
    assert 'id="passages"' not in html
    assert "do not answer" not in html


def test_without_words_all_games_are_listed(client: Client) -> None:
    make_game("Azul")
    indexed_finca()
    html = read(client, "/", q="")
    assert "Azul" in html
    assert "Finca" in html


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"players": "3"}, True),
        ({"players": "5"}, False),
        ({"age": "12"}, True),
        ({"age": "6"}, False),
        ({"minutes": "60"}, True),
        ({"minutes": "30"}, False),
        ({"language": "es"}, True),
        ({"available": "on"}, True),
        ({"category": "a 406"}, True),
    ],
)
def test_filters_choose_games(client: Client, query: dict[str, str], found: bool) -> None:  # noqa: FBT001
    game = indexed_finca()
    assert (f'href="/games/{game.pk}/"' in read(client, "/", **query)) is found


def test_each_filter_that_is_set_can_be_taken_away_alone(client: Client) -> None:
    indexed_finca()
    html = read(client, "/", q="finca", players="3", available="on")
    assert "Players: 3" in html
    assert 'href="/?q=finca&amp;available=on"' in html
    assert 'href="/?q=finca&amp;players=3"' in html


def test_a_filter_that_cannot_be_read_is_named_and_the_question_is_kept(client: Client) -> None:
    game = indexed_finca()
    html = read(client, "/", q="finca", players="three")
    assert "A filter could not be read" in html
    assert f'href="/games/{game.pk}/"' in html


@pytest.mark.parametrize("name", ["players", "age", "minutes", "language", "category", "game", "page"])
@pytest.mark.parametrize("value", ["-1", "99999999999999999999999", "x", "\x00", "'", "٣"])
def test_nonsense_in_the_address_never_breaks_the_page(client: Client, name: str, value: str) -> None:
    make_game()
    read(client, "/", **{"q": "finca", name: value})


@pytest.mark.parametrize("text", ["\x00", "a" * 10_000, "*", '"', "title:(", "AND OR NOT", "‮abc", "?!…"])
def test_nonsense_in_the_question_never_breaks_the_page(client: Client, text: str) -> None:
    indexed_finca()
    read(client, "/", q=text)


def test_no_answer_is_said_and_next_steps_are_offered(client: Client) -> None:
    indexed_finca()
    html = read(client, "/", q="zzzqqq xylophone")
    assert "We would rather say so than guess" in html
    assert "look through all games" in html


def test_a_question_within_one_game_keeps_to_its_rules(client: Client) -> None:
    game = indexed_finca()
    html = read(client, "/", q="égalité", game=str(game.pk))
    assert "The rules of Finca" in html
    assert 'id="games"' not in html
    assert f'name="game" value="{game.pk}"' in html


def test_a_hostile_title_is_text(client: Client) -> None:
    make_copy(make_game(HOSTILE))
    sync.rebuild()
    for html in (read(client, "/"), read(client, "/", q=""), read(client, "/", q=HOSTILE)):
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert" in html


def test_games_are_shown_page_by_page(client: Client) -> None:
    for number in range(30):
        make_game(f"Game {number:02}")
    first, second = read(client, "/", q=""), read(client, "/", q="", page="2")
    assert "Game 00" in first
    assert "Game 29" not in first
    assert "Game 29" in second
    assert 'rel="next"' in first
    assert 'rel="prev"' in second


def test_the_start_page_takes_a_fixed_number_of_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(8):
        make_copy(make_game(f"Game {number}", categories=(f"A 40{number} x",)))
    with django_assert_max_num_queries(7):
        client.get("/")


def test_a_page_of_results_takes_a_fixed_number_of_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        make_copy(make_game(f"Game {number}", categories=("A 406 x",)))
    sync.rebuild()
    with django_assert_max_num_queries(30):
        client.get("/", {"q": "game", "players": "3"})


def test_categories_without_games_are_not_offered(client: Client) -> None:
    game = indexed_finca()
    game.categories.clear()
    assert Category.objects.exists()
    assert "By category" not in read(client, "/")


def test_where_several_games_may_be_meant_the_page_asks_which(client: Client) -> None:
    make_rules(make_game("Le Marché"), "## Égalité\nÀ égalité, on partage la victoire et les pommes.")
    make_rules(make_game("La Foire"), "## Égalité\nÀ égalité, on partage la victoire et les poires.")
    make_rules(make_game("Le Loto"), "## Tirage\nTirez un numéro.")
    sync.sync()
    page = read(client, "/", q="que faire à égalité")
    asked = page[page.index("Which game do you mean?") :]
    assert ">Le Marché</a></li>" in asked
    chosen = re.search(r'href="/(\?game=\d+&amp;q=[^"]+)">La Foire', asked)
    assert chosen
    within = read(client, "/" + chosen[1].replace("&amp;", "&"))
    assert "Which game do you mean?" not in within
    assert "poires" in within
