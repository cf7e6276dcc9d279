"""Games as they stand on the shelf: cards for lists, what is new, which categories and languages there are.

Reads only; each function takes a fixed number of queries, however many games it shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, QuerySet

from catalogue.languages import name as language_name
from catalogue.models import Category, Copy, Game, GameLanguage, RulesText
from catalogue.text import fold
from loans import availability
from loans.availability import Availability

CARD_PARTS = ("categories", "contributors__person")


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game in a list. `back_on` is the first day on which a lent copy is due, if none is on the shelf."""

    game: Game
    copies: int
    on_shelf: int
    back_on: date | None


def cards(games: Sequence[Game]) -> list[GameCard]:
    """The cards of games whose CARD_PARTS are prefetched, in the same order."""
    places: dict[int, list[tuple[str, date | None]]] = {game.pk: [] for game in games}
    for copy in availability.annotate(Copy.objects.filter(game__in=games)):
        places[copy.game_id].append((copy.status, copy.due_back_on))
    return [_card(game, places[game.pk]) for game in games]


def _card(game: Game, places: Sequence[tuple[str, date | None]]) -> GameCard:
    on_shelf = sum(status == Availability.ON_SHELF for status, _ in places)
    due = [day for _, day in places if day]
    return GameCard(game, len(places), on_shelf, min(due) if due and not on_shelf else None)


def new_arrivals(limit: int) -> list[GameCard]:
    """The games catalogued last."""
    games = Game.objects.prefetch_related(*CARD_PARTS).order_by("-created_at", "-pk")[:limit]
    return cards(list(games))


def categories() -> QuerySet[Category]:
    """The categories that have games, each with `size`."""
    return Category.objects.annotate(size=Count("games")).filter(size__gt=0)


def languages() -> list[tuple[str, str]]:
    """Languages of rules and games as (tag, name in the reader's language), by name."""
    tags = {*RulesText.objects.values_list("language", flat=True).distinct()}
    tags |= {*GameLanguage.objects.values_list("tag", flat=True).distinct()}
    return sorted(((tag, language_name(tag)) for tag in tags if tag), key=lambda pair: fold(pair[1]))
