"""What every operation of the API may answer, said once for all of them in its OpenAPI description.

Called by drf-spectacular (see the settings) when the description is made. What an operation answers of its
own it says itself; nothing that it has said is changed here.
"""

from collections.abc import Iterator
from typing import Any

DETAIL = {
    "type": "object",
    "description": "Why not, in the language of the request.",
    "properties": {"detail": {"type": "string"}},
    "required": ["detail"],
}
PROBLEMS = {
    "description": "What is wrong with what was sent: by field, or (in a list) with all of it.",
    "oneOf": [{"type": "object", "additionalProperties": {}}, {"type": "array", "items": {}}],
}
METHODS = {"get", "post", "put", "patch", "delete"}


def say_common_answers(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Add the answers that the framework gives on behalf of every operation."""
    result["components"]["schemas"] |= {"Detail": DETAIL, "Problems": PROBLEMS}
    for path, operations in result["paths"].items():
        for method in METHODS & set(operations):
            operation = operations[method]
            for code, shape, words in _common(path, operation):
                content = {"application/json": {"schema": {"$ref": f"#/components/schemas/{shape}"}}}
                operation["responses"].setdefault(code, {"content": content, "description": words})
    return result


def _common(path: str, operation: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    yield "400", "Problems", "What was sent cannot be read."
    if {} not in operation.get("security", [{}]):
        yield "401", "Detail", "Nobody is signed in, or not with this password."
        yield "403", "Detail", "The permission for it is missing."
    if "{" in path:
        yield "404", "Reason", "There is no such row."
    if "requestBody" in operation:
        yield "415", "Detail", "The body is not JSON."
    yield "406", "Detail", "Only JSON is answered."
