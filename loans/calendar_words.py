"""Opening days and states of days in the reader's words."""

from collections.abc import Iterable

from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from loans import patterns
from loans.models import Opening
from loans.opening import DayState
from loans.patterns import Every, Pattern

EVERY = {
    Every.WEEK: _("every week"),
    Every.SECOND_WEEK: _("every second week"),
    Every.MONTH: _("once a month"),
    Every.ONCE: _("once only"),
}
NTH = {1: _("the first"), 2: _("the second"), 3: _("the third"), 4: _("the fourth"), -1: _("the last")}
STATES = {DayState.OPEN: _("open"), DayState.CLOSED: _("closed"), DayState.NOT_SAID: _("not said")}
SYMBOLS = {DayState.OPEN: "●", DayState.CLOSED: "✕", DayState.NOT_SAID: "?"}

_OF_MONTH = {
    1: _("Once a month, the first: %(days)s"),
    2: _("Once a month, the second: %(days)s"),
    3: _("Once a month, the third: %(days)s"),
    4: _("Once a month, the fourth: %(days)s"),
    -1: _("Once a month, the last: %(days)s"),
}


def how_often(opening: Opening) -> str:
    """On which days the rule opens: "Every week: Wednesday, Saturday"."""
    pattern = patterns.read(opening.rrule, opening.starts_on)
    if pattern is None:
        return str(_("By the rule %(rule)s") % {"rule": opening.rrule})
    if pattern.every == Every.ONCE:
        return str(_("Once only: %(day)s") % {"day": date_format(opening.starts_on, "l j F Y")})
    return str(_sentence(pattern)) % {"days": weekday_names(pattern.weekdays)}


def _sentence(pattern: Pattern) -> object:
    if pattern.every == Every.MONTH:
        return _OF_MONTH[pattern.nth]
    return _("Every week: %(days)s") if pattern.every == Every.WEEK else _("Every second week: %(days)s")


def weekday_names(weekdays: Iterable[int]) -> str:
    """The names of weekdays, in order."""
    return ", ".join(str(WEEKDAYS[day]) for day in weekdays)
