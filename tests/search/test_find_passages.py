"""Questions find the passage that answers them, in the asker's language first, and the right game."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from catalogue import records
from catalogue.models import Game, Keyword
from search import candidates, sync
from search.find import PassageResults, find_passages
from search.marking import mark_words
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db

FR = """## Mise en place
Placez le verger au milieu de la table. Chaque joueur reçoit des paniers :
- 2 joueurs : cinq paniers chacun
- 3 joueurs : quatre paniers chacun
- 4 joueurs : trois paniers chacun

## Cueillir
À votre tour, avancez votre écureuil d'autant de branches qu'il y a de paniers près de lui.
Vous prenez ensuite une noisette par panier posé à cet endroit, puis c'est au voisin de gauche.

## Quand les noisettes sont épuisées
S'il ne reste plus assez de noisettes dans la réserve, tout le monde rend les siennes.
Servez-vous ensuite, comme d'habitude, et la partie continue.

## Fin de la partie
La partie s'arrête quand le dernier panier est plein.
Le plus grand total gagne ; à égalité, on compare les glands qui restent.
"""
ES = """## Preparación
Colocad el huerto en medio de la mesa. Cada persona toma cestas según cuántas seáis: con dos jugadores, cinco.

## Cuando se agotan las avellanas
Si la reserva no tiene bastantes avellanas, todos devuelven las suyas. Después coge las que te tocan.

## Final
La partida acaba cuando la última cesta está llena. Gana quien tenga el total más alto.
"""
OTHER_GAME = """## Mise en place
Chaque joueur reçoit sept cartes et trois jetons. Les autres cartes forment la pioche, au milieu de la table.

