"""Taking back: the loan stays, its return is written once."""

from datetime import timedelta

import pytest

from loans import desk
from loans.models import DeskEvent, Loan
from tests.make import NOON, make_act, make_copy, make_loan, make_member

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=5)


def test_a_copy_comes_back_whoever_has_it() -> None:
    loan = make_loan()
    done = desk.check_in(loan.copy, act=make_act(now=LATER))
    loan.refresh_from_db()
    assert done.loan == loan
    assert loan.returned_at == LATER
    assert (done.event.member, done.event.copy) == (loan.member, loan.copy)


def test_the_closed_loan_stays_and_the_copy_can_go_out_again() -> None:
    loan = make_loan()
    desk.check_in(loan.copy, act=make_act(now=LATER))
    again = make_loan(loan.copy, now=LATER + timedelta(minutes=5))
    assert set(Loan.objects.filter(copy=loan.copy)) == {loan, again}


def test_the_second_scan_of_a_return_is_the_same_return() -> None:
    loan = make_loan()
    first = desk.check_in(loan.copy, act=make_act(now=LATER))
    second = desk.check_in(loan.copy, act=make_act(now=LATER + timedelta(seconds=30)))
    assert (second.loan, second.event, second.repeated) == (first.loan, first.event, True)
    loan.refresh_from_db()
    assert loan.returned_at == LATER


def test_the_same_nonce_is_the_same_return_however_late() -> None:
    loan = make_loan()
    first = desk.check_in(loan.copy, act=make_act(now=LATER, nonce="n1"))
    second = desk.check_in(loan.copy, act=make_act(now=LATER + timedelta(hours=3), nonce="n1"))
    assert (second.event, second.repeated) == (first.event, True)


def test_the_name_of_the_scan_that_lent_is_no_name_of_a_return() -> None:
    copy = make_copy()
    desk.lend(copy, make_member(), act=make_act(nonce="n1"))
    with pytest.raises(desk.Refused, match=r"^nonce_reused$"):
        desk.check_in(copy, act=make_act(now=LATER, nonce="n1"))
    assert Loan.objects.filter(returned_at=None).exists()


def test_a_copy_that_is_not_on_loan_is_refused() -> None:
    with pytest.raises(desk.Refused, match=r"^copy_not_on_loan$"):
        desk.check_in(make_copy(), act=make_act())
    assert DeskEvent.objects.get().tried == "check_in"


def test_a_return_by_a_clock_that_is_behind_is_not_before_the_loan() -> None:
    loan = make_loan()
    done = desk.check_in(loan.copy, act=make_act(now=NOON - timedelta(seconds=2)))
    assert done.loan.returned_at == loan.lent_at


def test_a_copy_in_any_condition_comes_back() -> None:
    loan = make_loan()
    loan.copy.condition = "lost"
    loan.copy.save()
    assert desk.check_in(loan.copy, act=make_act(now=LATER)).loan == loan


def test_returned_and_lent_to_another_family_in_the_same_minute() -> None:
    loan, next_family = make_loan(), make_member("Aminata Diallo")
    desk.check_in(loan.copy, act=make_act(now=LATER))
    again = desk.lend(loan.copy, next_family, act=make_act(now=LATER + timedelta(seconds=10))).loan
    assert again.member == next_family
