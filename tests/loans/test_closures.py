"""Closures: what they would move, what they move, and how they come apart again."""

from datetime import UTC, date, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from catalogue.models import Branch
from loans import closures, desk
from loans.closures import Because, Change, ClosureDraft, PlanChanged
from loans.models import Closure, Loan, Redating
from loans.opening import HORIZON
from loans.openings import NeverOpen
from tests.make import (
    NOON,
    make_act,
    make_closure,
    make_copy,
    make_loan,
    make_opening,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db
DUE = date(2025, 3, 25)


def days(first: int, last: int, branch: Branch | None = None, reason: str = "Works") -> ClosureDraft:
    """A closure in March 2025; beyond 31 it goes on into April."""
    begin = date(2025, 3, 1)
    first_on, last_on = begin + timedelta(days=first - 1), begin + timedelta(days=last - 1)
    return ClosureDraft(first_on=first_on, last_on=last_on, branch=branch, reason=reason)


def close(*drafts: ClosureDraft, now: datetime = NOON) -> closures.Plan:
    """Enter closures and move the loans."""
    return closures.apply(Change(new=drafts), by=make_user("manager"), now=now)


def lift(first: int, *, now: datetime = NOON) -> closures.Plan:
    """Lift the closure that begins on this day of March."""
    closure = Closure.objects.get(first_on=date(2025, 3, first), lifted_at=None)
    return closures.apply(Change(old=closure), by=make_user("manager"), now=now)


def due(loan: Loan) -> date:
    """When it is due now."""
    return Loan.objects.get(pk=loan.pk).due_on


def test_a_preview_writes_nothing() -> None:
    loan = make_loan()
    seen = closures.plan(Change(new=(days(20, 30),)), now=NOON)
    assert [(move.loan, move.due_before, move.due_after) for move in seen.moves] == [
        (loan, DUE, date(2025, 3, 31))
    ]
    assert (due(loan), Closure.objects.count(), Redating.objects.count()) == (DUE, 0, 0)


def test_a_loan_that_is_due_in_a_closure_moves_to_the_next_open_day_and_the_move_is_kept() -> None:
    make_opening("FREQ=WEEKLY;BYDAY=TU")
    loan, manager = make_loan(), make_user("manager")
    closures.apply(Change(new=(days(24, 26),)), by=manager, now=NOON)
    assert due(loan) == date(2025, 4, 1)
    kept = loan.redatings.get()
    assert (kept.promised_on, kept.due_before, kept.due_after) == (DUE, DUE, date(2025, 4, 1))
    assert (kept.closure.reason, kept.at, kept.by, kept.renewals) == ("Works", NOON, manager, 0)


def test_loans_of_other_branches_and_returned_ones_stay() -> None:
    here = make_loan(make_copy(branch="Here"))
    there = make_loan(make_copy(branch="There"))
    back = make_loan(make_copy(branch="Here"))
    desk.check_in(back.copy, act=make_act())
    close(days(20, 30, branch=here.copy.branch))
    assert [due(loan) for loan in (here, there, back)] == [date(2025, 3, 31), DUE, DUE]


def test_a_closure_of_all_branches_moves_each_loan_by_its_own_calendar() -> None:
    tuesdays, sundays = make_loan(make_copy(branch="Here")), make_loan(make_copy(branch="There"))
    make_opening("FREQ=WEEKLY;BYDAY=TU", branch=tuesdays.copy.branch)
    make_opening("FREQ=WEEKLY;BYDAY=SU", branch=sundays.copy.branch)
    close(days(20, 29))
    assert (due(tuesdays), due(sundays)) == (date(2025, 4, 1), date(2025, 3, 30))


def test_a_due_date_on_a_day_that_is_simply_not_an_opening_day_stays() -> None:
    """Calendar days were promised: only a closure moves them."""
    loan = make_loan()
    make_opening("FREQ=WEEKLY;BYDAY=SA")
    close(days(1, 24))
    assert due(loan) == DUE


def test_a_game_that_could_not_come_back_because_it_was_closed_is_not_late() -> None:
    loan = make_loan()
    close(days(24, 28), now=NOON + timedelta(days=23))
    assert due(loan) == date(2025, 3, 29)


def test_lifting_a_closure_restores_what_was_promised_to_the_day() -> None:
    loan = make_loan()
    close(days(20, 30))
    lift(20)
    assert due(loan) == DUE
    assert [(row.due_before, row.due_after) for row in loan.redatings.all()] == [
        (DUE, date(2025, 3, 31)),
        (date(2025, 3, 31), DUE),
    ]


@pytest.mark.parametrize("order", list(permutations([(20, 26), (25, 29), (24, 31)])))
def test_overlapping_closures_add_up_whatever_their_order(order: tuple[tuple[int, int], ...]) -> None:
    loan = make_loan()
    for first, last in order:
        close(days(first, last))
    assert due(loan) == date(2025, 4, 1)
    lift(24)
    assert due(loan) == date(2025, 3, 30)
    lift(20)
    assert due(loan) == date(2025, 3, 30)
    lift(25)
    assert due(loan) == DUE


def test_a_closure_that_is_shortened_gives_back_only_the_days_that_open() -> None:
    loan = make_loan()
    close(days(24, 30))
    flood = Closure.objects.get()
    closures.apply(Change(old=flood, to=days(24, 26)), by=make_user("manager"), now=NOON)
    assert due(loan) == date(2025, 3, 27)
    closures.apply(Change(old=flood, to=days(24, 40)), by=make_user("manager"), now=NOON)
    assert due(loan) == date(2025, 4, 10)


def test_nothing_becomes_late_when_a_closure_is_lifted_after_the_promised_day() -> None:
    loan = make_loan()
    close(days(20, 40))
    reopened = NOON + timedelta(days=26)  # 30 March
    assert lift(20, now=reopened).moves[0].earlier
    assert due(loan) == date(2025, 3, 31)
    # That is the promise from now on, and a later closure moves it from there.
    close(days(31, 32), now=reopened)
    assert due(loan) == date(2025, 4, 2)


def test_a_game_that_was_late_all_the_same_does_not_become_later_or_earlier() -> None:
    loan = make_loan()
    close(days(20, 26))
    lift(20, now=NOON + timedelta(days=60))
    assert due(loan) == date(2025, 3, 27)


def test_a_loan_that_was_renewed_returned_or_changed_since_is_left_alone_and_named() -> None:
    make_policy(loan_days=21)
    renewed, returned, changed, kept = (make_loan() for _ in range(4))
    close(days(20, 30))
    desk.renew(renewed, act=make_act(now=NOON + timedelta(days=14)))
    desk.check_in(returned.copy, act=make_act(now=NOON + timedelta(days=1)))
    Loan.objects.filter(pk=changed.pk).update(due_on=date(2025, 4, 20))
    plan = lift(20)
    assert {each.loan.pk: each.because for each in plan.left_alone} == {
        renewed.pk: Because.RENEWED,
        returned.pk: Because.RETURNED,
        changed.pk: Because.CHANGED,
    }
    assert (due(renewed), due(changed), due(kept)) == (date(2025, 4, 8), date(2025, 4, 20), DUE)


def test_what_was_seen_is_what_is_done_or_it_is_shown_again() -> None:
    change = Change(new=(days(20, 30),))
    seen = closures.plan(change, now=NOON)
    late_comer = make_loan()
    with pytest.raises(PlanChanged) as raised:
        closures.apply(change, by=make_user("manager"), now=NOON, seen=seen.seen)
    assert [move.loan for move in raised.value.plan.moves] == [late_comer]
    assert not Closure.objects.exists()


def test_the_same_days_entered_twice_are_one_closure() -> None:
    close(days(20, 30))
    close(days(20, 30, reason="Paint"))
    assert Closure.objects.get().reason == "Paint"


def test_loans_that_are_due_in_a_closure_all_the_same_are_found_and_moved_later() -> None:
    loan = make_loan()
    closure = make_closure(date(2025, 3, 20), date(2025, 3, 30))
    assert list(closures.still_due_in(closure)) == [loan]
    again = Change(old=closure, to=closures.describe(closure))
    closures.apply(again, by=make_user("manager"), now=NOON)
    assert due(loan) == date(2025, 3, 31)
    assert not closures.still_due_in(closure).exists()


def test_a_renewal_that_is_undone_does_not_fall_back_into_a_closure() -> None:
    make_policy(loan_days=21)
    loan = make_loan()
    done = desk.renew(loan, act=make_act(now=NOON + timedelta(days=7)))
    close(days(20, 30), now=NOON + timedelta(days=7))
    assert due(loan) == date(2025, 4, 1)
    desk.undo(done.event, act=make_act(now=NOON + timedelta(days=8)))
    assert due(loan) == date(2025, 3, 31)


# --- what is refused ---------------------------------------------------------------------------


def test_a_closure_that_leaves_no_open_day_in_a_year_is_refused_before_it_is_written() -> None:
    loan = make_loan()
    change = Change(new=(days(1, HORIZON.days + 60),))
    with pytest.raises(NeverOpen):
        closures.plan(change, now=NOON)
    with pytest.raises(NeverOpen):
        closures.apply(change, by=make_user("manager"), now=NOON)
    assert (due(loan), Closure.objects.count()) == (DUE, 0)


@pytest.mark.parametrize(("first", "last"), [(2, 1), (1, 100_000)])
def test_a_closure_of_impossible_days_is_refused(first: int, last: int) -> None:
    with pytest.raises(ValueError, match="closure"):
        close(days(first, last))


# --- any closures at all -----------------------------------------------------------------------

spans = st.tuples(st.integers(1, 60), st.integers(0, 20)).map(lambda span: days(span[0], span[0] + span[1]))


class AnyClosures(TestCase):
    """Whatever is closed and lifted, in whatever order."""

    @settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(drafts=st.lists(spans, min_size=1, max_size=4), lifts=st.permutations(range(4)))
    def test_promises_are_kept_and_come_back(self, drafts: list[ClosureDraft], lifts: list[int]) -> None:
        make_opening("FREQ=WEEKLY;BYDAY=TU,SA")
        manager, begun = make_user("manager"), datetime(2025, 2, 1, 12, tzinfo=UTC)
        loans = [make_loan(now=begun + timedelta(days=ahead)) for ahead in (0, 10, 24)]
        promised = [due(loan) for loan in loans]
        for draft in drafts:
            closures.apply(Change(new=(draft,)), by=manager, now=begun)
            assert all(now >= then for now, then in zip(map(due, loans), promised, strict=True))
        for place in lifts:
            standing = list(Closure.objects.filter(lifted_at=None).order_by("pk"))
            if place < len(standing):
                closures.apply(Change(old=standing[place]), by=manager, now=begun)
            assert_placed(loans, promised)
        for closure in Closure.objects.filter(lifted_at=None):
            closures.apply(Change(old=closure), by=manager, now=begun)
        assert [due(loan) for loan in loans] == promised


def assert_placed(loans: list[Loan], promised: list[date]) -> None:
    """Each loan is due when promised, or on the first open day that no standing closure covers."""
    standing = list(Closure.objects.filter(lifted_at=None).values_list("first_on", "last_on"))
    for loan, day in zip(loans, promised, strict=True):
        while any(first <= day <= last for first, last in standing) or day.weekday() not in {1, 5}:
            day += timedelta(days=1)
        assert due(loan) == day
