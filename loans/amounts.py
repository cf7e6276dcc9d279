"""Amounts of money as people write and read them; inside they are whole cents.

Reading takes what a hurried person types ("1 000,50", "12.5", "€ 3") and refuses what could mean two
things, with the place and the remedy. Writing is the business of the reader's language.
"""

import re
from decimal import Decimal

from babel.numbers import format_currency, format_decimal
from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

MOST_CENTS = 10_000_000
"""A hundred thousand: more is a barcode in the wrong field."""

BLANKS = re.compile(r"[\s\u00a0\u2009\u202f'’]+")
SHAPE = re.compile(r"(?P<whole>\d+(?:[.,]\d{3})*)(?:(?P<mark>[.,])(?P<part>\d{1,2}))?", re.ASCII)


class NotAnAmount(ValueError):
    """What was typed is no amount, or could mean two; the message says so to the person who typed it."""


def read_amount(text: str) -> int:
    """The cents that `text` says. Raises NotAnAmount."""
    bare = _bare(text)
    if not bare:
        raise NotAnAmount(_("Type an amount, such as %(example)s.") % {"example": shown_number(1250)})
    if bare.startswith(("-", "−")):
        raise NotAnAmount(_("An amount is not negative here: use the button for the other direction."))
    found = SHAPE.fullmatch(bare)
    if found is None or _two_meanings(found):
        words = _("“%(typed)s” cannot be read as an amount. Type it like %(example)s.")
        raise NotAnAmount(words % {"typed": text.strip()[:40], "example": shown_number(1250)})
    cents = int(re.sub("[.,]", "", found["whole"])) * 100 + int((found["part"] or "0").ljust(2, "0"))
    if cents > MOST_CENTS:
        words = _("%(amount)s is more than can be meant: was a barcode scanned into this field?")
        raise NotAnAmount(words % {"amount": text.strip()[:40]})
    return cents


def shown(cents: int) -> str:
    """The amount with its currency, as the active language writes it: 12,50 €, €12.50."""
    return format_currency(Decimal(cents) / 100, settings.CURRENCY, locale=_locale())


def shown_number(cents: int) -> str:
    """The amount without the currency, as it would be typed."""
    return format_decimal(Decimal(cents) / 100, format="0.00", locale=_locale())


def plain(cents: int) -> str:
    """The amount for programs: 12.50, whatever the language."""
    return f"{Decimal(cents) / 100:.2f}"


def _locale() -> str:
    return (get_language() or settings.LANGUAGE_CODE).replace("-", "_")


def _bare(text: str) -> str:
    """Without blanks and the name of the currency at either end."""
    bare = BLANKS.sub("", text.strip())
    names = "|".join(re.escape(name) for name in (settings.CURRENCY, "€", "Fr.", "£", "$"))
    return re.sub(rf"^(?:{names})|(?:{names})$", "", bare, flags=re.IGNORECASE)


def _two_meanings(found: re.Match[str]) -> bool:
    """Whether its marks do not say which is the decimal one: "1.000" alone, "1,000,50", "1.000.5"."""
    in_whole = set(re.findall("[.,]", found["whole"]))
    if not in_whole:
        return False
    grouping = "." if shown_number(0)[1] == "," else ","
    return in_whole != {grouping if found["mark"] is None else {".": ",", ",": "."}[found["mark"]]}
