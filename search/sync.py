"""Keeps the index in step with the database: follow the outbox, rebuild beside and swap, verify.

`sync` takes the engine's writer first and only then reads the outbox, commits the index, and deletes each
row only if it still shows the revision that was followed. A crash anywhere therefore does work again and
never loses it. Called by the `search` command and, after a save, by the receiver in `apps`.
"""

import logging
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from enum import StrEnum
from itertools import count

from django.db.models import Q

from catalogue.models import Change, Game
from search import documents, semantic
from search.analysis import COMPOUNDING, KnownWord, shelf_language, tokens
from search.concepts import CollectionWords
from search.documents import GAMES
from search.engines import Busy, Engine, Entry, Held, State, Unreadable, Writer, get_engine

logger = logging.getLogger(__name__)

BATCH = 50
DOORBELL_BATCHES = 10
POLL_S, STUCK_S = 0.5, 10.0


class Fault(StrEnum):
    """How the index can differ from the database."""

    MISSING = "missing"
    STALE = "stale"
    ORPHAN = "orphan"
    DOUBLE = "double"


@dataclass(frozen=True, slots=True)
class Difference:
    """One game that the index does not show as it is."""

    game_id: int
    fault: Fault
    shelf: str
    indexed: int | None
    current: int | None


# --- following the outbox ----------------------------------------------------------------------


def sync() -> int:
    """Bring the index up to date; returns how many games were followed.

    An index that cannot serve is rebuilt. Where another process is writing, nothing is done: it looks
    at the outbox again after it has let go.
    """
    engine = get_engine()
    if engine.state() is not State.READY:
        return rebuild()
    try:
        return _follow(engine, count())
    except Unreadable:
        logger.exception("The search index is damaged and is built anew.")
        engine.report_damage()
        return rebuild()


def _follow(engine: Engine, batches: Iterable[int]) -> int:
    followed, failed = 0, set[int]()
    for _ in batches:
        # Asked without the lock: whoever found the writer busy has left his row before he asked.
        if not Change.objects.exclude(game_id__in=failed).exists():
            break
        try:
            done, wrong = _follow_batch(engine, failed)
        except Busy:
            break
        followed += done
        failed |= wrong
    return followed


def ring() -> None:
    """What a save does: follow a few changes. Whatever fails is logged, for the save has long been made."""
    try:
        engine = get_engine()
        if engine.state() is State.READY:
            _follow(engine, range(DOORBELL_BATCHES))
        else:
            logger.warning("The search index cannot serve yet: run `manage.py search sync`.")
    except Exception:
        logger.exception("The search index did not follow a change; `manage.py search sync` will.")


def follow() -> Iterator[int]:
    """Sync for ever, yielding how many games were followed each time."""
    while True:
        try:
            yield sync()
        except Busy:
            yield 0
        # Rows that are left belong to games that cannot be indexed: no use asking for them twice a second.
        time.sleep(STUCK_S if Change.objects.exists() else POLL_S)


def _follow_batch(engine: Engine, skipped: Set[int]) -> tuple[int, set[int]]:
    """Follow some rows of the outbox; how many, and the games that could not be indexed (their rows stay)."""
    with engine.writer() as writer:
        changes = list(Change.objects.exclude(game_id__in=skipped).order_by("pk")[:BATCH])
        known = _known_words(engine)
        games = documents.indexed_games().in_bulk([c.game_id for c in changes])
        made = {c.game_id: _entries(games.get(c.game_id), known) for c in changes}
        for game_id, entries in made.items():
            if entries is not None:
                writer.replace(game_id, entries)
    followed = [c for c in changes if made[c.game_id] is not None]
    for change in followed:
        game = games.get(change.game_id)
        _delete_if_followed(change, game.revision if game else None)
    return len(followed), {g for g, entries in made.items() if entries is None}


