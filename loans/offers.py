"""What the desk proposes after an answer: the button that a scanned "yes" presses.

Read by the panel, which shows the buttons, and by `steps`, which does what was accepted.
"""

from enum import StrEnum

from catalogue import links
from catalogue.models import Copy
from loans import desk
from loans.marks import may_have
from loans.models import DeskAction, DeskEvent, Loan, Member
from loans.rules import RefusalCode


class Offer(StrEnum):
    """What can be accepted."""

    TAKE_BACK = "take_back"
    LEND = "lend"
    SWAP = "swap"
    KIT = "kit"
    BEFORE_BOOKING = "before_booking"


def offers_of(event: DeskEvent, member: Member | None) -> tuple[Offer, ...]:
    """What the answer `event` leaves to be said yes to, with `member` open; the likeliest first."""
    if event.copy_id is None or hasattr(event, "undone_by"):
        return ()
    if event.action == DeskAction.REFUSE:
        return _after_refusal(event, member)
    if event.action == DeskAction.CHECK_IN and member and event.member_id != member.pk:
        return (Offer.LEND,)
    if event.action == DeskAction.LEND and event.member_id and missing_of_kit(event):
        return (Offer.KIT,)
    return ()


def _after_refusal(event: DeskEvent, member: Member | None) -> tuple[Offer, ...]:
    codes = {refusal.code for refusal in desk.refusals_of(event)}
    if RefusalCode.LENT_A_MOMENT_AGO in codes:
        return (Offer.TAKE_BACK, Offer.SWAP) if member else (Offer.TAKE_BACK,)
    if RefusalCode.RETURNED_A_MOMENT_AGO in codes and member:
        return (Offer.LEND,)
    if codes == {RefusalCode.COPY_ON_LOAN} and member:
        return (Offer.SWAP,)
    if codes == {RefusalCode.BOOKED_SOON} and member and event.tried == DeskAction.LEND:
        (refusal,) = desk.refusals_of(event)
        return (Offer.BEFORE_BOOKING,) if "back_by_on" in refusal.data else ()
    return ()


def missing_of_kit(event: DeskEvent) -> tuple[Copy, ...]:
    """The other boxes of the lent box's kit that this member has not got."""
    if event.copy is None or not hasattr(event.copy, "kit_box"):
        return ()
    rest = links.rest_of_kit(event.copy)
    loans = Loan.objects.filter(copy__in=rest, member=event.member_id, returned_at=None)
    have = set(loans.values_list("copy", flat=True))
    return tuple(copy for copy in rest if copy.pk not in have)


def missing_base_games(event: DeskEvent) -> tuple[str, ...]:
    """The base games of the lent expansion, if this member has none of them at home: one would be enough."""
    if event.action != DeskAction.LEND or event.copy is None or not may_have(event.copy, "bases"):
        return ()
    bases = links.base_games(event.copy.game_id)
    if not bases:
        return ()
    at_home = Loan.objects.filter(member=event.member_id, copy__game__in=bases, returned_at=None)
    return () if at_home.exists() else tuple(base.title for base in bases)
