"""The desk page's rarer actions, by command barcodes and by buttons."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from catalogue import links
from catalogue.draft import Doubt
from catalogue.models import Copy, Flag, Game, Kit
from loans import desk, desk_notes
from loans.calendar import local_date
from loans.models import DeskEvent, DeskNote, Loan, Member
from tests.loans.desk_page import Page
from tests.make import make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
CARD = "20000012"


@pytest.fixture(autouse=True)
def _in_english(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def page(client: Client) -> Page:
    client.force_login(make_user("desk"))
    return Page(client)


@pytest.fixture
def camille() -> Member:
    return make_member("Camille Martin", card_number=CARD)


@pytest.fixture
def finca() -> Copy:
    return make_copy(make_game("Finca"), barcode="91300")


def days_ago(days: int) -> dict[str, object]:
    return {"now": timezone.now() - timedelta(days=days)}


# --- commands ----------------------------------------------------------------------------------------


def test_the_sheet_shows_every_command_with_its_barcode(page: Page) -> None:
    html = page.client.get("/desk/commands/").content.decode()
    for code in ("LDT-OK", "LDT-UNDO", "LDT-DONE", "LDT-EXTEND", "LDT-DROP", "LDT-EVENT"):
        assert code in html
    assert html.count('class="command"') == html.count("<svg") - html.split("<main")[0].count("<svg")


def test_undo_takes_back_my_last_action_and_not_another_desks(
    page: Page, camille: Member, finca: Copy
) -> None:
    page.scan(CARD).scan("91300")
    other = make_loan(now=timezone.now())
    page.scan("LDT-UNDO")
    assert page.said == "Undone Finca 91300 Taken back: lent (Camille Martin)."
    assert Loan.objects.get(voided=False) == other


def test_undo_again_takes_back_the_one_before(page: Page, camille: Member, finca: Copy) -> None:
    make_copy(make_game("Safranito"), barcode="91340")
    page.scan(CARD).scan("91300").scan("91340").scan("LDT-UNDO").scan("LDT-UNDO")
    assert Loan.objects.filter(voided=True).count() == 2
    page.scan("ldt)undo")
    assert "nothing to undo" in page.said


def test_done_puts_the_card_away(page: Page, camille: Member) -> None:
    assert page.scan(CARD).scan("LDT-DONE").panel.card is None


def test_renew_all_shows_what_came_of_each_game(page: Page, camille: Member, finca: Copy) -> None:
    make_loan(finca, camille, **days_ago(3))  # type: ignore[arg-type]
    make_loan(make_copy(make_game("Safranito")), camille, now=timezone.now())
    page.scan(CARD).scan("LDT-EXTEND")
    assert [str(line.event.action) for line in page.panel.answers] == ["renew", "refuse"]
    assert page.panel.tone == "stop"
    assert "Renewing today would not give more time" in page.text


def test_renew_all_without_a_card_asks_for_one(page: Page) -> None:
    assert "scan the card, then the command" in page.scan("LDT-EXTEND").said


def test_renew_all_of_a_member_without_games_says_so(page: Page, camille: Member) -> None:
    assert "nothing to renew" in page.scan(CARD).scan("LDT-EXTEND").said


def test_the_receipt_of_the_open_card_is_one_command_away(page: Page, camille: Member, finca: Copy) -> None:
    page.scan(CARD).scan("91300")
    leads = page.client.post("/desk/scan/", {"scan": "LDT-RECEIPT", "member": str(camille.pk)})
    assert "Finca" in page.client.get(leads["Location"]).content.decode()
    assert "scan the card, then the command" in page.scan("").scan("LDT-RECEIPT").said


def test_yes_where_nothing_was_asked_changes_nothing(page: Page) -> None:
    assert "Nothing was asked" in page.scan("LDT-OK").said


def test_the_event_command_leads_to_the_games_days(page: Page) -> None:
    response = page.client.post("/desk/scan/", {"scan": "LDT-EVENT"})
    assert response["Location"] == "/desk/event/"
    panel = page.client.post("/desk/scan/", {"scan": "LDT-EVENT"}, headers={"hx-request": "true"})
    assert 'data-go="/desk/event/"' in panel.content.decode()


# --- what is still shown as out ----------------------------------------------------------------------


@pytest.mark.parametrize("yes", ["command", "button"])
def test_a_box_still_on_another_card_is_taken_back_and_offered_to_the_open_one(
    page: Page, camille: Member, finca: Copy, yes: str
) -> None:
    old = make_loan(finca, make_member("Liam O'Connor"), **days_ago(5))  # type: ignore[arg-type]
    page.scan(CARD).scan("91300")
    assert page.said.startswith("Back Finca 91300 From Liam")
    assert Loan.objects.filter(returned_at=None).count() == 0, "nothing is lent unasked"
    page.scan("LDT-OK") if yes == "command" else page.press("Lend it to Camille Martin")
    assert page.said.startswith("Lent Finca 91300 To Camille Martin")
    old.refresh_from_db()
    assert old.returned_at


def test_a_box_lent_at_another_desk_a_moment_ago_can_go_straight_to_this_card(
    page: Page, camille: Member, finca: Copy
) -> None:
    make_loan(finca, make_member("Liam O'Connor"), now=timezone.now())
    page.scan(CARD).scan("91300")
    assert page.said.startswith("Is it back?")
    page.press("It is back: lend it to Camille Martin")
    assert page.said.startswith("Lent Finca")
    assert Loan.objects.get(returned_at=None).member == camille


# --- terms -------------------------------------------------------------------------------------------


def test_a_shorter_term_holds_for_this_card_and_ends_with_it(page: Page, camille: Member) -> None:
    make_copy(barcode="91300")
    make_copy(barcode="91340")
    make_member(card_number="20000029")
    page.scan(CARD).scan("LDT-SHORT")
    assert "Lent until today" in page.text
    page.scan("91300").scan("20000029").scan("91340")
    today = local_date(timezone.now(), None)
    due = dict(Loan.objects.values_list("copy__barcode", "due_on"))
    assert due["91300"] == today
    assert due["91340"] > today


def test_a_term_chosen_before_the_card_is_for_the_next_card(page: Page, camille: Member, finca: Copy) -> None:
    page.scan("LDT-HOUSE").scan(CARD).scan("91300")
    assert "To be played here" in page.said
    assert Loan.objects.get().place == "house"
    assert "played here" in page.text


# --- the book drop -----------------------------------------------------------------------------------


def test_boxes_of_the_book_drop_came_back_on_its_day(page: Page, finca: Copy) -> None:
    loan = make_loan(finca, **days_ago(22))  # type: ignore[arg-type]
    page.scan("LDT-DROP").scan("91300")
    assert page.said == "Back Finca 91300 From Camille Martin."
    loan.refresh_from_db()
    assert loan.returned_at
    yesterday = local_date(timezone.now(), None) - timedelta(days=1)
    assert local_date(loan.returned_at, None) == yesterday
    assert "Book drop" in page.text, "the next box is of the book drop too"


def test_another_day_of_the_book_drop_before_the_loan_is_refused(page: Page, finca: Copy) -> None:
    loan = make_loan(finca, **days_ago(3))  # type: ignore[arg-type]
    day = (local_date(timezone.now(), None) - timedelta(days=9)).isoformat()
    page = Page(page.client, f"/desk/?drop={day}")
    page.scan("91300")
    assert "cannot have come back before" in page.said
    loan.refresh_from_db()
    assert loan.returned_at is None


def test_a_card_ends_the_book_drop(page: Page, camille: Member) -> None:
    assert page.scan("LDT-DROP").scan(CARD).panel.state.drop is None


# --- messages ----------------------------------------------------------------------------------------


def test_a_message_for_a_member_is_seen_with_the_card_until_somebody_has_dealt_with_it(
    page: Page, camille: Member
) -> None:
    page.scan(CARD).press("Leave it", note="Ask for the blue pawn")
    page.scan("").scan(CARD)
    assert "Ask for the blue pawn" in page.text
    page.press("Dealt with")
    assert "Ask for the blue pawn" not in page.text
    assert DeskNote.objects.get().settled_by


def test_a_message_about_a_box_is_seen_when_it_is_scanned(page: Page, finca: Copy) -> None:
    desk_notes.leave(finca, "Lid is torn", by=make_user("desk"), now=timezone.now())
    assert "Lid is torn" in page.scan("91300").text
    make_loan(finca, **days_ago(3))  # type: ignore[arg-type]
    assert "Lid is torn" in page.scan("91300").text


# --- a box that nobody has catalogued ----------------------------------------------------------------


def test_an_unknown_box_is_added_by_its_title_lent_and_put_on_the_cataloguers_list(
    page: Page, camille: Member
) -> None:
    page.scan(CARD).scan("77777").press("Add it and lend it", title="Quoridor")
    assert page.said.startswith("Lent Quoridor 77777 To Camille Martin")
    assert page.panel.card.member == camille
    flag = Flag.objects.get(game__title="Quoridor")
    assert flag.code == Doubt.QUICKLY_ADDED
    assert flag.detail.startswith("77777")


def test_an_unknown_box_without_a_card_is_added_and_asks_for_one(page: Page) -> None:
    page.scan("77777").press("Add it", title="Quoridor")
    assert page.said.startswith("Which card? Quoridor 77777")


def test_a_box_added_twice_is_one_box(page: Page) -> None:
    for _ in range(2):
        page.client.post("/desk/quick-add/", {"scan": "77777", "title": "Quoridor"})
    assert Game.objects.get().copies.count() == 1


def test_a_product_code_of_a_known_game_adds_a_box_to_it(page: Page) -> None:
    game = make_game("Finca", identifiers=("4010168202327",))
    page.client.post("/desk/quick-add/", {"scan": "4010168202327", "title": "Finca (2)"})
    assert Copy.objects.get().game == game


# --- expansions and kits -----------------------------------------------------------------------------


def test_an_expansion_says_which_base_game_it_needs(page: Page, camille: Member, finca: Copy) -> None:
    expansion = make_copy(make_game("Finca: El Razul"), barcode="91399")
    links.link_expansion(expansion.game, finca.game)
    page.scan(CARD).scan("91399")
    assert "Needs the base game: Finca." in page.said
    page.scan("91300").scan("LDT-UNDO").scan("91300")
    assert "Needs the base game" not in page.said


def test_an_expansion_with_its_base_game_at_home_needs_nothing(
    page: Page, camille: Member, finca: Copy
) -> None:
    expansion = make_copy(make_game("Finca: El Razul"), barcode="91399")
    links.link_expansion(expansion.game, finca.game)
    assert "Needs the base game" not in page.scan(CARD).scan("91300").scan("91399").said


@pytest.mark.parametrize("yes", ["command", "button"])
def test_one_box_of_a_kit_proposes_the_others(page: Page, camille: Member, finca: Copy, yes: str) -> None:
    stilts = make_copy(make_game("Stilts"), barcode="91500")
    links.save_kit(None, "Fair", [finca, stilts])
    page.scan(CARD).scan("91300")
    assert "Also in it: Stilts 91500" in page.said
    page.scan("LDT-OK") if yes == "command" else page.press("Lend the whole kit")
    assert Loan.objects.filter(member=camille, returned_at=None).count() == 2
    assert page.panel.tone == "ok"


def test_kits_are_made_changed_and_taken_apart(page: Page, finca: Copy) -> None:
    stilts = make_copy(barcode="91500")
    post = page.client.post
    post("/desk/kits/", {"name": "Fair", "boxes": "91300\n\n91500"})
    kit = Kit.objects.get()
    assert {box.copy for box in kit.boxes.all()} == {finca, stilts}
    wrong = post("/desk/kits/", {"name": "Other", "boxes": "91300"}).content.decode()
    assert "91300 is in the kit Fair" in wrong
    assert Kit.objects.count() == 1, "what is refused leaves nothing behind"
    post(f"/desk/kits/{kit.pk}/", {"name": "Fair", "boxes": "91500"})
    assert [box.copy for box in kit.boxes.all()] == [stilts]
    post(f"/desk/kits/{kit.pk}/", {"do": "remove"})
    assert not Kit.objects.exists()


# --- a list for a school -----------------------------------------------------------------------------


def test_a_list_is_lent_and_every_line_is_answered(page: Page, camille: Member, finca: Copy) -> None:
    make_copy(make_game("Stilts"), barcode="91500", condition="lost")
    page.post("/desk/list/", card=CARD, boxes="91300\n91500\n00000", term="today", nonce="n1")
    assert [str(line.event.action) for line in page.panel.answers] == ["lend", "refuse", "refuse"]
    assert Loan.objects.get().due_on == local_date(timezone.now(), None)


def test_a_list_for_no_card_keeps_what_was_typed(page: Page) -> None:
    html = page.client.post("/desk/list/", {"card": "nobody", "boxes": "91300"}).content.decode()
    assert "No single member has this card" in html
    assert "91300" in html
    assert not DeskEvent.objects.exists()


# --- the cost ----------------------------------------------------------------------------------------


def test_lending_and_taking_back_take_few_queries(
    camille: Member, finca: Copy, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    act = make_act(nonce="n1")
    with django_assert_max_num_queries(15):
        desk.lend(finca, camille, act=act)
    with django_assert_max_num_queries(15):
        desk.check_in(finca, act=make_act(act.by, nonce="n2"))
