"""From a question to its passages in order: the engine proposes, `ranking` matches, this decides.

The game first: where none is named, the likeliest are told by all that the question says of them, and
within these the words count by how rare they are there. The asker's language before all others.
Called by `find`; reads the records of games, writes nothing.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import override

from search import query, ranking, semantic
from search.analysis import tokens
from search.candidates import Candidate, of_game, proposed, records
from search.documents import GAMES
from search.editions import Editions
from search.engines import AnyOf, Engine, Term
from search.questions import PROPOSING, Question
from search.ranking import Form, Level, Match, Meeting, Unit

OTHER_LANGUAGE = 0.4
"""What a passage in another language is worth where the game also has the asker's."""
TWIN = 0.85
"""What a passage is worth for its translation, if that meets the question better."""
RECORD, AS_MUCH = 0.8, 0.6
"""A record answers questions for its fields; where rules of the game meet so much of what it meets, and
no field is named, the rules are meant."""
PROPOSALS, ABROAD, RECORDS = 50, 12, 6
"""How many passages the engine proposes: in the asker's language, in each other one, and of records."""
POSTINGS, POSTINGS_ABROAD, TELLING = 3000, 800, 3
"""How many occurrences of words the engine reads for that; but always those of the rarest words."""
LIKELY_GAMES, SHARPNESS, LIKELIHOOD = 3, 0.3, 4.0
"""How many games are looked at whole, how much their own order counts, and how much likelier is better."""
VARIETY, VARIED = 0.95, 5
COVERED = 0.42
"""From this share of the question's weight on, a passage in the asker's language is an answer of its game."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its worth."""

    candidate: Candidate
    match: Match
    score: float


def of_named_games(engine: Engine, question: Question, shelf: str) -> list[Candidate]:
    """The passages of the games that the question names."""
    wanted = partial(question.wanted, shelf)
    return [c for game in sorted(question.games) for c in of_game(engine, shelf, game, wanted)]


def within_named_games(
    question: Question,
    fetched: Mapping[str, Sequence[Candidate]],
    records: Sequence[Ranked],
    editions: Editions,
) -> list[Ranked]:
    """What the named games have to say, in order of worth, the edition that is asked for first."""
    found = [
        r
        for shelf, passages in fetched.items()
        if passages
        for r in _matched_within(question, question.units(shelf), passages)
    ]
    if not any(_answers_at_home(r, question.home) for r in found):
        found += _unmet(fetched.get(question.home, ()), found)
    found = [replace(r, score=r.score * editions.worth.get(r.candidate.payload["text"], 1.0)) for r in found]
    return in_order([*found, *records], question)


def _unmet(passages: Sequence[Candidate], found: Sequence[Ranked]) -> list[Ranked]:
    """Passages without any of the asker's words: one may still be what another language says in them."""
    met = {id(r.candidate) for r in found}
    return [Ranked(c, Match(0.0, 0.0), 0.0) for c in passages if id(c) not in met]


def anywhere(
    engine: Engine, question: Question, shelves: Sequence[str], records: Sequence[Ranked]
) -> list[Ranked]:
    """What any game has to say, in order of worth."""
    found = [r for shelf in shelves for r in _matched_everywhere(engine, question, shelf)]
    return in_order([*_scoped(engine, question, shelves, found, records), *records], question)


# --- proposing and matching --------------------------------------------------------------------


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


def _matched_everywhere(engine: Engine, question: Question, shelf: str) -> list[Ranked]:
    found = _proposals(engine, question, shelf)
    if not found:
        return []
    units = _occurring(engine, question, shelf)
    meetings = ranking.meet(units, [c.reading for c in found])
    return _matched(question, units, _weights_everywhere(engine, units, shelf), found, meetings)


def _occurring(engine: Engine, question: Question, shelf: str) -> list[Unit]:
    """The words with those of their forms that any passage has: others need not be looked for in each."""
    made = question.made.occurring
    if shelf not in made:
        made[shelf] = _with_occurring_forms(engine, question, shelf)
    return made[shelf]


