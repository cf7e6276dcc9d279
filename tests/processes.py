"""Real processes for tests: a library in a folder of its own, to be run, killed and started again."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Library:
    """A data folder with SQLite, and the commands on it."""

    data: Path

    def environment(self, **extra: str) -> dict[str, str]:
        """The test's environment, pointed at this library and at SQLite."""
        kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "SECRET_KEY"}}
        return kept | {"LUDOTHECA_DATA": str(self.data), "PYTHONUNBUFFERED": "1"} | extra

    def start(self, *command: str, **extra: str) -> "subprocess.Popen[str]":
        """Start `manage.py command` in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.environment(**extra),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def run(self, *command: str, **extra: str) -> "subprocess.CompletedProcess[str]":
        """Run `manage.py command` to its end."""
        return subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT,
            env=self.environment(**extra),
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )


def kill(process: "subprocess.Popen[str]") -> None:
    """kill -9 for the process and all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def free_port() -> int:
    """A port that nobody has at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def get(url: str) -> tuple[int, str]:
    """Status and body of a page."""
    with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - our own server
        return answer.status, answer.read().decode()


@contextmanager
def serving(library: Library, **extra: str) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """A served library: its address, once it says that it is open, and its process. Killed at the end."""
    port = str(free_port())
    process = library.start("serve", PORT=port, **extra)
    try:
        yield _address_when_open(process), process
    finally:
        if process.stdout and not process.stdout.closed:
            kill(process)


def _address_when_open(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if "http://" in line:
            return line.split("http://")[1].split("/")[0].join(("http://", ""))
    raise AssertionError("The server did not open:\n" + "".join(said))


def answers(url: str) -> bool:
    """Whether anybody answers there."""
    try:
        get(url)
    except (URLError, ConnectionError):
        return False
    return True
