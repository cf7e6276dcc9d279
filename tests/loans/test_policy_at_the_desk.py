"""What policies and households mean for a loan: limits to the very game, ages, signatures, blocks."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied

from catalogue.models import Category, Copy
from loans import desk, members, messages, rules, situation
from loans.act import Waiver
from loans.models import Member
from loans.rules import RefusalCode
from tests.make import (
    NOON,
    make_act,
    make_block,
    make_category,
    make_copy,
    make_game,
    make_household,
    make_loan,
    make_member,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db
TODAY = date(2025, 3, 4)
POLICY = rules.Policy()
FREE = rules.Situation(
    today=TODAY,
    policy=POLICY,
    borrower=rules.Borrower(),
    condition="in_service",
    holding=None,
    due_on=TODAY + timedelta(days=21),
)
DOLLS = rules.GameKind(class_prefix="E", name="E")


def refused(*codes: RefusalCode):  # type: ignore[no-untyped-def]
    return pytest.raises(desk.Refused, match=r"^" + ", ".join(codes) + "$")


def decide(policy: dict[str, Any], borrower: dict[str, Any]) -> list[RefusalCode]:
    facts = rules.Situation(
        today=TODAY,
        policy=rules.Policy(**policy),
        borrower=rules.Borrower(**borrower),
        condition="in_service",
        holding=None,
        due_on=FREE.due_on,
    )
    return [refusal.code for refusal in rules.may_lend(facts)]


@pytest.mark.parametrize(
    ("policy", "borrower", "code"),
    [
        ({"max_loans": 3}, {"open_loans": 2}, None),
        ({"max_loans": 3}, {"open_loans": 3}, RefusalCode.LOAN_LIMIT_REACHED),
        ({"max_loans": 0}, {}, RefusalCode.LOAN_LIMIT_REACHED),
        ({"max_loans": None}, {"open_loans": 999}, None),
        ({"max_of_kind": 2, "kind": DOLLS}, {"open_of_kind": 1}, None),
        ({"max_of_kind": 2, "kind": DOLLS}, {"open_of_kind": 2}, RefusalCode.LIMIT_OF_KIND_REACHED),
        ({"max_of_kind": 0, "kind": DOLLS}, {}, RefusalCode.LIMIT_OF_KIND_REACHED),
        ({"max_of_kind": None, "kind": DOLLS}, {"open_of_kind": 9}, None),
        ({"min_age": 12}, {"birth_year": 2013}, None),
        ({"min_age": 12}, {"birth_year": 2014}, RefusalCode.TOO_YOUNG),
        ({"min_age": 12}, {"birth_year": None}, None),
        ({"min_age": None}, {"birth_year": 2025}, None),
        ({"conditions_required": True}, {"has_signed": False}, RefusalCode.CONDITIONS_NOT_SIGNED),
        ({"conditions_required": True}, {"has_signed": True}, None),
        ({"conditions_required": False}, {"has_signed": False}, None),
        ({"membership_required": True}, {}, RefusalCode.MEMBERSHIP_MISSING),
        ({"membership_required": True}, {"membership_ends_on": TODAY}, None),
        (
            {"membership_required": True},
            {"membership_ends_on": TODAY - timedelta(days=1)},
            RefusalCode.MEMBERSHIP_ENDED,
        ),
    ],
)
def test_each_limit_refuses_the_first_game_too_many_and_not_the_last_one_allowed(
    policy: dict[str, Any], borrower: dict[str, Any], code: RefusalCode | None
) -> None:
    assert decide(policy, borrower) == ([code] if code else [])


def test_where_the_staff_may_waive_nothing_no_refusal_can_be_set_aside() -> None:
    hard = {"staff_may_waive": False, "max_loans": 0, "conditions_required": True}
    standing = rules.Standing(today=TODAY, policy=rules.Policy(**hard), borrower=rules.Borrower())  # type: ignore[arg-type]
    assert [refusal.waivable for refusal in rules.may_borrow(standing)] == [False, False]
    soft = rules.Policy(max_loans=0, conditions_required=True)
    standing = rules.Standing(today=TODAY, policy=soft, borrower=rules.Borrower())
    assert [refusal.waivable for refusal in rules.may_borrow(standing)] == [True, True]


@pytest.fixture
def school() -> Member:
    return make_member("École Ferry", category=make_category("School"))


def doll(title: str) -> Copy:
    return make_copy(make_game(title, categories=("E 101 Poupée",)))


def test_a_waiver_that_the_policy_forbids_waives_nothing(school: Member) -> None:
    make_policy(member_category=school.category, max_loans=0, staff_may_waive=False)
    waiver = Waiver(frozenset({RefusalCode.LOAN_LIMIT_REACHED}), "They asked so nicely")
    manager = make_user("manager")
    with refused(RefusalCode.LOAN_LIMIT_REACHED):
        desk.lend(make_copy(), school, act=make_act(manager), waiver=waiver)
    make_policy(member_category=school.category, staff_may_waive=True)
    with pytest.raises(PermissionDenied):
        desk.lend(make_copy(), school, act=make_act(), waiver=waiver)
    assert desk.lend(make_copy(), school, act=make_act(manager), waiver=waiver).event.waive_reason


def test_a_loan_and_its_renewal_run_for_the_days_of_the_members_and_the_games_policy(school: Member) -> None:
    make_policy(loan_days=7)
    make_policy(member_category=school.category, loan_days=42)
    make_policy(member_category=school.category, class_prefix="E", loan_days=14, max_renewals=1)
    assert make_loan().due_on == date(2025, 3, 11)
    assert make_loan(member=school).due_on == date(2025, 4, 15)
    dolls = make_loan(doll("Doll"), school)
    assert dolls.due_on == date(2025, 3, 18)
    renewed = desk.renew(dolls, act=make_act(now=NOON + timedelta(days=7))).loan
    assert renewed.due_on == date(2025, 3, 25)
    with refused(RefusalCode.RENEWALS_USED_UP):
        desk.renew(dolls, act=make_act(now=NOON + timedelta(days=14)))


def test_a_limit_of_a_kind_counts_that_kind_alone(school: Member) -> None:
    make_policy(class_prefix="E", max_of_kind=2)
    make_loan(member=school)
    make_loan(doll("One"), school)
    make_loan(doll("Two"), school)
    with refused(RefusalCode.LIMIT_OF_KIND_REACHED) as caught:
        make_loan(doll("Three"), school)
    (told,) = messages.explain(caught.value.refusals, make_user("desk"))
    assert "2" in told.sentence
    make_loan(member=school)
    make_loan(doll("Four"))


def test_a_category_as_kind_counts_a_game_once_however_many_categories_it_has(school: Member) -> None:
    copy = make_copy(make_game("Doll house", categories=("E 101 Poupée", "E 202 Maison")))
    make_policy(class_prefix="E", max_of_kind=2)
    make_loan(copy, school)
    make_policy(game_category=Category.objects.get(code="E 101"), max_of_kind=5)
    make_loan(doll("Two"), school)
    with refused(RefusalCode.LIMIT_OF_KIND_REACHED):
        make_loan(make_copy(make_game("Three", categories=("E 303 Dînette",))), school)


def test_the_loans_of_the_household_count_where_the_policy_says_so() -> None:
    household = make_household()
    eva, tom = (make_member(name, household=household) for name in ("Eva M", "Tom M"))
    make_policy(max_loans=2)
    make_loan(member=eva)
    make_loan(member=eva)
    make_policy(counts_household=True)
    with refused(RefusalCode.LOAN_LIMIT_REACHED) as caught:
        make_loan(member=tom)
    assert caught.value.refusals[0].data == {"open": 2, "limit": 2, "household": 1}
    make_loan(member=make_member())
    make_policy(counts_household=False)
    make_loan(member=tom)


def test_a_block_holds_from_its_first_to_its_last_day_and_until_it_is_lifted() -> None:
    member = make_member()
    make_block(member, "Pawn lost", starts_on=TODAY, ends_on=TODAY + timedelta(days=2))
    held = [bool(situation.blocked(member, TODAY + timedelta(days=n))[0]) for n in range(-1, 4)]
    assert held == [False, True, True, True, False]
    with refused(RefusalCode.MEMBER_BLOCKED) as caught:
        make_loan(member=member)
    assert caught.value.refusals[0].data == {"reason": "Pawn lost", "until_on": "2025-03-06"}
    make_block(member, "Rude", starts_on=TODAY)
    assert set(situation.blocked(member, TODAY)[0].split(" · ")) == {"Rude", "Pawn lost"}
    assert situation.blocked(member, TODAY)[1] is None
    for each in member.blocks.all():
        members.lift(each, by=make_user("desk"), now=NOON)
    make_loan(member=member)
