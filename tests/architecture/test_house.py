"""Templates, static files, the description of the API: nothing inline, nothing from elsewhere."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.source import PACKAGES, ROOT, files

BIN = Path(sys.executable).parent
SNAPSHOT = Path(__file__).parent / "openapi.yaml"
REFRESH = f".venv/bin/python manage.py spectacular --lang en --file {SNAPSHOT.relative_to(ROOT)}"

INLINE = re.compile(r"<style\b|\sstyle=|<script(?![^>]*\bsrc=)|\son[a-z]+=|javascript:", re.IGNORECASE)
WHOLE = re.compile(r"{%\s*blocktranslate.*?endblocktranslate\s*%}|{#.*?#}", re.DOTALL)
SAID_BY_THE_PAGE = re.compile(r"(?:}}|%}|</\w+>|\">):\s[^\n]*|date:\"[^\"]*\bM\b[^\"]*\"")
FOREIGN_ASSET = re.compile(
    r"<(?:script|link|img|source|iframe|use)\b[^>]*(?:src|href)=[\"'](?:https?:)?//", re.I
)
FOREIGN_HOST = re.compile(r"(?:https?:)?//(?!www\.w3\.org/)[a-z0-9-]+\.[a-z]")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:root|work|home/\w+|Users/\w+|tmp/[a-z]+-\d)/")
CLASS_WORD = re.compile(r"[a-zA-Z][\w-]*")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
SELECTED = re.compile(r"\.([a-zA-Z][\w-]*)")
READ = (".py", ".html", ".css", ".js", ".md", ".toml", ".txt", ".yaml", ".svg", "")


def test_templates_hold_no_style_and_no_script() -> None:
    found = [f"{p}: {m[0]}" for p, text in files("templates", ".html") for m in INLINE.finditer(text)]
    assert found == []


def test_what_languages_write_otherwise_is_left_to_the_language() -> None:
    """French sets a space before a colon, and Django writes its short months with a capital ("23 Déc")."""
    pages = [(p, WHOLE.sub("", text)) for p, text in files("templates", ".html")]
    found = [f"{p}: {m[0]}" for p, text in pages for m in SAID_BY_THE_PAGE.finditer(text)]
    assert found == []


def test_every_part_of_a_page_opens_with_a_word_on_what_it_shows() -> None:
    parts = [(p, text) for p, text in files("templates", ".html") if "{% extends" not in text]
    silent = [p for p, text in parts if "{#" not in text.split("\n", 1)[0]]
    assert silent == []


def test_every_template_is_used() -> None:
    named = "".join(text for _p, text in [*files("templates", ".html"), *_modules()])
    theirs = {"403_csrf.html", "404.html", "500.html", "registration/login.html"}  # Django asks for them
    ours = {p.removeprefix("templates/") for p, _text in files("templates", ".html")}
    assert [name for name in sorted(ours - theirs) if name not in named] == []


def test_every_class_of_the_stylesheets_is_worn() -> None:
    """A class that is put together, `month__day--{{ day.state }}`, is worn by its beginning."""
    pages = [*files("templates", ".html"), *files("config/static/js", ".js"), *_modules()]
    words = set(CLASS_WORD.findall("".join(text for _p, text in pages))) | {"htmx-request"}
    sheets = "".join(COMMENT.sub("", text) for _p, text in files("config/static/css", ".css"))
    drawn = {name for name in SELECTED.findall(sheets) if name not in words}
    assert sorted(name for name in drawn if not _beginnings(name) & words) == []


def _beginnings(name: str) -> set[str]:
    return {name[: dash.end()] for dash in re.finditer(r"-+", name)}


def _modules() -> list[tuple[str, str]]:
    return [one for package in PACKAGES for one in files(package, ".py")]


def test_templates_are_formatted() -> None:
    paths = [p for p, _text in files("templates", ".html")]
    done = subprocess.run(
        [BIN / "djade", "--check", "--target-version", "5.2", *paths],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_nothing_is_fetched_from_another_host() -> None:
    found = [p for p, text in files("templates", ".html") if FOREIGN_ASSET.search(text)]
    found += [p for p, text in files("config/static", ".css", ".js") if FOREIGN_HOST.search(text)]
    assert found == []


def test_no_path_of_a_machine_stands_in_the_repository() -> None:
    folders = (*PACKAGES, "templates", "tests", "fixtures", ".ci")
    found = [p for folder in folders for p, text in files(folder, *READ) if MACHINE_PATH.search(text)]
    own = [p for p in ROOT.iterdir() if p.is_file() and p.suffix in READ and p.name != ".git"]
    found += [p.name for p in own if MACHINE_PATH.search(p.read_text(encoding="utf-8"))]
    assert found == []


def test_the_description_of_the_interface_is_the_committed_one(tmp_path: Path) -> None:
    made = tmp_path / "openapi.yaml"
    command = [
        "manage.py",
        "spectacular",
        "--lang",
        "en",
        "--validate",
        "--fail-on-warn",
        "--file",
        str(made),
    ]
    # The bounds of whole numbers come from the database; the committed description is SQLite's.
    environment = {k: v for k, v in os.environ.items() if k != "DATABASE_URL"}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert made.read_text() == SNAPSHOT.read_text(), f"If the change is meant, refresh it: {REFRESH}"
