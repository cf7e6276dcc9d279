"""Gathers the plain facts that `rules` decides on. Only reads.

`desk` calls it inside its lock, screens call it without one for a preview: the same facts, the same rules.
"""

from datetime import date, datetime

from django.db.models import Count, Q, QuerySet

from catalogue.models import Copy
from loans import accounts, policies, rules
from loans.calendar import calendar_of, local_date
from loans.models import Block, Loan, LoanPlace, Member
from loans.opening import due_date
from loans.rules import Term


def to_lend(
    copy: Copy, member: Member, holding: rules.Holding | None, *, now: datetime, term: Term = Term.USUAL
) -> rules.Situation:
    """The facts about lending `copy` to `member` now."""
    today = local_date(now, copy.branch)
    policy = policies.policy_for(member, copy)
    return rules.Situation(
        today=today,
        policy=policy,
        borrower=borrower(member, policy, today),
        condition=copy.condition,
        holding=holding,
        due_on=_due_on(term, today, policy, copy),
        term=term,
    )


def _due_on(term: Term, today: date, policy: rules.Policy, copy: Copy) -> date | None:
    if term not in {Term.USUAL, Term.NEXT_OPENING}:
        return today
    calendar = calendar_of(copy.branch)
    usual = due_date(today, policy.loan_days, calendar)
    soon = due_date(today, 1, calendar) if term == Term.NEXT_OPENING else usual
    return min(soon, usual) if soon and usual else usual


def to_renew(loan: Loan, *, now: datetime, at_desk: bool) -> rules.RenewalSituation:
    """The facts about renewing `loan` (with its copy, branch and member at hand) now."""
    today = local_date(now, loan.copy.branch)
    policy = policies.policy_for(loan.member, loan.copy)
    return rules.RenewalSituation(
        today=today,
        policy=policy,
        borrower=borrower(loan.member, policy, today),
        is_open=loan.returned_at is None,
        due_on=loan.due_on,
        renewals=loan.renewals,
        new_due_on=due_date(today, policy.loan_days, calendar_of(loan.copy.branch)),
        at_desk=at_desk,
        at_home=loan.place == LoanPlace.HOME,
    )


def standing(member: Member, *, today: date) -> rules.Standing:
    """The facts about the member alone: what the desk shows before the first scan."""
    policy = policies.policy_for(member, None)
    return rules.Standing(today=today, policy=policy, borrower=borrower(member, policy, today))


def borrower(member: Member, policy: rules.Policy, today: date) -> rules.Borrower:
    """What counts about the member under this policy; two queries, one more for a limit of a kind."""
    whose = Q(member=member)
    if policy.counts_household and member.household_id:
        whose = Q(member__household=member.household_id)
    is_open = Loan.objects.filter(whose, returned_at=None, place=LoanPlace.HOME)
    late = Count("pk", filter=Q(due_on__lt=today))
    loans = is_open.aggregate(open=Count("pk"), late=late)
    reason, until = blocked(member, today)
    return rules.Borrower(
        membership_ends_on=member.membership_ends_on,
        block_reason=reason,
        blocked_until=until,
        open_loans=loans["open"],
        late_loans=loans["late"],
        open_of_kind=_of_kind(is_open, policy.kind),
        birth_year=member.birth_year,
        has_signed=member.conditions_signed_on is not None,
        owes=accounts.owed_by(member) if policy.max_debt is not None else 0,
    )


def blocked(member: Member, today: date) -> tuple[str, date | None]:
    """Why the member is blocked today, in the words of all the blocks, and until when at the longest."""
    blocks = Block.objects.filter(in_force(today), member=member).values_list("reason", "ends_on")
    reasons = [reason for reason, _ends_on in blocks]
    ends = [ends_on for _reason, ends_on in blocks]
    return " · ".join(reasons), None if None in ends else max(filter(None, ends), default=None)


def in_force(today: date) -> Q:
    """The blocks that hold on a day."""
    return Q(Q(ends_on=None) | Q(ends_on__gte=today), lifted_at=None, starts_on__lte=today)


def _of_kind(is_open: QuerySet[Loan], kind: rules.GameKind | None) -> int:
    return is_open.filter(copy__game__in=policies.games_of(kind)).count() if kind else 0


def holding_of(copy: Copy) -> rules.Holding | None:
    """Who has the copy, if anybody."""
    row = copy.loans.filter(returned_at=None).values_list("pk", "member_id", "lent_at").first()
    return rules.Holding(*row) if row else None
