"""The lending desk: the only writer of loans and of the desk's journal.

Every action is one transaction: lock the copy, then the member (always in this order), gather the
situation inside the lock, ask `rules`, then write the loan and one `DeskEvent`. What is refused is kept
in the journal too, and raised as `Refused`. An action sent twice (same nonce, or the same box scanned
again within a moment) is done once and answered twice.

    action       writes                                    undone by
    lend         an open loan                              voiding the loan: it never counted
    check_in     the loan's time of return                 opening the loan again
    renew        a later due date, one renewal more        the due date and count from before
    undo         what stands in the right column           nothing; do the action again

To change what is allowed, see `rules`. To change what an action does, see its `_write...` below.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import wraps
from typing import Any, ParamSpec

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from catalogue.models import Copy
from loans import ledger, rules, situation
from loans.models import DeskAction, DeskEvent, Loan, Member
from loans.rules import Meaning, Refusal, RefusalCode
from loans.transaction import in_one_transaction

CHANGES = (DeskAction.LEND, DeskAction.CHECK_IN, DeskAction.RENEW)
"""The actions that change a loan, and so can be undone."""

UNDO_REACHES = 50
"""How many of the latest changes can be undone."""

P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Act:
    """Who acts, when, and on which scan. `nonce` is the client's name for this one scan, or empty.

    `at_desk` is False when a member acts alone at home. `waited`: how long the scan was kept before it
    could be sent.
    """

    by: User
    now: datetime
    nonce: str = ""
    scanned: str = ""
    at_desk: bool = True
    waited: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Waiver:
    """Refusals to set aside, by a person who may, for a reason that stays on the journal."""

    codes: frozenset[RefusalCode] = frozenset()
    reason: str = ""


NO_WAIVER = Waiver()


@dataclass(frozen=True, slots=True)
class Done:
    """What was done; `repeated` if it had been done before and nothing was written this time."""

    event: DeskEvent
    repeated: bool = False

    @property
    def loan(self) -> Loan:
        """The loan that the action was about."""
        assert self.event.loan is not None  # noqa: S101 - only refusals have none
        return self.event.loan


class Refused(Exception):
    """The desk says no. `refusals` are all the reasons; `event`: the journal's, if something was tried."""

    def __init__(self, refusals: tuple[Refusal, ...], event: DeskEvent | None = None) -> None:
        super().__init__(", ".join(refusal.code for refusal in refusals))
        self.refusals = refusals
        self.event = event


def refusals_of(event: DeskEvent) -> tuple[Refusal, ...]:
    """The refusals that the journal kept."""
    return tuple(Refusal.from_json(kept) for kept in event.refusals)


def waived_of(event: DeskEvent) -> tuple[Refusal, ...]:
    """The refusals that were set aside, as the journal kept them."""
    return tuple(Refusal.from_json(kept) for kept in event.waived)


def _desk_action(action: Callable[P, Done]) -> Callable[P, Done]:
    """Run as one transaction; a refusal is committed to the journal first and raised then."""
    run = in_one_transaction(action)

    @wraps(action)
    def answer(*args: P.args, **kwargs: P.kwargs) -> Done:
        done = run(*args, **kwargs)
        if done.event.action == DeskAction.REFUSE:
            raise Refused(refusals_of(done.event), done.event)
        return done

    return answer


# --- the actions -------------------------------------------------------------------------------


@_desk_action
def lend(copy: Copy, member: Member, *, act: Act, waiver: Waiver = NO_WAIVER) -> Done:
    """Lend `copy` to `member`. Raises Refused; PermissionDenied for a waiver without the right."""
    copy = _lock_copy(copy)
    return _already(act, copy, member, wanted=DeskAction.LEND) or _lend(copy, member, act=act, waiver=waiver)


@_desk_action
def check_in(copy: Copy, *, act: Act) -> Done:
    """Take `copy` back from whoever has it. Raises Refused if nobody has."""
    copy = _lock_copy(copy)
    return _already(act, copy, wanted=DeskAction.CHECK_IN) or _check_in(copy, act=act)


@_desk_action
def scan_copy(copy: Copy, member: Member | None, *, act: Act, shown: DeskEvent | None = None) -> Done:
    """Do what a scanned box means: see `rules.meaning_of_scan`. `shown` is the desk's last answer."""
    copy = _lock_copy(copy)
    if done := _already(act, copy):
        return done
    box = _scanned_box(copy, member, act, shown)
    match rules.meaning_of_scan(box):
        case Meaning.LEND | Meaning.SAME_LOAN if member:
            return _lend(copy, member, act=act)
        case Meaning.CHECK_IN | Meaning.SAME_RETURN:
            return _check_in(copy, act=act)
        case Meaning.ASK_IF_BACK if box.holding:
            refusal = Refusal(RefusalCode.LENT_A_MOMENT_AGO, data=box.holding.as_data())
            return _refuse((refusal,), act, tried=DeskAction.CHECK_IN, copy=copy)
        case Meaning.ASK_IF_LENT_AGAIN:
            refusal = Refusal(RefusalCode.RETURNED_A_MOMENT_AGO)
            return _refuse((refusal,), act, tried=DeskAction.LEND, copy=copy, member=member)
        case Meaning.ASK_IF_STILL_MEANT:
            refusal = Refusal(RefusalCode.MOVED_SINCE_SCAN, data={"at": box.at.isoformat()})
            return _refuse((refusal,), act, copy=copy, member=member)
    raise Refused((Refusal(RefusalCode.CARD_FIRST),))


