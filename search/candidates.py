"""What may answer: passages and records fetched from the engine, laid out for ranking.

What was loaded last is kept: within one game the same passages come again and again.
Called by `find`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.utils.translation import get_language

from catalogue.models import Game
from search.analysis import OTHER, Token, tokens
from search.documents import GAMES, all_stems, described_games, facts, hidden_words, unpacked
from search.engines import AllOf, Engine, Hit, Term, Wanted
from search.ranking import Reading, read

ALL_OF_A_GAME = 400
"""Of a named game, every passage of a language is ranked; where it has more than these, the engine's best."""
MOST_RECORDS = 1000


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage (or record) and its words. `payload` is what `documents` stored with it."""

    shelf: str
    game_id: int
    payload: dict[str, Any]
    reading: Reading


def of_game(
    engine: Engine, shelf: str, game_id: int, otherwise: Callable[[], Wanted | None]
) -> list[Candidate]:
    """The passages of one game, in the order of its texts; of a very long one those that fit `otherwise`."""
    in_game = Term("game", str(game_id), 0.0)
    count = engine.frequencies(shelf, "game", [str(game_id)])[str(game_id)]
    if not count:
        return []
    fitting = otherwise() if count > ALL_OF_A_GAME else None
    if fitting is not None:
        return proposed(engine, shelf, AllOf((in_game, fitting)), ALL_OF_A_GAME)
    hits = engine.find(shelf, in_game, ALL_OF_A_GAME)
    return _read(shelf, sorted(hits, key=lambda hit: _order(hit.key)))


def _order(key: str) -> tuple[int, ...]:
    return tuple(int(n) for n in key.split("."))


def proposed(engine: Engine, shelf: str, wanted: Wanted, limit: int) -> list[Candidate]:
    """The engine's best passages of one shelf."""
    return _read(shelf, engine.find(shelf, wanted, limit))


def _read(shelf: str, hits: Iterable[Hit]) -> list[Candidate]:
    return [Candidate(shelf, hit.game_id, *_loaded(hit.payload)) for hit in hits]


@lru_cache(maxsize=2000)
def _loaded(payload: str) -> tuple[dict[str, Any], Reading]:
    return unpacked(payload)


State = tuple[int, int, datetime, str]
"""A game, its revision and when that was made, and the language of the labels: all that a record hangs on."""

_records: dict[State, Candidate] = {}


def records(game_ids: Sequence[int]) -> list[Candidate]:
    """The records of games as one more thing that may answer: labelled facts in the reader's language.

    Whatever a record says, a change of it counts the game's revision up (`outbox`): one query tells what of
    it is known already, where telling it anew takes six and a laying out.
    """
    states = Game.objects.filter(pk__in=game_ids).order_by("pk").values_list("pk", "revision", "updated_at")
    wanted = [(*state, get_language()) for state in states]
    found = {state: _records[state] for state in wanted if state in _records}
    new = [state[0] for state in wanted if state not in found]
    if new:
        told = {game.pk: game for game in described_games().filter(pk__in=new)}
        found |= {state: _record(told[state[0]]) for state in wanted if state[0] in told}
        if len(_records) > MOST_RECORDS:
            _records.clear()
        _records.update(found)
    return [found[state] for state in wanted if state in found]


def _record(game: Game) -> Candidate:
    said = facts(game)
    body = "\n".join(f"{label}: {value}" for label, value in said)
    labels = {t.fold for label, _value in said for t in tokens(label, OTHER)}
    titles = " / ".join([game.title, *(a.title for a in game.alternative_titles.all())])
    words = _record_tokens(body) + _record_tokens(hidden_words(game))
    payload = {"body": body, "title": game.title, "labels": labels}
    return Candidate(GAMES, game.pk, payload, read(words, _record_tokens(titles), OTHER))


def _record_tokens(text: str) -> list[Token]:
    return [replace(t, stems=all_stems(t)) for t in tokens(text, OTHER)]
