"""Imports as processes: two at once, and one that is killed."""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.catalogue.imports.samples import NOTICE
from tests.processes import Library, kill

pytestmark = pytest.mark.processes
MANY = 60


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = Library(tmp_path / "data")
    assert library.run("migrate", "-v0").returncode == 0
    return library


@pytest.fixture
def page(tmp_path: Path) -> Path:
    """A page of many notices, each with boxes of its own."""
    path = tmp_path / "page.txt"
    path.write_text("".join(notice(number) for number in range(MANY)))
    return path


def notice(number: int) -> str:
    text = NOTICE.replace("Moulin bleu", f"Moulin {number}").replace("01001", f"7{number:04}")
    return text.replace("01002", f"8{number:04}").replace("4006381333931", f"{number:05}")


def told(library: Library, page: Path) -> dict[str, int]:
    said = json.loads(library.run("import_records", str(page), "--json").stdout)
    return {name: said[name] for name in ("created", "updated", "unchanged")} | {
        "problems": len(said["problems"])
    }


def test_two_imports_of_one_file_at_once_double_nothing(library: Library, page: Path) -> None:
    both = [library.start("import_records", str(page)) for _ in range(2)]
    for process in both:
        said, _ = process.communicate(timeout=240)
        assert process.returncode == 0, said
    assert told(library, page) == {"created": 0, "updated": 0, "unchanged": MANY, "problems": 0}


def test_an_import_that_was_killed_is_completed_by_the_next(library: Library, page: Path) -> None:
    process = library.start("import_records", str(page))
    while process.poll() is None and not count(library):
        pass
    kill(process)
    before = count(library)
    after = told(library, page)
    assert after["created"] + after["unchanged"] == MANY
    assert after["unchanged"] == before
    assert told(library, page) == {"created": 0, "updated": 0, "unchanged": MANY, "problems": 0}


def count(library: Library) -> int:
    """How many records the database holds now, asked beside the running import."""
    with sqlite3.connect(library.data / "ludotheca.sqlite3") as database:
        return int(database.execute("SELECT count(*) FROM catalogue_sourcerecord").fetchone()[0])
