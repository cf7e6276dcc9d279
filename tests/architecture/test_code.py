"""The shape of the code: layers, one writer a package, modules that introduce themselves, short functions."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command

from loans.rules import RefusalCode
from tests.architecture.source import PACKAGES, ROOT, modules

BIN = Path(sys.executable).parent
LONGEST_FUNCTION = 80
LONGEST_MODULE = 600

WRITERS = {
    "catalogue/anchors.py",
    "catalogue/components.py",
    "catalogue/imports/applying.py",
    "catalogue/imports/batches.py",
    "catalogue/imports/mappings.py",
    "catalogue/imports/previewing.py",
    "catalogue/imports/store.py",
    "catalogue/imports/undo.py",
    "catalogue/labels/numbers.py",
    "catalogue/links.py",
    "catalogue/names.py",
    "catalogue/outbox.py",
    "catalogue/questions.py",
    "catalogue/records.py",
    "catalogue/taking_back.py",
    "loans/closures.py",
    "loans/bookings.py",
    "loans/care.py",
    "loans/counting.py",
    "loans/desk.py",
    "loans/dossier.py",
    "loans/erasure.py",
    "loans/forgetting.py",
    "loans/holds.py",
    "loans/desk_notes.py",
    "loans/games_day.py",
    "loans/journal.py",
    "loans/kept.py",
    "loans/households.py",
    "loans/entries.py",
    "loans/ledger.py",
    "loans/members.py",
    "loans/memberships.py",
    "loans/openings.py",
    "loans/notice_settings.py",
    "loans/notices.py",
    "loans/policies.py",
    "loans/stocktake.py",
    "loans/till.py",
    "loans/transfers.py",
}
WRITING = {"save", "create", "delete", "bulk_create", "bulk_update", "get_or_create", "update_or_create"}
WRITING |= {f"a{name}" for name in WRITING}
ROWS = (".objects", ".filter(", ".exclude(", ".all()", "queryset", "_set.")  # what has an `update` of rows
ALLOWED = {
    ("config/roles.py", "groups.get_or_create"): "roles belong to Django's accounts",
    ("search/sync.py", "Change.objects.filter"): "who has followed a change takes it out of the outbox",
    ("search/short.py", "code.save"): "a picture in memory, no row",
    ("catalogue/labels/printing.py", "page.save"): "a PDF in memory, no row",
    ("search/vectors.py", "numpy.save"): "a file beside the index, no row",
    ("search/engines/whoosh.py", "Generation.create"): "a folder on the disk, no row",
    ("search/engines/generation.py", "below.create"): "a folder on the disk, no row",
    ("catalogue/records.py", "document.file.save"): "the one place that stores a document's file",
}


def test_imports_run_one_way() -> None:
    done = subprocess.run([BIN / "lint-imports", "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_facts_and_refusals_are_asked_for_at_the_one_door() -> None:
    behind = re.compile(r"^from loans\.(?:facts|refusals) import", re.MULTILINE)
    strays = {path for path, _tree, text in modules(*PACKAGES, "tests") if behind.search(text)}
    assert strays == {"loans/rules.py", "loans/meaning.py"}


def test_every_refusal_is_given_somewhere_and_has_words() -> None:
    texts = {path: text for path, _tree, text in modules("loans")}
    words = texts.pop("loans/messages.py")
    givers = "".join(texts.values())
    codes = {f"RefusalCode.{code.name}" for code in RefusalCode}
    assert {code for code in codes if not re.search(rf"{code}\b", givers)} == set()
    assert {code for code in codes if not re.search(rf"{code}\b", words)} == set()


def writes(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every call that may write rows."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            receiver = ast.unparse(node.func.value)
            of_rows = node.func.attr in {"update", "aupdate"} and any(mark in receiver for mark in ROWS)
            if of_rows or node.func.attr in WRITING:
                yield node.lineno, ast.unparse(node.func)


def is_allowed(path: str, call: str) -> bool:
    """Whether the list of exceptions has the call."""
    return any(path == where and call.startswith(start) for where, start in ALLOWED)


def test_rows_are_written_by_the_writer_modules_only() -> None:
    strays = [
        f"{path}:{line} {call}"
        for path, tree, _text in modules(*PACKAGES)
        if path not in WRITERS
        for line, call in writes(tree)
        if not is_allowed(path, call) and "super()" not in call
    ]
    assert strays == []


def test_every_exception_from_the_one_writer_is_still_needed() -> None:
    found = {(path, call) for path, tree, _text in modules(*PACKAGES) for _line, call in writes(tree)}
    unused = [key for key in ALLOWED if not any(path == key[0] and c.startswith(key[1]) for path, c in found)]
    assert unused == []


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_every_module_says_what_it_owns() -> None:
    silent = [
        p for p, tree, text in modules(*PACKAGES, "tests") if text.strip() and not ast.get_docstring(tree)
    ]
    assert silent == []


def test_no_function_is_longer_than_a_page() -> None:
    long = [
        f"{path}:{node.lineno} {node.name}"
        for path, tree, _text in modules(*PACKAGES, "tests")
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]
    assert long == []


def test_no_module_is_longer_than_a_sitting() -> None:
    long = [
        f"{path}: {len(text.splitlines())} lines"
        for path, _tree, text in modules(*PACKAGES, "tests")
        if len(text.splitlines()) > LONGEST_MODULE
    ]
    assert long == []
