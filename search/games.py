"""Finding games: by title, people, publisher, category, keyword, contents, principle, or a scanned code.

The engine ranks, the database filters, pages and supplies what is shown. Called by the pages and the API
through `find`.
"""

import logging
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from django.db.models import Q, QuerySet

from catalogue import barcodes
from catalogue.categories import category_key, read_category
from catalogue.models import Copy, Game
from catalogue.text import name_key, one_line, typed_words
from loans.availability import available_games
from search import query
from search.analysis import OTHER, tokens
from search.documents import GAMES, record_language, stems_of_all
from search.engines import AllOf, AnyOf, Engine, Except, Phrase, Prefix, Term, Unreadable, Wanted, get_engine
from search.query import Query
from search.questions import language_of, occurs
from search.spelling import kept_vocabulary

logger = logging.getLogger(__name__)

MOST = 10_000
SHORTEST_PREFIX = 2
MONTHS = 12
TITLE, NAMES, PROSE = 4.0, 2.0, 0.5
MOST_OF_A_CODE, SHORTEST_LABEL = 40, 3


@dataclass(frozen=True, slots=True)
class GameFilters:
    """What games must be fit for; None and "" do not filter."""

    players: int | None = None
    age_years: int | None = None
    minutes: int | None = None
    language: str = ""
    available: bool = False
    category: str = ""  # a code ("A 407") or a label


@dataclass(frozen=True, slots=True)
class GameResults:
    """One page of games, best first, with how many there are. `corrected` as in `PassageResults`.

    `is_scanned`: what was asked is the label of a box, or a product code.
    """

    games: tuple[Game, ...] = ()
    total: int = 0
    corrected: str = ""
    is_degraded: bool = False
    is_scanned: bool = False


def find_games(
    text: str,
    filters: GameFilters,
    *,
    named: Collection[int] = (),
    is_exact: bool = False,
    limit: int = 50,
    offset: int = 0,
) -> GameResults:
    """Games for what was typed or scanned; without text all games, in the order of their titles.

    Where no record holds all the words, the games that a question about rules has `named` are meant.
    `is_exact` takes every word as it was typed.
    """
    asked = query.parse(text)
    fit = filtered(filters)
    scanned = _scanned(text)
    if scanned:
        found = _page(fit.filter(pk__in=scanned).order_by("sort_title", "pk"), limit, offset)
        return replace(found, is_scanned=True)
    if asked.is_empty:
        # Marks alone ("+", "?") can still be a title; no mark at all asks for everything.
        listed = fit.filter(title_key=name_key(text)) if text.strip() else fit
        return _page(listed.order_by("sort_title", "pk"), limit, offset)
    try:
        ranked, corrected = _ranked(get_engine(), asked, named, is_exact=is_exact)
    except Unreadable as error:
        logger.warning("The search index cannot be read (%s); titles are looked up instead.", error)
        get_engine().report_damage()
        return _by_title(fit, asked, limit, offset)
    kept = set(fit.filter(pk__in=ranked).values_list("pk", flat=True))
    ordered = [pk for pk in ranked if pk in kept]
    games = shown_games().in_bulk(ordered[offset : offset + limit])
    page = tuple(games[pk] for pk in ordered[offset : offset + limit] if pk in games)
    return GameResults(page, len(ordered), corrected)


def shown_games() -> "QuerySet[Game]":
    """Games with everything that a list of them shows."""
    return Game.objects.prefetch_related(
        "alternative_titles",
        "contributors__person",
        "publications__publisher",
        "languages",
        "categories",
        "keywords",
        "copies__section",
        "copies__branch",
        "rules_texts",
    )


def _page(games: "QuerySet[Game]", limit: int, offset: int) -> GameResults:
    page = games.values_list("pk", flat=True)[offset : offset + limit]
    found = shown_games().in_bulk(list(page))
    return GameResults(tuple(found[pk] for pk in page if pk in found), games.count())


# --- codes -------------------------------------------------------------------------------------


def _scanned(text: str) -> list[int]:
    """The games whose box carries the label, or whose product code was scanned; exact, from the database."""
    code = one_line(text)
    if not any(c.isdigit() for c in code) or len(code) > MOST_OF_A_CODE:
        return []
    labels = {form for c in barcodes.label_candidates(code) for form in (c, c.upper(), c.lower())}
    found = set(Copy.objects.filter(barcode__in=labels).values_list("game_id", flat=True))
    if not found and code.isdigit() and len(code) >= SHORTEST_LABEL:
        # A label typed without its leading zeros, or with some that it has not.
        bare = barcodes.without_leading_zeros(code)
        same = Copy.objects.filter(barcode__endswith=bare).values_list("barcode", "game_id")
        found = {game for label, game in same if barcodes.without_leading_zeros(label) == bare}
    gtins = barcodes.product_gtins(code)
    by_code = Q(identifiers__gtin__in=gtins) | Q(identifiers__printed__iexact=code)
    return sorted(found | set(Game.objects.filter(by_code).values_list("pk", flat=True)))


# --- words -------------------------------------------------------------------------------------


def _ranked(engine: Engine, asked: Query, named: Collection[int], *, is_exact: bool) -> tuple[list[int], str]:
    """Game ids in rank order, and the words as repaired. All words first; then misspelt ones repaired;
    then the last one as a beginning; at last any of the words that tell something.
    """
    typed = [w.fold for w in query.words(asked, OTHER)]
    found = _search(engine, asked, typed, is_last_open=False)
    if found:
        return _titles_first(found, typed), ""
    language = language_of(engine, asked, record_language())
    repaired = typed if is_exact else _repaired(engine, typed, language)
    for words, is_last_open in ((repaired, False), (typed, True)):
        found = _search(engine, asked, words, is_last_open=is_last_open)
        if found:
            return _titles_first(found, words), " ".join(words) if words != typed else ""
    if named:
        return sorted(named), ""
    telling = [w.fold for w in query.words(asked, language) if w.is_content]
    parts = [_word(folded) for folded in (telling if is_exact else _repaired(engine, telling, language))]
    hits = engine.find(GAMES, AnyOf(tuple(parts)), MOST)
    return [hit.game_id for hit in hits], " ".join(repaired) if repaired != typed and hits else ""


