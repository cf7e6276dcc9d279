"""The lending tables, one module a theme; each says who writes it.

`_on` is a date in the branch's time zone, `_at` an instant. Money is whole cents in a column `_cents`.
"""

from loans.models.days import Closure, Opening
from loans.models.lending import DeskAction, DeskEvent, Loan
from loans.models.money import (
    Account,
    AccountKind,
    Entry,
    EntryKind,
    Line,
    TillDay,
    Voucher,
    VoucherUse,
)
from loans.models.people import Household, Member, MemberCategory
from loans.models.policy import LoanPolicy

__all__ = (
    "Account",
    "AccountKind",
    "Closure",
    "DeskAction",
    "DeskEvent",
    "Entry",
    "EntryKind",
    "Household",
    "Line",
    "Loan",
    "LoanPolicy",
    "Member",
    "MemberCategory",
    "Opening",
    "TillDay",
    "Voucher",
    "VoucherUse",
)
