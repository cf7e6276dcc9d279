"""A game as a MARC 21 record: the Library of Congress's fields, and each box as 852 and as Koha's 952.

Characters are UTF-8 (leader/09 a); no ISBD punctuation (leader/18 c).
"""

from collections.abc import Iterator

from catalogue.barcodes import read_product_code
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft
from catalogue.exports import fields
from catalogue.exports.fields import field
from catalogue.exports.library import Outgoing
from catalogue.imports import unimarc
from catalogue.imports.marc21 import RELATORS, TYPES
from catalogue.marc import MarcField, MarcRecord

KINDS = {words: code for kinds in (unimarc.TYPES, TYPES) for code, words in kinds.items() if code in TYPES}
OBJECT = "r"
AUTHORS = {"070", "245"}
PREFERRED = {"245": "dsr", "340": "edt"}  # of several codes that mean one of ours
CODES = {number: code for code, number in reversed(RELATORS.items())} | PREFERRED
CONDITIONS = {"withdrawn": "0", "lost": "1", "in_repair": "4", "not_for_loan": "7"}
RDA = (("336", "tdf", "rdacontent"), ("337", "n", "rdamedia"), ("338", "nr", "rdacarrier"))


def record_of(out: Outgoing, *, language: str, is_public: bool) -> MarcRecord:
    """The record; `language` is that of cataloguing. A public one says nothing that is for the desk."""
    kind = KINDS.get(out.game.document_type, OBJECT)
    found = [*_control(out, kind, language), *_description(out.game), *_notes(out.game, language)]
    found += [*_names(out.game), *_copies(out.copies, is_public=is_public)]
    if kind == OBJECT:
        found += [one for tag, code, source in RDA for one in field(tag, "  ", ("b", code), ("2", source))]
    leader = f"     n{kind}m a22".ljust(17) + " c 4500"
    return MarcRecord(leader, tuple(sorted(found, key=lambda one: one.tag)))


def _control(out: Outgoing, kind: str, language: str) -> Iterator[MarcField]:
    codes = fields.codes(out.game.languages)
    catalogued = fields.CODES.get(language, "eng")
    yield MarcField("001", data=str(out.number))
    yield MarcField("003", data="Ludotheca")
    yield MarcField("005", data=f"{out.changed_at:%Y%m%d%H%M%S}.0")
    published = f"s{out.game.year:04}    " if out.game.year else "nuuuuuuuu"
    middle = "nnn            g|" if kind == OBJECT else " " * 17
    first = codes[0] if codes else "und"
    yield MarcField("008", data=f"{out.made_at:%y%m%d}{published}xx {middle}{first} d")
    yield from field("040", "  ", ("a", "Ludotheca"), ("b", catalogued), ("c", "Ludotheca"))
    yield from field("041", "0 ", *(("a", code) for code in codes))


def _description(game: GameDraft) -> Iterator[MarcField]:
    yield from _codes(game)
    people = " ; ".join(dict.fromkeys(person.name for person in game.contributors))
    kind = f"[{game.document_type}]" if game.document_type and game.document_type not in KINDS else ""
    leads = "1" if any(person.role in AUTHORS for person in game.contributors) else "0"
    title = (("a", game.title), ("h", kind), ("b", game.subtitle), ("c", people))
    yield from field("245", f"{leads}0", *title)
    for other in game.alternative_titles:
        yield from field("246", "3 ", ("a", other))
    yield from field("250", "  ", ("a", game.edition))
    yield from _publishers(game)
    for category in game.categories:
        yield from field("655", " 7", ("a", category), ("2", "local"))
    for word in game.keywords:
        yield from field("653", "  ", ("a", word))


def _codes(game: GameDraft) -> Iterator[MarcField]:
    for printed in game.identifiers:
        kind = read_product_code(printed).kind
        if kind.startswith("isbn"):
            yield from field("020", "  ", ("a", printed))
        else:
            standard = {"ean13": "3", "ean8": "3", "upc": "1"}.get(kind, "8")
            yield from field("024", f"{standard} ", ("a", printed))


def _publishers(game: GameDraft) -> Iterator[MarcField]:
    year = str(game.year) if game.year else ""
    for publication in game.publications:
        yield from field("264", " 1", ("a", publication.place), ("b", publication.publisher), ("c", year))
        year = ""
    yield from field("264", " 1", ("c", year))


def _notes(game: GameDraft, language: str) -> Iterator[MarcField]:
    times = [minutes for minutes in (game.minutes_min, game.minutes_max) if minutes is not None]
    clocks = (f"{minutes // 60:02}{minutes % 60:02}00" for minutes in dict.fromkeys(times) if minutes < 6000)
    yield from field("306", "  ", *(("a", clock) for clock in clocks))
    for line in fields.lines(game.note):
        yield from field("500", "  ", ("a", line))
    for line in fields.audience(game, language):
        yield from field("521", "8 ", ("a", line))
    for part in fields.lines(" -- ".join(game.contents.split("\n"))):
        yield from field("505", "0 ", ("a", part))
    for line in fields.lines(game.principle):
        yield from field("520", "  ", ("a", line))


def _names(game: GameDraft) -> Iterator[MarcField]:
    has_first = False
    for person in game.contributors:
        is_first = person.role in AUTHORS and not has_first
        has_first = has_first or is_first
        yield from _person("100" if is_first else "700", person)


def _person(tag: str, person: ContributorDraft) -> Iterator[MarcField]:
    surname, first = fields.surname_and_first(person.name)
    name, turned = (f"{surname}, {first}", "1") if first and "," not in person.name else (person.name, "0")
    yield from field(tag, f"{turned} ", ("a", name), ("4", CODES.get(person.role, "")))


def _copies(copies: tuple[CopyDraft, ...], *, is_public: bool) -> Iterator[MarcField]:
    for copy in copies:
        lines = () if is_public else fields.lines(copy.note)
        notes = tuple(("x", line) for line in lines)
        place = (("b", copy.branch), ("c", copy.section), ("h", copy.call_number), ("p", copy.barcode))
        yield from field("852", "8 ", *place, *notes)
        state = CONDITIONS.get(copy.condition)
        koha = (("a", copy.branch), ("b", copy.branch), ("c", copy.section), ("o", copy.call_number))
        states = ((state, "1"),) if state else ()
        yield from field("952", "  ", *states, *koha, ("p", copy.barcode), *notes)
