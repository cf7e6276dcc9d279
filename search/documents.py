"""What stands in the index: for each game one entry of its record and one of each passage of its rules.

Names the shelves, the fields with their weights, and the format whose change means a rebuild. Reads the
catalogue, writes nothing. Called by `sync`; the field names are `find`'s too.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from importlib.metadata import version
from itertools import permutations
from typing import Any

from django.conf import settings
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.models import Game, Revision, RulesKind, RulesText
from catalogue.rules.sections import parse
from search import analysis, concepts, sentences, wordlists
from search.analysis import OTHER, KnownWord, Token, forms, shelf_language, tokens
from search.engines import Entry
from search.parallel import align
from search.passages import Passage, cut, spoken
from search.ranking import BETWEEN, Level, Reading, read
from search.touching import Said, Touch, touched
from search.wordlists import LANGUAGES, word_list

GAMES = "games"
SHELVES = (*LANGUAGES, OTHER, GAMES)
"""Records stand last: a writer does the shelves in order, and a game's record tells its revision."""

NOTES = (RulesKind.ERRATA, RulesKind.FAQ)
"""Texts whose passages touch those of the rules, and are told with them."""

SCHEMA_VERSION = 7
MANY_PLAYERS = 20


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the index: its weight in ranking, and whether it knows the places of its words."""

    name: str
    weight: float = 1.0
    has_positions: bool = False


FIELDS = (
    Field("exact"),  # as written: the vocabulary for typing errors
    Field("fold", has_positions=True),  # without accents: phrases, and languages we cannot stem
    Field("stem"),  # all stems, parts of compounds, headings again
    Field("concept", 0.8),  # tokens of the glossary
    Field("heading", 2.0),  # headings of a passage; titles of a game
    Field("names", 1.5),  # people, publishers, categories, keywords of a game
)

FORMAT = {
    "schema": SCHEMA_VERSION,
    "analysis": analysis.VERSION,
    "stemmer": version("PyStemmer"),
    "words": wordlists.fingerprint(),
    "glossary": concepts.fingerprint(),
    "meaning": sentences.installed_version(),
}


def described_games() -> "QuerySet[Game]":
    """All games with everything that their records say."""
    parts = (
        "alternative_titles",
        "contributors__person",
        "publications__publisher",
        "categories",
        "keywords",
    )
    return Game.objects.order_by("pk").prefetch_related(*parts)


def indexed_games() -> "QuerySet[Game]":
    """All games with everything that their entries say."""
    return described_games().prefetch_related(Prefetch("rules_texts", texts_with_revisions()))


def texts_with_revisions() -> "QuerySet[RulesText]":
    """Rules texts with so much of their revisions as tells which one is current."""
    heads = Revision.objects.only("rules_text", "number", "made_at")
    return RulesText.objects.order_by("pk").prefetch_related(Prefetch("revisions", heads))


def entries(game: Game, known: dict[str, KnownWord]) -> list[Entry]:
    """Every entry of a game. `known` says by language which words occur in the collection."""
    laid = [found for text in game.rules_texts.all() for found in _laid_out(text, known)]
    touches, twins = _touched(laid), _twins(laid)
    passages = [_passage_entry(game, p, touches.get((p.text.pk, p.passage.id), ()), twins(p)) for p in laid]
    return [*passages, _record_entry(game, passages)]


# --- passages ----------------------------------------------------------------------------------


def current_body(text: RulesText) -> tuple[str, Revision] | None:
    """The words of a text now, fetched alone: a text may have many long revisions."""
    current = text.current
    if current is None:
        return None
    return Revision.objects.values_list("body", flat=True).get(pk=current.pk), current


@dataclass(frozen=True, slots=True)
class _Laid:
    """A passage of a text's current state, ready for the index; `said` is what `touching` compares."""

    text: RulesText
    revision: Revision
    markdown: str
    passage: Passage
    language: str
    reading: Reading
    words: dict[str, list[str]]
    said: Said


def _laid_out(text: RulesText, known: dict[str, KnownWord]) -> Iterator[_Laid]:
    now = current_body(text)
    if now is None:
        return
    markdown, revision = now
    language = shelf_language(text.language)
    for passage in cut(markdown):
        body = tokens(spoken(passage.body), language, known.get(language))
        heading = tokens(" / ".join(passage.path), language, known.get(language))
        reading = read(body, heading, language)
        words = _passage_words(body, heading, reading)
        said = _said(text, passage, language, body, heading, reading)
        yield _Laid(text, revision, markdown, passage, language, reading, words, said)


