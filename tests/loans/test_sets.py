"""Several things at once: each part by the rules, in the journal, and done once however often it is sent."""

from datetime import timedelta

import pytest

from loans import desk, sets
from loans.models import DeskAction, DeskEvent, Loan
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=5)


def actions(events: tuple[DeskEvent, ...]) -> list[str]:
    return [str(event.action) for event in events]


# --- swap --------------------------------------------------------------------------------------------


def test_a_box_still_on_another_card_comes_back_and_goes_out_in_one_step() -> None:
    old = make_loan()
    member = make_member("Aminata Diallo")
    done = sets.swap(old.copy, member, act=make_act(now=LATER))
    old.refresh_from_db()
    assert old.returned_at == LATER
    assert (done.loan.member, done.loan.copy, done.loan.returned_at) == (member, old.copy, None)


def test_both_halves_of_a_swap_can_be_undone() -> None:
    old = make_loan()
    done = sets.swap(old.copy, make_member(), act=make_act(now=LATER))
    back = DeskEvent.objects.get(action=DeskAction.CHECK_IN)
    desk.undo(done.event, act=make_act(now=LATER))
    desk.undo(back, act=make_act(now=LATER))
    old.refresh_from_db()
    assert old.returned_at is None
    assert Loan.objects.get(pk=done.loan.pk).voided


def test_the_return_stands_when_the_next_loan_is_refused() -> None:
    old = make_loan()
    blocked = make_member("Liam O'Connor", block_reason="owes a fee")
    with pytest.raises(desk.Refused, match=r"^member_blocked$"):
        sets.swap(old.copy, blocked, act=make_act(now=LATER))
    old.refresh_from_db()
    assert old.returned_at == LATER


def test_a_swap_sent_twice_is_done_once() -> None:
    old, member, by = make_loan(), make_member(), make_user("desk")
    first = sets.swap(old.copy, member, act=make_act(by, now=LATER, nonce="n1"))
    again = sets.swap(old.copy, member, act=make_act(by, now=LATER + timedelta(hours=1), nonce="n1"))
    assert (again.event, again.repeated) == (first.event, True)
    assert Loan.objects.count() == 2


def test_nobody_renews_a_game_by_swapping_it_with_oneself() -> None:
    loan = make_loan()
    with pytest.raises(desk.Refused, match=r"^copy_on_loan$"):
        sets.swap(loan.copy, loan.borrower, act=make_act(now=LATER))


# --- renew all ---------------------------------------------------------------------------------------


def test_renew_all_renews_what_may_be_and_says_why_the_others_not() -> None:
    make_policy(max_renewals=1)
    member = make_member()
    used_up, fresh = make_loan(member=member), make_loan(member=member)
    desk.renew(used_up, act=make_act(now=NOON + timedelta(days=2)))
    events = sets.renew_all(member, act=make_act(now=LATER, nonce="all"))
    assert {event.loan_id: str(event.action) for event in events} == {
        used_up.pk: "refuse",
        fresh.pk: "renew",
    }
    refused = next(event for event in events if event.loan_id == used_up.pk)
    assert [refusal.code for refusal in desk.refusals_of(refused)] == ["renewals_used_up"]


def test_renew_all_sent_twice_renews_once() -> None:
    member = make_member()
    loan = make_loan(member=member)
    for _ in range(2):
        sets.renew_all(member, act=make_act(now=LATER, nonce="all"))
    loan.refresh_from_db()
    assert loan.renewals == 1


# --- a list ------------------------------------------------------------------------------------------


def test_a_list_is_lent_line_by_line_and_every_line_is_answered() -> None:
    make_policy(max_loans=2)
    school = make_member("École Voltaire")
    for barcode in ("91300", "91301", "91302"):
        make_copy(barcode=barcode)
    codes = ["91300", "", " 91301 ", "0000", "91302"]
    events = sets.lend_many(codes, school, act=make_act(nonce="trip"))
    assert actions(events) == ["lend", "lend", "refuse", "refuse"]
    reasons = [[r.code for r in desk.refusals_of(event)] for event in events[2:]]
    assert reasons == [["unknown_code"], ["loan_limit_reached"]]
    assert [event.scanned for event in events] == ["91300", "91301", "0000", "91302"]


def test_a_list_sent_twice_is_lent_once() -> None:
    school = make_member()
    make_copy(barcode="91300")
    first = sets.lend_many(["91300", "nobody"], school, act=make_act(nonce="trip"))
    again = sets.lend_many(["91300", "nobody"], school, act=make_act(now=LATER, nonce="trip"))
    assert again == first
    assert Loan.objects.count() == 1


def test_two_lists_with_long_names_that_differ_at_the_end_are_two() -> None:
    by, school = make_user("desk"), make_member("École des Ormes")
    loan = make_loan(make_copy(make_game("Perch")), school)
    long = "school-trip-of-the-fourth-form-to-the-lake-in-may-twenty-five"
    first = sets.renew_all(school, act=make_act(by, now=LATER, nonce=long + "-1"))
    second = sets.renew_all(school, act=make_act(by, now=LATER + timedelta(days=3), nonce=long + "-2"))
    assert [event.loan for event in (*first, *second)] == [loan, loan]
    assert first != second


def test_all_boxes_of_a_kit_go_out_together() -> None:
    member = make_member()
    copies = [make_copy(make_game(title)) for title in ("Finca", "Hacienda")]
    events = sets.lend_copies(copies, member, act=make_act())
    assert actions(events) == ["lend", "lend"]
    assert {loan.copy for loan in Loan.objects.filter(member=member)} == set(copies)
