"""The lending desk: the only writer of loans.

Every action is one transaction: lock the game, the copy, then the member (always in this order), gather the
situation inside the lock, ask `rules`, then write the loan and one `DeskEvent`. What is refused is kept
in the `journal` too, and raised as `Refused`. An action sent twice (same nonce, or the same box scanned
again within a moment) is done once and answered twice.

    action       writes                                    undone by
    lend         an open loan                              voiding the loan: it never counted
    check_in     the loan's time of return                 opening the loan again
    renew        a later due date, one renewal more        the due date and count from before
    undo         what stands in the right column           nothing; do the action again

To change what is allowed, see `rules`. To change what an action does, see its `_write...` below: what
else happens when a box goes out or comes back stands behind those calls. `sets` does several at once.
"""

from datetime import date, datetime, timedelta

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from catalogue.models import Copy
from catalogue.prepared import Prepared
from loans import care, counting, desk_books, holds, meaning, policies, rules, situation
from loans.act import NO_WAIVER, Act, Done, Refused, Waiver, refusals_of, waived_of
from loans.calendar import kept_promise
from loans.journal import already, desk_action, event_of, keep, refuse, same_event
from loans.locks import lock_game, with_wants
from loans.marks import HAS_PLANS
from loans.meaning import Meaning
from loans.models import DeskAction, DeskEvent, Loan, LoanPlace, Member
from loans.rules import Refusal, RefusalCode, Term

__all__ = ("NO_WAIVER", "Act", "Done", "Refused", "Waiver", "refusals_of", "waived_of")

CHANGES = (DeskAction.LEND, DeskAction.CHECK_IN, DeskAction.RENEW)
"""The actions that change a loan, and so can be undone."""

UNDO_REACHES = 50
"""How many of the latest changes can be undone."""
PLACES = {Term.HOUSE: LoanPlace.HOUSE, Term.GAMES_DAY: LoanPlace.GAMES_DAY}
"""Where the game is played; any other term: at home."""


# --- the actions -------------------------------------------------------------------------------


@desk_action
def lend(
    copy: Copy, member: Member, *, act: Act, waiver: Waiver = NO_WAIVER, term: Term = Term.USUAL
) -> Done:
    """Lend `copy` to `member`. Raises Refused; PermissionDenied for a waiver without the right."""
    copy = lock_copy(copy)
    if done := already(act, copy, member, wanted=DeskAction.LEND):
        return done
    return hand_out(copy, member, situation.holding_of(copy), act=act, waiver=waiver, term=term)


@desk_action
def check_in(copy: Copy, *, act: Act, returned_at: datetime | None = None) -> Done:
    """Take `copy` back from whoever has it. Raises Refused if nobody has.

    `returned_at`: when it really came back, into the book drop; None: now.
    """
    copy = lock_copy(copy)
    done = already(act, copy, wanted=DeskAction.CHECK_IN)
    return done or take_back(copy, act=act, returned_at=returned_at)


@desk_action
def scan_copy(
    copy: Copy,
    member: Member | None,
    *,
    act: Act,
    shown: DeskEvent | None = None,
    term: Term = Term.USUAL,
) -> Done:
    """Do what a scanned box means: see `meaning.meaning_of_scan`. `shown` is the desk's last answer."""
    copy = lock_copy(copy)
    if done := already(act, copy):
        return done
    box = _scanned_box(copy, member, act, shown)
    act = act.as_scanned()
    match meaning.meaning_of_scan(box):
        case Meaning.SAME_LOAN if box.holding:
            return Done(event_of(box.holding.loan_id, DeskAction.LEND), repeated=True)
        case Meaning.LEND if member:
            return hand_out(copy, member, box.holding, act=act, term=term)
        case Meaning.CHECK_IN | Meaning.SAME_RETURN:
            return take_back(copy, act=act)
        case Meaning.ASK_IF_BACK if box.holding:
            refusal = Refusal(RefusalCode.LENT_A_MOMENT_AGO, data=box.holding.as_data())
            return refuse((refusal,), act, tried=DeskAction.CHECK_IN, copy=copy)
        case Meaning.ASK_IF_LENT_AGAIN:
            refusal = Refusal(RefusalCode.RETURNED_A_MOMENT_AGO)
            return refuse((refusal,), act, tried=DeskAction.LEND, copy=copy, member=member)
        case Meaning.ASK_IF_STILL_MEANT:
            refusal = Refusal(RefusalCode.MOVED_SINCE_SCAN, data={"at": box.at.isoformat()})
            return refuse((refusal,), act, copy=copy, member=member)
    raise Refused.because(RefusalCode.CARD_FIRST)


