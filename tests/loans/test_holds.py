"""Places in the queue for a game, from asking to taking it home."""

from datetime import date, timedelta

import pytest

from catalogue.models import Branch, Copy, Game
from loans import desk, holds
from loans.availability import annotate
from loans.models import Hold, HoldEvent
from loans.rules import RefusalCode
from tests.make import (
    NOON,
    make_act,
    make_closure,
    make_copy,
    make_game,
    make_loan,
    make_member,
    make_opening,
    make_user,
)

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=5)


def place(game: Game, name: str = "Aminata Diallo", **more: object) -> Hold:
    """A hold of a new member."""
    return holds.place_hold(game, make_member(name), act=make_act(), **more)  # type: ignore[arg-type]


def now(hold: Hold) -> Hold:
    """The hold as it stands in the table."""
    return Hold.objects.get(pk=hold.pk)


def told(hold: Hold) -> tuple[str, int | None, str]:
    """State, place, and barcode of the promised box."""
    hold = now(hold)
    return hold.state, hold.position, hold.copy.barcode if hold.copy else ""


# --- asking ------------------------------------------------------------------------------------


def test_who_asks_for_a_game_that_is_out_stands_at_the_end_of_its_queue() -> None:
    game = make_loan().copy.game
    assert [told(place(game)), told(place(game))] == [("waiting", 1, ""), ("waiting", 2, "")]


def test_who_asks_for_a_game_on_the_shelf_is_promised_the_box_at_once() -> None:
    copy = make_copy()
    hold = place(copy.game)
    assert told(hold) == ("waiting", 1, copy.barcode)
    holds.shelve(hold, act=make_act())
    assert told(hold) == ("ready", 1, copy.barcode)
    assert now(hold).expires_on == date(2025, 3, 11)


def test_a_second_press_of_the_button_is_the_same_hold() -> None:
    game, member = make_loan().copy.game, make_member()
    first = holds.place_hold(game, member, act=make_act())
    assert holds.place_hold(game, member, act=make_act()) == first
    with pytest.raises(desk.Refused, match=r"^already_holds$"):
        holds.place_hold(game, member, act=make_act(now=LATER))


def test_whoever_has_the_game_at_home_need_not_wait_for_it() -> None:
    loan = make_loan()
    with pytest.raises(desk.Refused, match=r"^has_game_at_home$"):
        holds.place_hold(loan.copy.game, loan.borrower, act=make_act())


def test_a_blocked_card_and_an_ended_membership_are_named_together() -> None:
    member = make_member(block_reason="Key lost", membership_ends_on=date(2025, 1, 1))
    with pytest.raises(desk.Refused, match=r"^member_blocked, membership_ended$"):
        holds.place_hold(make_copy().game, member, act=make_act())


def test_the_limit_counts_what_is_waited_for_on_all_games() -> None:
    member = make_member()
    for _ in range(5):
        holds.place_hold(make_copy().game, member, act=make_act())
    with pytest.raises(desk.Refused, match=r"^hold_limit_reached$"):
        holds.place_hold(make_copy().game, member, act=make_act())


def test_a_game_of_which_every_box_is_lost_cannot_be_waited_for() -> None:
    with pytest.raises(desk.Refused, match=r"^no_copy_to_hold$"):
        place(make_copy(condition="lost").game)


# --- the box comes back ------------------------------------------------------------------------


def test_the_first_copy_back_is_for_the_first_in_line_and_lies_ready_until_a_day() -> None:
    game = make_game()
    loans = [make_loan(make_copy(game)), make_loan(make_copy(game))]
    first, second = place(game), place(game)
    desk.check_in(loans[1].copy, act=make_act(now=LATER))
    assert told(first) == ("ready", 1, loans[1].copy.barcode)
    assert now(first).expires_on == date(2025, 3, 16)
    assert told(second) == ("waiting", 2, "")


def test_the_last_day_on_the_hold_shelf_is_an_open_day() -> None:
    make_opening("FREQ=WEEKLY;BYDAY=SA")
    loan = make_loan()
    hold = place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    assert now(hold).expires_on == date(2025, 3, 22)


def test_a_box_kept_for_one_family_is_refused_to_another_until_it_says_when() -> None:
    loan = make_loan()
    hold = place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    with pytest.raises(desk.Refused, match=r"^copy_held_for_other$") as refused:
        desk.lend(loan.copy, make_member(), act=make_act(now=LATER))
    (refusal,) = refused.value.refusals
    assert refusal.data == {"member": hold.member_id, "until_on": "2025-03-16"}


