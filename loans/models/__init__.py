"""The lending tables, one module a theme; each says who writes it.

`_on` is a date in the branch's time zone, `_at` an instant. Money is whole cents in a column `_cents`.
"""

from loans.models.care import CareDone, CareKind, CarePlan
from loans.models.counting import CountState, MissingPiece, PieceCount, PieceDecision, PieceEnd
from loans.models.days import Closure, Opening, Redating
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
from loans.models.kept import KeptScan
from loans.models.lending import DeskAction, DeskEvent, Loan, LoanPlace
from loans.models.membership import Membership, MembershipKind
from loans.models.money import Account, AccountKind, Entry, EntryKind, Line, TillDay, Voucher, VoucherUse
from loans.models.notices import (
    CalendarFeed,
    Mail,
    MailState,
    NoMail,
    Notice,
    NoticeKind,
    NoticePlan,
    NoticeText,
    RenewalLink,
    ReturnedMail,
    Window,
)
from loans.models.people import Block, Household, HouseholdMove, Member, MemberCategory
from loans.models.policy import UNLIMITED, WORDS, YES_OR_NO, PolicyRow, PolicyRule
from loans.models.privacy import PrivacyAction, PrivacyRecord
from loans.models.stocktakes import Finding, Settled, Stocktake, StocktakeLine

__all__ = (
    "ACTIVE",
    "UNLIMITED",
    "WORDS",
    "YES_OR_NO",
    "Account",
    "AccountKind",
    "Block",
    "BookedLoan",
    "Booking",
    "BookingState",
    "CalendarFeed",
    "CareDone",
    "CareKind",
    "CarePlan",
    "Closure",
    "CountState",
    "DeskAction",
    "DeskEvent",
    "DeskNote",
    "Entry",
    "EntryKind",
    "Finding",
    "GamesDay",
    "Hold",
    "HoldAction",
    "HoldEvent",
    "HoldState",
    "Household",
    "HouseholdMove",
    "KeptScan",
    "Line",
    "Loan",
    "LoanPlace",
    "Mail",
    "MailState",
    "Member",
    "MemberCategory",
    "Membership",
    "MembershipKind",
    "MissingPiece",
    "NoMail",
    "Notice",
    "NoticeKind",
    "NoticePlan",
    "NoticeText",
    "Opening",
    "PieceCount",
    "PieceDecision",
    "PieceEnd",
    "Player",
    "PolicyRow",
    "PolicyRule",
    "PrivacyAction",
    "PrivacyRecord",
    "Redating",
    "RenewalLink",
    "ReturnedMail",
    "Settled",
    "Stocktake",
    "StocktakeLine",
    "TillDay",
    "Transfer",
    "Voucher",
    "VoucherUse",
    "Window",
)
