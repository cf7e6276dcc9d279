"""The desk page, used as a volunteer uses it without JavaScript: type or scan, Enter, read the answer."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format
from pytest_django import DjangoAssertNumQueries, Settings

from catalogue.models import Copy
from loans import desk, members
from loans.models import DeskEvent, Loan, Member
from tests.loans.desk_page import Page
from tests.make import (
    make_act,
    make_block,
    make_copy,
    make_game,
    make_loan,
    make_member,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _in_english(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"


@pytest.fixture
def page(client: Client) -> Page:
    client.force_login(make_user("desk"))
    return Page(client)


@pytest.fixture
def managers_page(client: Client) -> Page:
    client.force_login(make_user("manager"))
    return Page(client)


@pytest.fixture
def camille() -> Member:
    return make_member("Camille Martin", card_number="20000012")


@pytest.fixture
def finca() -> Copy:
    return make_copy(make_game("Finca"), barcode="91300")


# --- who may ---------------------------------------------------------------------------------------


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    response = client.get("/desk/")
    assert response.status_code == 302
    assert "/accounts/login/" in response["Location"]


@pytest.mark.parametrize("url", ["/desk/", "/desk/scan/", "/desk/undo/1/", "/desk/check-in/1/"])
def test_a_member_may_not_use_the_desk(client: Client, url: str) -> None:
    client.force_login(make_user())
    assert client.get(url).status_code in {403, 405}
    assert client.post(url).status_code in {403, 405}


# --- lending and taking back -------------------------------------------------------------------------


def test_a_card_opens_the_member_a_box_is_lent_and_comes_back(
    page: Page, camille: Member, finca: Copy
) -> None:
    page.scan("20000012")
    assert page.panel.card.member == camille
    page.scan("91300")
    assert page.said.startswith("Lent Finca 91300 To Camille Martin, back by")
    assert page.panel.card.member == camille
    page.scan("")
    assert page.panel.card is None
    page.scan("91300")
    assert page.said == "Back Finca 91300 From Camille Martin."
    assert Loan.objects.get().returned_at


def test_a_box_comes_back_with_another_family_at_the_desk(page: Page, camille: Member, finca: Copy) -> None:
    make_loan(finca, make_member("Liam O'Connor"), now=timezone.now() - timedelta(days=30))
    page.scan("20000012").scan("91300")
    assert "Back Finca 91300 From Liam O&#x27;Connor. 9 days late" in page.said
    assert page.panel.card.member == camille


def test_a_box_on_the_shelf_says_what_it_is_and_asks_for_a_card(page: Page, finca: Copy) -> None:
    page.scan("91300")
    assert "Which card? Finca 91300 This box is on the shelf." in page.said
    assert not DeskEvent.objects.exists()


def test_a_box_scanned_twice_is_lent_once_and_not_taken_back(
    page: Page, camille: Member, finca: Copy
) -> None:
    page.scan("20000012").scan("91300").scan("91300")
    assert "This was done already" in page.said
    assert Loan.objects.get().returned_at is None


def test_a_return_scanned_twice_is_not_lent_to_the_family_at_the_desk(
    page: Page, camille: Member, finca: Copy
) -> None:
    make_loan(finca, now=timezone.now() - timedelta(days=3))
    page.scan("20000012").scan("91300").scan("91300")
    assert "This was done already" in page.said
    assert not Loan.objects.filter(returned_at=None).exists()


@pytest.mark.parametrize("between", ["20000012", "91340", "99999", "martin"])
def test_a_box_that_has_just_come_back_is_not_lent_unasked_whatever_is_on_show(
    page: Page, camille: Member, finca: Copy, between: str
) -> None:
    make_copy(make_game("Safranito"), barcode="91340")
    make_loan(finca, now=timezone.now() - timedelta(days=3))
    page.scan("20000012").scan("91300").scan(between)
    if page.panel.card is None:
        page.scan("20000012")
    page.scan("91300")
    assert "Lend it again?" in page.said
    assert not Loan.objects.filter(copy=finca, returned_at=None).exists()
    page.press("Lend it to Camille Martin", again="lend")
    assert page.said.startswith("Lent Finca")
    assert Loan.objects.get(copy=finca, returned_at=None).member == camille


def test_a_box_that_another_volunteer_took_back_is_lent_at_once(
    page: Page, camille: Member, finca: Copy
) -> None:
    make_loan(finca, now=timezone.now() - timedelta(days=3))
    desk.check_in(finca, act=make_act(now=timezone.now()))
    page.scan("20000012").scan("91300")
    assert Loan.objects.get(returned_at=None).member == camille


def test_a_kept_scan_of_a_box_that_has_moved_since_is_asked_about(
    page: Page, camille: Member, finca: Copy
) -> None:
    page.scan("20000012")
    make_loan(finca, camille, now=timezone.now() - timedelta(minutes=20))
    page.post("/desk/scan/", **{**page.fields(), "scan": "91300", "waited": "3600"})
    assert "This scan was kept since" in page.said
    assert Loan.objects.get().returned_at is None


@pytest.mark.parametrize("waited", ["-1", "x", "9" * 18, ""])
def test_how_long_a_scan_has_waited_may_be_nonsense(
    page: Page, camille: Member, finca: Copy, waited: str
) -> None:
    page.scan("20000012").post("/desk/scan/", **{**page.fields(), "scan": "91300", "waited": waited})
    assert Loan.objects.get().member == camille


def test_enter_pressed_twice_on_one_page_is_one_scan(page: Page, camille: Member, finca: Copy) -> None:
    page.scan("20000012")
    fields = page.fields()
    for _ in range(2):
        page.post("/desk/scan/", scan="91300", **fields)
    assert DeskEvent.objects.count() == 1
    assert Loan.objects.get().returned_at is None


def test_a_box_that_another_desk_lent_a_moment_ago_is_asked_about(
    page: Page, camille: Member, finca: Copy
) -> None:
    loan = make_loan(finca, make_member("Aminata Diallo"), now=timezone.now())
    page.scan("20000012").scan("91300")
    assert "Is it back?" in page.said
    assert "Aminata Diallo" in page.said
    loan.refresh_from_db()
    assert loan.returned_at is None
    page.press("It is back")
    assert not Loan.objects.filter(returned_at=None).exists()
    assert page.panel.card.member == camille


def test_two_windows_of_one_volunteer_do_not_share_the_open_member(
    client: Client, page: Page, camille: Member, finca: Copy
) -> None:
    other = Page(client)
    page.scan("20000012")
    other.scan("91300")
    assert "Which card?" in other.said
    assert not Loan.objects.exists()


# --- what is not understood --------------------------------------------------------------------------


def test_an_unknown_code_puts_the_open_card_away_and_is_kept(
    page: Page, camille: Member, finca: Copy
) -> None:
    page.scan("20000012").scan("99999")
    assert "No card and no box has the code 99999." in page.said
    assert page.panel.card is None
    assert page.panel.aside == camille
    assert DeskEvent.objects.get().scanned == "99999"
    page.scan("91300")
    assert not Loan.objects.exists()


def test_the_card_that_was_put_away_is_one_click_away(
    page: Page, client: Client, camille: Member, finca: Copy
) -> None:
    page.scan("20000012").scan("99999")
    link = re.search(r'href="([^"]+)" data-go-on>Go on with Camille', page.html)
    assert link
    page = Page(client, link[1])
    page.scan("91300")
    assert Loan.objects.get().member == camille


def test_a_name_offers_members_to_choose_from(page: Page, camille: Member) -> None:
    page.scan("martin")
    assert page.panel.question.members == (camille,)
    assert f'href="/desk/?member={camille.pk}"' in page.html


def test_the_code_on_the_box_asks_which_copy_and_lends_the_chosen_one(page: Page, camille: Member) -> None:
    game = make_game("Beep", identifiers=("4005556234363",))
    make_copy(game, barcode="1")
    second = make_copy(game, barcode="2")
    page.scan("20000012").scan("4005556234363")
    assert "Which one?" in page.said
    page.press(f'value="{second.pk}"')
    assert Loan.objects.get().copy == second


def test_nothing_that_is_typed_becomes_markup(page: Page, camille: Member, finca: Copy) -> None:
    members.update_member(camille, members.MemberDraft(card_number="1", last_name="<b>x</b>"))
    make_block(camille, "<script>1</script>")
    page.scan("1").scan("91300").scan("<script>alert(1)</script>")
    assert "<script>1" not in page.html
    assert "<script>alert" not in page.html
    assert "<b>x" not in page.html


@pytest.mark.parametrize("query", ["member=999", "event=999&copy=7", "member=x&event=", f"member={'9' * 40}"])
def test_an_address_that_points_nowhere_shows_the_empty_desk(page: Page, query: str) -> None:
    assert Page(page.client, f"/desk/?{query}").said.startswith("Ready")


# --- refusals and waivers ----------------------------------------------------------------------------


def test_all_reasons_stand_in_words_with_the_remedy(page: Page, finca: Copy) -> None:
    make_policy(max_loans=0)
    make_member("Eva Roth", card_number="5", block_reason="Key lost")
    Copy.objects.update(condition="lost")
    page.scan("5").scan("91300")
    assert page.said.startswith("Not done Finca 91300")
    assert re.findall(r'<li data-code="(\w+)">', page.answer) == [
        "copy_lost",
        "member_blocked",
        "loan_limit_reached",
    ]
    assert "Key lost" in page.said
    assert "put it in service in the catalogue" in page.said
    assert "Set the refusal aside" not in page.html


def test_blocks_late_games_and_the_limit_are_seen_before_the_first_scan(page: Page, finca: Copy) -> None:
    member = make_member("Eva Roth", card_number="5")
    loan = make_loan(finca, member, now=timezone.now() - timedelta(days=30))
    make_block(member, "Key lost")
    page.scan("5")
    assert [told.refusal.code for told in page.panel.card.warnings] == [
        "member_blocked",
        "member_has_late_loans",
    ]
    assert page.panel.card.loans[0].loan == loan
    assert "9 days late" in page.text


def test_a_volunteer_cannot_waive(page: Page, finca: Copy) -> None:
    make_member(card_number="5", block_reason="Unpaid")
    page.scan("5").scan("91300")
    assert "Set the refusal aside" not in page.html
    event = DeskEvent.objects.get()
    assert page.client.post(f"/desk/waive/{event.pk}/", {"reason": "I want to"}).status_code == 403
    assert not Loan.objects.exists()


def test_a_manager_waives_with_a_reason_that_stays(managers_page: Page, finca: Copy) -> None:
    page = managers_page
    make_member(card_number="5", block_reason="Unpaid")
    page.scan("5").scan("91300").press("Set the refusal aside", reason="12345")
    assert "Say in words why" in page.said
    assert not Loan.objects.exists()
    page.scan("91300").press("Set the refusal aside", reason="Paid just now")
    assert page.said.startswith("Lent Finca")
    assert "Paid just now" in page.said
    assert DeskEvent.objects.get(action="lend").waive_reason == "Paid just now"


# --- renewing, undoing, the journal ----------------------------------------------------------------


def test_a_loan_is_renewed_from_the_members_card(page: Page, camille: Member, finca: Copy) -> None:
    make_loan(finca, camille, now=timezone.now() - timedelta(days=5))
    page.scan("20000012").press("Renew")
    assert page.said.startswith("Renewed Finca 91300 Camille Martin: now back by")
    assert Loan.objects.get().renewals == 1


def test_the_last_ten_actions_are_in_sight_each_with_its_undo(page: Page, camille: Member) -> None:
    make_policy(max_loans=99)
    for number in range(12):
        make_loan(make_copy(make_game(f"Game {number}")), camille, now=timezone.now())
    page.scan("20000012")
    assert [line.event.copy.game.title for line in page.panel.journal] == [
        f"Game {n}" for n in range(11, 1, -1)
    ]
    assert page.html.count("/desk/undo/") == 10
    assert len(Page(page.client, "/desk/?all=1").panel.journal) == 12


def test_refusals_push_no_undo_out_of_sight(page: Page, camille: Member, finca: Copy) -> None:
    page.scan("20000012").scan("91300")
    stranger = make_user("desk")
    for number in range(15):
        page.scan(f"unknown {number}")
        with pytest.raises(desk.Refused):
            desk.check_in(make_copy(), act=make_act(stranger, now=timezone.now()))
    assert [line.event.scanned for line in page.panel.journal] == [
        *("unknown 14", "unknown 13", "unknown 12"),
        "91300",
    ]
    page.press("Undo")
    assert page.said.startswith("Undone Finca")
    assert [line.undone for line in page.panel.journal] == [False, False, False, True]


def test_what_a_member_renews_at_home_does_not_crowd_the_desk(page: Page, camille: Member) -> None:
    loan = make_loan(member=camille, now=timezone.now() - timedelta(days=5))
    desk.renew(loan, act=make_act(now=timezone.now(), at_desk=False))
    assert [line.event.action for line in page.scan("20000012").panel.journal] == ["lend"]


def test_undo_of_a_loan_puts_the_box_back_on_the_shelf(page: Page, camille: Member, finca: Copy) -> None:
    page.scan("20000012").scan("91300").press("Undo")
    assert page.said == "Undone Finca 91300 Taken back: lent (Camille Martin)."
    assert Loan.objects.get().voided
    assert "/desk/undo/" not in page.html
    assert page.panel.card.loans == ()


def test_only_the_latest_change_of_a_box_offers_its_undo(page: Page, camille: Member, finca: Copy) -> None:
    page.scan("20000012").scan("91300").scan("").scan("91300")
    assert page.html.count("/desk/undo/") == 1


def test_an_undo_that_comes_too_late_says_why(page: Page, camille: Member, finca: Copy) -> None:
    lent = desk.lend(finca, camille, act=make_act(now=timezone.now()))
    page = Page(page.client)
    desk.check_in(finca, act=make_act(now=timezone.now()))
    page.press("Undo")
    assert "Something has happened to this box since" in page.said
    assert lent.loan == Loan.objects.get()


def test_a_page_takes_few_queries_however_many_loans(
    page: Page, camille: Member, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_policy(max_loans=99)
    for _ in range(15):
        make_loan(member=camille, now=timezone.now())
        with pytest.raises(desk.Refused):
            make_loan(make_copy(condition="lost"), camille, now=timezone.now())
    # The whole page; the answer to a scan does without the number of kept scans.
    with django_assert_max_num_queries(16):
        page.client.get(f"/desk/?member={camille.pk}&all=1")


# --- the script's side -------------------------------------------------------------------------------


def test_the_script_gets_the_panel_alone_with_its_address(page: Page, camille: Member, finca: Copy) -> None:
    response = page.client.post("/desk/scan/", {"scan": "20000012"}, headers={"hx-request": "true"})
    html = response.content.decode()
    assert response.status_code == 200
    assert "<html" not in html
    assert f'data-url="/desk/?member={camille.pk}"' in html
    assert "data-hold" not in html


@pytest.mark.parametrize("code", ["99999", "91300", "martin"])
def test_a_question_or_refusal_holds_back_the_scans_that_wait(
    page: Page, camille: Member, finca: Copy, code: str
) -> None:
    response = page.client.post("/desk/scan/", {"scan": code}, headers={"hx-request": "true"})
    assert "data-hold" in response.content.decode()


# --- a member's own page -----------------------------------------------------------------------------


@pytest.fixture
def me(client: Client, camille: Member) -> Client:
    user = make_user()
    members.update_member(camille, members.MemberDraft(card_number="20000012", last_name="Martin", user=user))
    client.force_login(user)
    return client


def test_a_member_sees_own_loans_only(me: Client, camille: Member, finca: Copy) -> None:
    make_loan(finca, camille, now=timezone.now())
    make_loan(make_copy(make_game("Safranito")), now=timezone.now())
    html = me.get("/desk/me/").content.decode()
    assert "Finca" in html
    assert "21 days left" in html
    assert "Safranito" not in html


def test_a_member_renews_once_per_click(me: Client, camille: Member, finca: Copy) -> None:
    loan = make_loan(finca, camille, now=timezone.now() - timedelta(days=5))
    for _ in range(2):
        assert me.post(f"/desk/me/renew/{loan.pk}/", {"nonce": "n1"}).status_code == 302
    loan.refresh_from_db()
    assert loan.renewals == 1


def test_a_renewal_says_until_when(me: Client, camille: Member, finca: Copy) -> None:
    loan = make_loan(finca, camille, now=timezone.now() - timedelta(days=5))
    html = me.post(f"/desk/me/renew/{loan.pk}/", follow=True).content.decode()
    loan.refresh_from_db()
    assert f"Finca is renewed and now due on {date_format(loan.due_on, 'DATE_FORMAT')}." in html


def test_a_renewal_that_is_refused_says_why(me: Client, camille: Member, finca: Copy) -> None:
    loan = make_loan(finca, camille, now=timezone.now() - timedelta(days=25))
    html = me.post(f"/desk/me/renew/{loan.pk}/").content.decode()
    assert "Finca was not renewed" in html
    assert 'data-code="loan_late"' in html


def test_another_members_loan_does_not_exist(me: Client) -> None:
    loan = make_loan(now=timezone.now() - timedelta(days=5))
    assert me.post(f"/desk/me/renew/{loan.pk}/").status_code == 404
    loan.refresh_from_db()
    assert loan.renewals == 0


def test_an_account_without_a_card_is_told_to_ask_at_the_desk(client: Client) -> None:
    client.force_login(make_user())
    assert "Ask at the desk" in client.get("/desk/me/").content.decode()


def test_a_person_with_the_permission_alone_may_use_the_desk(client: Client) -> None:
    user = make_user()
    user.user_permissions.add(Permission.objects.get(codename="use_desk"))
    client.force_login(user)
    assert client.get("/desk/").status_code == 200


def test_a_box_that_no_card_can_borrow_does_not_ask_for_one(page: Page) -> None:
    make_copy(make_game("Uptown"), barcode="91311", condition="not_for_loan")
    page.scan("91311")
    assert "Which card?" not in page.said
    assert "Uptown" in page.said


def test_an_answer_whose_action_was_undone_says_so(page: Page, camille: Member, finca: Copy) -> None:
    page.scan("20000012").scan("91300")
    lent = DeskEvent.objects.get()
    page.press("Undo")
    shown = Page(page.client, f"/desk/?event={lent.pk}")
    assert "undone" in shown.said


def test_an_action_of_another_day_shows_its_date(page: Page, finca: Copy) -> None:
    lent = timezone.now() - timedelta(days=30)
    make_loan(finca, now=lent)
    page.scan("91300")
    returned, older = re.findall(r"<time[^>]*>(.*?)</time>", page.html)[:2]
    assert returned.count(" ") == 0
    assert date_format(timezone.localtime(lent), "SHORT_DATE_FORMAT") in older


@pytest.mark.parametrize("role", ["desk", ""])
def test_the_desk_kept_for_later_has_its_store_once(client: Client, role: str) -> None:
    if role:
        client.force_login(make_user(role))
    assert client.get("/desk/offline/").content.decode().count("js/desk_store") == 1
