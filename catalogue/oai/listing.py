"""The items of the repository: the games that are here, and the signs of those that are gone.

Both are read in the order of their numbers, in a fixed number of queries a page.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db.models import Exists, Min, OuterRef, Q, QuerySet

from catalogue.exports.library import PARTS
from catalogue.models import Game, RemovedGame
from catalogue.oai import sets
from catalogue.oai.request import Request, Window, window
from catalogue.oai.tokens import Harvest

PAGE = 100


@dataclass(frozen=True, slots=True)
class Item:
    """A game as its header has it; one that is gone has no `game`."""

    number: int
    changed_at: datetime
    sets: tuple[str, ...]
    game: Game | None


@dataclass(frozen=True, slots=True)
class Page:
    """A part of a list, and whether more follow."""

    items: tuple[Item, ...]
    has_more: bool


def size(request: Request) -> int:
    """How many items a list request is about."""
    here, gone = _asked(request, None)
    return here.count() + gone.count()


def page(harvest: Harvest, *, is_whole: bool) -> Page:
    """The next items of a harvest; `is_whole` if more than the headers is wanted."""
    here, gone = _asked(harvest.request, harvest.began)
    games = here.filter(pk__gt=harvest.after).order_by("pk").prefetch_related(*_parts(is_whole))
    signs = gone.filter(pk__gt=harvest.after).order_by("pk")
    found = [*map(_of_game, games[: PAGE + 1]), *map(_of_sign, signs[: PAGE + 1])]
    found.sort(key=lambda item: item.number)
    return Page(tuple(islice(found, PAGE)), len(found) > PAGE)


def item(number: int) -> Item | None:
    """One item, whole."""
    for game in Game.objects.filter(pk=number).prefetch_related(*PARTS):
        return _of_game(game)
    return next(map(_of_sign, RemovedGame.objects.filter(pk=number)), None)


def earliest() -> datetime | None:
    """No item has changed before; None where there are none."""
    moments = (
        Game.objects.aggregate(at=Min("updated_at"))["at"],
        RemovedGame.objects.aggregate(at=Min("removed_at"))["at"],
    )
    return min((at for at in moments if at), default=None)


def _asked(request: Request, began: datetime | None) -> tuple[QuerySet[Game], QuerySet[RemovedGame]]:
    here = Game.objects.filter(_within("updated_at", window(request), began))
    gone = RemovedGame.objects.filter(_within("removed_at", window(request), began))
    # A game that was put back under its old number is not gone.
    gone = gone.exclude(Exists(Game.objects.filter(pk=OuterRef("pk"))))
    if spec := request.get("set"):
        return here.filter(sets.games_in(spec)), gone.filter(sets.removed_from(spec))
    return here, gone


def _within(column: str, asked: Window, began: datetime | None) -> Q:
    """The window, and what has changed since the harvest began: `until` must not lose it halfway."""
    found = Q()
    if asked.before:
        found = Q(**{f"{column}__lt": asked.before})
        if began:
            found |= Q(**{f"{column}__gte": began})
    return found & Q(**{f"{column}__gte": asked.since}) if asked.since else found


def _parts(is_whole: bool) -> Iterable[str]:  # noqa: FBT001 - private
    return PARTS if is_whole else ("copies",)


def _of_game(game: Game) -> Item:
    return Item(game.pk, game.updated_at, sets.specs_of(game), game)


def _of_sign(gone: RemovedGame) -> Item:
    return Item(gone.pk, gone.removed_at, sets.of_removed(gone), None)
