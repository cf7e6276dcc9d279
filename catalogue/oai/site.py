"""Where the repository is and who keeps it: its address, its identifiers, its mail address."""

import re
from dataclasses import dataclass
from email.utils import parseaddr
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

DOMAIN = re.compile(r"[a-zA-Z][a-zA-Z0-9-]*(?:\.[a-zA-Z0-9][a-zA-Z0-9-]*)+")
NUMBER = re.compile(r"[1-9][0-9]{0,17}", re.ASCII)
MAILBOX = re.compile(r"\S+@(?:\S+\.)+\S+")
NOWHERE = "ludotheca.invalid"  # of a library that is reached under a bare name or number (RFC 2606)


@dataclass(frozen=True, slots=True)
class Site:
    """`root` is scheme and host, without a path."""

    root: str

    @property
    def domain(self) -> str:
        """The name under which the identifiers are unique."""
        host = urlsplit(self.root).hostname or ""
        return host if DOMAIN.fullmatch(host) else NOWHERE

    @property
    def mail(self) -> str:
        """Whom to write to about the repository."""
        address = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
        return address if MAILBOX.fullmatch(address) else f"library@{self.domain}"

    def address(self, name: str, *arguments: int) -> str:
        """The whole address of a page."""
        return self.root + reverse(name, args=arguments)

    def identifier(self, number: int) -> str:
        """`oai:games.example.org:42`."""
        return f"oai:{self.domain}:{number}"

    def number(self, identifier: str) -> int | None:
        """The inverse of `identifier`."""
        digits = identifier.removeprefix(f"oai:{self.domain}:")
        return int(digits) if digits != identifier and NUMBER.fullmatch(digits) else None


def of(request: HttpRequest) -> Site:
    """The site as the library calls it, else as it was asked for."""
    return Site(settings.LIBRARY_ADDRESS or f"{request.scheme}://{request.get_host()}")
