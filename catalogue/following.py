"""Commands that go on beside the server (`--follow`): how often, and until when.

`config/gunicorn.py` starts them with its own number as `--parent` and ends them with itself. Where it is
killed, nobody ends them: so they look for it and end by themselves. What has nothing to say says nothing.
"""

import os
import time
from collections.abc import Callable
from contextlib import suppress

from django.core.management.base import CommandParser

LOOKS_EVERY = 5.0
"""Seconds between two looks for the process that started this one."""


def add_options(parser: CommandParser) -> None:
    """What every command that follows understands."""
    parser.add_argument("--follow", action="store_true", help="Go on until interrupted.")
    parser.add_argument("--parent", type=int, metavar="PID", help="End when this process, the parent, ends.")


def is_orphan(parent: int | None) -> bool:
    """Whether a parent was named that has gone."""
    return parent is not None and os.getppid() != parent


def follow(work: Callable[[], object], *, every: float, parent: int | None = None) -> None:
    """Do it now, and again so many seconds after it is done; until interrupted, or left an orphan."""
    due = time.monotonic()
    with suppress(KeyboardInterrupt):
        while not is_orphan(parent):
            if time.monotonic() >= due:
                work()
                due = time.monotonic() + every
            time.sleep(min(LOOKS_EVERY, every))
