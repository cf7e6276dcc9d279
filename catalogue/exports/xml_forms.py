"""A public record as an XML element, for the envelopes of other protocols (OAI-PMH, SRU).

Public means: the standard's fields, and nothing that is for the desk.
"""

from dataclasses import dataclass

from django.conf import settings
from lxml import etree

from catalogue.exports import dublin_core, marc, marc_xml
from catalogue.exports.library import Outgoing
from catalogue.marc import Dialect

DC = "http://purl.org/dc/elements/1.1/"
XSI = "http://www.w3.org/2001/XMLSchema-instance"


@dataclass(frozen=True, slots=True)
class Envelope:
    """The element around Dublin Core, which differs from protocol to protocol."""

    name: str
    namespace: str
    schema: str = ""


OAI_DC = Envelope(
    "dc",
    "http://www.openarchives.org/OAI/2.0/oai_dc/",
    "http://www.openarchives.org/OAI/2.0/oai_dc.xsd",
)
SRW_DC = Envelope("dc", "info:srw/schema/1/dc-schema")


def marc_element(out: Outgoing, dialect: Dialect) -> etree._Element:
    """MARCXML for MARC 21, marcxchange for UNIMARC."""
    record = marc.record_of(out, dialect, language=settings.LANGUAGE_CODE[:2], is_public=True)
    return etree.fromstring(marc_xml.write(record, dialect, is_alone=True).encode())


def dublin_core_element(out: Outgoing, envelope: Envelope, *, address: str) -> etree._Element:
    """The fifteen elements in an envelope; `address` is that of the record's page."""
    spaces = {"oai_dc" if envelope is OAI_DC else "srw_dc": envelope.namespace, "dc": DC, "xsi": XSI}
    root = etree.Element(f"{{{envelope.namespace}}}{envelope.name}", nsmap=spaces)
    if envelope.schema:
        root.set(f"{{{XSI}}}schemaLocation", f"{envelope.namespace} {envelope.schema}")
    language = settings.LANGUAGE_CODE[:2]
    for name, value in dublin_core.statements(out, language=language, address=address):
        etree.SubElement(root, f"{{{DC}}}{name}").text = value
    return root
