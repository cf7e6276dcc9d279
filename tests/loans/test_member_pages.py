"""The pages of members and households: find, register in a minute, sell, block, and lose nothing typed."""

import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from loans import games_day
from loans.models import Block, Household, Member, Membership
from tests.make import (
    make_block,
    make_category,
    make_household,
    make_kind,
    make_loan,
    make_member,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def volunteer(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("desk", "volunteer"))
    return client


def text(response: Any) -> str:
    body = response.content.decode().partition("</header>")[2]
    return " ".join(re.sub(r"<[^>]+>", " ", body).split()).replace("&#x27;", "'")


def found(response: Any) -> list[str]:
    return re.findall(r'<th scope="row"><a href="/desk/members/\d+/">([^<]+)<', response.content.decode())


# --- finding -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "who"),
    [
        ("?q=nunez", ["José Núñez"]),
        ("?q=jose+nu", ["José Núñez"]),
        ("?q=770", ["José Núñez"]),
        ("?q=martin", ["Eva Roth", "Tom Roth"]),
        ("?q=nobody", []),
        ("?state=blocked", ["Tom Roth"]),
        ("?state=ended", ["Eva Roth"]),
        ("?state=unsigned", ["Eva Roth", "Tom Roth"]),
        ("?state=late", ["José Núñez"]),
        ("?state=nonsense&category=x&page=y", ["José Núñez", "Eva Roth", "Tom Roth"]),
    ],
)
def test_members_are_found_by_name_card_household_and_state(
    volunteer: Client, query: str, who: list[str]
) -> None:
    household = make_household("Famille Martin")
    make_member("Eva Roth", household=household, membership_ends_on=date(2020, 1, 1))
    make_block(make_member("Tom Roth", household=household))
    jose = make_member("José Núñez", card_number="770123", conditions_signed_on=date(2025, 1, 1))
    make_loan(member=jose, now=timezone.now() - timedelta(days=60))
    assert found(volunteer.get(f"/desk/members/{query}")) == who


def test_a_games_day_that_borrows_like_a_member_is_not_listed_among_them(volunteer: Client) -> None:
    make_member("Eva Roth")
    games_day.open_day("Nuit du jeu", now=timezone.now())
    assert found(volunteer.get("/desk/members/")) == ["Eva Roth"]


def test_members_of_a_category_are_listed(volunteer: Client) -> None:
    school = make_category("School")
    make_member("École Ferry", category=school)
    make_member("Eva Roth")
    assert found(volunteer.get(f"/desk/members/?category={school.pk}")) == ["École Ferry"]


def test_the_list_costs_the_same_for_many_as_for_one(
    volunteer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(12):
        make_loan(member=make_member(household=make_household()))
    with django_assert_max_num_queries(9):
        volunteer.get("/desk/members/")


# --- registering -------------------------------------------------------------------------------


def test_a_member_is_registered_with_the_card_that_was_proposed(volunteer: Client) -> None:
    make_member(card_number="000099")
    page = volunteer.get("/desk/members/add/").content.decode()
    assert 'name="card_number" value="000100"' in page
    given = {"first_name": "Eva", "last_name": "Roth", "card_number": "000100", "signed": "on"}
    assert "Eva Roth was added." in text(volunteer.post("/desk/members/add/", given, follow=True))
    member = Member.objects.get(card_number="000100")
    assert (member.name_key, member.conditions_signed_on) == ("eva roth", timezone.localdate())


def test_a_card_that_somebody_has_is_said_and_nothing_typed_is_lost(volunteer: Client) -> None:
    make_member("Tom Weiß", card_number="12")
    given = {"first_name": "Eva", "last_name": "Roth", "card_number": "12", "email": "eva@example.org"}
    response = volunteer.post("/desk/members/add/", given)
    assert response.status_code == 409
    assert "The card 12 belongs to another member already: Tom Weiß" in text(response)
    assert 'value="eva@example.org"' in response.content.decode()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"last_name": ""}, "This field is required"),
        ({"email": "eva"}, "valid email"),
        ({"birth_year": "16"}, "no year of birth"),
        ({"user": "nobody"}, "no account of this name"),
        ({"card_number": "6.37702E+15"}, "spreadsheet"),
    ],
)
def test_what_cannot_be_kept_is_said_beside_its_field(
    volunteer: Client, given: dict[str, str], said: str
) -> None:
    response = volunteer.post("/desk/members/add/", {"last_name": "Roth", "card_number": "5"} | given)
    assert response.status_code == 422
    assert said in text(response)
    assert not Member.objects.exists()


def test_a_member_is_corrected_and_keeps_what_the_form_does_not_show(volunteer: Client) -> None:
    member = make_member("Eva Roth", card_number="5", conditions_signed_on=date(2025, 1, 1))
    account = make_user(username="eva")
    given = {"last_name": "Weiß", "card_number": "5", "user": "eva", "hides_loans": "on"}
    assert volunteer.post(f"/desk/members/{member.pk}/edit/", given).status_code == 302
    member.refresh_from_db()
    assert (member.last_name, member.first_name, member.user) == ("Weiß", "", account)
    assert (member.hides_loans, member.conditions_signed_on) == (True, date(2025, 1, 1))
    other = make_member(card_number="6")
    taken = volunteer.post(f"/desk/members/{other.pk}/edit/", given | {"card_number": "6"})
    assert "belongs to another member" in text(taken)


