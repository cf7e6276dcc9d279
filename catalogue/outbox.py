"""The outbox: which games have changed, for whoever keeps a shadow of them (the search index).

A row is written in the transaction of the change itself, so it is there exactly if the change is. The
bell that rings after the commit only saves the follower from waiting. Called by `records`; an importer
puts its whole run into `one_ring`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import transaction
from django.db.models import F, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from catalogue.models import Change, Game, RemovedGame
from catalogue.oai import sets

records_changed = Signal()
"""Rung after a commit that changed records; a doorbell only: what changed stands in `Change`."""

_is_held: ContextVar[bool] = ContextVar("_is_held", default=False)
_gathered: ContextVar[set[int] | None] = ContextVar("_gathered", default=None)


def announce(game: Game) -> None:
    """Count the game's revision up, put it into the outbox, ring the bell after the commit."""
    gathered = _gathered.get()
    if gathered is not None:
        gathered.add(game.pk)
        return
    Game.objects.filter(pk=game.pk).update(revision=F("revision") + 1, updated_at=timezone.now())
    game.refresh_from_db(fields=["revision", "updated_at"])
    Change.objects.update_or_create(game_id=game.pk, defaults={"revision": game.revision})
    transaction.on_commit(_ring)


def announce_all(games: "QuerySet[Game]") -> None:
    """`announce` for many games, in a fixed number of queries."""
    keys = list(games.order_by("pk").values_list("pk", flat=True).distinct())
    touched = Game.objects.filter(pk__in=keys)
    touched.update(revision=F("revision") + 1, updated_at=timezone.now())
    changes = [
        Change(game_id=pk, revision=revision) for pk, revision in touched.values_list("pk", "revision")
    ]
    Change.objects.bulk_create(
        changes, update_conflicts=True, unique_fields=["game_id"], update_fields=["revision"]
    )
    transaction.on_commit(_ring)


def leave_signs(games: "QuerySet[Game]") -> None:
    """Before games vanish: a sign for each, by which harvesters learn of it."""
    now = timezone.now()
    signs = [
        RemovedGame(game_id=game.pk, removed_at=now, sets=sets.kept(sets.specs_of(game)))
        for game in games.order_by("pk").prefetch_related("copies")
    ]
    RemovedGame.objects.bulk_create(
        signs, update_conflicts=True, unique_fields=["game_id"], update_fields=["removed_at", "sets"]
    )


@contextmanager
def announced_once() -> Iterator[None]:
    """Announce each game once at the end, however often it was written; inside one transaction only."""
    games: set[int] = set()
    token = _gathered.set(games)
    try:
        yield
    finally:
        _gathered.reset(token)
    if games:
        announce_all(Game.objects.filter(pk__in=games))


@contextmanager
def one_ring() -> Iterator[None]:
    """Ring once at the end instead of after each commit: a thousand records are followed in batches."""
    held = _is_held.set(True)
    try:
        yield
    finally:
        _is_held.reset(held)
        transaction.on_commit(_ring)


def _ring() -> None:
    if not _is_held.get():
        records_changed.send_robust(sender=Game)
