"""The indexes that can be searched, and one clause of a query as a condition on games.

Words are compared as whole words in folded columns (`catalogue.text.name_key`); a `*` at either end lets go
of that end. Each word is a condition of its own, so that two people of one game can be asked for at once.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

from django.db.models import Q

from catalogue.barcodes import label_candidates, product_gtins
from catalogue.imports.values import LANGUAGES
from catalogue.models import Category, Game
from catalogue.sru.diagnostics import Diagnostic, Refused
from catalogue.text import name_key

MOST_WORDS = 12
CLASSES = "categories__key"
WORDS = {"=", "scr", "adj", "all", "any", "==", "exact"}
NUMBERS = {"=": "", "scr": "", "==": "", "exact": "", "<": "__lt", ">": "__gt", "<=": "__lte", ">=": "__gte"}
NUMBER = re.compile(r"[0-9]{1,9}", re.ASCII)
MASK = re.compile(r"\\(.)|([*?^])")


@dataclass(frozen=True, slots=True)
class Index:
    """What an index is called, and how a relation and a term become a condition."""

    title: str
    names: tuple[str, ...]
    find: Callable[[str, str], Q]


def condition(name: str, relation: str, term: str) -> Q:
    """Which games a clause is about. Raises Refused."""
    index = BY_NAME.get(name.lower())
    if index is None:
        raise Refused(Diagnostic.UNSUPPORTED_INDEX, name)
    if relation not in WORDS | set(NUMBERS) | {"<>"}:
        raise Refused(Diagnostic.UNSUPPORTED_RELATION, relation)
    if not term.strip():
        raise Refused(Diagnostic.EMPTY_TERM, name)
    if relation == "<>":
        return ~index.find("=", term)
    return index.find(relation, term)


# --- words -------------------------------------------------------------------------------------


def _words(*columns: str) -> Callable[[str, str], Q]:
    def find(relation: str, term: str) -> Q:
        if relation not in WORDS:
            raise Refused(Diagnostic.UNSUPPORTED_COMBINATION, relation)
        if relation in {"==", "exact"}:
            return _in_any(columns, lambda column: Q(**{column: name_key(term)})) | _category(
                columns, lambda name: name == name_key(term)
            )
        if relation == "adj":
            return _phrase(columns, term)
        words = [_phrase(columns, word) for word in _split(term)]
        return reduce(or_ if relation == "any" else and_, words)

    return find


def _split(term: str) -> list[str]:
    words = term.split()
    if len(words) > MOST_WORDS:
        raise Refused(Diagnostic.BAD_TERM, f"more than {MOST_WORDS} words")
    return words


def _phrase(columns: Iterable[str], text: str) -> Q:
    """Words that stand side by side; `text` may be open at its ends."""
    open_left, open_right = text.startswith("*"), text.endswith("*") and not text.endswith(r"\*")
    inner = text[open_left : len(text) - open_right if open_right else None]
    if any(found[2] for found in MASK.finditer(inner)):
        raise Refused(Diagnostic.UNSUPPORTED_MASK, text)
    key = name_key(MASK.sub(lambda found: found[1], inner))
    if not key:
        raise Refused(Diagnostic.BAD_TERM, text)
    sought = f"{'' if open_left else ' '}{key}{'' if open_right else ' '}"
    found = _in_any(columns, lambda column: _stands_in(column, key, open_left, open_right))
    return found | _category(columns, lambda name: sought in f" {name} ")


def _stands_in(column: str, key: str, *ends: bool) -> Q:
    """The key between blanks or ends of the column, but for ends that are open."""
    open_left, open_right = ends
    before, after = "" if open_left else " ", "" if open_right else " "
    found = Q(**{f"{column}__contains": f"{before}{key}{after}"})
    if not open_left:
        found |= Q(**{f"{column}__startswith": f"{key}{after}"})
    if not open_right:
        found |= Q(**{f"{column}__endswith": f"{before}{key}"})
    return found if open_left and open_right else found | Q(**{column: key})


def _in_any(columns: Iterable[str], make: Callable[[str], Q]) -> Q:
    """A query of its own for each column of another table: joins would multiply the rows."""
    found = Q()
    for column in columns:
        one = make(column)
        found |= one if "__" not in column else Q(pk__in=Game.objects.filter(one).order_by().values("pk"))
    return found


def _category(columns: Iterable[str], fits: Callable[[str], bool]) -> Q:
    """A class's key is its code: its words are folded here, for there are some hundreds of them at most."""
    if CLASSES not in columns:
        return Q()
    rows = [row.pk for row in Category.objects.all() if fits(name_key(str(row)))]
    return Q(pk__in=Game.objects.filter(categories__in=rows).order_by().values("pk"))


