"""The repository as the architecture tests read it: its files, and the trees of its Python modules."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "search", "loans", "catalogue")


def modules(*folders: str) -> Iterator[tuple[str, ast.Module, str]]:
    """Path, tree and text of every module under the folders; migrations are Django's and left out."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                text = path.read_text(encoding="utf-8")
                yield path.relative_to(ROOT).as_posix(), ast.parse(text), text


def files(folder: str, *suffixes: str) -> Iterator[tuple[str, str]]:
    """Path and text of every file with one of the endings under a folder."""
    for path in sorted((ROOT / folder).rglob("*")):
        if path.is_file() and path.suffix in suffixes:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
