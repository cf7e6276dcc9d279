"""The record page: what a stranger sees of a game, and what only the staff sees."""

import re

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalogue import records
from catalogue.imports.sniff import Format
from catalogue.models import Game, SourceRecord
from search.record import FORMATS
from tests.make import make_copy, make_game, make_loan, make_rules, make_user
from tests.pages.library import HOSTILE, finca

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def read(client: Client, game: Game) -> str:
    answer = client.get(f"/games/{game.pk}/", headers=ENGLISH)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_record_shows_all_that_the_catalogue_says(client: Client) -> None:
    html = read(client, finca())
    said = ["Les vergers de Majorque", "Ralf zur Linde", "illustrator", "Filosofia", "(Vaudreuil-Dorion)"]
    said += [
        "A 406 Jeu de stratégie",
        "fruits",
        "2 to 4 players",
        "from 10 years",
        "45 min",
        "On fait tourner",
    ]
    said += ["108", "fruits en bois", "Rules in French", "Rules in Spanish", "not given"]
    assert [words for words in said if words not in html] == []


def test_each_kind_of_source_is_named_once_with_its_last_day(client: Client) -> None:
    game = finca()
    for number, day in enumerate(("2030-05-01", "2030-06-02", "2030-05-03")):
        source = SourceRecord.objects.create(key=f"rules:{number}", game=game, format="rules")
        SourceRecord.objects.filter(pk=source.pk).update(imported_at=f"{day}T12:00Z")
    source = SourceRecord.objects.create(key="pmb:1", game=game, format="pmb")
    SourceRecord.objects.filter(pk=source.pk).update(imported_at="2030-01-04T12:00Z")
    told = re.findall(r"<div>([^<]+), imported ([^<]+)</div>", read(client, game))
    assert told == [("rules file", "2 June 2030"), ("PMB page", "4 January 2030")]


@pytest.mark.parametrize("format", Format)
def test_every_format_that_is_imported_has_a_name(format: Format) -> None:
    assert format.value in FORMATS


def test_a_code_without_its_check_digit_is_shown_as_printed_with_a_note(client: Client) -> None:
    html = read(client, finca())
    assert "68862310192" in html
    assert "as printed; without a check digit" in html


def test_copies_say_where_they_are_and_withdrawn_ones_are_left_out(client: Client) -> None:
    html = read(client, finca())
    assert "on the shelf" in html
    assert "in repair" in html
    assert "04127" in html
    assert "04129" not in html


def test_a_lent_copy_says_when_it_is_due_but_not_who_has_it(client: Client) -> None:
    game = make_game()
    loan = make_loan(make_copy(game))
    html = read(client, game)
    assert "on loan" in html
    assert "due back" in html
    assert loan.borrower.last_name not in html


def test_rules_in_the_readers_language_come_first(client: Client) -> None:
    game = make_game()
    make_rules(game, "## Fin\nFini.", "fr")
    make_rules(game, "## Ende\nAus.", "de")
    html = client.get(f"/games/{game.pk}/", headers={"accept-language": "fr"}).content.decode()
    french, german = (html.index(f"/rules/{t.pk}/") for t in game.rules_texts.order_by("-language"))
    assert french < german


def test_a_stranger_sees_neither_doubts_nor_the_edit_button(client: Client) -> None:
    game = finca()
    records.raise_flag(game, "identifier_check", "68862310192")
    html = read(client, game)
    assert "To be checked" not in html
    assert "/catalogue/" not in html


def test_a_librarian_sees_doubts_and_the_edit_button(client: Client) -> None:
    game = finca()
    records.raise_flag(game, "identifier_check", "68862310192")
    client.force_login(make_user("librarian"))
    html = read(client, game)
    assert "To be checked" in html
    assert f"/catalogue/games/{game.pk}/" in html


def test_a_bare_title_makes_a_whole_page(client: Client) -> None:
    html = read(client, make_game("Perch"))
    assert "The library has no copy of this game." in html
    assert "no rules text of this game yet" in html


def test_hostile_values_are_text(client: Client) -> None:
    game = make_game(
        HOSTILE, principle=HOSTILE, contents=f"1 {HOSTILE}", keywords=(HOSTILE,), edition=HOSTILE
    )
    make_rules(game, "## x\ny", title=HOSTILE, source_name=HOSTILE, source_url="javascript:alert(1)")
    html = read(client, game)
    assert "<script>alert" not in html
    assert "javascript:" not in html


def test_an_unknown_game_is_not_found(client: Client) -> None:
    answer = client.get("/games/4711/", headers=ENGLISH)
    assert answer.status_code == 404
    assert "This page is not on our shelf" in answer.content.decode()


def test_the_record_takes_a_fixed_number_of_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    game = finca()
    for number in range(10):
        make_copy(game, f"7000{number}")
        make_rules(game, f"## {number}\nx", "it")
    with django_assert_max_num_queries(17):
        client.get(f"/games/{game.pk}/")
