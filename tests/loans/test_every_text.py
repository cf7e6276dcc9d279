"""Whatever stands in a text of the library is shown as that text: in pages, letters, receipts and files.

Every text column holds what would be markup, a template or a formula, were it taken for one.
"""

import csv
import io
import re
from email import message_from_bytes
from email.policy import default
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import models
from django.db.models import CharField, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat, Substr
from django.test import Client
from django.utils import timezone

from loans import notices
from loans.calendar import local_date
from loans.models import Member
from loans.telling.compose import Sender
from loans.telling.mails import as_mail
from tests.loans.every_form import MORE
from tests.loans.everything import whole_library
from tests.loans.test_every_address import asked, text_of

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

EVIL = "\"'><script>x1()</script>{{ 7191|add:7 }}\r\nBcc: x@example.org"
RAW, RUN = "\"'><script>x1", "7198"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
FOR_PROGRAMS = re.compile(
    "key|anchor|language|rrule|time_zone|tag|party|about|nonce|secret|token|word$|before|after"
)
"""Texts that are read by a program, and refused at the door when they cannot be."""


def evil_columns(model: type[models.Model]) -> dict[str, Any]:
    """The text columns of a model that take what people type, each with the evil text in it."""
    columns = {}
    for field in model._meta.concrete_fields:
        is_text = isinstance(field, CharField | TextField) and not isinstance(field, models.FileField)
        if is_text and not field.choices and not FOR_PROGRAMS.search(field.name):
            evil: Any = Concat(Value("="), Cast("pk", CharField()), Value(EVIL), output_field=TextField())
            columns[field.name] = Substr(evil, 1, field.max_length) if field.max_length else evil
    return columns


@pytest.fixture
def manager(client: Client) -> User:
    manager = whole_library()
    for app in ("catalogue", "loans"):
        for model in apps.get_app_config(app).get_models():
            for name, evil in evil_columns(model).items():
                QuerySet(model).update(**{name: evil})
    client.raise_request_exception = False
    return manager


@pytest.mark.parametrize("username", ["manager", "stranger", ""])
def test_no_page_runs_it(client: Client, manager: User, username: str) -> None:
    if username:
        client.force_login(User.objects.get(username=username))
    shown = 0
    answers = [(address.path, answer) for address, answer in asked(client)]
    for path, answer in answers + [(path, client.get(path)) for path in MORE]:
        text = text_of(answer)
        assert answer.status_code < 500, path
        assert "html" not in answer["Content-Type"] or RAW not in text, path
        assert RUN not in text, path
        shown += "x1()" in text
    assert shown > (50 if username == "manager" else 1)


def test_no_file_holds_a_formula(client: Client, manager: User) -> None:
    client.force_login(manager)
    files = [(a.path, text_of(answer)) for a, answer in asked(client) if "csv" in answer["Content-Type"]]
    assert len(files) >= 2
    for path, text in files:
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert any("x1" in cell for cell in cells), path
        assert [cell for cell in cells if cell.startswith(FORMULA) and not cell[1:2].isdigit()] == [], path


@pytest.mark.usefixtures("manager")
def test_no_letter_runs_it_or_gets_a_header_from_it() -> None:
    Member.objects.update(email="camille@example.org")
    sender = Sender(now=timezone.now())
    due = notices.planned(local_date(timezone.now(), None))
    mails = [as_mail(one.letter(sender), to="camille@example.org", name="x") for one in due]
    assert len(mails) > 0
    for mail in mails:
        sent = message_from_bytes(mail.message().as_bytes(), policy=default)
        html = sent.get_body(("html",))
        assert html
        assert (sent["Bcc"], sent["To"]) == (None, "camille@example.org")
        assert "x1()" in html.get_content()
        assert RAW not in html.get_content()
        assert RUN not in html.get_content() + mail.body
