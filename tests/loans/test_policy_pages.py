"""The pages of the policy table: it shows, explains, warns before it saves, and moves no loan."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from pytest_django import Settings

from catalogue.models import Category
from config.roles import ROLES, ensure_roles, remember_permissions
from loans import holds
from loans.models import MemberCategory, MembershipKind, PolicyRow
from tests.make import (
    make_act,
    make_category,
    make_copy,
    make_game,
    make_kind,
    make_loan,
    make_member,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def manager(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    return client


def text(response: Any) -> str:
    """The words of the page's main part."""
    main = response.content.decode().partition("<main")[2].partition("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", main).split())


def test_the_table_shows_every_rule_with_its_rows_and_the_built_in_value(manager: Client) -> None:
    make_policy(loan_days=28, deposit=550)
    make_policy(member_category=make_category("School"), loan_days=42)
    page = text(manager.get("/desk/policies/"))
    assert "loan days School 42 days" in page
    assert "28 days Change loan days 28 days" in page
    assert "where no row fits 21 days Add a row loan days" in page
    assert "€5.50" in page
    assert "days of grace nothing set 0 days" in page


def test_what_would_apply_is_told_row_by_row_with_the_reason(manager: Client) -> None:
    school = make_member("École Ferry", card_number="5", category=make_category("School"))
    make_copy(make_game("Finca", categories=("A 406 Jeu de stratégie",)), barcode="91300")
    make_policy(loan_days=28)
    make_policy(member_category=school.category, loan_days=42)
    make_policy(class_prefix="E", loan_days=7)
    page = text(manager.get("/desk/policies/?card=5&box=91300"))
    assert "École Ferry with Finca 91300" in page
    assert "loan days 42 days The row for School" in page
    assert "Not 28 days everybody, everywhere : a more exact row decides" in page
    assert "Not 7 days class E : it is for other games" in page


def test_who_is_not_found_or_not_alone_is_asked_about(manager: Client) -> None:
    make_member("Eva Roth", card_number="5")
    make_member("Eva Weiß", card_number="6")
    assert "No member is found" in text(manager.get("/desk/policies/?card=99&box="))
    assert "Which one? Eva Roth, card 5 Eva Weiß, card 6" in text(
        manager.get("/desk/policies/?card=eva&box=")
    )
    assert "No box and no game" in text(manager.get("/desk/policies/?card=5&box=99999"))
    assert "Eva Roth, whatever the game" in text(manager.get("/desk/policies/?card=5&box="))


def test_a_change_says_how_many_loans_it_touches_before_it_saves(manager: Client) -> None:
    (row,) = make_policy(loan_days=28)
    loan = make_loan()
    address = f"/desk/policies/{row.pk}/"
    asked = manager.post(address, {"value": "14"})
    assert "This touches 1 open loan" in text(asked)
    row.refresh_from_db()
    assert row.number == 28
    (agreed,) = re.findall(r'name="agreed" value="([^"]*)"', asked.content.decode())
    assert manager.post(address, {"value": "7", "agreed": agreed}).status_code == 200
    assert manager.post(address, {"value": "14", "agreed": agreed}).status_code == 302
    row.refresh_from_db()
    due_on = loan.due_on
    loan.refresh_from_db()
    assert (row.number, loan.due_on) == (14, due_on)


def test_a_change_of_a_rule_about_reservations_speaks_of_reservations(manager: Client) -> None:
    holds.place_hold(make_copy().game, make_member(), act=make_act())
    asked = manager.post("/desk/policies/add/hold_shelf_days/", {"value": "3"})
    assert "This touches 1 reservation None of them is moved" in text(asked)
    (agreed,) = re.findall(r'name="agreed" value="([^"]*)"', asked.content.decode())
    saved = manager.post("/desk/policies/add/hold_shelf_days/", {"value": "3", "agreed": agreed}, follow=True)
    assert "1 reservation stays as it was promised" in text_of_all(saved)


def test_a_row_that_touches_nothing_is_saved_at_once(manager: Client) -> None:
    make_copy(make_game(categories=("A 406 Jeu de stratégie",)))
    category = Category.objects.get()
    assert (
        manager.post(
            "/desk/policies/add/max_of_kind/", {"value": "2", "game_category": category.pk}
        ).status_code
        == 302
    )
    row = PolicyRow.objects.get()
    assert (row.rule, row.number, row.game_category) == ("max_of_kind", 2, category)


