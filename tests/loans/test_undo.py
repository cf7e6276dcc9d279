"""Undo: the state from before, or a reason why not; the journal keeps both."""

from datetime import timedelta

import pytest

from loans import desk
from loans.models import DeskAction, DeskEvent, Loan
from tests.make import NOON, make_act, make_copy, make_loan, make_member, make_policy

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=5)


def test_an_undone_lend_leaves_a_voided_loan_that_counts_as_none() -> None:
    make_policy(max_loans=1)
    copy, member = make_copy(), make_member()
    lent = desk.lend(copy, member, act=make_act())
    undone = desk.undo(lent.event, act=make_act(now=NOON + timedelta(seconds=9)))
    loan = Loan.objects.get()
    assert loan.voided
    assert loan.returned_at is not None
    assert (undone.event.action, undone.event.undoes, undone.loan) == (DeskAction.UNDO, lent.event, loan)
    assert make_loan(copy, member, now=NOON + timedelta(seconds=12)) != loan


def test_an_undone_lend_is_no_return_that_a_scan_could_repeat() -> None:
    lent = desk.lend(make_copy(), make_member(), act=make_act())
    desk.undo(lent.event, act=make_act())
    with pytest.raises(desk.Refused, match=r"^copy_not_on_loan$"):
        desk.check_in(lent.loan.copy, act=make_act())


def test_an_undone_return_opens_the_loan_again() -> None:
    loan = make_loan()
    back = desk.check_in(loan.copy, act=make_act(now=LATER))
    desk.undo(back.event, act=make_act(now=LATER))
    loan.refresh_from_db()
    assert (loan.returned_at, loan.voided) == (None, False)


def test_an_undone_renewal_gives_back_the_due_date_and_the_renewal() -> None:
    loan = make_loan()
    renewed = desk.renew(loan, act=make_act(now=LATER))
    desk.undo(renewed.event, act=make_act(now=LATER))
    before = loan.due_on
    loan.refresh_from_db()
    assert (loan.due_on, loan.renewals) == (before, 0)


def test_actions_on_one_box_are_undone_from_the_latest_back() -> None:
    lent = desk.lend(make_copy(), make_member(), act=make_act())
    renewed = desk.renew(lent.loan, act=make_act(now=LATER))
    back = desk.check_in(lent.loan.copy, act=make_act(now=LATER))
    with pytest.raises(desk.Refused, match=r"^changed_since$") as caught:
        desk.undo(lent.event, act=make_act(now=LATER))
    assert caught.value.refusals[0].data["action"] == "renew"
    for event in (back.event, renewed.event, lent.event):
        desk.undo(event, act=make_act(now=LATER))
    assert Loan.objects.get().voided


def test_a_return_is_not_undone_once_the_box_has_gone_to_another_family() -> None:
    loan = make_loan()
    back = desk.check_in(loan.copy, act=make_act(now=LATER))
    make_loan(loan.copy, now=LATER + timedelta(minutes=5))
    with pytest.raises(desk.Refused, match=r"^changed_since$"):
        desk.undo(back.event, act=make_act(now=LATER))
    loan.refresh_from_db()
    assert loan.returned_at == LATER


def test_an_action_is_undone_once() -> None:
    lent = desk.lend(make_copy(), make_member(), act=make_act())
    first = desk.undo(lent.event, act=make_act(nonce="u1"))
    again = desk.undo(lent.event, act=make_act(nonce="u1"))
    assert (again.event, again.repeated) == (first.event, True)
    with pytest.raises(desk.Refused, match=r"^already_undone$"):
        desk.undo(lent.event, act=make_act(nonce="u2"))


def test_neither_a_refusal_nor_an_undo_is_undone() -> None:
    lent = desk.lend(make_copy(), make_member(), act=make_act())
    undone = desk.undo(lent.event, act=make_act())
    with pytest.raises(desk.Refused) as caught:
        make_loan(make_copy(condition="lost"))
    for event in (undone.event, caught.value.event):
        assert event
        with pytest.raises(desk.Refused, match=r"^not_undoable$"):
            desk.undo(event, act=make_act())


def test_undo_reaches_the_last_fifty_actions() -> None:
    make_policy(max_loans=99)
    events = [desk.lend(make_copy(), make_member(), act=make_act()).event for _ in range(51)]
    with pytest.raises(desk.Refused, match=r"^too_long_ago$"):
        desk.undo(events[0], act=make_act())
    assert desk.undo(events[1], act=make_act()).loan.voided


def test_the_journal_is_never_edited() -> None:
    lent = desk.lend(make_copy(), make_member(), act=make_act())
    before = DeskEvent.objects.values().get(pk=lent.event.pk)
    desk.undo(lent.event, act=make_act())
    assert DeskEvent.objects.values().get(pk=lent.event.pk) == before
