"""Pieces on the pages, used as a volunteer uses them without JavaScript: tap, read, tap."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from catalogue import components
from catalogue.models import Component, Copy
from loans import care, counting, desk
from loans.models import DeskEvent, Loan, MissingPiece, PieceCount
from tests.loans.desk_page import Page
from tests.make import make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


@pytest.fixture(autouse=True)
def _in_english(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def page(client: Client) -> Page:
    client.force_login(make_user("manager"))
    return Page(client)


@pytest.fixture
def finca() -> Loan:
    """A box with three kinds of pieces, out with Camille for three weeks."""
    game = make_game("Finca", contents="108 fruits, 20 joueurs, 1 plan de jeu")
    return make_loan(make_copy(game, barcode="91300"), make_member(), now=timezone.now() - timedelta(days=20))


def test_a_return_asks_for_the_pieces_and_one_tap_says_complete(page: Page, finca: Loan) -> None:
    page.scan("91300")
    assert "Is everything there?" in page.text
    assert re.search(r"108\s+fruits", page.text)
    page.press("Complete")
    assert "Counted: complete" in page.text
    count = PieceCount.objects.get()
    assert (count.state, count.loan) == ("complete", finca)


def test_one_tap_for_each_missing_piece_and_one_back(page: Page, finca: Loan) -> None:
    page.scan("91300")
    page.press("fruits")
    page.press("fruits")
    assert "2 missing" in page.text
    assert MissingPiece.objects.get().quantity == 2
    page.press("One less is missing: fruits")
    assert "1 missing" in page.text
    page.press("One less is missing: fruits")
    assert "Counted: complete" in page.text
    assert not counting.open_questions().exists()


def test_a_tap_sent_twice_counts_once(page: Page, finca: Loan) -> None:
    tap = re.search(r'name="missing" value="(\d+:1)"', page.scan("91300").html)
    assert tap
    for _ in range(2):
        page.press("fruits", missing=tap[1])
    assert MissingPiece.objects.get().quantity == 1


def test_count_later_puts_the_box_in_the_queue_and_lending_it_warns(page: Page, finca: Loan) -> None:
    page.scan("91300").press("Count later")
    assert "Waits to be counted" in page.text
    queue = page.client.get("/desk/counting/").content.decode()
    assert "Camille Martin" in queue
    assert "91300" in queue

    later = timezone.now() + timedelta(minutes=5)
    done = desk.lend(finca.copy, make_member("Aminata Diallo"), act=make_act(now=later))
    lent = Page(page.client, f"/desk/?event={done.event.pk}")
    assert "Not counted since Camille Martin brought it back" in lent.text


def test_the_scanner_alone_says_complete_or_later(page: Page, finca: Loan) -> None:
    page.scan("91300").scan("LDT-COUNT")
    assert "Waits to be counted" in page.text
    page.scan("LDT-FULL")
    assert "Counted: complete" in page.text
    assert PieceCount.objects.get().state == "complete"
    assert "nothing to count" in Page(page.client).scan("LDT-FULL").text


def test_yes_to_a_return_means_that_all_is_there(page: Page, finca: Loan) -> None:
    page.scan("91300").scan("LDT-OK")
    assert PieceCount.objects.get().state == "complete"


def test_what_becomes_of_the_box_is_decided_in_the_answer(page: Page, finca: Loan) -> None:
    components.of(finca.copy.game)
    farmer = Component.objects.get(name="joueurs")
    components.correct(
        farmer, components.ComponentDraft(name="joueurs", count=20, price_cents=250, importance="key")
    )
    page.scan("91300").press("joueurs")
    assert Copy.objects.get().condition == "unplayable"
    assert "Camille Martin pays €2.50" in page.text
    page.press("Not playable: off the shelf", decision="shelf", charge="2.50")
    piece = MissingPiece.objects.get()
    assert (piece.decision, piece.charge_cents, Copy.objects.get().condition) == ("shelf", 250, "incomplete")
    assert "charged €2.50" in page.text
    assert "charged €2.50" in page.client.get("/desk/pieces/").content.decode()


def test_a_barcode_scanned_into_the_amount_is_no_charge(page: Page, finca: Loan) -> None:
    page.scan("91300").press("joueurs")
    piece = MissingPiece.objects.get()
    answer = page.client.post(f"/desk/pieces/{piece.pk}/decide/", {"decision": "shelf", "charge": "91300"})
    assert answer.status_code == 422
    assert 'value="91300"' in answer.content.decode()
    assert MissingPiece.objects.get().charge_cents == 0


def test_an_undone_return_has_nothing_to_count(page: Page, finca: Loan) -> None:
    page.scan("91300")
    event = DeskEvent.objects.get(action="check_in")
    desk.undo(event, act=make_act(now=timezone.now()))
    page.post(f"/desk/count/after/{event.pk}/complete/")
    assert "This return was undone" in page.text
    assert not PieceCount.objects.exists()


def test_a_box_without_a_list_asks_nothing(page: Page) -> None:
    make_loan(make_copy(barcode="91301"), now=timezone.now() - timedelta(days=3))
    assert "Is everything there?" not in page.scan("91301").text


def test_a_photo_is_kept_for_the_staff_and_nothing_else_is(page: Page, finca: Loan) -> None:
    page.scan("91300").press("Count later")
    address = f"/desk/count/{PieceCount.objects.get().pk}/photo/"
    script = SimpleUploadedFile("tray.png", b"<script>alert(1)</script>", "image/png")
    told = page.client.post(f"{address}keep/", {"photo": script}, follow=True).content.decode()
    assert "This file is no photo" in told
    assert page.client.get(address).status_code == 404

    page.client.post(f"{address}keep/", {"photo": SimpleUploadedFile("../../x.html", PNG, "text/html")})
    shown = page.client.get(address)
    assert shown["Content-Type"] == "image/png"
    assert shown.content == PNG
    assert Client().get(address).status_code == 302


def test_the_family_sees_the_missing_piece_on_its_card(page: Page, finca: Loan) -> None:
    page.scan("91300").press("joueurs")
    card = Page(page.client, f"/desk/?member={finca.member_id}")
    assert re.search(r"Missing: 1 joueurs", card.text)


def test_the_librarian_corrects_the_list_and_new_contents_keep_it(client: Client) -> None:
    client.force_login(make_user("librarian"))
    game = make_game("Finca", contents="108 fruits, 20 joueurs")
    address = f"/desk/pieces/list/{game.pk}/"
    assert client.get(address).status_code == 200
    fruits, farmers = game.components.all()
    sent: dict[str, Any] = {
        **row(fruits, name="fruits en bois", count="108", importance="ordinary", price="0,50", spares="3"),
        **row(farmers, name="joueurs", count="20", importance="key"),
        "new-name": "sac",
        "new-count": "1",
        "new-importance": "ordinary",
    }
    assert client.post(address, sent).status_code == 302
    named = {c.name: (c.count, c.importance, c.price_cents, c.spares) for c in components.of(game)}
    assert named == {
        "fruits en bois": (108, "ordinary", 50, 3),
        "joueurs": (20, "key", 0, 0),
        "sac": (1, "ordinary", 0, 0),
    }


def test_what_cannot_be_read_is_said_beside_the_field_and_kept(client: Client) -> None:
    client.force_login(make_user("librarian"))
    game = make_game("Finca", contents="108 fruits")
    (fruits,) = components.of(game)
    sent = row(fruits, name="fruits", count="108", importance="ordinary", price="two")
    answer = client.post(f"/desk/pieces/list/{game.pk}/", {**sent, "new-importance": "ordinary"})
    assert answer.status_code == 422
    assert 'value="two"' in answer.content.decode()
    assert "cannot be read as an amount" in answer.content.decode()


def test_the_label_lists_the_pieces_and_what_this_box_lacks(page: Page, finca: Loan) -> None:
    components.of(finca.copy.game)
    dice = Component.objects.get(name="joueurs")
    components.set_difference(finca.copy, dice, 19, note="still playable")
    text = page.client.get(f"/desk/pieces/label/{finca.copy_id}/").content.decode()
    assert "This box: 19 joueurs" in text
    assert "still playable" in text


def test_the_bank_of_spare_pieces_names_the_withdrawn_box(page: Page, finca: Loan) -> None:
    make_copy(finca.copy.game, barcode="1204.1", condition="withdrawn")
    components.of(finca.copy.game)
    text = page.client.get("/desk/spares/", {"q": "joueurs"}).content.decode()
    assert "1204.1" in text
    assert "fruits" not in text


def test_a_box_is_withdrawn_and_the_page_says_who_and_why(page: Page, finca: Loan) -> None:
    address = f"/desk/care/box/{finca.copy_id}/"
    page.client.post(address, {"move": "withdraw", "why": "the board is torn"})
    text = page.client.get(address).content.decode()
    assert "the board is torn" in text
    assert Copy.objects.get().condition == "withdrawn"


def test_what_a_box_is_due_is_said_done_where_the_loan_was_refused(page: Page, finca: Loan) -> None:
    page.scan("91300")
    draft = care.PlanDraft(
        kind="cleaning", what="Wash the fruits", copy=finca.copy, every_days=1, blocks=True
    )
    care.add_plan(draft, today=timezone.localdate() - timedelta(days=3))
    make_member("Aminata Diallo", card_number="20000043")
    page.scan("20000043").scan("91300")
    page.press("Lend it to Aminata Diallo", offer="lend")
    assert "Before this box goes out: Wash the fruits" in page.text
    page.press("> Wash the fruits")
    page.scan("91300").press("Lend it to Aminata Diallo", offer="lend")
    assert finca.copy.loans.filter(returned_at=None).exists()


def row(component: Component, **fields: str) -> dict[str, str]:
    return {f"piece-{component.pk}-{name}": value for name, value in fields.items()}
