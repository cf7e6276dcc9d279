"""What a library allows, decided on plain values: no database, no clock, no settings, no words for people.

`desk` gathers the facts inside its lock and asks here; screens ask the same functions for a preview. A
decision is a tuple of refusals, all of them at once, the most useful first; empty means yes. To change
a rule, change its one function below; to add one, write the function and put it into the tuple.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, TypeVar

REPEAT_WITHIN = timedelta(seconds=60)
"""A box scanned again within this time, with nothing in between, is the same scan once more."""


class RefusalCode(StrEnum):
    """Stable names of reasons, the same in the journal, the API and `messages`."""

    COPY_ON_LOAN = "copy_on_loan"
    COPY_WITHDRAWN = "copy_withdrawn"
    COPY_LOST = "copy_lost"
    COPY_IN_REPAIR = "copy_in_repair"
    COPY_NOT_FOR_LOAN = "copy_not_for_loan"
    MEMBER_BLOCKED = "member_blocked"
    MEMBERSHIP_ENDED = "membership_ended"
    MEMBERSHIP_MISSING = "membership_missing"
    CONDITIONS_NOT_SIGNED = "conditions_not_signed"
    TOO_YOUNG = "too_young"
    MEMBER_HAS_LATE_LOANS = "member_has_late_loans"
    LOAN_LIMIT_REACHED = "loan_limit_reached"
    LIMIT_OF_KIND_REACHED = "limit_of_kind_reached"
    NEVER_OPEN = "never_open"
    COPY_HELD_FOR_OTHER = "copy_held_for_other"
    SOMEBODY_WAITS = "somebody_waits"
    BOOKED_SOON = "booked_soon"
    COPY_IN_TRANSIT = "copy_in_transit"

    COPY_NOT_ON_LOAN = "copy_not_on_loan"
    RETURN_IN_FUTURE = "return_in_future"
    RETURN_BEFORE_LOAN = "return_before_loan"

    LOAN_CLOSED = "loan_closed"
    NOT_TAKEN_HOME = "not_taken_home"
    LOAN_LATE = "loan_late"
    RENEWALS_USED_UP = "renewals_used_up"
    RENEWAL_GAINS_NOTHING = "renewal_gains_nothing"

    HAS_GAME_AT_HOME = "has_game_at_home"
    ALREADY_HOLDS = "already_holds"
    HOLD_LIMIT_REACHED = "hold_limit_reached"
    NO_COPY_TO_HOLD = "no_copy_to_hold"
    HOLD_CLOSED = "hold_closed"
    TOO_FEW_COPIES = "too_few_copies"
    BOOKING_DAYS_WRONG = "booking_days_wrong"
    SAME_BRANCH = "same_branch"

    NOT_UNDOABLE = "not_undoable"
    ALREADY_UNDONE = "already_undone"
    CHANGED_SINCE = "changed_since"
    TOO_LONG_AGO = "too_long_ago"

    CARD_FIRST = "card_first"
    CARD_FIRST_FOR_COMMAND = "card_first_for_command"
    NOTHING_ASKED = "nothing_asked"
    NOTHING_TO_RENEW = "nothing_to_renew"
    LENT_A_MOMENT_AGO = "lent_a_moment_ago"
    RETURNED_A_MOMENT_AGO = "returned_a_moment_ago"
    MOVED_SINCE_SCAN = "moved_since_scan"
    UNKNOWN_CODE = "unknown_code"
    UNKNOWN_LOAN = "unknown_loan"
    UNKNOWN_EVENT = "unknown_event"
    DAMAGED_CODE = "damaged_code"
    AMBIGUOUS_CODE = "ambiguous_code"
    NONCE_REUSED = "nonce_reused"
    CARD_UNCLEAR = "card_unclear"
    NOT_A_KEPT_COMMAND = "not_a_kept_command"
    KEPT_TOO_LONG = "kept_too_long"
    WAIVER_NEEDS_REASON = "waiver_needs_reason"

    MEMBER_OWES = "member_owes"
    AMOUNT_MISSING = "amount_missing"
    NOTHING_OWED = "nothing_owed"
    NOT_THAT_MUCH = "not_that_much"
    ALREADY_REVERSED = "already_reversed"
    NOT_REVERSIBLE = "not_reversible"
    UNKNOWN_VOUCHER = "unknown_voucher"
    VOUCHER_USED = "voucher_used"
    REASON_MISSING = "reason_missing"
    DAY_CLOSED = "day_closed"
    DAY_NOT_OVER = "day_not_over"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason why not. `data` holds numbers, ISO dates and row ids, never the name of a person."""

    code: RefusalCode
    waivable: bool = False
    data: Mapping[str, str | int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """The form in which the journal keeps it."""
        return {"code": str(self.code), "waivable": self.waivable, "data": dict(self.data)}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Refusal":
        """The refusal that was kept by `as_json`."""
        return cls(RefusalCode(kept["code"]), waivable=kept["waivable"], data=kept["data"])


# --- the facts ---------------------------------------------------------------------------------


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


# --- may this member borrow this copy now? -------------------------------------------------------


def may_lend(situation: Situation) -> tuple[Refusal, ...]:
    """Every reason why this member may not borrow this copy now."""
    borrower_rules = BORROWER_RULES if situation.term.leaves_house else HOUSE_RULES
    asked = (
        _ask(COPY_RULES, situation),
        _ask(borrower_rules, situation),
        _ask(MATCH_RULES, situation),
        _ask(CALENDAR_RULES, situation),
    )
    return _as_waivable(tuple(refusal for refusals in asked for refusal in refusals), situation.policy)


def may_borrow(standing: Standing) -> tuple[Refusal, ...]:
    """The reasons that lie with the member alone: what the desk shows before the first scan."""
    return _as_waivable(_ask(BORROWER_RULES, standing), standing.policy)


def _copy_is_on_loan(s: Situation) -> Refusal | None:
    return Refusal(RefusalCode.COPY_ON_LOAN, data=s.holding.as_data()) if s.holding else None


CONDITIONS_REFUSED = {
    # A lost or withdrawn box in the hand is news for the catalogue, not an exception for one loan.
    "lost": Refusal(RefusalCode.COPY_LOST),
    "withdrawn": Refusal(RefusalCode.COPY_WITHDRAWN),
    "in_repair": Refusal(RefusalCode.COPY_IN_REPAIR, waivable=True),
    "not_for_loan": Refusal(RefusalCode.COPY_NOT_FOR_LOAN, waivable=True),
}


def _copy_is_not_lent(s: Situation) -> Refusal | None:
    if s.condition == "not_for_loan" and not s.term.leaves_house:
        return None
    return CONDITIONS_REFUSED.get(s.condition)


def _member_is_blocked(s: Standing) -> Refusal | None:
    if not s.borrower.block_reason:
        return None
    data: dict[str, str | int] = {"reason": s.borrower.block_reason}
    if s.borrower.blocked_until:
        data["until_on"] = s.borrower.blocked_until.isoformat()
    return Refusal(RefusalCode.MEMBER_BLOCKED, waivable=True, data=data)


def _membership_has_ended(s: Standing) -> Refusal | None:
    ends_on = s.borrower.membership_ends_on
    if ends_on is None or s.today <= ends_on:
        return None
    return Refusal(RefusalCode.MEMBERSHIP_ENDED, waivable=True, data={"ended_on": ends_on.isoformat()})


def _membership_is_missing(s: Standing) -> Refusal | None:
    if not s.policy.membership_required or s.borrower.membership_ends_on:
        return None
    return Refusal(RefusalCode.MEMBERSHIP_MISSING, waivable=True)


def _conditions_are_not_signed(s: Standing) -> Refusal | None:
    if not s.policy.conditions_required or s.borrower.has_signed:
        return None
    return Refusal(RefusalCode.CONDITIONS_NOT_SIGNED, waivable=True)


def _member_has_late_loans(s: Standing) -> Refusal | None:
    if s.policy.lends_while_late or not s.borrower.late_loans:
        return None
    return Refusal(RefusalCode.MEMBER_HAS_LATE_LOANS, waivable=True, data={"late": s.borrower.late_loans})


def _loan_limit_is_reached(s: Standing) -> Refusal | None:
    if s.policy.max_loans is None or s.borrower.open_loans < s.policy.max_loans:
        return None
    data: dict[str, str | int] = {"open": s.borrower.open_loans, "limit": s.policy.max_loans}
    if s.policy.counts_household:
        data["household"] = 1
    return Refusal(RefusalCode.LOAN_LIMIT_REACHED, waivable=True, data=data)


def _member_owes_too_much(s: Standing) -> Refusal | None:
    if s.policy.max_debt is None or s.borrower.owes <= s.policy.max_debt:
        return None
    data = {"owes_cents": s.borrower.owes, "limit_cents": s.policy.max_debt}
    return Refusal(RefusalCode.MEMBER_OWES, waivable=True, data=data)


def _limit_of_kind_is_reached(s: Situation) -> Refusal | None:
    limit, kind = s.policy.max_of_kind, s.policy.kind
    if limit is None or kind is None or s.borrower.open_of_kind < limit:
        return None
    data: dict[str, str | int] = {"open": s.borrower.open_of_kind, "limit": limit, "kind": kind.name}
    return Refusal(RefusalCode.LIMIT_OF_KIND_REACHED, waivable=True, data=data)


def _member_is_too_young(s: Situation) -> Refusal | None:
    """By the year of birth alone: refused is only who cannot be old enough yet on any day of this year."""
    if s.policy.min_age is None or s.borrower.birth_year is None:
        return None
    if s.today.year - s.borrower.birth_year >= s.policy.min_age:
        return None
    return Refusal(RefusalCode.TOO_YOUNG, waivable=True, data={"age": s.policy.min_age})


def _branch_never_opens(s: Situation) -> Refusal | None:
    return Refusal(RefusalCode.NEVER_OPEN, waivable=True) if s.due_on is None else None


def _copy_is_held_for_other(s: Situation) -> Refusal | None:
    """Held, or free by chance (mended, found again) while somebody waits: who waited first is first."""
    held = s.promises
    if held.held_for is None:
        waits = s.holding is None and held.waiting
        return Refusal(RefusalCode.SOMEBODY_WAITS, waivable=True, data=_waiting(held)) if waits else None
    data: dict[str, str | int] = {"member": held.held_for}
    if held.held_until:
        data["until_on"] = held.held_until.isoformat()
    return Refusal(RefusalCode.COPY_HELD_FOR_OTHER, waivable=True, data=data)


def _waiting(held: HoldFacts) -> dict[str, str | int]:
    return {"waiting": held.waiting}


def _copy_is_in_transit(s: Situation) -> Refusal | None:
    return Refusal(RefusalCode.COPY_IN_TRANSIT) if s.promises.in_transit else None


def _copy_is_booked_soon(s: Situation) -> Refusal | None:
    first_on = s.promises.booked_from
    if first_on is None or s.due_on is None or s.due_on < first_on:
        return None
    back = {"back_by_on": s.promises.back_by.isoformat()} if s.promises.back_by else {}
    return Refusal(RefusalCode.BOOKED_SOON, waivable=True, data={"first_on": first_on.isoformat(), **back})


COPY_RULES = (
    _copy_is_on_loan,
    _copy_is_not_lent,
    _copy_is_in_transit,
    _copy_is_held_for_other,
    _copy_is_booked_soon,
)
HOUSE_RULES = (_member_is_blocked,)
"""What counts about a member who only plays here."""


BORROWER_RULES = (
    _member_is_blocked,
    _membership_has_ended,
    _membership_is_missing,
    _conditions_are_not_signed,
    _member_has_late_loans,
    _member_owes_too_much,
    _loan_limit_is_reached,
)
MATCH_RULES = (_limit_of_kind_is_reached, _member_is_too_young)
"""Of this member with this game."""

CALENDAR_RULES = (_branch_never_opens,)


# --- may this loan go on? ------------------------------------------------------------------------


def renewed_from(today: date, due_on: date, policy: Policy) -> date:
    """The day from which a renewed loan runs: today, or the day on which it is due, if that is ahead."""
    return max(today, due_on) if policy.renewal_base == RenewalBase.DUE_DATE else today


def may_renew(situation: RenewalSituation) -> tuple[Refusal, ...]:
    """Every reason why this loan may not be renewed now."""
    if not situation.is_open:
        return (Refusal(RefusalCode.LOAN_CLOSED),)
    return _as_waivable(_ask(RENEWAL_RULES, situation), situation.policy)


def _loan_is_for_the_house(s: RenewalSituation) -> Refusal | None:
    return None if s.at_home else Refusal(RefusalCode.NOT_TAKEN_HOME)


def _loan_is_late(s: RenewalSituation) -> Refusal | None:
    """Alone at home a late game is not renewed; the desk may, for there the family is being talked to."""
    if s.at_desk or s.today <= s.due_on:
        return None
    return Refusal(RefusalCode.LOAN_LATE, data={"due_on": s.due_on.isoformat()})


def _renewals_are_used_up(s: RenewalSituation) -> Refusal | None:
    if s.renewals < s.policy.max_renewals:
        return None
    data = {"renewals": s.renewals, "limit": s.policy.max_renewals}
    return Refusal(RefusalCode.RENEWALS_USED_UP, waivable=True, data=data)


def _renewal_gains_nothing(s: RenewalSituation) -> Refusal | None:
    if s.new_due_on is None or s.new_due_on > s.due_on:
        return None
    return Refusal(RefusalCode.RENEWAL_GAINS_NOTHING, data={"due_on": s.due_on.isoformat()})


def _somebody_waits(s: RenewalSituation) -> Refusal | None:
    if not s.promises.waiting:
        return None
    data = _waiting(s.promises) | {"due_on": s.due_on.isoformat()}
    return Refusal(RefusalCode.SOMEBODY_WAITS, waivable=True, data=data)


def _renewal_runs_into_a_booking(s: RenewalSituation) -> Refusal | None:
    first_on = s.promises.booked_from
    if first_on is None or s.new_due_on is None or s.new_due_on < first_on:
        return None
    return Refusal(RefusalCode.BOOKED_SOON, waivable=True, data={"first_on": first_on.isoformat()})


def _branch_never_opens_again(s: RenewalSituation) -> Refusal | None:
    return Refusal(RefusalCode.NEVER_OPEN, waivable=True) if s.new_due_on is None else None


RENEWAL_RULES = (
    _loan_is_for_the_house,
    _renewal_gains_nothing,
    _member_is_blocked,
    _membership_has_ended,
    _membership_is_missing,
    _loan_is_late,
    _renewals_are_used_up,
    _somebody_waits,
    _renewal_runs_into_a_booking,
    _branch_never_opens_again,
)

# --- may this member wait for this game? ---------------------------------------------------------


def may_hold(situation: HoldSituation) -> tuple[Refusal, ...]:
    """Every reason why this member may not have a place in the queue for this game."""
    return _ask(HOLD_RULES, situation)


def _has_it_at_home(s: HoldSituation) -> Refusal | None:
    return Refusal(RefusalCode.HAS_GAME_AT_HOME) if s.has_it_at_home else None


def _holds_it_already(s: HoldSituation) -> Refusal | None:
    return Refusal(RefusalCode.ALREADY_HOLDS) if s.holds_it else None


def _no_copy_will_come(s: HoldSituation) -> Refusal | None:
    return None if s.copies else Refusal(RefusalCode.NO_COPY_TO_HOLD)


def _hold_limit_is_reached(s: HoldSituation) -> Refusal | None:
    if s.policy.max_holds is None or s.own < s.policy.max_holds:
        return None
    return Refusal(RefusalCode.HOLD_LIMIT_REACHED, data={"open": s.own, "limit": s.policy.max_holds})


HOLD_RULES = (
    _no_copy_will_come,
    _has_it_at_home,
    _holds_it_already,
    _member_is_blocked,
    _membership_has_ended,
    _hold_limit_is_reached,
)

Facts = TypeVar("Facts")


def _ask(rules: tuple[Callable[[Facts], Refusal | None], ...], facts: Facts) -> tuple[Refusal, ...]:
    return tuple(refusal for rule in rules if (refusal := rule(facts)) is not None)


# --- may a return be dated back? -----------------------------------------------------------------


def may_date_back(returned_at: datetime, lent_at: datetime, now: datetime) -> tuple[Refusal, ...]:
    """Every reason why a box cannot have come back at that time."""
    return tuple(
        Refusal(code, data={"at": moment.isoformat()})
        for code, moment, wrong in (
            (RefusalCode.RETURN_IN_FUTURE, returned_at, returned_at > now + REPEAT_WITHIN),
            (RefusalCode.RETURN_BEFORE_LOAN, lent_at, returned_at < lent_at),
        )
        if wrong
    )


def _as_waivable(refusals: tuple[Refusal, ...], policy: Policy) -> tuple[Refusal, ...]:
    """The same refusals; where the staff may set none aside, none is waivable."""
    if policy.staff_may_waive:
        return refusals
    return tuple(replace(refusal, waivable=False) for refusal in refusals)


# --- what does a scanned box mean? ---------------------------------------------------------------


class Meaning(StrEnum):
    """What to do about a box that was scanned at the desk."""

    LEND = "lend"
    CHECK_IN = "check_in"
    SAME_LOAN = "same_loan"
    SAME_RETURN = "same_return"
    ASK_FOR_CARD = "ask_for_card"
    ASK_IF_BACK = "ask_if_back"
    ASK_IF_LENT_AGAIN = "ask_if_lent_again"
    ASK_IF_STILL_MEANT = "ask_if_still_meant"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedBox:
    """All that decides what the scan of a box means. `at`: when Enter was pressed, maybe long before `now`.

    `returned_on_show`: the desk's last answer was the return of this very box. `returned_at`: when it last
    came back, here or at another desk; `returned_here`: it was the same volunteer who took it back.
    """

    member_id: int | None
    holding: Holding | None
    returned_at: datetime | None
    returned_here: bool
    returned_on_show: bool
    at: datetime
    now: datetime

    @property
    def moved_since(self) -> bool:
        """Whether the box went out or came back after this scan, which then waited for long."""
        moved_at = self.holding.since if self.holding else self.returned_at
        return moved_at is not None and moved_at > self.at and not is_a_moment_ago(self.at, self.now)


def meaning_of_scan(box: ScannedBox) -> Meaning:
    """A box on the shelf is lent to the open member, a box on loan comes back; a scan too many does nothing.

    A scan that waited for long, while the box moved, is asked about: it was made for what the box was
    then, and a box meant to be lent is not taken back. A box that another desk lent a moment ago can
    hardly be back already, and one that this desk took back a moment ago was rather scanned twice.
    """
    if box.holding is None:
        return _meaning_on_the_shelf(box)
    lent_now = is_a_moment_ago(box.holding.since, box.at)
    if lent_now and box.holding.member_id == box.member_id:
        return Meaning.SAME_LOAN
    if box.moved_since:
        return Meaning.ASK_IF_STILL_MEANT
    return Meaning.ASK_IF_BACK if lent_now and box.member_id is not None else Meaning.CHECK_IN


def _meaning_on_the_shelf(box: ScannedBox) -> Meaning:
    if box.returned_on_show:
        return Meaning.SAME_RETURN
    if box.moved_since:
        return Meaning.ASK_IF_STILL_MEANT
    if box.member_id is None:
        return Meaning.ASK_FOR_CARD
    here = box.returned_here and box.returned_at is not None and is_a_moment_ago(box.returned_at, box.at)
    return Meaning.ASK_IF_LENT_AGAIN if here else Meaning.LEND


def is_a_moment_ago(moment: datetime, now: datetime) -> bool:
    """Whether something just happened; also when two desks' clocks differ a little."""
    return abs(now - moment) <= REPEAT_WITHIN
