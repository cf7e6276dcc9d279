"""The desk's journal: what was done and what was refused, and the answer to a scan that comes twice.

Called by `desk` and what is built on it, inside their transactions; see `models.DeskEvent` for the rows.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, ParamSpec

from catalogue.models import Copy
from catalogue.prepared import Prepared
from loans.act import Act, Done, Refused, of_scan, refusals_of
from loans.models import DeskAction, DeskEvent, Loan, Member
from loans.rules import Refusal, RefusalCode
from loans.transaction import in_one_transaction

P = ParamSpec("P")

SEEN = Prepared(lambda nonce: DeskEvent.objects.filter(of_scan(nonce)).order_by().values_list("pk")[:1], str)
"""Whether a scan came before."""


def desk_action(action: Callable[P, Done]) -> Callable[P, Done]:
    """Run as one transaction; a refusal is committed to the journal first and raised then."""
    run = in_one_transaction(action)

    @wraps(action)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Done:
        done = run(*args, **kwargs)
        if done.event.action == DeskAction.REFUSE:
            raise Refused(refusals_of(done.event), done.event)
        return done

    return answer


def already(
    act: Act, copy: Copy, member: Member | None = None, *, wanted: DeskAction | None = None
) -> Done | None:
    """The answer that this very scan has had before; a nonce that named another act is refused."""
    done = same_event(act)
    if done is None:
        return None
    same_member = member is None or done.event.member_id == member.pk
    same_act = wanted is None or wanted in {done.event.action, done.event.tried}
    if done.event.copy_id == copy.pk and same_member and same_act:
        return done
    return refuse((Refusal(RefusalCode.NONCE_REUSED),), replace(act, nonce=""), copy=copy, member=member)


def same_event(act: Act) -> Done | None:
    """What was done under this nonce before, if it names anything."""
    # Nearly every scan comes once: whether it came before is asked without the rows that answer it.
    if not act.nonce or not SEEN(act.nonce):
        return None
    events = DeskEvent.objects.select_related("loan__copy__game", "loan__member")
    return Done(events.get(of_scan(act.nonce)), repeated=True)


def event_of(loan_id: int, action: DeskAction) -> DeskEvent:
    """The latest event of this kind about a loan."""
    events = DeskEvent.objects.select_related("loan__copy__game", "loan__member")
    return events.filter(loan=loan_id, action=action)[0]


def keep(
    action: DeskAction,
    loan: Loan,
    act: Act,
    *,
    before: dict[str, Any] | None = None,
    waived: tuple[Refusal, ...] = (),
    reason: str = "",
    undoes: DeskEvent | None = None,
) -> DeskEvent:
    """Write down what was done; `before` is what an undo restores."""
    return DeskEvent.objects.create(
        action=action,
        at=act.now,
        by=act.by,
        loan=loan,
        copy=loan.copy,
        member=loan.member,
        scanned=act.scanned[:200],
        before=before or {},
        waived=[refusal.as_json() for refusal in waived],
        waive_reason=reason[:300] if waived else "",
        undoes=undoes,
        nonce=act.nonce,
        at_desk=act.at_desk,
    )


def refuse(
    refusals: tuple[Refusal, ...],
    act: Act,
    *,
    tried: DeskAction | None = None,
    loan: Loan | None = None,
    copy: Copy | None = None,
    member: Member | None = None,
) -> Done:
    """Write down what was refused, with every reason; `tried` says what was wanted."""
    event = DeskEvent.objects.create(
        action=DeskAction.REFUSE,
        tried=tried or "",
        at=act.now,
        by=act.by,
        loan=loan,
        copy=loan.copy if loan else copy,
        member=loan.member if loan else member,
        scanned=act.scanned[:200],
        refusals=[refusal.as_json() for refusal in refusals],
        nonce=act.nonce,
        at_desk=act.at_desk,
    )
    return Done(event)
