"""Finding: rules passages for a question, games for a shelf. What the pages, the API and the commands call.

The engine proposes, `ranking` decides, the database supplies what is shown of games and texts. Where the
index cannot be read, titles are looked up in the database and the result says so (`is_degraded`).
"""

import logging
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from catalogue.models import Revision, RulesText
from search import query
from search.analysis import OTHER, shelf_language
from search.editions import asked_for
from search.engines import Engine, Unreadable, get_engine
from search.games import GameFilters, GameResults, find_games
from search.marking import beside, mark_words, marked_html, marked_words
from search.nearby import with_nearby
from search.ordering import Ranked, anywhere, of_named_games, ranked_records, records_of, within_named_games
from search.questions import ask, language_of, repaired
from search.touching import Touch
from search.wordlists import LANGUAGES

__all__ = ["GameFilters", "GameResults", "PassageHit", "PassageResults", "find_games", "find_passages"]

logger = logging.getLogger(__name__)

NEAREST = 5
"""So many hits are looked at to tell whether the texts hold an answer."""
ANSWERED = 0.4
"""Below this share of the question's weight in each of them, the texts hold no answer."""


TEXT_FIELDS = ("kind", "language", "edition", "source_name", "source_url", "licence", "game__title")


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
    pairs: tuple[tuple[str, str], ...] = ()  # abroad: words of the question, folded words met for them
    passage_id: str = ""
    touched_by: tuple[Touch, ...] = ()  # errata and FAQ passages about this one

    @property
    def terms(self) -> list[tuple[str, str]]:
        """The asker's words beside the words of a text in another language that were taken for them."""
        return [] if self.text_id is None else beside(self.pairs, self.body, shelf_language(self.language))

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


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an answer is looked for and how, besides the words. `is_exact`: no word is repaired."""

    reader_language: str
    game_id: int | None
    language: str | None
    is_exact: bool
    limit: int


def find_passages(
    text: str,
    *,
    game_id: int | None = None,
    language: str | None = None,
    reader_language: str,
    is_exact: bool = False,
    limit: int = 20,
) -> PassageResults:
    """The passages that answer a question, the asker's language first where the game has it.

    `game_id` fixes the game, `language` (BCP 47) lets only texts in it through, `is_exact` takes every
    word as it was typed.
    """
    asked = query.parse(text)
    if asked.is_empty:
        return PassageResults()
    try:
        return _find_passages(get_engine(), asked, Scope(reader_language, game_id, language, is_exact, limit))
    except Unreadable as error:
        logger.warning("The search index cannot be read (%s); titles are looked up instead.", error)
        get_engine().report_damage()
        return _by_title(text, reader_language, limit)


def _by_title(text: str, reader_language: str, limit: int) -> PassageResults:
    """What can be said without an index: the records of the games whose title was typed."""
    named = find_games(text, GameFilters(), limit=limit).games
    hits = _shown(records_of([game.pk for game in named], reader_language), "")
    return PassageResults(hits=hits, no_answer=True, is_degraded=True)


def _find_passages(engine: Engine, asked: query.Query, scope: Scope) -> PassageResults:
    asker = language_of(engine, asked, shelf_language(scope.reader_language))
    question = ask(engine, asked, asker, scope.game_id)
    # Where one language is wanted, the others help to find the place in it: by the same section in them.
    question = replace(question, wanted_in=shelf_language(scope.language) if scope.language else "")
    shelves = _shelves(asker)
    fetched = {shelf: of_named_games(engine, question, shelf) for shelf in shelves}
    if not scope.is_exact:
        counts = Counter(f for c in fetched.get(asker, ()) for f in c.reading.folds)
        question = with_nearby(engine, repaired(engine, question, counts))
    question, editions = asked_for(question)
    of_records = ranked_records(engine, question, scope.reader_language) if scope.language is None else []
    if question.games:
        ranked = within_named_games(question, fetched, of_records, editions)
    else:
        ranked = anywhere(engine, question, shelves, of_records)
    if not ranked and not scope.language:
        ranked = records_of(question.games, scope.reader_language)
    return PassageResults(
        hits=_shown(ranked[: scope.limit], asker),
        corrected=question.corrected,
        no_answer=not any(r.match.covered >= ANSWERED for r in ranked[:NEAREST]),
        language=asker,
        games=tuple(sorted(question.games)),
    )


def _shelves(asker: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((asker, *LANGUAGES, OTHER)))


# --- showing -----------------------------------------------------------------------------------


def _shown(ranked: Sequence[Ranked], asker: str) -> tuple[PassageHit, ...]:
    """Hits with what the database says of their texts; a text deleted meanwhile is left out."""
    texts = (
        RulesText.objects.select_related("game")
        .only(*TEXT_FIELDS)
        .in_bulk({r.candidate.payload["text"] for r in ranked if "text" in r.candidate.payload})
    )
    revisions = _revisions(texts)
    hits = []
    for r in ranked:
        payload = r.candidate.payload
        if "text" not in payload:
            hits.append(_record_hit(r))
        elif payload["text"] in texts:
            key = (payload["text"], payload["revision"])
            hit = _passage_hit(r, texts[payload["text"]], revisions.get(key))
            hits.append(hit if r.candidate.shelf == asker else replace(hit, pairs=r.match.pairs))
    return tuple(hits)


def _revisions(texts: Iterable[int]) -> dict[tuple[int, int], datetime]:
    rows = Revision.objects.filter(rules_text__in=list(texts)).values_list("rules_text", "number", "made_at")
    return {(text, number): made_at for text, number, made_at in rows}


def _passage_hit(ranked: Ranked, text: RulesText, revised_at: datetime | None) -> PassageHit:
    payload = ranked.candidate.payload
    marks = ranked.match.folds
    anchor, path = _best_part(ranked, marks)
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
        marks=marks,
        source_name=text.source_name,
        source_url=text.source_url,
        licence=text.licence,
        passage_id=payload["passage_id"],
        touched_by=tuple(Touch(*touch) for touch in payload["touched_by"]),
    )


def _best_part(ranked: Ranked, marks: Set[str]) -> tuple[str, tuple[str, ...]]:
    """Of several small sections in one passage, the one with most of the matched words."""
    payload = ranked.candidate.payload
    parts = payload["parts"]
    if len(parts) == 1:
        return payload["anchor"], tuple(payload["path"])
    ends = [*(start for __, __, start in parts[1:]), len(payload["body"])]
    words = [
        len(marked_words(payload["body"][start:end], marks, ranked.candidate.shelf))
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
