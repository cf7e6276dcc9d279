"""A morning at the desk: a volunteer, a scanner, a book drop, and the families as they come."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans import desk_notes
from loans.calendar import local_date
from loans.models import DeskAction, DeskEvent, Loan
from tests.loans.desk_page import Page
from tests.make import make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db

MARTIN, DIALLO, OCONNOR = "20000012", "20000029", "20000036"


@pytest.fixture
def page(client: Client, settings: Settings) -> Page:
    """The desk at half past nine: three families, five boxes, three of them out, and a message."""
    settings.LANGUAGE_CODE = "en"
    now = timezone.now()
    martin = make_member("Camille Martin", card_number=MARTIN)
    diallo = make_member("Aminata Diallo", card_number=DIALLO)
    oconnor = make_member("Liam O'Connor", card_number=OCONNOR)
    titles = {
        "91300": "Finca",
        "91340": "Safranito",
        "90859": "Beep/ Beep/",
        "91500": "Stilts",
        "91311": "Uptown",
    }
    games = {barcode: make_copy(make_game(title), barcode=barcode) for barcode, title in titles.items()}
    make_loan(games["91300"], diallo, now=now - timedelta(days=22))
    make_loan(games["91340"], martin, now=now - timedelta(days=10))
    make_loan(games["91311"], oconnor, now=now - timedelta(days=5))
    desk_notes.leave(martin, "The blue pawn was found", by=make_user("desk"), now=now)
    client.force_login(make_user("desk"))
    return Page(client)


def test_a_morning_at_the_desk(page: Page) -> None:
    the_book_drop_and_the_martins(page)
    a_box_from_another_card_and_a_table_in_the_house(page)
    a_donated_game_and_a_strange_keyboard(page)
    what_is_out_at_noon()


def the_book_drop_and_the_martins(page: Page) -> None:
    # Before the doors open the book drop is emptied: Finca was due yesterday, and lay in the drop yesterday.
    page.scan("LDT-DROP").scan("91300")
    assert page.said == "Back Finca 91300 From Aminata Diallo."
    page.scan("LDT-DONE")

    # The Martins: what there is to say is seen with the card. They keep Safranito and take two more.
    page.scan(MARTIN)
    assert "The blue pawn was found" in page.text
    page.press("Dealt with")
    page.press("Renew")
    page.scan("91300")
    assert page.said.startswith("Lend it again?"), "it lay in the drop a moment ago: was it scanned twice?"
    page.scan("LDT-OK").scan("90859")
    assert [line.loan.copy.game.title for line in page.panel.card.loans] == [
        "Safranito",
        "Finca",
        "Beep/ Beep/",
    ]

    # One box too many, one command: it was never lent.
    page.scan("LDT-UNDO")
    assert page.said.startswith("Undone Beep/ Beep/")
    page.scan("")


def a_box_from_another_card_and_a_table_in_the_house(page: Page) -> None:
    # Aminata brings Uptown to the counter from the shelf, yet it is still on the O'Connors' card.
    page.scan(DIALLO).scan("91311")
    assert page.said.startswith("Back Uptown 91311 From Liam")
    page.scan("LDT-OK")
    assert page.said.startswith("Lent Uptown 91311 To Aminata Diallo")

    # Her children play Beep/ Beep/ at the big table while she waits.
    page.scan("LDT-HOUSE").scan("90859")
    assert "By Aminata Diallo, back today." in page.said
    page.scan("LDT-DONE")


def a_donated_game_and_a_strange_keyboard(page: Page) -> None:
    # A donated game nobody has catalogued goes out all the same; the cataloguer will find it on the list.
    page.scan(OCONNOR).scan("77777").press("Add it and lend it", title="Quoridor")
    assert page.said.startswith("Lent Quoridor 77777 To Liam")
    page.scan("LDT-DONE")

    # A scanner that believes in another keyboard, a label in lower case, a scan too many: nothing is lost.
    page.scan(MARTIN).scan("LDT)EXTEND")
    assert [str(line.event.action) for line in page.panel.answers] == ["refuse", "refuse"]
    page.scan(" 9 1 5 0 0 ").scan("91500")
    assert "This was done already" in page.said


def what_is_out_at_noon() -> None:
    # At noon: what is out, with whom, and how long.
    out = {
        (loan.copy.game.title, str(loan.member)): (loan.due_on - local_date(timezone.now(), None)).days
        for loan in Loan.objects.filter(returned_at=None).select_related("copy__game", "member")
    }
    assert out == {
        ("Safranito", "Camille Martin"): 21,
        ("Finca", "Camille Martin"): 21,
        ("Stilts", "Camille Martin"): 21,
        ("Uptown", "Aminata Diallo"): 21,
        ("Beep/ Beep/", "Aminata Diallo"): 0,
        ("Quoridor", "Liam O'Connor"): 21,
    }
    assert DeskEvent.objects.filter(action=DeskAction.UNDO).count() == 1
