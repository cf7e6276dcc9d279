"""Opening days in Django's admin: its forms lead to the one writer."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from loans.models import Closure, Opening
from tests.make import make_loan

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(User.objects.create_superuser("root", password="secret"))
    return client


def test_an_opening_rule_that_cannot_be_read_is_said_with_an_example(admin: Client) -> None:
    data = {"starts_on": "2025-01-01", "rrule": "FREQ=WEEKLY;INTERVAL=0"}
    response = admin.post("/admin/loans/opening/add/", data)
    assert "FREQ=WEEKLY;BYDAY=WE,SA" in str(response.context["adminform"].form.errors)
    assert (
        admin.post("/admin/loans/opening/add/", {**data, "rrule": "FREQ=WEEKLY;BYDAY=SA"}).status_code == 302
    )
    assert Opening.objects.get().rrule == "FREQ=WEEKLY;BYDAY=SA"


def test_a_closure_that_ends_before_it_begins_is_said(admin: Client) -> None:
    data = {"first_on": "2025-01-02", "last_on": "2025-01-01"}
    assert admin.post("/admin/loans/closure/add/", data).status_code == 200
    assert admin.post("/admin/loans/closure/add/", {**data, "last_on": "2025-01-02"}).status_code == 302
    assert Closure.objects.exists()


@pytest.mark.parametrize("table", ["loan", "deskevent"])
def test_loans_and_the_journal_are_shown_and_never_edited(admin: Client, table: str) -> None:
    loan = make_loan()
    assert admin.get(f"/admin/loans/{table}/").status_code == 200
    assert admin.get(f"/admin/loans/{table}/add/").status_code == 403
    pk = loan.pk if table == "loan" else loan.events.get().pk
    assert admin.post(f"/admin/loans/{table}/{pk}/change/", {}).status_code == 403
    assert admin.post(f"/admin/loans/{table}/{pk}/delete/", {"post": "yes"}).status_code == 403