def test_the_family_takes_home_what_was_kept_for_it() -> None:
    loan = make_loan()
    hold, next_one = place(loan.copy.game), place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    lent = desk.lend(loan.copy, hold.member, act=make_act(now=LATER)).loan
    assert told(hold) == ("lent", None, "")
    assert now(hold).loan == lent
    assert told(next_one) == ("waiting", 1, "")


def test_complaint_8_whoever_takes_another_copy_leaves_the_kept_one_to_the_next() -> None:
    """Koha 35357: the first copy stayed in the queue after the hold was met by another one."""
    game = make_game()
    loans = [make_loan(make_copy(game)), make_loan(make_copy(game))]
    first, second = place(game), place(game)
    for loan in loans:
        desk.check_in(loan.copy, act=make_act(now=LATER))
    assert [told(first)[2], told(second)[2]] == [loans[0].copy.barcode, loans[1].copy.barcode]
    third = place(game)
    mended = make_copy(game)
    desk.lend(mended, first.member, act=make_act(now=LATER))
    assert told(first) == ("lent", None, "")
    assert told(third) == ("waiting", 2, loans[0].copy.barcode)
    assert told(second) == ("ready", 1, loans[1].copy.barcode)


def test_complaint_8_a_copy_with_a_hold_does_not_read_available() -> None:
    copy = make_copy()
    place(copy.game)
    assert annotate(Copy.objects.all()).get().status == "on_hold"


def test_complaint_9_a_renewal_is_refused_while_somebody_waits_and_says_when_it_is_due() -> None:
    loan = make_loan()
    place(loan.copy.game)
    with pytest.raises(desk.Refused, match=r"^somebody_waits$") as refused:
        desk.renew(loan, act=make_act(now=LATER))
    assert refused.value.refusals[0].data == {"waiting": 1, "due_on": "2025-03-25"}


def test_a_renewal_is_allowed_while_another_box_is_there_for_who_waits() -> None:
    game = make_game()
    loan, other = make_loan(make_copy(game)), make_loan(make_copy(game))
    place(game)
    desk.check_in(other.copy, act=make_act(now=LATER))
    assert desk.renew(loan, act=make_act(now=LATER)).loan.renewals == 1


def test_somebody_who_was_passed_over_waits_for_the_next_box() -> None:
    loan = make_loan()
    hold = place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    waiver = desk.Waiver(frozenset({RefusalCode.COPY_HELD_FOR_OTHER}), "agreed by telephone")
    done = desk.lend(loan.copy, make_member(), act=make_act(make_user("manager"), now=LATER), waiver=waiver)
    assert told(hold) == ("waiting", 1, "")
    desk.undo(done.event, act=make_act(now=LATER))
    assert told(hold) == ("ready", 1, loan.copy.barcode)


# --- undo --------------------------------------------------------------------------------------


def test_an_undone_return_takes_the_ready_hold_back_to_its_place() -> None:
    loan = make_loan()
    first, second = place(loan.copy.game), place(loan.copy.game)
    done = desk.check_in(loan.copy, act=make_act(now=LATER))
    desk.undo(done.event, act=make_act(now=LATER))
    assert [told(first), told(second)] == [("waiting", 1, ""), ("waiting", 2, "")]
    assert now(first).expires_on is None


def test_an_undone_loan_gives_the_hold_its_old_place_again() -> None:
    loan = make_loan()
    first, second = place(loan.copy.game), place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    done = desk.lend(loan.copy, first.member, act=make_act(now=LATER))
    assert told(second) == ("waiting", 1, "")
    desk.undo(done.event, act=make_act(now=LATER))
    assert [told(first), told(second)] == [("ready", 1, loan.copy.barcode), ("waiting", 2, "")]


# --- leaving the queue -------------------------------------------------------------------------


def test_who_gives_up_a_place_leaves_no_gap_and_the_box_to_the_next() -> None:
    loan = make_loan()
    game = loan.copy.game
    queue = [place(game) for _ in range(3)]
    desk.check_in(loan.copy, act=make_act(now=LATER))
    holds.cancel(queue[0], act=make_act(now=LATER))
    assert [told(hold) for hold in queue] == [
        ("cancelled", None, ""),
        ("waiting", 1, loan.copy.barcode),
        ("waiting", 2, ""),
    ]


