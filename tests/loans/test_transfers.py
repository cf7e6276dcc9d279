"""Boxes on their way from branch to branch."""

from datetime import timedelta

import pytest

from catalogue.models import Branch, Copy
from loans import desk, holds, transfers
from loans.availability import annotate
from loans.models import Hold, Transfer
from tests.make import NOON, make_act, make_copy, make_loan, make_member

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(days=5)


@pytest.fixture
def south() -> Branch:
    """The other branch."""
    return Branch.objects.create(name="South", key="south")


@pytest.fixture
def copy() -> Copy:
    """A box in the north."""
    return make_copy(branch="North")


def test_a_box_on_its_way_is_on_no_shelf_and_cannot_be_lent(copy: Copy, south: Branch) -> None:
    transfers.send(copy, south, act=make_act())
    assert annotate(Copy.objects.all()).get().status == "in_transit"
    with pytest.raises(desk.Refused, match=r"^copy_in_transit$"):
        desk.lend(copy, make_member(), act=make_act())


def test_a_box_that_is_received_stands_at_its_new_branch(copy: Copy, south: Branch) -> None:
    transfers.send(copy, south, act=make_act())
    received = transfers.receive(copy, act=make_act(now=LATER))
    copy.refresh_from_db()
    assert received
    assert received.received_at == LATER
    assert copy.branch == south
    assert transfers.receive(copy, act=make_act(now=LATER)) is None
    assert desk.lend(copy, make_member(), act=make_act(now=LATER))


def test_a_box_that_is_out_or_there_already_is_not_sent(copy: Copy, south: Branch) -> None:
    assert copy.branch
    with pytest.raises(desk.Refused, match=r"^same_branch$"):
        transfers.send(copy, copy.branch, act=make_act())
    make_loan(copy)
    with pytest.raises(desk.Refused, match=r"^copy_on_loan$"):
        transfers.send(copy, south, act=make_act())


def test_sent_twice_is_sent_once(copy: Copy, south: Branch) -> None:
    first = transfers.send(copy, south, act=make_act())
    assert transfers.send(copy, south, act=make_act()) == first


def test_a_box_that_comes_back_is_sent_to_who_waits_elsewhere_and_ready_there(
    copy: Copy, south: Branch
) -> None:
    loan = make_loan(copy)
    hold = holds.place_hold(copy.game, make_member(), branch=south, act=make_act())
    desk.check_in(copy, act=make_act(now=LATER))
    way = Transfer.objects.get()
    assert (way.to_branch, way.hold, way.received_at) == (south, hold, None)
    transfers.receive(loan.copy, act=make_act(now=LATER))
    hold.refresh_from_db()
    assert (hold.state, hold.copy, hold.position) == ("ready", copy, 1)


def test_an_undone_return_takes_the_box_off_its_way(copy: Copy, south: Branch) -> None:
    make_loan(copy)
    holds.place_hold(copy.game, make_member(), branch=south, act=make_act())
    done = desk.check_in(copy, act=make_act(now=LATER))
    desk.undo(done.event, act=make_act(now=LATER))
    assert not Transfer.objects.exists()
    assert Hold.objects.get().copy is None


def test_whoever_waits_here_is_served_before_a_box_travels(copy: Copy, south: Branch) -> None:
    make_loan(copy)
    there = holds.place_hold(copy.game, make_member(), branch=south, act=make_act())
    here = holds.place_hold(copy.game, make_member(), act=make_act())
    desk.check_in(copy, act=make_act(now=LATER))
    assert [Hold.objects.get(pk=hold.pk).state for hold in (there, here)] == ["waiting", "ready"]


def test_what_is_on_its_way_is_not_put_on_a_hold_shelf(copy: Copy, south: Branch) -> None:
    hold = holds.place_hold(copy.game, make_member(), act=make_act())
    transfers.send(copy, south, act=make_act())
    with pytest.raises(desk.Refused, match=r"^copy_in_transit$"):
        holds.shelve(hold, act=make_act())
    transfers.in_hand(copy, act=make_act())
    assert Hold.objects.get().state == "waiting"
    transfers.receive(copy, act=make_act(now=LATER))
    assert Hold.objects.get().state == "ready"


def test_a_promised_box_that_is_scanned_was_fetched_or_leaves(copy: Copy, south: Branch) -> None:
    hold = holds.place_hold(copy.game, make_member(), branch=south, act=make_act())
    transfers.in_hand(copy, act=make_act())
    assert Transfer.objects.get().hold == hold
    other = make_copy(branch="North")
    holds.place_hold(other.game, make_member(), act=make_act())
    transfers.in_hand(other, act=make_act())
    assert Hold.objects.get(copy=other).state == "ready"