@desk_action
def renew(loan: Loan, *, act: Act, waiver: Waiver = NO_WAIVER) -> Done:
    """Let `loan` go on from today. Raises Refused; PermissionDenied for a waiver without the right."""
    if loan.member is None:  # it came back long ago
        return same_event(act) or refuse(
            (Refusal(RefusalCode.LOAN_CLOSED),), act, tried=DeskAction.RENEW, loan=loan
        )
    copy, member = lock_copy(loan.copy), lock_member(loan.member)
    if done := already(act, copy, member):
        return done
    loan = Loan.objects.get(pk=loan.pk)
    loan.copy, loan.member = copy, member
    facts = situation.to_renew(loan, now=act.now, at_desk=act.at_desk)
    left, waived = _set_aside(rules.may_renew(facts), waiver, act.by)
    if left:
        return refuse(left, act, tried=DeskAction.RENEW, loan=loan)
    before = {"due_on": loan.due_on.isoformat(), "renewals": loan.renewals}
    _write_renewal(loan, facts)
    event = keep(DeskAction.RENEW, loan, act, before=before, waived=waived, reason=waiver.reason)
    desk_books.when_renewed(event, facts.policy, act)
    return Done(event)


@desk_action
def undo(event: DeskEvent, *, act: Act) -> Done:
    """Take back one of the latest changes. Raises Refused if something has happened to the box since."""
    if event.copy is None or event.member is None or event.action not in CHANGES:
        return same_event(act) or refuse((Refusal(RefusalCode.NOT_UNDOABLE),), act, tried=DeskAction.UNDO)
    copy, member = lock_copy(event.copy), lock_member(event.member)
    if done := already(act, copy, member):
        return done
    loan = Loan.objects.select_related("copy__game", "member").get(events=event)
    if refusal := _why_not_undo(event):
        return refuse((refusal,), act, tried=DeskAction.UNDO, loan=loan)
    _write_undo(event, loan, act)
    holds.when_undone(event, act)
    undoing = keep(DeskAction.UNDO, loan, act, undoes=event)
    desk_books.when_undone(event, undoing, act)
    counting.when_undone(event, act=act)
    care.when_undone(event, act=act)
    return Done(undoing)


@desk_action
def refuse_scan(refusal: Refusal, *, act: Act, member: Member | None = None) -> Done:
    """Keep in the journal a scan that led nowhere, so that it is not lost. Always raises Refused."""
    return same_event(act) or refuse((refusal,), act, member=member)


# --- lend --------------------------------------------------------------------------------------


def hand_out(
    copy: Copy,
    member: Member,
    holding: rules.Holding | None,
    *,
    act: Act,
    waiver: Waiver = NO_WAIVER,
    term: Term = Term.USUAL,
) -> Done:
    """Lend a copy that is locked already. A refusal goes into the journal; `desk_action` raises it.

    `holding`: who has it, read since it was locked.
    """
    member = lock_member(member)
    if holding and holding.member_id == member.pk and rules.is_a_moment_ago(holding.since, act.now):
        return Done(event_of(holding.loan_id, DeskAction.LEND), repeated=True)
    # The game is locked, so nobody joins its queue meanwhile; most games have none, and cost no more.
    holds.lapse_if_due(copy, act)
    facts = situation.to_lend(copy, member, holding, now=act.now, term=term)
    left, waived = _set_aside(rules.may_lend(facts), waiver, act.by)
    if left:
        return refuse(left, act, tried=DeskAction.LEND, copy=copy, member=member)
    loan = _write_loan(copy, member, facts, act.now)
    holds.when_lent(loan, act)
    care.when_lent(loan, act=act)
    event = keep(DeskAction.LEND, loan, act, waived=waived, reason=waiver.reason)
    desk_books.when_lent(event, facts.policy, act)
    return Done(event)


def _write_loan(copy: Copy, member: Member, facts: rules.Situation, lent_at: datetime) -> Loan:
    return Loan.objects.create(
        copy=copy,
        member=member,
        lent_at=lent_at,
        lent_on=facts.today,
        due_on=facts.due_on or _due_without_calendar(facts),
        place=PLACES.get(facts.term, LoanPlace.HOME),
    )


