"""Commands as barcodes: what a volunteer with both hands full scans instead of pressing a button.

Pure. A command is `LDT-` and a word. The words use only letters that stand at the same place on English,
French and German keyboards (no A, M, Q, W, Y, Z), and the hyphen is not needed to know them: a scanner
set to another keyboard than the computer's types `LDT)UNDO` or `LDTßUNDO`, and is understood.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO

from barcode import Code128
from barcode.writer import SVGWriter
from django.utils.functional import Promise
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _

PREFIX = "LDT-"


class Command(StrEnum):
    """The word of each command; never changed, for it is printed and stuck to desks."""

    OK = "OK"
    UNDO = "UNDO"
    DONE = "DONE"
    EXTEND = "EXTEND"
    NEXT_OPENING = "NEXT"
    TODAY = "SHORT"
    HOUSE = "HOUSE"
    DROP = "DROP"
    EVENT = "EVENT"
    RECEIPT = "RECEIPT"
    COUNT = "COUNT"
    FULL = "FULL"

    @property
    def code(self) -> str:
        """What the barcode says."""
        return PREFIX + self.value


def read(scanned: str) -> Command | None:
    """The command that was scanned or typed, if it is one."""
    letters = re.sub(r"[^A-Za-z]", "", scanned).upper()
    word = letters.removeprefix("LDT")
    return Command(word) if letters != word and word in set(Command) and len(scanned) < 20 else None


@dataclass(frozen=True, slots=True)
class Words:
    """What a command is called, and when it is of use."""

    name: str | Promise
    use: str | Promise


WORDS = {
    Command.OK: Words(_("Yes"), _("Does what the first button of the answer would do.")),
    Command.UNDO: Words(_("Undo"), _("Takes back your last action.")),
    Command.DONE: Words(_("Done"), _("Puts the open card away.")),
    Command.EXTEND: Words(_("Renew all"), _("Renews every game of the open card.")),
    Command.NEXT_OPENING: Words(
        _("Until the next opening"), _("The next boxes of this card come back on the next open day.")
    ),
    Command.TODAY: Words(_("Until today"), _("The next boxes of this card come back today.")),
    Command.HOUSE: Words(_("Played here"), _("The next boxes of this card are played in the house.")),
    Command.DROP: Words(
        _("Book drop"), _("The next boxes came back on the last open day; the day can be changed.")
    ),
    Command.EVENT: Words(_("Games day"), _("Opens the page of the games day.")),
    Command.RECEIPT: Words(_("Receipt"), _("Opens the receipt of the open card.")),
    Command.FULL: Words(
        _("Box complete"), _("Says that the box which has just come back holds all its pieces.")
    ),
    Command.COUNT: Words(_("Count later"), _("Puts the box that has just come back into the queue.")),
}


def code128_svg(text: str) -> SafeString:
    """`text` as a Code 128 barcode (ISO/IEC 15417), black on white, which laser scanners read too.

    The quiet zones of ten modules belong to it; without its text, which the page prints beneath.
    """
    made = BytesIO()
    options = {"write_text": False, "quiet_zone": 4.0, "module_width": 0.35, "module_height": 14.0}
    Code128(text, writer=SVGWriter()).write(made, options)
    # Colours as attributes: a page whose policy forbids inline styles would show black on black.
    svg = re.sub(r'style="fill:(\w+);?"', r'fill="\1"', made.getvalue().decode())
    return mark_safe(svg[svg.index("<svg") :])  # noqa: S308 - bars made of numbers alone
