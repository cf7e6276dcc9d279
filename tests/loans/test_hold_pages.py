"""The pages of holds, bookings and transfers, at the desk and for a member alone."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from catalogue.models import Branch, Game
from loans import desk, holds
from loans.models import Booking, DeskEvent, Hold, HoldEvent, Loan, Member, Transfer
from tests.make import make_act, make_block, make_copy, make_game, make_member, make_user

pytestmark = pytest.mark.django_db
ENGLISH = {"accept-language": "en"}


def get(client: Client, path: str) -> str:
    """A page."""
    answer = client.get(path, headers=ENGLISH, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def post(client: Client, path: str, **fields: object) -> str:
    """What is shown after a form was sent."""
    answer = client.post(path, fields, headers=ENGLISH, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def lent_game(title: str = "Finca") -> Game:
    """A game whose one box is out."""
    game = make_game(title)
    desk.lend(make_copy(game, "04127"), make_member(), act=make_act(now=timezone.now() - timedelta(days=2)))
    return game


def waiting(game: Game, name: str) -> Hold:
    """A member in the queue."""
    return holds.place_hold(game, make_member(name), act=make_act(now=timezone.now()))


@pytest.fixture
def at_desk(client: Client) -> Client:
    """A volunteer's browser."""
    client.force_login(make_user("desk"))
    return client


@pytest.fixture
def member(client: Client) -> Member:
    """A member who is signed in with `client`."""
    user = make_user()
    client.force_login(user)
    return make_member("Zoé Blanc", user=user)


# --- the member --------------------------------------------------------------------------------


def test_a_member_is_told_the_place_before_and_after(client: Client, member: Member) -> None:
    game = lent_game()
    waiting(game, "Aminata Diallo")
    html = get(client, f"/games/{game.pk}/")
    assert "1 member waits for this game." in html
    assert "You would be at place 2 of the queue." in html
    assert "Diallo" not in html
    html = post(client, f"/desk/me/hold/{game.pk}/")
    assert "You wait at place 2 of the queue." in html
    assert "You are at place 2 of the queue." in html


def test_a_box_on_the_shelf_is_set_aside_at_the_press_of_the_button(client: Client, member: Member) -> None:
    game = make_copy().game
    assert "Set it aside for me" in get(client, f"/games/{game.pk}/")
    assert "A box is set aside for you." in post(client, f"/desk/me/hold/{game.pk}/")
    html = get(client, f"/games/{game.pk}/")
    assert "on the hold shelf" in html
    assert "on the shelf</span>" not in html


def test_a_stranger_is_asked_to_sign_in_and_comes_back_to_the_game(client: Client) -> None:
    game = lent_game()
    assert f"/accounts/login/?next=/games/{game.pk}/" in get(client, f"/games/{game.pk}/")


def test_a_game_is_reserved_in_one_place_of_its_page(client: Client, member: Member) -> None:
    assert get(client, f"/games/{lent_game().pk}/").count('id="hold"') == 1


def test_a_game_without_a_box_has_no_button(client: Client, member: Member) -> None:
    assert "hold-head" not in get(client, f"/games/{make_game().pk}/")


def test_why_a_member_may_not_reserve_stands_in_place_of_the_button(client: Client, member: Member) -> None:
    make_block(member, starts_on=timezone.localdate())
    html = get(client, f"/games/{lent_game().pk}/")
    assert "This card is blocked: Key lost." in html
    assert "Put me in the queue" not in html


def test_a_member_gives_up_a_place_and_nobody_elses(client: Client, member: Member) -> None:
    game = lent_game()
    mine = holds.place_hold(game, member, act=make_act(now=timezone.now()))
    other = waiting(game, "Aminata Diallo")
    assert "Give up my place" in get(client, "/desk/me/")
    assert client.post(f"/desk/me/holds/{other.pk}/cancel/").status_code == 404
    assert "You no longer wait for Finca." in post(client, f"/desk/me/holds/{mine.pk}/cancel/")
    assert list(Hold.objects.filter(state="waiting")) == [other]


def test_a_member_who_chooses_a_branch_fetches_it_there(client: Client, member: Member) -> None:
    game = make_game()
    north, south = (make_copy(game, branch=name).branch for name in ("North", "South"))
    assert north
    assert south
    assert "Where do you fetch it?" in get(client, f"/games/{game.pk}/")
    post(client, f"/desk/me/hold/{game.pk}/", branch=south.pk)
    hold = Hold.objects.get()
    assert hold.branch == south
    assert hold.copy
    assert hold.copy.branch == south


# --- the desk ----------------------------------------------------------------------------------


