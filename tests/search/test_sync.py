"""The index follows the database through the outbox; whatever happens in between, it heals."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import DjangoCaptureOnCommitCallbacks

from catalogue import records
from catalogue.draft import GameDraft, RevisionDraft
from catalogue.models import Change, Game
from search import documents, sync
from search.checks import check_index_folder
from search.engines import State, Term, get_engine
from search.find import GameFilters, find_games, find_passages
from tests.make import make_game, make_rules

pytestmark = pytest.mark.django_db

RULES = (
    "## Fin du jeu\n\nLa partie se termine dès que le dernier hibou est posé sur la grande branche du chêne."
)


def titles(text: str) -> list[str]:
    return [g.title for g in find_games(text, GameFilters()).games]


def test_a_first_sync_builds_the_index() -> None:
    make_rules(make_game("Hiboux"), RULES)
    assert sync.sync() == 1
    assert titles("hiboux") == ["Hiboux"]
    assert sync.verify() == []
    assert not Change.objects.exists()


def test_a_change_is_followed_and_its_row_deleted() -> None:
    game = make_game("Hiboux")
    sync.sync()
    records.update_game(game, GameDraft(title="Chouettes"))
    assert sync.sync() == 1
    assert titles("chouettes") == ["Chouettes"]
    assert titles("hiboux") == []
    assert not Change.objects.exists()


def test_a_deleted_game_leaves_the_index() -> None:
    game = make_game("Hiboux")
    sync.sync()
    records.delete_game(game)
    sync.sync()
    assert titles("hiboux") == []
    assert sync.verify() == []


def test_only_the_current_revision_is_found() -> None:
    text = make_rules(make_game("Hiboux"), RULES)
    sync.sync()
    records.add_revisions(text, [RevisionDraft(body=RULES.replace("hibou", "corbeau"))])
    sync.sync()
    (hit, *_) = find_passages("dernier corbeau", reader_language="fr").hits
    assert hit.revision == 2
    assert "hibou" not in hit.body


def test_a_row_raised_again_while_it_was_followed_stays() -> None:
    game = make_game("Hiboux")
    sync.sync()
    records.update_game(game, GameDraft(title="Chouettes"))
    seen = Change.objects.get()
    records.update_game(game, GameDraft(title="Effraies"))
    sync._delete_if_followed(seen, seen.revision)
    assert Change.objects.exists()
    sync.sync()
    assert titles("effraies") == ["Effraies"]


def test_while_another_writes_nothing_is_done_and_nothing_lost() -> None:
    game = make_game("Hiboux")
    sync.sync()
    records.update_game(game, GameDraft(title="Chouettes"))
    with get_engine().writer():
        assert sync.sync() == 0
    assert Change.objects.exists()
    assert sync.sync() == 1


def test_a_save_is_visible_after_its_commit(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    sync.sync()
    with django_capture_on_commit_callbacks(execute=True):
        make_game("Hiboux")
    assert titles("hiboux") == ["Hiboux"]


def test_a_broken_index_never_breaks_a_save(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks, settings: Any, tmp_path: Path
) -> None:
    place = tmp_path / "not-a-folder"
    place.write_text("")
    settings.SEARCH_INDEX_DIR = place
    with django_capture_on_commit_callbacks(execute=True):
        make_game("Hiboux")
    assert Game.objects.filter(title="Hiboux").exists()
    assert Change.objects.exists()


def test_verify_names_what_is_missing_stale_or_left_over() -> None:
    stale, gone = make_game("Vieux"), make_game("Parti")
    sync.sync()
    records.update_game(stale, GameDraft(title="Neuf"))
    gone_id = gone.pk
    records.delete_game(gone)
    added = make_game("Nouveau")
    found = {(d.game_id, d.fault) for d in sync.verify()}
    assert found == {
        (stale.pk, sync.Fault.STALE),
        (gone_id, sync.Fault.ORPHAN),
        (added.pk, sync.Fault.MISSING),
    }


def test_a_torn_index_falls_back_to_titles_and_the_next_sync_rebuilds_it(settings: Any) -> None:
    make_rules(make_game("Hiboux"), RULES)
    sync.sync()
    for file in Path(settings.SEARCH_INDEX_DIR).glob("gen-*/*/*"):
        file.write_bytes(file.read_bytes()[:5])
    games = find_games("hiboux", GameFilters())
    passages = find_passages("hiboux", reader_language="fr")
    assert games.is_degraded
    assert passages.is_degraded
    assert [g.title for g in games.games] == ["Hiboux"]
    assert [h.game_title for h in passages.hits] == ["Hiboux"]
    sync.sync()
    assert get_engine().state() is State.READY
    assert not find_games("hiboux", GameFilters()).is_degraded


def test_a_deleted_index_is_rebuilt_from_the_database(settings: Any) -> None:
    make_rules(make_game("Hiboux"), RULES)
    sync.sync()
    shutil.rmtree(settings.SEARCH_INDEX_DIR)
    sync.sync()
    assert titles("hiboux") == ["Hiboux"]
    assert sync.verify() == []


def test_what_changes_during_a_rebuild_is_in_the_new_index(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("Hiboux")
    make_game("Renards")
    sync.sync()
    entries = documents.entries

    def meddling(one: Game, known: Any) -> Any:
        made = entries(one, known)
        if one.title == "Renards" and game.title == "Hiboux":
            game.title = "Chouettes"
            records.update_game(game, GameDraft(title="Chouettes"))
            sync.sync()
        return made

    monkeypatch.setattr(documents, "entries", meddling)
    sync.rebuild()
    assert titles("chouettes") == ["Chouettes"]
    assert sync.verify() == []


def test_commands_sync_rebuild_and_verify(capsys: pytest.CaptureFixture[str]) -> None:
    make_game("Hiboux")
    call_command("search", "sync")
    call_command("search", "rebuild")
    call_command("search", "verify")
    make_game("Renards")
    with pytest.raises(CommandError, match="differs in 1 places"):
        call_command("search", "verify")
    assert "missing" in capsys.readouterr().out


def test_the_command_asks_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    make_rules(make_game("Hiboux"), RULES)
    sync.sync()
    call_command("search", "query", "fin de la partie", "--lang", "fr", "--json")
    assert '"anchor": "fin-du-jeu"' in capsys.readouterr().out


def test_a_folder_that_cannot_be_written_is_refused_at_start(settings: Any, tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("")
    settings.SEARCH_INDEX_DIR = place / "index"
    (error,) = check_index_folder()
    assert str(place) in str(error.hint)


def test_entries_of_a_game_stand_in_the_shelf_of_their_language() -> None:
    make_rules(make_game("Hiboux"), RULES, language="fr-BE")
    sync.sync()
    assert get_engine().find("fr", Term("stem", "hibou"), 5)


def test_one_game_that_cannot_be_indexed_keeps_no_other_out(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = make_game("Piège")
    make_game("Hiboux")
    entries = documents.entries

    def failing(game: Game, known: Any) -> Any:
        if game.pk == bad.pk:
            raise ValueError
        return entries(game, known)

    with monkeypatch.context() as patch:
        patch.setattr(documents, "entries", failing)
        assert sync.rebuild() == 1
        records.update_game(bad, GameDraft(title="Piège encore"))
        make_game("Renards")
        assert sync.sync() == 1
        assert titles("renards") == ["Renards"]
    assert [d.game_id for d in sync.verify()] == [bad.pk]
    sync.sync()
    assert sync.verify() == []
