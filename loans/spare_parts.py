"""The bank of spare pieces: what lies in the drawer, and what boxes off the shelf still hold. Only reads."""

from dataclasses import dataclass

from catalogue.models import Component, Condition, Copy
from catalogue.text import typed_words
from loans import counting

SHOWN = 100
DONORS = (Condition.WITHDRAWN, Condition.UNPLAYABLE)


@dataclass(frozen=True, slots=True)
class Spare:
    """A kind of piece that could replace a missing one. `donors`: boxes off the shelf, with how many."""

    component: Component
    donors: tuple[tuple[Copy, int], ...]
    wanted: int


def find(key: str) -> list[Spare]:
    """The spare pieces of the games whose title, or of the pieces whose name, has all words of `key`.

    Without words: all that lies in the drawer, and all pieces of games with a box to take from.
    """
    rows = Component.objects.filter(listed=True).select_related("game")
    for word in typed_words(key):
        rows = rows.filter(game__title_key__contains=word) | rows.filter(printed_key__contains=word)
    in_drawer = rows.filter(spares__gt=0)
    to_take = rows.filter(game__copies__condition__in=DONORS)
    wanted = rows.filter(missing__end="") if key else rows.none()
    listed = (in_drawer | to_take | wanted).distinct().order_by("game__sort_title", "position", "pk")
    return [spare for spare in map(_spare, listed[:SHOWN]) if spare.component.spares or spare.donors or key]


def _spare(component: Component) -> Spare:
    missing = component.missing.filter(end="").select_related("copy")
    lacking = sum(piece.quantity for piece in missing if piece.is_out_of_the_box)
    return Spare(component, tuple(counting.donors(component)), lacking)
