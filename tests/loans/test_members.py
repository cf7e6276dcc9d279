"""Members and opening days: what their one writer takes and what it refuses."""

from datetime import date

import pytest

from catalogue.models import Condition
from loans import members, rules
from loans.availability import LENDABLE
from loans.models import Member
from tests.make import make_loan, make_member, make_policy

pytestmark = pytest.mark.django_db


def test_a_card_number_keeps_its_zeros_and_loses_its_blanks() -> None:
    assert make_member(card_number=" 00012 ").card_number == "00012"


def test_two_members_never_have_one_card() -> None:
    first = make_member(card_number="12")
    with pytest.raises(members.CardTaken) as caught:
        make_member(card_number="12")
    assert caught.value.member == first


@pytest.mark.parametrize(("card_number", "last_name"), [("", "Martin"), ("12", " ")])
def test_a_member_needs_a_card_and_a_name(card_number: str, last_name: str) -> None:
    with pytest.raises(ValueError, match="needs a card number and a last name"):
        members.add_member(members.MemberDraft(card_number=card_number, last_name=last_name))


def test_what_is_kept_of_a_member_can_be_read_and_written_back() -> None:
    member = make_member("Camille Martin", email="c@example.org", membership_ends_on=date(2026, 1, 1))
    draft = members.describe_member(member)
    members.update_member(member, draft)
    assert members.describe_member(Member.objects.get()) == draft


def test_a_member_who_borrowed_is_not_removed() -> None:
    loan = make_loan()
    with pytest.raises(members.InUse):
        members.delete_member(loan.borrower)


def test_changing_the_policy_leaves_open_loans_alone() -> None:
    loan = make_loan()
    make_policy(loan_days=3)
    loan.refresh_from_db()
    assert loan.due_on == date(2025, 3, 25)


def test_every_condition_is_either_lent_or_refused_by_the_rules() -> None:
    of_its_own_rule = {Condition.QUARANTINE}
    assert set(Condition.values) == set(LENDABLE) | set(rules.CONDITIONS_REFUSED) | of_its_own_rule
    assert not set(LENDABLE) & set(rules.CONDITIONS_REFUSED)
