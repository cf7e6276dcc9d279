"""Gathers the plain facts that `rules` decides on. Only reads.

`desk` calls it inside its lock, screens call it without one for a preview: the same facts, the same rules.
"""

from datetime import date, datetime

from django.db.models import Count, Q

from catalogue.models import Copy
from loans import accounts, rules
from loans.calendar import calendar_of, local_date
from loans.models import Loan, LoanPolicy, Member
from loans.opening import due_date


def to_lend(copy: Copy, member: Member, holding: rules.Holding | None, *, now: datetime) -> rules.Situation:
    """The facts about lending `copy` to `member` now."""
    today = local_date(now, copy.branch)
    policy = default_policy()
    return rules.Situation(
        today=today,
        policy=policy,
        borrower=borrower(member, today, policy),
        condition=copy.condition,
        holding=holding,
        due_on=due_date(today, policy.loan_days, calendar_of(copy.branch)),
    )


def to_renew(loan: Loan, *, now: datetime, at_desk: bool) -> rules.RenewalSituation:
    """The facts about renewing `loan` (with its copy, branch and member at hand) now."""
    today = local_date(now, loan.copy.branch)
    policy = default_policy()
    return rules.RenewalSituation(
        today=today,
        policy=policy,
        borrower=borrower(loan.member, today, policy),
        is_open=loan.returned_at is None,
        due_on=loan.due_on,
        renewals=loan.renewals,
        new_due_on=due_date(today, policy.loan_days, calendar_of(loan.copy.branch)),
        at_desk=at_desk,
    )


def standing(member: Member, *, today: date) -> rules.Standing:
    """The facts about the member alone: what the desk shows before the first scan."""
    policy = default_policy()
    return rules.Standing(today=today, policy=policy, borrower=borrower(member, today, policy))


def borrower(member: Member, today: date, policy: rules.Policy) -> rules.Borrower:
    """What counts about the member; one query, and one for the debt where the policy has a limit to it."""
    late = Count("pk", filter=Q(due_on__lt=today))
    loans = member.loans.filter(returned_at=None).aggregate(open=Count("pk"), late=late)
    return rules.Borrower(
        membership_ends_on=member.membership_ends_on,
        block_reason=member.block_reason,
        open_loans=loans["open"],
        late_loans=loans["late"],
        owes=accounts.owed_by(member) if policy.max_debt is not None else 0,
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
