"""Which game a record means. Never a guess: where two could be meant, that is the answer.

Pure decisions on candidates: games of the catalogue, and games that earlier records of the same batch will
make. Where candidates come from is said by `Source` (see `shelf` and `twins`). Called by `plan`.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from catalogue.barcodes import read_product_code
from catalogue.draft import GameDraft, Problem, Reason, RecordDraft
from catalogue.imports import rules_file
from catalogue.models import Game
from catalogue.rules import words
from catalogue.text import fold, name_key, sort_key

LONGEST_NAME_IN_LINE = 12  # words of a title looked for in a line of text
LONGEST_KEY = 500
NUMBER = re.compile(r"bgg:\d+")
PLACEHOLDER = re.compile(r"\ABoardGameGeek \d+\Z")  # the title of a game of which only its number is known
LABEL = "label:"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A game that a record may mean: `game` of the catalogue, or the one that the record at `position` makes.

    `titles` are the keys of all its titles, with and without the leading article.
    """

    label: str
    title_key: str
    titles: frozenset[str]
    gtins: frozenset[str] = frozenset()
    publishers: frozenset[str] = frozenset()
    people: frozenset[str] = frozenset()
    year: int | None = None
    document_type: str = ""
    game: Game | None = None
    position: int | None = None
    numbers: frozenset[str] = frozenset()  # in a catalogue that has one number for each game

    @property
    def identity(self) -> tuple[int | None, int | None]:
        """What makes two candidates the same game."""
        return self.game.pk if self.game else None, self.position

    @property
    def is_bare(self) -> bool:
        """Nothing but its title is known: made for a page of rules."""
        return not (self.publishers or self.people or self.gtins)


class Source(Protocol):
    """Where candidates are looked for. Every answer is without repeats."""

    def with_barcodes(self, barcodes: Iterable[str]) -> list[Candidate]:
        """Games of which a box carries one of the labels."""

    def with_gtins(self, gtins: Iterable[str]) -> list[Candidate]:
        """Games with one of the product codes."""

    def titled(self, key: str) -> list[Candidate]:
        """Games whose title has this key."""

    def named(self, keys: Iterable[str]) -> list[Candidate]:
        """Games of which any title has one of the keys."""

    def run_together(self, word: str) -> list[Candidate]:
        """Games of which a title, its blanks left out, is this word."""

    def with_texts(self, keys: Iterable[str]) -> list[Candidate]:
        """Games that have a rules text of one of the source keys."""

    def with_keys(self, keys: Iterable[str]) -> list[Candidate]:
        """Games brought by a source of one of the keys; one that ends in ":" is a beginning."""


@dataclass(frozen=True, slots=True)
class Match:
    """The game meant. Without one: `problem` says why, or the catalogue does not have it yet."""

    meant: Candidate | None = None
    problem: Problem | None = None
    candidates: tuple[Candidate, ...] = ()


def of_draft(draft: GameDraft, position: int) -> Candidate:
    """The candidate that a record of this batch will be."""
    alternatives = map(name_key, draft.alternative_titles)
    return Candidate(
        label=draft.title,
        title_key=name_key(draft.title)[:LONGEST_KEY],
        titles=frozenset({name_key(draft.title), sort_key(draft.title), *alternatives}),
        gtins=frozenset(gtins(draft)),
        publishers=frozenset(name_key(p.publisher) for p in draft.publications),
        people=frozenset(name_key(c.name) for c in draft.contributors),
        year=draft.year,
        document_type=draft.document_type,
        position=position,
    )


def of_record(draft: RecordDraft, position: int) -> Candidate:
    """As `of_draft`, with the numbers that its source gives it."""
    return replace(of_draft(draft.game, position), numbers=numbers([draft.key, *draft.known_as]))


def numbers(keys: Iterable[str]) -> frozenset[str]:
    """Of the keys of sources, the numbers of catalogues that have one for each game."""
    return frozenset(found[0] for key in keys if (found := NUMBER.match(key)))


def labels(draft: RecordDraft) -> list[str]:
    """The labels of boxes by which an addition knows its record."""
    return [key.removeprefix(LABEL) for key in draft.known_as if key.startswith(LABEL)]


def gtins(game: GameDraft) -> set[str]:
    """The product codes that a draft names, in their 13-digit form."""
    return {code.gtin for code in map(read_product_code, game.identifiers) if code.gtin}


def find_game(draft: RecordDraft, source: Source) -> Match:
    """The game of a record that is not known by its own key."""
    if draft.is_title_only:
        texts = source.with_texts(rules.head.source_key for rules in draft.rules)
        if texts:
            return Match(texts[0])
        by_name = _by_words if draft.format == rules_file.FORMAT else _by_page_name
        return by_name(draft, source)
    wanted = of_record(draft, -1)
    if draft.is_addition:
        return _by_number(draft, wanted, source)
    if found := source.with_keys(draft.known_as):
        return _by_other_source(draft, wanted, found)
    with_codes = source.with_gtins(wanted.gtins)
    for games in (source.with_barcodes(box.barcode for box in draft.copies), with_codes):
        found = [game for game in games if game.titles & wanted.titles]
        if len(found) == 1:
            return Match(found[0])
        if found:
            return _doubtful(draft, found)
    return _doubtful(draft, with_codes) if with_codes else _by_title(draft, wanted, source)


