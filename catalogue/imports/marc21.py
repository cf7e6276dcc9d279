"""What a MARC 21 record says of a game: the standard's fields, the copies of Koha (952), Evergreen (852) and
Alma (<item_data>), and labelled notes as toy libraries write them.

Library of Congress, MARC 21 Format for Bibliographic Data. Pure functions from record to `Told`.
"""

import re

from catalogue import languages, roles
from catalogue.draft import ContributorDraft, CopyDraft
from catalogue.imports import told, unimarc, values
from catalogue.imports.labels import Field
from catalogue.imports.marc_xml import ITEM
from catalogue.imports.told import NOTE_WORDS, Told, bare
from catalogue.marc import MarcField, MarcRecord
from catalogue.text import fold, one_line

TYPES = {
    "a": "text",
    "c": "notated music",
    "d": "manuscript music",
    "e": "map",
    "f": "manuscript map",
    "g": "film or video",
    "i": "spoken sound recording",
    "j": "music recording",
    "k": "picture",
    "m": "computer file",
    "o": "kit",
    "p": "mixed materials",
    "r": "three-dimensional object",
    "t": "manuscript text",
}
# MARC relator codes (and words of $e) in UNIMARC's numbers.
RELATORS = {
    "act": "005", "adp": "010", "art": "040", "aui": "080", "aut": "070", "ccp": "245", "cmp": "230",
    "cnd": "250", "cre": "245", "ctb": "205", "drt": "300", "dsr": "245", "edt": "340", "egr": "350",
    "grt": "410", "ill": "440", "inv": "245", "mus": "545", "nrt": "550", "oth": "570", "pbd": "651",
    "pbl": "650", "pht": "600", "prf": "590", "pro": "630", "red": "340", "scl": "705", "sce": "690",
    "trl": "730",
}  # fmt: skip
WORDS = {
    "author": "070", "artist": "040", "illustrator": "440", "designer": "245", "game designer": "245",
    "creator": "245", "editor": "340", "translator": "730", "photographer": "600", "publisher": "650",
    "autor": "070", "autorin": "070", "verfasser": "070", "ubersetzer": "730", "ilustrador": "440",
    "traductor": "730", "spieleautor": "070", "game developer": "245", "disenador": "245",
}  # fmt: skip
PEOPLE = ("100", "110", "111", "700", "710", "711", "720")
OTHER_TITLES = ("130", "240", "246", "247", "740")
SUBJECTS = ("650", "653", "651")
QUOTED = re.compile(r"\[([^\[\]{}]+)\]\s*$")  # a role left behind a program's table
QUALIFIER = re.compile(r"\s*[(:].*$")
PLAYING_TIME = re.compile(r"^(\d{2})(\d{2})(\d{2})$")
ALMA_NOTES = {"fr": ("Prix", "Date d'entrée"), "de": ("Preis", "Eingang"), "es": ("Precio", "Entrada")}
# What Evergreen says in notes of 852 about every copy.
EVERGREEN_STATES = {
    *("nonreference", "reference", "holdable", "unholdable", "circulating", "noncirculating"),
    *("visible", "hidden", "available"),
}
BARCODES = {"952": "p", "852": "p", "876": "p"}


def tell(record: MarcRecord) -> Told:
    """All that the record says."""
    said = Told(language=_language(record), document_type=_type(record))
    for read in (_titles, _people, _publishers, _codes, _texts, _subjects, _description, _copies):
        read(record, said)
    return said


def _language(record: MarcRecord) -> str:
    """The language of the notes: that of cataloguing, else the record's first."""
    codes = [record.first("040", "b"), record.first("041", "a"), record.control("008")[35:38]]
    tags = (languages.normal(values.LANGUAGES.get(code[:3], code[:3] or "-")) for code in codes)
    return next((tag for tag in tags if tag in NOTE_WORDS), "en")


def _type(record: MarcRecord) -> str:
    words = unimarc.TYPES if _language(record) == "fr" else TYPES
    return record.first("245", "h").strip(" []/:;=") or words.get(record.kind) or TYPES.get(record.kind, "")