def _with_occurring_forms(engine: Engine, question: Question, shelf: str) -> list[Unit]:
    known = {
        name: engine.frequencies(shelf, name, {t.text for t in question.terms(shelf) if t.field == name})
        for name in set(PROPOSING.values())
    }

    def occurs(form: Form) -> bool:
        return known[PROPOSING[form.level]].get(form.key, 0) > 0 if form.level in PROPOSING else True

    return [replace(unit, forms=tuple(filter(occurs, unit.forms))) for unit in question.units(shelf)]


def _matched_within(question: Question, units: Sequence[Unit], found: Sequence[Candidate]) -> list[Ranked]:
    meetings = ranking.meet(units, [c.reading for c in found])
    return _matched(question, units, ranking.weights(units, meetings), found, meetings)


def _matched(
    question: Question,
    units: Sequence[Unit],
    weight: Sequence[float],
    found: Sequence[Candidate],
    meetings: Sequence[Sequence[Meeting]],
) -> list[Ranked]:
    how_many = query.asks_how_many(question.words, question.language)
    by_words = [
        ranking.match(units, weight, c.reading, met, how_many=how_many)
        for c, met in zip(found, meetings, strict=True)
    ]
    matches = semantic.with_meaning(question, found, by_words)
    return [Ranked(c, m, m.score) for c, m in zip(found, matches, strict=True) if m]


def _weights_everywhere(engine: Engine, units: Sequence[Unit], shelf: str) -> list[float]:
    total = engine.size(shelf)
    weights = []
    for unit in units:
        stems = [f.key for f in unit.forms if f.level in (Level.FOLD, Level.STEM) and not f.is_aside]
        names = [f.key for f in unit.forms if f.level is Level.CONCEPT and not f.is_aside]
        kin = [f.key for f in unit.forms if f.level is Level.CONCEPT and f.is_aside]
        counts = [
            *engine.frequencies(shelf, "stem", stems).values(),
            *engine.frequencies(shelf, "concept", names).values(),
            *(ranking.ASIDE * count for count in engine.frequencies(shelf, "concept", kin).values()),
        ]
        weights.append(ranking.rarity(max(counts, default=0), total))
    return weights


def ranked_records(engine: Engine, question: Question, reader_language: str) -> list[Ranked]:
    """The records of the named games, or those that fit best."""
    games = sorted(question.games)
    wanted = question.wanted(GAMES)
    if not games and wanted:
        games = [hit.game_id for hit in engine.find(GAMES, wanted, RECORDS)]
    if not question.content:
        whole = Match(1.0, 1.0)
        return [replace(r, match=whole, score=whole.score) for r in records_of(games, reader_language)]
    found = [r.candidate for r in records_of(games, reader_language)]
    units = question.units(GAMES)
    weight = _weights_everywhere(engine, units, GAMES)
    meetings = ranking.meet(units, [c.reading for c in found])
    matches = (
        (c, ranking.match(units, weight, c.reading, met)) for c, met in zip(found, meetings, strict=True)
    )
    return [Ranked(c, m, m.score * RECORD) for c, m in matches if m]


def records_of(games: Iterable[int], reader_language: str) -> list[Ranked]:
    """The records of some games as they stand, whatever was asked."""
    with override(reader_language):
        return [Ranked(c, Match(0.0, 0.0), 0.0) for c in records(sorted(games))]


# --- the likeliest games -----------------------------------------------------------------------


def _scoped(
    engine: Engine,
    question: Question,
    shelves: Sequence[str],
    found: Sequence[Ranked],
    records: Sequence[Ranked],
) -> list[Ranked]:
    """No game named: within the likeliest games, words are weighed again by how rare they are there.

    "paysans" tells Finca from all other games, but no passage of Finca from another.
    """
    told = _told_of_games([*found, *records])
    most = max(told.values(), default=1.0)
    top = max((r.score for r in found), default=0.0)
    likely = sorted(told, key=lambda game: -told[game])[:LIKELY_GAMES]
    before = {id(r.candidate.payload): r for r in found}
    scoped = [r for r in found if r.candidate.game_id not in likely]
    for game in likely:
        worth = top * (told[game] / most) ** LIKELIHOOD
        for shelf in shelves:
            passages = of_game(engine, shelf, game, partial(question.wanted, shelf))
            if not passages:
                continue
            within = _matched_within(question, _occurring(engine, question, shelf), passages)
            scoped += _mixed(within, before, worth)
    return scoped


