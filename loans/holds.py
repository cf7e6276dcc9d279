"""The only writer of holds: places in the queue for a game, and the boxes that are promised to them.

Every function is one transaction and locks the game first, then the copy, then the member, as the desk
does: whatever happens to one game happens in one order, so no box is ever promised twice. After each
change `_settle` makes the queue right, by the plan of `queue`. The last functions are the desk's hooks:
they run inside its transaction, under its lock.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import QuerySet

from catalogue.models import Branch, Copy, Game
from catalogue.text import one_line
from loans import bookings, policies, queue, rules, situation
from loans.act import Act, Refused
from loans.availability import LENDABLE
from loans.calendar import calendar_of, kept_promise, local_date
from loans.capacity import kept_back
from loans.locks import is_wanted, lock_game
from loans.models import (
    ACTIVE,
    DeskAction,
    DeskEvent,
    Hold,
    HoldAction,
    HoldEvent,
    HoldState,
    Loan,
    LoanPlace,
    Member,
    Transfer,
)
from loans.opening import due_date
from loans.queue import Do
from loans.transaction import in_one_transaction


@dataclass(frozen=True, slots=True)
class _Stamp:
    """Who and when, for the story of a hold; by nobody: the clock."""

    at: datetime
    by: User | None


# --- asking for a game -----------------------------------------------------------------------------


@in_one_transaction
def place_hold(game: Game, member: Member, *, act: Act, branch: Branch | None = None) -> Hold:
    """The member's place in the queue for `game`, at its end. Raises Refused.

    A box on the shelf is promised at once: it must then be fetched and put on the hold shelf.
    """
    lock_game(game.pk)
    member = Member.objects.select_for_update(of=("self",), no_key=True).get(pk=member.pk)
    if (active := _own_hold(game.pk, member.pk)) and rules.is_a_moment_ago(active.placed_at, act.now):
        return active
    facts = situation.to_hold(game, member, now=act.now)
    if refusals := rules.may_hold(facts):
        raise Refused(refusals)
    hold = Hold.objects.create(
        game=game, member=member, branch=branch, placed_at=act.now, position=facts.in_line + 1
    )
    _tell(HoldAction.PLACED, hold, _Stamp(act.now, act.by))
    _settle(game.pk, _Stamp(act.now, act.by))
    hold.refresh_from_db()
    return hold


@in_one_transaction
def cancel(hold: Hold, *, act: Act, reason: str = "") -> Hold:
    """Give the place up; the box that was promised goes to the next in line. Twice is once."""
    lock_game(hold.game_id)
    hold = Hold.objects.get(pk=hold.pk)
    if hold.state in ACTIVE:
        _close(hold, HoldState.CANCELLED, HoldAction.CANCELLED, _Stamp(act.now, act.by), reason=reason)
        _settle(hold.game_id, _Stamp(act.now, act.by))
    return hold


@in_one_transaction
def move(hold: Hold, place: int, *, act: Act, reason: str) -> Hold:
    """Put the hold at `place` in its queue, for a reason that is kept. Raises Refused without one.

    What is promised already stays promised: it is the boxes to come that go by the new order.
    """
    if not any(character.isalpha() for character in reason):
        raise Refused.because(rules.RefusalCode.WAIVER_NEEDS_REASON)
    lock_game(hold.game_id)
    order = list(active_holds(hold.game_id))
    moved = next((one for one in order if one.pk == hold.pk), None)
    if moved is None:
        raise Refused.because(rules.RefusalCode.HOLD_CLOSED)
    before = order.index(moved)
    order.insert(max(min(place, len(order)), 1) - 1, order.pop(before))
    if order.index(moved) != before:
        _tell(HoldAction.MOVED, moved, _Stamp(act.now, act.by), reason=reason)
        _renumber(order)
    return Hold.objects.get(pk=hold.pk)


@in_one_transaction
def shelve(hold: Hold, *, act: Act) -> Hold:
    """The promised box was fetched and lies on the hold shelf. Twice is once. Raises Refused."""
    lock_game(hold.game_id)
    hold = Hold.objects.select_related("copy__branch", "member").get(pk=hold.pk)
    if hold.state == HoldState.READY:
        return hold
    if hold.copy is None:
        raise Refused.because(rules.RefusalCode.HOLD_CLOSED)
    if hold.copy.transfers.filter(received_at=None).exists():
        raise Refused.because(rules.RefusalCode.COPY_IN_TRANSIT)
    _make_ready(hold, hold.copy, _Stamp(act.now, act.by))
    return hold


def expire_holds(now: datetime, *, by: User | None = None) -> int:
    """Let go of what was not fetched in time, and promise what is free; returns how many lapsed.

    One transaction a game. For every night, and for whoever asks.
    """
    games = Hold.objects.filter(state__in=ACTIVE).order_by("game").values_list("game", flat=True).distinct()
    return sum(_settle_one(game, now, by) for game in games)


@in_one_transaction
def _settle_one(game: int, now: datetime, by: User | None) -> int:
    lock_game(game)
    return _settle(game, _Stamp(now, by))


# --- what the desk does ----------------------------------------------------------------------------


def after_check_in(copy: Copy, loan: Loan, act: Act) -> None:  # noqa: ARG001 - the hooks of a return are alike
    """A box came back: it is for the first in line whom it suits, and lies in the volunteer's hand."""
    if not is_wanted(copy):
        return
    _settle(copy.game_id, _Stamp(act.now, act.by), in_hand=copy.pk)


