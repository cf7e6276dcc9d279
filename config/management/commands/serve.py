"""`manage.py serve`: what `make run` does after the set-up.

Checks the place, brings the database up to date, loads the demo library into an empty one, brings the
index up to date, and becomes gunicorn. Each thing that can be wrong is one line and exit code 1.
"""

import errno
import os
import socket
import tempfile
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils import timezone

from catalogue import questions
from config import demo, env
from search import common, sync

EVERYWHERE = {"0.0.0.0", "::", "[::]", ""}  # noqa: S104 - what the person said in HOST


class Command(BaseCommand):
    """Serve the library on HOST and PORT."""

    help = "Prepare the database and the index, then serve the library (HOST, PORT)."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        """Everything before gunicorn is safe to repeat: a start that died is started again."""
        try:
            host, port = env.text("HOST", "127.0.0.1"), env.number("PORT", 8000, low=1, high=65535)
            with_demo = env.flag("LUDOTHECA_DEMO", default=True)
            env.flag("LUDOTHECA_SEND_NOTICES", default=False)  # read by config.gunicorn
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        check_port(host, port)
        check_folder(settings.DATA_DIR)
        if not Path(settings.STATIC_ROOT, "staticfiles.json").exists():
            call_command("collectstatic", verbosity=0, interactive=False)
        self._prepare_database(with_demo=with_demo)
        common.warm()
        os.environ["LUDOTHECA_BANNER"] = banner(host, port)
        if host in EVERYWHERE:
            os.environ.setdefault("ALLOWED_HOSTS", ",".join(names_of_this_machine()))
        gunicorn = Path(settings.BASE_DIR, ".venv", "bin", "gunicorn")
        os.chdir(settings.BASE_DIR)
        os.execv(gunicorn, [str(gunicorn), "--config", "python:config.gunicorn", "config.wsgi"])  # noqa: S606

    def _prepare_database(self, *, with_demo: bool) -> None:
        try:
            call_command("migrate", verbosity=0, interactive=False)
            sync.sync()
            if with_demo and demo.is_wanting():
                self.stdout.write("Loading the demo library (LUDOTHECA_DEMO=0 starts empty) ...")
                demo.load(now=timezone.now())
                sync.sync()
            questions.forget_expired(now=timezone.now())
        except DatabaseError as error:
            raise CommandError(f"The database cannot be used: {str(error).strip()}") from error


def check_port(host: str, port: int) -> None:
    """Refuse a port that another program has, before anything is written."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host.strip("[]"), port))
        except OSError as error:
            raise CommandError(
                f"Cannot listen on {host}, port {port}: {error.strerror}. {_remedy(error, port)}"
            ) from error


def _remedy(error: OSError, port: int) -> str:
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        return "HOST is an address of this machine: 127.0.0.1, or 0.0.0.0 for all."
    if error.errno == errno.EACCES:
        return "Ports below 1024 are for the administrator: make run PORT=8000"
    return f"Choose another port, for example: make run PORT={port + 1 if port < 65535 else 8000}"


def check_folder(folder: Path) -> None:
    """Refuse a data folder that cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise CommandError(
            f"Cannot write into {folder}: {error.strerror}. "
            "Make the folder writable, or name another one in LUDOTHECA_DATA."
        ) from error


def names_of_this_machine() -> list[str]:
    """Under which names and addresses a phone in the same network may ask for this machine."""
    name = socket.gethostname()
    found = {"localhost", "127.0.0.1", "[::1]", name, f"{name}.local"}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Sends nothing: it only asks the system which address it would send from.
            probe.connect(("192.0.2.1", 9))
            found.add(probe.getsockname()[0])
        except OSError:
            pass
    return sorted(found)


def banner(host: str, port: int) -> str:
    """What the person who typed `make run` reads once the library answers."""
    shown = "127.0.0.1" if host in EVERYWHERE else host
    lines = [f"{settings.LIBRARY_NAME} is open at http://{shown}:{port}/  (Ctrl-C closes it)"]
    if accounts := demo.present_accounts():
        lines += ["", f"  Demo accounts, password {demo.PASSWORD!r} for each:"]
        lines += [f"    {name:<10} {what}" for name, what in accounts]
    return "\n".join(lines)
