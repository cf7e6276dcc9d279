"""The policy table: which row wins and why, what a row may say, and what a change touches."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from catalogue.models import Branch, Category, Copy
from loans import holds, policies, rules
from loans.models import Member, PolicyRow, PolicyRule
from loans.policies import PolicyDraft, ScopeTaken, Why
from loans.policy_rules import RULES, WrongScope, WrongValue, columns_for, default_of, value_of
from tests.make import make_act, make_category, make_copy, make_game, make_loan, make_member, make_policy

pytestmark = pytest.mark.django_db
NOT_OF_THE_TABLE = {"kind"}
"""Fields of `rules.Policy` that follow from a row and are no rule."""


@pytest.fixture
def school() -> Member:
    return make_member("École Ferry", category=make_category("School"))


@pytest.fixture
def strategy() -> Copy:
    return make_copy(make_game("Finca", categories=("A 406 Jeu de stratégie",)), branch="Centre")


def category(code: str) -> Category:
    return Category.objects.get(code=code)


# --- which row wins ----------------------------------------------------------------------------


def test_every_rule_of_the_table_is_a_field_of_the_policy_and_has_a_type() -> None:
    fields = set(rules.Policy.__dataclass_fields__) - NOT_OF_THE_TABLE
    assert set(PolicyRule.values) == fields == set(map(str, RULES))


def test_an_empty_table_means_the_built_in_policy(school: Member, strategy: Copy) -> None:
    assert policies.policy_for(school, strategy) == rules.Policy()


# From the least to the most exact; each line beats all the lines above it.
LADDER: tuple[dict[str, bool | str], ...] = (
    {},
    {"class_prefix": "A"},
    {"class_prefix": "A 4"},
    {"game": True},
    {"members": True},
    {"members": True, "class_prefix": "A"},
    {"members": True, "game": True},
    {"branch": True},
    {"branch": True, "game": True},
    {"branch": True, "members": True},
    {"branch": True, "members": True, "class_prefix": "A 4"},
    {"branch": True, "members": True, "game": True},
)


@pytest.mark.parametrize("step", range(len(LADDER)))
def test_branch_counts_before_members_and_members_before_games(
    step: int, school: Member, strategy: Copy
) -> None:
    for days, scope in reversed(tuple(enumerate(LADDER[: step + 1], start=1))):
        make_policy(
            loan_days=days,
            branch=strategy.branch if scope.get("branch") else None,
            member_category=school.category if scope.get("members") else None,
            game_category=category("A 406") if scope.get("game") else None,
            class_prefix=str(scope.get("class_prefix", "")),
        )
    assert policies.policy_for(school, strategy).loan_days == step + 1


def test_each_rule_falls_back_for_itself(school: Member, strategy: Copy) -> None:
    make_policy(loan_days=28, max_renewals=0)
    make_policy(member_category=school.category, loan_days=42)
    policy = policies.policy_for(school, strategy)
    assert (policy.loan_days, policy.max_renewals, policy.grace_days) == (42, 0, 0)


def test_rows_of_other_branches_members_and_games_say_nothing(school: Member, strategy: Copy) -> None:
    make_copy(make_game("Other", categories=("E 101 Poupée",)), branch="Elsewhere")
    make_policy(branch=Branch.objects.get(name="Elsewhere"), loan_days=1)
    make_policy(member_category=make_category("Nursery"), loan_days=2)
    make_policy(game_category=category("E 101"), loan_days=3)
    make_policy(class_prefix="E", loan_days=4)
    assert policies.policy_for(school, strategy).loan_days == 21


def test_of_two_categories_of_a_game_the_first_in_the_catalogue_decides(school: Member) -> None:
    copy = make_copy(make_game(categories=("B 201 Jeu symbolique", "A 406 Jeu de stratégie")))
    make_policy(game_category=category("B 201"), loan_days=2)
    make_policy(game_category=category("A 406"), loan_days=1)
    assert policies.policy_for(school, copy).loan_days == 1


@pytest.mark.parametrize(
    ("prefix", "code", "takes"),
    [
        ("A", "A 406", True),
        ("A", "AB 1", False),
        ("A 4", "A 406", True),
        ("A 4", "A 4", True),
        ("A 40", "A 4", False),
        ("A", "A", True),
        ("B", "A 406", False),
    ],
)
def test_a_class_takes_the_codes_that_begin_so(prefix: str, code: str, takes: bool) -> None:  # noqa: FBT001
    assert policies.is_of_class(code, prefix) is takes


@pytest.mark.parametrize(
    ("typed", "read"), [("a4", "A 4"), (" A  406 ", "A 406"), ("e", "E"), ("A 401B", "A 401b")]
)
def test_a_class_is_written_as_codes_are(typed: str, read: str) -> None:
    assert policies.read_class(typed) == read


@pytest.mark.parametrize("typed", ["406", "games", "A-4", "A 4%", "A 12345"])
def test_a_class_that_is_no_beginning_of_a_code_is_refused(typed: str) -> None:
    with pytest.raises(policies.NotAClass):
        policies.read_class(typed)


def test_who_is_asked_about_without_a_box_is_told_what_holds_everywhere(
    school: Member, strategy: Copy
) -> None:
    make_policy(member_category=school.category, max_loans=12)
    make_policy(branch=strategy.branch, max_loans=3)
    assert policies.policy_for(school, None).max_loans == 12
    assert policies.policy_for(school, strategy).max_loans == 3


def test_a_policy_costs_one_query_and_with_kinds_of_games_two(
    school: Member, strategy: Copy, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_policy(loan_days=28)
    with django_assert_num_queries(1):
        policies.policy_for(school, strategy)
    make_policy(class_prefix="A", max_of_kind=1)
    with django_assert_num_queries(2):
        policies.policy_for(school, strategy)


# --- why ---------------------------------------------------------------------------------------


def test_the_explanation_names_the_row_that_decides_and_why_the_others_do_not(
    school: Member, strategy: Copy
) -> None:
    make_copy(branch="Elsewhere")
    (everybody,) = make_policy(loan_days=28)
    (schools,) = make_policy(member_category=school.category, loan_days=42)
    (nurseries,) = make_policy(member_category=make_category("Nursery"), loan_days=60)
    (elsewhere,) = make_policy(branch=Branch.objects.get(name="Elsewhere"), loan_days=7)
    (dolls,) = make_policy(class_prefix="E", loan_days=10)
    decisions = {d.rule: d for d in policies.explain(school, strategy)}
    days = decisions[PolicyRule.LOAN_DAYS]
    assert (days.value, days.row) == (42, schools)
    assert {(lost.row, lost.why) for lost in days.lost} == {
        (everybody, Why.LESS_EXACT),
        (nurseries, Why.OTHER_MEMBERS),
        (elsewhere, Why.OTHER_BRANCH),
        (dolls, Why.OTHER_GAMES),
    }
    assert (decisions[PolicyRule.DEPOSIT].value, decisions[PolicyRule.DEPOSIT].row) == (0, None)
    assert set(decisions) == set(PolicyRule)


def test_the_explanation_never_says_other_than_the_policy_does(school: Member, strategy: Copy) -> None:
    make_policy(loan_days=28, deposit=500)
    make_policy(class_prefix="A", deposit=1000, max_of_kind=1)
    make_policy(member_category=school.category, class_prefix="A 4", deposit=0, staff_may_waive=False)
    policy = policies.policy_for(school, strategy)
    for decision in policies.explain(school, strategy):
        assert getattr(policy, decision.rule.value) == decision.value


# --- what a row may say ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        (PolicyRule.LOAN_DAYS, None),
        (PolicyRule.LOAN_DAYS, -1),
        (PolicyRule.LOAN_DAYS, 1001),
        (PolicyRule.LOAN_DAYS, True),
        (PolicyRule.LOAN_DAYS, "21"),
        (PolicyRule.LENDS_WHILE_LATE, 1),
        (PolicyRule.LENDS_WHILE_LATE, None),
        (PolicyRule.DUE_MODE, "next_open_day"),
        (PolicyRule.DUE_MODE, rules.RenewalBase.TODAY),
        (PolicyRule.DEPOSIT, 1_000_001),
    ],
)
def test_a_value_of_another_type_or_size_is_refused(rule: PolicyRule, value: Any) -> None:
    with pytest.raises(WrongValue):
        policies.save_policy(None, PolicyDraft(rule=rule, value=value))
    assert not PolicyRow.objects.exists()


@pytest.mark.parametrize("rule", PolicyRule)
def test_every_rule_keeps_its_built_in_value_and_reads_it_back(rule: PolicyRule) -> None:
    prefix = "A" if rule == PolicyRule.MAX_OF_KIND else ""
    row = policies.save_policy(None, PolicyDraft(rule=rule, value=default_of(rule), class_prefix=prefix))
    row.refresh_from_db()
    assert value_of(row) == default_of(rule)
    assert type(value_of(row)) is type(default_of(rule))


def test_no_limit_is_a_value_of_its_own(school: Member) -> None:
    make_policy(max_loans=2)
    make_policy(member_category=school.category, max_loans=None)
    assert policies.policy_for(school, None).max_loans is None


def test_a_limit_of_a_kind_must_name_the_kind_and_a_limit_of_all_must_not() -> None:
    with pytest.raises(WrongScope):
        make_policy(max_of_kind=1)
    with pytest.raises(WrongScope):
        make_policy(max_loans=1, class_prefix="A")


def test_a_row_names_a_category_or_a_class_and_never_both(strategy: Copy) -> None:
    with pytest.raises(policies.NotAClass):
        make_policy(loan_days=1, game_category=category("A 406"), class_prefix="A")


def test_a_scope_has_a_rule_once_and_any_is_a_scope_too() -> None:
    row = policies.save_policy(None, PolicyDraft(rule=PolicyRule.LOAN_DAYS, value=21))
    with pytest.raises(ScopeTaken) as caught:
        policies.save_policy(None, PolicyDraft(rule=PolicyRule.LOAN_DAYS, value=14))
    assert caught.value.row == row


@pytest.mark.parametrize(
    "columns",
    [
        {"rule": "loan_days", "number": 14},
        {"rule": "grace_days"},
        {"rule": "grace_days", "number": 1, "word": "today"},
        {"rule": "due_mode", "word": "sometimes"},
        {"rule": "renewal_base", "word": "next_open_day"},
        {"rule": "lends_while_late", "number": 2},
        {"rule": "lends_while_late"},
        {"rule": "max_loans", "word": "many"},
    ],
    ids=str,
)
def test_the_schema_itself_refuses_a_second_row_and_a_value_of_another_type(columns: dict[str, Any]) -> None:
    make_policy(loan_days=21)
    with pytest.raises(IntegrityError), transaction.atomic():
        PolicyRow.objects.create(**columns)


def test_the_schema_refuses_a_second_row_for_every_scope(school: Member, strategy: Copy) -> None:
    kept = columns_for(PolicyRule.LOAN_DAYS, 21)
    scopes: tuple[dict[str, Any], ...] = (
        {"branch": strategy.branch},
        {"member_category": school.category},
        {"game_category": category("A 406")},
        {"class_prefix": "A"},
        {"branch": strategy.branch, "member_category": school.category, "class_prefix": "A"},
    )
    for scope in scopes:
        PolicyRow.objects.create(rule="loan_days", **scope, **kept)
        with pytest.raises(IntegrityError), transaction.atomic():
            PolicyRow.objects.create(rule="loan_days", **scope, **kept)
    assert PolicyRow.objects.count() == len(scopes)


# --- what a change touches ---------------------------------------------------------------------


def test_a_change_touches_the_loans_for_which_it_would_decide_otherwise(
    school: Member, strategy: Copy
) -> None:
    make_loan(strategy, school)
    make_loan(make_copy(), school)
    make_loan()
    (everybody,) = make_policy(loan_days=28)
    (schools,) = make_policy(member_category=school.category, loan_days=42)

    def touched(row: PolicyRow | None, value: int | None = None, **scope: Any) -> int:
        draft = PolicyDraft(rule=PolicyRule.LOAN_DAYS, value=value, **scope) if value else None
        return policies.touched(row, draft)

    assert touched(everybody, 14) == 1
    assert touched(everybody, 28) == 0
    assert touched(schools, 14, member_category=school.category) == 2
    assert touched(schools) == 2
    assert touched(None, 14, class_prefix="A") == 0
    assert touched(None, 14, member_category=school.category, class_prefix="A") == 1
    assert touched(schools, 28, member_category=school.category) == 2


def test_a_rule_about_holds_touches_the_holds(school: Member, strategy: Copy) -> None:
    holds.place_hold(strategy.game, school, act=make_act())
    make_loan()
    (row,) = make_policy(hold_shelf_days=5)
    draft = PolicyDraft(rule=PolicyRule.HOLD_SHELF_DAYS, value=6, class_prefix="A")
    assert policies.touched(row, draft) == 1
    assert policies.touched(None, PolicyDraft(rule=PolicyRule.MAX_HOLDS, value=9)) == 1
    others = PolicyDraft(rule=PolicyRule.MAX_HOLDS, value=9, member_category=make_category("Nursery"))
    assert policies.touched(None, others) == 0


def test_a_change_leaves_open_loans_as_they_were_promised() -> None:
    make_policy(loan_days=21)
    loan = make_loan()
    due_on = loan.due_on
    make_policy(loan_days=3)
    loan.refresh_from_db()
    assert loan.due_on == due_on
