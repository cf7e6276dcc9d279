"""The parameters of a request, read or refused (SRU 1.1 and 1.2)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from catalogue.sru.diagnostics import Diagnostic, Refused

VERSIONS = ("1.1", "1.2")
DEFAULT, MOST = 10, 50
LATEST = 10**9
SCHEMAS = {
    "marcxml": "info:srw/schema/1/marcxml-v1.1",
    "unimarcxml": "info:lc/xmlns/marcxchange-v2",
    "dc": "info:srw/schema/1/dc-v1.1",
}
KNOWN = {
    *("operation", "version", "query", "startRecord", "maximumRecords", "recordPacking", "recordSchema"),
    *("stylesheet", "resultSetTTL", "sortKeys", "extraRequestData"),
}
NUMBER = re.compile(r"[0-9]{1,10}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Search:
    """A search that can be done; `schema` is the short name of one of `SCHEMAS`."""

    version: str
    query: str
    start: int
    most: int
    schema: str
    is_string: bool


def version(given: Mapping[str, str]) -> str:
    """The version to answer in; the newest where none is said. Raises Refused."""
    asked = given.get("version") or VERSIONS[-1]
    if asked not in VERSIONS:
        raise Refused(Diagnostic.UNSUPPORTED_VERSION, VERSIONS[-1])
    return asked


def operation(given: Mapping[str, str]) -> str:
    """What is to be done: explain where nothing is said. Raises Refused."""
    asked = given.get("operation") or ("searchRetrieve" if given.get("query") else "explain")
    if asked not in {"explain", "searchRetrieve"}:
        raise Refused(Diagnostic.UNSUPPORTED_OPERATION, asked)
    return asked


def search(given: Mapping[str, str]) -> Search:
    """A searchRetrieve. Raises Refused."""
    for name in given:
        if name not in KNOWN and not name.startswith("x-"):
            raise Refused(Diagnostic.UNSUPPORTED_PARAMETER, name)
    if "query" not in given:
        raise Refused(Diagnostic.MISSING_PARAMETER, "query")
    if given.get("sortKeys"):
        raise Refused(Diagnostic.UNSUPPORTED_SORT, "sortKeys: write sortby in the query")
    packing = given.get("recordPacking") or "xml"
    if packing not in {"xml", "string"}:
        raise Refused(Diagnostic.UNSUPPORTED_PACKING, packing)
    return Search(
        version=version(given),
        query=given["query"],
        start=_number(given, "startRecord", 1, least=1),
        most=min(_number(given, "maximumRecords", DEFAULT, least=0), MOST),
        schema=_schema(given.get("recordSchema") or "marcxml"),
        is_string=packing == "string",
    )


def _schema(asked: str) -> str:
    for name, uri in SCHEMAS.items():
        if asked in {name, uri}:
            return name
    raise Refused(Diagnostic.UNKNOWN_SCHEMA, asked)


def _number(given: Mapping[str, str], name: str, otherwise: int, *, least: int) -> int:
    value = given.get(name, "")
    if not value:
        return otherwise
    if not NUMBER.fullmatch(value) or not least <= int(value) <= LATEST:
        raise Refused(Diagnostic.UNSUPPORTED_VALUE, name)
    return int(value)
