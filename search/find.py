"""Finding: rules passages for a question, games for a shelf. What the pages, the API and the commands call.

The engine proposes, `ranking` decides, the database supplies what is shown of games and texts. Where the
index cannot be read, titles are looked up in the database and the result says so (`is_degraded`).
"""

import logging
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import override

from catalogue.models import Revision, RulesText
from search import query, ranking
from search.analysis import OTHER, shelf_language, tokens
from search.candidates import Candidate, of_game, proposed, records
from search.documents import GAMES
from search.engines import AnyOf, Engine, Term, Unreadable, get_engine
from search.games import GameFilters, GameResults, find_games
from search.marking import mark_words, marked_html
from search.questions import Question, ask, repaired
from search.ranking import Level, Match, Unit
from search.touching import Touch
from search.wordlists import LANGUAGES

__all__ = ["GameFilters", "GameResults", "PassageHit", "PassageResults", "find_games", "find_passages"]

logger = logging.getLogger(__name__)

OTHER_LANGUAGE = 0.4
"""What a passage in another language is worth where the game also has the asker's."""
RECORD = 0.8
"""A record answers field questions; where a rules passage matches as well, the passage is meant."""
PROPOSALS, ABROAD, RECORDS = 50, 12, 6
"""How many passages the engine proposes: in the asker's language, in each other one, and of records."""
POSTINGS, POSTINGS_ABROAD, TELLING = 3000, 800, 3
"""How many occurrences of words the engine reads for that; but always those of the rarest words."""
NEAREST = 5
LIKELY_GAMES, SHARPNESS = 3, 0.3
VARIETY, VARIED = 0.95, 5
COVERED = 0.42
"""Below this share of the question's weight in the best passage, the texts hold no answer."""


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage of the rules as it stands in its text, or (`text_id` None, kind "record") a game's record."""

    game_id: int
    game_title: str
    text_id: int | None
    kind: str
    language: str
    edition: str
    revision: int
    revised_at: datetime | None
    anchor: str
    path: tuple[str, ...]
    body: str
    score: float
    marks: frozenset[str] = frozenset()  # the matched words, folded
    source_name: str = ""
    source_url: str = ""
    licence: str = ""
    passage_id: str = ""
    touched_by: tuple[Touch, ...] = ()  # errata and FAQ passages about this one

    @property
    def html(self) -> SafeString:
        """The body as safe HTML, the matched words in <mark>; made when it is asked for."""
        if self.text_id is None:
            return _facts_html(self.body, self.marks)
        return marked_html(self.body, self.marks, shelf_language(self.language))


@dataclass(frozen=True, slots=True)
class PassageResults:
    """Hits, best first. `corrected` is the question as it was understood, if words were repaired.

    `no_answer` says that too little of the question is in the texts: the hits are only what is nearest.
    `language` is the one the question was taken to be in; `games` are those it names.
    """

    hits: tuple[PassageHit, ...] = ()
    corrected: str = ""
    no_answer: bool = False
    language: str = ""
    games: tuple[int, ...] = ()
    is_degraded: bool = False


def find_passages(
    text: str,
    *,
    game_id: int | None = None,
    language: str | None = None,
    reader_language: str,
    limit: int = 20,
) -> PassageResults:
    """The passages that answer a question, the asker's language first where the game has it.

    `game_id` fixes the game, `language` (BCP 47) lets only texts in it through.
    """
    asked = query.parse(text)
    if asked.is_empty:
        return PassageResults()
    try:
        return _find_passages(get_engine(), asked, game_id, language, reader_language, limit)
    except Unreadable as error:
        logger.warning("The search index cannot be read (%s); titles are looked up instead.", error)
        get_engine().report_damage()
        return _by_title(text, reader_language, limit)


