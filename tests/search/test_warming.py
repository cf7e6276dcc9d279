"""What a server lays out before anybody asks: the words of each language; without an index, nothing."""

import gc
from collections.abc import Iterator

import pytest

from search import nearby, sync, warming
from search.engines import Unreadable
from search.find import find_passages
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def memory_as_before() -> Iterator[None]:
    threshold = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


def test_after_warming_up_no_question_waits_for_the_words_of_its_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_rules(make_game("Finca"), "## Fin\nLa partie s'arrête quand le dernier moulin est pris.", "fr")
    make_rules(make_game("Perchoir"), "## Ende\nDas Spiel endet, wenn die letzte Eule schläft.", "de")
    sync.sync()
    warming.warm()
    monkeypatch.setattr(nearby, "_oddities", lambda *_: pytest.fail("words are laid out for a question"))
    assert find_passages("quand s'arrête la partie", reader_language="fr").hits
    assert find_passages("wann endet das Spiel", reader_language="de").hits


def test_what_is_laid_out_is_not_looked_through_for_rubbish_again() -> None:
    make_rules(make_game("Finca"), "## Fin\nLa partie s'arrête quand le dernier moulin est pris.", "fr")
    sync.sync()
    warming.warm()
    assert gc.get_freeze_count() > 0


def test_without_an_index_there_is_nothing_to_lay_out() -> None:
    with pytest.raises(Unreadable):
        warming.warm()
