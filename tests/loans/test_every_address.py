"""Every address of the site, in a library with a row of everything, asked for by everybody.

No page breaks; nobody sees more than is theirs; a member changes nothing but their own.
"""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import get_resolver

from tests.architecture import test_addresses
from tests.architecture.test_addresses import PUBLIC, Address, addresses, is_refusal
from tests.loans.every_form import MORE
from tests.loans.everything import whole_library
from tests.make import make_user

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

OF_MEMBERS = {
    "loans:my-loans",
    "loans:my-renewal",
    "loans:my-hold",
    "loans:my-hold-cancel",
    "loans:my-privacy",
    "loans:my-data-file",
    "loans:my-calendar",
    "loans-api:my-holds",
    "loans-api:my-hold-cancel",
    "loans-api:my-money",
    "loans-api:my-data",
    "loans-api:my-loans",
    "loans-api:my-renewals",
    "loans-api:my-privacy",
    "loans-api:my-calendar",
    "loans-api:holds",
    "search-api:game",
    "password_change",
    "password_change_done",
}
"""What whoever is signed in may ask for; it is about themselves."""

OTHERS = ("Camille", "20000012", "Famille Martin", "Paul Noir", "20000036", "Rendre le sac")
"""What stands in the library about others than the member who is signed in as `stranger`."""


@pytest.fixture
def manager(client: Client) -> User:
    client.raise_request_exception = False
    return whole_library()


def every_address() -> list[Address]:
    return sorted(set(addresses(get_resolver().url_patterns)), key=lambda one: one.path)


def text_of(answer: HttpResponseBase) -> str:
    """What came, files too."""
    assert isinstance(answer, HttpResponse | StreamingHttpResponse)
    return answer.getvalue().decode(errors="replace")


def asked(client: Client) -> Iterator[tuple[Address, HttpResponseBase]]:
    """The answer of each address. Who is signed in stays so."""
    for address in every_address():
        if "logout" not in address.path:
            yield address, client.get(address.path)


@pytest.mark.parametrize("role", ["", "desk", "manager"])
def test_no_page_breaks(client: Client, manager: User, role: str) -> None:
    client.force_login(make_user(role, "somebody") if role else manager)
    answers = {address.path: answer.status_code for address, answer in asked(client)}
    answers |= {path: client.get(path).status_code for path in MORE}
    assert {path: status for path, status in answers.items() if status >= 500} == {}
    assert list(answers.values()).count(200) > 80


@pytest.mark.parametrize("number", ["9" * 18, "9" * 30, "9" * 5000])
def test_no_page_breaks_over_a_number(
    client: Client, manager: User, number: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(manager)
    monkeypatch.setitem(test_addresses.SAMPLES, "int", number)
    for name in ("str", "slug", "path"):
        monkeypatch.setitem(test_addresses.SAMPLES, name, "a%00b")
    answers = {
        address.name: answer.status_code for address, answer in asked(client) if number in address.path
    }
    assert {name: status for name, status in answers.items() if status >= 500} == {}


@pytest.mark.parametrize("username", ["", "stranger"])
def test_nobody_sees_anything_of_others(client: Client, manager: User, username: str) -> None:
    assert manager
    if username:
        client.force_login(User.objects.get(username=username))
    for address, answer in asked(client):
        assert answer.status_code < 500, address
        assert [word for word in OTHERS if word in text_of(answer)] == [], address


def test_a_member_is_refused_what_is_the_staffs(client: Client, manager: User) -> None:
    assert manager
    client.force_login(User.objects.get(username="stranger"))
    open_to_all = [
        (address.name, method, answer.status_code)
        for address in every_address()
        if address.name not in PUBLIC | OF_MEMBERS
        for method in ("get", "post", "put", "patch", "delete")
        if (answer := getattr(client, method)(address.path)).status_code != 405 and not is_refusal(answer)
    ]
    assert open_to_all == []
