"""Renewing: more time from today, never less than was promised."""

from datetime import date, timedelta

import pytest

from loans import desk
from loans.rules import DueMode, RefusalCode, RenewalBase
from tests.make import NOON, make_act, make_loan, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db
IN_A_WEEK = NOON + timedelta(days=7)


def test_a_renewal_runs_from_today() -> None:
    loan = make_loan()
    done = desk.renew(loan, act=make_act(now=IN_A_WEEK))
    assert (done.loan.due_on, done.loan.renewals) == (date(2025, 4, 1), 1)
    assert done.event.before == {"due_on": "2025-03-25", "renewals": 0}


def test_a_renewal_runs_from_the_due_date_where_the_policy_says_so() -> None:
    make_policy(renewal_base=RenewalBase.DUE_DATE)
    loan = make_loan()
    assert desk.renew(loan, act=make_act(now=IN_A_WEEK)).loan.due_on == date(2025, 4, 15)
    late = NOON + timedelta(days=50)  # 23 April: what is late runs from today
    assert desk.renew(loan, act=make_act(now=late)).loan.due_on == date(2025, 5, 14)


def test_a_renewed_loan_is_due_on_the_weekday_on_which_it_was_lent() -> None:
    """Lent on a Tuesday, renewed on a Thursday."""
    make_policy(due_mode=DueMode.SAME_WEEKDAY)
    done = desk.renew(make_loan(), act=make_act(now=NOON + timedelta(days=9)))
    assert done.loan.due_on == date(2025, 4, 8)


def test_a_second_click_renews_once() -> None:
    loan = make_loan()
    first = desk.renew(loan, act=make_act(now=IN_A_WEEK, nonce="n1"))
    second = desk.renew(loan, act=make_act(now=IN_A_WEEK, nonce="n1"))
    assert (second.event, second.repeated) == (first.event, True)
    loan.refresh_from_db()
    assert loan.renewals == 1


def test_a_renewal_that_would_gain_nothing_is_refused_and_costs_nothing() -> None:
    loan = make_loan()
    with pytest.raises(desk.Refused, match=r"^renewal_gains_nothing$"):
        desk.renew(loan, act=make_act())
    loan.refresh_from_db()
    assert loan.renewals == 0


def test_after_the_last_renewal_the_game_must_come_back() -> None:
    make_policy(max_renewals=1)
    loan = make_loan()
    desk.renew(loan, act=make_act(now=IN_A_WEEK))
    with pytest.raises(desk.Refused, match=r"^renewals_used_up$"):
        desk.renew(loan, act=make_act(now=IN_A_WEEK + timedelta(days=7)))


def test_a_returned_game_is_not_renewed() -> None:
    loan = make_loan()
    desk.check_in(loan.copy, act=make_act())
    with pytest.raises(desk.Refused, match=r"^loan_closed$"):
        desk.renew(loan, act=make_act(now=IN_A_WEEK))


def test_a_late_game_is_renewed_at_the_desk_only() -> None:
    loan = make_loan()
    late = NOON + timedelta(days=30)
    with pytest.raises(desk.Refused, match=r"^loan_late$"):
        desk.renew(loan, act=make_act(now=late, at_desk=False))
    assert desk.renew(loan, act=make_act(now=late)).loan.due_on == date(2025, 4, 24)


def test_a_waived_renewal_is_kept_with_its_reason() -> None:
    loan = make_loan(member=make_member(membership_ends_on=date(2025, 3, 5)))
    waiver = desk.Waiver(frozenset({RefusalCode.MEMBERSHIP_ENDED}), "Pays on Saturday")
    done = desk.renew(loan, act=make_act(make_user("manager"), now=IN_A_WEEK), waiver=waiver)
    assert done.loan.renewals == 1
    assert done.event.waive_reason == "Pays on Saturday"


def test_a_shorter_policy_never_takes_back_what_was_promised() -> None:
    loan = make_loan()
    make_policy(loan_days=3)
    with pytest.raises(desk.Refused, match=r"^renewal_gains_nothing$"):
        desk.renew(loan, act=make_act(now=IN_A_WEEK))
