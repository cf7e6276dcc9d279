"""Scans made without network and sent later: what they mean then, and what a person should look at."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from catalogue.models import Copy
from loans import desk, kept
from loans.act import Act
from loans.kept import Became, Place
from loans.models import DeskEvent, KeptScan, Loan, Member
from tests.make import make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
NOW = timezone.now()
CARD, OTHER, FINCA, BEEP = "20000012", "20000029", "91300", "90859"


@pytest.fixture(autouse=True)
def library(settings: Settings) -> None:
    settings.LANGUAGE_CODE = "en"
    make_member("Camille Martin", card_number=CARD)
    make_member("Aminata Diallo", card_number=OTHER)
    make_copy(make_game("Finca"), barcode=FINCA)
    make_copy(make_game("Beep/ Beep/"), barcode=BEEP)


@pytest.fixture
def ines() -> User:
    return make_user("desk", "ines")


class Morning:
    """A desk without network: each scan a minute after the one before, all sent at NOW."""

    def __init__(self, by: User, *, began: timedelta = timedelta(hours=3)) -> None:
        self.by, self.place = by, Place()
        self.at = NOW - began

    def scan(self, *codes: str, seconds: int = 120) -> kept.Merged:
        for code in codes:
            self.at += timedelta(seconds=seconds)
            act = Act(by=self.by, now=NOW, nonce=f"{self.at:%H%M%S}", scanned=code, waited=NOW - self.at)
            merged = kept.merge(code, self.place, act)
            self.place = merged.after
        return merged


def borrowed() -> set[tuple[str, str]]:
    loans = Loan.objects.filter(returned_at=None)
    return set(loans.values_list("member__card_number", "copy__barcode"))


def listed() -> list[str]:
    """What is in the list: the reasons, or what was done."""
    rows = [row.event for row in kept.to_look_at()]
    return [event.refusals[0]["code"] if event.refusals else event.action for event in rows]


def copy(barcode: str) -> Copy:
    return Copy.objects.get(barcode=barcode)


def test_a_morning_is_merged_in_its_order(ines: User) -> None:
    make_loan(copy(BEEP), Member.objects.get(card_number=OTHER), now=NOW - timedelta(days=5))
    Morning(ines).scan(BEEP, CARD, FINCA, BEEP, "", OTHER)
    assert borrowed() == {(CARD, FINCA), (CARD, BEEP)}
    assert listed() == []


def test_a_loan_and_a_return_are_dated_by_their_scan(ines: User) -> None:
    morning = Morning(ines, began=timedelta(days=2))
    morning.scan(CARD, FINCA)
    loan = Loan.objects.get()
    assert loan.lent_at == morning.at
    morning.scan("", FINCA)
    loan.refresh_from_db()
    assert loan.returned_at == morning.at


def test_the_same_box_scanned_twice_in_a_moment_is_lent_once(ines: User) -> None:
    Morning(ines).scan(CARD, FINCA, FINCA, seconds=2)
    assert borrowed() == {(CARD, FINCA)}
    assert (Loan.objects.count(), listed()) == (1, [])


def test_the_same_return_scanned_twice_in_a_moment_asks_nothing(ines: User) -> None:
    make_loan(copy(FINCA), now=NOW - timedelta(days=5))
    Morning(ines).scan(FINCA, FINCA, seconds=2)
    assert (borrowed(), listed()) == (set(), [])


def test_a_scan_sent_twice_is_done_and_listed_once(ines: User) -> None:
    act = Act(by=ines, now=NOW, nonce="n", waited=timedelta(hours=1))
    camille = Place(Member.objects.get(card_number=CARD))
    for _ in range(2):
        kept.merge(FINCA, camille, act)
        kept.merge("unknown", camille, replace(act, nonce="u"))
    assert borrowed() == {(CARD, FINCA)}
    assert (DeskEvent.objects.count(), KeptScan.objects.count()) == (2, 1)


def test_a_box_lent_meanwhile_by_another_desk_is_listed_and_stays_where_it_is(ines: User) -> None:
    aminata = Member.objects.get(card_number=OTHER)
    make_loan(copy(FINCA), aminata, now=NOW - timedelta(minutes=20))
    Morning(ines).scan(CARD, FINCA)
    assert borrowed() == {(OTHER, FINCA)}
    assert listed() == ["moved_since_scan"]


def test_what_the_rules_refuse_is_listed_and_the_next_box_goes_on(ines: User) -> None:
    Copy.objects.filter(barcode=FINCA).update(condition="lost")
    Morning(ines).scan(CARD, FINCA, BEEP)
    assert borrowed() == {(CARD, BEEP)}
    assert listed() == ["copy_lost"]


def test_a_box_still_on_another_card_comes_back_and_is_listed(ines: User) -> None:
    make_loan(copy(FINCA), Member.objects.get(card_number=OTHER), now=NOW - timedelta(days=5))
    Morning(ines).scan(CARD, FINCA)
    assert (borrowed(), listed()) == (set(), ["check_in"])
    assert str(kept.to_look_at()[0].card) == "Camille Martin"


def test_behind_a_card_that_is_not_understood_no_box_goes_on_the_card_before(ines: User) -> None:
    Morning(ines).scan(CARD, FINCA, "2000002X", BEEP, OTHER)
    assert borrowed() == {(CARD, FINCA)}
    assert listed() == ["unknown_code", "card_unclear"]


def test_a_box_on_the_shelf_without_a_card_is_listed(ines: User) -> None:
    merged = Morning(ines).scan(FINCA)
    assert (merged.became, merged.to_look_at, listed()) == (Became.BOX, True, ["card_first"])


@pytest.mark.parametrize("end", ["", "LDT-DONE"])
def test_done_puts_the_card_away(ines: User, end: str) -> None:
    Morning(ines).scan(CARD, end, FINCA)
    assert (borrowed(), listed()) == (set(), ["card_first"])


def test_a_command_that_was_not_obeyed_is_listed(ines: User) -> None:
    Morning(ines).scan(CARD, "LDT-EXTEND", FINCA)
    assert (borrowed(), listed()) == ({(CARD, FINCA)}, ["not_a_kept_command"])


def test_a_device_with_a_wrong_clock_lends_nothing_ten_years_ago(ines: User) -> None:
    Morning(ines, began=timedelta(days=3000)).scan(CARD, FINCA)
    assert (borrowed(), listed()) == (set(), ["kept_too_long", "kept_too_long"])


def test_ticking_off_takes_it_from_the_list_and_forgets_whose_card_it_was(ines: User) -> None:
    Morning(ines).scan(CARD, "LDT-EXTEND")
    (row,) = kept.to_look_at()
    kept.settle(row, by=ines, now=NOW)
    row.refresh_from_db()
    assert (listed(), row.card, row.settled_by) == ([], None, ines)


def test_online_a_scan_of_seconds_ago_is_dated_now(ines: User) -> None:
    act = Act(by=ines, now=NOW, waited=timedelta(seconds=9))
    desk.scan_copy(copy(FINCA), Member.objects.get(card_number=CARD), act=act)
    assert Loan.objects.get().lent_at == NOW


def test_the_list_says_what_and_why_and_is_ticked_off(client: Client, ines: User) -> None:
    Morning(ines).scan(CARD, FINCA, "2000002X", BEEP)
    client.force_login(ines)
    page = client.get("/desk/kept/").content.decode()
    assert "2000002X" in page
    assert "was not understood" in page
    for row in kept.to_look_at():
        client.post(f"/desk/kept/{row.pk}/settle/")
    assert "Nothing to look at" in client.get("/desk/kept/").content.decode()


def test_the_desk_says_how_many_need_a_look(client: Client, ines: User) -> None:
    client.force_login(ines)
    assert 'id="desk-kept" hidden' in client.get("/desk/").content.decode()
    Morning(ines).scan(FINCA)
    assert 'id="desk-kept"><a href="/desk/kept/">' in client.get("/desk/").content.decode()


def test_over_http_scan_after_scan(client: Client, ines: User) -> None:
    client.force_login(ines)
    place: dict[str, object] = {}
    for number, code in enumerate((CARD, FINCA, "2000002X", BEEP)):
        given = {"nonce": f"n{number}", "code": code, "waited": 600 - number, **place}
        answer = client.post("/api/desk/scans/", given, content_type="application/json").json()
        place = {name: answer[name] for name in ("member", "unclear", "event")}
    assert (answer["became"], answer["to_look_at"], answer["list_length"]) == ("box", True, 2)
    assert borrowed() == {(CARD, FINCA)}


def test_over_http_nothing_is_done_in_another_account(client: Client, ines: User) -> None:
    client.force_login(ines)
    given = {"nonce": "n", "code": "2000002X", "waited": 600, "account": "margaux"}
    answer = client.post("/api/desk/scans/", given, content_type="application/json")
    assert (answer.status_code, answer.json()["account"]) == (409, "ines")
    assert not DeskEvent.objects.exists()


def test_the_page_that_devices_keep_knows_nobody(client: Client) -> None:
    client.force_login(make_user("desk", "margaux"))
    mine = client.get("/desk/offline/").content.decode()
    client.logout()
    nobodys = client.get("/desk/offline/")
    assert nobodys.status_code == 200
    assert "margaux" in mine
    assert "margaux" not in nobodys.content.decode()
