"""What a UNIMARC record says of a game: the standard's fields, and those which PMB and Koha add.

IFLA, UNIMARC Manual, 3rd edition; the French recommendation 995 for copies; PMB's 900 (own fields), 996
(copies again) and 897 (documents). Pure functions from record to `Told`.
"""

import re
from collections.abc import Iterator

from catalogue import roles
from catalogue.draft import ContributorDraft, CopyDraft
from catalogue.imports import copies, told, values
from catalogue.imports.labels import Field
from catalogue.imports.told import Told
from catalogue.marc import MarcField, MarcRecord
from catalogue.text import fold, one_line

# Leader/06 in PMB's words, so that a page and an export of the same catalogue say the same.
TYPES = {
    "a": "texte imprimé",
    "b": "texte manuscrit",
    "c": "partition musicale imprimée",
    "d": "partition musicale manuscrite",
    "e": "document cartographique imprimé",
    "f": "document cartographique manuscrit",
    "g": "document projeté ou vidéo",
    "i": "enregistrement sonore non musical",
    "j": "enregistrement sonore musical",
    "k": "document graphique à deux dimensions",
    "l": "document électronique",
    "m": "document multimédia",
    "r": "objet à 3 dimensions, artefacts, ...",
}
PEOPLE = ("700", "701", "702", "710", "711", "712", "720", "721", "722")
OTHER_TITLES = ("510", "512", "513", "514", "515", "516", "517", "518", "540", "541")
NOTES = ("301", "302", "303", "304", "305", "306", "307", "310", "312", "313", "314", "316", "317", "320")
RAW_CELL = re.compile(r"^(\w+):(.*)$", re.DOTALL)  # PMB's 996 $9: a column of its table and what is in it


def tell(record: MarcRecord) -> Told:
    """All that the record says."""
    said = Told(language="fr", document_type=_type(record))
    for read in (
        _titles,
        _people,
        _publishers,
        _codes,
        _texts,
        _subjects,
        _description,
        _own_fields,
        _copies,
    ):
        read(record, said)
    return said


def _type(record: MarcRecord) -> str:
    printed = record.first("200", "b").strip(" []")
    return printed or TYPES.get(record.kind, "")


def _titles(record: MarcRecord, said: Told) -> None:
    for field in record.select("200"):
        if said.title:
            break
        titles = [told.unmarked(title) for title in field.values("a") if title.strip()]
        part = ", ".join(one_line(value) for value in field.values("hi") if value.strip())
        said.title = ". ".join(filter(None, [*titles[:1], part]))
        said.subtitle = " : ".join(map(told.unmarked, field.values("e")))
        said.alternative_titles += [*titles[1:], *map(one_line, field.values("cd"))]
    for field in record.select(*OTHER_TITLES):
        said.alternative_titles += map(one_line, field.values("a"))
    for field in record.select("454"):
        said.alternative_titles += map(one_line, field.values("t"))


def _people(record: MarcRecord, said: Told) -> None:
    for field in record.select(*PEOPLE):
        name = _name(field)
        if not told.is_nobody(name):
            found = field.values("4") or [""]
            said.contributors += [ContributorDraft(name, _role(code)) for code in found]
    if not said.contributors:
        printed = " ; ".join(record.first("200", code) for code in "fg")
        said.contributors += values.contributors(printed.strip(" ;"))


def _name(field: MarcField) -> str:
    """First name and surname; of a firm its name alone."""
    surname, first = one_line(field.first("a")), one_line(field.first("b"))
    if field.tag[1] != "0":
        return surname.strip(" ,")
    return f"{first.strip(' ,')} {surname.strip(' ,')}".strip()


def _role(code: str) -> str:
    """The code of a role that there is; some programs write the word."""
    code = code.strip()
    if code in roles.LABELS or code in roles.PMB_WORDS.values():
        return code
    return roles.role_of(code) or (code if re.fullmatch(r"\d{3}", code) and code != "000" else "")


def _publishers(record: MarcRecord, said: Told) -> None:
    """PMB says 210 and 214 alike: a publisher said twice is one."""
    fields = [
        field for field in record.select("210", "214", "219") if field.tag != "214" or _publishes(field)
    ]
    fields = fields or list(record.select("214"))
    for field in fields:
        pairs = told.paired(field.subfields, "a", "c")
        said.publications += told.publications(pairs)
        said.year = said.year or values.year_of(field.first("d"))
    said.edition = one_line(record.first("205", "a"))
    general = record.first("100", "a")
    if said.year is None and re.fullmatch(r"[a-k]\d{4}", general[8:13]):
        said.year = values.year_of(general[9:13])


def _publishes(field: MarcField) -> bool:
    return field.indicators[1] in " 0#|"


def _codes(record: MarcRecord, said: Told) -> None:
    for field in record.select("073", "010", "072"):
        said.identifiers += [one_line(code) for code in field.values("a") if code.strip()]
        said.note("price", field.first("d"))
    for field in record.select("071"):
        said.note("publisher number", field.first("a"), field.first("b"))
    said.languages += told.language_tags(code for field in record.select("101") for code in field.values("a"))


