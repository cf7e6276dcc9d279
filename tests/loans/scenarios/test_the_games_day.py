"""The games day: a hall full of tables, one laptop at the counter, badges made of numbers and of cards."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from loans.models import Loan, Player
from tests.loans.desk_page import Page
from tests.make import make_copy, make_game, make_member, make_user

pytestmark = pytest.mark.django_db


class Counter(Page):
    """The counter's page: the same box as at the desk, with badges that wait for a game."""

    def fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().fields()
        badges = [line.split('"')[0] for line in self.html.split('name="badge" value="')[1:]]
        return {**fields, "badge": badges}

    def scan(self, code: str) -> "Counter":
        self.post(f"{self.address}scan/", scan=code, **self.fields())
        return self

    @property
    def address(self) -> str:
        """Where this day's pages are."""
        address: str = self.html.split('id="desk-form"')[1].split('action="')[1].split("scan/")[0]
        return address

    @property
    def in_play(self) -> str:
        html: str = self.client.get(f"{self.address}in-play/").content.decode()
        return html


def test_the_games_day(client: Client, settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("desk"))
    make_member("Aminata Diallo", card_number="20000029")
    for barcode, title in (("91300", "Finca"), ("91340", "Safranito"), ("90859", "Beep/ Beep/")):
        make_copy(make_game(title), barcode=barcode)

    # In the morning a volunteer scans the command at the desk and begins the day.
    assert client.post("/desk/scan/", {"scan": "LDT-EVENT"})["Location"] == "/desk/event/"
    counter = Counter(client, client.post("/desk/event/", {"name": "Fête du jeu"})["Location"])

    # Two children with numbers and a mother with her card take Finca; a friend joins when they sit already.
    counter.scan("12").scan("13").scan("20000029")
    assert "Which game?" in counter.said
    counter.scan("91300")
    assert "In play Finca 91300" in counter.said
    counter.scan("14")
    assert "At the table: 12 13 Aminata Diallo 14" in counter.said
    counter.scan("")

    # The next table takes Safranito. Whoever looks at the list sees both.
    counter.scan("21").scan("91340")
    assert "2 games in play" in counter.in_play
    assert "Aminata Diallo" in counter.in_play

    # A box without a badge is not given away, and the page says how to.
    counter.scan("").scan("90859")
    assert "Not done" in counter.said
    assert "scan a badge first" in counter.said

    # Finca comes back, and goes out again at once to somebody else.
    Loan.objects.update(lent_at="2025-03-04T10:00Z", lent_on="2025-03-04")
    counter.scan("91300")
    assert "Back Finca" in counter.said
    counter.scan("31").scan("91300")
    assert "In play Finca" in counter.said

    # No due date, no limit, nothing late; and at the end one button brings everything home.
    counter.post(f"{counter.address}close/", nonce="end")
    assert "0 games in play" in counter.in_play
    assert not Loan.objects.filter(returned_at=None).exists()
    assert Player.objects.count() == 6
