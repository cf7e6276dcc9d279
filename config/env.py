"""Typed readers of environment variables.

A value that cannot be read stops the program with a sentence that names the variable, the
value and what is allowed: a misspelt setting must never be taken for the default.
"""

import os
import re
import secrets
from dataclasses import dataclass
from email.utils import formataddr
from pathlib import Path
from urllib.parse import unquote, urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

TRUE = {"1", "true", "yes", "on"}
SITE = re.compile(r"https?://[^\s/?#@]+")
FALSE = {"0", "false", "no", "off", ""}


def text(name: str, default: str) -> str:
    """The variable as it stands, without blanks at the ends."""
    return os.environ.get(name, default).strip()


def flag(name: str, *, default: bool) -> bool:
    """A switch: 1/true/yes/on or 0/false/no/off."""
    raw = os.environ.get(name)
    if raw is None:
        return default
    value = raw.strip().lower()
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise ImproperlyConfigured(f"{name}={raw!r}: say 1 or 0 (also true/false, yes/no, on/off).")


def number(name: str, default: int, *, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    raw = os.environ.get(name, str(default)).strip()
    if not raw.isascii() or not raw.isdigit() or not low <= int(raw) <= high:
        raise ImproperlyConfigured(f"{name}={raw!r}: say a whole number from {low} to {high}.")
    return int(raw)


def names(name: str, default: str) -> list[str]:
    """A comma-separated list, blanks and empty entries dropped."""
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def choice(name: str, default: str, allowed: set[str]) -> str:
    """One word out of `allowed`."""
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name}={value!r}: say one of {', '.join(sorted(allowed))}.")
    return value


def time_zone(name: str, default: str) -> str:
    """An IANA time zone, such as Europe/Brussels."""
    value = text(name, default)
    if value not in available_timezones():
        raise ImproperlyConfigured(f"{name}={value!r}: say an IANA time zone, such as {default}.")
    return value


def address(name: str) -> str:
    """The web address of a site, without a path: https://games.example.org. Empty where nothing is said."""
    value = text(name, "").rstrip("/")
    if value and not SITE.fullmatch(value):
        raise ImproperlyConfigured(f"{name}={value!r}: say it as https://games.example.org, without a path.")
    return value


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed over; no host: nowhere."""

    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    starttls: bool = False
    tls: bool = False


MAIL_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
MAILBOX = re.compile(r"[^\s@<>]+@[^\s@<>]+")


def mail_server(name: str) -> MailServer:
    """A mail server: `smtp+tls://USER:PASSWORD@HOST` (STARTTLS), `smtps://` (TLS), `smtp://` (plain)."""
    value = text(name, "")
    if not value:
        return MailServer()
    try:
        url = urlsplit(value)
        port = url.port or MAIL_PORTS[url.scheme]
    except (KeyError, ValueError):
        url = urlsplit("")
    if not url.hostname or url.path.strip("/") or url.query:
        # The value is not repeated: there is a password in it.
        raise ImproperlyConfigured(
            f"{name}: say it as smtp+tls://USER:PASSWORD@mail.example.org:587 (also smtps:// or smtp://); "
            "signs such as @ or / in a password are written %40 and %2F."
        )
    user, password = unquote(url.username or ""), unquote(url.password or "")
    return MailServer(url.hostname, port, user, password, url.scheme == "smtp+tls", url.scheme == "smtps")


def mailbox(name: str, library: str, server: MailServer) -> str:
    """From whom mail comes: an address; where it is not said, the user at the mail server if it is one."""
    value = text(name, server.user if MAILBOX.fullmatch(server.user) else "")
    if not value and server.host:
        raise ImproperlyConfigured(f"{name}: say from which address mail comes, such as games@example.org.")
    if value and not MAILBOX.fullmatch(value):
        raise ImproperlyConfigured(f"{name}={value!r}: say one address, such as games@example.org.")
    return formataddr((library, value)) if value else ""


def secret(name: str, file: Path) -> str:
    """The variable, else the secret kept in `file`, made at the first run, readable by its owner only."""
    given = text(name, "")
    if given:
        return given
    try:
        return _kept_secret(file)
    except OSError as error:
        raise ImproperlyConfigured(
            f"Cannot keep the secret key in {file}: {error.strerror}. "
            "Make the folder writable, or name another one in LUDOTHECA_DATA."
        ) from error


def _kept_secret(file: Path) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        # Written whole beside its name and then linked: of two processes that start
        # together one wins, and the other reads the winner's.
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_urlsafe(50), encoding="ascii")
        try:
            os.link(draft, file)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return file.read_text(encoding="ascii").strip()
