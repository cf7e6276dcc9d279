"""Pages of privacy: the member's own, and the staff's."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from loans import desk, forgetting
from loans.models import DeskEvent, Loan, Member, PrivacyRecord
from tests.make import make_act, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def member(client: Client, settings: Settings) -> Member:
    settings.LANGUAGE_CODE = "en"
    user = make_user()
    client.force_login(user)
    return make_member(card_number="3555555", user=user)


def past_loan(member: Member) -> Loan:
    then = timezone.now() - timedelta(days=30)
    loan = make_loan(member=member, now=then)
    desk.check_in(loan.copy, act=make_act(now=then + timedelta(days=1)))
    loan.refresh_from_db()
    return loan


def test_complaint_20_members_see_until_when_their_name_is_kept_and_shorten_it(
    client: Client, member: Member
) -> None:
    loan = past_loan(member)
    until = forgetting.kept_until(loan, member)
    assert until
    page = client.get("/desk/me/privacy/").content.decode()
    assert f"{until:%Y}" in page
    assert "/desk/me/privacy/" in client.get("/desk/me/").content.decode()
    client.post("/desk/me/privacy/", {"months": "3"})
    client.post("/desk/me/privacy/", {"months": "999"})
    member.refresh_from_db()
    assert member.history_months == 3


def test_members_take_their_data_along_and_nobody_elses(client: Client, member: Member) -> None:
    assert client.get("/desk/me/data.zip").headers["Content-Type"] == "application/zip"
    other = make_member()
    assert client.get(f"/desk/members/{other.pk}/data.zip").status_code == 403
    assert client.post(f"/desk/members/{member.pk}/erase/", {"card": "3555555"}).status_code == 403


def test_who_has_no_card_is_led_to_the_loans(client: Client) -> None:
    client.force_login(make_user())
    assert client.get("/desk/me/privacy/").status_code == 302
    assert client.get("/desk/me/data.zip").status_code == 404


def test_a_volunteer_hands_data_over_and_erases_nobody(client: Client) -> None:
    member = make_member()
    client.force_login(make_user("desk"))
    assert client.get(f"/desk/members/{member.pk}/data/").status_code == 200
    assert client.get(f"/desk/members/{member.pk}/data.zip").status_code == 200
    assert client.post(f"/desk/members/{member.pk}/erase/").status_code == 403
    assert PrivacyRecord.objects.count() == 1


def test_a_manager_erases_by_typing_the_card_and_is_told_what_is_open(
    client: Client, settings: Settings
) -> None:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    loan = make_loan(member=make_member(card_number="3555555"))
    url = f"/desk/members/{loan.borrower.pk}/erase/"
    assert client.post(url, {"card": "1"}).status_code == 422
    refused = client.post(url, {"card": "3555555"})
    assert refused.status_code == 409
    assert "1 game is not back yet." in refused.content.decode()
    desk.check_in(loan.copy, act=make_act())
    assert client.post(url, {"card": "3555555"}).status_code == 302
    assert "Martin" not in client.get("/desk/members/").content.decode()


def test_complaint_20_the_desk_shows_events_of_forgotten_loans_without_a_name(
    client: Client, settings: Settings
) -> None:
    settings.LANGUAGE_CODE = "en"
    client.force_login(make_user("manager"))
    loan = past_loan(make_member("Camille Martin"))
    forgetting.forget_loans([loan.pk])
    for event in DeskEvent.objects.all():
        page = client.get(f"/desk/?event={event.pk}&all=1")
        assert page.status_code == 200
        assert "Martin" not in page.content.decode()
        assert "None" not in page.content.decode()
