"""A box that nobody has catalogued yet is at the desk: a record by its title alone, completed later."""

from catalogue import barcodes, records
from catalogue.draft import CopyDraft, Doubt, GameDraft
from catalogue.models import Copy, Game
from catalogue.text import one_line
from loans import scan
from loans.act import Act
from loans.transaction import in_one_transaction

SHORTEST_PRODUCT_CODE = 12
"""Shorter codes with a right check digit are labels by chance more often than they are product codes."""


@in_one_transaction
def add_box(barcode: str, title: str, *, act: Act) -> Copy:
    """A game of this title with one box of this label, flagged for the cataloguer.

    A label that is there by now is that box: the second press of a button adds nothing. Raises ValueError
    without a title or a label.
    """
    barcode, title = scan.clean(barcode)[:64], one_line(title)[:300]
    if not barcode or not title:
        raise ValueError("A box needs a label and a title.")
    found = scan.read_copy(barcode)
    if found.copies:
        return found.copies[0]
    game = _game(barcode, title)
    records.raise_flag(game, Doubt.QUICKLY_ADDED, f"{barcode}, {act.by.get_username()}")
    return records.add_copy(game, CopyDraft(barcode=barcode))


def _game(barcode: str, title: str) -> Game:
    """The game that has this product code, if it is one and on record, else a new one."""
    code = barcodes.read_product_code(barcode)
    if not code.check_holds or len(code.printed) < SHORTEST_PRODUCT_CODE:
        return records.create_game(GameDraft(title=title))
    known = Game.objects.filter(identifiers__gtin=code.gtin).first()
    return known or records.create_game(GameDraft(title=title, identifiers=(barcode,)))
