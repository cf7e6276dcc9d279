"""The catalogue's records on their way out, as plain values, in flat memory and a fixed number of queries a
piece. Rules texts stay at home: records of libraries have no place for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft
from catalogue.models import Game

PIECE = 200
PARTS = (*records.GAME_PARTS, "copies__section", "copies__branch", "documents")


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One game with its boxes, as it leaves."""

    number: int
    game: GameDraft
    copies: tuple[CopyDraft, ...]
    documents: tuple[str, ...]
    made_at: datetime
    changed_at: datetime


def outgoing(games: QuerySet[Game]) -> Iterator[Outgoing]:
    """The games of a query, in the order of their numbers."""
    for game in games.order_by("pk").prefetch_related(*PARTS).iterator(PIECE):
        yield of_game(game)


def of_game(game: Game) -> Outgoing:
    """One game; quick where `PARTS` are prefetched."""
    draft = records.describe(game)
    categories = tuple(records.printed_name(category) for category in game.categories.all())
    return Outgoing(
        number=game.pk,
        game=replace(draft, categories=categories),
        copies=tuple(records.describe_copy(copy) for copy in game.copies.all()),
        documents=tuple(document.name for document in game.documents.all()),
        made_at=game.created_at,
        changed_at=game.updated_at,
    )