def _by_title(text: str, reader_language: str, limit: int) -> PassageResults:
    """What can be said without an index: the records of the games whose title was typed."""
    named = find_games(text, GameFilters(), limit=limit).games
    with override(reader_language):
        found = records([game.pk for game in named])
    whole = Match(1.0, 1.0, frozenset())
    hits = _shown([Ranked(c, whole, whole.score) for c in found])
    return PassageResults(hits=hits, no_answer=True, is_degraded=True)


def _find_passages(
    engine: Engine,
    asked: query.Query,
    game_id: int | None,
    language: str | None,
    reader_language: str,
    limit: int,
) -> PassageResults:
    reader = shelf_language(reader_language)
    asker = query.asked_in(asked, reader)
    question = ask(engine, asked, asker, game_id)
    shelves = _shelves(asker, language)
    fetched = {shelf: _of_named_games(engine, question, shelf) for shelf in shelves}
    counts = Counter(f for c in fetched.get(asker, ()) for f in c.reading.folds)
    question = repaired(engine, question, counts)
    if not question.games:
        fetched = {shelf: _proposals(engine, question, shelf) for shelf in shelves}
    ranked = [r for shelf, found in fetched.items() for r in _ranked(engine, question, shelf, found)]
    if language is None:
        ranked += _ranked_records(engine, question, reader_language)
    ranked = _varied(_distinct(_weighed(ranked, asker, asked)))
    return PassageResults(
        hits=_shown(ranked[:limit]),
        corrected=question.corrected,
        no_answer=not any(r.match.covered >= COVERED for r in ranked[:NEAREST]),
        language=asker,
        games=tuple(sorted(question.games)),
    )


