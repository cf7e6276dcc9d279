"""What a contents label says: what should be in the box, and what this very box lacks. Only reads.

The page and the PDF are made from the same value, so both say the same.
"""

from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from catalogue import components
from catalogue.components import Expected
from catalogue.labels.choosing import title_on_label
from catalogue.labels.faces import ContentsFace
from catalogue.models import Copy
from loans.models import MissingPiece

NEEDED = "*"


@dataclass(frozen=True, slots=True)
class Contents:
    """The list of a box, and in words of the reader what it lacks."""

    copy: Copy
    expected: tuple[Expected, ...]
    lacks: tuple[str, ...]

    def face(self) -> ContentsFace:
        """The same for a printed label; a piece without which nobody can play is starred."""
        return ContentsFace(
            title=title_on_label(self.copy.game),
            code=self.copy.barcode,
            pieces=tuple(_piece(one) for one in self.expected),
            lacks=self.lacks,
            foot=settings.LIBRARY_NAME,
        )


def of(copy: Copy) -> Contents:
    """What the label of one box says now."""
    expected = tuple(components.expected_in(copy))
    missing = [row for row in copy.missing_pieces.filter(end="") if row.is_out_of_the_box]
    differing = (_differing(one) for one in expected if one.differs)
    return Contents(copy, expected, (*differing, *(_missing(row) for row in missing)))


def _piece(one: Expected) -> str:
    count = one.component.count
    words = one.component.name if count is None else f"{count} {one.component.name}"
    return f"{words} {NEEDED}" if one.component.is_key else words


def _differing(one: Expected) -> str:
    words = _("This box: %(number)s %(name)s") % {"number": one.count, "name": one.component.name}
    return f"{words} – {one.note}" if one.note else words


def _missing(row: MissingPiece) -> str:
    day = date_format(timezone.localtime(row.noticed_at), "SHORT_DATE_FORMAT")
    values = {"day": day, "number": row.quantity, "name": row.component.name}
    return _("Missing since %(day)s: %(number)s %(name)s") % values
