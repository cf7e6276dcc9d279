"""Gathers the plain facts that `rules` decides on. Only reads.

`desk` calls it inside its lock, screens call it without one for a preview: the same facts, the same rules.
"""

from datetime import date, datetime
from functools import partial
from itertools import takewhile

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from catalogue.models import Condition, Copy, Game
from catalogue.prepared import Prepared
from loans import accounts, care, policies, rules
from loans.bookings import due_dates, lendable, open_claims, own_booking
from loans.calendar import calendar_of, due_date_for, local_date
from loans.capacity import needed_from
from loans.locks import is_wanted
from loans.marks import may_have
from loans.models import ACTIVE, Block, Hold, Loan, LoanPlace, Member
from loans.opening import DAY, next_open_day, open_days
from loans.queue import suits
from loans.rules import Term

MAY_COME_BACK = (Condition.IN_SERVICE, Condition.INCOMPLETE, Condition.IN_REPAIR)
"""The conditions of a box for which it makes sense to wait."""


def to_lend(
    copy: Copy, member: Member, holding: rules.Holding | None, *, now: datetime, term: Term = Term.USUAL
) -> rules.Situation:
    """The facts about lending `copy` to `member` now."""
    today = local_date(now, copy.branch)
    policy = policies.policy_for(member, copy)
    may_be_booked = term == Term.USUAL and is_wanted(copy)
    booked = own_booking(copy.game_id, member.pk, today) if may_be_booked else None
    promised = promises(copy, member, today, has_booked=booked is not None)
    return rules.Situation(
        today=today,
        policy=policy,
        borrower=borrower(member, policy, today),
        condition=copy.condition,
        holding=holding,
        due_on=booked.to_on if booked else _due_on(term, today, policy, copy, promised),
        term=term,
        promises=promised,
        care=care.facts(copy, today),
    )


def _due_on(
    term: Term, today: date, policy: rules.Policy, copy: Copy, promised: rules.HoldFacts
) -> date | None:
    if term not in {Term.USUAL, Term.NEXT_OPENING, Term.BEFORE_BOOKING}:
        return today
    usual = due_date_for(copy.branch, today, policy)
    if term == Term.USUAL:
        return usual
    if term == Term.BEFORE_BOOKING:
        soon = promised.back_by
    else:
        soon = next_open_day(calendar_of(copy.branch), today + DAY)
    return min(soon, usual) if soon and usual else usual


def to_renew(loan: Loan, *, now: datetime, at_desk: bool) -> rules.RenewalSituation:
    """The facts about renewing `loan` (with its copy, branch and member at hand) now."""
    today = local_date(now, loan.copy.branch)
    policy = policies.policy_for(loan.borrower, loan.copy)
    return rules.RenewalSituation(
        today=today,
        policy=policy,
        borrower=borrower(loan.borrower, policy, today),
        is_open=loan.returned_at is None,
        due_on=loan.due_on,
        renewals=loan.renewals,
        new_due_on=due_date_for(
            loan.copy.branch, rules.renewed_from(today, loan.due_on, policy), policy, lent_on=loan.lent_on
        ),
        at_desk=at_desk,
        at_home=loan.place == LoanPlace.HOME,
        promises=promises(loan.copy, loan.borrower, today),
    )


def to_hold(game: Game, member: Member, *, now: datetime) -> rules.HoldSituation:
    """The facts about a place in the queue for `game`, for `member` now."""
    today, policy = local_date(now, None), policies.policy_for(member, game.copies.first())
    own = Count("pk", filter=Q(member=member))
    active = Hold.objects.filter(state__in=ACTIVE)
    here = active.filter(game=game).aggregate(all=Count("pk"), own=own)
    return rules.HoldSituation(
        today=today,
        policy=policy,
        borrower=borrower(member, policy, today),
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
    if not is_wanted(copy):
        return rules.NOTHING_PROMISED
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
    days = open_days(calendar_of(copy.branch), today + DAY)
    return max(takewhile(lambda day: day < before, days), default=None)


def standing(member: Member, *, today: date) -> rules.Standing:
    """The facts about the member alone: what the desk shows before the first scan."""
    policy = policies.policy_for(member, None)
    return rules.Standing(today=today, policy=policy, borrower=borrower(member, policy, today))


def borrower(member: Member, policy: rules.Policy, today: date) -> rules.Borrower:
    """What counts about the member under this policy; one query, one more for blocks, one for a kind."""
    with_household = bool(policy.counts_household and member.household_id)
    counted = COUNTS_OF_HOUSEHOLDS if with_household else COUNTS_OF_MEMBERS
    loans_open, loans_late, has_blocks = counted.get(today, member.pk)
    reason, until = blocked(member, today) if has_blocks else ("", None)
    return rules.Borrower(
        membership_ends_on=member.membership_ends_on,
        block_reason=reason,
        blocked_until=until,
        open_loans=loans_open,
        late_loans=loans_late,
        open_of_kind=_of_kind(policy.kind, member, with_household=with_household),
        birth_year=member.birth_year,
        has_signed=member.conditions_signed_on is not None,
        owes=accounts.owed_by(member) if policy.max_debt is not None else 0,
    )


def blocked(member: Member, today: date) -> tuple[str, date | None]:
    """Why the member is blocked today, in the words of all the blocks, and until when at the longest."""
    if not may_have(member, "blocks"):
        return "", None
    blocks = Block.objects.filter(in_force(today), member=member).values_list("reason", "ends_on")
    reasons = [reason for reason, _ends_on in blocks]
    ends = [ends_on for _reason, ends_on in blocks]
    return " · ".join(reasons), None if None in ends else max(filter(None, ends), default=None)


def in_force(today: date) -> Q:
    """The blocks that hold on a day."""
    return Q(Q(ends_on=None) | Q(ends_on__gte=today), lifted_at=None, starts_on__lte=today)


def _at_home(whose: Q) -> QuerySet[Loan]:
    return Loan.objects.filter(whose, returned_at=None, place=LoanPlace.HOME)


def _of_kind(kind: rules.GameKind | None, member: Member, *, with_household: bool) -> int:
    whose = Q(member__household=member.household_id) if with_household else Q(member=member)
    return _at_home(whose).filter(copy__game__in=policies.games_of(kind)).count() if kind else 0


def _counts(whose: Q, today: date, pk: int) -> QuerySet[Member, tuple[int, int, bool]]:
    """How many games are at home, how many of them late, and whether there are blocks: for every lend."""
    at_home = _at_home(whose)
    blocks = Block.objects.filter(member=OuterRef("pk"), lifted_at=None)
    counts = (_count(at_home), _count(at_home.filter(due_on__lt=today)), Exists(blocks))
    return Member.objects.filter(pk=pk).order_by().values_list(*counts)


def _count(rows: QuerySet[Loan]) -> Coalesce:
    return Coalesce(Subquery(rows.order_by().values("place").annotate(n=Count("pk")).values("n")), 0)


COUNTS_OF_MEMBERS = Prepared(partial(_counts, Q(member=OuterRef("pk"))), date, int)
COUNTS_OF_HOUSEHOLDS = Prepared(partial(_counts, Q(member__household=OuterRef("household_id"))), date, int)


OPEN_LOANS = Prepared(
    lambda copy: Loan.objects.filter(copy=copy, returned_at=None).values_list("pk", "member_id", "lent_at"),
    int,
)


def holding_of(copy: Copy) -> rules.Holding | None:
    """Who has the copy, if anybody."""
    row = OPEN_LOANS.first(copy.pk)
    return rules.Holding(*row) if row else None