def _shelves(asker: str, language: str | None) -> tuple[str, ...]:
    if language:
        return (shelf_language(language),)
    return tuple(dict.fromkeys((asker, *LANGUAGES, OTHER)))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its worth."""

    candidate: Candidate
    match: Match
    score: float


def _of_named_games(engine: Engine, question: Question, shelf: str) -> list[Candidate]:
    wanted = question.wanted(shelf)
    return [c for game in sorted(question.games) for c in of_game(engine, shelf, game, wanted)]


def _proposals(engine: Engine, question: Question, shelf: str) -> list[Candidate]:
    at_home = shelf == question.language
    terms = _telling(engine, shelf, question.terms(shelf), POSTINGS if at_home else POSTINGS_ABROAD)
    return proposed(engine, shelf, AnyOf(terms), PROPOSALS if at_home else ABROAD) if terms else []


def _telling(engine: Engine, shelf: str, terms: Sequence[Term], budget: int) -> tuple[Term, ...]:
    """The rarest terms, as many as are read in bounded time. The others are met again in ranking."""
    counts: dict[Term, int] = {}
    for name in {t.field for t in terms}:
        texts = {t.text: t for t in terms if t.field == name}
        found = engine.frequencies(shelf, name, texts)
        counts |= {texts[text]: count for text, count in found.items() if count}
    kept: list[Term] = []
    for term in sorted(counts, key=lambda t: (counts[t], t.field, t.text)):
        budget -= counts[term]
        if len(kept) >= TELLING and budget < 0:
            break
        kept.append(term)
    return tuple(kept)


def _ranked(engine: Engine, question: Question, shelf: str, found: list[Candidate]) -> list[Ranked]:
    if not found:
        return []
    units = question.units(shelf)
    if question.games:
        weight = ranking.weights(units, [c.reading for c in found])
    else:
        weight = _weights_everywhere(engine, units, shelf)
    ranked = _matched(question, units, weight, found)
    if question.games or shelf != question.language:
        return ranked
    return _sharpened(engine, question, shelf, units, ranked)


def _matched(
    question: Question, units: Sequence[Unit], weight: Sequence[float], found: Iterable[Candidate]
) -> list[Ranked]:
    how_many = query.asks_how_many(question.words, question.language)
    matches = ((c, ranking.match(units, weight, c.reading, how_many=how_many)) for c in found)
    return [Ranked(c, m, m.score) for c, m in matches if m]


def _sharpened(
    engine: Engine, question: Question, shelf: str, units: Sequence[Unit], ranked: list[Ranked]
) -> list[Ranked]:
    """No game named: within the likeliest games, words are weighed again by how rare they are there.

    "paysans" tells Finca from all other games, but no passage of Finca from another.
    """
    best: dict[int, float] = {}
    for r in ranked:
        best[r.candidate.game_id] = max(best.get(r.candidate.game_id, 0.0), r.score)
    likely = sorted(best, key=lambda game: -best[game])[:LIKELY_GAMES]
    rest = [r for r in ranked if r.candidate.game_id not in likely]
    for game in likely:
        found = of_game(engine, shelf, game, question.wanted(shelf))
        within = _matched(question, units, ranking.weights(units, [c.reading for c in found]), found)
        everywhere = {id(r.candidate.payload): r for r in ranked}
        top = max((r.score for r in within), default=1.0)
        for r in within:
            before = everywhere.get(id(r.candidate.payload))
            score = SHARPNESS * best[game] * r.score / top
            score += (1 - SHARPNESS) * (before.score if before else 0.0)
            rest.append(Ranked(r.candidate, before.match if before else r.match, score))
    return rest


def _weights_everywhere(engine: Engine, units: Sequence[Unit], shelf: str) -> list[float]:
    total = engine.size(shelf)
    weights = []
    for unit in units:
        stems = [f.key for f in unit.forms if f.level in (Level.FOLD, Level.STEM)]
        names = [f.key for f in unit.forms if f.level is Level.CONCEPT]
        counts = [
            *engine.frequencies(shelf, "stem", stems).values(),
            *engine.frequencies(shelf, "concept", names).values(),
        ]
        weights.append(ranking.rarity(max(counts, default=0), total))
    return weights


def _ranked_records(engine: Engine, question: Question, reader_language: str) -> list[Ranked]:
    games = sorted(question.games)
    wanted = question.wanted(GAMES)
    if not games and wanted:
        games = [hit.game_id for hit in engine.find(GAMES, wanted, RECORDS)]
    with override(reader_language):
        found = records(games)
    if not question.content:
        whole = Match(1.0, 1.0, frozenset())
        return [Ranked(c, whole, whole.score) for c in found]
    units = question.units(GAMES)
    weight = _weights_everywhere(engine, units, GAMES)
    matches = ((c, ranking.match(units, weight, c.reading)) for c in found)
    return [Ranked(c, m, m.score * RECORD) for c, m in matches if m]


def _weighed(ranked: list[Ranked], asker: str, asked: query.Query) -> list[Ranked]:
    """In order of worth: what lacks a phrase or has an excluded word is out, the asker's language first."""
    phrases = [[t.fold for t in tokens(p, asker)] for p in asked.phrases]
    excluded = {t.fold for word in asked.excluded for t in tokens(word, asker)}
    kept = [
        r
        for r in ranked
        if all(ranking.holds_phrase(r.candidate.reading, p) for p in phrases)
        and excluded.isdisjoint(r.candidate.reading.folds)
    ]
    at_home: dict[int, float] = {}
    for r in kept:
        if r.candidate.shelf == asker and r.match.covered >= COVERED:
            at_home[r.candidate.game_id] = max(at_home.get(r.candidate.game_id, 0.0), r.score)
    weighed = [replace(r, score=_beside_home(r, asker, at_home)) for r in kept]
    return sorted(weighed, key=lambda r: -r.score)


def _beside_home(ranked: Ranked, asker: str, at_home: Mapping[int, float]) -> float:
    """A passage in another language stays behind the best one that the game has in the asker's."""
    home = at_home.get(ranked.candidate.game_id)
    if home is None or ranked.candidate.shelf in (asker, GAMES):
        return ranked.score
    return min(ranked.score * OTHER_LANGUAGE, 0.99 * home)


