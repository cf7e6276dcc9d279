"""The whole API against its own description: nothing that anybody sends breaks it or is answered otherwise.

Schemathesis reads the OpenAPI description and invents requests, right ones and wrong ones (nulls, huge
numbers, other types, unknown ids); some of the ids and codes are those of a small library, so that not all
requests end at a 404. `LUDOTHECA_STORM=100` sends that many to each operation.
"""

import os
import traceback
from base64 import b64encode
from datetime import date
from typing import Any

import pytest
import schemathesis
from django.contrib.auth.models import User
from django.core.signals import got_request_exception, request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from catalogue import components, links
from loans import (
    bookings,
    care,
    counting,
    desk,
    desk_notes,
    games_day,
    holds,
    ledger,
    memberships,
    stocktake,
    till,
)
from loans.bookings import BookingDraft
from loans.models import CareKind, EntryKind, Member
from search import sync
from tests.make import (
    NOON,
    make_act,
    make_block,
    make_copy,
    make_game,
    make_household,
    make_kind,
    make_member,
    make_opening,
    make_policy,
    make_rules,
    make_user,
)

pytestmark = pytest.mark.django_db

REQUESTS = int(os.environ.get("LUDOTHECA_STORM", "4"))
BOXES, CARDS = ("90001", "90002", "90003"), ("400001", "400002")
KNOWN = {
    "barcode": BOXES,
    "barcodes": BOXES,
    "badges": CARDS,
    "card_number": CARDS,
    "card_numbers": CARDS,
    "code": (*BOXES, *CARDS, "17"),
    "branch": ("North", "South"),
}
LISTS = {"barcodes", "badges", "card_numbers"}
IDS = list(range(1, 8))
EXPECTED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
"""Wrong requests need not be refused where their meaning is plain, such as `available=yes`."""


def library() -> None:
    """A few rows of everything."""
    by = make_user("manager", "manager")
    make_user("desk", "desk")
    game = make_game("Finca", contents="2 pions, 1 plateau")
    boxes = [
        make_copy(game, barcode=barcode, branch=branch)
        for barcode, branch in zip(BOXES, ("North", "North", "South"), strict=True)
    ]
    first, second = (make_member(card_number=card) for card in CARDS)
    Member.objects.filter(pk=second.pk).update(user=make_user("", "member"))
    make_rules(game, "# Finca\n\nPose un pion.")
    make_opening("FREQ=WEEKLY;BYDAY=WE,SA")
    make_policy(fee_per_loan=100)
    make_block(first)
    desk.lend(boxes[0], second, act=make_act(by))
    ledger.charge(ledger.account_of(second), EntryKind.OTHER, 500, act=make_act(by))
    back = desk.check_in(boxes[0], act=make_act(by))
    counting.missing(
        counting.count_of(back.event, act=make_act(by)), components.of(game)[0], 1, act=make_act(by)
    )
    desk.lend(boxes[1], second, act=make_act(by))
    holds.place_hold(game, make_member(), act=make_act(by))
    bookings.book(
        BookingDraft(game=game, member=first, copies=1, from_on=date(2035, 1, 1), to_on=date(2035, 1, 9)),
        act=make_act(by),
    )
    of_all_else(by, second)
    sync.sync()


def of_all_else(by: User, member: Member) -> None:
    """What stands beside the desk: a family, a kit, a games day, the till, care, messages, a stocktake."""
    act, sold = make_act(by), make_act(by, now=timezone.now())
    make_household("Famille Roth", "Ana Roth")
    memberships.sell(make_kind(fee_cents=3000), member, act=act)
    kit_box = make_copy(make_game("Uptown"), barcode="90004")
    links.save_kit(None, "Fair", [kit_box])
    played = games_day.open_day("Nuit du jeu", now=NOON)
    games_day.scan_code(played, make_copy(barcode="90005").barcode, ("17",), act=act)
    account = ledger.account_of(member)
    ledger.top_up(account, ledger.Method.CASH, 1000, act=sold)
    ledger.issue_voucher(1000, act=act, method=ledger.Method.CASH)
    till.close(None, NOON.date(), 1000, act=sold, reason="A coin of old money")
    care.add_plan(
        care.PlanDraft(kind=CareKind.CLEANING, what="Wash it", every_days=30, blocks=False), today=NOON.date()
    )
    desk_notes.leave(member, "Bring the key", by=by, now=NOON)
    counted = stocktake.start(None, None, act=act)
    stocktake.scan_codes(counted, "90002\n90004\n4711", act=act)
    stocktake.close(counted, act=act)


def description() -> dict[str, Any]:
    """The API's description of itself, with codes and ids of the library among what may be sent."""
    raw: dict[str, Any] = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    for schema in raw["components"]["schemas"].values():
        for name, field in schema.get("properties", {}).items():
            teach(name, field)
    for operation in (each for path in raw["paths"].values() for each in path.values()):
        for parameter in operation.get("parameters", ()):
            if parameter["in"] == "path":
                parameter["schema"] = {"anyOf": [{"enum": IDS}, parameter["schema"]]}
            else:
                teach(parameter["name"], parameter["schema"])
    return raw


def teach(name: str, field: dict[str, Any]) -> None:
    """Let a field know some values that mean something."""
    if name in LISTS and "items" in field:
        field = field["items"]
    if name in KNOWN and field.get("type") == "string":
        old = dict(field)
        field.clear()
        field["anyOf"] = [{"type": "string", "enum": list(KNOWN[name])}, old]


class Storm:
    """Requests of one person to every operation, and all that was wrong with the answers."""

    def __init__(self, user: str) -> None:
        self.headers = (
            {"Authorization": "Basic " + b64encode(f"{user}:secret".encode()).decode()} if user else {}
        )
        self.schema = schemathesis.openapi.from_dict(description())
        self.schema.app = get_wsgi_application()
        self.wrong = set[str]()

    def blow(self) -> None:
        """Send requests to all operations."""
        for result in self.schema.get_all_operations():
            assert isinstance(result, Ok)
            operation = result.ok()
            for mode in GenerationMode:
                self.send(operation, mode)

    def send(self, operation: Any, mode: GenerationMode) -> None:
        @settings(
            max_examples=REQUESTS,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
            database=None,
        )
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            with transaction.atomic():
                try:
                    response = case.call(headers=self.headers)
                    case.validate_response(response, checks=EXPECTED, headers=self.headers)
                except FailureGroup as found:
                    self.wrong |= {f"{operation.label}: {one}" for one in found.exceptions}
                transaction.set_rollback(True)

        send()


@pytest.mark.parametrize("user", ["manager", "desk", "member", ""])
def test_whatever_is_sent_is_answered_as_the_description_says(user: str) -> None:
    library()
    broken = list[str]()

    def note(**_: Any) -> None:
        broken.append(traceback.format_exc(limit=-4))

    # The test's own connection is not the request's to close.
    request_started.disconnect(close_old_connections)
    request_finished.disconnect(close_old_connections)
    got_request_exception.connect(note)
    try:
        storm = Storm(user)
        storm.blow()
    finally:
        got_request_exception.disconnect(note)
        request_started.connect(close_old_connections)
        request_finished.connect(close_old_connections)
    assert not broken, "\n".join(broken)
    assert not storm.wrong, "\n\n".join(storm.wrong)
