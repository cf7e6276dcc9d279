"""Gathers the plain facts that `rules` decides on. Only reads.

`desk` calls it inside its lock, screens call it without one for a preview: the same facts, the same rules.
"""

from datetime import date, datetime

from django.db.models import Count, Q

from catalogue.models import Copy
from loans import rules
from loans.calendar import calendar_of, due_date_for, local_date
from loans.models import Loan, LoanPlace, LoanPolicy, Member
from loans.opening import DAY, next_open_day
from loans.rules import Term


def to_lend(
    copy: Copy, member: Member, holding: rules.Holding | None, *, now: datetime, term: Term = Term.USUAL
) -> rules.Situation:
    """The facts about lending `copy` to `member` now."""
    today = local_date(now, copy.branch)
    policy = default_policy()
    return rules.Situation(
        today=today,
        policy=policy,
        borrower=borrower(member, today),
        condition=copy.condition,
        holding=holding,
        due_on=_due_on(term, today, policy, copy),
        term=term,
    )


def _due_on(term: Term, today: date, policy: rules.Policy, copy: Copy) -> date | None:
    if term not in {Term.USUAL, Term.NEXT_OPENING}:
        return today
    usual = due_date_for(copy.branch, today, policy)
    if term == Term.USUAL:
        return usual
    soon = next_open_day(calendar_of(copy.branch), today + DAY)
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
        new_due_on=due_date_for(loan.copy.branch, today, policy),
        at_desk=at_desk,
        at_home=loan.place == LoanPlace.HOME,
    )


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
