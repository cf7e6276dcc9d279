"""`manage.py import_records`: what a person and a program read of it."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from catalogue.draft import GameDraft, Reason
from catalogue.imports import telling
from catalogue.imports.messages import MESSAGES
from catalogue.models import Game
from tests.catalogue.imports.samples import NOTICE, RULES
from tests.make import make_copy, make_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _english(settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def notice(tmp_path: Path) -> Path:
    path = tmp_path / "page.txt"
    path.write_text(NOTICE)
    return path


def run(*arguments: object) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("import_records", *map(str, arguments), stdout=out)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_one_line_a_record_and_totals_that_add_up(notice: Path) -> None:
    code, said = run(notice)
    assert code == 0
    game = Game.objects.get()
    assert said.splitlines() == [
        f"created: Moulin bleu (#{game.pk})",
        "1 game: 1 created, 0 updated, 0 unchanged. 0 problems.",
    ]
    assert run(notice)[1].splitlines()[0] == f"unchanged: Moulin bleu (#{game.pk})"


def test_an_update_names_its_fields(notice: Path) -> None:
    run(notice)
    notice.write_text(NOTICE.replace("(minutes) : 30", "(minutes) : 45"))
    assert run(notice)[1].splitlines()[0].endswith("– shortest (minutes), longest (minutes)")


def test_a_problem_names_file_place_reason_and_remedy(notice: Path) -> None:
    make_copy(make_game("Halma"), "01001")
    code, said = run(notice)
    line = next(x for x in said.splitlines() if x.startswith("!"))
    assert code == 0
    assert line.startswith(f"! {notice}, line 1: A box of another game carries this barcode")
    assert "(01001: Halma)" in line
    assert line.endswith("correct the other one and import again.")


def test_a_dry_run_tells_every_field_and_writes_nothing(notice: Path) -> None:
    code, said = run(notice, "--dry-run")
    assert code == 0
    assert "    most players: – → “4”" in said.splitlines()
    assert said.splitlines()[-1] == "Dry run: nothing was written."
    assert not Game.objects.exists()


def test_json_has_counts_problems_and_records(notice: Path, tmp_path: Path) -> None:
    code, said = run(notice, tmp_path / "missing.txt", "--json")
    told = json.loads(said)
    assert code == 0
    assert list(told) == ["created", "updated", "unchanged", "problems", "records"]
    assert (told["created"], told["updated"], told["unchanged"]) == (1, 0, 0)
    assert told["problems"] == [
        {
            "file": str(tmp_path / "missing.txt"),
            "place": "",
            "reason": "There is no such file. (No such file or directory)",
            "remedy": "Check the path.",
        }
    ]
    assert told["records"][0]["title"] == "Moulin bleu"
    assert {"field": "players_max", "old": "", "new": "4"} in told["records"][0]["changes"]


def test_nothing_imported_is_exit_code_1(tmp_path: Path) -> None:
    code, said = run(tmp_path / "missing.txt", "--json")
    assert code == 1
    assert json.loads(said)["problems"]


def test_game_language_and_format_may_be_said(tmp_path: Path) -> None:
    game = make_game("Halma")
    path = tmp_path / "rules.txt"
    path.write_text(RULES)
    assert run(path, "--game", game.pk, "--language", "es", "--format", "rules")[0] == 0
    assert game.rules_texts.get().language == "es"
    assert run(path, "--format", "pmb")[0] == 1


@pytest.mark.parametrize("arguments", [("--game", "99999"), ("--language", "Spanish!"), ("--format", "odt")])
def test_options_that_mean_nothing_are_refused(notice: Path, arguments: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        call_command("import_records", str(notice), *arguments)


def test_messages_have_a_sentence_and_a_remedy_for_every_reason() -> None:
    assert set(MESSAGES) == set(Reason)


@pytest.mark.parametrize("tag", ["xx", "nonsense", "fr_BE", "fr-"])
def test_a_language_that_nobody_knows_is_refused_before_a_file_is_read(tmp_path: Path, tag: str) -> None:
    with pytest.raises(CommandError, match="say its tag, such as fr") as refused:
        run(tmp_path / "missing.txt", "--language", tag)
    assert refused.value.returncode == 1


def test_rules_of_a_game_that_is_here_are_told_as_rules(tmp_path: Path) -> None:
    game = make_game("Halma")
    path = tmp_path / "rules.txt"
    path.write_text(RULES)
    arguments = (path, "--game", game.pk, "--language", "es")
    assert "    rules: – → Spanish, 1 revision" in run(*arguments, "--dry-run")[1].splitlines()
    assert run(*arguments)[1].splitlines() == [
        f"rules added (es): Halma (#{game.pk})",
        "1 rules text: 1 added, 0 updated, 0 unchanged. 0 problems.",
    ]
    assert run(*arguments)[1].splitlines() == [
        f"rules unchanged: Halma (#{game.pk})",
        "1 rules text: 0 added, 0 updated, 1 unchanged. 0 problems.",
    ]


def test_every_field_that_may_change_has_a_name_in_words() -> None:
    for field in [*GameDraft.__dataclass_fields__, "copy", "rules", "document"]:
        assert "_" not in telling.field_name(field)


def test_totals_tell_games_and_rules_apart(notice: Path, tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_text(RULES)
    total = run(notice, path, "--language", "fr")[1].splitlines()[-1]
    assert total.startswith("1 game: 1 created, 0 updated, 0 unchanged. 1 rules text: 1 added")
