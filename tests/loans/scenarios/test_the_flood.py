"""A burst pipe closes the branch for twelve days, into the spring holiday; it opens again early.

The library opens on Wednesdays and Saturdays. Loans are re-dated after a look at what would move, the
closure of the holiday adds up with that of the flood, and when it is all over nothing is late that was not.
"""

from datetime import UTC, date, datetime, timedelta

import pytest

from loans import closures, desk
from loans.closures import Because, Change, ClosureDraft
from loans.models import Closure, Loan
from tests.make import make_act, make_copy, make_loan, make_opening, make_user

pytestmark = pytest.mark.django_db

LENT = datetime(2027, 3, 10, 14, 0, tzinfo=UTC)  # a Wednesday: due in three weeks, on 31 March
BURST = datetime(2027, 3, 29, 7, 30, tzinfo=UTC)
FLOOD = ClosureDraft(first_on=date(2027, 3, 29), last_on=date(2027, 4, 9), reason="Burst pipe")
HOLIDAY = ClosureDraft(first_on=date(2027, 4, 5), last_on=date(2027, 4, 18), reason="Spring holiday")


@pytest.fixture
def loans() -> dict[str, Loan]:
    """Five games that are at home when the pipe bursts, by the day on which they are due."""
    make_opening("FREQ=WEEKLY;BYDAY=WE,SA")
    days = {"before": -7, "in the flood": 0, "in the flood too": 0, "on the last day": 7, "after": 14}
    return {name: make_loan(now=LENT + timedelta(days=ahead)) for name, ahead in days.items()}


def due(loans: dict[str, Loan]) -> dict[str, date]:
    """When each is due now."""
    return {name: Loan.objects.get(pk=loan.pk).due_on for name, loan in loans.items()}


def late(day: date) -> int:
    """How many games are late on a day."""
    return Loan.objects.filter(returned_at=None, due_on__lt=day).count()


def test_the_flood(loans: dict[str, Loan]) -> None:
    manager = make_user("manager")
    assert due(loans) == {
        "before": date(2027, 3, 24),
        "in the flood": date(2027, 3, 31),
        "in the flood too": date(2027, 3, 31),
        "on the last day": date(2027, 4, 7),
        "after": date(2027, 4, 14),
    }
    promised = due(loans)

    # Monday morning, water on the floor. What would a closure move? Nothing is written yet.
    flood = Change(new=(FLOOD,))
    seen = closures.plan(flood, now=BURST)
    assert [(move.due_before.day, move.due_after.day) for move in seen.moves] == [(31, 10), (31, 10), (7, 10)]
    assert due(loans) == promised

    # Yes, do it: those three are due on the first Saturday after, the others stay.
    closures.apply(flood, by=manager, now=BURST, seen=seen.seen)
    assert due(loans) == promised | {
        "in the flood": date(2027, 4, 10),
        "in the flood too": date(2027, 4, 10),
        "on the last day": date(2027, 4, 10),
    }

    # Somebody remembers the spring holiday, which begins before the flood is to end.
    seen = closures.plan(Change(new=(HOLIDAY,)), now=BURST)
    assert {move.due_after for move in seen.moves} == {date(2027, 4, 21)}
    assert len(seen.moves) == 4
    closures.apply(Change(new=(HOLIDAY,)), by=manager, now=BURST, seen=seen.seen)
    after_holiday = date(2027, 4, 21)
    assert due(loans) == promised | {
        "in the flood": after_holiday,
        "in the flood too": after_holiday,
        "on the last day": after_holiday,
        "after": after_holiday,
    }

    # One family brings its game to the side door.
    plumber = datetime(2027, 4, 1, 16, 0, tzinfo=UTC)
    desk.check_in(loans["in the flood too"].copy, act=make_act(manager, plumber))

    # Friday 2 April: the floor is dry a week early. Lift the closure: the holiday still demands its part.
    dry = datetime(2027, 4, 2, 9, 0, tzinfo=UTC)
    lifted = Change(old=Closure.objects.get(reason="Burst pipe"))
    seen = closures.plan(lifted, now=dry)
    assert [each.because for each in seen.left_alone] == [Because.RETURNED]
    closures.apply(lifted, by=manager, now=dry, seen=seen.seen)
    # Promised for 31 March, which is over: no game becomes late, it is due on the next open day.
    assert due(loans)["in the flood"] == date(2027, 4, 3)
    assert due(loans)["on the last day"] == after_holiday
    assert due(loans)["after"] == after_holiday
    # Only the game that was late before the pipe burst is late.
    assert late(date(2027, 4, 2)) == 1

    # The holiday is called off as well: what was promised holds again, to the day.
    off = Change(old=Closure.objects.get(reason="Spring holiday"))
    closures.apply(off, by=manager, now=dry)
    assert due(loans)["on the last day"] == promised["on the last day"]
    assert due(loans)["after"] == promised["after"]

    # A new loan of the first day after is due as if nothing had happened.
    reopened = datetime(2027, 4, 3, 10, 0, tzinfo=UTC)
    assert make_loan(make_copy(), now=reopened).due_on == date(2027, 4, 24)
