"""Addresses that are printed: the short address of a rules text, `/r/12`, under the library's public name.

Where the settings say no name, the one under which the page itself was asked for. What the address answers
is `search.short`'s business.
"""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse


@dataclass(frozen=True, slots=True)
class Address:
    """A short address: as the QR code says it, and as a person reads and types it."""

    url: str
    letters: str
    is_local: bool  # leads nowhere but on the machine that printed it


def address(request: HttpRequest, pk: int) -> Address:
    """The short address of text `pk`: under the name that the settings say, else under the one asked for."""
    url = absolute(request, reverse("short", args=[pk]))
    letters = url.partition("://")[2]
    is_local = letters.startswith(("localhost", "127.0.0.1", "[::1]"))
    return Address(url, letters, is_local)


def absolute(request: HttpRequest, path: str) -> str:
    """A path as an address that others can open: behind a proxy the settings or its headers say the name."""
    return (settings.LIBRARY_ADDRESS or f"{request.scheme}://{request.get_host()}") + path