def _told_of_games(found: Iterable[Ranked]) -> dict[int, float]:
    """How much of the question each game's passages and record together say."""
    best: dict[int, list[float]] = {}
    for r in found:
        met = best.setdefault(r.candidate.game_id, [0.0] * len(r.match.met))
        best[r.candidate.game_id] = [max(pair) for pair in zip(met, r.match.met, strict=False)]
    return {game: sum(met) for game, met in best.items()}


def _mixed(within: Sequence[Ranked], before: Mapping[int, Ranked], worth: float) -> list[Ranked]:
    """Each passage's worth in its game, together with what it was worth among all."""
    best = max((r.score for r in within), default=0.0) or 1.0
    mixed = []
    for r in within:
        known = before.get(id(r.candidate.payload))
        score = SHARPNESS * worth * r.score / best + (1 - SHARPNESS) * (known.score if known else 0.0)
        mixed.append(Ranked(r.candidate, known.match if known else r.match, score))
    return mixed


# --- the order ---------------------------------------------------------------------------------


def in_order(found: Sequence[Ranked], question: Question) -> list[Ranked]:
    """In order of worth, each passage once, other editions in sight, the asker's language first."""
    home = question.home
    kept = [r for r in found if _is_let_through(r, question.query, question.language)]
    kept = _records_behind(_with_twins(kept, home), question.games)
    ordered = _at_home_first(_varied(_distinct(_weighed(kept, home))), home)
    only = question.wanted_in
    return [r for r in ordered if r.score > 0 and (not only or r.candidate.shelf == only)]


def _is_let_through(ranked: Ranked, asked: query.Query, asker: str) -> bool:
    """Whether a passage has the quoted phrases and none of the excluded words."""
    reading = ranked.candidate.reading
    phrases = ([t.fold for t in tokens(p, asker)] for p in asked.phrases)
    excluded = {t.fold for word in asked.excluded for t in tokens(word, asker)}
    return all(ranking.holds_phrase(reading, p) for p in phrases) and (
        not excluded or excluded.isdisjoint(reading.folds)
    )


def _with_twins(found: Sequence[Ranked], asker: str) -> list[Ranked]:
    """A passage in the asker's language is worth nearly what the same passage is in another one.

    The asker's words may be those of the other translation: "feed" stands in the French text, where the
    English one says "pay".
    """
    best: dict[tuple[int, str], Ranked] = {}
    for r in found:
        if r.candidate.shelf not in (asker, GAMES):
            for text, anchor in r.candidate.payload["twins"]:
                held = best.get((text, anchor))
                if held is None or r.score > held.score:
                    best[text, anchor] = r
    twinned = [_with_twin(r, best) if r.candidate.shelf == asker else r for r in found]
    return _behind_twins(twinned, asker)


def _behind_twins(found: Sequence[Ranked], asker: str) -> list[Ranked]:
    """What stands in the asker's language as well is shown there first."""
    at_home = {
        (r.candidate.payload["text"], part[0]): r.score
        for r in found
        if r.candidate.shelf == asker
        for part in r.candidate.payload["parts"]
    }

    def behind(ranked: Ranked) -> Ranked:
        twins = [
            at_home[text, anchor]
            for text, anchor in ranked.candidate.payload["twins"]
            if (text, anchor) in at_home
        ]
        return replace(ranked, score=min(ranked.score, 0.99 * max(twins))) if any(twins) else ranked

    return [behind(r) if _is_abroad(r, asker) else r for r in found]


def _with_twin(ranked: Ranked, best: Mapping[tuple[int, str], Ranked]) -> Ranked:
    payload = ranked.candidate.payload
    twins = [best.get((payload["text"], part[0])) for part in payload["parts"]]
    twin = max((t for t in twins if t), key=lambda t: t.score, default=None)
    if twin is None or TWIN * twin.score <= ranked.score:
        return ranked
    match = replace(ranked.match, covered=max(ranked.match.covered, twin.match.covered))
    return Ranked(ranked.candidate, match, TWIN * twin.score)


