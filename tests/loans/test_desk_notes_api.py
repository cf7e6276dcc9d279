"""Messages for the next volunteer over HTTP."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from loans import desk_notes
from loans.models import DeskNote
from tests.loans.api_client import client_of
from tests.make import NOON, make_copy, make_member, make_user

pytestmark = pytest.mark.django_db


def send(api: APIClient, path: str = "", **body: Any) -> tuple[int, Any]:
    answer = api.post(f"/api/desk-notes/{path}", body, format="json")
    return answer.status_code, answer.json()


@pytest.mark.parametrize("about", ["card_number", "barcode"])
def test_a_message_is_left_once_read_and_dealt_with(about: str) -> None:
    api = client_of(make_user("desk", "anne"))
    code = make_member().card_number if about == "card_number" else make_copy().barcode
    status, told = send(api, **{about: code}, text=" Bring the\nkey back ")
    assert (status, told[about], told["text"], told["by"]) == (201, code, "Bring the key back", "anne")
    assert send(api, **{about: code}, text="Bring the key back")[1] == told
    assert api.get("/api/desk-notes/", {about: code}).json() == [told]
    status, settled = send(api, f"{told['id']}/settle/")
    assert (status, send(api, f"{told['id']}/settle/")[1]) == (200, settled)
    assert settled["settled_at"]
    assert api.get("/api/desk-notes/", {about: code}).json() == []


def test_it_is_about_one_thing_and_says_something() -> None:
    api, member, copy = client_of(make_user("desk")), make_member(), make_copy()
    assert send(api, text="Key")[0] == 400
    assert send(api, card_number=member.card_number, barcode=copy.barcode, text="Key")[0] == 400
    assert list(send(api, card_number=member.card_number, text=" ")[1]) == ["text"]
    assert send(api, card_number="nobody", text="Key")[1]["code"] == "unknown_code"
    assert api.get("/api/desk-notes/").status_code == 400
    assert not DeskNote.objects.exists()


def test_a_member_neither_reads_nor_leaves_messages() -> None:
    user = make_user()
    member = make_member(user=user)
    note = desk_notes.leave(member, "Talks a lot", by=make_user("desk"), now=NOON)
    assert note
    api = client_of(user)
    assert api.get("/api/desk-notes/", {"card_number": member.card_number}).status_code == 403
    assert send(api, card_number=member.card_number, text="Nice")[0] == 403
    assert send(api, f"{note.pk}/settle/")[0] == 403
