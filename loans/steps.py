"""From one state of the desk page to the next: a code was scanned, a command, a proposal accepted.

Called by the views, which know of requests; every change goes through `desk`, `sets` and `quick`.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import takewhile

from catalogue import links
from catalogue.models import Copy
from catalogue.prepared import Prepared
from loans import commands, counting, desk, offers, scan, sets, transfers
from loans.act import Act, Done, Refused, of_scan
from loans.calendar import calendar_of, end_of_day, local_date
from loans.commands import Command
from loans.desk_state import DeskState
from loans.models import DeskAction, DeskEvent, Member
from loans.offers import Offer
from loans.opening import open_days
from loans.rules import Refusal, RefusalCode, Term

DROP_REACHES = timedelta(days=31)
"""How far back the last open day is looked for; the page takes any day."""


@dataclass(frozen=True, slots=True)
class GoTo:
    """A command that leads to another page of the desk, by the name of its address."""

    view: str
    args: tuple[int, ...] = ()


def scanned(code: str, state: DeskState, act: Act) -> DeskState | GoTo:
    """What was scanned or typed into the one box."""
    if command := commands.read(code):
        return _commanded(command, state, act)
    found = scan.read(code)
    match found.found:
        case scan.Found.NOTHING_SCANNED:
            return DeskState()
        case scan.Found.MEMBER:
            return opened(found.members[0], state)
        case scan.Found.COPY:
            return scanned_copy(found.copies[0], state, act)
        case scan.Found.CHOICE:
            return DeskState(member=state.member, term=state.term, drop=state.drop, asked=found.code)
    return _not_understood(found, state, act)


def opened(member: Member, state: DeskState) -> DeskState:
    """A card: a term chosen before any card was open is for this one, another card's ends with it."""
    return DeskState(member=member.pk, term=Term.USUAL if state.member else state.term)


def scanned_copy(copy: Copy, state: DeskState, act: Act) -> DeskState:
    """A box, scanned or chosen."""
    if state.drop:
        end = end_of_day(state.drop, copy.branch)
        returned_at = act.now if state.drop == local_date(act.now, copy.branch) else end
        return done(state, lambda: desk.check_in(copy, act=act, returned_at=returned_at))
    member = open_member(state)
    if member is None:
        transfers.in_hand(copy, act=act)
    shown = DeskEvent.objects.filter(pk=state.event).first() if state.event else None
    return done(
        state,
        lambda: desk.scan_copy(copy, member, act=act, shown=shown, term=state.term),
        on_shelf=copy,
    )


def accepted(offer: Offer, event: DeskEvent, state: DeskState, act: Act) -> DeskState:
    """Do what was proposed after `event`; whether it is allowed by now, the rules say as ever."""
    member, copy = open_member(state), event.copy
    if copy is None:
        return state
    if offer == Offer.TAKE_BACK:
        return done(state, lambda: desk.check_in(copy, act=act))
    if member is None:
        return state
    if offer == Offer.KIT:
        # Pressed twice there is nothing left to lend: the boxes of the kit then answer as they did.
        rest = offers.missing_of_kit(event) or links.rest_of_kit(copy)
        return several(state, sets.lend_copies(rest, member, act=act, term=state.term))
    if offer == Offer.SWAP:
        return done(state, lambda: sets.swap(copy, member, act=act, term=state.term))
    term = Term.BEFORE_BOOKING if offer == Offer.BEFORE_BOOKING else state.term
    return done(state, lambda: desk.lend(copy, member, act=act, term=term))


def done(state: DeskState, action: Callable[[], Done], on_shelf: Copy | None = None) -> DeskState:
    """The state after an action: what it answered, with the same member open."""
    after = _same_desk(state)
    try:
        answer = action()
    except Refused as refused:
        if refused.event is None and on_shelf:
            return replace(after, copy=on_shelf.pk)
        return replace(after, event=refused.event.pk if refused.event else None)
    return replace(after, event=answer.event.pk, again=answer.repeated)


def several(state: DeskState, events: tuple[DeskEvent, ...]) -> DeskState:
    """The state after several things were done at once."""
    return replace(_same_desk(state), events=tuple(event.pk for event in events))


def open_member(state: DeskState) -> Member | None:
    """The member whose card is open."""
    return OPEN.first(state.member) if state.member else None


OPEN = Prepared(lambda pk: Member.objects.filter(pk=pk), int)


def _same_desk(state: DeskState) -> DeskState:
    return replace(state, event=None, events=(), copy=None, asked="", again=False)