def when_lent(loan: Loan, act: Act) -> None:
    """A box went out: the member's own hold is fulfilled, whichever box it is, and the others settle."""
    if not is_wanted(loan.copy):
        return
    stamp = _Stamp(act.now, act.by)
    hold = _own_hold(loan.copy.game_id, loan.borrower.pk) if loan.place == LoanPlace.HOME else None
    if hold:
        _close(hold, HoldState.LENT, HoldAction.LENT, stamp, loan=loan)
    bookings.when_lent(loan, loan.lent_on)
    _settle(loan.copy.game_id, stamp)


def when_undone(event: DeskEvent, act: Act) -> None:
    """An action was undone. A hold that it fulfilled is open again at its old place; the rest settles.

    An undone return takes the box out of the house: whoever it was ready for waits again where he was.
    """
    if event.copy is None or event.loan is None:
        return
    stamp = _Stamp(act.now, act.by)
    if event.action == DeskAction.LEND:
        for hold in Hold.objects.filter(loan=event.loan, state=HoldState.LENT):
            _reopen(hold, stamp)
        bookings.when_lending_undone(event.loan)
    _forget_sending(event.copy)
    _settle(event.copy.game_id, stamp, in_hand=event.copy.pk)


def _forget_sending(copy: Copy) -> None:
    """A box that is out after all is on no way; that it was sent is undone with its return."""
    if copy.loans.filter(returned_at=None).exists():
        Transfer.objects.filter(copy=copy, received_at=None).delete()


# --- boxes on their way ----------------------------------------------------------------------------


def when_sent(copy: Copy, to_branch: Branch, act: Act) -> None:
    """A box leaves: whom it does not suit where it goes waits again, and it is promised to who is there."""
    for hold in Hold.objects.filter(copy=copy).select_related("copy"):
        if not queue.suits(hold.branch_id, to_branch.pk) or hold.state == HoldState.READY:
            _back_in_line(hold, _Stamp(act.now, act.by))
    _settle(copy.game_id, _Stamp(act.now, act.by))


def when_received(copy: Copy, act: Act) -> None:
    """A box has come, and lies in the volunteer's hand."""
    _settle(copy.game_id, _Stamp(act.now, act.by), in_hand=copy.pk)


def lapse_if_due(copy: Copy, act: Act) -> None:
    """Before a box is lent: what has lain on the hold shelf for too long is free first."""
    if not is_wanted(copy):
        return
    today = local_date(act.now, copy.branch)
    if Hold.objects.filter(copy=copy, state=HoldState.READY, expires_on__lt=today).exists():
        _settle(copy.game_id, _Stamp(act.now, act.by), in_hand=copy.pk)


# --- reading ---------------------------------------------------------------------------------------


def active_holds(game: int) -> "QuerySet[Hold]":
    """The queue of a game, in order."""
    rows = Hold.objects.filter(game=game, state__in=ACTIVE).order_by("position")
    return rows.select_related("copy__branch", "member")


def _own_hold(game: int, member: int) -> Hold | None:
    return Hold.objects.filter(game=game, member=member, state__in=ACTIVE).first()


# --- making the queue right ------------------------------------------------------------------------


def _settle(game: int, stamp: _Stamp, in_hand: int | None = None) -> int:
    """Do what `queue.plan` says, and close the gaps; returns how many holds lapsed."""
    holds = {hold.pk: hold for hold in active_holds(game)}
    if not holds:
        return 0
    boxes = {copy.pk: copy for copy in _in_the_house(game, in_hand)}
    places = [_place(hold, stamp.at) for hold in holds.values()]
    booked = _kept_for_bookings(game, holds.values(), boxes.values(), stamp.at)
    steps = queue.plan(places, _boxes(boxes.values(), in_hand), booked=booked)
    for step in steps:
        _take(step, holds[step.hold], boxes.get(step.copy), stamp, in_hand=step.copy == in_hand)
    _renumber([hold for hold in holds.values() if hold.state in ACTIVE])
    return sum(step.do == Do.LAPSE for step in steps)


def _in_the_house(game: int, in_hand: int | None) -> Iterable[Copy]:
    """The boxes that nobody has and that may be lent, the one in the hand first."""
    lent = Loan.objects.filter(returned_at=None, copy__game=game).values("copy")
    copies = Copy.objects.filter(game=game, condition__in=LENDABLE).exclude(pk__in=lent)
    return sorted(copies.select_related("branch"), key=lambda copy: copy.pk != in_hand)


