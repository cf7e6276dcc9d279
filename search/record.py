"""The public record of one game: all that the library knows of it, and where its copies are now.

Reads only, in a fixed number of queries. Doubts about the record are shown to the staff alone.
"""

from dataclasses import dataclass
from datetime import date

from django.db.models import Max, Prefetch, QuerySet
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from catalogue.imports import bgg, catalogue_page, columns, mediawiki, pdf_file, pmb, rules_file, sheets
from catalogue.imports.bgg_table import FORMAT as BGG
from catalogue.marc import Dialect
from catalogue.models import Condition, Copy, Flag, Game, Revision, RulesText
from catalogue.pieces import Component, split
from loans import availability
from loans.availability import Availability

GONE = (Condition.WITHDRAWN, Condition.DONATED)
"""Boxes that the public is not shown."""

PARTS = (
    "alternative_titles",
    "contributors__person",
    "publications__publisher",
    "identifiers",
    "languages",
    "categories",
    "keywords",
    "documents",
)
FORMATS = {
    pmb.FORMAT: _("PMB page"),
    rules_file.FORMAT: _("rules file"),
    mediawiki.FORMAT: _("wiki feed"),
    sheets.FORMAT: _("table"),
    Dialect.UNIMARC: _("UNIMARC record"),
    Dialect.MARC21: _("MARC 21 record"),
    pdf_file.FORMAT: _("PDF"),
    catalogue_page.FORMAT: _("page of another catalogue"),
    columns.Kind.PIECES: _("table of pieces"),
    columns.Kind.PEOPLE: _("table of people"),
    BGG: bgg.NAME,
}


@dataclass(frozen=True, slots=True)
class CopyPlace:
    """One box, and where it is; `due_back_on` is set while it is lent."""

    copy: Copy
    status: Availability
    due_back_on: date | None


@dataclass(frozen=True, slots=True)
class Origin:
    """A kind of source that the record was read from, in words, and the last day.

    `url` is its page there, for a source that asks to be named with a link.
    """

    name: str
    imported_on: date
    url: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """What the record page shows."""

    game: Game
    components: tuple[Component, ...]
    copies: list[CopyPlace]
    rules: list[RulesText]
    sources: list[Origin]
    flags: list[Flag]


def games() -> QuerySet[Game]:
    """Games with every part of their records."""
    return Game.objects.prefetch_related(*PARTS)


def record(game: Game, *, reader_language: str, for_staff: bool) -> Record:
    """The record of a game that came from `games()`; rules in the reader's language come first."""
    heads = Revision.objects.defer("body", "raw")
    rules = game.rules_texts.prefetch_related(Prefetch("revisions", heads))
    return Record(
        game=game,
        components=split(game.contents),
        copies=_places(game),
        rules=sorted(rules, key=lambda text: not _speaks(text, reader_language)),
        sources=_origins(game),
        flags=list(game.flags.filter(settled_at=None)) if for_staff else [],
    )


def _origins(game: Game) -> list[Origin]:
    """One a kind, however many pages and files it was; the one read last comes first."""
    last = game.sources.order_by().values_list("format").annotate(last=Max("imported_at")).order_by("-last")
    return [
        Origin(str(FORMATS.get(format, format)), localdate(at), _credited(game) if format == BGG else "")
        for format, at in last
    ]


def _credited(game: Game) -> str:
    """The page of the game at BoardGameGeek, which asks for the link."""
    key = game.sources.filter(format=BGG).order_by("pk").values_list("key", flat=True).first()
    found = bgg.credit(key or "")
    return found.url if found else ""


def _speaks(text: RulesText, language: str) -> bool:
    return text.language.split("-")[0] == language.split("-")[0]


def _places(game: Game) -> list[CopyPlace]:
    copies = availability.annotate(
        game.copies.exclude(condition__in=GONE).select_related("section", "branch")
    )
    return [CopyPlace(c, Availability(c.status), c.due_back_on) for c in copies]
