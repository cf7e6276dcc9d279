"""Households: who belongs where, what moves along, and who sees whose games."""

from datetime import date, timedelta

import pytest

from loans import households, members
from loans.households import HouseholdDraft
from loans.models import HouseholdMove, Member
from tests.make import NOON, make_act, make_household, make_loan, make_member

pytestmark = pytest.mark.django_db
TODAY = date(2025, 3, 4)


def names(found: object) -> set[str]:
    return {str(loan.member) for loan in found}  # type: ignore[attr-defined]


def test_a_household_needs_a_name_and_is_found_by_a_folded_one() -> None:
    with pytest.raises(ValueError, match="needs a name"):
        households.add_household(HouseholdDraft(name="  "))
    assert make_household("Famille  Núñez").name_key == "famille nunez"


def test_who_comes_and_goes_leaves_a_record() -> None:
    martin, roth = make_household("Martin", "Eva Martin"), make_household("Roth")
    eva = Member.objects.get()
    households.join([eva], roth, act=make_act())
    households.join([eva], roth, act=make_act())
    eva.refresh_from_db()
    households.leave([eva], roth, act=make_act())
    eva.refresh_from_db()
    assert eva.household is None
    moves = HouseholdMove.objects.order_by("pk").values_list("left", "joined", "at")
    assert list(moves) == [(martin.pk, roth.pk, NOON), (roth.pk, None, NOON)]


def test_those_who_leave_together_share_a_new_household() -> None:
    martin = make_household("Martin", "Eva Martin", "Tom Martin", "Paul Martin")
    eva, tom = Member.objects.filter(first_name__in=("Eva", "Tom"))
    new = households.leave([eva, tom], martin, act=make_act(), into=HouseholdDraft(name="Roth", city="Bern"))
    assert new is not None
    assert set(new.members.all()) == {eva, tom}
    assert [member.first_name for member in martin.members.all()] == ["Paul"]


def test_nobody_leaves_a_household_that_one_of_them_is_not_of() -> None:
    martin = make_household("Martin", "Eva Martin")
    stranger = make_member("Liam Roth")
    with pytest.raises(households.NotThere):
        households.leave([stranger, *martin.members.all()], martin, act=make_act())
    assert martin.members.count() == 1


def test_a_household_with_members_is_not_removed() -> None:
    martin = make_household("Martin", "Eva Martin")
    with pytest.raises(members.InUse):
        households.delete_household(martin)
    households.delete_household(make_household("Nobody"))


def test_the_household_sees_each_others_games_but_not_those_of_who_keeps_them() -> None:
    martin = make_household("Martin")
    eva = make_member("Eva Martin", household=martin)
    paul = make_member("Paul Martin", household=martin, hides_loans=True, birth_year=1980)
    tom = make_member("Tom Martin", household=martin, hides_loans=True, birth_year=2016)
    for member in (eva, paul, tom, make_member("Liam Roth")):
        make_loan(member=member)
    assert names(households.loans_seen_by(eva, TODAY)) == {"Eva Martin", "Tom Martin"}
    assert names(households.loans_seen_by(paul, TODAY)) == {"Eva Martin", "Paul Martin", "Tom Martin"}


@pytest.mark.parametrize(("birth_year", "is_child"), [(None, False), (2007, False), (2008, True)])
def test_a_child_is_who_cannot_be_of_age_this_year(birth_year: int | None, is_child: bool) -> None:  # noqa: FBT001
    assert make_member(birth_year=birth_year).is_child(TODAY) is is_child


def test_who_has_no_household_sees_the_own_games_alone() -> None:
    mine, other = make_loan(), make_loan(now=NOON + timedelta(minutes=5))
    assert list(households.loans_seen_by(mine.borrower, TODAY)) == [mine]
    assert other not in households.loans_seen_by(mine.borrower, TODAY)