# --- numbers and codes -------------------------------------------------------------------------


def _number(term: str) -> int:
    if not NUMBER.fullmatch(term.strip()):
        raise Refused(Diagnostic.BAD_TERM, term)
    return int(term)


def _compared(column: str) -> Callable[[str, str], Q]:
    def find(relation: str, term: str) -> Q:
        if relation not in NUMBERS:
            raise Refused(Diagnostic.UNSUPPORTED_COMBINATION, relation)
        return Q(**{f"{column}{NUMBERS[relation]}": _number(term)})

    return find


def _coded(make: Callable[[str], Q]) -> Callable[[str, str], Q]:
    def find(relation: str, term: str) -> Q:
        if relation not in WORDS - {"adj"}:
            raise Refused(Diagnostic.UNSUPPORTED_COMBINATION, relation)
        codes = _split(term) if relation == "any" else [term.strip()]
        return reduce(or_, map(make, codes))

    return find


def _product(code: str) -> Q:
    found = Game.objects.filter(Q(identifiers__printed=code) | Q(identifiers__gtin__in=product_gtins(code)))
    return Q(pk__in=found.order_by().values("pk"))


def _barcode(code: str) -> Q:
    found = Game.objects.filter(copies__barcode__in=label_candidates(code))
    return Q(pk__in=found.order_by().values("pk"))


def _language(code: str) -> Q:
    tag = LANGUAGES.get(code.lower(), code.lower())
    return Q(pk__in=Game.objects.filter(languages__tag__iexact=tag).order_by().values("pk"))


def _kind(kind: str) -> Q:
    return Q(document_type__iexact=kind)


def _players(relation: str, term: str) -> Q:
    if relation not in {"=", "scr"}:
        raise Refused(Diagnostic.UNSUPPORTED_COMBINATION, relation)
    number = _number(term)
    most = Q(players_max__gte=number) | Q(players_max=None, players_min=number)
    return Q(players_min__lte=number) & most


def _all_records(_relation: str, _term: str) -> Q:
    return Q()


TITLES = ("title_key", "alternative_titles__title_key")
PEOPLE = ("contributors__person__key",)
PUBLISHERS = ("publications__publisher__key",)
SUBJECTS = ("keywords__key", CLASSES)


def _anything(relation: str, term: str) -> Q:
    found = _words(*TITLES, *PEOPLE, *PUBLISHERS, *SUBJECTS)(relation, term)
    return found if " " in term.strip() else found | _product(term) | _barcode(term)


INDEXES = (
    Index("Anything", ("cql.serverchoice", "cql.anywhere", "cql.allindexes", "any"), _anything),
    Index("All records", ("cql.allrecords",), _all_records),
    Index("Title", ("dc.title", "bib.title", "bath.title", "title"), _words(*TITLES)),
    Index(
        "Author or another person",
        ("dc.creator", "dc.contributor", "bib.author", "bib.name", "bath.author", "bath.name", "author"),
        _words(*PEOPLE),
    ),
    Index("Publisher", ("dc.publisher", "bib.publisher", "publisher"), _words(*PUBLISHERS)),
    Index("Subject", ("dc.subject", "bib.subject", "bath.subject", "subject"), _words(*SUBJECTS)),
    Index(
        "EAN, ISBN or UPC",
        ("bath.isbn", "bib.isbn", "bath.standardidentifier", "dc.identifier", "isbn", "ean", "upc"),
        _coded(_product),
    ),
    Index("Barcode of a box", ("rec.barcode", "barcode"), _coded(_barcode)),
    Index("Year", ("dc.date", "bib.date", "date", "year"), _compared("year")),
    Index("Language", ("dc.language", "bib.language", "language"), _coded(_language)),
    Index("Kind", ("dc.type", "bib.type", "type"), _coded(_kind)),
    Index("Number of players", ("players",), _players),
    Index("Number of the record", ("rec.id", "rec.identifier", "id"), _compared("pk")),
)
BY_NAME = {name: index for index in INDEXES for name in index.names}
