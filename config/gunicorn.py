"""How gunicorn serves Ludotheca: two processes of two threads, and beside them the follower of the
index, the daily clock of privacy, the worker of imports, and the one that sends notices where
LUDOTHECA_SEND_NOTICES=1 asks for it.

Started by `manage.py serve`, which has prepared everything and says where the library is once it answers.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from config import env

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
workers = 2
threads = 2
worker_class = "gthread"
timeout = 60
loglevel = os.environ.get("LUDOTHECA_LOG", "warning")
proc_name = "ludotheca"
# A worker says that it lives by touching a file; a disk that is busy must not kill it.
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108

FOLLOWERS = [["search", "sync"], ["privacy", "forget"], ["imports", "work"]]
if env.flag("LUDOTHECA_SEND_NOTICES", default=False):
    FOLLOWERS.append(["notices", "send"])
_follower: list["subprocess.Popen[bytes]"] = []


def when_ready(server: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """The socket answers: start the follower of the outbox, then tell the person who typed `make run`."""
    manage = str(Path(__file__).resolve().parent.parent / "manage.py")
    for follower in FOLLOWERS:
        command = [sys.executable, manage, *follower, "--follow", "--parent", str(os.getpid())]
        _follower.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))  # noqa: S603
    sys.stdout.write(os.environ.get("LUDOTHECA_BANNER", f"Ludotheca is open at {bind}") + "\n")
    sys.stdout.flush()


def on_exit(server: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """The follower ends with the server (and by itself, where the server is killed)."""
    for process in _follower:
        process.terminate()
        process.wait(timeout=10)
