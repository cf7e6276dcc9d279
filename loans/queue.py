"""Who gets the next box of a game? Pure functions of plain values: no database, no clock.

`holds` reads the queue and the boxes inside its lock, asks `plan`, and writes the steps. The plan is the
same whatever has happened (a return, a new hold, a lapse, an undo), so no path can forget a part of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Place:
    """A hold in the queue: where it is to be fetched (None: anywhere), and which box is promised to it.

    `ready`: the box lies on the hold shelf; `expired`: for as long as it is kept.
    """

    hold: int
    branch: int | None = None
    copy: int | None = None
    ready: bool = False
    expired: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A copy that is in the house and may be lent, and the branch where it stands (None: not said).

    `travels`: it is on its way to that branch, and is only for whom it was sent. `in_hand`: the volunteer
    has it in the hand, so it need not be fetched.
    """

    copy: int
    branch: int | None = None
    travels: bool = False
    in_hand: bool = False


class Do(StrEnum):
    """What is to be done about a hold."""

    LAPSE = "lapse"
    BACK_IN_LINE = "back_in_line"
    PROMISE = "promise"
    SEND = "send"
    SHELVE = "shelve"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do; `copy` is the box that it is about."""

    do: Do
    hold: int
    copy: int


def plan(queue: Sequence[Place], boxes: Iterable[Box], *, booked: int = 0) -> tuple[Step, ...]:
    """What must be done so that every free box is promised to the first in line whom it suits.

    `queue` is in order. Holds that were not fetched lapse, holds whose box is gone wait again at their
    place. Then each who waits, in order, gets a box at his branch; a box that suits nobody where it
    stands is sent to the first who waits elsewhere. `booked` boxes are left for who has booked them.
    """
    free = {box.copy: box for box in boxes}
    steps, waiting = list[Step](), list[Place]()
    for place in queue:
        box = free.get(place.copy) if place.copy else None
        if place.copy is None or box is None:
            steps += [Step(Do.BACK_IN_LINE, place.hold, place.copy)] if place.copy else []
            waiting.append(place)
        elif place.expired:
            steps.append(Step(Do.LAPSE, place.hold, box.copy))
        else:
            steps += _now_on_the_shelf(place, free.pop(box.copy))
    here = [box for box in free.values() if not box.travels]
    return (*steps, *_promises(waiting, here[: max(len(here) - booked, 0)]))


def suits(place_branch: int | None, box_branch: int | None) -> bool:
    """Whether a box that stands there may be fetched there; what is not said stands in nobody's way."""
    return place_branch is None or box_branch is None or place_branch == box_branch


def _now_on_the_shelf(place: Place, box: Box) -> Iterator[Step]:
    """The promised box has come into the hand, where it is to be fetched."""
    if box.in_hand and not place.ready and not box.travels and suits(place.branch, box.branch):
        yield Step(Do.SHELVE, place.hold, box.copy)


def _promises(waiting: Sequence[Place], boxes: list[Box]) -> Iterator[Step]:
    elsewhere = []
    for place in waiting:
        box = next((box for box in boxes if suits(place.branch, box.branch)), None)
        if box is None:
            elsewhere.append(place)
            continue
        boxes.remove(box)
        yield Step(Do.SHELVE if box.in_hand else Do.PROMISE, place.hold, box.copy)
    for place, box in zip(elsewhere, boxes, strict=False):
        yield Step(Do.SEND, place.hold, box.copy)
