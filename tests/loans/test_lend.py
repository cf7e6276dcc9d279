"""Lending: what is written, what is refused, and what happens to the same scan twice."""

from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from pytest_django import DjangoAssertNumQueries

from catalogue.models import Branch
from loans import desk
from loans.calendar import due_date_for
from loans.models import DeskAction, DeskEvent, Loan
from loans.rules import Policy, RefusalCode
from tests.make import (
    NOON,
    make_act,
    make_closure,
    make_copy,
    make_loan,
    make_member,
    make_opening,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db


def refused(*codes: RefusalCode):  # type: ignore[no-untyped-def]
    return pytest.raises(desk.Refused, match=r"^" + ", ".join(codes) + "$")


def test_a_loan_runs_for_the_days_of_the_default_policy() -> None:
    make_policy(loan_days=14)
    loan = make_loan(now=NOON)
    assert (loan.lent_at, loan.lent_on, loan.due_on) == (NOON, date(2025, 3, 4), date(2025, 3, 18))


def test_without_a_policy_the_built_in_one_holds() -> None:
    assert make_loan(now=NOON).due_on == date(2025, 3, 25)


def test_the_due_date_is_an_opening_day_of_the_copys_branch() -> None:
    copy = make_copy(branch="Maison des Enfants")
    here, there = copy.branch, Branch.objects.create(name="Elsewhere", key="elsewhere")
    make_opening("FREQ=WEEKLY;BYDAY=SA", branch=here)
    make_opening("FREQ=DAILY", branch=there)
    make_closure(date(2025, 3, 29))
    assert make_loan(copy).due_on == date(2025, 4, 5)


@pytest.mark.parametrize(
    ("zone", "lent_on"), [("Pacific/Auckland", date(2025, 3, 31)), ("", date(2025, 3, 30))]
)
def test_the_day_of_a_loan_is_told_in_the_branchs_time_zone(zone: str, lent_on: date) -> None:
    """The night in which Brussels changes its clocks; in Auckland it is already the next afternoon."""
    copy = make_copy(branch="Here")
    Branch.objects.update(time_zone=zone)
    loan = make_loan(copy, now=datetime(2025, 3, 30, 11, 30, tzinfo=UTC))
    assert loan.lent_on == lent_on
    assert loan.due_on == lent_on + timedelta(days=21)


def test_a_due_date_costs_one_query_however_many_branches_there_are(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    copy = make_copy(branch="Here")
    for number in range(3):
        make_opening("FREQ=WEEKLY;BYDAY=SA", branch=make_copy(branch=f"Branch {number}").branch)
    make_opening("FREQ=WEEKLY;BYDAY=WE", branch=copy.branch)
    make_closure(date(2025, 3, 26), branch=copy.branch)
    make_closure(date(2025, 4, 2), date(2025, 4, 30), branch=make_copy(branch="Afar").branch)
    with django_assert_num_queries(1):
        assert due_date_for(copy.branch, date(2025, 3, 4), Policy()) == date(2025, 4, 2)


def test_a_time_zone_that_does_not_exist_does_not_stop_the_desk() -> None:
    copy = make_copy(branch="Here")
    Branch.objects.update(time_zone="Europe/Atlantis")
    assert make_loan(copy).lent_on == date(2025, 3, 4)


def test_the_journal_tells_who_lent_what_to_whom() -> None:
    copy, member, volunteer = make_copy(), make_member(), make_user("desk")
    done = desk.lend(copy, member, act=make_act(volunteer, nonce="n1", scanned=" 91300"))
    event = DeskEvent.objects.get()
    assert event == done.event
    assert (event.action, event.by, event.copy, event.member) == (DeskAction.LEND, volunteer, copy, member)
    assert (event.loan, event.scanned, event.nonce, event.at) == (done.loan, " 91300", "n1", NOON)


def test_the_same_nonce_returns_the_same_loan() -> None:
    copy, member = make_copy(), make_member()
    first = desk.lend(copy, member, act=make_act(nonce="n1"))
    second = desk.lend(copy, member, act=make_act(nonce="n1", now=NOON + timedelta(hours=1)))
    assert second.loan == first.loan
    assert second.repeated
    assert not first.repeated
    assert DeskEvent.objects.count() == 1


def test_second_scan_of_the_same_copy_returns_the_same_loan() -> None:
    copy, member = make_copy(), make_member()
    first = make_loan(copy, member)
    second = desk.lend(copy, member, act=make_act(now=NOON + timedelta(seconds=40)))
    assert (second.loan, second.repeated) == (first, True)


def test_a_copy_that_the_member_has_for_longer_is_refused() -> None:
    copy, member = make_copy(), make_member()
    make_loan(copy, member)
    with refused(RefusalCode.COPY_ON_LOAN):
        make_loan(copy, member, now=NOON + timedelta(minutes=2))


def test_a_nonce_of_another_scan_is_refused_and_nothing_is_lent() -> None:
    member = make_member()
    desk.lend(make_copy(), member, act=make_act(nonce="n1"))
    with refused(RefusalCode.NONCE_REUSED):
        desk.lend(make_copy(), member, act=make_act(nonce="n1"))
    assert Loan.objects.count() == 1


def test_who_comes_second_is_told_since_when_the_copy_is_out() -> None:
    copy = make_copy()
    loan = make_loan(copy)
    with refused(RefusalCode.COPY_ON_LOAN) as caught:
        make_loan(copy, now=NOON + timedelta(seconds=1))
    data = caught.value.refusals[0].data
    assert (data["since"], data["loan"]) == (NOON.isoformat(), loan.pk)
    assert Loan.objects.count() == 1


def test_a_refusal_names_all_reasons_and_stays_in_the_journal() -> None:
    make_policy(max_loans=1)
    member = make_member(block_reason="Key lost", membership_ends_on=date(2025, 3, 3))
    copy = make_copy(condition="in_repair")
    with refused(
        RefusalCode.COPY_IN_REPAIR, RefusalCode.MEMBER_BLOCKED, RefusalCode.MEMBERSHIP_ENDED
    ) as caught:
        make_loan(copy, member)
    event = DeskEvent.objects.get()
    assert event == caught.value.event
    assert (event.action, event.tried, event.copy, event.member) == ("refuse", "lend", copy, member)
    assert desk.refusals_of(event) == caught.value.refusals
    assert not Loan.objects.exists()


def test_a_refused_scan_sent_again_is_refused_once() -> None:
    copy, member = make_copy(condition="lost"), make_member()
    for _ in range(2):
        with refused(RefusalCode.COPY_LOST):
            desk.lend(copy, member, act=make_act(nonce="n1"))
    assert DeskEvent.objects.count() == 1


def test_the_limit_counts_open_loans_only() -> None:
    make_policy(max_loans=2)
    member = make_member()
    first = make_loan(member=member)
    make_loan(member=member)
    desk.check_in(first.copy, act=make_act())
    make_loan(member=member)
    with refused(RefusalCode.LOAN_LIMIT_REACHED):
        make_loan(member=member)


def test_a_member_with_a_late_game_is_refused_from_the_day_after_the_due_date() -> None:
    member = make_member()
    due_on = make_loan(member=member, now=NOON).due_on
    last_moment = datetime.combine(due_on, datetime.min.time(), UTC) + timedelta(hours=22)
    make_loan(member=member, now=last_moment)
    with refused(RefusalCode.MEMBER_HAS_LATE_LOANS):
        make_loan(member=member, now=last_moment + timedelta(hours=1))


def test_a_calendar_that_is_never_open_is_refused_in_words() -> None:
    make_opening("FREQ=DAILY;UNTIL=20210101")
    with refused(RefusalCode.NEVER_OPEN):
        make_loan()


# --- waivers -------------------------------------------------------------------------------------

BLOCK = desk.Waiver(frozenset({RefusalCode.MEMBER_BLOCKED}), "Paid in cash just now")


def test_a_waiver_is_kept_with_its_reason() -> None:
    copy, member, manager = make_copy(), make_member(block_reason="Unpaid"), make_user("manager")
    done = desk.lend(copy, member, act=make_act(manager), waiver=BLOCK)
    assert done.loan.due_on == date(2025, 3, 25)
    assert [kept["code"] for kept in done.event.waived] == ["member_blocked"]
    assert (done.event.waive_reason, done.event.by) == ("Paid in cash just now", manager)


def test_a_waiver_needs_the_right() -> None:
    with pytest.raises(PermissionDenied):
        desk.lend(make_copy(), make_member(block_reason="Unpaid"), act=make_act(), waiver=BLOCK)
    assert not Loan.objects.exists()


@pytest.mark.parametrize("reason", ["", "  ", "91300"])
def test_a_waiver_needs_a_reason_in_words(reason: str) -> None:
    waiver = desk.Waiver(BLOCK.codes, reason)
    with refused(RefusalCode.WAIVER_NEEDS_REASON, RefusalCode.MEMBER_BLOCKED):
        desk.lend(
            make_copy(), make_member(block_reason="x"), act=make_act(make_user("manager")), waiver=waiver
        )


def test_a_waiver_sets_aside_only_what_it_names() -> None:
    member = make_member(block_reason="Unpaid", membership_ends_on=date(2025, 1, 1))
    with refused(RefusalCode.MEMBERSHIP_ENDED):
        desk.lend(make_copy(), member, act=make_act(make_user("manager")), waiver=BLOCK)


def test_a_box_that_is_out_is_never_lent_by_waiver() -> None:
    loan = make_loan()
    waiver = desk.Waiver(frozenset(RefusalCode), "We know them well")
    with refused(RefusalCode.COPY_ON_LOAN):
        desk.lend(loan.copy, make_member(), act=make_act(make_user("manager")), waiver=waiver)


def test_with_the_calendar_waived_the_plain_days_count() -> None:
    make_closure(date(2025, 1, 1), date(2030, 1, 1))
    waiver = desk.Waiver(frozenset({RefusalCode.NEVER_OPEN}), "Calendar comes tomorrow")
    done = desk.lend(make_copy(), make_member(), act=make_act(make_user("manager")), waiver=waiver)
    assert done.loan.due_on == date(2025, 3, 25)
