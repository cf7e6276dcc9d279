"""The only writer of component lists: what should be in the box of a game, and how one box differs.

The list is made from the record's printed contents when it is first needed, and made anew when those
words have changed; what a librarian corrected, priced or struck out outlives that. The contents stay as
they are. Nothing of this is searched, so nothing is announced to the index.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from django.db import transaction
from django.db.models import F, FilteredRelation, Q, QuerySet

from catalogue import pieces
from catalogue.models import Component, ComponentList, Copy, CopyDifference, Game, Importance
from catalogue.prepared import Prepared
from catalogue.records import lock_game
from catalogue.text import name_key, one_line

LONGEST_NAME = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentDraft:
    """What is said of one kind of piece; money in whole cents."""

    name: str
    count: int | None = None
    importance: str = Importance.ORDINARY
    price_cents: int = 0
    spares: int = 0


@dataclass(frozen=True, slots=True)
class Expected:
    """A kind of piece that one box should hold. `count` is the box's own; None: the list does not say."""

    component: Component
    count: int | None
    differs: bool = False
    playable: bool = True
    note: str = ""


def of(game: Game) -> list[Component]:
    """The components of `game` in printed order; made, or made anew, where its contents ask for it."""
    return _read(game, lambda: list(_listed().filter(game=game)))


def expected_in(copy: Copy) -> list[Expected]:
    """What this very box should hold: the edition's list with the box's differences; one query."""
    return [_expected(row) for row in _read(copy.game, lambda: EXPECTED(copy.pk, copy.game_id))]


def _listed() -> QuerySet[Component]:
    """What stands in lists, each row with the contents from which its list was made."""
    made_from = F("game__component_list__contents")
    return Component.objects.filter(listed=True).annotate(made_from=made_from)


def _expected_rows(copy: int, game: int) -> QuerySet[Component]:
    own = FilteredRelation("differences", condition=Q(differences__copy=copy))
    said = {f"own_{name}": F(f"own__{name}") for name in ("count", "playable", "note")}
    return _listed().filter(game=game).annotate(own=own).annotate(**said)


EXPECTED = Prepared(_expected_rows, int, int)
"""Asked for at every return."""


def _expected(row: Any) -> Expected:
    if row.own_count is None:
        return Expected(row, row.count)
    return Expected(row, row.own_count, differs=True, playable=row.own_playable, note=row.own_note)


def _read(game: Game, ask: Callable[[], list[Any]]) -> list[Any]:
    """The rows of the list, which is made first where it does not say what the contents say."""
    found = ask()
    is_made = found[0].made_from == game.contents if found else _is_made(game)
    if is_made:
        return found
    make(game)
    return ask()


def _is_made(game: Game) -> bool:
    return not game.contents or ComponentList.objects.filter(game=game, contents=game.contents).exists()


@transaction.atomic
def make(game: Game) -> None:
    """Make the list from the contents as they are now; rows for the same words stay the same rows."""
    game = lock_game(game.pk)
    known: dict[str, list[Component]] = {}
    for row in game.components.order_by("position", "pk"):
        known.setdefault(row.printed_key, []).append(row)
    by_hand = known.pop("", [])
    for position, piece in enumerate(pieces.split(game.contents)):
        key = name_key(piece.name)[:LONGEST_NAME]
        row = known[key].pop(0) if known.get(key) else Component(game=game, printed_key=key)
        _print(row, piece, position)
    _put_away([row for rows in known.values() for row in rows])
    last = game.components.count()
    for position, row in enumerate(by_hand, start=last):
        Component.objects.filter(pk=row.pk).update(position=position)
    ComponentList.objects.update_or_create(game=game, defaults={"contents": game.contents})


def _print(row: Component, piece: pieces.Component, position: int) -> None:
    """Let a row say what is printed, unless a person has said otherwise."""
    row.position = position
    if not row.corrected:
        row.name, row.count, row.listed = one_line(piece.name)[:LONGEST_NAME], piece.count, True
    row.save()


def _put_away(rows: Sequence[Component]) -> None:
    """Rows whose words are printed no longer: out of the list, but kept where somebody has worked on them."""
    for row in rows:
        if not row.corrected:
            Component.objects.filter(pk=row.pk).update(listed=False)


@transaction.atomic
def add(game: Game, draft: ComponentDraft) -> Component:
    """A kind of piece that the printed contents do not name."""
    of(game)
    row = Component(game=game, position=game.components.count(), corrected=True)
    _write(row, draft)
    return row


@transaction.atomic
def correct(component: Component, draft: ComponentDraft) -> bool:
    """Make a row say what `draft` says. Returns whether anything changed; ValueError without a name."""
    component = Component.objects.select_for_update().get(pk=component.pk)
    if describe(component) == draft:
        return False
    component.corrected = True
    _write(component, draft)
    return True


def strike(component: Component) -> None:
    """Take a row out of the list for good: what was printed is no piece."""
    Component.objects.filter(pk=component.pk).update(listed=False, corrected=True)


def describe(component: Component) -> ComponentDraft:
    """What is said of a kind of piece; the inverse of `add`."""
    return ComponentDraft(**{f.name: getattr(component, f.name) for f in fields(ComponentDraft)})


def change_spares(component: Component, by: int) -> bool:
    """Put spare pieces into the drawer or take them out; False if there are not as many."""
    rows = Component.objects.filter(pk=component.pk, spares__gte=-by)
    return bool(rows.update(spares=F("spares") + by))


@transaction.atomic
def set_difference(
    copy: Copy, component: Component, count: int | None, *, note: str = "", playable: bool = True
) -> None:
    """Say how many of a piece this box holds for good; None or the edition's own count: no difference."""
    rows = CopyDifference.objects.filter(copy=copy, component=component)
    if count is None or (count == component.count and not note):
        rows.delete()
    else:
        rows.update_or_create(
            copy=copy,
            component=component,
            defaults={"count": count, "note": one_line(note)[:300], "playable": playable},
        )


def _write(row: Component, draft: ComponentDraft) -> None:
    name = one_line(draft.name)[:LONGEST_NAME]
    if not name:
        raise ValueError("A piece needs a name.")
    for field in fields(ComponentDraft):
        setattr(row, field.name, getattr(draft, field.name))
    row.name = name
    row.listed = True
    row.save()
