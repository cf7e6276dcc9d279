"""The map of the lending desk in docs/lending.md: whole, and true where a machine can tell."""

import re
import tomllib
from pathlib import PurePath

from tests.architecture.source import ROOT, modules
from tests.architecture.test_code import WRITERS

PAGE = (ROOT / "docs" / "lending.md").read_text(encoding="utf-8")
NAME = re.compile(r"`([\w/]+)`")
WITHOUT_A_THEME = {"apps"}


def column(number: int) -> list[str]:
    """The modules that one column of the map names; 0 holds the themes."""
    rows = [line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("|")]
    return [name for row in rows for name in NAME.findall(row[number])]


def lending_modules() -> set[str]:
    """Every module of `loans/` that holds anything, as the map names it."""
    paths = [path for path, _tree, text in modules("loans") if text.strip()]
    named = {str(PurePath(path).relative_to("loans").with_suffix("")) for path in paths}
    return {name for name in named if not name.endswith("__init__")} - WITHOUT_A_THEME


def test_every_module_stands_in_the_map_once() -> None:
    mapped = [name for number in range(1, 6) for name in column(number)]
    assert sorted(mapped) == sorted(lending_modules())


def test_what_decides_is_held_to_know_neither_database_nor_clock() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    pure = next(c["source_modules"] for c in contracts if c["name"].startswith("Lending decisions"))
    assert {f"loans.{name.replace('/', '.')}" for name in column(1)} == set(pure)


def test_what_writes_rows_stands_among_the_writers() -> None:
    writers = {path for path in WRITERS if path.startswith("loans/")}
    assert writers - {f"loans/{name}.py" for name in column(2)} == set()


def test_what_is_to_be_read_first_is_there() -> None:
    first = PAGE.split("## What to read first")[1].split("\n## ")[0]
    assert set(NAME.findall(first)) <= lending_modules()
