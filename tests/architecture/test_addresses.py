"""Every address of the site is either meant for everybody, by name, or refuses a stranger.

A new page that forgets its permission fails here, without anyone having to think of a test for it.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

PUBLIC = {
    # the public catalogue
    "ask",
    "asked",
    "home",
    "suggestions",
    "game",
    "rules-text",
    "rules-revision",
    "rules-history",
    "rules-diff",
    "rules-section",
    "rules-beside",
    "document",
    # at the table: printed on boxes, taken along
    "short",
    "short-qr",
    "short-label",
    "game-bundle",
    "manifest",
    "worker",
    "offline",
    "loans:offline-desk",
    # in letters and calendars: signed or secret, each is its own key
    "mail:renew",
    "mail:stop",
    "mail:calendar",
    # the same for programs
    "search-api:games",
    "search-api:game",
    "search-api:passages",
    "search-api:rules-texts",
    "search-api:suggestions",
    "search-api:rules",
    "search-api:rules-passages",
    "search-api:rules-passage",
    # for other libraries: harvested, searched
    "oai",
    "sru",
    # signing in and out, and what belongs to it
    "login",
    "logout",
    "password_reset",
    "password_reset_done",
    "password_reset_confirm",
    "password_reset_complete",
    "admin:login",
    "admin:logout",
    "set_language",
    # the description of the interface for programs
    "api-schema",
    "api-docs",
}
SAMPLES = {"int": "1", "str": "x", "slug": "x", "path": "x", "uuid": "00000000-0000-0000-0000-000000000000"}
PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")
NAMED_GROUP = re.compile(r"\(\?P<\w+>.*?\)")


@dataclass(frozen=True)
class Address:
    """One pattern of the resolver: its full name, and a path that it takes."""

    name: str
    path: str


def addresses(
    patterns: list[URLPattern | URLResolver], prefix: str = "/", space: str = ""
) -> Iterator[Address]:
    """All addresses below a resolver."""
    for entry in patterns:
        path = prefix + sample(str(entry.pattern))
        if isinstance(entry, URLResolver):
            inner = f"{space}{entry.namespace}:" if entry.namespace else space
            yield from addresses(entry.url_patterns, path, inner)
        else:
            yield Address(f"{space}{entry.name or entry.lookup_str}", path)


def sample(pattern: str) -> str:
    """A path that fits a pattern."""
    path = PARAMETER.sub(lambda m: SAMPLES[m[1] or "str"], NAMED_GROUP.sub("x", pattern))
    return path.replace("^", "").replace("$", "").replace(r"\.", ".").replace("\\Z", "")


GUARDED = sorted(
    {a for a in addresses(get_resolver().url_patterns) if a.name not in PUBLIC}, key=lambda a: a.path
)


def is_refusal(response: object) -> bool:
    """Whether a stranger was sent away: to sign in, or with 401 or 403."""
    status = getattr(response, "status_code", 0)
    return status in {401, 403} or (status == 302 and "/login/" in getattr(response, "url", ""))


@pytest.mark.django_db
@pytest.mark.parametrize("address", GUARDED, ids=lambda a: a.name)
def test_a_stranger_is_refused(client: Client, address: Address) -> None:
    answers = [client.get(address.path), client.post(address.path), client.delete(address.path)]
    answered = [r for r in answers if r.status_code != 405]
    assert answered, f"{address.path} answers to no method"
    assert [r.status_code for r in answered if not is_refusal(r)] == []


def test_every_public_name_exists() -> None:
    names = {a.name for a in addresses(get_resolver().url_patterns)}
    assert sorted(PUBLIC - names) == []


def test_every_address_stands_once() -> None:
    """What is included twice works, and misleads whoever looks for it."""
    theirs = {"login"}  # ours stands before the one that comes with Django's other addresses
    counted = Counter(a for a in addresses(get_resolver().url_patterns) if a.name not in theirs)
    assert [address for address, times in counted.items() if times > 1] == []
