"""Which game a question names: its titles in any language, articles dropped, a typing error allowed.

Titles are read from the database and kept until the index changes. Called by `find`.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import OSA

from catalogue.models import AlternativeTitle, Game, RulesText
from catalogue.text import name_key, sort_key
from search.spelling import allowed_errors

LONGEST_TITLE = 8
MAIN_TITLE_MARKS = (" : ", ": ", " - ", " – ", " (", " / ")


@dataclass(frozen=True, slots=True)
class Mention:
    """Games that a question may name, and the places of the words that name them."""

    games: frozenset[int]
    first: int
    length: int
    is_exact: bool

    def places(self) -> range:
        """The words used."""
        return range(self.first, self.first + self.length)


@dataclass(frozen=True, slots=True)
class Titles:
    """All titles: whole ones without blanks, and the single words in them."""

    whole: dict[str, frozenset[int]]
    by_word: dict[str, frozenset[int]]

    def mentions(self, folded: Sequence[str], unknown: frozenset[int]) -> list[Mention]:
        """The whole titles that stand in a question, the longest first, none overlapping.

        A title may be misspelt where one of its words is `unknown` to the collection.
        """
        found: list[Mention] = []
        taken: set[int] = set()
        for length in range(min(LONGEST_TITLE, len(folded)), 0, -1):
            for first in range(len(folded) - length + 1):
                places = range(first, first + length)
                if taken.isdisjoint(places):
                    mention = self._mention(folded, places, unknown)
                    if mention:
                        found.append(mention)
                        taken.update(places)
        return found

    def _mention(self, folded: Sequence[str], places: range, unknown: frozenset[int]) -> Mention | None:
        key = "".join(folded[i] for i in places)
        games = self.whole.get(key)
        if games:
            return Mention(games, places.start, len(places), is_exact=True)
        if unknown.isdisjoint(places) or folded[places.start] == "":
            return None
        games = self._misspelt(key)
        return Mention(games, places.start, len(places), is_exact=False) if games else None

    def _misspelt(self, key: str) -> frozenset[int]:
        errors = allowed_errors(key)
        if not errors:
            return frozenset()
        near = [
            (OSA.distance(key, title, score_cutoff=errors), title)
            for title in self.whole
            if abs(len(title) - len(key)) <= errors and len(title) > 3
        ]
        distance, title = min(near, default=(errors + 1, ""))
        return self.whole[title] if distance <= errors else frozenset()


def load_titles(stamp: str) -> Titles:
    """All titles; read again when `stamp`, the generation of the index, has changed."""
    return _load(stamp)


@lru_cache(maxsize=2)
def _load(_stamp: str) -> Titles:
    whole: dict[str, set[int]] = defaultdict(set)
    by_word: dict[str, set[int]] = defaultdict(set)
    for game_id, title in _all_titles():
        for key in _keys(title):
            whole[key.replace(" ", "")].add(game_id)
        for word in name_key(title).split():
            by_word[word].add(game_id)
    return Titles(_frozen(whole), _frozen(by_word))


def _frozen(sets: dict[str, set[int]]) -> dict[str, frozenset[int]]:
    return {key: frozenset(ids) for key, ids in sets.items() if key}


def _all_titles() -> Iterable[tuple[int, str]]:
    yield from Game.objects.values_list("pk", "title")
    yield from AlternativeTitle.objects.values_list("game_id", "title")
    yield from RulesText.objects.exclude(title="").values_list("game_id", "title")


def _keys(title: str) -> set[str]:
    """A title's folded forms: whole, without its article, and without what follows its main part."""
    forms = {title}
    for mark in MAIN_TITLE_MARKS:
        main = title.split(mark)[0].strip()
        if len(name_key(main)) > 3:
            forms.add(main)
    return {key for form in forms for key in (name_key(form), sort_key(form))}
