"""The lending tables, one module a theme; each says who writes it.

`_on` is a date in the branch's time zone, `_at` an instant. Money is whole cents in a column `_cents`.
"""

from loans.models.days import Closure, Opening
from loans.models.desk_notes import DeskNote
from loans.models.games_days import GamesDay, Player
from loans.models.holds import (
    ACTIVE,
    BookedLoan,
    Booking,
    BookingState,
    Hold,
    HoldAction,
    HoldEvent,
    HoldState,
    Transfer,
)
from loans.models.lending import DeskAction, DeskEvent, Loan, LoanPlace
from loans.models.people import Household, Member, MemberCategory
from loans.models.policy import LoanPolicy

__all__ = (
    "ACTIVE",
    "BookedLoan",
    "Booking",
    "BookingState",
    "Closure",
    "DeskAction",
    "DeskEvent",
    "DeskNote",
    "GamesDay",
    "Hold",
    "HoldAction",
    "HoldEvent",
    "HoldState",
    "Household",
    "Loan",
    "LoanPlace",
    "LoanPolicy",
    "Member",
    "MemberCategory",
    "Opening",
    "Player",
    "Transfer",
)
