"""Answers of OAI-PMH as XML (OAI-PMH.xsd). Only `lxml` writes marks, so nothing can break out of a text."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from lxml import etree

from catalogue.exports import fields, xml_forms
from catalogue.exports.library import Outgoing, of_game
from catalogue.exports.xml_forms import XSI
from catalogue.marc import Dialect
from catalogue.oai.listing import Item
from catalogue.oai.request import Refused, Request
from catalogue.oai.sets import Set
from catalogue.oai.site import Site
from catalogue.oai.tokens import Harvest, write

OAI = "http://www.openarchives.org/OAI/2.0/"
IDENTIFIER = "http://www.openarchives.org/OAI/2.0/oai-identifier"
GRANULARITY = "YYYY-MM-DDThh:mm:ssZ"
MIME = "text/xml; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Format:
    """A form of metadata: its namespace, its schema, and how a game becomes it."""

    namespace: str
    schema: str
    make: Callable[[Outgoing, str], etree._Element]


FORMATS = {
    "oai_dc": Format(
        xml_forms.OAI_DC.namespace,
        xml_forms.OAI_DC.schema,
        lambda out, address: xml_forms.dublin_core_element(out, xml_forms.OAI_DC, address=address),
    ),
    "marc21": Format(
        "http://www.loc.gov/MARC21/slim",
        "http://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd",
        lambda out, _address: xml_forms.marc_element(out, Dialect.MARC21),
    ),
    "unimarc": Format(
        "info:lc/xmlns/marcxchange-v2",
        "http://www.loc.gov/standards/iso25577/marcxchange-2-0.xsd",
        lambda out, _address: xml_forms.marc_element(out, Dialect.UNIMARC),
    ),
}


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands in every answer."""

    site: Site
    now: datetime

    def of(self, asked: Request | None, content: Iterable[etree._Element]) -> bytes:
        """The document; `asked` is None where the request was not understood, and is then not repeated."""
        root = etree.Element(f"{{{OAI}}}OAI-PMH", nsmap={None: OAI, "xsi": XSI})
        root.set(f"{{{XSI}}}schemaLocation", f"{OAI} {OAI}OAI-PMH.xsd")
        _add(root, "responseDate", moment(self.now))
        echo = _add(root, "request", self.site.address("oai"))
        if asked:
            echo.set("verb", asked.verb)
            for name, value in asked.arguments.items():
                echo.set(name, fields.text(value))
        root.extend(list(content))
        written: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
        return written


def moment(at: datetime) -> str:
    """A time as the protocol writes it, in whole seconds."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def error(refused: Refused) -> etree._Element:
    """Why there is no answer."""
    found = _make("error")
    found.set("code", refused.fault)
    found.text = fields.text(refused.message)
    return found


def identify(site: Site, earliest: datetime) -> etree._Element:
    """Who we are."""
    found = _make("Identify")
    for name, value in (
        ("repositoryName", settings.LIBRARY_NAME),
        ("baseURL", site.address("oai")),
        ("protocolVersion", "2.0"),
        ("adminEmail", site.mail),
        ("earliestDatestamp", moment(earliest)),
        ("deletedRecord", "persistent"),
        ("granularity", GRANULARITY),
    ):
        _add(found, name, value)
    _add(found, "description").append(_identifier_form(site))
    return found


def formats() -> etree._Element:
    """The forms in which every record can be had."""
    found = _make("ListMetadataFormats")
    for prefix, form in FORMATS.items():
        one = _add(found, "metadataFormat")
        _add(one, "metadataPrefix", prefix)
        _add(one, "schema", form.schema)
        _add(one, "metadataNamespace", form.namespace)
    return found


def sets(listed: Iterable[Set]) -> etree._Element:
    """The sets."""
    found = _make("ListSets")
    for one in listed:
        entry = _add(found, "set")
        _add(entry, "setSpec", one.spec)
        _add(entry, "setName", one.name)
    return found


def items(verb: str, shown: Iterable[Item], prefix: str, site: Site) -> etree._Element:
    """GetRecord, ListRecords, ListIdentifiers without their token."""
    found = _make(verb)
    for item in shown:
        found.append(_header(item, site) if verb == "ListIdentifiers" else _record(item, prefix, site))
    return found


def token(harvest: Harvest, *, delivered: int, has_more: bool) -> etree._Element:
    """Where the list goes on; empty on its last page. `harvest` is what the next page starts from."""
    found = _make("resumptionToken")
    found.set("completeListSize", str(max(harvest.size, harvest.cursor)))
    found.set("cursor", str(harvest.cursor - delivered))
    if has_more:
        found.set("expirationDate", moment(harvest.expires))
        found.text = write(harvest)
    return found


def _record(item: Item, prefix: str, site: Site) -> etree._Element:
    found = _make("record")
    found.append(_header(item, site))
    if item.game:
        made = FORMATS[prefix].make(of_game(item.game), site.address("game", item.number))
        _add(found, "metadata").append(made)
    return found


def _header(item: Item, site: Site) -> etree._Element:
    found = _make("header")
    if item.game is None:
        found.set("status", "deleted")
    _add(found, "identifier", site.identifier(item.number))
    _add(found, "datestamp", moment(item.changed_at))
    for spec in item.sets:
        _add(found, "setSpec", spec)
    return found


def _identifier_form(site: Site) -> etree._Element:
    """What our identifiers are made of (guideline "oai-identifier")."""
    found = etree.Element(f"{{{IDENTIFIER}}}oai-identifier", nsmap={None: IDENTIFIER, "xsi": XSI})
    found.set(f"{{{XSI}}}schemaLocation", f"{IDENTIFIER} {IDENTIFIER}.xsd")
    parts = (("scheme", "oai"), ("repositoryIdentifier", site.domain), ("delimiter", ":"))
    for name, value in (*parts, ("sampleIdentifier", site.identifier(1))):
        etree.SubElement(found, f"{{{IDENTIFIER}}}{name}").text = value
    return found


def _make(name: str) -> etree._Element:
    return etree.Element(f"{{{OAI}}}{name}")


def _add(parent: etree._Element, name: str, value: str = "") -> etree._Element:
    found = etree.SubElement(parent, f"{{{OAI}}}{name}")
    found.text = fields.text(value) or None
    return found