def _search(engine: Engine, asked: Query, words: Sequence[str], *, is_last_open: bool) -> list[int]:
    parts: list[Wanted] = [_word(w) for w in words]
    if is_last_open and len(words[-1]) >= SHORTEST_PREFIX:
        parts[-1] = AnyOf((Prefix("heading", words[-1], TITLE), Prefix("fold", words[-1])))
    parts += [Phrase("fold", tuple(_folded(phrase))) for phrase in asked.phrases if _folded(phrase)]
    wanted: Wanted = AllOf(tuple(parts))
    unwanted = [_word(w) for excluded in asked.excluded for w in _folded(excluded)]
    if unwanted:
        wanted = Except(wanted, AnyOf(tuple(unwanted)))
    hits = engine.find(GAMES, wanted, MOST)
    if len(hits) == MOST:
        logger.warning("A search found more than %d games; the rest is left out.", MOST)
    return [hit.game_id for hit in hits]


def _folded(text: str) -> list[str]:
    return [t.fold for t in tokens(text, OTHER) if not t.is_joined]


def _word(folded: str) -> Wanted:
    """A word in any field, in any language's form: titles weigh most, then people and subjects."""
    stems = dict.fromkeys(stems_of_all(folded))
    return AnyOf(
        (
            Term("fold", folded, 1.0),
            *(Term("heading", stem, TITLE) for stem in stems),
            *(Term("names", stem, NAMES) for stem in stems),
            *(Term("stem", stem, PROSE) for stem in stems),
        )
    )


def _titles_first(ranked: list[int], folded: Sequence[str]) -> list[int]:
    """A game whose whole title was typed comes first, then those whose title begins so."""
    typed = "".join(folded)
    place = {pk: i for i, pk in enumerate(ranked)}
    best: dict[int, int] = {}
    for pk, key in _title_keys(ranked):
        joined = key.replace(" ", "")
        nearness = 0 if joined == typed else 1 if joined.startswith(typed) else 2
        best[pk] = min(best.get(pk, 2), nearness)
    return sorted(ranked, key=lambda pk: (best.get(pk, 2), place[pk]))


def _title_keys(ranked: list[int]) -> Iterator[tuple[int, str]]:
    games = Game.objects.filter(pk__in=ranked)
    for name in ("title_key", "sort_title", "alternative_titles__title_key"):
        yield from games.exclude(**{name: None}).values_list("pk", name)


def _repaired(engine: Engine, folded: Sequence[str], language: str) -> list[str]:
    vocabulary = kept_vocabulary(GAMES, engine.words(GAMES, "fold"))
    return [f if _is_held(engine, f, language) else vocabulary.repaired(f) or f for f in folded]


def _is_held(engine: Engine, folded: str, language: str) -> bool:
    """Whether a word is right as it is: a common one, or met in the rules of its language or a record."""
    if any(engine.frequencies(GAMES, "stem", stems_of_all(folded)).values()):
        return True
    return query.is_common(folded) or occurs(engine, folded, language)


# --- without the index, and filters ------------------------------------------------------------


def _by_title(fit: "QuerySet[Game]", asked: Query, limit: int, offset: int) -> GameResults:
    for word in typed_words(name_key(asked.plain)):
        fit = fit.filter(Q(title_key__contains=word) | Q(alternative_titles__title_key__contains=word))
    page = _page(fit.distinct().order_by("sort_title", "pk"), limit, offset)
    return GameResults(page.games, page.total, is_degraded=True)


def filtered(filters: GameFilters) -> "QuerySet[Game]":
    """The games that fit. One bound that a record does not give is no hindrance; neither given is."""
    fit = Game.objects.all()
    if filters.players is not None:
        few = Q(players_min__lte=filters.players) | Q(players_min=None)
        many = Q(players_max__gte=filters.players) | Q(players_max=None)
        fit = fit.filter(few, many).exclude(players_min=None, players_max=None)
    if filters.age_years is not None:
        months = MONTHS * filters.age_years
        old = Q(age_max_months=None) | Q(age_max_months__gte=months)
        fit = fit.filter(old, age_min_months__lt=months + MONTHS)
    if filters.minutes is not None:
        longest = Q(minutes_max__lte=filters.minutes)
        fit = fit.filter(longest | Q(minutes_max=None, minutes_min__lte=filters.minutes))
    if filters.language:
        fit = fit.filter(pk__in=_in_language(filters.language))
    if filters.category:
        fit = fit.filter(pk__in=_in_category(filters.category))
    if filters.available:
        fit = fit.filter(pk__in=available_games())
    return fit


def _in_language(tag: str) -> "QuerySet[Game, int]":
    """Games whose material or rules are in a language, whatever the region."""
    primary = tag.split("-")[0]
    languages = Q(languages__tag__iexact=primary) | Q(languages__tag__istartswith=f"{primary}-")
    rules = Q(rules_texts__language__iexact=primary) | Q(rules_texts__language__istartswith=f"{primary}-")
    return Game.objects.filter(languages | rules).values_list("pk", flat=True)


def _in_category(category: str) -> "QuerySet[Game, int]":
    key = category_key(read_category(category))
    named = Q(categories__key=key) | Q(categories__label__iexact=category.strip())
    return Game.objects.filter(named).values_list("pk", flat=True)
