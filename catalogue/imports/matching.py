"""Which game of the catalogue a record means. Never a guess: where two could be meant, that is the answer.

Reads rows, writes none. Called by `ingest`, inside its transaction.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Replace

from catalogue.barcodes import read_product_code
from catalogue.draft import GameDraft, Problem, Reason, RecordDraft
from catalogue.imports import rules_file
from catalogue.models import Copy, Game, RulesText
from catalogue.rules import words
from catalogue.text import fold, name_key, sort_key

LONGEST_NAME_IN_LINE = 12  # words of a title looked for in a line of text


@dataclass(frozen=True, slots=True)
class Match:
    """The game meant; neither `game` nor `problem` if the catalogue does not have it yet."""

    game: Game | None = None
    problem: Problem | None = None


def find_game(draft: RecordDraft) -> Match:
    """The game of a record that is not known by its own key."""
    if draft.is_title_only:
        text = RulesText.objects.filter(source_key__in=[r.head.source_key for r in draft.rules]).first()
        if text:
            return Match(text.game)
        return _by_words(draft) if draft.format == rules_file.FORMAT else _by_page_name(draft)
    for games in (_with_barcodes(draft), _with_codes(draft.game)):
        found = [game for game in games if _titles_agree(game, draft.game)]
        if len(found) == 1:
            return Match(found[0])
        if len(found) > 1:
            return _doubtful(draft, found)
    others = list(_with_codes(draft.game))
    return _doubtful(draft, others) if others else _by_title(draft)


def _doubtful(draft: RecordDraft, games: Iterable[Game]) -> Match:
    named = ", ".join(f"{game} (#{game.pk})" for game in games)
    return Match(
        problem=Problem(
            draft.place, Reason.GAME_DOUBTFUL, detail=f"{draft.game.title}: {named}", raw=draft.raw
        )
    )


# --- full records ------------------------------------------------------------------------------


def _with_barcodes(draft: RecordDraft) -> QuerySet[Game]:
    barcodes = [copy.barcode for copy in draft.copies]
    return Game.objects.filter(pk__in=Copy.objects.filter(barcode__in=barcodes).values("game"))


def _with_codes(game: GameDraft) -> QuerySet[Game]:
    return Game.objects.filter(identifiers__gtin__in=_gtins(game)).distinct()


def _gtins(game: GameDraft) -> set[str]:
    return {code.gtin for code in map(read_product_code, game.identifiers) if code.gtin}


def _titles_agree(game: Game, draft: GameDraft) -> bool:
    """The same title, or one of the two names the other as its alternative."""
    mine = {game.title_key, game.sort_title, *game.alternative_titles.values_list("title_key", flat=True)}
    theirs = {name_key(draft.title), sort_key(draft.title), *map(name_key, draft.alternative_titles)}
    return bool(mine & theirs)


def _by_title(draft: RecordDraft) -> Match:
    """The same title and publisher, and nothing against it; or a title of which nothing else is known."""
    same_title = Game.objects.filter(title_key=name_key(draft.game.title)[:500])
    possible = [game for game in same_title if not _contradict(game, draft.game)]
    sure = [game for game in possible if _publishers_agree(game, draft.game)]
    if len(sure) == 1:
        return Match(sure[0])
    if sure:
        return _doubtful(draft, sure)
    bare = [game for game in possible if _is_bare(game)]
    if len(bare) == 1:
        return Match(bare[0])
    return _doubtful(draft, possible) if possible else Match()


def _contradict(game: Game, draft: GameDraft) -> bool:
    """Both say something, and not the same: two editions, or a film of that name."""
    gtins = set(game.identifiers.exclude(gtin="").values_list("gtin", flat=True))
    publishers, others = _publisher_keys(game), {name_key(p.publisher) for p in draft.publications}
    return bool(
        (game.year and draft.year and game.year != draft.year)
        or _differ(gtins, _gtins(draft))
        or _differ(publishers, others)
        or _differ({fold(game.document_type)} - {""}, {fold(draft.document_type)} - {""})
    )


def _differ(some: set[str], others: set[str]) -> bool:
    return bool(some and others and not some & others)


def _publisher_keys(game: Game) -> set[str]:
    return set(game.publications.values_list("publisher__key", flat=True))


def _publishers_agree(game: Game, draft: GameDraft) -> bool:
    """They share a publisher; or neither names one, and they share a person."""
    publishers, others = _publisher_keys(game), {name_key(p.publisher) for p in draft.publications}
    if publishers or others:
        return bool(publishers & others)
    people = set(game.contributors.values_list("person__key", flat=True))
    return bool(people & {name_key(c.name) for c in draft.contributors})


def _is_bare(game: Game) -> bool:
    """Nothing but its title is known: made for a page of rules."""
    return not (game.publications.exists() or game.contributors.exists() or game.identifiers.exists())


# --- titles only -------------------------------------------------------------------------------


def _by_page_name(draft: RecordDraft) -> Match:
    """A wiki's page names run the words of a title together."""
    squeezed = name_key(draft.game.title).replace(" ", "")
    games = list(
        Game.objects.annotate(
            squeezed=Replace("title_key", Value(" "), Value("")),
            squeezed_other=Replace("alternative_titles__title_key", Value(" "), Value("")),
        )
        .filter(Q(squeezed=squeezed) | Q(squeezed_other=squeezed))
        .distinct()
    )
    if len(games) > 1:
        return _doubtful(draft, games)
    return Match(games[0]) if games else Match()


def _by_words(draft: RecordDraft) -> Match:
    """The game whose whole title stands in the first line; of several the one with the longest title."""
    line = name_key(draft.game.title).split()
    for length in range(min(len(line), LONGEST_NAME_IN_LINE), 0, -1):
        names = {" ".join(line[at : at + length]) for at in range(len(line) - length + 1)}
        games = _named_exactly({n for n in names if _can_be_title(n, whole=length == len(line))})
        if len(games) > 1:
            return _doubtful(draft, games)
        if games:
            return Match(games[0])
    return Match(problem=Problem(draft.place, Reason.GAME_UNKNOWN, detail=draft.game.title, raw=draft.raw))


def _named_exactly(names: set[str]) -> list[Game]:
    named = Q(title_key__in=names) | Q(sort_title__in=names) | Q(alternative_titles__title_key__in=names)
    return list(Game.objects.filter(named).distinct()) if names else []


def _can_be_title(name: str, *, whole: bool) -> bool:
    """ "Rules of the game" in a line names no game of that title unless it is all the line says."""
    return whole or (len(name) > 1 and name not in words.MAIN)
