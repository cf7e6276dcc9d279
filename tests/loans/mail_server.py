"""A real mail server on this machine, which does what a test tells it to: takes mail, refuses, stalls, dies.

`post` is that server, and the settings name it. Mail that has arrived stands in `post.mails`.
"""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

DIES_BEFORE, DIES_AFTER, STALLS = "dies before", "dies after", "stalls"


class Post:
    """The handler: what it has got, and how it treats whom.

    `rcpt` and `data`: by address, the answer of the server ("550 no such user"), or a mishap. `once`: the
    mishap happens to the first mail alone.
    """

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.rcpt: dict[str, str] = {}
        self.data: dict[str, str] = {}
        self.once = False
        self.port = 0
        self.over = asyncio.Event()

    def to(self, address: str) -> list[EmailMessage]:
        """What has arrived for an address."""
        return [mail for mail in self.mails if mail["To"] == address]

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Take the address, or what the test wants."""
        answer = await self._answer(self.rcpt, address, server)
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Take the mail, or what the test wants. A server that dies after it has taken it keeps it."""
        address = envelope.rcpt_tos[0]
        wanted = self.data.get(address, "250")
        if wanted.startswith("2") or wanted in {DIES_AFTER, STALLS}:
            assert isinstance(envelope.content, bytes)
            mail = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
        return await self._answer(self.data, address, server)

    async def _answer(self, rules: dict[str, str], address: str, server: SMTP) -> str:
        wanted = rules.get(address, "250 OK")
        if self.once:
            rules.pop(address, None)
        if wanted in {DIES_BEFORE, DIES_AFTER}:
            transport: Any = server.transport
            transport.abort()
        elif wanted == STALLS:
            await self.over.wait()
        return wanted if wanted[0].isdigit() else "250 OK"


@pytest.fixture
def post(settings: Any) -> Iterator[Post]:
    """A mail server that runs for the test, and that the settings name."""
    handler = Post()
    controller = Controller(handler, hostname="127.0.0.1", port=free_port())
    controller.start()
    handler.port = controller.port
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", controller.port
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    settings.EMAIL_USE_TLS = settings.EMAIL_USE_SSL = False
    settings.EMAIL_TIMEOUT = 5
    settings.DEFAULT_FROM_EMAIL = "Ludotheca <games@example.org>"
    settings.LIBRARY_ADDRESS = "https://games.example.org"
    yield handler
    controller.loop.call_soon_threadsafe(handler.over.set)
    with suppress(AssertionError):
        controller.stop()


def free_port() -> int:
    """A port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
