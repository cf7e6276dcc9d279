"""Meaning beyond words: passages without a common word are found, and words keep the last say."""

import shutil
from pathlib import Path

import numpy
import pytest
from pytest_django.fixtures import Settings

from catalogue import records
from catalogue.draft import RevisionDraft
from search import semantic, sync
from search.checks import check_sentence_model
from search.find import find_passages
from search.ranking import Match
from search.vectors import MOST_FILES, Vectors, key
from tests.make import make_game, make_rules
from tests.search import sentence_model
from tests.search.sentence_model import Meanings

RULES = """## Le chêne

Chaque hibou dort sur une branche, et personne ne le dérange avant la nuit. Celui qui le réveille trop tôt
rend deux cartes de sa main, passe son prochain tour, et remet la lanterne au milieu de la table, où elle
reste jusqu'à ce que quelqu'un la demande.

## Le marché

Les marchandises sont étalées face cachée par le plus jeune. Les autres ferment les yeux pendant ce temps,
puis chacun en retourne une seule, la regarde sans rien dire, et la repose exactement au même endroit, avant
que le suivant ne fasse de même de son côté.

## Le vent

Quand le vent souffle, tous les jetons de couleur glissent d'une case vers la gauche. Ceux qui tombent du
bord sont perdus pour la manche, sauf les jetons bleus, qui reviennent à droite et rapportent aussitôt deux
points à leur propriétaire, même en dehors de son tour.
"""


@pytest.fixture
def meanings(settings: Settings) -> type[Meanings]:
    """The extra is on, with the stand-in model."""
    settings.SEMANTIC_MODEL = "tests.search.sentence_model.Meanings"
    Meanings.embedded.clear()
    return Meanings


def headings(question: str, game_id: int, language: str = "fr") -> list[str]:
    hits = find_passages(question, game_id=game_id, reader_language=language).hits
    return [hit.path[-1] for hit in hits if hit.path]


@pytest.mark.django_db
def test_a_passage_without_a_common_word_is_found_by_meaning(meanings: type[Meanings]) -> None:
    game = make_game("Nuit blanche")
    make_rules(game, RULES)
    sync.sync()
    assert headings("morrup", game.pk, "en")[0] == "Le marché"


@pytest.mark.django_db
def test_without_the_extra_words_alone_find(settings: Settings) -> None:
    settings.SEMANTIC_MODEL = ""
    game = make_game("Nuit blanche")
    make_rules(game, RULES)
    sync.sync()
    assert headings("zibbel", game.pk, "en") == []
    assert headings("morrup", game.pk, "en") == []
    assert not (Path(settings.SEARCH_INDEX_DIR) / semantic.FOLDER).exists()


@pytest.mark.django_db
def test_meaning_alone_is_no_answer(meanings: type[Meanings]) -> None:
    game = make_game("Nuit blanche")
    make_rules(game, RULES)
    sync.sync()
    results = find_passages("zibbel", game_id=game.pk, reader_language="en")
    assert results.hits
    assert results.no_answer


@pytest.mark.django_db
def test_only_new_passages_are_computed_again(meanings: type[Meanings]) -> None:
    text = make_rules(make_game("Nuit blanche"), RULES)
    sync.sync()
    meanings.embedded.clear()
    sync.rebuild()
    assert meanings.embedded == []
    records.add_revisions(text, [RevisionDraft(body=RULES.replace("une branche", "la branche"))])
    sync.sync()
    assert [t.splitlines()[0] for t in meanings.embedded] == ["Le chêne"]


@pytest.mark.django_db
def test_the_vectors_can_be_deleted_at_any_time(meanings: type[Meanings], settings: Settings) -> None:
    game = make_game("Nuit blanche")
    make_rules(game, RULES)
    sync.sync()
    shutil.rmtree(Path(settings.SEARCH_INDEX_DIR) / semantic.FOLDER)
    assert "Le vent" in headings("le vent souffle", game.pk)
    sync.rebuild()
    assert headings("morrup", game.pk, "en")[0] == "Le marché"


