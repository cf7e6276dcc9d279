"""A reason why not, as a value with a stable code: the same in the journal, the API and `messages`.

`rules` and the writers say no with these; `messages` puts them into words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class RefusalCode(StrEnum):
    """Stable names of reasons, the same in the journal, the API and `messages`."""

    COPY_ON_LOAN = "copy_on_loan"
    COPY_WITHDRAWN = "copy_withdrawn"
    COPY_LOST = "copy_lost"
    COPY_IN_REPAIR = "copy_in_repair"
    COPY_NOT_FOR_LOAN = "copy_not_for_loan"
    COPY_UNPLAYABLE = "copy_unplayable"
    COPY_IN_CLEANING = "copy_in_cleaning"
    COPY_IN_QUARANTINE = "copy_in_quarantine"
    COPY_NEEDS_CARE = "copy_needs_care"
    COPY_DONATED = "copy_donated"
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

    RETURN_UNDONE = "return_undone"
    NOTHING_RETURNED = "nothing_returned"
    PIECE_SETTLED = "piece_settled"
    NO_SPARE = "no_spare"
    NOBODY_TO_CHARGE = "nobody_to_charge"
    MOVE_NOT_ALLOWED = "move_not_allowed"
    NOT_A_PHOTO = "not_a_photo"

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
    UNKNOWN_ENTRY = "unknown_entry"
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