def test_what_is_not_fetched_lapses_after_its_last_day_and_not_before() -> None:
    loan = make_loan()
    hold, following = place(loan.copy.game), place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    assert holds.expire_holds(LATER + timedelta(days=7)) == 0
    assert holds.expire_holds(LATER + timedelta(days=8)) == 1
    assert told(hold) == ("lapsed", None, "")
    assert told(following) == ("waiting", 1, loan.copy.barcode)


def test_what_could_not_be_fetched_because_it_was_closed_is_kept_to_the_next_open_day() -> None:
    loan = make_loan()
    hold = place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    last_day = LATER.date() + timedelta(days=7)
    make_closure(last_day, last_day + timedelta(days=3))
    assert holds.expire_holds(LATER + timedelta(days=11)) == 0
    assert told(hold)[0] == "ready"
    assert holds.expire_holds(LATER + timedelta(days=12)) == 1


def test_a_lapsed_box_is_lent_at_the_desk_before_any_clock_has_struck() -> None:
    loan = make_loan()
    hold = place(loan.copy.game)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    desk.lend(loan.copy, make_member(), act=make_act(now=LATER + timedelta(days=8)))
    assert told(hold) == ("lapsed", None, "")


def test_a_hold_is_moved_with_a_reason_that_stays() -> None:
    game = make_loan().copy.game
    queue = [place(game) for _ in range(4)]
    holds.move(queue[3], 2, act=make_act(), reason="Birthday on Sunday")
    assert [now(hold).position for hold in queue] == [1, 3, 4, 2]
    event = HoldEvent.objects.get(action="moved")
    assert (event.hold, event.position, event.reason) == (queue[3], 4, "Birthday on Sunday")
    holds.move(queue[0], 99, act=make_act(), reason="on holiday")
    assert [now(hold).position for hold in queue] == [4, 2, 3, 1]


def test_a_hold_is_not_moved_without_a_reason() -> None:
    game = make_loan().copy.game
    hold = place(game)
    with pytest.raises(desk.Refused, match=r"^waiver_needs_reason$"):
        holds.move(hold, 1, act=make_act(), reason="3000123")


# --- branches ----------------------------------------------------------------------------------


def test_the_first_in_line_whose_branch_fits_gets_the_box() -> None:
    copy = make_copy(branch="North")
    loan = make_loan(copy)
    south = Branch.objects.create(name="South", key="south")
    elsewhere = place(copy.game, branch=south)
    here = place(copy.game, branch=copy.branch)
    desk.check_in(loan.copy, act=make_act(now=LATER))
    assert told(elsewhere) == ("waiting", 1, "")
    assert told(here) == ("ready", 2, copy.barcode)


def test_complaint_7_a_hold_is_not_ready_while_the_box_is_not_on_the_hold_shelf() -> None:
    """Pinakes 366: "ready for pickup" while the copy is still out. RERO 3173: all read as ready."""
    loan = make_loan()
    hold, following = place(loan.copy.game), place(loan.copy.game)
    assert told(hold)[0] == "waiting"
    done = desk.check_in(loan.copy, act=make_act(now=LATER))
    assert [told(hold)[0], told(following)[0]] == ["ready", "waiting"]
    desk.undo(done.event, act=make_act(now=LATER))
    assert told(hold)[0] == "waiting"


def test_complaint_8_one_change_leaves_the_holds_on_other_games_alone() -> None:
    """Koha 37413: a change of one hold altered others."""
    member, other = make_member(), make_copy().game
    elsewhere = holds.place_hold(other, member, act=make_act())
    game = make_loan().copy.game
    here, _ = holds.place_hold(game, member, act=make_act()), place(game)
    before = told(elsewhere)
    holds.move(here, 2, act=make_act(), reason="on holiday")
    holds.cancel(here, act=make_act())
    assert told(elsewhere) == before


def test_complaint_9_a_late_loan_is_renewed_at_the_desk_while_nobody_waits() -> None:
    """CDS-ILS 621: staff must be able to renew what is late."""
    loan = make_loan()
    late = NOON + timedelta(days=30)
    assert desk.renew(loan, act=make_act(now=late)).loan.renewals == 1
    place(loan.copy.game)
    with pytest.raises(desk.Refused, match=r"^somebody_waits$"):
        desk.renew(loan, act=make_act(now=late + timedelta(days=1)))
