"""Scans that were made while the desk had no network, sent later one by one, in their order.

A scan means here what it means at the desk: the same look-up, the same `desk.scan_copy`, the same nonce, so
that one sent twice is done once. But nobody stands at the page who could answer a question: what is
refused, and what went otherwise than its volunteer could see, is written down as a `KeptScan` and stays in
a list until somebody has ticked it off. The only writer of those rows. Called by `kept_api` and `kept_views`.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from django.contrib.auth.models import User
from django.db.models import QuerySet

from catalogue.models import Copy
from loans import availability, commands, desk, scan
from loans.act import LONGEST_KEPT, Act, Refused
from loans.commands import Command
from loans.journal import refuse, same_event
from loans.models import DeskAction, DeskEvent, KeptScan, Member
from loans.rules import Refusal, RefusalCode
from loans.transaction import in_one_transaction


class Became(StrEnum):
    """What a kept scan turned out to be."""

    CARD = "card"
    BOX = "box"
    DONE = "done"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the desk stood when it scanned: the open member, and its last answer.

    `unclear`: the card scanned last was not understood; boxes behind it are nobody's until the next card.
    """

    member: Member | None = None
    unclear: bool = False
    shown: DeskEvent | None = None


@dataclass(frozen=True, slots=True)
class Merged:
    """What came of a kept scan, and where the desk stands after it."""

    became: Became
    after: Place
    to_look_at: bool = False


@in_one_transaction
def merge(code: str, place: Place, act: Act) -> Merged:
    """Do what a kept scan meant. Never raises Refused: what is refused is in the list."""
    if act.waited > LONGEST_KEPT:
        refusal = Refusal(RefusalCode.KEPT_TOO_LONG, data={"at": act.scanned_at.isoformat()})
        return _not_done(refusal, Place(unclear=True), act)
    if command := commands.read(code):
        return _commanded(command, place, act)
    found = scan.read(code)
    if found.found == scan.Found.NOTHING_SCANNED:
        return Merged(Became.DONE, Place())
    if found.found == scan.Found.MEMBER:
        return Merged(Became.CARD, Place(found.members[0]))
    if found.found == scan.Found.COPY:
        return _box(found.copies[0], place, act)
    # A code that may have been a card closes the one before: no box goes on the wrong card.
    after = place if found.copies and not found.members else Place(unclear=True)
    return _not_done(Refusal(NOT_ONE[found.found], data={"code": found.code}), after, act)


NOT_ONE = {
    scan.Found.CHOICE: RefusalCode.AMBIGUOUS_CODE,
    scan.Found.DAMAGED: RefusalCode.DAMAGED_CODE,
    scan.Found.UNKNOWN: RefusalCode.UNKNOWN_CODE,
}


def to_look_at() -> QuerySet[KeptScan]:
    """The list, in the order of the scans."""
    rows = KeptScan.objects.filter(settled_at=None)
    return rows.select_related(
        "card", "event__copy__game", "event__member", "event__by", "event__loan__member"
    )


def settle(kept: KeptScan, *, by: User, now: datetime) -> None:
    """Tick it off. Somebody else's tick stays."""
    open_row = KeptScan.objects.filter(pk=kept.pk, settled_at=None)
    open_row.update(settled_at=now, settled_by=by, card=None)


def _commanded(command: Command, place: Place, act: Act) -> Merged:
    if command == Command.DONE:
        return Merged(Became.DONE, Place())
    return _not_done(Refusal(RefusalCode.NOT_A_KEPT_COMMAND), place, act)


def _box(copy: Copy, place: Place, act: Act) -> Merged:
    if place.unclear:
        return _not_done(Refusal(RefusalCode.CARD_UNCLEAR), place, act, copy)
    try:
        done = desk.scan_copy(copy, place.member, act=act, shown=place.shown)
    except Refused as refused:
        if refused.event is None:
            return _not_done(refused.refusals[0], place, act, copy)
        return _listed(refused.event, place)
    if not done.repeated and _went_otherwise(done.event, place):
        return _listed(done.event, place)
    listed = done.repeated and KeptScan.objects.filter(event=done.event).exists()
    return Merged(Became.BOX, replace(place, shown=done.event), to_look_at=listed)


def _went_otherwise(event: DeskEvent, place: Place) -> bool:
    """A box taken back from another than the open member, or one that now lies ready for somebody."""
    if event.action != DeskAction.CHECK_IN or event.copy is None:
        return False
    elsewhere = place.member is not None and event.member_id != place.member.pk
    return elsewhere or _status_of(event.copy) != availability.Availability.ON_SHELF


def _status_of(copy: Copy) -> str:
    return availability.annotate(Copy.objects.filter(pk=copy.pk)).get().status


def _not_done(refusal: Refusal, after: Place, act: Act, copy: Copy | None = None) -> Merged:
    kept = act.as_scanned()
    done = same_event(act) or refuse((refusal,), kept, copy=copy, member=after.member)
    listed = _listed(done.event, after)
    return listed if copy else replace(listed, became=Became.UNCLEAR)


def _listed(event: DeskEvent, place: Place) -> Merged:
    KeptScan.objects.get_or_create(event=event, defaults={"card": place.member})
    return Merged(Became.BOX, replace(place, shown=event), to_look_at=True)
