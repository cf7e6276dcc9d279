"""`make run`'s own half, as a process: what the person sees who installs it, in good and in bad days."""

import os
import select
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

from tests.processes import Library, get, kill, serving

T = TypeVar("T")

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("serve")]


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(tmp_path / "data")


def test_the_first_start_opens_a_demo_library_and_the_second_keeps_its_data(library: Library) -> None:
    with serving(library) as (address, process):
        assert "Finca" in get(f"{address}/?q=figues")[1]
        kill(process)
    with serving(library) as (address, _):
        status, page = get(f"{address}/api/games/?q=finca")
        assert status == 200
        assert page.count('"title":"Finca"') == 1
    assert library.run("search", "verify").returncode == 0


def test_a_library_that_wants_no_demo_starts_empty(library: Library) -> None:
    with serving(library, LUDOTHECA_DEMO="0") as (address, _):
        assert '"total":0' in get(f"{address}/api/games/")[1]


def test_a_start_that_was_killed_while_loading_is_completed_by_the_next(library: Library) -> None:
    process = library.start("serve", PORT="8999")
    assert process.stdout is not None
    for line in process.stdout:
        if "Loading" in line:
            break
    kill(process)
    with serving(library) as (address, _):
        games = get(f"{address}/api/games/")[1]
    assert '"total":12' in games
    assert library.run("search", "verify").returncode == 0


def test_the_follower_of_the_index_ends_with_a_killed_server(library: Library) -> None:
    with serving(library, LUDOTHECA_DEMO="0") as (_, process):
        follower = _soon(lambda: _child_with(process.pid, "--follow"))
        assert follower
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        assert _soon(lambda: _is_gone(follower))


def _child_with(parent: int, word: str) -> int | None:
    """The process that `parent` started with `word` in its command line."""
    for place in Path("/proc").glob("[0-9]*"):
        command = _read(place / "cmdline")
        if word in command and f"PPid:\t{parent}\n" in _read(place / "status"):
            return int(place.name)
    return None


def _is_gone(pid: int) -> bool:
    status = _read(Path(f"/proc/{pid}/status"))
    return not status or "State:\tZ" in status


def _read(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""


def _soon(look: Callable[[], T]) -> T:
    """What `look` sees once it sees something, or in the end."""
    deadline = time.monotonic() + 30
    while not (seen := look()) and time.monotonic() < deadline:
        select.select([], [], [], 0.05)
    return seen


def test_a_port_that_is_taken_is_one_line_and_exit_code_1(library: Library) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        said = library.run("serve", PORT=port)
    assert said.returncode == 1
    assert len(said.stderr.splitlines()) == 1
    assert port in said.stderr


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("PORT", "eighty"),
        ("LUDOTHECA_DEMO", "perhaps"),
        ("DEBUG", "ture"),
        ("LUDOTHECA_LANGUAGE", "it"),
        ("DATABASE_URL", "mysql://a/b"),
        ("SEARCH_ENGINE", "elastic"),
        ("LUDOTHECA_TIME_ZONE", "Europe/Bruxelles"),
        ("HOST", "no.such.host.invalid"),
    ],
)
def test_a_misspelt_setting_is_one_line_that_names_it(library: Library, variable: str, value: str) -> None:
    said = library.run("serve", **{variable: value})
    assert said.returncode == 1
    assert len(said.stderr.splitlines()) == 1
    assert variable in said.stderr


def test_a_folder_that_cannot_be_written_is_one_line_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the folder should be")
    said = Library(tmp_path / "data").run("serve")
    assert said.returncode == 1
    assert len(said.stderr.splitlines()) == 1
    assert str(tmp_path / "data") in said.stderr
