"""Members, policies and opening days in Django's admin: its forms lead to the one writer."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from loans.models import LoanPolicy, Member
from tests.make import make_loan, make_member, make_policy

pytestmark = pytest.mark.django_db
POLICY = {"name": "Two weeks", "loan_days": 14, "max_loans": 5, "max_renewals": 2}


@pytest.fixture
def admin(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(User.objects.create_superuser("root", password="secret"))
    return client


def test_a_member_is_added_and_found_by_a_folded_name(admin: Client) -> None:
    data = {"card_number": " 0012", "first_name": "José", "last_name": "Núñez"}
    assert admin.post("/admin/loans/member/add/", data).status_code == 302
    assert Member.objects.get(card_number="0012").name_key == "jose nunez"
    assert "Núñez" in admin.get("/admin/loans/member/?q=nunez").content.decode()


def test_a_member_is_changed(admin: Client) -> None:
    member = make_member()
    data = {"card_number": member.card_number, "last_name": "Roth", "block_reason": "Key lost"}
    assert admin.post(f"/admin/loans/member/{member.pk}/change/", data).status_code == 302
    member.refresh_from_db()
    assert (member.last_name, member.name_key, member.block_reason) == ("Roth", "roth", "Key lost")


def test_a_card_that_is_taken_is_said_beside_the_field(admin: Client) -> None:
    make_member(card_number="12")
    response = admin.post("/admin/loans/member/add/", {"card_number": "12", "last_name": "Roth"})
    assert "card_number" in response.context["adminform"].form.errors


def test_a_member_with_loans_is_not_deleted(admin: Client) -> None:
    member = make_loan().member
    response = admin.post(f"/admin/loans/member/{member.pk}/delete/", {"post": "yes"})
    assert response.status_code == 200
    assert Member.objects.filter(pk=member.pk).exists()


def test_a_new_default_policy_takes_the_place_of_the_old(admin: Client) -> None:
    make_policy()
    assert admin.post("/admin/loans/loanpolicy/add/", {**POLICY, "is_default": "on"}).status_code == 302
    assert LoanPolicy.objects.get(is_default=True).name == "Two weeks"


def test_the_default_is_neither_taken_off_nor_deleted(admin: Client) -> None:
    policy = make_policy()
    response = admin.post(f"/admin/loans/loanpolicy/{policy.pk}/change/", POLICY)
    assert "is_default" in response.context["adminform"].form.errors
    admin.post(f"/admin/loans/loanpolicy/{policy.pk}/delete/", {"post": "yes"})
    admin.post(
        "/admin/loans/loanpolicy/",
        {"action": "delete_selected", "_selected_action": [policy.pk], "post": "yes"},
    )
    assert LoanPolicy.objects.get().is_default


@pytest.mark.parametrize("table", ["loan", "deskevent"])
def test_loans_and_the_journal_are_shown_and_never_edited(admin: Client, table: str) -> None:
    loan = make_loan()
    assert admin.get(f"/admin/loans/{table}/").status_code == 200
    assert admin.get(f"/admin/loans/{table}/add/").status_code == 403
    pk = loan.pk if table == "loan" else loan.events.get().pk
    assert admin.post(f"/admin/loans/{table}/{pk}/change/", {}).status_code == 403
    assert admin.post(f"/admin/loans/{table}/{pk}/delete/", {"post": "yes"}).status_code == 403
