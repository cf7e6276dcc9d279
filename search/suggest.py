"""Suggestions as you type: games, headings of the rules, terms of the glossary, and what else has a source.

Everything that can be suggested stands in one table of word beginnings, kept in memory until the index
changes; the engine is not asked for single letters. Called by the pages and the API.

A further source is one more function in `SOURCES`: it yields what it has as `Named`.
"""

import heapq
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

from django.conf import settings
from django.db.models import OuterRef, Subquery
from rapidfuzz.distance import OSA

from catalogue.models import AlternativeTitle, Game, Revision, RulesText
from catalogue.rules.sections import parse
from catalogue.text import fold, sort_key
from search.analysis import shelf_language
from search.concepts import WEAK, glossary
from search.engines import Unreadable, get_engine
from search.spelling import ONE_ERROR
from search.titles import LONGEST_TITLE, Titles, load_titles
from search.wordlists import LANGUAGES

SHORTEST, LONGEST, WORDS = 2, 100, 8
LIMIT = 10
REPAIRS = 3
READ_AT_ONCE = 100
REMEMBERED = 2000


class Kind(StrEnum):
    """What is suggested, in the order in which it is shown."""

    GAME = "game"
    HEADING = "heading"
    TERM = "term"


SHARE = {Kind.GAME: 0.4, Kind.HEADING: 0.4, Kind.TERM: 0.2}
"""How much of the list each kind gets where there is enough of all."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something to choose. `language` (BCP 47) is that of `text`, "" where unknown.

    It leads to a game (`game_id`), to a place in its rules (`text_id` and `anchor` as well), or, without
    these, to a search for `text`. `beside` tells what `text` alone does not: the game of a heading, the
    title by which a game was found.
    """

    kind: Kind
    text: str
    language: str = ""
    beside: str = ""
    game_id: int | None = None
    text_id: int | None = None
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Named:
    """A suggestion and the words that it is found by. `often` says in how many games it occurs."""

    name: str
    suggestion: Suggestion
    often: int = 1


def suggestions(
    typed: str, *, game_id: int | None = None, reader_language: str, limit: int = LIMIT
) -> tuple[Suggestion, ...]:
    """What `typed` may be the beginning of, kind by kind; of one game only where `game_id` fixes it.

    Nothing for fewer than two letters, and nothing where the index cannot be read: a search says so.
    """
    words = _words(typed)
    if sum(map(len, words)) < SHORTEST:
        return ()
    try:
        stamp = get_engine().generation()
    except Unreadable:
        return ()
    table = _table(_memory(str(settings.SEARCH_INDEX_DIR)), stamp)
    return _suggested(table, words, game_id, shelf_language(reader_language), limit)


def _words(text: str) -> tuple[str, ...]:
    """Folded words without a leading article; marks alone are no words."""
    return tuple(w for w in sort_key(text[:LONGEST]).split()[:WORDS] if w[0].isalnum())


# --- the table ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A suggestion laid out: its folded words, and its key, by which a whole beginning is recognised."""

    words: tuple[str, ...]
    key: str
    often: int
    suggestion: Suggestion

    @classmethod
    def of(cls, named: Named) -> "Entry":
        """Lay out."""
        words = _words(named.name)
        return cls(words, " ".join(words), named.often, named.suggestion)

    def begins(self, typed: Sequence[str]) -> bool:
        """Whether each typed word begins a word of it."""
        return all(any(word.startswith(t) for word in self.words) for t in typed)


@dataclass(frozen=True, slots=True)
class Beginnings:
    """Entries by the beginnings of their words."""

    words: list[str]
    entries: list[list[Entry]]

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> "Beginnings":
        """Lay out."""
        by_word: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            for word in dict.fromkeys(entry.words):
                by_word[word].append(entry)
        words = sorted(by_word)
        return cls(words, [by_word[word] for word in words])

    def having(self, beginning: str) -> Iterator[Entry]:
        """The entries with a word that begins so; one may come twice."""
        at = bisect_left(self.words, beginning)
        while at < len(self.words) and self.words[at].startswith(beginning):
            yield from self.entries[at]
            at += 1

    def repaired(self, beginning: str) -> list[str]:
        """The beginning itself where a word has it; else those of words one error away from it."""
        at = bisect_left(self.words, beginning)
        if len(beginning) < ONE_ERROR or (at < len(self.words) and self.words[at].startswith(beginning)):
            return [beginning]
        first, last = bisect_left(self.words, beginning[0]), bisect_left(self.words, beginning[0] + "\uffff")
        near = {w[: len(beginning) + more] for w in self.words[first:last] for more in (-1, 0, 1)}
        close = sorted(b for b in near if OSA.distance(beginning, b, score_cutoff=1) <= 1)
        return sorted(close, key=lambda b: abs(len(b) - len(beginning)))[:REPAIRS]


