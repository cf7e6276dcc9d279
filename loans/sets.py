"""Several desk actions as one: renew all, swap, a list for a school, a kit, the end of a games day.

Each part goes through `desk` and its rules and stays in the journal, so that each can be undone alone.
Sent twice under the same nonce, every part is done once.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import blake2s

from catalogue.models import Copy
from loans import desk, desk_books, scan, situation
from loans.act import NO_WAIVER, Act, Done, Refused, Waiver
from loans.journal import already, desk_action
from loans.models import DeskAction, DeskEvent, Loan, Member
from loans.rules import Refusal, RefusalCode, Term

MOST_AT_ONCE = 100
"""How many boxes one list may name."""


@desk_action
def swap(
    copy: Copy, member: Member, *, act: Act, waiver: Waiver = NO_WAIVER, term: Term = Term.USUAL
) -> Done:
    """Take `copy` back from whoever has it still on their card, then lend it to `member`.

    The box is here, so the return stands even when the loan is refused.
    """
    copy = desk.lock_copy(copy)
    if done := already(act, copy, member, wanted=DeskAction.LEND):
        return done
    holding = situation.holding_of(copy)
    if holding and holding.member_id != member.pk:
        # Both cards and their accounts before the till, which the return may write to.
        desk.lock_member(member)
        desk_books.lock_owed(holding.member_id, member.pk)
        desk.take_back(copy, act=replace(act, nonce=""))
        holding = None
    return desk.hand_out(copy, member, holding, act=act, waiver=waiver, term=term)


def renew_all(member: Member, *, act: Act) -> tuple[DeskEvent, ...]:
    """Renew every open loan of `member` that may be renewed: what came of each, the first due first."""
    loans = member.loans.filter(returned_at=None).select_related("copy", "member")
    return tuple(_event(desk.renew, loan, act=_part(act, loan.pk)) for loan in loans)


def lend_many(
    codes: Iterable[str], member: Member, *, act: Act, term: Term = Term.USUAL
) -> tuple[DeskEvent, ...]:
    """Lend a list of boxes, as it was scanned or pasted: what came of each line, in its order."""
    lines = [code for code in map(scan.clean, codes) if code][:MOST_AT_ONCE]
    return tuple(
        _event(_lend_code, code, member, act=_part(replace(act, scanned=code), number), term=term)
        for number, code in enumerate(lines)
    )


def _lend_code(code: str, member: Member, *, act: Act, term: Term) -> Done:
    found = scan.read_copy(code)
    if len(found.copies) == 1:
        return desk.lend(found.copies[0], member, act=act, term=term)
    reason = {scan.Found.CHOICE: RefusalCode.AMBIGUOUS_CODE, scan.Found.DAMAGED: RefusalCode.DAMAGED_CODE}
    refusal = Refusal(reason.get(found.found, RefusalCode.UNKNOWN_CODE), data={"code": found.code})
    return desk.refuse_scan(refusal, act=act, member=member)


def lend_copies(
    copies: Iterable[Copy], member: Member, *, act: Act, term: Term = Term.USUAL
) -> tuple[DeskEvent, ...]:
    """Lend these boxes, a kit's for instance."""
    return tuple(_event(desk.lend, copy, member, act=_part(act, copy.pk), term=term) for copy in copies)


def take_back_all(loans: Iterable[Loan], *, act: Act) -> tuple[DeskEvent, ...]:
    """Take back every box of these open loans."""
    return tuple(_event(desk.check_in, loan.copy, act=_part(act, loan.pk)) for loan in loans)


def _part(act: Act, name: int) -> Act:
    """The act of one part, with a nonce of its own: of a digest, for long nonces may differ in their ends."""
    if not act.nonce:
        return act
    return replace(act, nonce=f"{blake2s(act.nonce.encode(), digest_size=16).hexdigest()}-{name}")


def _event(action: Callable[..., Done], *args: object, **kwargs: object) -> DeskEvent:
    """The journal's line of an action, done or refused."""
    try:
        return action(*args, **kwargs).event
    except Refused as refused:
        if refused.event is None:
            raise
        return refused.event
