"""A file that is sent to the desk is what it must be, or is refused with a word; its name does nothing."""

import gzip
import io
import re
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http.response import HttpResponseBase
from django.test import Client

from catalogue.models import Document
from loans.models import Closure, PieceCount
from tests.loans.everything import whole_library

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

MANY = 50 * 1024 * 1024
EVENT = b"BEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20300101\r\nSUMMARY:x\r\nEND:VEVENT\r\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def png_bomb() -> bytes:
    """A picture of 60,000 by 60,000 dots, in a few kilobytes."""
    head = chunk(b"IHDR", (60_000).to_bytes(4, "big") * 2 + b"\x01\x00\x00\x00\x00")
    return (
        b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1024 * 1024))) + chunk(b"IEND", b"")
    )


FILES = {
    "empty": b"",
    "a program": b"MZ\x90\x00" * 100,
    "a page": b"<html><script>x1()</script>",
    "a drawing": b'<svg xmlns="http://www.w3.org/2000/svg" onload="x1()"/>',
    "nulls": bytes(1000),
    "50 MB": bytes(MANY),
    "a photo of 50 MB": b"\xff\xd8\xff" + bytes(MANY),
    "a packed bomb": gzip.compress(bytes(MANY)),
    "a calendar without end": b"BEGIN:VCALENDAR\r\n" + EVENT,
    "a calendar of many": b"BEGIN:VCALENDAR\r\n" + EVENT * 15_000 + b"END:VCALENDAR\r\n",
    "nested calendars": b"BEGIN:VCALENDAR\r\n" * 5000,
}
PLACES = {
    "/desk/count/1/photo/keep/": ("photo", {}),
    "/desk/calendar/holidays/": ("file", {"region": "", "zone": "", "branch": ""}),
    "/catalogue/games/1/documents/add/": ("file", {"name": ""}),
}
NAMES = (
    'x\r\nSet-Cookie: a=b".pdf',
    "../../../etc/passwd",
    "x" * 5000 + ".png",
    "a\0b.ics",
    "=cmd|'/c calc'!A1.pdf",
)


@pytest.fixture
def desk(client: Client) -> Client:
    client.force_login(whole_library())
    client.raise_request_exception = False
    return client


def words(answer: HttpResponseBase) -> int:
    """How often a page says what is the matter."""
    return len(re.findall(r'class="[^"]*(?:error|notice--)', getattr(answer, "content", b"").decode()))


@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_such_file_is_refused_with_a_word(desk: Client, place: str) -> None:
    field, values = PLACES[place]
    closures, quiet = Closure.objects.count(), words(desk.get(place.replace("photo/keep/", "")))
    for what, content in FILES.items():
        answer = desk.post(place, {**values, field: SimpleUploadedFile("x.png", content)}, follow=True)
        assert answer.status_code < 500, what
        assert words(answer) > quiet, what
    assert Closure.objects.count() == closures
    assert not PieceCount.objects.exclude(photo="").exists()
    assert not Document.objects.exclude(file="").exists()


@pytest.mark.parametrize("place", PLACES)
def test_the_name_of_a_file_does_nothing(desk: Client, place: str) -> None:
    field, values = PLACES[place]
    for name in NAMES:
        file = io.BytesIO(png_bomb())
        file.name = name
        assert desk.post(place, {**values, field: file}, follow=True).status_code < 500, name
    for document in Document.objects.exclude(file=""):
        sent = desk.get(f"/documents/{document.pk}/")
        sent.close()
        assert sent.status_code == 200
        assert not sent.cookies
        assert sent["Content-Disposition"].startswith("attachment")
        assert "\n" not in sent["Content-Disposition"]
        assert sent["X-Content-Type-Options"] == "nosniff"