def _not_understood(found: scan.Scan, state: DeskState, act: Act) -> DeskState:
    """The open card is put away: if this was the next family's card, their games must not go on it."""
    damaged = found.found == scan.Found.DAMAGED
    code = RefusalCode.DAMAGED_CODE if damaged else RefusalCode.UNKNOWN_CODE
    refusal = Refusal(code, data={"code": found.code})
    aside = state.member or state.aside
    answer = done(state, lambda: desk.refuse_scan(refusal, act=act))
    return replace(answer, member=None, aside=aside)


# --- commands ----------------------------------------------------------------------------------


def _commanded(command: Command, state: DeskState, act: Act) -> DeskState | GoTo:
    if command == Command.DONE:
        return DeskState()
    if command in PAGES:
        return GoTo(PAGES[command])
    if command in TERMS:
        return replace(_same_desk(state), term=TERMS[command], drop=None)
    return STEPS[command](state, act)


def _yes(state: DeskState, act: Act) -> DeskState:
    events = DeskEvent.objects.select_related("copy__kit_box", "member", "undone_by")
    event = events.filter(pk=state.event).first() if state.event else None
    proposed = offers.offers_of(event, open_member(state)) if event else ()
    if event and not proposed and event.action == DeskAction.CHECK_IN:
        return _box_complete(state, act)
    if event is None or not proposed:
        return _refused(RefusalCode.NOTHING_ASKED, state, act)
    return accepted(proposed[0], event, state, act)


def _undo(state: DeskState, act: Act) -> DeskState:
    """The volunteer's own last change; a command that comes twice finds its first answer by the nonce."""
    own = DeskEvent.objects.select_related("copy", "member").filter(by=act.by, at_desk=True)
    sent = own.filter(of_scan(act.nonce)).select_related("undoes").first() if act.nonce else None
    last = own.filter(action__in=desk.CHANGES, undone_by=None).first()
    event = (sent.undoes if sent else None) or last
    if event is None:
        return _refused(RefusalCode.NOT_UNDOABLE, state, act)
    return done(state, lambda: desk.undo(event, act=act))


def _renew_all(state: DeskState, act: Act) -> DeskState:
    member = open_member(state)
    if member is None:
        return _refused(RefusalCode.CARD_FIRST_FOR_COMMAND, state, act)
    events = sets.renew_all(member, act=act)
    return several(state, events) if events else _refused(RefusalCode.NOTHING_TO_RENEW, state, act)


def _receipt(state: DeskState, act: Act) -> DeskState | GoTo:
    """The games of the open card, to be printed."""
    member = open_member(state)
    if member is None:
        return _refused(RefusalCode.CARD_FIRST_FOR_COMMAND, state, act)
    return GoTo("loans:loans-receipt", (member.pk,))


def _box_complete(state: DeskState, act: Act) -> DeskState:
    return _counted(state, act, lambda event: counting.complete(counting.count_of(event, act=act), act=act))


def _count_later(state: DeskState, act: Act) -> DeskState:
    return _counted(state, act, lambda event: counting.count_of(event, act=act))


def _counted(state: DeskState, act: Act, count: Callable[[DeskEvent], object]) -> DeskState:
    """The same answer on show, with the box of its return counted or in the queue."""
    event = DeskEvent.objects.filter(pk=state.event or 0, action=DeskAction.CHECK_IN).first()
    if event is None:
        return _refused(RefusalCode.NOTHING_RETURNED, state, act)
    try:
        count(event)
    except Refused as refused:
        return _refused(refused.refusals[0].code, state, act)
    return replace(state, again=False)


def _book_drop(state: DeskState, act: Act) -> DeskState:
    """The boxes in the drop came back on the last day it was open, unless the volunteer knows better."""
    today = local_date(act.now, None)
    before = takewhile(lambda day: day < today, open_days(calendar_of(None), today - DROP_REACHES))
    return DeskState(drop=max(before, default=today - timedelta(days=1)), all=state.all)


def _refused(code: RefusalCode, state: DeskState, act: Act) -> DeskState:
    return done(state, lambda: desk.refuse_scan(Refusal(code), act=act))


TERMS = {
    Command.NEXT_OPENING: Term.NEXT_OPENING,
    Command.TODAY: Term.TODAY,
    Command.HOUSE: Term.HOUSE,
}
PAGES = {Command.EVENT: "loans:games-days"}
STEPS: dict[Command, Callable[[DeskState, Act], DeskState | GoTo]] = {
    Command.OK: _yes,
    Command.UNDO: _undo,
    Command.EXTEND: _renew_all,
    Command.DROP: _book_drop,
    Command.RECEIPT: _receipt,
    Command.FULL: _box_complete,
    Command.COUNT: _count_later,
}
OBEYED = tuple(command for command in Command if command in {Command.DONE, *TERMS, *PAGES, *STEPS})
"""The commands that the desk knows: those of the printed sheet."""