@dataclass(frozen=True, slots=True)
class Table:
    """All that can be suggested: everywhere, and within each game."""

    everywhere: Beginnings
    within: Mapping[int, list[Entry]]
    titles: Titles
    found: dict[tuple[object, ...], tuple[Suggestion, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Memory:
    """What is kept of one index: the last table, and the headings of every text."""

    stamp: str = ""
    table: Table | None = None
    texts: dict[int, "Read"] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


@lru_cache(maxsize=1)
def _memory(_folder: str) -> Memory:
    """The memory of the index in a folder."""
    return Memory()


def _table(memory: Memory, stamp: str) -> Table:
    """The table for a state of the index. While one thread lays it out anew, others use the last one."""
    held = memory.table
    if held is not None and memory.stamp == stamp:
        return held
    if not memory.lock.acquire(blocking=held is None) and held is not None:
        return held
    try:
        if memory.table is None or memory.stamp != stamp:
            memory.table, memory.stamp = _laid_out(memory, stamp), stamp
        return memory.table
    finally:
        memory.lock.release()


def _laid_out(memory: Memory, stamp: str) -> Table:
    headings = list(_headings(memory.texts))
    within: dict[int, list[Entry]] = defaultdict(list)
    for named in headings:
        if named.suggestion.game_id is not None:
            within[named.suggestion.game_id].append(Entry.of(named))
    everywhere = [*_common(headings), *(named for source in SOURCES for named in source())]
    return Table(Beginnings.of(map(Entry.of, everywhere)), within, load_titles(stamp))


# --- sources -----------------------------------------------------------------------------------


def _games() -> Iterator[Named]:
    titles = dict(Game.objects.values_list("pk", "title"))
    for pk, title in titles.items():
        yield Named(title, Suggestion(Kind.GAME, title, game_id=pk))
    for model in (AlternativeTitle, RulesText):
        for pk, title in model.objects.exclude(title="").values_list("game_id", "title"):
            if title != titles[pk]:
                yield Named(title, Suggestion(Kind.GAME, titles[pk], beside=title, game_id=pk))


def _terms() -> Iterator[Named]:
    """The terms of what some text of the library speaks of: nobody is led to an empty answer."""
    engine = get_engine()
    spoken_of = {mark.removeprefix(WEAK) for la in LANGUAGES for mark in engine.words(la, "concept")}
    return (named for concept, named in _all_terms() if concept in spoken_of)


@lru_cache(maxsize=1)
def _all_terms() -> list[tuple[str, Named]]:
    """Every term with its concept, each once a language."""
    found: dict[tuple[str, str], tuple[str, Suggestion]] = {}
    for concept in glossary():
        for language, terms in concept.terms.items():
            for term in terms:
                suggestion = Suggestion(Kind.TERM, term, language)
                found.setdefault((language, fold(term)), (concept.name, suggestion))
    return [(concept, Named(s.text, s)) for concept, s in found.values()]


SOURCES = (_games, _terms)


@dataclass(frozen=True, slots=True)
class Read:
    """The headings of a text as it stood in a revision: words and anchor of each."""

    state: tuple[int, datetime]  # the revision, and when it was made
    headings: tuple[tuple[str, str], ...]


def _headings(texts: dict[int, Read]) -> Iterator[Named]:
    """Every heading of every current text, in reading order; only `texts` that changed are read again."""
    latest = Revision.objects.filter(rules_text=OuterRef("pk")).order_by("-made_at", "-number")
    now = RulesText.objects.annotate(
        now=Subquery(latest.values("pk")[:1]), made_at=Subquery(latest.values("made_at")[:1])
    )
    rows = list(
        now.exclude(now=None)
        .order_by("pk")
        .values_list("pk", "now", "made_at", "game_id", "game__title", "language")
    )
    states = {pk: (revision, made_at) for pk, revision, made_at, *_ in rows}
    for pk in texts.keys() - states.keys():
        del texts[pk]
    changed = [pk for pk, state in states.items() if pk not in texts or texts[pk].state != state]
    texts.update(_read([states[pk][0] for pk in changed]))
    for pk, _, _, game_id, title, language in rows:
        for heading, anchor in texts[pk].headings if pk in texts else ():
            place = Suggestion(Kind.HEADING, heading, language, title, game_id, pk, anchor)
            yield Named(heading, place)


def _read(revisions: Sequence[int]) -> Iterator[tuple[int, Read]]:
    for start in range(0, len(revisions), READ_AT_ONCE):
        some = revisions[start : start + READ_AT_ONCE]
        rows = Revision.objects.filter(pk__in=some).values_list("rules_text", "pk", "made_at", "body")
        for text, pk, made_at, body in rows:
            headings = tuple((s.heading, s.anchor) for s in parse(body) if s.heading)
            yield text, Read((pk, made_at), headings)


def _common(headings: Iterable[Named]) -> Iterator[Named]:
    """A heading that several games have is suggested once, as a question; a game's own leads to its place."""
    same: dict[tuple[str, str], list[Named]] = defaultdict(list)
    for named in headings:
        same[shelf_language(named.suggestion.language), sort_key(named.name)].append(named)
    for found in same.values():
        often = len({named.suggestion.game_id for named in found})
        first = found[0].suggestion
        shared = replace(first, beside="", game_id=None, text_id=None, anchor="")
        yield Named(first.text, first if often == 1 else shared, often)


# --- looking up --------------------------------------------------------------------------------


def _suggested(
    table: Table, words: tuple[str, ...], game_id: int | None, reader: str, limit: int
) -> tuple[Suggestion, ...]:
    """As looked up before: the first letters are the same for everybody."""
    asked = (words, game_id, reader, limit)
    known = table.found.get(asked)
    if known is None:
        if len(table.found) >= REMEMBERED:
            table.found.clear()
        known = table.found[asked] = _shared(_by_kind(table, words, game_id, reader, limit), limit)
    return known


def _by_kind(
    table: Table, words: Sequence[str], game_id: int | None, reader: str, limit: int
) -> dict[Kind, list[Suggestion]]:
    found = _best(_beginning(table.everywhere, words), words, reader, limit)
    found[Kind.HEADING] = _at_home(found[Kind.HEADING], reader)
    if game_id is not None:
        place = _best(_in_games(table, {game_id}, words), words, reader, limit)
        return {Kind.HEADING: place[Kind.HEADING], Kind.TERM: found[Kind.TERM]}
    for size in range(min(LONGEST_TITLE, len(words) - 1), 0, -1):
        games = table.titles.whole.get("".join(words[:size]))
        if games:
            place = _best(_in_games(table, games, words[size:]), words[size:], reader, limit)
            found[Kind.HEADING] = [*place[Kind.HEADING], *found[Kind.HEADING]]
            break
    return found


def _at_home(headings: list[Suggestion], reader: str) -> list[Suggestion]:
    """Those in the reader's language; where there is none, all."""
    return [s for s in headings if shelf_language(s.language) == reader] or headings


def _in_games(table: Table, games: Iterable[int], words: Sequence[str]) -> list[Entry]:
    return [e for game in sorted(games) for e in table.within.get(game, ()) if e.begins(words)]


def _beginning(table: Beginnings, words: Sequence[str]) -> Iterator[Entry]:
    """The entries that have all words; where a word begins nothing, those of its repairs."""
    meant = [table.repaired(word) for word in words]
    if not all(meant):
        return
    longest = max(range(len(words)), key=lambda i: len(words[i]))
    for beginning in meant[longest]:
        for entry in table.having(beginning):
            others = (options for i, options in enumerate(meant) if i != longest)
            if all(any(entry.begins([b]) for b in options) for options in others):
                yield entry


def _best(
    entries: Iterable[Entry], words: Sequence[str], reader: str, limit: int
) -> dict[Kind, list[Suggestion]]:
    """The best of each kind, each thing once: what begins as typed, the reader's language, what is usual."""
    typed = " ".join(words)
    sorted_out: dict[Kind, list[Entry]] = {kind: [] for kind in Kind}
    for entry in entries:
        said = entry.suggestion
        if said.kind is not Kind.TERM or said.language == reader:
            sorted_out[said.kind].append(entry)

    def order(entry: Entry) -> tuple[object, ...]:
        said = entry.suggestion
        foreign = said.language != "" and shelf_language(said.language) != reader
        return (not entry.key.startswith(typed), foreign, -entry.often, said.beside != "", len(entry.key))

    # Some stand twice or more: a game under several titles, a heading in several texts.
    best = {kind: heapq.nsmallest(4 * limit, found, key=order) for kind, found in sorted_out.items()}
    return {kind: _distinct(found)[:limit] for kind, found in best.items()}


def _distinct(entries: Iterable[Entry]) -> list[Suggestion]:
    seen: dict[object, Suggestion] = {}
    for entry in entries:
        said = entry.suggestion
        same = said.game_id if said.kind is Kind.GAME else (said.game_id, entry.key)
        seen.setdefault(same, said)
    return list(seen.values())


def _shared(found: Mapping[Kind, list[Suggestion]], limit: int) -> tuple[Suggestion, ...]:
    """Room for each kind by its share; what one leaves goes to the others, the first kind first."""
    sizes = {kind: min(len(said), max(1, round(limit * SHARE[kind]))) for kind, said in found.items()}
    for kind in found:
        spare = max(0, limit - sum(sizes.values()))
        sizes[kind] += min(spare, len(found[kind]) - sizes[kind])
    return tuple(s for kind, said in found.items() for s in said[: sizes[kind]])[:limit]
