"""Values of the catalogue in the reader's words: what templates may ask for beyond Django's own filters.

Every filter is a pure function of its value and the active language; none asks the database.
"""

from dataclasses import dataclass

from django import template
from django.utils.translation import gettext, ngettext

from catalogue import languages
from catalogue.doubts import DoubtText, text_of
from catalogue.models import Category, Flag, Game
from catalogue.roles import LABELS

register = template.Library()
# Not `language_name`: Django's i18n library has a filter of that name, and the one loaded last wins.
register.filter("tongue", languages.name)

HUES = 6
YEAR = 12
TODDLER_MONTHS = 36

# ESAR codes of rule games, by their last two digits: the drawing on the box says what kind of game it is.
SHAPES_OF_RULE_GAMES = {
    "01": "pair",
    "02": "steps",
    "03": "path",
    "04": "target",
    "05": "ball",
    "06": "pawn",
    "07": "die",
    "08": "question",
    "09": "letter",
    "10": "number",
    "11": "mask",
}
# Otherwise by the first digit: exercise, symbolic play, assembly, simple rules, complex rules.
SHAPES_OF_PLAY = {"1": "ball", "2": "mask", "3": "blocks", "4": "pawn", "5": "path"}


@dataclass(frozen=True, slots=True)
class Look:
    """How a category is drawn: a hue from 1 to HUES, and a symbol of img/shapes.svg."""

    hue: int
    shape: str


@register.filter
def look(category: Category | str | None) -> Look:
    """The same category looks the same everywhere; none (None, or "" as `first` says it) is a plain box."""
    if not isinstance(category, Category):
        return Look(4, "box")
    digits = "".join(c for c in category.code if c.isdecimal())
    hue = int(digits or len(category.key)) % HUES + 1
    if len(digits) >= 3 and digits[0] in "45" and digits[1:3] in SHAPES_OF_RULE_GAMES:
        return Look(hue, SHAPES_OF_RULE_GAMES[digits[1:3]])
    return Look(hue, SHAPES_OF_PLAY.get(digits[:1], "box"))


@register.filter
def role_name(code: str) -> str:
    """A relator code in words; a code that has none stays as it is."""
    return str(LABELS.get(code, code))


@register.filter
def doubt(flag: Flag) -> DoubtText:
    """What a flag means, and what can be done about it."""
    return text_of(flag.code)


@register.filter
def players(game: Game) -> str:
    """Such as "2 to 4 players", "2 players", "2 players or more"; empty where the record does not say it."""
    low, high = game.players_min, game.players_max
    if low is None and high is None:
        return ""
    if low is None:
        return ngettext("up to %(most)d player", "up to %(most)d players", high or 0) % {"most": high}
    if high is None:
        return ngettext("%(least)d player or more", "%(least)d players or more", low) % {"least": low}
    if low == high:
        return ngettext("%(number)d player", "%(number)d players", low) % {"number": low}
    return gettext("%(least)d to %(most)d players") % {"least": low, "most": high}


@register.filter
def age(game: Game) -> str:
    """Such as "from 10 years", "from 18 months", "3 to 6 years"; empty where the record does not say it."""
    low, high = game.age_min_months, game.age_max_months
    if low is None and high is None:
        return ""
    if high is None:
        return _from_age(low or 0)
    if low is None:
        return ngettext("up to %(most)d year", "up to %(most)d years", high // YEAR) % {"most": high // YEAR}
    if low % YEAR and low < TODDLER_MONTHS:
        return gettext("%(least)d to %(most)d months") % {"least": low, "most": high}
    return gettext("%(least)d to %(most)d years") % {"least": low // YEAR, "most": high // YEAR}


def _from_age(months: int) -> str:
    if not months:
        return gettext("from birth")
    if months % YEAR and months < TODDLER_MONTHS:
        return ngettext("from %(months)d month", "from %(months)d months", months) % {"months": months}
    years = months // YEAR
    return ngettext("from %(years)d year", "from %(years)d years", years) % {"years": years}


@register.filter
def minutes(game: Game) -> str:
    """Such as "45 min", "30 to 60 min"; empty where the record does not say it."""
    low, high = game.minutes_min, game.minutes_max
    if low and high and low != high:
        return gettext("%(least)d to %(most)d min") % {"least": low, "most": high}
    if not low and not high:
        return ""
    return gettext("%(minutes)d min") % {"minutes": low or high}