def test_who_has_borrowed_is_not_removed(volunteer: Client) -> None:
    borrower, nobody = make_loan().borrower, make_member("Eva Roth")
    page = text(volunteer.post(f"/desk/members/{borrower.pk}/delete/", follow=True))
    assert "block the card instead" in page
    volunteer.post(f"/desk/members/{nobody.pk}/delete/")
    assert list(Member.objects.all()) == [borrower]


# --- one member --------------------------------------------------------------------------------


def test_a_membership_is_sold_once_however_often_the_button_is_pressed(volunteer: Client) -> None:
    member, kind = make_member(), make_kind("Family card", fee_cents=3000)
    page = text(volunteer.get(f"/desk/members/{member.pk}/"))
    assert "Family card, €30.00" in page
    for _ in range(2):
        volunteer.post(f"/desk/members/{member.pk}/sell/{kind.pk}/", {"nonce": "n1"})
    sale = Membership.objects.get()
    member.refresh_from_db()
    assert (member.membership_ends_on, sale.fee_cents) == (sale.ends_on, 3000)
    taken_back = volunteer.post(f"/desk/members/sales/{sale.pk}/take-back/", follow=True)
    assert "The sale was taken back" in text(taken_back)
    member.refresh_from_db()
    assert member.membership_ends_on is None
    again = volunteer.post(f"/desk/members/sales/{sale.pk}/take-back/", follow=True)
    assert "has been changed since" in text(again)


def test_a_card_is_blocked_with_a_reason_to_a_day_and_lifted(volunteer: Client) -> None:
    member = make_member()
    address, today = f"/desk/members/{member.pk}/block/", timezone.localdate()
    refused = volunteer.post(address, {"block-reason": "", "block-ends_on": "2020-01-01"})
    assert refused.status_code == 422
    assert "a block ends today or later" in text(refused)
    volunteer.post(address, {"block-reason": "Pawn lost", "block-ends_on": today.isoformat()})
    page = text(volunteer.get(f"/desk/members/{member.pk}/"))
    assert "This card is blocked until" in page
    assert "Pawn lost" in page
    assert "volunteer" in page
    block = Block.objects.get()
    volunteer.post(f"/desk/members/blocks/{block.pk}/lift/")
    block.refresh_from_db()
    assert block.lifted_by is not None
    page = text(volunteer.get(f"/desk/members/{member.pk}/"))
    assert "This card is not blocked." in page
    assert "Earlier blocks" in page


def test_the_conditions_are_signed_and_unsigned(volunteer: Client) -> None:
    member = make_member()
    volunteer.post(f"/desk/members/{member.pk}/sign/", {"signed": "1"})
    member.refresh_from_db()
    assert member.conditions_signed_on == timezone.localdate()
    volunteer.post(f"/desk/members/{member.pk}/sign/")
    member.refresh_from_db()
    assert member.conditions_signed_on is None


# --- households ----------------------------------------------------------------------------------


def test_a_household_is_made_for_a_member_and_others_are_brought_in_by_card_or_name(
    volunteer: Client,
) -> None:
    eva = make_member("Eva Roth", card_number="5")
    make_member("Tom Roth", card_number="6")
    make_member("Tom Weiß", card_number="7")
    volunteer.post(f"/desk/households/add/?member={eva.pk}", {"name": "Roth"})
    household = Household.objects.get()
    address = f"/desk/households/{household.pk}/join/"
    assert "Which one? Tom Roth, card 6 Tom Weiß, card 7" in text(volunteer.post(address, {"card": "tom"}))
    assert "Nobody has the card or the name “99999”" in text(volunteer.post(address, {"card": "99999"}))
    volunteer.post(address, {"card": "6"})
    volunteer.post(address, {"chosen": Member.objects.get(card_number="7").pk})
    assert household.members.count() == 3
    assert "Roth" in text(volunteer.get("/desk/households/?q=roth"))


def test_a_household_with_members_is_not_removed_and_nobody_ticked_is_said(volunteer: Client) -> None:
    household = make_household("Roth", "Eva Roth")
    page = volunteer.post(f"/desk/households/{household.pk}/delete/", follow=True)
    assert "it stays" in text(page)
    assert "Say first who leaves" in text(
        volunteer.get(f"/desk/households/{household.pk}/leave/", follow=True)
    )


def test_at_home_a_member_sees_the_childrens_games_and_not_those_kept_private(
    client: Client, settings: Settings
) -> None:
    settings.LANGUAGE_CODE = "en"
    household = make_household("Roth")
    account = make_user()
    make_member("Eva Roth", household=household, user=account)
    for name, hides in (("Tom Roth", False), ("Paul Roth", True)):
        make_loan(member=make_member(name, household=household, hides_loans=hides), now=timezone.now())
    client.force_login(account)
    page = text(client.get("/desk/me/"))
    assert "With the others of the household" in page
    assert "Tom Roth" in page
    assert "Paul Roth" not in page
