"""What lending costs: pure arithmetic on a policy. No database, no clock.

Days late are days on which the branch was open: who finds the door shut pays nothing for it. Where no
opening days are said, every day counts.
"""

from datetime import date, timedelta
from itertools import takewhile

from loans.opening import Calendar, open_days
from loans.rules import Policy


def lending_fee(policy: Policy, days: int) -> int:
    """What a loan of so many days costs, in cents."""
    return policy.fee_per_loan + policy.fee_per_day * max(days, 0)


def renewal_fee(policy: Policy, more_days: int) -> int:
    """What further days cost: the fee for the loan itself is paid once."""
    return policy.fee_per_day * max(more_days, 0)


def days_late(due_on: date, back_on: date, calendar: Calendar) -> int:
    """The open days after the last day that was not late, the day of the return included; a year at most."""
    days = open_days(calendar, due_on + timedelta(days=1))
    return sum(1 for _ in takewhile(lambda day: day <= back_on, days))


def late_fee(policy: Policy, late: int) -> int:
    """What `late` days cost: the days of grace are free for everybody, and the cap ends it."""
    fee = policy.late_fee_per_day * max(late - policy.grace_days, 0)
    return fee if policy.late_fee_cap is None else min(fee, policy.late_fee_cap)
