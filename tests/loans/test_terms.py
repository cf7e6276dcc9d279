"""Shorter than usual: until the next opening, until today, played in the house; and returns dated back."""

from datetime import date, datetime, timedelta

import pytest

from catalogue.models import Condition
from loans import desk, openings
from loans.models import LoanPlace
from loans.rules import Term
from tests.make import NOON, make_act, make_copy, make_loan, make_member, make_policy

pytestmark = pytest.mark.django_db
TUESDAY = NOON.date()
LATER = NOON + timedelta(days=30)


def lend(term: Term, **member: object) -> desk.Done:
    return desk.lend(make_copy(), make_member(**member), act=make_act(), term=term)  # type: ignore[arg-type]


def test_until_today_and_until_the_next_opening() -> None:
    days = openings.OpeningDraft(starts_on=date(2025, 1, 1), rrule="FREQ=WEEKLY;BYDAY=TU,SA")
    openings.save_opening(None, days, today=TUESDAY)
    assert lend(Term.TODAY).loan.due_on == TUESDAY
    assert lend(Term.NEXT_OPENING).loan.due_on == date(2025, 3, 8)
    assert lend(Term.USUAL).loan.due_on == date(2025, 3, 25)


def test_the_next_opening_is_never_later_than_the_usual_due_date() -> None:
    make_policy(loan_days=0)
    assert lend(Term.NEXT_OPENING).loan.due_on == TUESDAY


def test_a_game_played_in_the_house_counts_for_no_limit_and_may_be_one_that_is_not_lent() -> None:
    make_policy(max_loans=1)
    member = make_member()
    make_loan(member=member)
    house = make_copy(condition=Condition.NOT_FOR_LOAN)
    done = desk.lend(house, member, act=make_act(), term=Term.HOUSE)
    assert (done.loan.place, done.loan.due_on) == (LoanPlace.HOUSE, TUESDAY)
    with pytest.raises(desk.Refused, match=r"^copy_not_for_loan, loan_limit_reached$"):
        desk.lend(make_copy(condition=Condition.NOT_FOR_LOAN), member, act=make_act())


def test_a_blocked_member_does_not_play_in_the_house_either() -> None:
    with pytest.raises(desk.Refused, match=r"^member_blocked$"):
        lend(Term.HOUSE, block_reason="owes a fee")


def test_a_game_played_in_the_house_is_not_renewed() -> None:
    loan = lend(Term.HOUSE).loan
    with pytest.raises(desk.Refused, match=r"not_taken_home"):
        desk.renew(loan, act=make_act())


# --- the book drop -----------------------------------------------------------------------------------


def test_a_box_from_the_book_drop_came_back_when_it_was_dropped() -> None:
    loan = make_loan()
    dropped = NOON + timedelta(days=3)
    done = desk.check_in(loan.copy, act=make_act(now=LATER), returned_at=dropped)
    assert done.loan.returned_at == dropped
    assert done.event.at == LATER


@pytest.mark.parametrize(
    ("returned_at", "reason"),
    [(NOON - timedelta(days=1), "return_before_loan"), (LATER + timedelta(days=1), "return_in_future")],
)
def test_a_box_comes_back_neither_before_it_went_out_nor_in_the_future(
    returned_at: datetime, reason: str
) -> None:
    loan = make_loan()
    with pytest.raises(desk.Refused, match=f"^{reason}$"):
        desk.check_in(loan.copy, act=make_act(now=LATER), returned_at=returned_at)
    loan.refresh_from_db()
    assert loan.returned_at is None


def test_a_return_dated_back_and_scanned_twice_is_one_return() -> None:
    loan = make_loan()
    dropped = NOON + timedelta(days=3)
    first = desk.check_in(loan.copy, act=make_act(now=LATER), returned_at=dropped)
    again = desk.check_in(loan.copy, act=make_act(now=LATER + timedelta(seconds=5)), returned_at=dropped)
    assert (again.event, again.repeated) == (first.event, True)


def test_a_return_dated_back_is_undone_as_any_other() -> None:
    loan = make_loan()
    done = desk.check_in(loan.copy, act=make_act(now=LATER), returned_at=NOON + timedelta(days=3))
    desk.undo(done.event, act=make_act(now=LATER))
    loan.refresh_from_db()
    assert loan.returned_at is None