def _titles(record: MarcRecord, said: Told) -> None:
    for field in record.select("245"):
        if said.title:
            break
        marks = [code for code, value in field.subfields if value.rstrip().endswith("=")]
        part = ", ".join(filter(None, map(bare, field.values("np"))))
        said.title = ". ".join(filter(None, [bare(field.first("a")), part]))
        rest = [bare(value) for value in field.values("b") if value.strip(" .:/;=")]
        if marks:
            said.alternative_titles += rest
        else:
            said.subtitle = " : ".join(rest)
    for field in record.select(*OTHER_TITLES):
        said.alternative_titles += filter(None, (bare(value) for value in field.values("a")))
    for field in record.select("880"):  # the title in another script
        if field.first("6").startswith("245"):
            said.alternative_titles += filter(None, [bare(field.first("a"))])
    said.alternative_titles = [title for title in said.alternative_titles if title != said.title]


# --- people and firms --------------------------------------------------------------------------


def _people(record: MarcRecord, said: Told) -> None:
    for field in record.select(*PEOPLE):
        name = _name(field)
        if field.first("t") or told.is_nobody(name):
            continue  # a work that is named, not a part in this one
        found = list(dict.fromkeys(_roles(field))) or [""]
        said.contributors += [ContributorDraft(name, role) for role in found]


def _name(field: MarcField) -> str:
    """`Staupe, Reinhard` -> `Reinhard Staupe`; a firm, or a name that is not turned round, as it is."""
    printed = re.sub(r"\s*,\s*$", "", one_line(field.first("a")))
    printed = re.sub(r"(?<=[^\W\d_]{2})\.$", "", printed)
    surname, comma, first = printed.partition(",")
    if field.tag[1:] != "00" or field.indicators[0] == "0" or not comma or "," in first:
        return printed
    first = "" if told.is_nobody(first) else first.strip()
    return f"{first} {surname.strip()}".strip()


def _roles(field: MarcField) -> list[str]:
    codes = [_role(code) for code in field.values("4")]
    words = [_role(word) for word in field.values("e" if field.tag[1:] != "11" else "j")]
    return [role for role in codes + words if role]


def _role(printed: str) -> str:
    """A code, the address of one, a word, or the last word of a program's table that came in its place."""
    quoted = QUOTED.search(printed) if "{" in printed else None
    word = fold(quoted[1] if quoted else printed).strip(" .,'\"").rpartition("/")[2]
    if word in RELATORS:
        return RELATORS[word]
    return WORDS.get(word) or roles.role_of(word) or (word if word in roles.LABELS else "")


def _publishers(record: MarcRecord, said: Told) -> None:
    fields = [f for f in record.select("260", "264") if f.tag == "260" or f.indicators[1] == "1"]
    fields = fields or list(record.select("264"))
    for field in fields:
        said.publications += told.publications(told.paired(field.subfields, "a", "b"))
        said.year = said.year or values.year_of(field.first("c"))
    said.edition = bare(record.first("250", "a"))
    dates = record.control("008")
    if said.year is None and dates[6:7] in "strcpqmdeik" and dates[7:11].isdigit():
        said.year = values.year_of(dates[7:11])


def _codes(record: MarcRecord, said: Told) -> None:
    for field in record.select("024"):
        if field.indicators[0] in "13":
            said.identifiers += [one_line(code) for code in field.values("a") if code.strip()]
    for field in record.select("020"):
        said.identifiers += filter(None, (QUALIFIER.sub("", one_line(code)) for code in field.values("a")))
    for field in record.select("028"):
        said.note("publisher number", field.first("a"), field.first("b"))
    said.languages += told.language_tags(code for field in record.select("041") for code in field.values("a"))
    if not said.languages:
        said.languages += told.language_tags([record.control("008")[35:38]])


# --- texts -------------------------------------------------------------------------------------


def _texts(record: MarcRecord, said: Told) -> None:
    parts = [part for field in record.select("505") for part in _contents(field)]
    said.said |= {Field.CONTENTS_NOTE: "\n".join(parts)} if parts else {}
    summary = "\n".join(text.strip() for field in record.select("520") for text in field.values("ab"))
    said.said |= {Field.SUMMARY: summary} if summary.strip() else {}
    for field in record.select("500", "546", "586"):
        for text in field.values("a"):
            told.note(text, said)
    for field in record.select("521"):
        for text in field.values("a"):
            told.audience(text, said)
    times = [PLAYING_TIME.match(text.strip()) for field in record.select("306") for text in field.values("a")]
    minutes = [int(t[1]) * 60 + int(t[2]) for t in times if t]
    if minutes and sum(minutes):
        said.said.setdefault(Field.MINUTES, "-".join(str(m) for m in sorted({minutes[0], minutes[-1]})))


