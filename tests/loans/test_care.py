"""Care of boxes: one table of moves, plans after loans or days, quarantine after a return."""

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from catalogue import records
from catalogue.models import Condition, Copy, CopyEvent
from loans import availability, care, care_rules, desk
from loans.care_rules import Lack, Move, PlanFacts
from loans.models import CareKind, Loan
from loans.rules import RefusalCode
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_user

WEEK = timedelta(days=7)
DAY = timedelta(days=1)


# --- the table ---------------------------------------------------------------------------------


def test_every_condition_can_be_reached_and_all_but_the_last_left() -> None:
    targets = {target for _, target in care_rules.MOVES.values()}
    assert targets == set(Condition.values)
    assert [state for state in Condition.values if not care_rules.moves_from(state)] == ["donated"]


def test_what_is_lost_is_found_or_written_off_and_nothing_else() -> None:
    assert set(care_rules.moves_from("lost")) == {Move.FIND_AGAIN, Move.WITHDRAW}


@pytest.mark.parametrize(
    ("lacks", "state"),
    [
        ([], "in_service"),
        ([Lack(is_key=False)], "incomplete"),
        ([Lack(is_key=True)], "unplayable"),
        ([Lack(is_key=True, playable=True)], "incomplete"),
        ([Lack(is_key=False, playable=False)], "unplayable"),
    ],
)
def test_a_box_is_as_good_as_the_worst_that_it_lacks(lacks: list[Lack], state: str) -> None:
    assert care_rules.state_by_pieces(lacks) == state


@pytest.mark.parametrize(
    ("every_loans", "every_days", "loans", "days", "due"),
    [
        (20, None, 19, 900, False),
        (20, None, 20, 0, True),
        (None, 90, 500, 89, False),
        (None, 90, 0, 90, True),
        (20, 90, 20, 1, True),
        (20, 90, 1, 90, True),
    ],
)
def test_care_is_due_by_loans_or_by_days(
    every_loans: int | None, every_days: int | None, loans: int, days: int, *, due: bool
) -> None:
    today = date(2025, 3, 4)
    facts = PlanFacts(
        every_loans=every_loans,
        every_days=every_days,
        loans_since=loans,
        last_on=today - timedelta(days=days),
    )
    assert care_rules.is_due(facts, today) is due


# --- moves ---------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_move_is_dated_and_says_who_and_why() -> None:
    copy, manager = make_copy(), make_user("manager")
    care.move(copy, Move.LOSE, act=make_act(manager), why="not seen since the feast")
    event = CopyEvent.objects.get()
    assert (event.before, event.after, event.by, event.at, event.why) == (
        "in_service",
        "lost",
        manager,
        NOON,
        "not seen since the feast",
    )
    care.move(copy, Move.FIND_AGAIN, act=make_act(manager))
    assert Copy.objects.get().condition == "in_service"


@pytest.mark.django_db
def test_a_move_that_the_table_does_not_know_is_refused() -> None:
    copy = make_copy(condition="donated")
    with pytest.raises(desk.Refused, match=r"^move_not_allowed$"):
        care.move(copy, Move.BACK_IN_SERVICE, act=make_act())


@pytest.mark.django_db
def test_a_correction_in_the_catalogue_is_in_the_story_as_well() -> None:
    copy = make_copy()
    said = records.describe_copy(copy)
    records.update_copy(copy, replace(said, condition="in_repair"))
    assert [(e.before, e.after) for e in care.events_of(copy)] == [("in_service", "in_repair")]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Move.CLEAN, "copy_in_cleaning"),
        (Move.UNPLAYABLE, "copy_unplayable"),
        (Move.DONATE, "copy_donated"),
        (Move.QUARANTINE, "copy_in_quarantine"),
    ],
)
def test_a_box_in_somebodys_care_is_not_lent(move: Move, code: str) -> None:
    copy = make_copy()
    care.move(copy, move, act=make_act(make_user("librarian")))
    with pytest.raises(desk.Refused, match=f"^{code}$"):
        make_loan(copy)


@pytest.mark.django_db
def test_a_volunteer_gives_nothing_away() -> None:
    copy = make_copy()
    with pytest.raises(PermissionDenied):
        care.move(copy, Move.DONATE, act=make_act(make_user("desk")))
    assert Copy.objects.get().condition == "in_service"