def _said(
    text: RulesText,
    passage: Passage,
    language: str,
    body: Sequence[Token],
    heading: Sequence[Token],
    reading: Reading,
) -> Said:
    concepts = reading.at(Level.CONCEPT)
    asked = {name for name, places in concepts.items() if places[-1] >= reading.size}
    return Said(
        text=text.pk,
        kind=text.kind,
        language=language,
        id=passage.id,
        headings=tuple(part.path[-1] for part in passage.parts if part.path),
        body=passage.body,
        stems=frozenset(_telling_stems((*body, *heading), language)),
        concepts=frozenset(concepts),
        asked=frozenset({*_telling_stems(heading, language), *asked}),
    )


def _telling_stems(words: Iterable[Token], language: str) -> Iterator[str]:
    stop = word_list(language).stop
    return (t.stems[0] for t in words if t.stems and t.fold not in stop)


def _touched(passages: Sequence[_Laid]) -> dict[tuple[int, str], tuple[Touch, ...]]:
    """Which errata and FAQ passages of a game touch which passage of its rules."""
    notes = [p.said for p in passages if p.text.kind in NOTES]
    return touched([p.said for p in passages if p.text.kind not in NOTES], notes)


Twins = Callable[[_Laid], list[tuple[int, str]]]


def _twins(passages: Sequence[_Laid]) -> Twins:
    """Which sections of a game's other languages say the same: (text, anchor) for each passage."""
    bodies = {p.text.pk: p.markdown for p in passages if p.text.kind == RulesKind.RULES}
    sections = {text: parse(body) for text, body in bodies.items()}
    language = {p.text.pk: p.text.language for p in passages}
    pairs: dict[tuple[int, str], list[tuple[int, str]]] = {}
    for here, there in permutations(sections, 2):
        if shelf_language(language[here]) == shelf_language(language[there]):
            continue
        met = align(sections[here], sections[there], language[here], language[there])
        for section, anchor in zip(sections[here], met, strict=True):
            if anchor is not None:
                pairs.setdefault((here, section.anchor), []).append((there, anchor))

    def of(laid: _Laid) -> list[tuple[int, str]]:
        anchors = [part.anchor for part in laid.passage.parts]
        return [twin for anchor in anchors for twin in pairs.get((laid.text.pk, anchor), ())]

    return of


def _passage_entry(
    game: Game, laid: _Laid, touches: Sequence[Touch], twins: Sequence[tuple[int, str]]
) -> Entry:
    passage = laid.passage
    payload = {
        "text": laid.text.pk,
        "revision": laid.revision.number,
        "passage_id": passage.id,
        "anchor": passage.anchor,
        "path": passage.path,
        "body": passage.body,
        "parts": [(p.anchor, p.path, p.start) for p in passage.parts],
        "touched_by": [astuple(touch) for touch in touches],
        "twins": twins,
    }
    return Entry(
        shelf=laid.language,
        key=f"{laid.text.pk}.{passage.ordinal}",
        game_id=game.pk,
        revision=game.revision,
        words=laid.words,
        payload=packed(payload, laid.reading),
    )


def packed(payload: dict[str, Any], reading: Reading) -> str:
    """What stands with a passage in the index: JSON, and behind it, on a page of its own, its reading.

    As JSON the reading would be thousands of escaped line breaks, and be read ten times more slowly.
    """
    return f"{json.dumps(payload, ensure_ascii=False)}{BETWEEN}{reading.stored()}"


def unpacked(packed: str) -> tuple[dict[str, Any], Reading]:
    """The inverse of `packed`."""
    return payload_of(packed), Reading.loaded(packed.partition(BETWEEN)[2])


def payload_of(packed: str) -> dict[str, Any]:
    """What stands with an entry, without its reading."""
    payload: dict[str, Any] = json.loads(packed.partition(BETWEEN)[0])
    return payload


def _passage_words(body: Sequence[Token], heading: Sequence[Token], reading: Reading) -> dict[str, list[str]]:
    """The words of a passage by field; its headings count twice more among the stems."""
    found = reading.at(Level.CONCEPT)
    return {
        "exact": [t.exact for t in (*heading, *body)],
        "fold": [t.fold for t in body if not t.is_joined],
        "stem": _stems([*heading, *heading, *body]),
        "heading": _stems(heading),
        "concept": [concept for concept, places in found.items() for _place in places],
    }