def _contents(field: MarcField) -> list[str]:
    """The pieces, one a line."""
    text = " ".join(value for _code, value in field.subfields if _code in "agrt")
    return [part for part in (one_line(part) for part in re.split(r"\s*--\s*", text)) if part]


def _subjects(record: MarcRecord, said: Told) -> None:
    for field in record.select("655"):
        said.categories += filter(None, [bare(field.first("a"))])
    for field in record.select("985"):  # class of the libraries of western Switzerland, a field of their own
        if field.first("b") and field.first("9") == "local":
            said.categories.append(one_line(f"{field.first('a')} {field.first('b')}"))
    for field in record.select(*SUBJECTS):
        said.keywords += filter(None, [" -- ".join(filter(None, map(bare, field.values("axvyz"))))])
    for field in record.select("082", "084"):
        said.note("class", field.first("a"))


def _description(record: MarcRecord, said: Told) -> None:
    for field in record.select("300"):
        for code, name in zip("abce", ("extent", "presentation", "size", "accompanying"), strict=True):
            said.note(name, " ; ".join(filter(None, (_piece(value) for value in field.values(code)))))
    for field in record.select("490", "440"):
        said.note("collection", bare(field.first("a")), field.first("v"))
    for field in record.select("090", "099"):
        said.note("call number", *field.values("ab"))
    for field in record.select("856"):
        said.note("online", field.first("z") or field.first("3") or field.first("y"), field.first("u"))


def _piece(value: str) -> str:
    return bare(value).lstrip("+ ").strip()


# --- copies ------------------------------------------------------------------------------------


def _copies(record: MarcRecord, said: Told) -> None:
    boxes: dict[str, CopyDraft] = {}
    for field in record.select(ITEM):
        item = dict(field.subfields)
        if barcode := one_line(item.get("barcode", "")):
            boxes.setdefault(barcode, _alma(barcode, item, record.first("852", "b"), said.language))
    for field in record.select(*BARCODES):
        barcode = one_line(field.first(BARCODES[field.tag]))
        if barcode:
            boxes.setdefault(
                barcode, _koha(barcode, field) if field.tag == "952" else _holding(barcode, field)
            )
        elif field.tag == "952" and any(value.strip() for value in field.values("oabc")):
            said.without_barcode.append(" ".join(map(one_line, field.values("oabc"))))
    if not boxes:
        for field in record.select("852"):
            said.note("call number", *field.values("khijm"))
    said.copies += boxes.values()


def _koha(barcode: str, field: MarcField) -> CopyDraft:
    return CopyDraft(
        barcode=barcode,
        call_number=one_line(field.first("o")),
        section=one_line(field.first("c") or field.first("8")),
        branch=one_line(field.first("a") or field.first("b")),
        condition=_koha_condition(field),
        note=told.copy_note(*field.values("zx")),
    )


def _koha_condition(field: MarcField) -> str:
    states = (("0", "withdrawn"), ("1", "lost"), ("4", "in_repair"), ("7", "not_for_loan"))
    return next((name for code, name in states if field.first(code).strip() not in {"", "0"}), "in_service")


def _holding(barcode: str, field: MarcField) -> CopyDraft:
    return CopyDraft(
        barcode=barcode,
        call_number=one_line(" ".join(field.values("khijm"))) if field.tag == "852" else "",
        section=one_line(field.first("c")) if field.tag == "852" else "",
        branch=one_line(field.first("b")) if field.tag == "852" else "",
        condition="not_for_loan" if "noncirculating" in field.values("x") else "in_service",
        note=told.copy_note(*(line for line in field.values("zx") if line.lower() not in EVERGREEN_STATES)),
    )


def _alma(barcode: str, item: dict[str, str], branch: str, language: str) -> CopyDraft:
    """What the desk should know first, then the rest; prices and dates have no column of their own."""
    price, arrival = ALMA_NOTES.get(language, ("Price", "Received"))
    lines = [item.get("fulfillment_note", ""), item.get("public_note", "")]
    lines += [item.get(f"internal_note_{number}", "") for number in (1, 2, 3)]
    lines += [f"{price} : {item['inventory_price']}" if item.get("inventory_price") else ""]
    lines += [f"{arrival} : {item['arrival_date']}" if item.get("arrival_date") else ""]
    return CopyDraft(
        barcode=barcode,
        call_number=one_line(item.get("alternative_call_number") or item.get("item_call_number", "")),
        section=one_line(item.get("item_location", "")),
        branch=one_line(branch),
        note=told.copy_note(*lines),
    )