def _weighed(found: Sequence[Ranked], asker: str) -> list[Ranked]:
    """A passage in another language stays behind the best one that the game has in the asker's."""
    at_home = _best_at_home(found, asker)
    weighed = []
    for r in found:
        home = at_home.get(r.candidate.game_id)
        is_behind = home is not None and _is_abroad(r, asker)
        score = min(r.score * OTHER_LANGUAGE, 0.99 * home.score) if home and is_behind else r.score
        weighed.append(replace(r, score=score))
    return sorted(weighed, key=lambda r: -r.score)


def _best_at_home(found: Sequence[Ranked], asker: str) -> dict[int, Ranked]:
    """The best answer of each game in the asker's language."""
    best: dict[int, Ranked] = {}
    for r in found:
        game = r.candidate.game_id
        if _answers_at_home(r, asker) and (game not in best or r.score > best[game].score):
            best[game] = r
    return best


def _is_abroad(ranked: Ranked, asker: str) -> bool:
    return ranked.candidate.shelf not in (asker, GAMES)


def _records_behind(found: Sequence[Ranked], named: Collection[int]) -> list[Ranked]:
    """Records behind the rules of their game, unless a field is asked for ("age") or the rules say less."""
    best: dict[int, Ranked] = {}
    for r in found:
        game = r.candidate.game_id
        if r.candidate.shelf != GAMES and r.score > (best[game].score if game in best else 0.0):
            best[game] = r
    return [_behind(r, best, named) if r.candidate.shelf == GAMES else r for r in found]


def _behind(record: Ranked, best: Mapping[int, Ranked], named: Collection[int]) -> Ranked:
    game = record.candidate.game_id
    if game not in best or not record.match.folds.isdisjoint(record.candidate.payload["labels"]):
        return record
    if game not in named and best[game].match.covered < AS_MUCH * record.match.covered:
        return record
    return replace(record, score=min(record.score, 0.95 * best[game].score))


def _answers_at_home(ranked: Ranked, asker: str) -> bool:
    return ranked.candidate.shelf == asker and ranked.match.covered >= COVERED


def _distinct(ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same passage standing in two texts of a game is shown once."""
    alike = Counter(_ends(r) for r in ranked)
    seen: set[tuple[int, str]] = set()
    distinct = []
    for r in ranked:
        if alike[_ends(r)] > 1:
            key = r.candidate.game_id, " ".join(r.candidate.payload["body"].split())
            if key in seen:
                continue
            seen.add(key)
        distinct.append(r)
    return distinct


def _ends(ranked: Ranked) -> tuple[int, tuple[str, ...]]:
    """A game, and the first and the last word of a passage: seen at a glance, unlike all words of it."""
    body = ranked.candidate.payload["body"]
    return ranked.candidate.game_id, (*body.split(None, 1)[:1], *body.rsplit(None, 1)[-1:])


def _varied(ranked: Sequence[Ranked]) -> list[Ranked]:
    """Each further passage of one text counts a little less, so that other editions and languages of the
    same rule come into sight."""
    seen: Counter[object] = Counter()
    varied = []
    for r in ranked:
        text = r.candidate.payload.get("text")
        varied.append(replace(r, score=r.score * VARIETY ** min(seen[text], VARIED)))
        seen[text] += 1
    return sorted(varied, key=lambda r: -r.score)


def _at_home_first(ranked: Sequence[Ranked], asker: str) -> list[Ranked]:
    """Of each game that answers in the asker's language, passages in other languages come behind those."""
    best = _best_at_home(ranked, asker)
    last: dict[int, int] = {}
    for place, r in enumerate(ranked):
        if _answers_at_home(r, asker):
            last[r.candidate.game_id] = place

    def order(place: int) -> tuple[int, int]:
        r = ranked[place]
        home = best.get(r.candidate.game_id)
        if home is None or not _is_abroad(r, asker):
            return place, 0
        return max(place, last[r.candidate.game_id]), 1 + place

    return [ranked[place] for place in sorted(range(len(ranked)), key=order)]