def _stems(words: Iterable[Token]) -> list[str]:
    return [stem for t in words for stem in dict.fromkeys((*t.stems, *t.parts, t.fold))]


# --- records -----------------------------------------------------------------------------------


def _record_entry(game: Game, passages: list[Entry]) -> Entry:
    titles = [game.title, *(a.title for a in game.alternative_titles.all())]
    names = _names(game)
    prose = [game.subtitle, game.principle, game.contents, game.pedagogy, game.note, game.edition]
    everything = [w for text in (*titles, *names, *prose) for w in tokens(text, record_language())]
    payload = {"titles": titles, "passages": len(passages)}
    return Entry(
        shelf=GAMES,
        key=str(game.pk),
        game_id=game.pk,
        revision=game.revision,
        words={
            "exact": [t.exact for t in everything],
            "fold": [t.fold for t in everything if not t.is_joined],
            "stem": [s for text in (*titles, *names, *prose, hidden_words(game)) for s in stems_of_all(text)],
            "heading": [s for text in titles for s in stems_of_all(text)],
            "names": [s for text in names for s in stems_of_all(text)],
            "concept": [f.concept for f in concepts.concepts(everything, record_language())],
        },
        payload=json.dumps(payload, ensure_ascii=False),
    )


def record_language() -> str:
    """The language in which the library describes its games."""
    return shelf_language(settings.LANGUAGE_CODE)


def stems_of_all(text: str) -> list[str]:
    """The words of a record as each language would stem them: titles and names are of any language."""
    return [stem for token in tokens(text, OTHER) for stem in all_stems(token)]


def all_stems(token: Token) -> tuple[str, ...]:
    """The stems of a word in all languages, its folded form first."""
    stems = (stem for language in LANGUAGES for stem in forms(token.exact, language)[2])
    return tuple(dict.fromkeys((token.fold, *stems)))


def hidden_words(game: Game) -> str:
    """Words that find a record but are not shown: its figures with their units in six languages."""
    found = []
    if game.age_min_months and game.age_min_months % 12 == 0:
        found.append(f"{game.age_min_months // 12} ans años years Jahre anni jaar")
    if game.players_min and game.players_max and game.players_max - game.players_min < MANY_PLAYERS:
        counts = range(game.players_min, game.players_max + 1)
        found += [f"{n} joueurs jugadores players Spieler giocatori spelers" for n in counts]
    if game.minutes_max:
        found.append(f"{game.minutes_max} minutes minutos Minuten minuti minuten")
    return " / ".join(found)


def _names(game: Game) -> list[str]:
    """What people search a game by besides its title."""
    return [
        # A code is also typed without its blank: "A407".
        *(f"{c} {c.note} {c.code.replace(' ', '')}" for c in game.categories.all()),
        *(k.name for k in game.keywords.all()),
        *(c.person.name for c in game.contributors.all()),
        *(f"{p.publisher.name} {p.place}" for p in game.publications.all()),
        game.document_type,
    ]


def facts(game: Game) -> list[tuple[str, str]]:
    """What a record says, labelled in the reader's language: a record shown among passages."""
    named: list[Any] = [
        *((_("Category"), _category(str(c), c.note)) for c in game.categories.all()),
        *((_("Keyword"), k.name) for k in game.keywords.all()),
        *((_("By"), c.person.name) for c in game.contributors.all()),
        *((_("Publisher"), p.publisher.name) for p in game.publications.all()),
        (_("Players"), _span(game.players_min, game.players_max)),
        (_("Age"), _age(game)),
        (_("Duration"), _duration(game)),
        (_("Principle"), game.principle),
        (_("Contents"), game.contents),
    ]
    return [(str(label), value) for label, value in named if value]


def _category(printed: str, note: str) -> str:
    return f"{printed} ({note})" if note else printed


def _span(low: int | None, high: int | None) -> str:
    if low == high or high is None:
        return "" if low is None else str(low)
    return str(high) if low is None else f"{low}-{high}"


def _age(game: Game) -> str:
    if game.age_min_months is None:
        return ""
    if game.age_min_months % 12:
        return ngettext("from %(count)d month", "from %(count)d months", game.age_min_months) % {
            "count": game.age_min_months
        }
    years = game.age_min_months // 12
    return ngettext("from %(count)d year", "from %(count)d years", years) % {"count": years}


def _duration(game: Game) -> str:
    span = _span(game.minutes_min, game.minutes_max)
    return _("%(span)s minutes") % {"span": span} if span else ""