def _texts(record: MarcRecord, said: Told) -> None:
    lines = {
        Field.CONTENTS_NOTE: [line for field in record.select("327") for line in field.values("abcdefghi")],
        Field.SUMMARY: [line for field in record.select("330") for line in field.values("a")],
    }
    said.said |= {name: "\n".join(found).strip() for name, found in lines.items() if any(found)}
    for field in record.select("300", *NOTES):
        for text in field.values("a"):
            told.note(text, said)
    for field in record.select("333"):
        told.audience(field.first("a"), said)


def _subjects(record: MarcRecord, said: Told) -> None:
    for field in record.select("606", "608"):
        if any(value.startswith("uri:") for value in field.values("9")):
            said.note("concepts", field.first("a"))
        else:
            said.categories += filter(None, [" -- ".join(map(one_line, field.values("axyz")))])
    for field in record.select("686"):
        said.categories += filter(None, [one_line(" ".join(field.values("abcl")))])
    for field in record.select("610"):
        said.keywords += (word for value in field.values("a") for word in told.keywords(value))
    for field in record.select("676"):
        said.note("class", " ".join(field.values("al")))


def _description(record: MarcRecord, said: Told) -> None:
    for field in record.select("215"):
        for code, name in zip("acde", ("extent", "presentation", "size", "accompanying"), strict=True):
            said.note(name, " ; ".join(field.values(code)))
    _series(record, said)
    for field in record.select("856"):
        said.note("online", field.first("z"), field.first("u"))
    for field in record.select("897"):
        said.documents += [name for name in (field.first("f") or field.first("b"),) if name.strip()]


def _series(record: MarcRecord, said: Told) -> None:
    """PMB says a collection in 225 and again in 410; a sub-collection has 225 $i."""
    fields = list(record.select("225")) or list(record.select("410", "411"))
    for field in fields:
        title, number = field.first("a") or field.first("i") or field.first("t"), field.first("v")
        said.note("collection", title, f"num. {number}" if number and title else "")
    for field in record.select("461"):
        if "lnk:perio" not in field.values("9"):
            said.note("series", field.first("t"), field.first("v"))


def _own_fields(record: MarcRecord, said: Told) -> None:
    for field in record.select("900"):
        label, value = one_line(field.first("l")), field.first("a").strip()
        if label and value and not said.labelled(label, value):
            said.notes.append(f"{label} : {one_line(value)}")


# --- copies ------------------------------------------------------------------------------------


def _copies(record: MarcRecord, said: Told) -> None:
    """995 and PMB's 996 of one barcode are one box; so are two fields of one tag."""
    boxes: dict[str, list[MarcField]] = {}
    own = {one_line(field.first("f")): field for field in record.select("999") if field.first("l")}
    for field in record.select("995", "996"):
        barcode = one_line(field.first("f") or _cell(field, "expl_cb"))
        if barcode:
            boxes.setdefault(barcode, []).append(field)
        elif field.tag == "995" and any(value.strip() for value in field.values("kacde")):
            said.without_barcode.append(" ".join(map(one_line, field.values("kacde"))))
    for barcode, fields in boxes.items():
        extra = [field for field in record.select("999") if barcode in own and field.first("f") == barcode]
        said.copies.append(_copy(barcode, fields, extra))


def _copy(barcode: str, fields: list[MarcField], own: list[MarcField]) -> CopyDraft:
    pmb = [field for field in fields if field.tag == "996"]
    plain = [field for field in fields if field.tag == "995"]
    lines = [*_all(fields, "u"), *(_cell(field, "expl_comment") for field in pmb)]
    lines += [f"{field.first('l')} : {field.first('a')}" for field in own if field.first("a").strip()]
    return CopyDraft(
        barcode=barcode,
        call_number=next(_all(fields, "k"), ""),
        section=next(_all(pmb, "x"), "") or next(_all(plain, "e"), ""),
        branch=next(_all(pmb, "v"), "") or next((v for code in "dabc" for v in _all(plain, code)), ""),
        condition=_condition(pmb),
        note=told.copy_note(*lines),
    )


def _all(fields: list[MarcField], code: str) -> Iterator[str]:
    return (one_line(value) for field in fields for value in field.values(code) if value.strip())


def _cell(field: MarcField, name: str) -> str:
    cells = (RAW_CELL.match(value) for value in field.values("9"))
    return next((cell[2] for cell in cells if cell and cell[1] == name), "")


def _condition(pmb: list[MarcField]) -> str:
    """PMB's word for the state of the box, else whether it is lent at all."""
    word = fold(next(_all(pmb, "1"), ""))
    known = next((value for words, value in copies.CONDITIONS.items() if word.startswith(words)), None)
    if known:
        return known
    return "not_for_loan" if next(_all(pmb, "3"), "1") == "0" else "in_service"
