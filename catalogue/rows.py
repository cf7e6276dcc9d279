"""Rows that a draft asks for, made but not saved: `records` saves them, of one record or of many at once.

Nothing here writes, but that a shared name which is new gets its row (see `names`).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from catalogue import barcodes
from catalogue.draft import CopyDraft, GameDraft
from catalogue.models import (
    AlternativeTitle,
    Branch,
    Contributor,
    Copy,
    Game,
    GameLanguage,
    Identifier,
    Keyword,
    Person,
    Publication,
    Publisher,
    Section,
)
from catalogue.names import category, named
from catalogue.text import name_key, one_line, sort_key

COLUMNS = (
    *("title", "subtitle", "document_type", "edition", "year"),
    *("players_min", "players_max", "age_min_months", "age_max_months", "minutes_min", "minutes_max"),
    *("principle", "pedagogy", "contents", "note"),
)
GAME_CATEGORY, GAME_KEYWORD = Game.categories.through, Game.keywords.through
Rows = Iterable[Any]


def fill_game(game: Game, draft: GameDraft) -> Game:
    """Let the columns of the row say what the draft says. Raises ValueError without a title."""
    if not draft.title.strip():
        raise ValueError("A game needs a title.")
    for name in COLUMNS:
        setattr(game, name, getattr(draft, name))
    game.title = one_line(draft.title)
    game.title_key = name_key(draft.title)[:500]
    game.sort_title = sort_key(draft.title)[:500]
    return game


def fill_copy(copy: Copy, draft: CopyDraft) -> Copy:
    """As `fill_game`, for one box. Raises ValueError without a barcode."""
    barcode = draft.barcode.strip()
    if not barcode:
        raise ValueError("A copy needs a barcode.")
    copy.barcode = barcode
    copy.call_number = draft.call_number
    copy.section = named(Section, draft.section) if draft.section else None
    copy.branch = named(Branch, draft.branch) if draft.branch else None
    copy.condition = draft.condition
    copy.note = draft.note
    return copy


def _alternative_titles(game: Game, draft: GameDraft) -> Rows:
    for position, title in enumerate(draft.alternative_titles):
        key = name_key(title)[:500]
        yield AlternativeTitle(game=game, title=title, title_key=key, position=position)


def _contributors(game: Game, draft: GameDraft) -> Rows:
    parts = {(name_key(c.name), c.role): c for c in draft.contributors}
    for position, part in enumerate(parts.values()):
        yield Contributor(game=game, person=named(Person, part.name), role=part.role, position=position)


def _publications(game: Game, draft: GameDraft) -> Rows:
    for position, part in enumerate(draft.publications):
        publisher = named(Publisher, part.publisher)
        yield Publication(game=game, publisher=publisher, place=part.place, position=position)


def _identifiers(game: Game, draft: GameDraft) -> Rows:
    for position, code in enumerate(map(barcodes.read_product_code, draft.identifiers)):
        yield Identifier(
            game=game,
            printed=code.printed,
            gtin=code.gtin,
            kind=code.kind,
            check_holds=code.check_holds,
            position=position,
        )


def _languages(game: Game, draft: GameDraft) -> Rows:
    for position, tag in enumerate(dict.fromkeys(draft.languages)):
        yield GameLanguage(game=game, tag=tag, position=position)


def _categories(game: Game, draft: GameDraft) -> Rows:
    rows = {row.pk: row for row in map(category, draft.categories)}
    return [GAME_CATEGORY(game=game, category=row) for row in rows.values()]


def _keywords(game: Game, draft: GameDraft) -> Rows:
    rows = {row.pk: row for row in (named(Keyword, word) for word in draft.keywords)}
    return [GAME_KEYWORD(game=game, keyword=row) for row in rows.values()]


PARTS: dict[str, tuple[Any, Callable[[Game, GameDraft], Rows]]] = {
    "alternative_titles": (AlternativeTitle, _alternative_titles),
    "contributors": (Contributor, _contributors),
    "publications": (Publication, _publications),
    "identifiers": (Identifier, _identifiers),
    "languages": (GameLanguage, _languages),
    "categories": (GAME_CATEGORY, _categories),
    "keywords": (GAME_KEYWORD, _keywords),
}
"""The parts of a record that are rows of their own: their model, and the rows that a draft asks for."""


def of_part(name: str, games: Sequence[tuple[Game, GameDraft]]) -> list[Any]:
    """The rows of one part, of all these records."""
    _, rows = PARTS[name]
    return [row for game, draft in games for row in rows(game, draft)]
