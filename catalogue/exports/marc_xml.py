"""A MARC record as XML: MARC 21 as MARCXML (the Library of Congress's slim schema), UNIMARC as marcxchange
(ISO 25577). Text is escaped here; its control characters are gone already.
"""

from xml.sax.saxutils import escape, quoteattr

from catalogue.marc import Dialect, MarcField, MarcRecord

NAMESPACES = {
    Dialect.MARC21: "http://www.loc.gov/MARC21/slim",
    Dialect.UNIMARC: "info:lc/xmlns/marcxchange-v2",
}
TAIL = "</collection>\n"


def head(dialect: Dialect) -> str:
    """What a file begins with."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<collection xmlns="{NAMESPACES[dialect]}">\n'


def write(record: MarcRecord, dialect: Dialect, *, is_alone: bool = False) -> str:
    """One record; one that is alone says its namespace itself, for an envelope of another protocol."""
    kind = ' format="UNIMARC" type="Bibliographic"' if dialect is Dialect.UNIMARC else ""
    space = f' xmlns="{NAMESPACES[dialect]}"' if is_alone else ""
    lines = [f"<record{space}{kind}>", f"<leader>{_leader(record, dialect)}</leader>"]
    lines += [_control(one) for one in record.fields if not one.subfields]
    lines += [_data(one) for one in record.fields if one.subfields]
    return "\n".join([*lines, "</record>\n"])


def _leader(record: MarcRecord, dialect: Dialect) -> str:
    """Lengths mean nothing in XML; schemas want digits or blanks in their places."""
    rest = record.leader[17:] if dialect is Dialect.MARC21 else record.leader[17:20] + "450 "
    return escape(f"00000{record.leader[5:12]}00000{rest}")


def _control(one: MarcField) -> str:
    return f"<controlfield tag={quoteattr(one.tag)}>{escape(one.data)}</controlfield>"


def _data(one: MarcField) -> str:
    first, second = (quoteattr(mark) for mark in one.indicators)
    inside = "".join(
        f"<subfield code={quoteattr(code)}>{escape(value)}</subfield>" for code, value in one.subfields
    )
    return f"<datafield tag={quoteattr(one.tag)} ind1={first} ind2={second}>{inside}</datafield>"
