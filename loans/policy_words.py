"""The policy table in words: values, scopes, and why a row does not decide, in the reader's language."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from loans import amounts
from loans.models import PolicyRow, PolicyRule
from loans.policies import Why
from loans.policy_rules import RULES, Games, PolicyValue, ValueType
from loans.rules import DueMode, RenewalBase

CHOICES: dict[str, Any] = {
    DueMode.CALENDAR_DAYS: _("stays, open or not"),
    DueMode.NEXT_OPEN_DAY: _("moves to the next open day"),
    DueMode.SAME_WEEKDAY: _("moves to the next open day of the same weekday"),
    RenewalBase.TODAY: _("the day of renewal"),
    RenewalBase.DUE_DATE: _("the day it was due"),
}

NO_LIMIT: dict[PolicyRule, Any] = {
    PolicyRule.MIN_AGE: _("any age"),
    PolicyRule.MAX_OF_KIND: _("no limit"),
}

WHY: dict[Why, Any] = {
    Why.OTHER_BRANCH: _("it is for another branch"),
    Why.OTHER_MEMBERS: _("it is for other members"),
    Why.OTHER_GAMES: _("it is for other games"),
    Why.LESS_EXACT: _("a more exact row decides"),
}

SCOPE_REFUSED: dict[Games, Any] = {
    Games.NEVER: _("This rule is asked before any game is known: leave the games empty."),
    Games.MUST: _("Of which kind of games? Choose a category, or type how the codes of a class begin."),
}


def _count(value: int) -> str:
    return str(value)


def _days(value: int) -> str:
    return ngettext("%(days)s day", "%(days)s days", value) % {"days": value}


def _years(value: int) -> str:
    return ngettext("%(years)s year", "%(years)s years", value) % {"years": value}


def _yes_no(value: int) -> str:
    return str(_("yes") if value else _("no"))


SHOWN: dict[ValueType, Callable[[int], str]] = {
    ValueType.COUNT: _count,
    ValueType.DAYS: _days,
    ValueType.YEARS: _years,
    ValueType.CENTS: amounts.shown,
    ValueType.YES_NO: _yes_no,
}


def shown_value(rule: PolicyRule, value: PolicyValue) -> str:
    """A value of the rule, with its unit."""
    if value is None:
        return str(NO_LIMIT.get(rule, _("no limit")))
    if isinstance(value, str):
        return str(CHOICES[value])
    return SHOWN[RULES[rule].value](value)


def shown_games(row: PolicyRow) -> str:
    """For which games the row is; empty for all."""
    if row.game_category:
        return str(row.game_category)
    return str(_("class %(prefix)s") % {"prefix": row.class_prefix}) if row.class_prefix else ""