def test_complaint_8_the_desk_says_for_whom_a_returned_box_is_kept(at_desk: Client) -> None:
    waiting(lent_game(), "Aminata Diallo")
    html = post(at_desk, "/desk/scan/", scan="04127")
    assert "Put it on the hold shelf for Aminata Diallo" in html
    assert 'class="kept-for' in html


def test_a_box_scanned_without_a_card_says_for_whom_it_is_kept(at_desk: Client) -> None:
    game = make_copy(barcode="04127").game
    waiting(game, "Aminata Diallo")
    html = post(at_desk, "/desk/scan/", scan="04127")
    assert "Kept for a member" in html
    assert "Put it on the hold shelf for Aminata Diallo" in html


def test_the_hold_shelf_page_lists_what_is_to_be_done(at_desk: Client) -> None:
    to_fetch = waiting(make_copy(make_game("Safranito")).game, "Aminata Diallo")
    ready = waiting(lent_game(), "Jean Dupont")
    desk.check_in(ready.game.copies.get(), act=make_act(now=timezone.now()))
    waiting(ready.game, "Zoé Blanc")
    html = get(at_desk, "/desk/holds/")
    parts = html.split("<h2")
    assert "Safranito" in parts[1]
    assert "Jean Dupont" in parts[2]
    assert "1 waits" in parts[3]
    html = post(at_desk, f"/desk/holds/{to_fetch.pk}/shelve/")
    assert "Nothing to fetch." in html


def test_a_lapsed_hold_is_let_go_on_the_page(at_desk: Client) -> None:
    hold = waiting(lent_game(), "Jean Dupont")
    desk.check_in(hold.game.copies.get(), act=make_act(now=timezone.now()))
    Hold.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    html = post(at_desk, "/desk/holds/expire/")
    assert "Not fetched in time: 1." in html
    assert "Take them off the hold shelf" in html
    assert "The hold shelf is empty." in html
    assert HoldEvent.objects.filter(action="lapsed").exists()
    assert "nothing was let go of" in post(at_desk, "/desk/holds/expire/")


def test_a_hold_is_moved_up_with_a_reason_and_not_without(at_desk: Client) -> None:
    game = lent_game()
    first, second = waiting(game, "Jean Dupont"), waiting(game, "Aminata Diallo")
    html = post(at_desk, f"/desk/holds/{second.pk}/move/", place="1", reason="")
    assert "Say in words why" in html
    post(at_desk, f"/desk/holds/{second.pk}/move/", place="1", reason="Birthday on Sunday")
    assert Hold.objects.get(pk=second.pk).position == 1
    post(at_desk, f"/desk/holds/{second.pk}/move/", place="last", reason="Can wait")
    assert Hold.objects.get(pk=first.pk).position == 1
    post(at_desk, f"/desk/holds/{first.pk}/cancel/", reason="asked by telephone")
    assert Hold.objects.get(pk=second.pk).position == 1


def test_the_desk_reserves_for_a_member_by_card_or_name(at_desk: Client) -> None:
    game, member = lent_game(), make_member("Aminata Diallo", "30001234")
    html = post(at_desk, f"/desk/holds/game/{game.pk}/", card="30001234")
    assert "Aminata Diallo waits at place 1 of the queue." in html
    html = post(at_desk, f"/desk/holds/game/{game.pk}/", card="nobody has this")
    assert "No card has this number" in html
    assert 'value="nobody has this"' in html
    Hold.objects.update(placed_at=timezone.now() - timedelta(hours=1))
    html = post(at_desk, f"/desk/holds/game/{game.pk}/", card=member.card_number)
    assert "This member waits for this game already." in html


# --- bookings and transfers ----------------------------------------------------------------------


def test_a_booking_is_made_shown_and_cancelled(at_desk: Client) -> None:
    game, member = make_copy(make_game("Finca"), "04127").game, make_member("School of Ayent")
    day = timezone.localdate() + timedelta(days=20)
    fields = {"game": "04127", "card": member.card_number, "copies": 1, "buffer_days": 1, "note": "Class 4"}
    fields |= {"from_on": day.isoformat(), "to_on": (day + timedelta(days=4)).isoformat()}
    assert "Booked." in post(at_desk, "/desk/bookings/", nonce="a", **fields)
    assert "Class 4" in get(at_desk, "/desk/bookings/")
    html = post(at_desk, "/desk/bookings/", nonce="b", **fields)
    assert "kept free before and after: 0 of the 1 asked for." in html
    assert "Ask for fewer copies, or choose other days." in html
    assert 'value="Class 4"' in html
    booking = Booking.objects.get()
    assert "cancelled" in post(at_desk, f"/desk/bookings/{booking.pk}/")
    assert game.bookings.get().state == "cancelled"