@pytest.mark.parametrize(
    ("rule", "typed", "kept"),
    [
        ("max_loans", "", (None, "")),
        ("deposit", "12,50", (1250, "")),
        ("lends_while_late", "yes", (1, "")),
        ("due_mode", "same_weekday", (None, "same_weekday")),
    ],
)
def test_each_rule_takes_its_own_kind_of_value(
    manager: Client, rule: str, typed: str, kept: tuple[int | None, str]
) -> None:
    assert manager.post(f"/desk/policies/add/{rule}/", {"value": typed}).status_code == 302
    row = PolicyRow.objects.get()
    assert (row.number, row.word) == kept
    assert manager.get(f"/desk/policies/{row.pk}/").status_code == 200


@pytest.mark.parametrize(
    ("rule", "typed", "said"),
    [
        ("loan_days", {"value": ""}, "This field is required"),
        ("loan_days", {"value": "1001"}, "less than or equal to 1000"),
        ("loan_days", {"value": "9", "class_prefix": "406"}, "is no class"),
        ("max_of_kind", {"value": "2"}, "Of which kind of games?"),
        ("deposit", {"value": "much"}, "cannot be read as an amount"),
    ],
)
def test_what_a_rule_does_not_take_is_said_and_stays_typed(
    manager: Client, rule: str, typed: dict[str, str], said: str
) -> None:
    response = manager.post(f"/desk/policies/add/{rule}/", typed)
    assert response.status_code == 422
    assert said in text(response)
    assert f'value="{typed["value"]}"' in response.content.decode() or not typed["value"]
    assert not PolicyRow.objects.exists()


def test_a_second_row_for_the_same_scope_leads_to_the_first(manager: Client) -> None:
    (row,) = make_policy(loan_days=28)
    response = manager.post("/desk/policies/add/loan_days/", {"value": "14"})
    assert response.status_code == 409
    assert f'href="/desk/policies/{row.pk}/"' in response.content.decode()


def test_a_row_is_removed_after_saying_what_that_touches(manager: Client) -> None:
    (row,) = make_policy(loan_days=28)
    make_loan()
    assert "This touches 1 open loan" in text(manager.get(f"/desk/policies/{row.pk}/delete/"))
    manager.post(f"/desk/policies/{row.pk}/delete/")
    assert not PolicyRow.objects.exists()


def test_memberships_and_categories_have_pages(manager: Client) -> None:
    given = {"name": "Family", "fee_cents": "30", "months": "12", "for_household": "on", "on_sale": "on"}
    assert manager.post("/desk/policies/memberships/add/", given).status_code == 302
    kind = MembershipKind.objects.get()
    assert (kind.fee_cents, kind.months, kind.for_household) == (3000, 12, True)
    both = manager.post(
        f"/desk/policies/memberships/{kind.pk}/", given | {"ends_day": "31", "ends_month": "8"}
    )
    assert both.status_code == 422
    make_kind("School year", ends_month=8, ends_day=31)
    page = text(manager.get("/desk/policies/memberships/"))
    assert "Family €30.00 12 months the household" in page
    assert "to 31 August" in page
    manager.post("/desk/policies/categories/", {"name": "School"})
    manager.post("/desk/policies/categories/", {"name": " school "})
    category = MemberCategory.objects.get()
    manager.post(f"/desk/policies/categories/{category.pk}/", {"name": "Schools"})
    make_member(category=category)
    assert "has members or policies" in text_of_all(
        manager.post(f"/desk/policies/categories/{category.pk}/delete/", follow=True)
    )
    assert MemberCategory.objects.get().name == "Schools"


def text_of_all(response: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


@pytest.mark.parametrize(("role", "members", "policies"), [("desk", 200, 403), ("librarian", 200, 403)])
def test_the_desk_registers_members_and_leaves_the_policies_to_the_manager(
    client: Client, role: str, members: int, policies: int
) -> None:
    client.force_login(make_user(role))
    assert client.get("/desk/members/").status_code == members
    assert client.get("/desk/policies/").status_code == policies


def test_a_role_that_is_there_gets_a_new_permission_and_keeps_what_the_library_took_away() -> None:
    group = Group.objects.get(name="desk")
    lent, registered = (group.permissions.get(codename=c) for c in ("use_desk", "manage_members"))
    group.permissions.clear()
    registered.delete()
    remember_permissions(using="default")
    registered.save()
    ensure_roles()
    assert list(group.permissions.all()) == [registered]
    assert lent not in group.permissions.all()
    assert "loans.manage_members" in ROLES["desk"]
