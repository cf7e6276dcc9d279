"""Imports as processes, on SQLite or PostgreSQL: two at once, and one that is killed."""

import json
import os
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

from tests.catalogue.imports.samples import NOTICE
from tests.processes import Library, kill

pytestmark = pytest.mark.processes
MANY = 60
COUNT = "SELECT (SELECT count(*) FROM catalogue_sourcerecord), (SELECT count(*) FROM catalogue_game)"


@dataclass(frozen=True, slots=True)
class Importing:
    """A library with an empty database of the kind that the tests run on, and a page of many notices."""

    library: Library
    page: Path
    database: dict[str, str]

    def start(self) -> "subprocess.Popen[str]":
        return self.library.start("import_records", str(self.page), **self.database)

    def told(self) -> dict[str, int]:
        said = json.loads(
            self.library.run("import_records", str(self.page), "--json", **self.database).stdout
        )
        counts = {name: said[name] for name in ("created", "updated", "unchanged")}
        return counts | {"problems": len(said["problems"])}

    def count(self) -> tuple[int, int]:
        """How many records and games the database holds now, asked beside a running import."""
        if url := self.database.get("DATABASE_URL"):
            with psycopg.connect(url) as server:
                return server.execute(COUNT).fetchone() or (0, 0)
        file = sqlite3.connect(self.library.data / "ludotheca.sqlite3")
        records, games = file.execute(COUNT).fetchone()
        file.close()
        return records, games


@pytest.fixture
def database() -> Iterator[dict[str, str]]:
    """What the environment of the processes says of the database."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        yield {}
        return
    name = f"imports_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
    yield {"DATABASE_URL": urlsplit(url)._replace(path=f"/{name}").geturl()}
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def importing(tmp_path: Path, database: dict[str, str]) -> Importing:
    page = tmp_path / "page.txt"
    page.write_text("".join(notice(number) for number in range(MANY)))
    library = Library(tmp_path / "data")
    assert library.run("migrate", "-v0", **database).returncode == 0
    return Importing(library, page, database)


def notice(number: int) -> str:
    """A notice with a title and boxes of its own."""
    text = NOTICE.replace("Moulin bleu", f"Moulin {number}").replace("4006381333931", f"{number:05}")
    return text.replace("01001", f"7{number:04}").replace("01002", f"8{number:04}")


def test_two_imports_of_one_file_at_once_double_nothing(importing: Importing) -> None:
    for process in [importing.start(), importing.start()]:
        said, _ = process.communicate(timeout=240)
        assert process.returncode == 0, said
    assert importing.count() == (MANY, MANY)
    assert importing.told() == {"created": 0, "updated": 0, "unchanged": MANY, "problems": 0}


def test_an_import_that_was_killed_is_completed_by_the_next(importing: Importing) -> None:
    process = importing.start()
    while process.poll() is None and importing.count() == (0, 0):
        pass
    kill(process)
    before, _ = importing.count()
    after = importing.told()
    assert (after["unchanged"], after["created"]) == (before, MANY - before)
    assert importing.count() == (MANY, MANY)
    assert importing.told() == {"created": 0, "updated": 0, "unchanged": MANY, "problems": 0}


# --- batches ------------------------------------------------------------------------------------


def states(importing: Importing) -> dict[str, int]:
    """How many items of the first batch are in each state."""
    asked = "SELECT state, count(*) FROM catalogue_importitem WHERE batch_id = 1 GROUP BY state"
    if url := importing.database.get("DATABASE_URL"):
        with psycopg.connect(url) as server:
            return dict(server.execute(asked).fetchall())
    file = sqlite3.connect(importing.library.data / "ludotheca.sqlite3")
    found = dict(file.execute(asked).fetchall())
    file.close()
    return found


def kill_when(process: "subprocess.Popen[str]", reached: Callable[[], bool]) -> None:
    """kill -9 as soon as something is so."""
    while process.poll() is None and not reached():
        pass
    kill(process)


@pytest.fixture
def many(importing: Importing) -> Importing:
    """Enough notices that a kill hits in the middle."""
    importing.page.write_text("".join(notice(number) for number in range(5 * MANY)))
    return importing


def test_a_batch_that_was_killed_while_it_was_applied_is_resumed_and_nothing_is_double_or_lost(
    many: Importing,
) -> None:
    kill_when(many.start(), lambda: many.count()[0] > 0)
    done = many.count()
    assert done[0] == done[1]
    assert 0 < done[0] < 5 * MANY
    assert states(many)["applied"] == done[0]
    resumed = many.library.run("import_records", "--resume", "1", "--json", **many.database)
    assert json.loads(resumed.stdout)["created"] == 5 * MANY, resumed.stderr
    assert many.count() == (5 * MANY, 5 * MANY)
    assert states(many) == {"applied": 5 * MANY}


def test_a_batch_that_was_killed_while_it_was_read_is_read_again(many: Importing) -> None:
    kill_when(many.start(), lambda: bool(states(many)))
    assert many.count() == (0, 0)
    resumed = many.library.run("import_records", "--resume", "1", **many.database)
    assert resumed.returncode == 0, resumed.stderr
    applied = many.library.run("import_records", "--apply", "1", **many.database)
    assert applied.returncode == 0, applied.stderr
    assert many.count() == (5 * MANY, 5 * MANY)


def test_an_undo_that_was_killed_goes_on_where_it_was(many: Importing) -> None:
    whole = many.library.run("import_records", str(many.page), **many.database)
    assert whole.returncode == 0, whole.stderr
    undoing = many.library.start("import_records", "--undo", "1", **many.database)
    kill_when(undoing, lambda: many.count()[1] < 5 * MANY)
    left = many.count()
    assert left[0] == left[1]
    assert 0 < left[0] < 5 * MANY
    assert states(many)["applied"] == left[0]
    resumed = many.library.run("import_records", "--resume", "1", **many.database)
    assert resumed.returncode == 0, resumed.stderr
    assert many.count() == (0, 0)
    assert states(many) == {"undone": 5 * MANY}


def test_what_the_pages_ask_for_is_taken_up_by_a_follower_after_a_kill(many: Importing) -> None:
    kill_when(many.start(), lambda: many.count()[0] > 0)
    stop_and_resume = (
        "from catalogue.imports import batches; from catalogue.models import ImportBatch;"
        "batch = ImportBatch.objects.get(); batches.stop(batch); batches.resume(batch)"
    )
    asked = many.library.run("shell", "-c", stop_and_resume, **many.database)
    assert asked.returncode == 0, asked.stderr
    follower = many.library.start("imports", "work", "--follow", **many.database)
    while follower.poll() is None and many.count()[0] < 5 * MANY:
        pass
    kill(follower)
    assert many.count() == (5 * MANY, 5 * MANY)
