"""How soon an edit is found in the running library, by the clock.

The library is served by `manage.py serve`, as it stands on a folder; one client saves a rules text as a
librarian's browser does, another asks the API for the new word until it is found. Called by `search_speed`.
"""

import importlib
import json
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

ROOT = Path(__file__).resolve().parent.parent
ACCOUNT = "benchmark-of-speed"
START_S, SEEN_S = 300.0, 60.0
"""So long a server may take to answer, and an edit to be found, before the run is given up."""
MARKER = "wvutsrq{}"


def edits_visible_ms(folder: Path, *, count: int) -> list[float]:
    """From before a librarian saves until another reader finds the new word, for so many edits.

    Django must be set up on the folder. The first edit warms up and is not counted.
    """
    password = secrets.token_urlsafe()
    _give_account(password)
    numbers = _texts(count + 1)
    with _server(folder) as address:
        librarian, reader = Librarian(address, password), build_opener()
        times = [_edit(address, librarian, reader, number) for number in numbers]
    return times[1:]


def _models() -> Any:
    return importlib.import_module("catalogue.models")


def _give_account(password: str) -> None:
    users = importlib.import_module("django.contrib.auth").get_user_model().objects
    users.filter(username=ACCOUNT).delete()
    users.create_superuser(ACCOUNT, password=password)


def _texts(count: int) -> list[int]:
    """Some texts, each of another game."""
    texts = _models().RulesText.objects.order_by("game", "pk").values_list("game", "pk")
    return list(dict(texts).values())[:count]


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """The address of the library, served until the block ends."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    told = {"LUDOTHECA_DATA": str(folder), "LUDOTHECA_DEMO": "0", "HOST": "127.0.0.1", "PORT": str(port)}
    command = [sys.executable, str(ROOT / "manage.py"), "serve"]
    server = subprocess.Popen(command, env={**os.environ, **told}, stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _await(address)
        yield address
    finally:
        server.terminate()
        server.wait(timeout=30)


def _await(address: str) -> None:
    end = time.monotonic() + START_S
    while True:
        try:
            build_opener().open(f"{address}/api/games/?limit=1", timeout=START_S).close()
        except URLError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)
        else:
            return


class Librarian:
    """A browser in which somebody has signed in who may edit."""

    def __init__(self, address: str, password: str) -> None:
        self.jar = CookieJar()
        self.browser = build_opener(HTTPCookieProcessor(self.jar))
        self.browser.open(f"{address}/accounts/login/").close()
        self.send(f"{address}/accounts/login/", username=ACCOUNT, password=password)

    def send(self, page: str, **fields: str) -> None:
        """Send a form."""
        token = next(cookie.value or "" for cookie in self.jar if cookie.name == "csrftoken")
        data = urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        self.browser.open(Request(page, data, {"Referer": page})).close()  # noqa: S310 - our own server


def _edit(address: str, librarian: Librarian, reader: OpenerDirector, number: int) -> float:
    """How long one edit took to be found, in ms."""
    text = _models().RulesText.objects.get(pk=number)
    marker = MARKER.format(secrets.token_hex(4).translate(str.maketrans("0123456789", "ghijklmnop")))
    body = f"{text.current.body}\n\n{marker}"
    before = time.perf_counter()
    page = f"{address}/catalogue/rules/{number}/"
    librarian.send(page, language=text.language, kind=text.kind, reading="typed", body=body)
    while not _is_found(address, reader, marker):
        if time.perf_counter() - before > SEEN_S:
            raise TimeoutError("What was edited is not found.")
    return 1000 * (time.perf_counter() - before)


def _is_found(address: str, reader: OpenerDirector, marker: str) -> bool:
    with reader.open(f"{address}/api/passages/?{urlencode({'q': marker})}") as answer:
        return any(marker in hit["body"] for hit in json.load(answer)["hits"])
