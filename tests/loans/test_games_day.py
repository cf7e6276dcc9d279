"""A games day: badges, tables, and everything back at the end."""

from datetime import timedelta

import pytest
from django.test import Client
from pytest_django import Settings

from loans import desk, games_day
from loans.games_day import Scanned
from loans.models import GamesDay, Loan, LoanPlace
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=1)


@pytest.fixture
def day() -> GamesDay:
    return games_day.open_day("Nuit du jeu", now=NOON)


def scan(day: GamesDay, code: str, *badges: str, at: timedelta = timedelta(0), nonce: str = "") -> Scanned:
    return games_day.scan_code(day, code, badges, act=make_act(now=NOON + at, nonce=nonce))


def players(loan: Loan) -> list[str]:
    return [str(player) for player in loan.players.all()]


def test_a_box_goes_to_the_badges_that_wait(day: GamesDay) -> None:
    make_member("Camille Martin", card_number="20000012")
    copy = make_copy(barcode="91300")
    assert scan(day, "17").badge == "17"
    assert scan(day, "20000012").badge == "20000012"
    done = scan(day, "91300", "17", "20000012").done
    assert done
    assert (done.loan.copy, done.loan.place) == (copy, LoanPlace.GAMES_DAY)
    assert players(done.loan) == ["17", "Camille Martin"]


def test_a_box_without_badges_comes_back(day: GamesDay) -> None:
    make_copy(barcode="91300")
    scan(day, "91300", "17")
    done = scan(day, "91300", at=timedelta(minutes=40)).done
    assert done
    assert done.loan.returned_at == NOON + timedelta(minutes=40)
    assert list(games_day.in_play(day)) == []


def test_a_box_scanned_twice_is_still_in_play(day: GamesDay) -> None:
    make_copy(barcode="91300")
    scan(day, "91300", "17")
    again = scan(day, "91300", at=timedelta(seconds=2)).done
    assert again
    assert again.repeated
    assert games_day.in_play(day).count() == 1


def test_the_next_table_takes_a_box_over(day: GamesDay) -> None:
    make_copy(barcode="91300")
    scan(day, "91300", "17")
    done = scan(day, "91300", "18", at=timedelta(minutes=40)).done
    assert done
    assert players(done.loan) == ["18"]
    assert Loan.objects.filter(returned_at=None).count() == 1


def test_a_scan_that_arrives_again_much_later_is_still_one_scan(day: GamesDay) -> None:
    make_copy(barcode="91300")
    hour = timedelta(hours=1)
    scan(day, "91300", "17")
    taken_over, again = (scan(day, "91300", "18", at=hour * n, nonce="n1").done for n in (1, 2))
    assert taken_over
    assert again
    assert (again.repeated, again.loan) == (True, taken_over.loan)
    assert games_day.in_play(day).get() == taken_over.loan
    back, back_again = (scan(day, "91300", at=hour * n, nonce="n2").done for n in (3, 4))
    assert back
    assert back_again
    assert (back_again.repeated, back_again.event) == (True, back.event)


def test_a_box_of_the_house_may_be_played_and_a_lost_one_not(day: GamesDay) -> None:
    make_copy(barcode="91300", condition="not_for_loan")
    make_copy(barcode="91301", condition="lost")
    assert scan(day, "91300", "17").done
    with pytest.raises(desk.Refused, match=r"^copy_lost$"):
        scan(day, "91301", "17")


def test_a_badge_number_is_no_damaged_label(day: GamesDay) -> None:
    make_copy(barcode="00017")
    assert scan(day, "17").badge == "17"


def test_a_long_code_that_nobody_knows_is_no_badge(day: GamesDay) -> None:
    with pytest.raises(desk.Refused, match=r"^unknown_code$"):
        scan(day, "4010168202327")


def test_a_box_in_play_is_not_lent_to_a_family_meanwhile(day: GamesDay) -> None:
    copy = make_copy(barcode="91300")
    scan(day, "91300", "17")
    with pytest.raises(desk.Refused, match=r"^copy_on_loan$"):
        desk.lend(copy, make_member(), act=make_act(now=LATER))


def test_at_the_end_everything_comes_back_once(day: GamesDay) -> None:
    family = make_loan(now=NOON)
    for barcode in ("91300", "91301", "91302"):
        make_copy(make_game(barcode), barcode=barcode)
        scan(day, barcode, "17")
    events = games_day.close(day, act=make_act(now=LATER))
    assert len(events) == 3
    assert games_day.close(day, act=make_act(now=LATER)) == ()
    day.refresh_from_db()
    assert day.closed_at == LATER
    assert list(Loan.objects.filter(returned_at=None)) == [family]


def test_the_page_says_how_many_boxes_the_end_took_back(
    day: GamesDay, client: Client, settings: Settings
) -> None:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("desk"))
    make_copy(barcode="91300")
    scan(day, "91300", "17")
    page = client.post(f"/desk/event/{day.pk}/close/", {"nonce": "end"}, follow=True).content.decode()
    assert "1 game was taken back. Nothing is in play any more." in page