def _doubtful(draft: RecordDraft, games: Sequence[Candidate]) -> Match:
    named = ", ".join(f"{game.label} (#{game.game.pk})" if game.game else game.label for game in games)
    detail = f"{draft.game.title}: {named}"
    problem = Problem(draft.place, Reason.GAME_DOUBTFUL, detail=detail, raw=draft.raw)
    return Match(problem=problem, candidates=tuple(games))


# --- known by a number -------------------------------------------------------------------------


def _by_other_source(draft: RecordDraft, wanted: Candidate, found: Sequence[Candidate]) -> Match:
    """A game that another source brought under the same number, if the titles do not gainsay it."""
    agreed = [game for game in found if game.titles & wanted.titles] or [
        game for game in found if is_placeholder(game.label) or is_placeholder(draft.game.title)
    ]
    return Match(agreed[0]) if len(agreed) == 1 else _doubtful(draft, found)


def is_placeholder(title: str) -> bool:
    """Whether a title only says which number a game has elsewhere."""
    return PLACEHOLDER.match(title) is not None


def _by_number(draft: RecordDraft, wanted: Candidate, source: Source) -> Match:
    """The one record that something is added to: by its number in the table beside, or on a label."""
    found = source.with_keys(draft.known_as) or source.with_barcodes(labels(draft))
    agreed = [game for game in found if game.titles & wanted.titles]
    says_number_alone = draft.game.title == draft.known_as[0].split(":")[1]
    if len(agreed) == 1 or (len(found) == 1 and says_number_alone):
        return Match((agreed or found)[0])
    if found:
        return _doubtful(draft, found)
    return Match(problem=Problem(draft.place, Reason.RECORD_UNKNOWN, detail=_named(draft), raw=draft.raw))


def _named(draft: RecordDraft) -> str:
    number = draft.known_as[0].split(":")[1] if draft.known_as else ""
    return " ".join(dict.fromkeys(filter(None, (number, draft.game.title))))


# --- full records ------------------------------------------------------------------------------


def _by_title(draft: RecordDraft, wanted: Candidate, source: Source) -> Match:
    """The same title and publisher, and nothing against it; or a title of which nothing else is known."""
    possible = [game for game in source.titled(wanted.title_key) if not _contradict(game, wanted)]
    sure = [game for game in possible if _publishers_agree(game, wanted)]
    if len(sure) == 1:
        return Match(sure[0])
    if sure:
        return _doubtful(draft, sure)
    bare = [game for game in possible if game.is_bare]
    if len(bare) == 1:
        return Match(bare[0])
    return _doubtful(draft, possible) if possible else Match()


def _contradict(game: Candidate, wanted: Candidate) -> bool:
    """Both say something, and not the same: two editions, or a film of that name."""
    return bool(
        _differ(game.numbers, wanted.numbers)
        or (game.year and wanted.year and game.year != wanted.year)
        or _differ(game.gtins, wanted.gtins)
        or _differ(game.publishers, wanted.publishers)
        or _differ({fold(game.document_type)} - {""}, {fold(wanted.document_type)} - {""})
    )


def _differ(some: set[str] | frozenset[str], others: set[str] | frozenset[str]) -> bool:
    return bool(some and others and not some & others)


def _publishers_agree(game: Candidate, wanted: Candidate) -> bool:
    """They share a publisher; or neither names one, and they share a person."""
    if game.publishers or wanted.publishers:
        return bool(game.publishers & wanted.publishers)
    return bool(game.people & wanted.people)


# --- titles only -------------------------------------------------------------------------------


def _by_page_name(draft: RecordDraft, source: Source) -> Match:
    """A wiki's page names run the words of a title together."""
    games = source.run_together(name_key(draft.game.title).replace(" ", ""))
    if len(games) > 1:
        return _doubtful(draft, games)
    return Match(games[0]) if games else Match()


def _by_words(draft: RecordDraft, source: Source) -> Match:
    """The game whose whole title stands in the first line; of several the one with the longest title."""
    line = name_key(draft.game.title).split()
    for length in range(min(len(line), LONGEST_NAME_IN_LINE), 0, -1):
        names = {" ".join(line[at : at + length]) for at in range(len(line) - length + 1)}
        names = {name for name in names if _can_be_title(name, whole=length == len(line))}
        games = source.named(names) if names else []
        if len(games) > 1:
            return _doubtful(draft, games)
        if games:
            return Match(games[0])
    return Match(problem=Problem(draft.place, Reason.GAME_UNKNOWN, detail=draft.game.title, raw=draft.raw))


def _can_be_title(name: str, *, whole: bool) -> bool:
    """ "Rules of the game" in a line names no game of that title unless it is all the line says."""
    return whole or (len(name) > 1 and name not in words.MAIN)
