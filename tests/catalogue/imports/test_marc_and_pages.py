"""One library's page and its export say the same game: records of PMB pages, laid out as PMB exports them."""

from dataclasses import astuple, replace
from io import BytesIO
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from catalogue.draft import CopyDraft, RecordDraft
from catalogue.imports import marc, notices, pmb
from catalogue.imports.labels import Field
from catalogue.imports.meaning import FIRST_WORDS
from catalogue.imports.notices import Notice
from catalogue.imports.sniff import Format, sniff
from catalogue.imports.unimarc import TYPES

LETTERS = {words: letter for letter, words in TYPES.items()}
OWN = (
    *(Field.PLAYERS_MIN, Field.PLAYERS_MAX, Field.PLAYERS_AND_TIME, Field.AGE_MIN, Field.AGE_MAX),
    *(Field.MINUTES, Field.PRINCIPLE, Field.PEDAGOGY, Field.RULES, Field.CONTENTS),
)
CODES = {"fr": "fre", "de": "ger", "en": "eng"}
PAGES = [
    *("cases/pmb-constructed-coup-table", "cases/pmb-constructed-eclipse-runon"),
    *("cases/pmb-page-banana-runon", "cases/pmb-rendered-chili-dvd-runon"),
    *("cases/pmb-rendered-carte-table", "seeds/000_*", "seeds/002_*", "seeds/004_*"),
]


def field(tag: str, **subfields: str) -> str:
    inside = "".join(
        f'<s c="{code.strip("_")}">{escape(text)}</s>' for code, text in subfields.items() if text
    )
    return f'<f c="{tag}" ind="  ">{inside}</f>' if inside else ""


def exported(draft: RecordDraft, notice: Notice) -> bytes:
    """What PMB would export of the record that it shows so."""
    game, said = draft.game, notice.fields
    fields = [field("200", a=game.title, e=game.subtitle), field("205", a=game.edition)]
    fields += [field("101", a=CODES[tag]) for tag in game.languages]
    fields += [field("210", a=p.place, c=p.publisher, d=str(game.year or "")) for p in game.publications]
    fields += [field("010", a=code) for code in game.identifiers]
    notes = (("300", Field.NOTE), ("327", Field.CONTENTS_NOTE), ("330", Field.SUMMARY))
    fields += [field(tag, a=said.get(name, "")) for tag, name in notes]
    form = (Field.EXTENT, Field.PRESENTATION, Field.SIZE, Field.ACCOMPANYING)
    fields.append(field("215", **dict(zip("acde", (said.get(name, "") for name in form), strict=True))))
    fields += [field("606", a=category) for category in game.categories]
    fields.append(field("610", a=";".join(game.keywords)))
    for person in game.contributors:
        first, _blank, surname = person.name.rpartition(" ")
        fields.append(field("702", a=surname, b=first, _4=person.role))
    fields += [field("900", a=said.get(name, ""), l=FIRST_WORDS[name]) for name in OWN if said.get(name)]
    fields += [field("900", a=value, l=label) for label, value in notice.own]
    fields += [box for copy in draft.copies for box in boxes(copy)]
    letter = LETTERS.get(game.document_type, "r")
    return f"<unimarc><notice><dt>{letter}</dt>{''.join(fields)}</notice></unimarc>".encode()


def boxes(copy: CopyDraft) -> tuple[str, str]:
    lendable = "0" if copy.condition == "not_for_loan" else "1"
    own = field("996", f=copy.barcode, v=copy.branch, x=copy.section, _3=lendable)
    return field("995", f=copy.barcode, k=copy.call_number), own


@pytest.mark.parametrize("page", PAGES)
def test_a_page_and_an_export_say_the_same(shared: Path, page: str) -> None:
    (path,) = shared.glob(f"{page}.txt")
    found = sniff(path)
    assert found.format is Format.PMB
    drafts = [draft for draft in pmb.read(found.text) if isinstance(draft, RecordDraft)]
    for draft, notice in zip(drafts, notices.cut(found.text), strict=True):
        (record,) = marc.read_stream(BytesIO(exported(draft, notice)))
        assert isinstance(record, RecordDraft)
        assert record.game == replace(draft.game, document_type=draft.game.document_type or TYPES["r"])
        assert [astuple(box)[:5] for box in record.copies] == [astuple(box)[:5] for box in draft.copies]
        assert [text.revisions for text in record.rules] == [text.revisions for text in draft.rules]
