"""Which games and boxes belong together: expansions with their base games, boxes in kits.

The only writer of those rows. The desk reads them to warn and to propose; it decides nothing by them.
"""

from collections.abc import Iterable

from django.db import transaction

from catalogue.models import Copy, Game, GameLink, Kit, KitBox
from catalogue.text import one_line


class InAnotherKit(Exception):
    """A box is in another kit already; `box` says which."""

    def __init__(self, box: KitBox) -> None:
        super().__init__(f"{box.copy.barcode}: {box.kit}")
        self.box = box


def link_expansion(expansion: Game, base: Game) -> GameLink | None:
    """Say that `expansion` is played with `base`. Returns the row if it was news; ValueError for itself."""
    if expansion.pk == base.pk:
        raise ValueError("A game is not an expansion of itself.")
    row, made = GameLink.objects.get_or_create(expansion=expansion, base=base)
    return row if made else None


def unlink_expansion(expansion: Game, base: Game) -> None:
    """Say that `expansion` is not played with `base`."""
    GameLink.objects.filter(expansion=expansion, base=base).delete()


def remove(links: Iterable[int]) -> None:
    """Take rows out again that `link_expansion` has made."""
    GameLink.objects.filter(pk__in=links).delete()


def base_games(expansion: Game | int) -> tuple[Game, ...]:
    """The games that an expansion is played with: any one of them is enough."""
    return tuple(Game.objects.filter(expansion_links__expansion=expansion).order_by("title", "pk"))


@transaction.atomic
def save_kit(kit: Kit | None, name: str, copies: Iterable[Copy]) -> Kit:
    """A new kit of these boxes, or a changed one. Raises InAnotherKit, or ValueError without a name."""
    name = one_line(name)
    if not name:
        raise ValueError("A kit needs a name.")
    kit = kit or Kit()
    kit.name = name[:200]
    kit.save()
    wanted = {copy.pk for copy in copies}
    elsewhere = KitBox.objects.exclude(kit=kit).filter(copy__in=wanted).select_related("kit", "copy").first()
    if elsewhere:
        raise InAnotherKit(elsewhere)
    kit.boxes.exclude(copy__in=wanted).delete()
    have = set(kit.boxes.values_list("copy", flat=True))
    KitBox.objects.bulk_create(KitBox(kit=kit, copy_id=pk) for pk in sorted(wanted - have))
    return kit


def delete_kit(kit: Kit) -> None:
    """Take a kit apart; its boxes stay."""
    kit.delete()


def rest_of_kit(copy: Copy | int) -> tuple[Copy, ...]:
    """The other boxes of the kit that this box belongs to, by barcode."""
    others = Copy.objects.filter(kit_box__kit__boxes__copy=copy).select_related("game", "branch")
    return tuple(other for other in others if other.pk != (copy if isinstance(copy, int) else copy.pk))