## Quand la pioche est épuisée
Mélangez la défausse : elle devient la nouvelle pioche. La sieste dure jusqu'au prochain tour.
"""


@pytest.fixture
def orchard() -> Game:
    game = make_game("Le Verger des Écureuils", alternative_titles=("Squirrel Orchard",), players_min=2)
    make_rules(game, FR, edition="Deuxième édition", licence="CC0-1.0", source_name="Ludothèque")
    make_rules(game, ES, language="es")
    make_rules(make_game("Perchoir"), OTHER_GAME)
    make_game(
        "Compte Moutons",
        categories=("A 409 jeu mathématique (jeu de règles)",),
        age_min_months=60,
        keywords=("calcul",),
    )
    sync.sync()
    return game


def ask(text: str, reader: str = "fr", **named: Any) -> PassageResults:
    return find_passages(text, reader_language=reader, **named)


def first(text: str, reader: str = "fr", **named: Any) -> tuple[str, str]:
    hits = ask(text, reader, **named).hits
    return (hits[0].language, hits[0].anchor) if hits else ("", "")


@pytest.mark.parametrize(
    "text",
    [
        "que se passe-t-il quand il n'y a plus de noisettes",
        "QUE SE PASSE-T-IL QUAND IL N'Y A PLUS DE NOISETTES ?",
        "que se passe-t-il quand il n’y a plus de noisettes",
        "noisette epuisee",
        "les noisetes sont épuisées",
        "plus de nosiettes",
    ],
)
def test_accents_case_apostrophes_plurals_and_typos_do_not_matter(orchard: Game, text: str) -> None:
    assert first(text) == ("fr", "quand-les-noisettes-sont-epuisees")


def test_the_passage_is_verbatim_with_its_text_and_place(orchard: Game) -> None:
    hit = ask("noisettes épuisées").hits[0]
    assert hit.body.split() == FR.split()[FR.split().index("Quand") - 1 :]
    assert (hit.game_id, hit.game_title) == (orchard.pk, "Le Verger des Écureuils")
    assert hit.path == ("Quand les noisettes sont épuisées",)
    assert (hit.edition, hit.licence, hit.source_name, hit.revision) == (
        "Deuxième édition",
        "CC0-1.0",
        "Ludothèque",
        1,
    )
    assert hit.revised_at is not None


def test_matched_words_are_marked_in_safe_html(orchard: Game) -> None:
    html = ask("noisette reserve").hits[0].html
    assert "<mark>noisettes</mark>" in html
    assert "<mark>réserve</mark>" in html


def test_rules_cannot_bring_markup_along() -> None:
    make_rules(make_game("Ruse"), "## Piège\nLe <script>alert(1)</script> piège & le loup <b>gras</b>.")
    sync.sync()
    html = ask("piège loup").hits[0].html
    assert "<script" not in html
    assert "<mark>piège</mark>" in html


def test_each_language_is_answered_in_its_own_text(orchard: Game) -> None:
    assert first("qué pasa cuando se acaban las avellanas", "es") == ("es", "cuando-se-agotan-las-avellanas")
    assert first("plus de noisettes", "fr")[0] == "fr"


def test_a_question_in_a_language_without_text_is_answered_in_the_nearest(orchard: Game) -> None:
    results = ask("what happens when the supply of hazelnuts runs out in squirrel orchard", "en")
    assert results.hits[0].anchor in ("quand-les-noisettes-sont-epuisees", "cuando-se-agotan-las-avellanas")
    assert results.language == "en"


def test_the_language_filter_lets_only_that_language_through(orchard: Game) -> None:
    assert {h.language for h in ask("fin de la partida", language="es").hits} == {"es"}
    assert ask("noisettes", language="xx").hits == ()


def test_the_game_named_in_the_question_wins(orchard: Game) -> None:
    results = ask("perchoir mise en place")
    assert {h.game_title for h in results.hits} == {"Perchoir"}


@pytest.mark.parametrize(
    "name", ["verger des écureuils", "le verger des ecureuils", "verger des ecuriuels", "squirrel orchard"]
)
def test_a_game_is_known_by_any_title_without_article_and_with_a_typo(orchard: Game, name: str) -> None:
    results = ask(f"{name} mise en place")
    assert results.games == (orchard.pk,)
    assert results.hits[0].anchor == "mise-en-place"


def test_a_game_given_by_the_page_is_the_only_one_searched(orchard: Game) -> None:
    assert {h.game_id for h in ask("mise en place", game_id=orchard.pk).hits} == {orchard.pk}


def test_the_title_alone_shows_the_record(orchard: Game) -> None:
    hit = ask("Le Verger des Écureuils").hits[0]
    assert (hit.kind, hit.text_id, hit.anchor) == ("record", None, "")


def test_a_field_question_is_answered_by_the_record(orchard: Game) -> None:
    for text in ("jeu mathematique pour 5 ans", "jeu de calcul moutons"):
        hit = ask(text).hits[0]
        assert (hit.game_title, hit.kind) == ("Compte Moutons", "record")
        assert "A 409 jeu mathématique (jeu de règles)" in hit.body


def test_a_record_says_what_it_says_now_in_the_readers_language_whoever_asked_before(orchard: Game) -> None:
    def record(reader: str) -> str:
        hits = ask("jeu de calcul moutons", reader).hits
        return next((h.body for h in hits if h.kind == "record"), "")

    assert "Mot-clé: calcul" in record("fr")
    assert "Keyword: calcul" in record("en")
    records.rename(Keyword.objects.get(name="calcul"), "arithmétique")
    assert "Mot-clé: arithmétique" in record("fr")
    game = Game.objects.get(title="Compte Moutons")
    records.update_game(game, replace(records.describe(game), title="Compter les moutons"))
    assert ask("compter les moutons").hits[0].game_title == "Compter les moutons"
    records.delete_game(game)
    assert not record("fr")


def test_what_a_record_says_is_told_anew_only_after_a_change(
    orchard: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    candidates.records([orchard.pk])
    with django_assert_num_queries(1):
        candidates.records([orchard.pk])


def test_the_number_of_players_is_found_beside_its_word(orchard: Game) -> None:
    assert first("combien de paniers à 2 joueurs") == ("fr", "mise-en-place")
    assert first("combien de paniers si nous sommes trois") == ("fr", "mise-en-place")


def test_what_was_repaired_is_said(orchard: Game) -> None:
    assert ask("les nosiettes épuisées").corrected == "les noisettes épuisées"
    assert ask("les noisettes épuisées").corrected == ""


def test_numbers_are_never_repaired(orchard: Game) -> None:
    assert ask("noisettes 17").corrected == ""


def test_where_the_texts_hold_no_answer_it_is_said(orchard: Game) -> None:
    assert ask("peut-on jouer au poker avec un dragon volant").no_answer
    assert not ask("noisettes épuisées").no_answer


def test_a_phrase_must_stand_as_it_is_and_an_excluded_word_must_not(orchard: Game) -> None:
    assert [h.anchor for h in ask('"dernier panier"').hits] == ["fin-de-la-partie"]
    assert ask('"panier dernier"').hits == ()
    assert "cueillir" not in {h.anchor for h in ask("noisettes -écureuil").hits}


def test_the_same_passage_in_two_editions_is_shown_once() -> None:
    game = make_game("Doublon")
    for edition in ("première", "seconde"):
        make_rules(game, "## Piège\nLe renard vole une poule à son voisin de droite.", edition=edition)
    sync.sync()
    assert len([h for h in ask("renard poule").hits if h.kind != "record"]) == 1


def test_nothing_typed_finds_nothing_and_claims_nothing(orchard: Game) -> None:
    for text in ("", "?!", "\x00", "   "):
        assert ask(text) == PassageResults()


def test_a_library_without_rules_answers_too() -> None:
    sync.sync()
    assert ask("noisettes").no_answer


def test_hits_are_limited(orchard: Game) -> None:
    assert len(ask("joueur partie noisettes cartes", limit=2).hits) == 2


@pytest.mark.parametrize(
    "text",
    ["a" * 10_000, "mot " * 2_500, "(((", "a AND", "שלום עולם", "e\u0301\u0301\u0301", "五目並べ", "\ud800"],
)
def test_hostile_input_gets_a_sane_answer(orchard: Game, text: str) -> None:
    ask(text)


@hypothesis_settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(max_size=120), reader=st.sampled_from(["fr", "es", "xx", "", "zh-Hant"]))
def test_searching_never_fails(orchard: Game, text: str, reader: str) -> None:
    ask(text, reader)


@pytest.mark.parametrize(
    ("text", "language"),
    [("wie viele noisettes", "de"), ("what does the squirrel do", "en"), ("cuando acaba la partida", "es")],
)
def test_the_language_of_a_question_is_told_by_its_words(orchard: Game, text: str, language: str) -> None:
    results = ask(text)
    assert results.language == language
    assert results.corrected == ""


def test_terms_of_several_words_are_marked_only_whole_and_little_words_never_alone() -> None:
    marked = mark_words("It is too small, and you too.", {"too small", "you"}, "en")
    assert marked == "It is <mark>too</mark> <mark>small</mark>, and you too."


def test_passages_in_other_languages_stand_behind_those_in_the_askers(orchard: Game) -> None:
    languages = [h.language for h in ask("noisettes épuisées", game_id=orchard.pk).hits if h.language]
    assert languages == sorted(languages, key=lambda language: language != "fr")