def _kept_for_bookings(game: int, holds: Iterable[Hold], copies: Iterable[Copy], now: datetime) -> int:
    """How many boxes may not lie on the hold shelf, for somebody has booked them for days before its end."""
    claims = list(bookings.open_claims(game))
    ends = [shelf_end(copy, hold.member, now) for copy in copies for hold in holds] if claims else []
    if not ends:
        return 0
    return kept_back(bookings.due_dates(game), claims, local_date(now, None), max(ends))


def _boxes(copies: Iterable[Copy], in_hand: int | None) -> Iterator[queue.Box]:
    ways = Transfer.objects.filter(copy__in=copies, received_at=None)
    to_branch = dict(ways.values_list("copy", "to_branch"))
    for copy in copies:
        branch = to_branch.get(copy.pk, copy.branch_id)
        yield queue.Box(copy.pk, branch, travels=copy.pk in to_branch, in_hand=copy.pk == in_hand)


def _place(hold: Hold, now: datetime) -> queue.Place:
    branch, ready = hold.copy.branch if hold.copy else None, hold.state == HoldState.READY
    today, until = local_date(now, branch), hold.expires_on
    # Who could not come because it was closed has until the next open day.
    expired = until is not None and until < today and kept_promise(branch, until) < today
    return queue.Place(hold.pk, hold.branch_id, hold.copy_id, ready=ready, expired=ready and expired)


def _take(step: queue.Step, hold: Hold, copy: Copy | None, stamp: _Stamp, *, in_hand: bool) -> None:
    match step.do:
        case Do.LAPSE:
            _close(hold, HoldState.LAPSED, HoldAction.LAPSED, stamp)
        case Do.BACK_IN_LINE:
            _back_in_line(hold, stamp)
        case Do.SHELVE if copy:
            _make_ready(hold, copy, stamp)
        case Do.PROMISE | Do.SEND if copy:
            _write(hold, copy=copy)
            _tell(HoldAction.PROMISED, hold, stamp)
            if step.do == Do.SEND and hold.branch and in_hand:
                _send(hold, copy, hold.branch, stamp)


def _make_ready(hold: Hold, copy: Copy, stamp: _Stamp) -> None:
    until = shelf_end(copy, hold.member, stamp.at)
    _write(hold, state=HoldState.READY, copy=copy, ready_at=stamp.at, expires_on=until)
    _tell(HoldAction.READY, hold, stamp)


def _back_in_line(hold: Hold, stamp: _Stamp) -> None:
    _tell(HoldAction.BACK_IN_LINE, hold, stamp)
    _write(hold, state=HoldState.WAITING, copy=None, ready_at=None, expires_on=None)


def _send(hold: Hold, copy: Copy, branch: Branch, stamp: _Stamp) -> None:
    """The box is in the hand and is wanted elsewhere: it is on its way from now on."""
    Transfer.objects.create(
        copy=copy,
        from_branch=copy.branch,
        to_branch=branch,
        hold=hold,
        sent_at=stamp.at,
        sent_by=stamp.by,
    )


def shelf_end(copy: Copy, member: Member, now: datetime) -> date:
    """The last day on which a box is kept on the hold shelf: an open day, if there is one."""
    today, days = local_date(now, copy.branch), policies.policy_for(member, copy).hold_shelf_days
    return due_date(today, days, calendar_of(copy.branch)) or today + timedelta(days=days)


def _close(
    hold: Hold,
    state: HoldState,
    action: HoldAction,
    stamp: _Stamp,
    *,
    loan: Loan | None = None,
    reason: str = "",
) -> None:
    """Take the hold out of the queue; `_settle`, which follows, closes the gap."""
    _tell(action, hold, stamp, reason=reason)
    _write(hold, state=state, position=None, copy=None, loan=loan)


def _reopen(hold: Hold, stamp: _Stamp) -> None:
    """Open again a hold that an undone loan had fulfilled, unless the member has asked anew since."""
    if _own_hold(hold.game_id, hold.member_id):
        return
    old = hold.events.filter(action=HoldAction.LENT).values_list("position", flat=True)[0] or 1
    order = list(active_holds(hold.game_id))
    _write(hold, state=HoldState.WAITING, position=len(order) + 1, loan=None, ready_at=None, expires_on=None)
    _tell(HoldAction.REOPENED, hold, stamp)
    order.insert(old - 1, hold)
    _renumber(order)


def _renumber(order: list[Hold]) -> None:
    """Give the holds their places, 1 and on. By way of places that are free, for each place is one hold's."""
    wrong = [(place, hold) for place, hold in enumerate(order, 1) if hold.position != place]
    beyond = max((hold.position or 0 for hold in order), default=0) + len(order)
    for place, hold in wrong:
        _write(hold, position=beyond + place)
    for place, hold in wrong:
        _write(hold, position=place)


def _write(hold: Hold, **values: object) -> None:
    for name, value in values.items():
        setattr(hold, name, value)
    hold.save(update_fields=list(values))


def _tell(action: HoldAction, hold: Hold, stamp: _Stamp, *, reason: str = "") -> None:
    HoldEvent.objects.create(
        hold=hold,
        action=action,
        at=stamp.at,
        by=stamp.by,
        position=hold.position,
        copy=hold.copy,
        reason=one_line(reason)[:300],
    )