# --- plans ---------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_box_that_is_due_is_not_lent_until_it_is_done() -> None:
    copy, act = make_copy(), make_act()
    plan = care.add_plan(
        care.PlanDraft(
            kind=CareKind.CLEANING, what="Wash the bricks", game=copy.game, every_loans=2, blocks=True
        ),
        today=NOON.date() - DAY,
    )
    now = _lend_and_return(copy, times=2)
    with pytest.raises(desk.Refused, match=r"^copy_needs_care$"):
        make_loan(copy, now=now)
    assert [(p, [box.copy for box in boxes]) for p, boxes in care.due(now.date())] == [(plan, [copy])]

    care.done(plan, copy, act=make_act(act.by, now))
    assert not list(care.due(now.date()))
    make_loan(copy, now=now)


@pytest.mark.django_db
def test_a_blocking_plan_may_be_waived_with_a_reason() -> None:
    copy = make_copy()
    care.add_plan(
        care.PlanDraft(kind=CareKind.CHECK, what="Check", copy=copy, every_loans=1, blocks=True),
        today=NOON.date() - DAY,
    )
    now = _lend_and_return(copy, times=1)
    waiver = desk.Waiver(frozenset({RefusalCode.COPY_NEEDS_CARE}), "clean enough")
    done = desk.lend(copy, make_member(), act=make_act(make_user("manager"), now), waiver=waiver)
    assert done.event.waive_reason == "clean enough"


@pytest.mark.django_db
def test_a_reminder_reminds_and_lends() -> None:
    copy = make_copy()
    care.add_plan(
        care.PlanDraft(kind=CareKind.BATTERIES, what="3 AA batteries out", copy=copy, every_loans=1),
        today=NOON.date() - DAY,
    )
    now = _lend_and_return(copy, times=1)
    assert [box.plan.what for box in care.due_for(copy, now.date())] == ["3 AA batteries out"]
    make_loan(copy, now=now)


@pytest.mark.django_db
def test_plans_of_other_games_are_nobodys_business() -> None:
    copy, other = make_copy(), make_game("Uptown")
    care.add_plan(
        care.PlanDraft(kind=CareKind.CHECK, what="Check", game=other, every_days=1, blocks=True),
        today=NOON.date() - WEEK,
    )
    make_loan(copy)


# --- quarantine ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_return_begins_the_quarantine_and_the_day_after_it_the_box_goes_out() -> None:
    copy = make_copy()
    _quarantine_plan(3)
    now = _lend_and_return(copy, times=1)
    event = CopyEvent.objects.get()
    assert (event.after, event.until_on) == ("quarantine", now.date() + 3 * DAY)
    with pytest.raises(desk.Refused, match=r"^copy_in_quarantine$"):
        make_loan(copy, now=now + 3 * DAY)
    make_loan(copy, now=now + 4 * DAY)
    assert Copy.objects.get().condition == "in_service"


@pytest.mark.django_db
def test_a_box_whose_quarantine_is_over_is_on_the_shelf_without_anybody_saying_so() -> None:
    over, on = make_copy(), make_copy()
    now = timezone.now()
    care.move(over, Move.QUARANTINE, act=make_act(now=now - WEEK), until_on=now.date() - 2 * DAY)
    care.move(on, Move.QUARANTINE, act=make_act(now=now - WEEK), until_on=now.date() + 2 * DAY)
    shown = availability.annotate(Copy.objects.all()).values_list("pk", "status")
    assert dict(shown) == {over.pk: "on_shelf", on.pk: "quarantine"}
    assert set(availability.available_games().values_list("game_id", flat=True)) == {over.game_id}


@pytest.mark.django_db
def test_an_undone_return_was_no_reason_for_a_quarantine() -> None:
    loan = make_loan()
    _quarantine_plan(3)
    back = desk.check_in(loan.copy, act=make_act(now=NOON + WEEK))
    desk.undo(back.event, act=make_act(now=NOON + WEEK + timedelta(minutes=1)))
    assert Copy.objects.get().condition == "in_service"
    assert Loan.objects.get().returned_at is None


def _quarantine_plan(days: int) -> None:
    draft = care.PlanDraft(kind=CareKind.QUARANTINE, what="Days of rest", every_days=days)
    care.add_plan(draft, today=NOON.date())


def _lend_and_return(copy: Copy, *, times: int) -> datetime:
    now = NOON
    for _ in range(times):
        make_loan(copy, now=now)
        now += WEEK
        desk.check_in(copy, act=make_act(now=now))
        now += timedelta(minutes=5)
    return now
