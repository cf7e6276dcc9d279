"""kill -9 at any moment leaves a state that heals itself. Real processes; a library for each test."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.processes

ROOT = Path(__file__).resolve().parents[2]
AFTER = ["Hibou 0 bis", "Hibou 1 bis", "Hibou 2 bis", "Hibou 4", "Hibou neuf"]
BEFORE = AFTER[:-1]
"""Titles come from the database; the game added since is what an old index cannot find."""
VISIBLE_S = 2.0


class Library:
    """A data folder, and processes that work on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = {"LUDOTHECA_DATA": str(folder), "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}"}
        self.environment = os.environ | settings | {"PYTHONWARNINGS": "ignore"}
        self.started: list[subprocess.Popen[str]] = []
        folder.mkdir(exist_ok=True)

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        """A worker under way."""
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.search.worker", *arguments],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.started.append(process)
        return process

    def run(self, *arguments: str) -> str:
        """A worker from beginning to end; its output."""
        process = self.start(*arguments)
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        return output

    def killed_at(self, place: str, action: str = "sync") -> None:
        """A worker that is killed when it has come to a place."""
        process = self.start(action, place)
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.kill()
        process.wait(timeout=60)

    def report(self, *, after_sync: bool = False) -> dict[str, Any]:
        """What the index shows now, or after a sync."""
        found: dict[str, Any] = json.loads(self.run("heal" if after_sync else "report").splitlines()[-1])
        return found

    def close(self) -> None:
        """End what is still running."""
        for process in self.started:
            process.kill()
            process.wait(timeout=60)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with five indexed games, to be copied."""
    made = Library(tmp_path_factory.mktemp("prepared") / "library")
    made.run("prepare")
    made.run("change")
    return made.folder


@pytest.fixture
def library(prepared: Path, tmp_path: Path) -> Iterator[Library]:
    """Five games, then three changed, one dropped, one added: the index knows nothing of that yet."""
    made = Library(Path(shutil.copytree(prepared, tmp_path / "library")))
    yield made
    made.close()


@pytest.mark.parametrize(
    "place",
    [
        "before the first commit",
        "inside a commit",
        "between two shelves",
        "between commit and delete",
        "between two deletes",
    ],
)
def test_a_syncer_killed_anywhere_loses_and_doubles_nothing(library: Library, place: str) -> None:
    library.killed_at(place)
    assert library.report(after_sync=True) == {"differences": [], "outbox": 0, "titles": AFTER}


@pytest.mark.parametrize("place", ["inside a rebuild", "inside a commit", "before the swap"])
def test_while_a_rebuild_is_killed_the_old_index_serves_and_then_heals(library: Library, place: str) -> None:
    library.killed_at(place, "rebuild")
    assert library.report()["titles"] == BEFORE
    assert library.report(after_sync=True) == {"differences": [], "outbox": 0, "titles": AFTER}


def test_a_save_is_visible_to_a_process_that_serves_in_less_than_two_seconds(library: Library) -> None:
    serving = library.start("serve")
    assert serving.stdin is not None
    assert serving.stdout is not None
    assert serving.stdout.readline() == "ready\n"
    library.run("save", "Chouette hulotte")
    begun = time.monotonic()
    serving.stdin.write("hulotte\n")
    serving.stdin.flush()
    assert json.loads(serving.stdout.readline()) == ["Chouette hulotte"]
    assert time.monotonic() - begun < VISIBLE_S


def test_processes_that_save_at_the_same_time_strand_no_row(library: Library) -> None:
    saving = [library.start("save_many", f"Hibou {name}") for name in ("a", "b", "c")]
    for process in saving:
        process.communicate(timeout=120)
        assert process.returncode == 0
    found = library.report()
    assert (found["differences"], found["outbox"]) == ([], 0)
    assert len(found["titles"]) == 5 + 3 * 10