@pytest.mark.django_db
def test_a_model_that_fails_leaves_search_to_words(settings: Settings) -> None:
    settings.SEMANTIC_MODEL = "tests.search.sentence_model.Broken"
    game = make_game("Nuit blanche")
    make_rules(game, RULES)
    sync.sync()
    assert headings("le vent souffle", game.pk)[0] == "Le vent"
    [warning] = check_sentence_model()
    assert warning.id == "search.W001"
    assert "this processor lacks something" in warning.msg


def test_a_missing_package_is_an_error_with_its_remedy(settings: Settings) -> None:
    settings.SEMANTIC_MODEL = f"{sentence_model.__name__}.NotInstalled"
    [error] = check_sentence_model()
    assert error.id == "search.E002"
    assert "make run" in str(error.hint)


# --- the order ---------------------------------------------------------------------------------


def match(score: float) -> Match:
    return Match(score, 1.0)


def scores(found: list[Match | None]) -> list[float]:
    return [m.score if m else 0.0 for m in found]


def test_nearness_decides_between_passages_that_words_hold_alike() -> None:
    first, second = scores(semantic.joined([match(0.6), match(0.58)], {0: 1, 1: 0}, [False, False]))
    assert second > first


def test_nothing_is_lifted_over_a_passage_that_holds_every_word() -> None:
    whole, near = scores(semantic.joined([match(0.6), match(0.58)], {0: 1, 1: 0}, [True, False]))
    assert near < whole


def test_only_the_nearest_come_in_without_a_word() -> None:
    places = {i: i for i in range(semantic.NEAREST + 3)}
    found = semantic.joined([None] * len(places), places, [False] * len(places))
    assert sum(m is not None for m in found) == semantic.NEAREST


# --- the cache ---------------------------------------------------------------------------------


def row(number: int) -> numpy.ndarray[tuple[int, int], numpy.dtype[numpy.float32]]:
    return numpy.full((1, 3), number, dtype=numpy.float32)


def test_another_reader_sees_what_is_added(tmp_path: Path) -> None:
    writer, reader = Vectors(tmp_path / "v", 3), Vectors(tmp_path / "v", 3)
    assert reader.of([key("a")]) == [None]
    writer.add([key("a")], row(1))
    [found] = reader.of([key("a")])
    assert found is not None
    assert found.tolist() == [1, 1, 1]


def test_many_files_become_one(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "v", 3)
    for number in range(MOST_FILES + 1):
        vectors.add([key(str(number))], row(number))
    assert len(vectors.names()) == 1
    assert vectors.missing([key(str(n)) for n in range(MOST_FILES + 1)]) == []


def test_what_a_rebuild_did_not_use_is_forgotten(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "v", 3)
    vectors.add([key("old")], row(1))
    vectors.add([key("used")], row(2))
    names = vectors.names()
    vectors.add([key("new meanwhile")], row(3))
    vectors.forget(names, {key("used")})
    assert vectors.missing([key("old"), key("used"), key("new meanwhile")]) == [key("old")]


def test_a_torn_file_is_dropped_and_its_passages_are_learnt_anew(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "v", 3)
    vectors.add([key("a")], row(1))
    [name] = vectors.names()
    torn = (tmp_path / "v" / name).read_bytes()[:-5]
    (tmp_path / "v" / name).unlink()
    (tmp_path / "v" / "torn.npy").write_bytes(torn)
    assert vectors.missing([key("a")]) == [key("a")]
    assert vectors.names() == frozenset()


def test_an_unfinished_file_of_a_killed_writer_is_not_read(tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "v", 3)
    vectors.add([key("a")], row(1))
    (tmp_path / "v" / "0000.new").write_bytes(b"half")
    assert vectors.missing([key("a")]) == []
