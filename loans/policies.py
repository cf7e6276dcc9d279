"""The policy table: which row wins, why, and the only writer of its rows.

Every rule is decided for itself. Of the rows that fit, the one wins that names the branch; among those
equal in that, the one that names the category of members; then the one that names the games: by category,
else by class, the longer beginning of a code first. (This is Koha's order: branch, members, games.) Rows
that are still equal, because a game stands in several categories: the first in the catalogue's order. Where
no row fits, the built-in value of `rules.Policy` holds.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet

from catalogue.models import Branch, Category, Copy, Game
from catalogue.prepared import Prepared
from catalogue.text import one_line
from loans import rules
from loans.models import Hold, Loan, Member, MemberCategory, PolicyRow, PolicyRule
from loans.models.holds import ACTIVE
from loans.policy_rules import PolicyValue, check_scope, columns_for, default_of, value_of

OF_HOLDS = {PolicyRule.MAX_HOLDS.value, PolicyRule.HOLD_SHELF_DAYS.value}
CLASS = re.compile(r"([A-Z]{1,3}) ?([0-9]{0,4}[a-z]?)", re.IGNORECASE)


class ScopeTaken(Exception):
    """Another row gives this rule for the very same scope; `row` is that row."""

    def __init__(self, row: PolicyRow) -> None:
        super().__init__(str(row))
        self.row = row


class NotAClass(ValueError):
    """The beginning of a code cannot be read: letters, and perhaps digits behind them (`A`, `A 4`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDraft:
    """One value of one rule for one scope; what is not named counts as any."""

    rule: PolicyRule
    value: PolicyValue
    branch: Branch | None = None
    member_category: MemberCategory | None = None
    game_category: Category | None = None
    class_prefix: str = ""


# --- which row wins ----------------------------------------------------------------------------


class Why(StrEnum):
    """Why a row did not decide."""

    OTHER_BRANCH = "other_branch"
    OTHER_MEMBERS = "other_members"
    OTHER_GAMES = "other_games"
    LESS_EXACT = "less_exact"


@dataclass(frozen=True, slots=True)
class Case:
    """Whom and what is asked about: row ids, and the categories of the game (id and code)."""

    branch_id: int | None
    member_category_id: int | None
    categories: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Lost:
    """A row that did not decide."""

    row: PolicyRow
    why: Why


@dataclass(frozen=True, slots=True)
class Decision:
    """One rule: its value, the row that decided (None: the built-in value), and the rows that did not."""

    rule: PolicyRule
    value: PolicyValue
    row: PolicyRow | None
    lost: tuple[Lost, ...] = ()


def policy_for(member: Member, copy: Copy | None) -> rules.Policy:
    """What the library allows the member for this box, or whatever the box; one query, or two."""
    rows = tuple(_rows_about(member, copy))
    decided = [d for d in _decide(rows, _case(member, copy, rows)) if d.row]
    values = {decision.rule.value: decision.value for decision in decided}
    return rules.Policy(**values, kind=next(filter(None, map(_kind, decided)), None))  # type: ignore[arg-type]


def explain(member: Member, copy: Copy | None) -> tuple[Decision, ...]:
    """For every rule, which row decides and which rows lose, and why."""
    rows = tuple(all_rows())
    return tuple(_decide(rows, _case(member, copy, rows)))


def all_rows() -> QuerySet[PolicyRow]:
    """The table, with all that names a row's scope."""
    return PolicyRow.objects.select_related("branch", "member_category", "game_category")


def _rows_about(member: Member, copy: Copy | None) -> list[PolicyRow]:
    return ROWS_ABOUT(copy.branch_id if copy else None, member.category_id)


ROWS_ABOUT = Prepared(
    lambda branch, category: PolicyRow.objects.filter(
        Q(branch=None) | Q(branch=branch), Q(member_category=None) | Q(member_category=category)
    ).select_related("game_category"),
    int,
    int,
)
"""The rows about a branch and a category of members, and about any; None: only those about any."""


def _case(member: Member, copy: Copy | None, rows: tuple[PolicyRow, ...]) -> Case:
    if copy is None:
        return Case(None, member.category_id)
    asks = any(row.game_category_id or row.class_prefix for row in rows)
    categories = Category.objects.filter(games=copy.game_id).values_list("pk", "code") if asks else ()
    return Case(copy.branch_id, member.category_id, tuple(categories))


def _decide(rows: Iterable[PolicyRow], case: Case) -> Iterator[Decision]:
    by_rule: dict[str, list[PolicyRow]] = {}
    for row in rows:
        by_rule.setdefault(row.rule, []).append(row)
    for rule in PolicyRule:
        yield _decide_rule(rule, by_rule.get(rule, []), case)


def _decide_rule(rule: PolicyRule, rows: list[PolicyRow], case: Case) -> Decision:
    misfits = [Lost(row, why) for row in rows if (why := _why_not(row, case))]
    fitting = sorted((row for row in rows if not _why_not(row, case)), key=lambda row: _order(row, case))
    if not fitting:
        return Decision(rule, default_of(rule), None, tuple(misfits))
    beaten = [Lost(row, Why.LESS_EXACT) for row in fitting[1:]]
    return Decision(rule, value_of(fitting[0]), fitting[0], (*beaten, *misfits))


def _why_not(row: PolicyRow, case: Case) -> Why | None:
    if row.branch_id not in {None, case.branch_id}:
        return Why.OTHER_BRANCH
    if row.member_category_id not in {None, case.member_category_id}:
        return Why.OTHER_MEMBERS
    if row.game_category_id and row.game_category_id not in {pk for pk, _code in case.categories}:
        return Why.OTHER_GAMES
    if row.class_prefix and not any(is_of_class(code, row.class_prefix) for _pk, code in case.categories):
        return Why.OTHER_GAMES
    return None


def _order(row: PolicyRow, case: Case) -> tuple[bool, bool, bool, int, int, str]:
    """The winner sorts first; the last two only part rows that are equally exact."""
    places = [pk for pk, _code in case.categories]
    place = places.index(row.game_category_id) if row.game_category_id else 0
    return (
        row.branch_id is None,
        row.member_category_id is None,
        row.game_category_id is None,
        -len(row.class_prefix),
        place,
        row.class_prefix,
    )


def _kind(decision: Decision) -> rules.GameKind | None:
    if decision.rule != PolicyRule.MAX_OF_KIND or decision.row is None:
        return None
    row = decision.row
    return rules.GameKind(row.game_category_id, row.class_prefix, str(row.game_category or row.class_prefix))


# --- classes of games --------------------------------------------------------------------------


def read_class(typed: str) -> str:
    """The beginning of a code as codes are written: `a4` -> `A 4`. Raises NotAClass."""
    read = CLASS.fullmatch(one_line(typed))
    if read is None:
        raise NotAClass(typed)
    return f"{read[1].upper()} {read[2].lower()}".strip()


def is_of_class(code: str, prefix: str) -> bool:
    """Whether a category's code is of a class: `A` takes `A 406` and not `AB 1`; `A 4` takes it too."""
    return code == prefix or code.startswith(prefix if " " in prefix else prefix + " ")


def games_of(kind: rules.GameKind) -> QuerySet[Game]:
    """The games that a kind takes in."""
    if kind.category_id:
        return Game.objects.filter(categories=kind.category_id)
    prefix = kind.class_prefix
    start = prefix if " " in prefix else prefix + " "
    return Game.objects.filter(Q(categories__code__startswith=start) | Q(categories__code=prefix))


# --- what a change touches ---------------------------------------------------------------------


def touched(row: PolicyRow | None, draft: PolicyDraft | None) -> int:
    """For how many open loans (of a rule about holds: holds) another value would be decided, once `row` is
    what `draft` says.

    No row: a new one; no draft: the row is removed. They themselves stay as they were promised.
    """
    now = list(all_rows())
    then = [one for one in now if row is None or one.pk != row.pk]
    if draft is not None:
        then.append(PolicyRow(**_columns(draft)))
    about = {one.rule for one in (row, draft) if one}
    cases = _cases_of_holds() if about <= OF_HOLDS else _cases_of_loans()
    return sum(count for case, count in cases if _values(now, case, about) != _values(then, case, about))


def _values(rows: list[PolicyRow], case: Case, about: set[str]) -> list[PolicyValue]:
    return [
        _decide_rule(rule, [row for row in rows if row.rule == rule], case).value
        for rule in PolicyRule
        if rule in about
    ]


def _cases_of_loans() -> Iterator[tuple[Case, int]]:
    """Every case that has open loans, with how many."""
    loans = Loan.objects.filter(returned_at=None).order_by()
    kept = loans.values_list("copy__branch", "member__category", "copy__game").annotate(Count("pk"))
    return _cases(kept, Game.objects.filter(copies__loans__in=loans))


def _cases_of_holds() -> Iterator[tuple[Case, int]]:
    """Every case that has active holds, with how many."""
    holds = Hold.objects.filter(state__in=ACTIVE).order_by()
    kept = holds.values_list("branch", "member__category", "game").annotate(Count("pk"))
    return _cases(kept, Game.objects.filter(holds__in=holds))


def _cases(
    kept: Iterable[tuple[int | None, int | None, int, int]], games: QuerySet[Game]
) -> Iterator[tuple[Case, int]]:
    places = Game.categories.through.objects.filter(game__in=games).order_by("category__key")
    categories: dict[int, list[tuple[int, str]]] = {}
    for game, pk, code in places.values_list("game", "category", "category__code"):
        categories.setdefault(game, []).append((pk, code))
    for branch, member_category, game, count in kept:
        yield Case(branch, member_category, tuple(categories.get(game, ()))), count


# --- writing -----------------------------------------------------------------------------------


@transaction.atomic
def save_policy(row: PolicyRow | None, draft: PolicyDraft) -> PolicyRow:
    """A new row, or a changed one. Loans that are open keep the due date that was promised.

    Raises ScopeTaken, and WrongValue, WrongScope or NotAClass for what the rule does not take.
    """
    row = row or PolicyRow()
    columns = _columns(draft)
    for name, value in columns.items():
        setattr(row, name, value)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError as error:
        other = _find(draft).exclude(pk=row.pk).first()
        if other is None:
            raise
        raise ScopeTaken(other) from error
    return row


@transaction.atomic
def put_policy(draft: PolicyDraft) -> PolicyRow:
    """The row that says what `draft` says: the one that gives the rule for this scope, or a new one."""
    return save_policy(_find(draft).first(), draft)


@transaction.atomic
def delete_policy(row: PolicyRow) -> None:
    """Take a row out of the table: what is less exact holds again."""
    row.delete()


def _find(draft: PolicyDraft) -> QuerySet[PolicyRow]:
    scope = {name: value for name, value in _columns(draft).items() if name not in {"number", "word"}}
    return all_rows().filter(**scope)


def _columns(draft: PolicyDraft) -> dict[str, object]:
    prefix = read_class(draft.class_prefix) if draft.class_prefix else ""
    if prefix and draft.game_category:
        raise NotAClass("A category and a class at once.")
    check_scope(draft.rule, names_games=bool(prefix or draft.game_category))
    scope = {"branch": draft.branch, "member_category": draft.member_category}
    games = {"game_category": draft.game_category, "class_prefix": prefix}
    return {"rule": draft.rule, **scope, **games, **columns_for(draft.rule, draft.value)}