@_desk_action
def renew(loan: Loan, *, act: Act, waiver: Waiver = NO_WAIVER) -> Done:
    """Let `loan` go on from today. Raises Refused; PermissionDenied for a waiver without the right."""
    copy, member = _lock_copy(loan.copy), _lock_member(loan.member)
    if done := _already(act, copy, member):
        return done
    loan = Loan.objects.select_related("copy__branch", "copy__game", "member").get(pk=loan.pk)
    facts = situation.to_renew(loan, now=act.now, at_desk=act.at_desk)
    left, waived = _set_aside(rules.may_renew(facts), waiver, act.by)
    if left:
        return _refuse(left, act, tried=DeskAction.RENEW, loan=loan)
    before = {"due_on": loan.due_on.isoformat(), "renewals": loan.renewals}
    plain = facts.today + timedelta(days=facts.policy.loan_days)
    loan.due_on = max(loan.due_on, facts.new_due_on or plain)
    loan.renewals += 1
    loan.save(update_fields=["due_on", "renewals"])
    event = _keep(DeskAction.RENEW, loan, act, before=before, waived=waived, reason=waiver.reason)
    ledger.when_renewed(event, facts.policy, act)
    return Done(event)


@_desk_action
def undo(event: DeskEvent, *, act: Act) -> Done:
    """Take back one of the latest changes. Raises Refused if something has happened to the box since."""
    if event.copy is None or event.member is None or event.action not in CHANGES:
        return _same_event(act) or _refuse((Refusal(RefusalCode.NOT_UNDOABLE),), act, tried=DeskAction.UNDO)
    copy, member = _lock_copy(event.copy), _lock_member(event.member)
    if done := _already(act, copy, member):
        return done
    loan = Loan.objects.select_related("copy__game", "member").get(events=event)
    if refusal := _why_not_undo(event):
        return _refuse((refusal,), act, tried=DeskAction.UNDO, loan=loan)
    _write_undo(event, loan, act)
    undoing = _keep(DeskAction.UNDO, loan, act, undoes=event)
    ledger.when_undone(event, undoing, act)
    return Done(undoing)


@_desk_action
def refuse_scan(refusal: Refusal, *, act: Act, member: Member | None = None) -> Done:
    """Keep in the journal a scan that led nowhere, so that it is not lost. Always raises Refused."""
    return _same_event(act) or _refuse((refusal,), act, member=member)


# --- lend --------------------------------------------------------------------------------------


def _lend(copy: Copy, member: Member, *, act: Act, waiver: Waiver = NO_WAIVER) -> Done:
    member = _lock_member(member)
    holding = situation.holding_of(copy)
    if holding and holding.member_id == member.pk and rules.is_a_moment_ago(holding.since, act.now):
        return Done(_event_of(holding.loan_id, DeskAction.LEND), repeated=True)
    facts = situation.to_lend(copy, member, holding, now=act.now)
    left, waived = _set_aside(rules.may_lend(facts), waiver, act.by)
    if left:
        return _refuse(left, act, tried=DeskAction.LEND, copy=copy, member=member)
    plain = facts.today + timedelta(days=facts.policy.loan_days)
    loan = _write_loan(copy, member, act.now, lent_on=facts.today, due_on=facts.due_on or plain)
    event = _keep(DeskAction.LEND, loan, act, waived=waived, reason=waiver.reason)
    ledger.when_lent(event, facts.policy, act)
    return Done(event)


def _write_loan(copy: Copy, member: Member, lent_at: datetime, *, lent_on: date, due_on: date) -> Loan:
    return Loan.objects.create(copy=copy, member=member, lent_at=lent_at, lent_on=lent_on, due_on=due_on)


# --- check in ----------------------------------------------------------------------------------


def _check_in(copy: Copy, *, act: Act) -> Done:
    loans = copy.loans.filter(voided=False).select_related("member", "copy__game", "copy__branch")
    loan = loans.filter(returned_at=None).first()
    if loan is None:
        last = loans.order_by("-returned_at").first()
        if last and last.returned_at and rules.is_a_moment_ago(last.returned_at, act.now):
            return Done(_event_of(last.pk, DeskAction.CHECK_IN), repeated=True)
        return _refuse((Refusal(RefusalCode.COPY_NOT_ON_LOAN),), act, tried=DeskAction.CHECK_IN, copy=copy)
    _write_return(loan, act.now)
    event = _keep(DeskAction.CHECK_IN, loan, act, before={"returned_at": None})
    ledger.when_returned(event, situation.default_policy, act)
    return Done(event)


