"""What each rule of the policy table takes: the type of its value, its bounds, and the scopes it may have.

`policies` asks here before it writes, the form of the table before it shows. To add a rule: a field of
`rules.Policy`, a name in `PolicyRule`, a line in RULES.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from loans import rules
from loans.models import PolicyRow, PolicyRule
from loans.models.policy import UNLIMITED

PolicyValue: TypeAlias = int | bool | StrEnum | None
"""A value of a rule as `rules.Policy` holds it; None: no limit."""


class ValueType(StrEnum):
    """How a value is written and read."""

    COUNT = "count"
    DAYS = "days"
    YEARS = "years"
    CENTS = "cents"
    YES_NO = "yes_no"
    CHOICE = "choice"


class Games(StrEnum):
    """Whether a rule may tell kinds of games apart."""

    NEVER = "never"
    MAY = "may"
    MUST = "must"


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """The type of a rule's value, the greatest one, and whether kinds of games may be told apart."""

    value: ValueType
    most: int = 1
    games: Games = Games.MAY
    words: type[StrEnum] | None = None


class WrongValue(ValueError):
    """The value does not fit the rule: it has another type, or lies outside of the bounds."""


class WrongScope(ValueError):
    """The rule does not take this scope."""

    def __init__(self, rule: PolicyRule, games: Games) -> None:
        super().__init__(f"{rule}: kinds of games {games}")
        self.rule = rule
        self.games = games


DAYS, COUNT, CENTS = 1000, 999, 10_000_00
YES_NO_OF_MEMBER = RuleSpec(ValueType.YES_NO, games=Games.NEVER)

# What is asked of the member before the first scan cannot depend on a game.
RULES: dict[PolicyRule, RuleSpec] = {
    PolicyRule.LOAN_DAYS: RuleSpec(ValueType.DAYS, DAYS),
    PolicyRule.DUE_MODE: RuleSpec(ValueType.CHOICE, words=rules.DueMode),
    PolicyRule.MAX_LOANS: RuleSpec(ValueType.COUNT, COUNT, Games.NEVER),
    PolicyRule.COUNTS_HOUSEHOLD: YES_NO_OF_MEMBER,
    PolicyRule.MAX_OF_KIND: RuleSpec(ValueType.COUNT, COUNT, Games.MUST),
    PolicyRule.MAX_RENEWALS: RuleSpec(ValueType.COUNT, COUNT),
    PolicyRule.RENEWAL_BASE: RuleSpec(ValueType.CHOICE, words=rules.RenewalBase),
    PolicyRule.GRACE_DAYS: RuleSpec(ValueType.DAYS, DAYS),
    PolicyRule.LENDS_WHILE_LATE: YES_NO_OF_MEMBER,
    PolicyRule.FEE_PER_LOAN: RuleSpec(ValueType.CENTS, CENTS),
    PolicyRule.FEE_PER_DAY: RuleSpec(ValueType.CENTS, CENTS),
    PolicyRule.LATE_FEE_PER_DAY: RuleSpec(ValueType.CENTS, CENTS),
    PolicyRule.LATE_FEE_CAP: RuleSpec(ValueType.CENTS, CENTS),
    PolicyRule.DEPOSIT: RuleSpec(ValueType.CENTS, CENTS),
    PolicyRule.MAX_HOLDS: RuleSpec(ValueType.COUNT, COUNT, Games.NEVER),
    PolicyRule.HOLD_SHELF_DAYS: RuleSpec(ValueType.DAYS, DAYS),
    PolicyRule.MIN_AGE: RuleSpec(ValueType.YEARS, 99),
    PolicyRule.MEMBERSHIP_REQUIRED: YES_NO_OF_MEMBER,
    PolicyRule.CONDITIONS_REQUIRED: YES_NO_OF_MEMBER,
    PolicyRule.MAX_DEBT: RuleSpec(ValueType.CENTS, CENTS, Games.NEVER),
    PolicyRule.STAFF_MAY_WAIVE: RuleSpec(ValueType.YES_NO),
}

BUILT_IN = rules.Policy()


def default_of(rule: PolicyRule) -> PolicyValue:
    """What holds where no row says anything."""
    value: PolicyValue = getattr(BUILT_IN, rule.value)
    return value


def value_of(row: PolicyRow) -> PolicyValue:
    """The row's value as `rules.Policy` holds it."""
    spec = RULES[PolicyRule(row.rule)]
    if spec.words is not None:
        return spec.words(row.word)
    return bool(row.number) if spec.value == ValueType.YES_NO else row.number


def value_from_json(rule: PolicyRule, given: object) -> PolicyValue:
    """The value as programs send it, in the type of the rule. Raises WrongValue."""
    words = RULES[rule].words
    if words is not None:
        if given not in tuple(words):
            raise WrongValue(f"{rule}: one of {', '.join(words)}")
        return words(str(given))
    if given is None or isinstance(given, int):
        return given
    raise WrongValue(f"{rule}: a number, true, false or null")


def columns_for(rule: PolicyRule, value: PolicyValue) -> dict[str, int | str | None]:
    """The columns that keep the value. Raises WrongValue."""
    spec = RULES[rule]
    if spec.words is not None:
        if not isinstance(value, spec.words):
            raise WrongValue(f"{rule}: one of {', '.join(spec.words)}")
        return {"number": None, "word": str(value)}
    if value is None and rule in UNLIMITED:
        return {"number": None, "word": ""}
    wanted = bool if spec.value == ValueType.YES_NO else int
    # A yes is a whole number to Python, and no number to us.
    if type(value) is not wanted or not 0 <= value <= spec.most:
        raise WrongValue(f"{rule}: from 0 to {spec.most}")
    return {"number": int(value), "word": ""}


def check_scope(rule: PolicyRule, *, names_games: bool) -> None:
    """Refuse a scope that the rule cannot have. Raises WrongScope."""
    games = RULES[rule].games
    if (games == Games.NEVER and names_games) or (games == Games.MUST and not names_games):
        raise WrongScope(rule, games)
