"""A game as a UNIMARC record: the standard's fields, 995 for each box, and 900 for what PMB calls own fields.

IFLA, UNIMARC Manual, 3rd edition; recommendation 995. UTF-8, as 100 $a says; leader/09 is blank.
"""

from collections.abc import Iterator

from catalogue.barcodes import read_product_code
from catalogue.draft import ContributorDraft, CopyDraft, GameDraft
from catalogue.exports import fields
from catalogue.exports.fields import field
from catalogue.exports.library import Outgoing
from catalogue.imports.unimarc import TYPES
from catalogue.imports.values import MONTHS_A_YEAR
from catalogue.marc import MarcField, MarcRecord

KINDS = {words: code for code, words in TYPES.items()}
OBJECT = "r"
AUTHORS = {"070", "245"}


def record_of(out: Outgoing, *, language: str, is_public: bool) -> MarcRecord:
    """The record; `language` is that of cataloguing. A public one says nothing that is for the desk."""
    found = [*_control(out, language), *_description(out.game, language), *_names(out.game)]
    found += [*_origin(out), *_own(out.game), *_copies(out.copies, is_public=is_public)]
    kind = KINDS.get(out.game.document_type, OBJECT)
    leader = f"     n{kind}m  22".ljust(20) + "450 "
    return MarcRecord(leader, tuple(sorted(found, key=lambda one: one.tag)))


def _control(out: Outgoing, language: str) -> Iterator[MarcField]:
    game = out.game
    yield MarcField("001", data=str(out.number))
    yield MarcField("005", data=f"{out.changed_at:%Y%m%d%H%M%S}.0")
    published = f"d{game.year:04}    " if game.year else "u        "
    catalogued = fields.CODES.get(language, "fre")
    yield from field("100", "  ", ("a", f"{out.made_at:%Y%m%d}{published}u  y0{catalogued}y50      ba"))
    yield from field("101", "0 ", *(("a", code) for code in fields.codes(game.languages)))


def _description(game: GameDraft, language: str) -> Iterator[MarcField]:
    yield from _codes(game)
    people = " ; ".join(dict.fromkeys(person.name for person in game.contributors))
    kind = game.document_type if game.document_type not in KINDS else ""
    yield from field("200", "1 ", ("a", game.title), ("b", kind), ("e", game.subtitle), ("f", people))
    for title in game.alternative_titles:
        yield from field("517", "1 ", ("a", title))
    yield from field("205", "  ", ("a", game.edition))
    yield from _publishers(game)
    for line in fields.lines(game.note):
        yield from field("300", "  ", ("a", line))
    for line in fields.lines(game.contents):
        yield from field("327", "1 ", ("a", line))
    for line in fields.lines(game.principle):
        yield from field("330", "  ", ("a", line))
    for line in fields.audience(game, language):
        yield from field("333", "  ", ("a", line))
    for category in game.categories:
        yield from field("606", " 1", ("a", category))
    yield from field("610", "0 ", *(("a", word) for word in game.keywords))


def _codes(game: GameDraft) -> Iterator[MarcField]:
    for printed in game.identifiers:
        kind = read_product_code(printed).kind
        if kind == "ean13":
            yield from field("073", " 0", ("a", printed))
        elif kind == "upc":
            yield from field("072", "  ", ("a", printed))
        else:
            yield from field("010", "  ", ("a", printed))


def _publishers(game: GameDraft) -> Iterator[MarcField]:
    year = str(game.year) if game.year else ""
    for publication in game.publications:
        yield from field("210", "  ", ("a", publication.place), ("c", publication.publisher), ("d", year))
        year = ""
    yield from field("210", "  ", ("d", year))


def _names(game: GameDraft) -> Iterator[MarcField]:
    """The first author leads, other authors stand beside, everybody else behind."""
    has_first = False
    for person in game.contributors:
        tag = "702"
        if person.role in AUTHORS:
            tag, has_first = "701" if has_first else "700", True
        yield from _person(tag, person)


def _person(tag: str, person: ContributorDraft) -> Iterator[MarcField]:
    surname, first = fields.surname_and_first(person.name)
    yield from field(tag, " 1", ("a", surname), ("b", first), ("4", person.role))


def _origin(out: Outgoing) -> Iterator[MarcField]:
    yield from field("801", " 0", ("b", "Ludotheca"), ("c", f"{out.changed_at:%Y%m%d}"))


def _own(game: GameDraft) -> Iterator[MarcField]:
    """As PMB exports them: value, label, name. Ages in whole years only, as its catalogues have them."""
    numbers = (
        ("nb_min", "Nombre minimum de joueurs", game.players_min),
        ("nb_max", "Nombre maximum de joueurs", game.players_max),
        ("age_min", "Age minimum", _years(game.age_min_months)),
        ("age_max", "Age maximum", _years(game.age_max_months)),
    )
    values = [(name, label, str(number)) for name, label, number in numbers if number is not None]
    values.append(("duree", "Durée moyenne (minutes)", fields.span(game.minutes_min, game.minutes_max)))
    for line in fields.lines(game.pedagogy):
        values.append(("pedagogie", "Analyse pédagogique", line))
    for name, label, value in values:
        if value:
            yield from field("900", "  ", ("a", value), ("l", label), ("n", name), ("t", "text"))


def _years(months: int | None) -> int | None:
    return None if months is None or months % MONTHS_A_YEAR else months // MONTHS_A_YEAR


def _copies(copies: tuple[CopyDraft, ...], *, is_public: bool) -> Iterator[MarcField]:
    for copy in copies:
        notes = () if is_public else tuple(("u", line) for line in fields.lines(copy.note))
        place = (("a", copy.branch), ("e", copy.section), ("f", copy.barcode), ("k", copy.call_number))
        yield from field("995", "  ", *place, *notes)
