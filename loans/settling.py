"""Which payment settled which charge: the oldest charge first. Pure; derived anew each time, never stored.

What was reversed settles nothing and is owed by nobody, in whatever order it all came.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Movement:
    """What one entry does to an account. `cents` is positive where more is owed then."""

    entry: int
    cents: int
    reverses: int | None = None


@dataclass(slots=True)
class Charge:
    """A charge and the payments that settled it, as pairs of entry and cents."""

    entry: int
    cents: int
    settled_by: list[tuple[int, int]] = field(default_factory=list)

    @property
    def open_cents(self) -> int:
        """What is still to be paid of it."""
        return self.cents - sum(cents for _entry, cents in self.settled_by)


@dataclass(frozen=True, slots=True)
class Settlement:
    """All charges in their order, and the credit that no charge has used."""

    charges: tuple[Charge, ...]
    credit_cents: int

    @property
    def open_charges(self) -> tuple[Charge, ...]:
        """The charges of which something is still to be paid."""
        return tuple(charge for charge in self.charges if charge.open_cents)


def settle(movements: Iterable[Movement]) -> Settlement:
    """Put every credit against the oldest charges that are still open."""
    standing = _standing(tuple(movements))
    charges = tuple(Charge(m.entry, m.cents) for m in standing if m.cents > 0)
    still_open = deque(charges)
    spare = 0
    for credit in standing:
        left = max(-credit.cents, 0)
        while left and still_open:
            charge = still_open[0]
            part = min(left, charge.open_cents)
            charge.settled_by.append((credit.entry, part))
            left -= part
            if not charge.open_cents:
                still_open.popleft()
        spare += left
    return Settlement(charges, spare)


def _standing(movements: tuple[Movement, ...]) -> tuple[Movement, ...]:
    reversed_ = {m.reverses for m in movements if m.reverses is not None}
    return tuple(m for m in movements if m.reverses is None and m.entry not in reversed_)
