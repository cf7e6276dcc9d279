"""No form of the site breaks over what somebody types, pastes or sends into it: it says what is wrong.

Run on both databases: PostgreSQL takes no null in a text, SQLite takes any.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice

import pytest
from django.db import transaction
from django.test import Client

from tests.loans.every_form import Form, forms_of_all_pages, send
from tests.loans.everything import whole_library

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

BAD = (
    "9" * 40,
    "NaN",
    "１²٣",
    "0001-01-01",
    "9999-12-31",
    'Bcc: a\r\nx"><script>{{ x }}</script>%s%(x)s',
    "x" * 100_000 + " a b" * 1000,
)


@pytest.fixture
def forms(client: Client) -> list[Form]:
    client.force_login(whole_library())
    client.raise_request_exception = False
    return forms_of_all_pages(client)


@contextmanager
def nothing_happened() -> Iterator[None]:
    """The library afterwards is the one from before."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def with_a_null(form: Form) -> Iterator[dict[str, str]]:
    """All is as it was but one field."""
    return ({name: f"a\0{value}"} for name, value in form.values.items())


def all_bad(form: Form) -> Iterator[dict[str, str]]:
    """No field is as it was; in turn each field gets each of the bad values."""
    for first in range(len(BAD)):
        yield dict(zip(form.values, islice(cycle(BAD), first, None), strict=False))


@pytest.mark.parametrize("wrongs", [with_a_null, all_bad])
def test_no_form_breaks(client: Client, forms: list[Form], wrongs) -> None:  # type: ignore[no-untyped-def]
    assert len(forms) > 90
    broken = []
    for form in forms:
        for values in wrongs(form):
            with nothing_happened():
                if send(client, form, **values) >= 500:
                    broken.append((form.action, {name: text[:20] for name, text in values.items()}))
    assert broken == []
