"""The first lock of everything that happens to a game: the game's own row.

Order of locks, on every path: game, copy, member. The desk, the queue, bookings and transfers begin here, so
whatever happens to the boxes of one game happens one after the other, and no box is promised twice.
"""

from catalogue.models import Game


def lock_game(pk: int) -> Game:
    """The game's row until the transaction ends. Raises Game.DoesNotExist."""
    return Game.objects.select_for_update(no_key=True).get(pk=pk)