def test_a_booking_names_the_loans_that_may_not_be_back(at_desk: Client) -> None:
    game = lent_game()
    day = timezone.localdate() + timedelta(days=5)
    fields = {"game": "Finca", "card": make_member("School of Ayent").card_number, "copies": 1}
    fields |= {"from_on": day.isoformat(), "to_on": day.isoformat(), "buffer_days": 0}
    html = post(at_desk, "/desk/bookings/", **fields)
    assert "These boxes may not be back in time." in html
    assert "04127" in html
    assert game.bookings.exists()


@pytest.mark.parametrize("day", ["", "31.2.2030", "0002-01-01", "99999-01-01"])
def test_days_that_cannot_be_are_named_beside_the_field(at_desk: Client, day: str) -> None:
    html = post(at_desk, "/desk/bookings/", game="x", card="x", copies="0", from_on=day, to_on=day)
    assert html.count("field__error") >= 4


def test_a_box_is_sent_and_received_by_its_label(at_desk: Client) -> None:
    copy, south = make_copy(barcode="04127", branch="North"), Branch.objects.create(name="South", key="south")
    html = post(at_desk, "/desk/transfers/", do="send", box="04127", to_branch=south.pk)
    assert Transfer.objects.filter(received_at=None).exists()
    assert "No box is on its way." not in html
    html = post(at_desk, "/desk/transfers/", do="receive", box="4127")
    assert f"{copy.game} has come to South." in html
    html = post(at_desk, "/desk/transfers/", do="receive", box="04127")
    assert "This box was not on its way" in html


def test_a_box_that_is_wanted_elsewhere_is_sent_from_the_list(at_desk: Client) -> None:
    copy = make_copy(barcode="04127", branch="North")
    south = Branch.objects.create(name="South", key="south")
    member = make_member("Jean Dupont")
    hold = holds.place_hold(copy.game, member, branch=south, act=make_act(now=timezone.now()))
    assert "It is on its way to South" in get(at_desk, "/desk/holds/")
    post(at_desk, f"/desk/holds/{hold.pk}/send/")
    html = post(at_desk, "/desk/transfers/", do="receive", box="04127")
    assert "Put 04127 on the hold shelf for Jean Dupont." in html
    assert Hold.objects.get().state == "ready"


def test_a_loan_that_is_booked_soon_is_proposed_for_the_shorter_time(at_desk: Client) -> None:
    game, member = make_copy(make_game("Finca"), "04127").game, make_member("Aminata Diallo")
    day = timezone.localdate() + timedelta(days=10)
    fields = {"game": "04127", "card": make_member("School of Ayent").card_number, "copies": 1}
    fields |= {"from_on": day.isoformat(), "to_on": day.isoformat(), "buffer_days": 0}
    post(at_desk, "/desk/bookings/", **fields)
    html = post(at_desk, "/desk/scan/", scan="04127", member=member.pk)
    assert "This game is booked" in html
    assert "Lend it to Aminata Diallo for the shorter time" in html
    event = DeskEvent.objects.get(tried="lend")
    html = post(at_desk, f"/desk/accept/{event.pk}/", offer="before_booking", member=member.pk)
    assert Loan.objects.get(copy__game=game).due_on == day - timedelta(days=1)


def test_a_box_on_its_way_says_so_and_leads_to_where_it_is_received(at_desk: Client) -> None:
    make_copy(barcode="04127", branch="North")
    south = Branch.objects.create(name="South", key="south")
    post(at_desk, "/desk/transfers/", do="send", box="04127", to_branch=south.pk)
    html = post(at_desk, "/desk/scan/", scan="04127")
    assert "Send it to South" in html
    assert "/desk/transfers/?box=04127" in html
    assert 'value="04127"' in get(at_desk, "/desk/transfers/?box=04127")


def test_the_open_member_sees_what_is_ready_before_the_first_scan(at_desk: Client) -> None:
    hold = waiting(lent_game(), "Aminata Diallo")
    assert "Waits for Finca at place 1" in get(at_desk, f"/desk/?member={hold.member_id}")
    desk.check_in(hold.game.copies.get(), act=make_act(now=timezone.now()))
    assert "On the hold shelf until" in get(at_desk, f"/desk/?member={hold.member_id}")


def test_the_night_lets_go_of_what_was_not_fetched(capsys: pytest.CaptureFixture[str]) -> None:
    hold = waiting(lent_game(), "Jean Dupont")
    desk.check_in(hold.game.copies.get(), act=make_act(now=timezone.now()))
    Hold.objects.update(expires_on=timezone.localdate() - timedelta(days=1))
    call_command("holds", "expire")
    assert capsys.readouterr().out == "1 holds were not fetched in time.\n"
    assert Hold.objects.get().state == "lapsed"
