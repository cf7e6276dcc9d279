"""Games are found by everything on their record, however it is typed, and by what is scanned."""

import pytest

from catalogue.draft import ContributorDraft, PublicationDraft
from catalogue.models import Game
from search import sync
from search.find import GameFilters, GameResults, find_games
from tests.make import make_copy, make_game

pytestmark = pytest.mark.django_db


@pytest.fixture
def shelf() -> list[Game]:
    games = [
        make_game(
            "Ding-dong ! L'Île aux Œufs",
            alternative_titles=("Egg Island",),
            contributors=(ContributorDraft("Clémence Hüber", "070"),),
            publications=(PublicationDraft("Éditions du Hérisson", "Namur"),),
            categories=("A 406 Jeu de stratégie",),
            keywords=("épices",),
            identifiers=("12345678901", "3760001234568"),
            languages=("fr", "en"),
            players_min=2,
            players_max=4,
            age_min_months=96,
            minutes_max=45,
            principle="On ramasse des coquillages avant la marée.",
        ),
        make_game("Boum/ Boum/", players_min=3, players_max=8, age_min_months=36, minutes_max=10),
        make_game("+6", categories=("A 407 jeu de hasard",), age_min_months=30),
        make_game("Qui est-là ?", languages=("nl",)),
    ]
    make_copy(games[0], "00123")
    make_copy(games[1], "acc10000034595")
    sync.sync()
    return games


def found(text: str, filters: GameFilters | None = None) -> list[str]:
    return [g.title for g in find_games(text, filters or GameFilters()).games]


@pytest.mark.parametrize(
    "text",
    [
        "ile aux oeufs",
        "L’île aux œufs",
        "ILE OEUF",
        "dingdong",
        "Ding-dong",
        "ding dong",
        "egg island",
        "huber",
        "clemence hüber",
        "hérissons",
        "namur",
        "strategie",
        "A 406",
        "A406",
        "epice",
        "coquillage",
        "coquilages",
        "eggs",
        "islnad",
    ],
)
def test_everything_on_the_record_finds_it(shelf: list[Game], text: str) -> None:
    assert found(text)[0] == "Ding-dong ! L'Île aux Œufs"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("boum boum", "Boum/ Boum/"),
        ("+6", "+6"),
        ("6", "+6"),
        ("qui est là", "Qui est-là ?"),
        ("bou", "Boum/ Boum/"),
    ],
)
def test_odd_titles_are_found(shelf: list[Game], text: str, title: str) -> None:
    assert found(text)[0] == title


@pytest.mark.parametrize(
    "code",
    ["00123", "123", " 00123 ", "*00123*", "12345678901", "123456789012", "0123456789012", "3760001234568"],
)
def test_a_scanned_code_finds_its_game(shelf: list[Game], code: str) -> None:
    assert found(code) == ["Ding-dong ! L'Île aux Œufs"]


@pytest.mark.parametrize("code", ["ACC10000034595", "acc10000034595", "Acc10000034595"])
def test_a_label_with_letters_is_found_in_any_case(shelf: list[Game], code: str) -> None:
    assert found(code) == ["Boum/ Boum/"]


@pytest.mark.parametrize(
    ("filters", "titles"),
    [
        (GameFilters(players=6), ["Boum/ Boum/"]),
        (GameFilters(players=3), ["Boum/ Boum/", "Ding-dong ! L'Île aux Œufs"]),
        (GameFilters(age_years=3), ["+6", "Boum/ Boum/"]),
        (GameFilters(minutes=30), ["Boum/ Boum/"]),
        (GameFilters(language="nl"), ["Qui est-là ?"]),
        (GameFilters(language="fr-BE"), ["Ding-dong ! L'Île aux Œufs"]),
        (GameFilters(category="A407"), ["+6"]),
        (GameFilters(category="Jeu de hasard"), ["+6"]),
        (GameFilters(available=True), ["Boum/ Boum/", "Ding-dong ! L'Île aux Œufs"]),
        (GameFilters(available=True, players=2), ["Ding-dong ! L'Île aux Œufs"]),
    ],
)
def test_filters(shelf: list[Game], filters: GameFilters, titles: list[str]) -> None:
    assert sorted(found("", filters)) == sorted(titles)


def test_words_and_filters_go_together(shelf: list[Game]) -> None:
    assert found("boum", GameFilters(players=2)) == []
    assert found("boum", GameFilters(players=5)) == ["Boum/ Boum/"]


def test_without_words_all_games_stand_in_the_order_of_their_titles(shelf: list[Game]) -> None:
    assert found("") == ["+6", "Boum/ Boum/", "Ding-dong ! L'Île aux Œufs", "Qui est-là ?"]


def test_pages(shelf: list[Game]) -> None:
    page = find_games("", GameFilters(), limit=2, offset=1)
    assert ([g.title for g in page.games], page.total) == (["Boum/ Boum/", "Ding-dong ! L'Île aux Œufs"], 4)


def test_a_whole_title_comes_before_longer_ones_and_mentions() -> None:
    make_game("Loup et Loup", principle="loup loup loup")
    make_game("Petit Loup", alternative_titles=("Loup garou",))
    make_game("Loup")
    sync.sync()
    assert found("loup")[0] == "Loup"


def test_an_excluded_word_leaves_games_out(shelf: list[Game]) -> None:
    assert found("jeu -hasard") == ["Ding-dong ! L'Île aux Œufs"]


def test_what_was_repaired_is_said(shelf: list[Game]) -> None:
    assert find_games("coquilages", GameFilters()).corrected == "coquillages"


@pytest.mark.parametrize("text", ["zzzzzz", "?", "***", "\x00", "(((", "a" * 10_000, "AND OR"])
def test_what_is_nowhere_finds_nothing(shelf: list[Game], text: str) -> None:
    assert find_games(text, GameFilters()) == GameResults()