def _entries(game: Game | None, known: dict[str, KnownWord]) -> list[Entry] | None:
    """A game's entries; none for a game that is gone; None where making them failed.

    One game that cannot be indexed must not keep all others out of the index.
    """
    if game is None:
        return []
    try:
        entries = documents.entries(game, known)
    except Exception:
        logger.exception("Game %d cannot be indexed.", game.pk)
        return None
    semantic.learn(entries)
    return entries


def _delete_if_followed(change: Change, revision: int | None) -> None:
    """Compare and delete: a row that was raised meanwhile stays for the next batch.

    The game may have been read newer than the row said; the row of that newer state is followed too.
    """
    followed = Q(revision=change.revision)
    if revision is not None:
        followed |= Q(revision__lte=revision)
    Change.objects.filter(followed, pk=change.pk).delete()


def _known_words(engine: Engine) -> dict[str, KnownWord]:
    return {la: CollectionWords(la, engine.words(la, "fold")) for la in COMPOUNDING}


# --- rebuilding --------------------------------------------------------------------------------


def rebuild() -> int:
    """Build a new index beside the serving one and let it take over; returns how many games it holds.

    Saves go on meanwhile and are followed in the old index; what they changed is repaired in the new
    one before it serves. Raises Busy where another rebuild is under way.
    """
    engine = get_engine()
    total = 0

    def all_games() -> Iterator[tuple[int, list[Entry]]]:
        nonlocal total
        known = _words_of_all_texts()
        for game in documents.indexed_games().iterator(chunk_size=100):
            entries = _entries(game, known)
            if entries is not None:
                total += 1
                yield game.pk, entries

    with engine.rebuild() as made, semantic.relearning():
        made.fill(all_games())
        made.take_over(_catch_up)
    sync()
    return total


def _words_of_all_texts() -> dict[str, KnownWord]:
    counts: dict[str, Counter[str]] = {language: Counter() for language in COMPOUNDING}
    tags = [Q(language__istartswith=language) for language in COMPOUNDING]
    texts = documents.texts_with_revisions().filter(tags[0] | tags[1])
    for text in texts.iterator(chunk_size=100):
        language, now = shelf_language(text.language), documents.current_body(text)
        if language in counts and now:
            counts[language].update({t.fold for t in tokens(now[0], language)})
    return {language: CollectionWords(language, count) for language, count in counts.items()}


def _catch_up(held: Iterable[Held], writer: Writer) -> None:
    wrong = sorted({d.game_id for d in differences(held)})
    known = _words_of_all_texts() if wrong else {}
    games = documents.indexed_games().in_bulk(wrong)
    for game_id in wrong:
        entries = _entries(games.get(game_id), known)
        if entries is not None:
            writer.replace(game_id, entries)


# --- verifying ---------------------------------------------------------------------------------


def verify() -> list[Difference]:
    """How the index differs from the database; nothing where it shows every game as it is.

    Changes still in the outbox count as differences: they are not visible yet.
    """
    return list(differences(get_engine().contents()))


def differences(held: Iterable[Held]) -> Iterator[Difference]:
    """Compare entries with the database: games and revisions, and that no entry stands twice."""
    current = dict(Game.objects.values_list("pk", "revision"))
    records: set[int] = set()
    seen: set[tuple[str, str]] = set()
    for entry in held:
        now = current.get(entry.game_id)
        fault = _fault(entry, now, is_double=(entry.shelf, entry.key) in seen)
        if fault:
            yield Difference(entry.game_id, fault, entry.shelf, entry.revision, now)
        seen.add((entry.shelf, entry.key))
        if entry.shelf == GAMES:
            records.add(entry.game_id)
    for game_id in current.keys() - records:
        yield Difference(game_id, Fault.MISSING, GAMES, None, current[game_id])


def _fault(entry: Held, now: int | None, *, is_double: bool) -> Fault | None:
    if is_double:
        return Fault.DOUBLE
    if now is None:
        return Fault.ORPHAN
    return Fault.STALE if entry.revision != now else None
