"""The states of a box and the moves between them, in one table; and what care it is due. Pure.

    move          from                                        to
    set_right     incomplete, unplayable                      in_service
    incomplete    in_service, unplayable                      incomplete
    unplayable    in_service, incomplete                      unplayable
    repair        in_service, incomplete, unplayable, ...     in_repair
    ...

`MOVES` below is the table itself. `care` asks here and writes; what the catalogue's edit page says of a box
is a correction and not bound by it. States are values of the catalogue's `Condition`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum


class Move(StrEnum):
    """What happens to a box."""

    SET_RIGHT = "set_right"
    INCOMPLETE = "incomplete"
    UNPLAYABLE = "unplayable"
    REPAIR = "repair"
    CLEAN = "clean"
    QUARANTINE = "quarantine"
    BACK_IN_SERVICE = "back_in_service"
    HOUSE_ONLY = "house_only"
    LOSE = "lose"
    FIND_AGAIN = "find_again"
    WITHDRAW = "withdraw"
    TAKE_BACK = "take_back"
    DONATE = "donate"


PLAYABLE = frozenset({"in_service", "incomplete"})
IN_HAND = PLAYABLE | {"unplayable", "in_repair", "cleaning", "quarantine", "not_for_loan"}

MOVES: dict[Move, tuple[frozenset[str], str]] = {
    Move.SET_RIGHT: (frozenset({"incomplete", "unplayable"}), "in_service"),
    Move.INCOMPLETE: (frozenset({"in_service", "unplayable"}), "incomplete"),
    Move.UNPLAYABLE: (PLAYABLE, "unplayable"),
    Move.REPAIR: (IN_HAND - {"in_repair"}, "in_repair"),
    Move.CLEAN: (IN_HAND - {"cleaning"}, "cleaning"),
    Move.QUARANTINE: (IN_HAND - {"in_repair"}, "quarantine"),
    Move.BACK_IN_SERVICE: (frozenset({"in_repair", "cleaning", "quarantine", "not_for_loan"}), "in_service"),
    Move.HOUSE_ONLY: (IN_HAND - {"not_for_loan"}, "not_for_loan"),
    Move.LOSE: (IN_HAND, "lost"),
    Move.FIND_AGAIN: (frozenset({"lost"}), "in_service"),
    Move.WITHDRAW: (IN_HAND | {"lost"}, "withdrawn"),
    Move.TAKE_BACK: (frozenset({"withdrawn"}), "in_service"),
    Move.DONATE: (IN_HAND | {"withdrawn"}, "donated"),
}
"""Each move: the states it may start from, and the one it leads to. Given away is for good."""

FOR_LIBRARIANS = frozenset({Move.WITHDRAW, Move.TAKE_BACK, Move.DONATE})
"""The moves that change what the library owns."""

COUNTED = {"in_service", "incomplete", "unplayable"}
"""The states that follow from what the box holds; see `state_by_pieces`."""


def moves_from(state: str) -> tuple[Move, ...]:
    """The moves that a box in this state may make."""
    return tuple(move for move, (sources, _) in MOVES.items() if state in sources)


def after(move: Move, state: str) -> str | None:
    """The state that a move leads to, or None where the table does not allow it."""
    sources, target = MOVES[move]
    return target if state in sources else None


@dataclass(frozen=True, slots=True)
class Lack:
    """A piece that is not in the box. `playable`: somebody said so; None: not decided yet."""

    is_key: bool
    playable: bool | None = None

    @property
    def stops_play(self) -> bool:
        """What is not decided follows the piece: without a pawn nobody plays, without one fruit they do."""
        return self.is_key if self.playable is None else not self.playable


def state_by_pieces(lacks: Iterable[Lack]) -> str:
    """The state of a box that is otherwise in order, by what it lacks."""
    lacks = tuple(lacks)
    if any(lack.stops_play for lack in lacks):
        return "unplayable"
    return "incomplete" if lacks else "in_service"


# --- plans -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFacts:
    """What decides whether a box is due for one kind of care. None: the plan does not go by that.

    `loans_since`: returns since it was last done (or ever). `last_on`: when it was last done, or since
    when the plan holds for this box.
    """

    every_loans: int | None
    every_days: int | None
    loans_since: int
    last_on: date


def is_due(plan: PlanFacts, today: date) -> bool:
    """Whether the care is due: after so many loans or so many days, whichever comes first."""
    by_loans = plan.every_loans is not None and plan.loans_since >= plan.every_loans
    by_days = plan.every_days is not None and today >= plan.last_on + timedelta(days=plan.every_days)
    return by_loans or by_days


def quarantine_until(returned_on: date, days: int) -> date:
    """The last day of a quarantine of so many days, the day of return not counted."""
    return returned_on + timedelta(days=days)