def _distinct(ranked: list[Ranked]) -> list[Ranked]:
    """The same passage standing in two texts of a game is shown once."""
    best: dict[tuple[int, str], Ranked] = {}
    for r in ranked:
        best.setdefault((r.candidate.game_id, " ".join(r.candidate.payload["body"].split())), r)
    return list(best.values())


def _varied(ranked: list[Ranked]) -> list[Ranked]:
    """Each further passage of one text counts a little less, so that other editions and languages of the
    same rule come into sight."""
    seen: Counter[object] = Counter()
    varied = []
    for r in ranked:
        text = r.candidate.payload.get("text")
        varied.append(replace(r, score=r.score * VARIETY ** min(seen[text], VARIED)))
        seen[text] += 1
    return sorted(varied, key=lambda r: -r.score)


# --- showing -----------------------------------------------------------------------------------


def _shown(ranked: Sequence[Ranked]) -> tuple[PassageHit, ...]:
    """Hits with what the database says of their texts; a text deleted meanwhile is left out."""
    texts = RulesText.objects.select_related("game").in_bulk(
        {r.candidate.payload["text"] for r in ranked if "text" in r.candidate.payload}
    )
    revisions = _revisions(texts)
    hits = []
    for r in ranked:
        payload = r.candidate.payload
        if "text" not in payload:
            hits.append(_record_hit(r))
        elif payload["text"] in texts:
            key = (payload["text"], payload["revision"])
            hits.append(_passage_hit(r, texts[payload["text"]], revisions.get(key)))
    return tuple(hits)


def _revisions(texts: Iterable[int]) -> dict[tuple[int, int], datetime]:
    rows = Revision.objects.filter(rules_text__in=list(texts)).values_list("rules_text", "number", "made_at")
    return {(text, number): made_at for text, number, made_at in rows}


def _passage_hit(ranked: Ranked, text: RulesText, revised_at: datetime | None) -> PassageHit:
    payload = ranked.candidate.payload
    anchor, path = _best_part(ranked)
    return PassageHit(
        game_id=text.game_id,
        game_title=text.game.title,
        text_id=text.pk,
        kind=text.kind,
        language=text.language,
        edition=text.edition,
        revision=payload["revision"],
        revised_at=revised_at,
        anchor=anchor,
        path=path,
        body=payload["body"],
        score=ranked.score,
        marks=ranked.match.folds,
        source_name=text.source_name,
        source_url=text.source_url,
        licence=text.licence,
        passage_id=payload["passage_id"],
        touched_by=tuple(Touch(*touch) for touch in payload["touched_by"]),
    )


def _best_part(ranked: Ranked) -> tuple[str, tuple[str, ...]]:
    """Of several small sections in one passage, the one with most of the matched words."""
    payload = ranked.candidate.payload
    parts = payload["parts"]
    if len(parts) == 1:
        return payload["anchor"], tuple(payload["path"])
    ends = [*(start for __, __, start in parts[1:]), len(payload["body"])]
    words = [
        sum(t.fold in ranked.match.folds for t in tokens(payload["body"][start:end], ranked.candidate.shelf))
        for (__, __, start), end in zip(parts, ends, strict=True)
    ]
    anchor, path, __ = parts[max(range(len(parts)), key=lambda i: words[i])]
    return anchor, tuple(path)


def _record_hit(ranked: Ranked) -> PassageHit:
    payload = ranked.candidate.payload
    return PassageHit(
        game_id=ranked.candidate.game_id,
        game_title=payload["title"],
        text_id=None,
        kind="record",
        language="",
        edition="",
        revision=0,
        revised_at=None,
        anchor="",
        path=(),
        body=payload["body"],
        score=ranked.score,
        marks=ranked.match.folds,
    )


def _facts_html(body: str, folds: Set[str]) -> SafeString:
    lines = (mark_words(conditional_escape(line), folds, OTHER) for line in body.splitlines())
    return mark_safe("<br>".join(lines))  # noqa: S308 every line is escaped
