"""Gathers the plain facts that `rules` decides on. Only reads.

`desk` calls it inside its lock, screens call it without one for a preview: the same facts, the same rules.
"""

from datetime import date, datetime, timedelta
from itertools import takewhile

from django.db.models import Count, Q

from catalogue.models import Condition, Copy, Game
from loans import rules
from loans.bookings import due_dates, lendable, open_claims, own_booking
from loans.calendar import calendar_of, local_date
from loans.capacity import needed_from
from loans.models import ACTIVE, Booking, Hold, Loan, LoanPlace, LoanPolicy, Member
from loans.opening import due_date, open_days
from loans.queue import suits
from loans.rules import Term

MAY_COME_BACK = (Condition.IN_SERVICE, Condition.INCOMPLETE, Condition.IN_REPAIR)
"""The conditions of a box for which it makes sense to wait."""


def to_lend(
    copy: Copy, member: Member, holding: rules.Holding | None, *, now: datetime, term: Term = Term.USUAL
) -> rules.Situation:
    """The facts about lending `copy` to `member` now."""
    today = local_date(now, copy.branch)
    policy, booked = default_policy(), own_booking(copy.game_id, member.pk, today)
    promised = promises(copy, member, today, has_booked=booked is not None)
    return rules.Situation(
        today=today,
        policy=policy,
        borrower=borrower(member, today),
        condition=copy.condition,
        holding=holding,
        due_on=_due_on(term, today, policy, copy, booked, promised.back_by),
        term=term,
        promises=promised,
    )


def _due_on(
    term: Term, today: date, policy: rules.Policy, copy: Copy, booked: Booking | None, back_by: date | None
) -> date | None:
    """`booked`: the member's own booking, by which it goes out; `back_by`: the last day before another's."""
    if term not in {Term.USUAL, Term.NEXT_OPENING, Term.BEFORE_BOOKING}:
        return today
    if booked:
        return booked.to_on
    calendar = calendar_of(copy.branch)
    usual = due_date(today, policy.loan_days, calendar)
    soon = {Term.NEXT_OPENING: due_date(today, 1, calendar), Term.BEFORE_BOOKING: back_by}.get(term)
    return min(soon, usual) if soon and usual else usual


def to_renew(loan: Loan, *, now: datetime, at_desk: bool) -> rules.RenewalSituation:
    """The facts about renewing `loan` (with its copy, branch and member at hand) now."""
    today = local_date(now, loan.copy.branch)
    policy = default_policy()
    return rules.RenewalSituation(
        today=today,
        policy=policy,
        borrower=borrower(loan.member, today),
        is_open=loan.returned_at is None,
        due_on=loan.due_on,
        renewals=loan.renewals,
        new_due_on=due_date(today, policy.loan_days, calendar_of(loan.copy.branch)),
        at_desk=at_desk,
        at_home=loan.place == LoanPlace.HOME,
        promises=promises(loan.copy, loan.member, today),
    )


def to_hold(game: Game, member: Member, *, now: datetime) -> rules.HoldSituation:
    """The facts about a place in the queue for `game`, for `member` now."""
    today = local_date(now, None)
    own = Count("pk", filter=Q(member=member))
    active = Hold.objects.filter(state__in=ACTIVE)
    here = active.filter(game=game).aggregate(all=Count("pk"), own=own)
    return rules.HoldSituation(
        today=today,
        policy=default_policy(),
        borrower=borrower(member, today),
        copies=game.copies.filter(condition__in=MAY_COME_BACK).count(),
        in_line=here["all"],
        own=active.filter(member=member).count(),
        has_it_at_home=member.loans.filter(returned_at=None, copy__game=game).exists(),
        holds_it=bool(here["own"]),
    )


def promises(copy: Copy, member: Member, today: date, *, has_booked: bool = False) -> rules.HoldFacts:
    """What is promised about `copy`, as far as it concerns `member`; few queries while nobody waits.

    Who has booked boxes for these days stands in no queue.
    """
    queue = list(Hold.objects.filter(game=copy.game_id, state__in=ACTIVE).order_by("position"))
    held = next((hold for hold in queue if hold.copy_id == copy.pk), None)
    is_own = held is not None and held.member_id == member.pk
    ahead = takewhile(lambda hold: hold.member_id != member.pk, [] if is_own or has_booked else queue)
    booked_from = _booked_from(copy, member, today)
    return rules.HoldFacts(
        held_for=held.member_id if held and not is_own else None,
        held_until=held.expires_on if held and not is_own else None,
        waiting=sum(hold.copy_id is None and suits(hold.branch_id, copy.branch_id) for hold in ahead),
        in_transit=copy.transfers.filter(received_at=None).exists(),
        booked_from=booked_from,
        back_by=_last_opening(copy, today, booked_from) if booked_from else None,
    )


def _booked_from(copy: Copy, member: Member, today: date) -> date | None:
    """The first day on which others, who have booked, would miss this box."""
    claims = [claim for claim in open_claims(copy.game_id, but=member.pk) if claim.last_on >= today]
    if not claims:
        return None
    out = due_dates(copy.game_id, but=copy)
    return needed_from(lendable(copy.game_id), out, claims, today)


def _last_opening(copy: Copy, today: date, before: date) -> date | None:
    """The last open day after today and before a day."""
    days = open_days(calendar_of(copy.branch), today + timedelta(days=1))
    return max(takewhile(lambda day: day < before, days), default=None)


def standing(member: Member, *, today: date) -> rules.Standing:
    """The facts about the member alone: what the desk shows before the first scan."""
    return rules.Standing(today=today, policy=default_policy(), borrower=borrower(member, today))


def borrower(member: Member, today: date) -> rules.Borrower:
    """What counts about the member; one query."""
    late = Count("pk", filter=Q(due_on__lt=today))
    at_home = member.loans.filter(returned_at=None, place=LoanPlace.HOME)
    loans = at_home.aggregate(open=Count("pk"), late=late)
    return rules.Borrower(
        membership_ends_on=member.membership_ends_on,
        block_reason=member.block_reason,
        open_loans=loans["open"],
        late_loans=loans["late"],
    )


def holding_of(copy: Copy) -> rules.Holding | None:
    """Who has the copy, if anybody."""
    row = copy.loans.filter(returned_at=None).values_list("pk", "member_id", "lent_at").first()
    return rules.Holding(*row) if row else None


def default_policy() -> rules.Policy:
    """The policy that holds: the default one, or the built-in values while the library has set none."""
    policy = LoanPolicy.objects.filter(is_default=True).first() or LoanPolicy()
    return rules.Policy(
        loan_days=policy.loan_days,
        max_loans=policy.max_loans,
        max_renewals=policy.max_renewals,
        lends_while_late=policy.lends_while_late,
    )
