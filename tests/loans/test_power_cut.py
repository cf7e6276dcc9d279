"""The power fails under a real server: what was answered is kept, and what is sent again happens once."""

import base64
import json
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from http.client import HTTPException
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.processes import Library, kill, serving

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("serve")]

BOXES = 12
PREPARE = f"""
from datetime import timedelta
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.utils import timezone
from tests.make import *
manager = make_user("manager", "manager")
User.objects.update(password=make_password("secret", hasher="pbkdf2_sha256", salt="x"))
make_opening("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU")
make_policy(loan_days=21, max_loans=99, late_fee_per_day=10)
then = timezone.now() - timedelta(days=40)
for number in range({BOXES}):
    make_loan(make_copy(barcode=f"7{{number:04}}"), make_member(card_number=f"2{{number:07}}"), now=then)
"""
COUNT = """
import json
from django.db.models import Count, Sum
from loans.models import Closure, DeskEvent, Entry, Line, Loan
print(json.dumps({
    "open": Loan.objects.filter(returned_at=None).count(),
    "returns": DeskEvent.objects.filter(action="check_in").count(),
    "charges": sorted(Entry.objects.filter(loan__isnull=False).values_list("loan").annotate(n=Count("pk"))
                      .values_list("n", flat=True)),
    "closures": Closure.objects.count(),
}))
"""


def send(address: str, what: str, **body: Any) -> dict[str, Any]:
    """One request of the desk; an error of the line is raised."""
    key = base64.b64encode(b"manager:secret").decode()
    headers = {"Content-Type": "application/json", "Authorization": f"Basic {key}"}
    request = urllib.request.Request(f"{address}/api/{what}/", json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own server
        told: dict[str, Any] = json.loads(answer.read()) | {"status": answer.status}
    return told


def orders() -> Iterator[tuple[str, dict[str, Any]]]:
    """A return of each box, and in the midst of them the same closure twice."""
    days = {"first_on": "2050-01-01", "last_on": "2050-01-09"}
    for number in range(BOXES):
        yield "check-ins", {"barcode": f"7{number:04}", "nonce": f"n{number}"}
        if number in {1, 3}:
            yield "calendar/closures", days


def counted(library: Library) -> dict[str, Any]:
    done = library.run("shell", "-v0", "-c", COUNT)
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def test_a_server_killed_in_the_midst_of_returns_loses_none_and_doubles_none(tmp_path: Path) -> None:
    library, kept = Library(tmp_path / "data"), list[str]()
    with serving(library, LUDOTHECA_DEMO="0") as (address, process), ThreadPoolExecutor(4) as desks:
        assert library.run("shell", "-v0", "-c", PREPARE).returncode == 0
        sent = {desks.submit(send, address, what, **body): body for what, body in orders()}
        for one in islice(as_completed(sent), 3):
            assert one.result()["status"] in {200, 201}
        kill(process)
        for one in as_completed(sent):
            with suppress(OSError, HTTPException):
                one.result()
                kept.append(sent[one].get("nonce", ""))
    with serving(library, LUDOTHECA_DEMO="0") as (address, _):
        again = {body.get("nonce", ""): send(address, what, **body)["status"] for what, body in orders()}
    assert {again[nonce] for nonce in kept if nonce} <= {200}
    found = counted(library)
    assert (found["open"], found["returns"], found["closures"]) == (0, BOXES, 1)
    assert found["charges"] == [1] * BOXES
