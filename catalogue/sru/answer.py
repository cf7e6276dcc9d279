"""Answers of SRU as XML: explain (ZeeRex 2.0), searchRetrieve, diagnostics."""

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from lxml import etree

from catalogue.exports import fields, xml_forms
from catalogue.exports.library import Outgoing
from catalogue.marc import Dialect
from catalogue.oai.site import Site
from catalogue.sru.diagnostics import MESSAGES, Refused
from catalogue.sru.indexes import INDEXES
from catalogue.sru.request import DEFAULT, MOST, SCHEMAS, Search

SRU = "http://www.loc.gov/zing/srw/"
DIAGNOSTIC = "http://www.loc.gov/zing/srw/diagnostic/"
ZEEREX = "http://explain.z3950.org/dtd/2.0/"
CONTEXTS = {
    "cql": "info:srw/cql-context-set/1/cql-v1.2",
    "dc": "info:srw/cql-context-set/1/dc-v1.1",
    "bib": "info:srw/cql-context-set/1/bib-v1",
    "bath": "http://zing.z3950.org/cql/bath/2.0/",
    "rec": "info:srw/cql-context-set/2/rec-1.1",
}


@dataclass(frozen=True, slots=True)
class Found:
    """A page of a search: how many there are, and those that are shown."""

    total: int
    shown: tuple[Outgoing, ...]


def results(search: Search, found: Found, site: Site) -> bytes:
    """What a search found."""
    root = _response("searchRetrieveResponse", search.version)
    _add(root, SRU, "numberOfRecords", str(found.total))
    if found.shown:
        records = _add(root, SRU, "records")
        for position, out in enumerate(found.shown, search.start):
            _record(records, search, _element(out, search.schema, site), position)
    after = search.start + len(found.shown)
    if found.shown and after <= found.total:
        _add(root, SRU, "nextRecordPosition", str(after))
    return _written(root)


def refusal(refused: Refused, version: str, operation: str, total: int = 0) -> bytes:
    """Why there is no answer."""
    root = _response(f"{operation}Response", version)
    if operation == "searchRetrieve":
        _add(root, SRU, "numberOfRecords", str(total))
    else:
        _explained(root, etree.Element(f"{{{ZEEREX}}}explain", nsmap={None: ZEEREX}))
    one = _add(_add(root, SRU, "diagnostics"), DIAGNOSTIC, "diagnostic")
    _add(one, DIAGNOSTIC, "uri", refused.diagnostic.uri)
    _add(one, DIAGNOSTIC, "details", refused.details)
    _add(one, DIAGNOSTIC, "message", MESSAGES[refused.diagnostic])
    return _written(root)


def explain(version: str, site: Site) -> bytes:
    """What can be asked here."""
    root = _response("explainResponse", version)
    told = etree.Element(f"{{{ZEEREX}}}explain", nsmap={None: ZEEREX})
    _server(told, version, site)
    info = _add(told, ZEEREX, "databaseInfo")
    _add(info, ZEEREX, "title", settings.LIBRARY_NAME).set("primary", "true")
    _indexes(told)
    schemas = _add(told, ZEEREX, "schemaInfo")
    for name, uri in SCHEMAS.items():
        one = _add(schemas, ZEEREX, "schema")
        one.set("identifier", uri)
        one.set("name", name)
        _add(one, ZEEREX, "title", name)
    config = _add(told, ZEEREX, "configInfo")
    for kind, value in (("numberOfRecords", DEFAULT), ("retrieveSchema", "marcxml")):
        _add(config, ZEEREX, "default", str(value)).set("type", kind)
    _add(config, ZEEREX, "setting", str(MOST)).set("type", "maximumRecords")
    _explained(root, told)
    return _written(root)


def _server(told: etree._Element, version: str, site: Site) -> None:
    at = urlsplit(site.address("sru"))
    server = _add(told, ZEEREX, "serverInfo")
    server.set("protocol", "SRU")
    server.set("version", version)
    _add(server, ZEEREX, "host", at.hostname or "")
    _add(server, ZEEREX, "port", str(at.port or (443 if at.scheme == "https" else 80)))
    _add(server, ZEEREX, "database", at.path.lstrip("/"))


def _indexes(told: etree._Element) -> None:
    info = _add(told, ZEEREX, "indexInfo")
    for name, uri in CONTEXTS.items():
        one = _add(info, ZEEREX, "set")
        one.set("name", name)
        one.set("identifier", uri)
    for index in INDEXES:
        one = _add(info, ZEEREX, "index")
        _add(one, ZEEREX, "title", index.title)
        for full in index.names:
            context, _, name = full.rpartition(".")
            shown = _add(_add(one, ZEEREX, "map"), ZEEREX, "name", name)
            if context:
                shown.set("set", context)


def _element(out: Outgoing, schema: str, site: Site) -> etree._Element:
    if schema == "dc":
        address = site.address("game", out.number)
        return xml_forms.dublin_core_element(out, xml_forms.SRW_DC, address=address)
    return xml_forms.marc_element(out, Dialect.MARC21 if schema == "marcxml" else Dialect.UNIMARC)


def _record(parent: etree._Element, search: Search, made: etree._Element, position: int) -> None:
    record = _add(parent, SRU, "record")
    _add(record, SRU, "recordSchema", SCHEMAS[search.schema])
    _add(record, SRU, "recordPacking", "string" if search.is_string else "xml")
    data = _add(record, SRU, "recordData")
    if search.is_string:
        data.text = etree.tostring(made, encoding="unicode")
    else:
        data.append(made)
    _add(record, SRU, "recordPosition", str(position))


def _explained(root: etree._Element, told: etree._Element) -> None:
    record = _add(root, SRU, "record")
    _add(record, SRU, "recordSchema", ZEEREX)
    _add(record, SRU, "recordPacking", "xml")
    _add(record, SRU, "recordData").append(told)


def _response(name: str, version: str) -> etree._Element:
    root = etree.Element(f"{{{SRU}}}{name}", nsmap={"zs": SRU})
    _add(root, SRU, "version", version)
    return root


def _add(parent: etree._Element, space: str, name: str, value: str = "") -> etree._Element:
    spaces = {None: space} if space == DIAGNOSTIC else None
    found = etree.SubElement(parent, f"{{{space}}}{name}", nsmap=spaces)
    found.text = fields.text(value) or None
    return found


def _written(root: etree._Element) -> bytes:
    written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return written
