"""The first lock of everything that happens to a game: the game's own row; and whether its boxes are wanted.

Order of locks, on every path: game, copy, member. The desk, the queue, bookings and transfers begin here, so
whatever happens to the boxes of one game happens one after the other, and no box is promised twice.
"""

from django.db.models import Exists, OuterRef, QuerySet

from catalogue.models import Copy, Game
from catalogue.prepared import Prepared
from loans.models import ACTIVE, Booking, BookingState, Hold, Transfer

LONG = ("principle", "pedagogy", "contents", "note")
"""What records say at length, and no rule of lending asks for."""

LOCKED_GAMES = Prepared(
    lambda pk: Game.objects.select_for_update(no_key=True).defer(*LONG).filter(pk=pk), int
)


def lock_game(pk: int) -> Game:
    """The game's row until the transaction ends. Raises Game.DoesNotExist."""
    return LOCKED_GAMES.get(pk)


def with_wants(copies: "QuerySet[Copy]") -> "QuerySet[Copy]":
    """The same copies, each knowing `is_wanted`, in the same query. True only under the lock of the game."""
    held = Hold.objects.filter(game=OuterRef("game"), state__in=ACTIVE)
    booked = Booking.objects.filter(game=OuterRef("game"), state=BookingState.PLANNED)
    sent = Transfer.objects.filter(copy=OuterRef("pk"), received_at=None)
    return copies.annotate(is_wanted=Exists(held) | Exists(booked) | Exists(sent))


def is_wanted(copy: Copy) -> bool:
    """Whether anybody waits for the game, has booked it or has sent the box; if it was not asked, maybe.

    Most games are wanted by nobody: the desk then asks nothing more.
    """
    return bool(getattr(copy, "is_wanted", True))
