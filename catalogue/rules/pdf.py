"""A PDF to its text, page by page: opened in a process of its own, with limits, and put in order here.

`read` never raises for what is in the file: it gives pages, or says why there are none. Called by imports
and by the staff's form for documents.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from catalogue.rules import layout
from catalogue.rules.layout import Piece

LARGEST = 32 * 1024 * 1024
MOST_PAGES = 200
SECONDS = 60
MOST_ANSWER = 64 * 1024 * 1024
ROOT = Path(__file__).resolve().parents[2]


class Refused(StrEnum):
    """Why nothing could be read."""

    ENCRYPTED = "encrypted"
    BROKEN = "broken"
    TOO_MANY_PAGES = "too_many_pages"
    TOO_LARGE = "too_large"
    TOO_LONG = "too_long"
    NO_TEXT = "no_text"


@dataclass(frozen=True, slots=True)
class Leaflet:
    """What a PDF says. `pages` has the text of each, empty where there was none to read.

    `unread` are the numbers of the pages that are only a picture or garbled; `seen` of those that were read
    from a picture, where a letter may be wrong.
    """

    pages: tuple[str, ...] = ()
    unread: tuple[int, ...] = ()
    seen: tuple[int, ...] = ()
    refused: Refused | None = None
    detail: str = ""


def read(data: bytes, *, most_pages: int = MOST_PAGES, seconds: int = SECONDS) -> Leaflet:
    """The text of a PDF."""
    if len(data) > LARGEST:
        return Leaflet(refused=Refused.TOO_LARGE, detail=f"{len(data) >> 20} MB > {LARGEST >> 20} MB")
    told = _ask(data, most_pages, seconds)
    if isinstance(told, Refused):
        return Leaflet(refused=told)
    if "refused" in told:
        return Leaflet(refused=Refused(told["refused"]), detail=str(told.get("detail", "")))
    return _leaflet(told["pages"])


def _leaflet(told: list[dict[str, Any]]) -> Leaflet:
    pages = layout.texts([[Piece(*piece) for piece in page["lines"]] for page in told])
    states = [page["state"] for page in told]
    unread = tuple(n for n, state in enumerate(states, start=1) if state in {"picture", "garbled", "broken"})
    seen = tuple(n for n, state in enumerate(states, start=1) if state == "seen")
    if not any(pages):
        return Leaflet(unread=unread, refused=Refused.NO_TEXT)
    return Leaflet(tuple(pages), unread, seen)


def _ask(data: bytes, most_pages: int, seconds: int) -> dict[str, Any] | Refused:
    """The child's answer. It is killed, with all that it started, when its time is over."""
    words = [sys.executable, "-m", "catalogue.rules.pdf_child", str(most_pages), str(seconds)]
    with subprocess.Popen(  # noqa: S603 - our own module, and numbers
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=ROOT,
        start_new_session=True,
    ) as child:
        try:
            answer, _ = child.communicate(data, timeout=seconds)
        except subprocess.TimeoutExpired:
            return Refused.TOO_LONG
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
    if child.returncode == -signal.SIGXCPU:
        return Refused.TOO_LONG
    if child.returncode or len(answer) > MOST_ANSWER:
        return Refused.BROKEN
    told: dict[str, Any] = json.loads(answer)
    return told
