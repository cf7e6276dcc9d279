"""What a library allows, decided on plain values: no database, no clock, no settings, no words for people.

`desk` gathers the facts inside its lock and asks here; screens ask the same functions for a preview. A
decision is a tuple of refusals, all of them at once, the most useful first; empty means yes. To change
a rule, change its one function below; to add one, write the function and put it into the tuple.

What is decided on is defined in `facts`, what is answered in `refusals`, how long a moment is in `meaning`.
All others import these names from here, the one door to the rules.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime
from typing import TypeVar

from loans.facts import (
    NOTHING_PROMISED,
    Borrower,
    CareFacts,
    DueMode,
    GameKind,
    HoldFacts,
    Holding,
    HoldSituation,
    Policy,
    RenewalBase,
    RenewalSituation,
    Situation,
    Standing,
    Term,
)
from loans.meaning import REPEAT_WITHIN, is_a_moment_ago
from loans.refusals import Refusal, RefusalCode

__all__ = (
    "BORROWER_RULES",
    "CALENDAR_RULES",
    "CONDITIONS_REFUSED",
    "COPY_RULES",
    "HOLD_RULES",
    "HOUSE_RULES",
    "MATCH_RULES",
    "NOTHING_PROMISED",
    "RENEWAL_RULES",
    "REPEAT_WITHIN",
    "Borrower",
    "CareFacts",
    "DueMode",
    "GameKind",
    "HoldFacts",
    "HoldSituation",
    "Holding",
    "Policy",
    "Refusal",
    "RefusalCode",
    "RenewalBase",
    "RenewalSituation",
    "Situation",
    "Standing",
    "Term",
    "is_a_moment_ago",
    "may_borrow",
    "may_date_back",
    "may_hold",
    "may_lend",
    "may_renew",
    "renewed_from",
)


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
    "unplayable": Refusal(RefusalCode.COPY_UNPLAYABLE, waivable=True),
    "cleaning": Refusal(RefusalCode.COPY_IN_CLEANING, waivable=True),
    "donated": Refusal(RefusalCode.COPY_DONATED),
}


def _copy_is_not_lent(s: Situation) -> Refusal | None:
    if s.condition == "not_for_loan" and not s.term.leaves_house:
        return None
    return CONDITIONS_REFUSED.get(s.condition)


def _copy_is_in_quarantine(s: Situation) -> Refusal | None:
    """Until its last day; the day after, the box may go out."""
    until = s.care.quarantined_until
    if not s.care.quarantined or (until is not None and s.today > until):
        return None
    data = {"until_on": until.isoformat()} if until else {}
    return Refusal(RefusalCode.COPY_IN_QUARANTINE, waivable=True, data=data)


def _copy_needs_care(s: Situation) -> Refusal | None:
    if not s.care.due:
        return None
    return Refusal(RefusalCode.COPY_NEEDS_CARE, waivable=True, data={"what": s.care.due})


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
    _copy_is_in_quarantine,
    _copy_needs_care,
    _copy_is_in_transit,
    _copy_is_held_for_other,
    _copy_is_booked_soon,
)
"""Of the box, and of whom it is promised to."""

HOUSE_RULES = (_member_is_blocked,)
"""Of a member who only plays here."""

BORROWER_RULES = (
    _member_is_blocked,
    _membership_has_ended,
    _membership_is_missing,
    _conditions_are_not_signed,
    _member_has_late_loans,
    _member_owes_too_much,
    _loan_limit_is_reached,
)
"""Of a member who takes it home, whatever the game."""

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


# --- asking --------------------------------------------------------------------------------------


Facts = TypeVar("Facts")


def _ask(rules: tuple[Callable[[Facts], Refusal | None], ...], facts: Facts) -> tuple[Refusal, ...]:
    return tuple(refusal for rule in rules if (refusal := rule(facts)) is not None)


def _as_waivable(refusals: tuple[Refusal, ...], policy: Policy) -> tuple[Refusal, ...]:
    """The same refusals; where the staff may set none aside, none is waivable."""
    if policy.staff_may_waive:
        return refusals
    return tuple(replace(refusal, waivable=False) for refusal in refusals)
