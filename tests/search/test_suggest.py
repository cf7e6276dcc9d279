"""What is suggested while somebody types, and in which order."""

import pytest
from django.test import Client

from catalogue import records
from catalogue.draft import RevisionDraft
from search import sync
from search.suggest import Kind, Suggestion, suggestions
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db


def texts(typed: str, kind: Kind, **asked: object) -> list[str]:
    """The words of the suggestions of one kind, for a French reader."""
    return [s.text for s in found(typed, **asked) if s.kind is kind]


def found(typed: str, **asked: object) -> tuple[Suggestion, ...]:
    asked = {"reader_language": "fr"} | asked
    return suggestions(typed, **asked)  # type: ignore[arg-type]


def test_one_letter_suggests_nothing_two_do() -> None:
    make_game("Finca")
    sync.rebuild()
    assert found("f") == ()
    assert texts("fi", Kind.GAME) == ["Finca"]


@pytest.mark.parametrize(
    "typed", ["ile", "l'île", "ÎLE", "inter", "la ile", "INTERD", "ile inter", "intredi"]
)
def test_a_title_is_found_by_any_of_its_words_without_article_or_accents(typed: str) -> None:
    make_game("L’île interdite")
    sync.rebuild()
    assert texts(typed, Kind.GAME) == ["L’île interdite"]


def test_an_alternative_title_suggests_the_game_and_says_so() -> None:
    make_game("Clans de Calédonie", alternative_titles=("Clans of Caledonia",))
    sync.rebuild()
    game = next(s for s in found("clans of") if s.kind is Kind.GAME)
    assert (game.text, game.beside) == ("Clans de Calédonie", "Clans of Caledonia")
    assert texts("clans", Kind.GAME) == ["Clans de Calédonie"]


def test_what_begins_as_typed_stands_before_what_only_contains_it() -> None:
    make_game("Grand Finale")
    make_game("Finca")
    sync.rebuild()
    assert texts("fin", Kind.GAME) == ["Finca", "Grand Finale"]


def test_a_heading_of_one_game_leads_to_its_place_one_of_several_asks_all() -> None:
    finca, azul = make_game("Finca"), make_game("Azul")
    text = make_rules(finca, "## Fin de la partie\nDernière maison.\n\n## Figues\nSix figues.")
    make_rules(azul, "## Fin de la partie\nLigne pleine.")
    sync.rebuild()
    shared, own = (next(s for s in found(t) if s.kind is Kind.HEADING) for t in ("fin de", "figues"))
    assert (shared.text, shared.game_id, shared.text_id) == ("Fin de la partie", None, None)
    assert (own.game_id, own.text_id, own.anchor, own.beside) == (finca.pk, text.pk, "figues", "Finca")


def test_a_title_typed_whole_narrows_the_headings_to_its_game() -> None:
    for title in ("Finca", "Azul"):
        make_rules(make_game(title), "## Fin de la partie\nUne ligne.")
    sync.rebuild()
    first = next(s for s in found("azul fin") if s.kind is Kind.HEADING)
    assert (first.text, first.beside, first.anchor) == ("Fin de la partie", "Azul", "fin-de-la-partie")


def test_within_a_game_its_headings_come_in_the_readers_language_first() -> None:
    finca, azul = make_game("Finca"), make_game("Azul")
    make_rules(finca, "## Final\nDone.", "es")
    make_rules(finca, "## Fin\nFini.", "fr")
    make_rules(azul, "## Fin\nFini.", "fr")
    sync.rebuild()
    assert texts("fin", Kind.HEADING, game_id=finca.pk) == ["Fin", "Final"]
    assert texts("fin", Kind.HEADING, game_id=finca.pk, reader_language="es") == ["Final", "Fin"]
    assert texts("fin", Kind.GAME, game_id=finca.pk) == []


def test_headings_in_another_language_come_only_where_the_readers_has_none() -> None:
    make_rules(make_game("Finca"), "## Figues\nSix.", "fr")
    make_rules(make_game("Azul"), "## Figs\nSix.\n\n## Figures\nTwo.", "en")
    sync.rebuild()
    assert texts("fig", Kind.HEADING) == ["Figues"]
    assert texts("figs", Kind.HEADING) == ["Figs"]


def test_terms_are_in_the_readers_language() -> None:
    make_rules(make_game(), "## Tour\nPrenez une carte de la pioche.")
    sync.rebuild()
    assert "pioche" in texts("pio", Kind.TERM)
    assert "pioche" not in texts("pio", Kind.TERM, reader_language="de")


def test_no_term_is_offered_of_which_no_text_speaks() -> None:
    make_rules(make_game(), "## Tour\nPrenez une carte de la pioche.")
    sync.rebuild()
    assert texts("poup", Kind.TERM) == []


def test_a_changed_text_changes_the_suggestions() -> None:
    text = make_rules(make_game(), "## Figues\nSix.")
    sync.rebuild()
    assert texts("figues", Kind.HEADING) == ["Figues"]
    records.add_revisions(text, [RevisionDraft(body="## Olives\nSix.")])
    sync.sync()
    assert texts("figues", Kind.HEADING) == []
    assert texts("oliv", Kind.HEADING) == ["Olives"]


def test_there_is_room_for_each_kind_and_no_more_than_asked_for() -> None:
    for number in range(12):
        make_rules(
            make_game(f"Pion {number}"),
            f"## Pion numéro {number}\nLe pion premier joueur prend un pion marqueur.",
        )
    sync.rebuild()
    assert [s.kind for s in found("pion")] == [Kind.GAME] * 4 + [Kind.HEADING] * 4 + [Kind.TERM] * 2
    assert len(found("pion", limit=3)) == 3
    assert len(texts("pion num", Kind.HEADING)) == 10


@pytest.mark.parametrize(
    "typed", ["", " ", "\x00\x00", "?!", "a" * 10_000, "le " * 500, "‮שלום", "\uffff\uffff"]
)
def test_nonsense_suggests_nothing_and_never_fails(typed: str) -> None:
    make_game("Finca")
    sync.rebuild()
    assert texts(typed, Kind.GAME) == []


def test_without_an_index_nothing_is_suggested() -> None:
    make_game("Finca")
    assert found("finca") == ()


def test_the_interface_for_programs_gives_the_same(client: Client) -> None:
    game = make_game("Finca")
    sync.rebuild()
    answer = client.get("/api/suggestions/", {"q": "fin", "reader": "fr", "limit": "1"}).json()
    assert answer["suggestions"] == [
        {
            "kind": "game",
            "text": "Finca",
            "language": "",
            "beside": "",
            "game_id": game.pk,
            "text_id": None,
            "anchor": "",
        }
    ]
    assert set(client.get("/api/suggestions/", {"q": "fin", "limit": "0"}).json()) == {"limit"}


@pytest.mark.parametrize("game", ["-1", "x", "٣", "9" * 30, ""])
def test_a_game_that_is_none_never_breaks_the_page(client: Client, game: str) -> None:
    make_game("Finca")
    sync.rebuild()
    assert client.get("/suggestions/", {"q": "fin", "game": game}).status_code == 200