def _write_return(loan: Loan, now: datetime) -> None:
    # Two desks' clocks may differ: nothing comes back before it went out.
    loan.returned_at = max(now, loan.lent_at)
    loan.save(update_fields=["returned_at"])


# --- scan --------------------------------------------------------------------------------------


def _scanned_box(copy: Copy, member: Member | None, act: Act, shown: DeskEvent | None) -> rules.ScannedBox:
    back = DeskEvent.objects.filter(copy=copy, action=DeskAction.CHECK_IN, undone_by=None).first()
    return rules.ScannedBox(
        member_id=member.pk if member else None,
        holding=situation.holding_of(copy),
        returned_at=back.at if back else None,
        returned_here=back is not None and back.by_id == act.by.pk,
        returned_on_show=_shows_return(shown, copy, act.now),
        at=act.now - act.waited,
        now=act.now,
    )


def _shows_return(shown: DeskEvent | None, copy: Copy, now: datetime) -> bool:
    return (
        shown is not None
        and shown.action == DeskAction.CHECK_IN
        and shown.copy_id == copy.pk
        and rules.is_a_moment_ago(shown.at, now)
    )


# --- undo --------------------------------------------------------------------------------------


def _why_not_undo(event: DeskEvent) -> Refusal | None:
    if DeskEvent.objects.filter(undoes=event).exists():
        return Refusal(RefusalCode.ALREADY_UNDONE)
    newer = DeskEvent.objects.filter(action__in=CHANGES, pk__gt=event.pk)
    since = newer.filter(copy=event.copy_id, undone_by=None).order_by("pk").first()
    if since is not None:
        return Refusal(RefusalCode.CHANGED_SINCE, data={"action": since.action, "at": since.at.isoformat()})
    if newer[:UNDO_REACHES].count() == UNDO_REACHES:
        return Refusal(RefusalCode.TOO_LONG_AGO, data={"reach": UNDO_REACHES})
    return None


def _write_undo(event: DeskEvent, loan: Loan, act: Act) -> None:
    if event.action == DeskAction.LEND:
        loan.voided = True
        loan.returned_at = max(act.now, loan.lent_at)
    elif event.action == DeskAction.CHECK_IN:
        loan.returned_at = None
    else:
        loan.due_on = date.fromisoformat(event.before["due_on"])
        loan.renewals = event.before["renewals"]
    loan.save(update_fields=["voided", "returned_at", "due_on", "renewals"])


# --- locks, repeats, waivers, the journal --------------------------------------------------------


def _lock_copy(copy: Copy) -> Copy:
    rows = Copy.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("game", "branch").get(pk=copy.pk)


def _lock_member(member: Member) -> Member:
    return Member.objects.select_for_update(of=("self",), no_key=True).get(pk=member.pk)


def _already(
    act: Act, copy: Copy, member: Member | None = None, *, wanted: DeskAction | None = None
) -> Done | None:
    """The answer that this very scan has had before; a nonce that named another act is refused."""
    done = _same_event(act)
    if done is None:
        return None
    same_member = member is None or done.event.member_id == member.pk
    same_act = wanted is None or wanted in {done.event.action, done.event.tried}
    if done.event.copy_id == copy.pk and same_member and same_act:
        return done
    return _refuse((Refusal(RefusalCode.NONCE_REUSED),), replace(act, nonce=""), copy=copy, member=member)


def _same_event(act: Act) -> Done | None:
    if not act.nonce:
        return None
    event = (
        DeskEvent.objects.select_related("loan__copy__game", "loan__member").filter(nonce=act.nonce).first()
    )
    return Done(event, repeated=True) if event else None


def _event_of(loan_id: int, action: DeskAction) -> DeskEvent:
    events = DeskEvent.objects.select_related("loan__copy__game", "loan__member")
    return events.filter(loan=loan_id, action=action)[0]


def _set_aside(
    refusals: tuple[Refusal, ...], waiver: Waiver, by: User
) -> tuple[tuple[Refusal, ...], tuple[Refusal, ...]]:
    """What is left of the refusals, and what was waived."""
    waived = tuple(r for r in refusals if r.waivable and r.code in waiver.codes)
    if not waived:
        return refusals, ()
    if not by.has_perm("loans.waive_refusal"):
        raise PermissionDenied("A waiver needs the permission loans.waive_refusal.")
    if not any(character.isalpha() for character in waiver.reason):
        # A scanner aimed at the wrong field writes digits: that is no reason.
        return (Refusal(RefusalCode.WAIVER_NEEDS_REASON), *refusals), ()
    return tuple(r for r in refusals if r not in waived), waived


def _keep(
    action: DeskAction,
    loan: Loan,
    act: Act,
    *,
    before: dict[str, Any] | None = None,
    waived: tuple[Refusal, ...] = (),
    reason: str = "",
    undoes: DeskEvent | None = None,
) -> DeskEvent:
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


def _refuse(
    refusals: tuple[Refusal, ...],
    act: Act,
    *,
    tried: DeskAction | None = None,
    loan: Loan | None = None,
    copy: Copy | None = None,
    member: Member | None = None,
) -> Done:
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
