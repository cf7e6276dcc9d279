"""The lending tables in Django's admin: to look at, not to change."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from tests.make import make_loan

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client, settings: Settings) -> Client:
    settings.LANGUAGE_CODE = "en"
    client.force_login(User.objects.create_superuser("root", password="secret"))
    return client


@pytest.mark.parametrize("table", ["loan", "deskevent"])
def test_loans_and_the_journal_are_shown_and_never_edited(admin: Client, table: str) -> None:
    loan = make_loan()
    assert admin.get(f"/admin/loans/{table}/").status_code == 200
    assert admin.get(f"/admin/loans/{table}/add/").status_code == 403
    pk = loan.pk if table == "loan" else loan.events.get().pk
    assert admin.post(f"/admin/loans/{table}/{pk}/change/", {}).status_code == 403
    assert admin.post(f"/admin/loans/{table}/{pk}/delete/", {"post": "yes"}).status_code == 403
