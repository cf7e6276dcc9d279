"""The answer to what a reader asked: rules passages and games together, with what the page says about them.

Called by the pages; it only joins what `find` and `shelf` give.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from catalogue.models import Game
from search import shelf
from search.find import PassageHit, PassageResults, find_passages
from search.forms import Asked
from search.games import GameFilters, find_games
from search.shelf import GameCard

PASSAGES = 8
GAMES = 24
NO_FILTERS = GameFilters()
AS_LIKELY, MOST_LIKELY = 0.7, 4
"""From this share of the best passage's worth on, another game may be meant; so many games are offered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Passages, one page of the games found (`games_total` in all), and the game that was asked within."""

    asked: Asked
    passages: PassageResults
    games: list[GameCard]
    games_total: int
    corrected: str
    within: Game | None

    @property
    def about(self) -> int | None:
        """The one game that the question is about, if it is about one."""
        if self.within is not None:
            return self.within.pk
        return self.passages.games[0] if len(self.passages.games) == 1 else None

    @property
    def may_be_meant(self) -> list[tuple[int, str]]:
        """The games, by number and title, between which a question that names none does not decide."""
        if self.about is not None or self.passages.no_answer or not self.passages.hits:
            return []
        enough = AS_LIKELY * max(hit.score for hit in self.passages.hits)
        likely = {hit.game_id: hit.game_title for hit in self.passages.hits if hit.score >= enough}
        return list(likely.items())[:MOST_LIKELY] if len(likely) > 1 else []

    @property
    def is_narrowed(self) -> bool:
        """Whether a filter is set."""
        return self.asked.filters != NO_FILTERS

    @property
    def has_nothing(self) -> bool:
        """Whether there is neither a passage nor a game to show."""
        return not self.passages.hits and not self.games_total

    @property
    def next_page(self) -> int | None:
        """The number of the next page of games, if there is one."""
        return self.asked.page + 1 if self.asked.page * GAMES < self.games_total else None

    @property
    def previous_page(self) -> int | None:
        """The number of the page of games before this one, if there is one."""
        return self.asked.page - 1 if self.asked.page > 1 else None


def answer(asked: Asked, *, reader_language: str) -> Answer:
    """Within one game only its rules are asked; otherwise rules on the first page, and games."""
    within = Game.objects.filter(pk=asked.game_id).first() if asked.game_id else None
    passages = PassageResults()
    if asked.page == 1:
        passages = find_passages(
            asked.text,
            game_id=asked.game_id,
            language=asked.language,
            reader_language=reader_language,
            is_exact=asked.is_exact,
            limit=PASSAGES,
        )
    if within is not None:
        return Answer(asked, passages, [], 0, passages.corrected, within)
    games = find_games(
        asked.text,
        asked.filters,
        named=passages.games,
        is_exact=asked.is_exact,
        limit=GAMES,
        offset=(asked.page - 1) * GAMES,
    )
    # The rules have nothing to say of a box's label: the box is the answer.
    passages = PassageResults() if games.is_scanned else _without_bare_titles(passages)
    corrected = passages.corrected or games.corrected
    return Answer(asked, passages, shelf.cards(games.games), games.total, corrected, None)


def _without_bare_titles(passages: PassageResults) -> PassageResults:
    """A record of which no word but the title was asked is no passage: it stands among the games already."""
    hits = tuple(hit for hit in passages.hits if hit.text_id is not None or "<mark" in hit.html)
    return replace(passages, hits=_game_by_game(hits))


def _game_by_game(hits: Sequence[PassageHit]) -> tuple[PassageHit, ...]:
    """The passages of each game together, the game of the best one first."""
    games = list(dict.fromkeys(hit.game_id for hit in hits))
    return tuple(sorted(hits, key=lambda hit: games.index(hit.game_id)))
