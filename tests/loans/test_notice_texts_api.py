"""What members are told, over HTTP: texts with their placeholders, the days, refused addresses."""

from typing import Any

import pytest
from pytest_django import Settings
from rest_framework.test import APIClient

from loans.models import Mail, Member, NoticeText, ReturnedMail
from loans.telling import texts
from tests.loans.api_client import client_of
from tests.make import NOON, make_member, make_user

pytestmark = pytest.mark.django_db
DUE_SOON = "texts/due_soon/fr"


@pytest.fixture
def manager(settings: Settings) -> APIClient:
    settings.LANGUAGE_CODE = "en"
    return client_of(make_user("manager"))


def send(api: APIClient, method: str, path: str, **body: Any) -> tuple[int, Any]:
    answer = getattr(api, method)(f"/api/notices/{path}/", body, format="json")
    return answer.status_code, answer.json() if answer.content else None


def test_every_text_is_told_with_what_may_be_filled_in(manager: APIClient) -> None:
    told = manager.get("/api/notices/texts/").json()
    assert len(told) == len(texts.PARTS) * len(texts.LANGUAGES)
    one = manager.get(f"/api/notices/{DUE_SOON}/").json()
    assert one in told
    assert (one["is_own"], "games" in one["placeholders"]) == (False, True)


def test_the_library_puts_a_text_in_its_own_words_and_back(manager: APIClient) -> None:
    shipped = manager.get(f"/api/notices/{DUE_SOON}/").json()
    said = {"subject": "Bientôt", "body": "À rendre :\r\n\r\n$games"}
    status, told = send(manager, "put", DUE_SOON, **said)
    assert (status, told["subject"], told["body"]) == (200, "Bientôt", "À rendre :\n\n$games")
    assert told["is_own"]
    assert send(manager, "delete", DUE_SOON)[0] == 204
    assert manager.get(f"/api/notices/{DUE_SOON}/").json() == shipped


def test_a_placeholder_that_nobody_fills_in_is_refused_by_its_place(manager: APIClient) -> None:
    status, told = send(manager, "put", DUE_SOON, subject="Soon", body="Bring\n$gamez")
    assert (status, list(told)) == (400, ["body"])
    assert told["body"] == ["Line 2, column 1: there is no $gamez here. Do you mean $games?"]
    assert list(send(manager, "put", DUE_SOON, body="$games")[1]) == ["subject"]
    assert send(manager, "put", "texts/greeting/fr", body="Bonjour $name")[0] == 200
    assert NoticeText.objects.count() == 1


@pytest.mark.parametrize("path", ["texts/due_soon/xx", "texts/nothing/fr"])
def test_there_is_no_other_text(manager: APIClient, path: str) -> None:
    said = {"subject": "A", "body": "B"}
    for method in ("get", "put", "delete"):
        assert send(manager, method, path, **said)[0] == 404
    assert send(manager, "post", f"{path}/preview", **said)[0] == 404


def test_a_preview_shows_the_letter_and_keeps_nothing(manager: APIClient) -> None:
    make_member("Camille Martin")
    status, told = send(manager, "post", f"{DUE_SOON}/preview", subject="Bientôt", body="Zut : $games")
    assert (status, told["subject"]) == (200, "Bientôt")
    assert "Zut" in told["text"]
    assert not NoticeText.objects.exists()
    assert not Mail.objects.exists()


def test_the_days_are_set_and_reminders_follow_one_another(manager: APIClient) -> None:
    plan = manager.get("/api/notices/plan/").json()
    assert send(manager, "put", "plan", **plan | {"late_1_days": 5}) == (200, plan | {"late_1_days": 5})
    status, told = send(manager, "put", "plan", **plan | {"late_2_days": 1})
    assert (status, list(told)) == (400, ["non_field_errors"])
    assert list(send(manager, "put", "plan", **plan | {"late_2_days": -1})[1]) == ["late_2_days"]
    assert manager.get("/api/notices/plan/").json()["late_1_days"] == 5


def returned(member: Member) -> ReturnedMail:
    return ReturnedMail.objects.create(member=member, address=member.email, at=NOON, why="no such user")


def test_an_address_that_was_refused_is_trusted_again(manager: APIClient) -> None:
    member = make_member(email="camille@example.org")
    row = returned(member)
    (told,) = manager.get("/api/notices/returned/").json()
    assert (told["id"], told["card_number"]) == (row.pk, member.card_number)
    assert send(manager, "post", f"returned/{row.pk}/trust")[0] == 204
    assert manager.get("/api/notices/returned/").json() == []
    assert send(manager, "post", f"returned/{row.pk}/trust")[0] == 404


@pytest.mark.parametrize("role", ["", "desk"])
def test_only_who_manages_notices_sees_and_changes_them(role: str) -> None:
    user = make_user(role)
    row = returned(make_member(user=user, email="camille@example.org"))
    api = client_of(user)
    for path in ("texts", DUE_SOON, "plan", "returned"):
        assert api.get(f"/api/notices/{path}/").status_code == 403
    assert send(api, "put", DUE_SOON, subject="A", body="B")[0] == 403
    assert send(api, "delete", DUE_SOON)[0] == 403
    assert send(api, "post", f"{DUE_SOON}/preview", subject="A", body="B")[0] == 403
    assert send(api, "put", "plan")[0] == 403
    assert send(api, "post", f"returned/{row.pk}/trust")[0] == 403
