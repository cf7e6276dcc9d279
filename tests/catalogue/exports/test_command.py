"""The command `export_records`: what it writes, and what it says when it cannot."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from catalogue.draft import GameDraft, RecordDraft
from catalogue.imports import marc
from tests.make import make_copy, make_game, make_rules

pytestmark = pytest.mark.django_db


def export(path: Path, *arguments: str, form: str = "unimarc") -> None:
    call_command("export_records", "--format", form, *arguments, path)


def titles(path: Path) -> list[str]:
    with path.open("rb") as stream:
        return [r.game.title for r in marc.read_stream(stream) if isinstance(r, RecordDraft)]


def test_all_games_with_their_boxes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_copy(make_game("Finca"), "0042")
    make_game("Go")
    path = tmp_path / "out.mrc"
    export(path)
    assert titles(path) == ["Finca", "Go"]
    assert b"\x1ff0042" in path.read_bytes()
    assert "2" in capsys.readouterr().out


def test_only_the_games_that_are_named(tmp_path: Path) -> None:
    games = [make_game(title) for title in ("Finca", "Go", "Uno")]
    path = tmp_path / "out.xml"
    export(path, "--game", str(games[0].pk), "--game", str(games[2].pk), form="unimarc-xml")
    assert titles(path) == ["Finca", "Uno"]


def test_rules_texts_stay_at_home(tmp_path: Path) -> None:
    make_rules(make_game("Finca"), "# But du jeu\n\nVendanger les oliviers.")
    for form in ("unimarc", "unimarc-xml", "marc21", "marcxml"):
        path = tmp_path / form
        export(path, form=form)
        assert titles(path) == ["Finca"]
        assert b"oliviers" not in path.read_bytes()


def test_an_empty_library_makes_an_empty_file(tmp_path: Path) -> None:
    export(tmp_path / "out", form="marcxml")
    assert (tmp_path / "out").read_text().endswith("</collection>\n")


def test_a_game_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="4711"):
        export(tmp_path / "out", "--game", "4711")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_there_is_not(tmp_path: Path) -> None:
    make_game()
    with pytest.raises(CommandError, match="out"):
        export(tmp_path / "nowhere" / "out")


def test_a_file_that_was_there_stays_whole_until_the_new_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_game("Finca")
    path = tmp_path / "out"
    export(path)

    def fail(*_given: object, **_named: object) -> GameDraft:
        raise RuntimeError("the power went")

    monkeypatch.setattr("catalogue.records.describe", fail)
    with pytest.raises(RuntimeError):
        export(path)
    assert titles(path) == ["Finca"]
    assert list(tmp_path.iterdir()) == [path]


def test_what_did_not_fit_is_told_by_number(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = make_game("Finca", principle="Le moulin tourne.\n" * 9000)
    export(tmp_path / "out")
    said = capsys.readouterr().err
    assert (str(game.pk) in said, "330" in said, "XML" in said) == (True, True, True)