def _due_without_calendar(facts: rules.Standing) -> date:
    """The due date when nobody has said on which days it is open, and that was set aside."""
    return facts.today + timedelta(days=facts.policy.loan_days)


# --- check in ----------------------------------------------------------------------------------


def take_back(copy: Copy, *, act: Act, returned_at: datetime | None = None) -> Done:
    """Check in a copy that is locked already. A refusal as in `hand_out`."""
    loan = OUT.first(copy.pk)
    if loan is None:
        back = _last_return(copy)
        if back and rules.is_a_moment_ago(back.at, act.now):
            return Done(back, repeated=True)
        return refuse((Refusal(RefusalCode.COPY_NOT_ON_LOAN),), act, tried=DeskAction.CHECK_IN, copy=copy)
    loan.copy = copy
    if returned_at and (refusals := rules.may_date_back(returned_at, loan.lent_at, act.now)):
        return refuse(refusals, act, tried=DeskAction.CHECK_IN, loan=loan)
    _write_return(loan, returned_at or act.now)
    care.after_check_in(copy, act=act)
    holds.after_check_in(copy, loan, act)
    event = keep(DeskAction.CHECK_IN, loan, act, before={"returned_at": None})
    desk_books.when_returned(event, lambda: policies.policy_for(loan.borrower, loan.copy), act)
    return Done(event)


OUT = Prepared(lambda copy: Loan.objects.select_related("member").filter(copy=copy, returned_at=None), int)
"""The open loan of a box, with its member."""


def _last_return(copy: Copy) -> DeskEvent | None:
    """The return that this copy's story ends with, unless it was undone."""
    return RETURNS.first(copy.pk)


RETURNS = Prepared(
    lambda copy: DeskEvent.objects.filter(copy=copy, action=DeskAction.CHECK_IN, undone_by=None)[:1], int
)


def _write_return(loan: Loan, at: datetime) -> None:
    # Two desks' clocks may differ: nothing comes back before it went out.
    loan.returned_at = max(at, loan.lent_at)
    loan.save(update_fields=["returned_at"])


# --- renew -------------------------------------------------------------------------------------


def _write_renewal(loan: Loan, facts: rules.RenewalSituation) -> None:
    loan.due_on = max(loan.due_on, facts.new_due_on or _due_without_calendar(facts))
    loan.renewals += 1
    loan.save(update_fields=["due_on", "renewals"])


# --- scan --------------------------------------------------------------------------------------


def _scanned_box(copy: Copy, member: Member | None, act: Act, shown: DeskEvent | None) -> meaning.ScannedBox:
    holding = situation.holding_of(copy)
    back = None if holding else _last_return(copy)
    return meaning.ScannedBox(
        member_id=member.pk if member else None,
        holding=holding,
        returned_at=back.at if back else None,
        returned_here=back is not None and back.by_id == act.by.pk,
        returned_on_show=_shows_return(shown, copy, act.scanned_at),
        at=act.scanned_at,
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
        due_on = date.fromisoformat(event.before["due_on"])
        loan.due_on = kept_promise(loan.copy.branch, due_on)
        loan.renewals = event.before["renewals"]
    loan.save(update_fields=["voided", "returned_at", "due_on", "renewals"])


# --- locks, waivers ------------------------------------------------------------------------------


def _locked_copies(pk: int) -> QuerySet[Copy]:
    rows = Copy.objects.select_for_update(of=("self",), no_key=True).select_related("branch")
    return with_wants(rows).annotate(has_plans=HAS_PLANS).filter(pk=pk)


LOCKED_COPIES = Prepared(_locked_copies, int)
LOCKED_MEMBERS = Prepared(
    lambda pk: Member.objects.select_for_update(of=("self",), no_key=True).filter(pk=pk), int
)


def lock_copy(copy: Copy) -> Copy:
    """The copy as it is now, held with its game until the transaction ends. Always before `lock_member`."""
    game = lock_game(copy.game_id)
    locked = LOCKED_COPIES.get(copy.pk)
    if locked.game_id == game.pk:
        locked.game = game
    return locked


def lock_member(member: Member) -> Member:
    """The member as they are now, held until the transaction ends. Always after `lock_copy`."""
    return LOCKED_MEMBERS.get(member.pk)


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
