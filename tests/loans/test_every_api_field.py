"""No field and no parameter of the API breaks over what a program puts into it: it says what is wrong.

What may be sent is read from the description of the interface, so a new field is tried at once.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.test import Client

from tests.architecture import test_addresses
from tests.loans.everything import whole_library
from tests.loans.test_every_form import nothing_happened

pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)

DESCRIPTION = Path(test_addresses.__file__).with_name("openapi.yaml")
BAD: tuple[Any, ...] = ("a\0b", "a\ud800b", "x" * 100_000, 10**40, 1e308, {}, None)
BAD_IN_ADDRESSES = ("a\0b", "9" * 40, "1²", "9999-12-31", "0001-01-01", "x" * 50_000, "a b " * 1000)
NO_OBJECTS = (b"\0", b"{", b'"x"', b"\xff\xfe", b"[" * 100_000, b"NaN", b"9" * 5000)
GOOD = {
    "barcode": "91300",
    "barcodes": ["91300"],
    "card_number": "20000012",
    "code": "91300",
    "game": 1,
    "language": "fr",
    "amount": "5.00",
    "first_on": "2030-01-02",
    "last_on": "2030-01-03",
    "from_on": "2030-01-02",
    "to_on": "2030-01-03",
    "starts_on": "2030-01-02",
    "copies": 1,
    "event": 1,
    "entry": 1,
    "title": "Finca",
    "q": "finca",
}
"""What is sent in the fields that are not tried; in others something of the right kind."""

SIMPLE = {"string": "x", "integer": 1, "number": 1, "boolean": True, "object": {}, None: "x"}


class Described:
    """The description of the interface."""

    def __init__(self) -> None:
        self.all = yaml.safe_load(DESCRIPTION.read_text())

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Path, method and what is described of it; rows are number 1, and others the only ones there are."""
        for path, methods in self.all["paths"].items():
            for method, operation in methods.items():
                yield path.replace("{key}", "late").replace("{name}", "x"), method, operation

    def resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema itself where it is a reference to one, or one of several."""
        for inner in (*schema.get("allOf", ()), *schema.get("oneOf", ())):
            return self.resolved(inner)
        if "$ref" in schema:
            return self.resolved(self.all["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
        return schema

    def good(self, schema: dict[str, Any], name: str = "") -> Any:
        """A value of a schema."""
        schema = self.resolved(schema)
        if name in GOOD:
            return GOOD[name]
        if schema.get("enum"):
            return next(value for value in schema["enum"] if value is not None)
        if schema.get("type") == "array":
            return [self.good(schema["items"])]
        if "properties" in schema:
            return {name: self.good(inner, name) for name, inner in schema["properties"].items()}
        return SIMPLE[schema.get("type")]


def spoiled(value: Any, bad: Any) -> Iterator[Any]:
    """The value, with each thing in it in turn replaced, down to the last."""
    yield bad
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from (value | {name: other} for other in spoiled(inner, bad))
    elif isinstance(value, list):
        yield from ([other] for inner in value for other in spoiled(inner, bad))


@pytest.fixture
def described(client: Client) -> Described:
    client.force_login(whole_library())
    client.raise_request_exception = False
    return Described()


def test_no_field_breaks(client: Client, described: Described) -> None:
    broken, tried = [], 0
    for path, method, operation in described.operations():
        for content in operation.get("requestBody", {}).get("content", {}).values():
            body = described.good(content["schema"])
            for bad in BAD:
                for sent in spoiled(body, bad):
                    tried += 1
                    with nothing_happened():
                        answer = getattr(client, method)(
                            path.replace("{id}", "1"),
                            json.dumps(sent),
                            content_type="application/json",
                        )
                    if answer.status_code >= 500:
                        broken.append((method, path, repr(sent)[:200]))
    assert broken == []
    assert tried > 1000


def test_no_parameter_breaks(client: Client, described: Described) -> None:
    broken = [
        (path, parameter["name"], bad[:20])
        for path, method, operation in described.operations()
        for parameter in operation.get("parameters", ())
        if method == "get" and parameter["in"] == "query"
        for bad in BAD_IN_ADDRESSES
        if client.get(path.replace("{id}", "1"), {parameter["name"]: bad}).status_code >= 500
    ]
    assert broken == []


def test_what_is_no_object_is_refused(client: Client, described: Described) -> None:
    answers = {
        (method, path, body[:9]): getattr(client, method)(
            path.replace("{id}", "1"), body, content_type="application/json"
        ).status_code
        for path, method, operation in described.operations()
        if "requestBody" in operation
        for body in NO_OBJECTS
    }
    assert {asked: status for asked, status in answers.items() if not 400 <= status < 500} == {}
