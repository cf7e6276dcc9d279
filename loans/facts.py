"""What `rules` decides on, as plain values: policies, members, boxes and promises at one moment.

`situation` gathers them from rows. No database, no clock; money in whole cents, days as dates of the branch.
"""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum


class DueMode(StrEnum):
    """How a due date that falls on a closed day is moved."""

    CALENDAR_DAYS = "calendar_days"
    NEXT_OPEN_DAY = "next_open_day"
    SAME_WEEKDAY = "same_weekday"


class RenewalBase(StrEnum):
    """From which day a renewed loan runs."""

    TODAY = "today"
    DUE_DATE = "due_date"


class Term(StrEnum):
    """How long a box goes out, as the desk chose it; all but the usual one are shorter."""

    USUAL = "usual"
    NEXT_OPENING = "next_opening"
    TODAY = "today"
    BEFORE_BOOKING = "before_booking"
    HOUSE = "house"
    GAMES_DAY = "games_day"

    @property
    def leaves_house(self) -> bool:
        """Whether the box is taken home, so that limits count."""
        return self not in {Term.HOUSE, Term.GAMES_DAY}


@dataclass(frozen=True, slots=True)
class GameKind:
    """A kind of games that a limit counts: a category (its row id), or a class (how its codes begin)."""

    category_id: int | None = None
    class_prefix: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the library allows this member for this game. Money in whole cents; None: no limit.

    The defaults hold while a library has said nothing. `kind`: what `max_of_kind` counts.
    """

    loan_days: int = 21
    due_mode: DueMode = DueMode.NEXT_OPEN_DAY
    max_loans: int | None = 5
    counts_household: bool = False
    max_of_kind: int | None = None
    kind: GameKind | None = None
    max_renewals: int = 2
    renewal_base: RenewalBase = RenewalBase.TODAY
    grace_days: int = 0
    lends_while_late: bool = False
    fee_per_loan: int = 0
    fee_per_day: int = 0
    late_fee_per_day: int = 0
    late_fee_cap: int | None = None
    deposit: int = 0
    max_holds: int | None = 5
    hold_shelf_days: int = 7
    min_age: int | None = None
    membership_required: bool = False
    conditions_required: bool = False
    staff_may_waive: bool = True
    max_debt: int | None = None


@dataclass(frozen=True, slots=True)
class Borrower:
    """What counts about a member. `membership_ends_on` is the last valid day; None: no end.

    `blocked_until` is the last day of the block; None: until it is lifted. The loans are the member's, or
    the household's where the policy counts those; `open_of_kind` are those of the policy's kind.
    """

    membership_ends_on: date | None = None
    block_reason: str = ""
    blocked_until: date | None = None
    open_loans: int = 0
    late_loans: int = 0
    owes: int = 0
    open_of_kind: int = 0
    birth_year: int | None = None
    has_signed: bool = False


@dataclass(frozen=True, slots=True)
class Holding:
    """The open loan of a copy: which, whose, since when."""

    loan_id: int
    member_id: int
    since: datetime

    def as_data(self) -> dict[str, str | int]:
        """What a refusal says about it."""
        return {"loan": self.loan_id, "member": self.member_id, "since": self.since.isoformat()}


@dataclass(frozen=True, slots=True)
class CareFacts:
    """What counts about the care of a box. `quarantined_until`: its last day there; None: until released.

    `due`: what must be done before it goes out, in the plan's own words.
    """

    quarantined: bool = False
    quarantined_until: date | None = None
    due: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldFacts:
    """What is promised about a copy, seen by one member.

    `held_for`: the other member to whom this box is promised, `held_until` its last day on the hold shelf
    (None: it is not there yet). `waiting`: how many others come first, and could take this box.
    `booked_from`: the first day for which it must be in the house, `back_by` the last open day before it.
    """

    held_for: int | None = None
    held_until: date | None = None
    waiting: int = 0
    in_transit: bool = False
    booked_from: date | None = None
    back_by: date | None = None


NOTHING_PROMISED = HoldFacts()


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How a member stands with the library today, whatever the game."""

    today: date
    policy: Policy
    borrower: Borrower


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation(Standing):
    """All that decides whether this member may borrow this copy now.

    `condition` is a value of the catalogue's `Condition`; `due_on` is None if the calendar has no open day.
    """

    condition: str
    holding: Holding | None
    due_on: date | None
    term: Term = Term.USUAL
    promises: HoldFacts = NOTHING_PROMISED
    care: CareFacts = CareFacts()


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewalSituation(Standing):
    """All that decides whether a loan may go on. `at_desk` is False when the member renews alone.

    `at_home` is False for a box that is played in the house.
    """

    is_open: bool
    due_on: date
    renewals: int
    new_due_on: date | None
    at_desk: bool
    at_home: bool = True
    promises: HoldFacts = NOTHING_PROMISED


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldSituation(Standing):
    """All that decides whether a member may have a place in the queue for a game.

    `copies`: the boxes that could ever be lent; `in_line`: how many wait already; `own`: how many holds
    the member has, on whatever games.
    """

    copies: int
    in_line: int
    own: int
    has_it_at_home: bool
    holds_it: bool
