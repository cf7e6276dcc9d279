"""Reading MARC in XML: MARCXML, marcxchange, PMB's own `<notice>`, and the records that other XML wraps (OAI,
SRU, Alma).

The text is cut into records before it is parsed, each parsed alone: a broken one loses only itself, memory
is that of one record, and no definition of an entity ever reaches the parser. Names count, namespaces do
not: files are met that declare one and use another.
"""

import codecs
import re
from collections.abc import Iterator
from html.entities import name2codepoint
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from catalogue.imports.charsets import clean
from catalogue.imports.iso2709 import Bytes, Chunk
from catalogue.marc import MarcField, MarcRecord

PIECE = 1 << 16
LARGEST = 4 * 1024 * 1024
START = re.compile(r"<((?:[\w.-]+:)?(?:record|notice))(?=[\s>])")
DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]{2,40})["']""")
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
PREFIX = re.compile(r"(?<=[\s<])(?!xmlns:|xml:)([A-Za-z_][\w.-]*):(?=[A-Za-z_])")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)(\w{2,10});")
ITEM = "ITM"  # the tag that Alma's <item_data> goes by here; its elements are the subfields
PMB_LEADER = ("rs", "dt", "bl", "hl")


class Broken(Exception):
    """One record is no XML; the text says where."""


def chunks(stream: Bytes) -> Iterator[Chunk]:
    """The records of a file as UTF-8. Broken bytes stay as they are, for the record to be refused."""
    text, waiting = _text(stream), ""
    for piece in text:
        waiting += piece
        while found := _first_record(waiting):
            record, waiting = found
            yield Chunk(record.encode("utf-8", "surrogateescape"))
        start = START.search(waiting)
        if start is None:
            waiting = waiting[-100:]
        elif len(waiting) - start.start() > LARGEST:
            yield Chunk(waiting[start.start() :][:PIECE].encode("utf-8", "surrogateescape"), is_whole=False)
            waiting = ""
    if start := START.search(waiting):
        yield Chunk(waiting[start.start() :].encode("utf-8", "surrogateescape"), is_whole=False)


def _first_record(text: str) -> tuple[str, str] | None:
    """The first innermost record, and what follows it: an envelope's own <record> holds the one we want."""
    start = START.search(text)
    if start is None:
        return None
    close = re.compile(rf"</{re.escape(start[1].rpartition(':')[2])}\s*>|</[\w.-]+:(?:record|notice)\s*>")
    end = close.search(text, start.end())
    if end is None:
        return None
    inner = start
    for again in START.finditer(text, start.end(), end.start()):
        inner = again
    return text[inner.start() : end.end()], text[end.end() :]


def _text(stream: Bytes) -> Iterator[str]:
    head = stream.read(PIECE)
    encoding = encoding_of(head)
    decoder = codecs.getincrementaldecoder(encoding)(
        "surrogateescape" if not encoding.startswith("utf-16") else "replace"
    )
    while head:
        yield decoder.decode(head)
        head = stream.read(PIECE)
    yield decoder.decode(b"", final=True)


def encoding_of(head: bytes) -> str:
    """What the file's first bytes say; a name that Python does not know is taken for UTF-8."""
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return encoding
    declared = DECLARED.search(head[:300])
    name = declared[1].decode("ascii").lower() if declared else "utf-8"
    try:
        return codecs.lookup(name).name if not name.startswith("utf-16") else "utf-8"
    except LookupError:
        return "utf-8"


def parse(data: bytes) -> MarcRecord | None:
    """The record of a chunk; None for an element that holds no MARC. Raises Broken and UnicodeError."""
    text = ENTITY.sub(_letter, CONTROL.sub("", data.decode("utf-8")))
    prefixes = " ".join(f'xmlns:{name}="urn:x"' for name in sorted(set(PREFIX.findall(text))))
    try:
        root = fromstring(f"<r {prefixes}>{text}</r>", forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError) as error:
        raise Broken(str(error)) from error
    record = root[0]
    fields = tuple(_fields(record))
    return MarcRecord(_leader(record), fields) if fields else None


def _letter(entity: re.Match[str]) -> str:
    """HTML's names for letters, which XML does not have; an unknown name stays and breaks the record."""
    code = name2codepoint.get(entity[1])
    return chr(code) if code else entity[0]


def _fields(record: Element) -> Iterator[MarcField]:
    for child in record:
        name = _name(child)
        tag = child.get("tag") or child.get("c") or ""
        if name == "controlfield" or (name == "f" and not len(child)):
            yield MarcField(tag, data=_said(child))
        elif name in {"datafield", "f"}:
            yield MarcField(tag, _indicators(child), _subfields(child))
        elif name == "holding_data":
            yield from (field for field in _fields(child) if field.tag.isdigit())
        elif name == "item_data":
            yield MarcField(ITEM, subfields=tuple((_name(one), _said(one)) for one in child))


def _indicators(field: Element) -> str:
    given = field.get("ind")
    if given is None:
        given = (field.get("ind1") or " ")[:1] + (field.get("ind2") or " ")[:1]
    return given[:2].ljust(2)


def _subfields(field: Element) -> tuple[tuple[str, str], ...]:
    found = ((one.get("code") or one.get("c") or "", _said(one)) for one in field)
    return tuple((code[:1], text) for code, text in found if code)


def _leader(record: Element) -> str:
    told = {_name(child): child for child in record}
    if "leader" in told:
        return (told["leader"].text or "").ljust(24)[:24]
    letters = "".join((_said(told[name]) or " ")[:1] if name in told else " " for name in PMB_LEADER)
    return f"     {letters}".ljust(20) + "450 "


def _name(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _said(element: Element) -> str:
    return clean("".join(element.itertext()))
