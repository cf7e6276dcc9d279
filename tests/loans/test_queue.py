"""The plan of a queue and the sums of bookings, on whatever values Hypothesis invents."""

from collections import Counter
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loans.capacity import Claim, kept_back, most_wanted, needed_from, wanted_on
from loans.queue import Box, Do, Place, plan, suits

unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How fast a machine invents queues is no test's business."""

branches = st.none() | st.integers(1, 2)


@st.composite
def queues(draw: st.DrawFn) -> tuple[list[Place], list[Box]]:
    """A queue as the table allows it: every box is promised to one hold at most."""
    known = draw(st.lists(st.integers(1, 8), unique=True, max_size=8))
    boxes = [
        Box(copy, draw(branches), in_hand=n == 0 and draw(st.booleans())) for n, copy in enumerate(known)
    ]
    promised = draw(st.lists(st.integers(1, 10), unique=True, max_size=6))
    places = [
        Place(hold, draw(branches), copy, ready=draw(st.booleans()), expired=draw(st.booleans()))
        for hold, copy in enumerate(promised, 1)
    ]
    places += [Place(hold, draw(branches)) for hold in range(100, 100 + draw(st.integers(0, 6)))]
    return draw(st.permutations(places)), boxes


def outcome(queue: list[Place], boxes: list[Box], booked: int = 0) -> dict[int, int | None]:
    """The box of every hold that is still in the queue after the plan, in the order of the queue."""
    promised = {place.hold: place.copy for place in queue}
    for step in plan(queue, boxes, booked=booked):
        if step.do == Do.LAPSE:
            del promised[step.hold]
        else:
            promised[step.hold] = None if step.do == Do.BACK_IN_LINE else step.copy
    return promised


@unhurried
@given(queues(), st.integers(0, 3))
def test_no_box_is_ever_promised_twice_and_none_that_is_not_there(
    given_queue: tuple[list[Place], list[Box]], booked: int
) -> None:
    queue, boxes = given_queue
    promises = [copy for copy in outcome(queue, boxes, booked).values() if copy is not None]
    assert max(Counter(promises).values(), default=1) == 1
    assert set(promises) <= {box.copy for box in boxes}


@unhurried
@given(queues())
def test_the_first_in_line_comes_first(given_queue: tuple[list[Place], list[Box]]) -> None:
    """Nobody gets a new box that suits somebody who stands before him and gets none."""
    queue, boxes = given_queue
    after, branch_of = outcome(queue, boxes), {box.copy: box.branch for box in boxes}
    for n, place in enumerate(queue):
        fresh = after.get(place.hold)
        if fresh is None or fresh == place.copy:
            continue
        before = [one for one in queue[:n] if one.hold in after and after[one.hold] is None]
        assert not [one for one in before if suits(one.branch, branch_of[fresh])]


@unhurried
@given(queues())
def test_no_box_lies_idle_while_somebody_waits(given_queue: tuple[list[Place], list[Box]]) -> None:
    queue, boxes = given_queue
    after = outcome(queue, boxes)
    idle = {box.copy for box in boxes} - set(after.values())
    assert not idle or None not in after.values()


@unhurried
@given(queues(), st.integers(0, 3))
def test_boxes_that_are_booked_are_left(given_queue: tuple[list[Place], list[Box]], booked: int) -> None:
    queue, boxes = given_queue
    kept = {place.copy for place in queue if not place.expired} & {box.copy for box in boxes}
    new = set(outcome(queue, boxes, booked).values()) - {None} - kept
    assert len(new) <= max(len(boxes) - len(kept) - booked, 0)


@unhurried
@given(queues())
def test_what_is_settled_stays_as_it_is(given_queue: tuple[list[Place], list[Box]]) -> None:
    queue, boxes = given_queue
    after = outcome(queue, boxes)
    settled = [
        Place(place.hold, place.branch, after[place.hold], ready=True)
        for place in queue
        if place.hold in after
    ]
    assert plan(settled, boxes) == ()


def test_a_box_in_the_hand_goes_to_the_hold_shelf_and_another_must_be_fetched() -> None:
    steps = plan([Place(1), Place(2)], [Box(7, in_hand=True), Box(8)])
    assert [(step.do, step.hold, step.copy) for step in steps] == [(Do.SHELVE, 1, 7), (Do.PROMISE, 2, 8)]


def test_a_box_on_its_way_is_for_nobody_but_whom_it_was_sent_to() -> None:
    assert plan([Place(1)], [Box(7, travels=True)]) == ()
    assert plan([Place(1, 2, 7)], [Box(7, 2, travels=True, in_hand=True)]) == ()


# --- bookings ----------------------------------------------------------------------------------

DAY = date(2025, 3, 4)
days = st.integers(0, 20).map(lambda n: DAY + timedelta(days=n))


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """Boxes wanted on some days."""
    first, last = sorted((draw(days), draw(days)))
    return Claim(draw(st.integers(1, 3)), first, last)


@unhurried
@given(st.lists(claims(), max_size=8), days, st.integers(0, 10))
def test_the_most_wanted_is_found_by_looking_at_every_day(
    wanted: list[Claim], first_on: date, length: int
) -> None:
    span = [first_on + timedelta(days=n) for n in range(length + 1)]
    assert most_wanted(wanted, span[0], span[-1]) == max(wanted_on(wanted, day) for day in span)


@unhurried
@given(st.lists(claims(), max_size=12), st.integers(1, 4))
def test_bookings_that_are_taken_while_they_fit_never_promise_more_than_there_is(
    wanted: list[Claim], copies: int
) -> None:
    taken = list[Claim]()
    for claim in wanted:
        if claim.copies <= copies - most_wanted(taken, claim.first_on, claim.last_on):
            taken.append(claim)
    assert all(wanted_on(taken, DAY + timedelta(days=n)) <= copies for n in range(21))


@unhurried
@given(st.lists(claims(), max_size=4), st.lists(days, max_size=3), st.integers(1, 4), days)
def test_a_box_may_go_out_until_the_day_on_which_it_would_be_missed(
    wanted: list[Claim], out: list[date], copies: int, today: date
) -> None:
    day = needed_from(copies, out, wanted, today)
    for n in range((DAY + timedelta(days=21) - today).days):
        looked_at = today + timedelta(days=n)
        away = sum(due_on >= looked_at or due_on < today for due_on in out)
        missed = (
            wanted_on(wanted, looked_at) > max(copies - away - 1, -1) and wanted_on(wanted, looked_at) > 0
        )
        assert not missed or (day is not None and day <= looked_at)


@unhurried
@given(st.lists(claims(), max_size=4), st.lists(days, max_size=4), days, st.integers(0, 9))
def test_boxes_are_kept_back_for_the_worst_day_until_then(
    wanted: list[Claim], out: list[date], today: date, length: int
) -> None:
    until = today + timedelta(days=length)
    kept = kept_back(out, wanted, today, until)
    for n in range(length + 1):
        day = today + timedelta(days=n)
        assert wanted_on(wanted, day) <= kept + sum(today <= due_on < day for due_on in out)


@pytest.mark.parametrize(("due", "first_missed"), [(9, None), (10, 10)])
def test_the_due_date_is_the_last_day_on_which_a_box_is_away(due: int, first_missed: int | None) -> None:
    claim = Claim(1, DAY + timedelta(days=10), DAY + timedelta(days=12))
    found = needed_from(2, [DAY + timedelta(days=due)], [claim], DAY)
    assert found == (DAY + timedelta(days=first_missed) if first_missed else None)
