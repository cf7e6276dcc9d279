"""Documents: a file is downloaded and never run; a bare name says so."""

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from catalogue import records
from tests.make import make_game

pytestmark = pytest.mark.django_db


def test_a_document_is_a_download_under_its_name(client: Client) -> None:
    file = ContentFile(b"%PDF-1.7")
    document = records.attach_document(make_game(), "règles.pdf", file)
    answer = client.get(f"/documents/{document.pk}/")
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content) == b"%PDF-1.7"  # type: ignore[attr-defined]
    assert answer["Content-Disposition"] == "attachment; filename*=utf-8''r%C3%A8gles.pdf"
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_page_among_the_documents_is_not_run(client: Client) -> None:
    document = records.attach_document(make_game(), "x.html", ContentFile(b"<script>alert(1)</script>"))
    answer = client.get(f"/documents/{document.pk}/")
    assert answer["Content-Disposition"].startswith("attachment")
    answer.close()


def test_a_document_of_which_only_the_name_is_known_says_so(client: Client) -> None:
    document = records.attach_document(make_game(), "finca.pdf")
    answer = client.get(f"/documents/{document.pk}/", headers={"accept-language": "en"})
    assert answer.status_code == 404
    assert "its file is not here" in answer.content.decode()


def test_a_file_that_vanished_from_the_disk_says_so_too(client: Client) -> None:
    document = records.attach_document(make_game(), "finca.pdf", ContentFile(b"x"))
    assert document.file.name
    document.file.storage.delete(document.file.name)
    assert client.get(f"/documents/{document.pk}/").status_code == 404


def test_an_unknown_document_is_not_found(client: Client) -> None:
    assert client.get("/documents/4711/").status_code == 404
