"""Complaints about other systems, by their numbers in docs/complaints.md, that had no test of their own yet.

And: the table there names only tests that there are.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from catalogue.models import Copy
from loans import desk, games_day, holds, quick, scan, sets, steps
from loans.act import Act, Refused
from loans.desk_state import DeskState
from loans.models import DeskAction, DeskEvent, Loan, Member
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_policy, make_user

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "docs" / "complaints.md").read_text()


def test_every_test_that_the_table_names_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", TABLE)
    gone = [f"{path}::{name}" for path, name in named if f"def {name}(" not in (ROOT / path).read_text()]
    assert named
    assert gone == []


def test_every_complaint_has_its_line() -> None:
    assert [int(number) for number in re.findall(r"^\| (\d+) ", TABLE, re.M)] == list(range(1, 26))


# --- 2: a path that skips the rules ----------------------------------------------------------------

Way = Callable[[Copy, Member, Act], object]


def _by_api(copy: Copy, member: Member, act: Act) -> None:
    client = Client()
    client.force_login(act.by)
    sent = {"barcode": copy.barcode, "card_number": member.card_number}
    assert client.post("/api/loans/", sent, "application/json").status_code == 409


def _on_the_page(copy: Copy, member: Member, act: Act) -> None:
    steps.scanned_copy(copy, DeskState(member=member.pk), act)


def _added_quickly(copy: Copy, member: Member, act: Act) -> None:
    """Its label typed as that of a new game."""
    desk.lend(quick.add_box(copy.barcode, "Another title", act=act), member, act=act)


def _on_a_games_day(copy: Copy, _member: Member, act: Act) -> None:
    day = games_day.open_day("Nuit du jeu", now=act.now)
    games_day.scan_code(day, copy.barcode, ("17",), act=act)


WAYS: dict[str, Way] = {
    "lend": lambda copy, member, act: desk.lend(copy, member, act=act),
    "scan": lambda copy, member, act: desk.scan_copy(copy, member, act=act),
    "page": _on_the_page,
    "swap": lambda copy, member, act: sets.swap(copy, member, act=act),
    "list": lambda copy, member, act: sets.lend_many([copy.barcode], member, act=act),
    "kit": lambda copy, member, act: sets.lend_copies([copy], member, act=act),
    "quick-add": _added_quickly,
    "games day": _on_a_games_day,
    "API": _by_api,
}


@pytest.mark.django_db
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("why", ["copy_held_for_other", "copy_lost"])
def test_complaint_2_no_way_to_lend_skips_the_rules(way: str, why: str) -> None:
    copy = make_copy(barcode="91300", condition="lost" if why == "copy_lost" else "in_service")
    act = make_act()
    if why == "copy_held_for_other":
        holds.place_hold(copy.game, make_member(), act=act)
    with suppress(Refused):
        WAYS[way](copy, make_member(), act)
    assert not Loan.objects.exists()
    (event,) = DeskEvent.objects.all()
    assert (event.action, event.refusals[0]["code"]) == (DeskAction.REFUSE, why)


@pytest.mark.django_db
def test_complaint_9_no_way_to_renew_skips_who_waits(client: Client) -> None:
    loan, by = make_loan(), make_user("desk")
    holds.place_hold(loan.copy.game, make_member(), act=make_act(by))
    with pytest.raises(Refused, match="somebody_waits"):
        desk.renew(loan, act=make_act(by, NOON + timedelta(days=3)))
    (event,) = sets.renew_all(loan.borrower, act=make_act(by, NOON + timedelta(days=3)))
    client.force_login(by)
    answer: Any = client.post("/api/renewals/", {"loan": loan.pk}, "application/json")
    assert event.action == DeskAction.REFUSE
    assert answer.json()["code"] == "somebody_waits"
    assert Loan.objects.get().renewals == 0


# --- the others ------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("hour", [0, 1, 2, 3, 22, 23])
@pytest.mark.parametrize("day", [(2027, 3, 27), (2027, 3, 28), (2027, 10, 30), (2027, 10, 31)])
def test_complaint_5_a_loan_near_a_change_of_clocks_is_due_after_its_days(
    day: tuple[int, int, int], hour: int
) -> None:
    now = datetime(*day, hour, 30, tzinfo=UTC)
    loan = make_loan(now=now)
    assert (loan.due_on - loan.lent_on).days == 21


@pytest.mark.django_db
def test_complaint_6_the_due_day_itself_is_not_late() -> None:
    make_policy(late_fee_per_day=100)
    loan = make_loan()
    on_the_day = NOON + timedelta(days=(loan.due_on - loan.lent_on).days)
    desk.lend(make_copy(), loan.borrower, act=make_act(now=on_the_day))
    with pytest.raises(Refused, match="member_has_late_loans"):
        desk.lend(make_copy(), loan.borrower, act=make_act(now=on_the_day + timedelta(days=1)))


@pytest.mark.django_db
@pytest.mark.parametrize("limit", [1, 2, 3])
def test_complaint_10_the_limit_is_the_number_that_it_says(limit: int) -> None:
    make_policy(max_loans=limit)
    member = make_member()
    events = sets.lend_many([make_copy().barcode for _ in range(limit + 1)], member, act=make_act())
    assert [event.action for event in events] == [DeskAction.LEND] * limit + [DeskAction.REFUSE]


@pytest.mark.django_db
def test_complaint_12_blanks_and_zeros_of_a_label_are_text() -> None:
    copy = make_copy(barcode="0012")
    assert scan.read_copy("  0012 ").copies == (copy,)
    assert copy.barcode == "0012"


@pytest.mark.django_db
def test_complaint_24_a_name_that_looks_like_a_date_or_a_number_stays_a_name() -> None:
    game = make_game("2024-01-01")
    copy = make_copy(game, barcode="1E5")
    assert make_member("April 1").last_name == "1"
    assert scan.read_copy("1E5").copies == (copy,)
    game.refresh_from_db()
    assert game.title == "2024-01-01"
