"""How good search is, on judged questions: success@1, MRR@10, nDCG@10, recall@5 and the time taken.

A file of judgments is TSV with the columns query, query_lang, expected_game, expected_snippet, note. A hit
is right when it is of the expected game and holds the snippet, or one of several (` || `); the snippet `*`
lets any hit of the game pass; an empty one means that the texts hold no answer, and the right result is to
say so. Called by `evaluate_search` and the quality benchmark; `scorecard` makes the table.
"""

import csv
import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from catalogue.models import Game
from catalogue.text import name_key, sort_key
from search.analysis import shelf_language
from search.find import PassageHit, PassageResults, find_passages
from search.variations import Variation, varied

DEPTH, RECALL_DEPTH = 10, 5
QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
INLINE_MARKS = re.compile(r"\\(?=[^\w\s])|[*_`]+|^\s*(?:#{1,6}|[-+*•]|\d+[.)]|>)\s+|\|", re.MULTILINE)
LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
BLANKS = re.compile(r"\s+")
BLANK_BY_QUOTE = re.compile(r'(?<=")\s+|\s+(?=")')
ANY_TEXT = "*"
CROSS_LANGUAGE, TYPO, TITLE, NO_ANSWER = "CROSS-LANGUAGE", "TYPO", "TITLE", "NO ANSWER"
NAMED_SLICES = (CROSS_LANGUAGE, TITLE, TYPO, "TYPO2", "EDITION", "PLAYERS")
"""What a part of a note may begin with."""
PHRASED_SLICES = ("missing accent", "no game named")


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judged question. No snippet: there is no answer."""

    query: str
    language: str
    game: str
    snippets: tuple[str, ...]
    note: str

    def slices(self) -> tuple[str, ...]:
        """The names of the slices it belongs to."""
        begun = [part.split()[0] for part in re.split(r"[,;:]", self.note) if part.strip()]
        named = [name for name in NAMED_SLICES if name in begun]
        if "TYPO2" in named:
            named = list(dict.fromkeys((*named, TYPO)))
        phrased = [phrase for phrase in PHRASED_SLICES if phrase in self.note]
        unanswerable = [] if self.snippets else [NO_ANSWER]
        return (self.language, *named, *phrased, *unanswerable)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What search made of a question: the rank of the first right hit (0: none in the first ten)."""

    judgment: Judgment
    rank: int
    right: int  # how many different texts' right passages are among the first ten
    milliseconds: float
    results: PassageResults
    names_game: bool = False  # whether a title of the expected game stands in the question
    has_asker_language: bool = True  # whether the expected game has a text in the question's language

    @property
    def is_flagged(self) -> bool:
        """Whether search said that the texts hold no answer."""
        return self.results.no_answer or not self.results.hits

    @property
    def is_first_of_game(self) -> bool:
        """Whether the first hit is of the expected game, right or not."""
        return bool(self.results.hits) and _is_of_game(self.judgment, self.results.hits[0])


@dataclass(frozen=True, slots=True)
class KnownGame:
    """What tells how hard a question is: the game's titles, and the languages of its texts."""

    titles: tuple[str, ...] = ()
    languages: frozenset[str] = frozenset()

    def is_named_in(self, query: str) -> bool:
        """Whether one of its titles stands in a question, rightly spelt; accents and articles aside."""
        asked = f" {name_key(query)} "
        return any(f" {title} " in asked for title in self.titles)


Asker = Callable[[Judgment, str], PassageResults]
"""Asks what was typed for a judgment."""


def read_judgments(path: Path) -> list[Judgment]:
    """The questions of a file. Raises ValueError where a column is missing."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    needed = {"query", "query_lang", "expected_game", "expected_snippet"}
    missing = needed - set(rows[0] if rows else needed)
    if missing:
        raise ValueError(f"{path}: no column {', '.join(sorted(missing))}.")
    return [_judgment(row) for row in rows if row["query"]]


def _judgment(row: dict[str, str]) -> Judgment:
    snippets = tuple(s.strip() for s in (row["expected_snippet"] or "").split(" || ") if s.strip())
    return Judgment(row["query"], row["query_lang"], row["expected_game"], snippets, row.get("note") or "")


def plain(text: str) -> str:
    """A text as snippets are compared: no marks, no typographic quotes, one blank, no case."""
    unmarked = INLINE_MARKS.sub("", LINK.sub(r"\1", text).translate(QUOTES))
    unmarked = INLINE_MARKS.sub("", unmarked)  # marks that stood behind marks: "- **a)**"
    return BLANK_BY_QUOTE.sub("", BLANKS.sub(" ", unmarked)).strip().casefold()


def is_right(judgment: Judgment, hit: PassageHit) -> bool:
    """Whether a hit is of the expected game and holds one of the snippets."""
    if not _is_of_game(judgment, hit):
        return False
    if ANY_TEXT in judgment.snippets:
        return True
    shown = plain("\n".join((*hit.path, hit.body)))
    return any(plain(snippet) in shown for snippet in judgment.snippets)


def _is_of_game(judgment: Judgment, hit: PassageHit) -> bool:
    return name_key(hit.game_title) == name_key(judgment.game)


# --- asking ------------------------------------------------------------------------------------


def find(judgment: Judgment, typed: str) -> PassageResults:
    """Ask as the asker would."""
    return find_passages(typed, reader_language=judgment.language, limit=DEPTH)


def evaluate(judgments: Iterable[Judgment], ask: Asker = find) -> list[Outcome]:
    """Ask every question as it stands."""
    games = known_games()
    return [_outcome(judgment, judgment.query, ask, games) for judgment in judgments]


def evaluate_varied(judgments: Iterable[Judgment], variation: Variation, ask: Asker = find) -> list[Outcome]:
    """Ask every answerable question typed in another way, if that makes it another text. The outcomes
    bear the judgment as it stands; a question that is misspelt already gets no further slip.
    """
    games = known_games()
    slips = variation in (Variation.ONE_TYPO, Variation.TWO_TYPOS)
    outcomes = []
    for judgment in judgments:
        typed = varied(judgment.query, judgment.language, variation)
        if typed and judgment.snippets and not (slips and TYPO in judgment.slices()):
            outcomes.append(_outcome(judgment, typed, ask, games))
    return outcomes


def known_games() -> dict[str, KnownGame]:
    """All games of the library by the key of their title."""
    games = Game.objects.prefetch_related("alternative_titles", "rules_texts")
    return {name_key(game.title): _known(game) for game in games}


def _known(game: Game) -> KnownGame:
    texts = game.rules_texts.all()
    titles = [game.title, *(a.title for a in game.alternative_titles.all()), *(t.title for t in texts)]
    keys = {key for title in titles if title for key in (name_key(title), sort_key(title))}
    return KnownGame(tuple(sorted(keys)), frozenset(shelf_language(text.language) for text in texts))


def _outcome(judgment: Judgment, typed: str, ask: Asker, games: dict[str, KnownGame]) -> Outcome:
    start = time.perf_counter()
    results = ask(judgment, typed)
    spent = 1000 * (time.perf_counter() - start)
    game = games.get(name_key(judgment.game), KnownGame())
    rank, right = _rank(judgment, results)
    return Outcome(
        judgment,
        rank,
        right,
        spent,
        results,
        names_game=game.is_named_in(judgment.query),
        has_asker_language=judgment.language in game.languages,
    )


def _rank(judgment: Judgment, results: PassageResults) -> tuple[int, int]:
    """The rank of the first right hit and how many are right; saying so is right where nothing answers."""
    if not judgment.snippets:
        honest = int(results.no_answer or not results.hits)
        return honest, honest
    ranks = [rank for rank, hit in enumerate(results.hits, start=1) if is_right(judgment, hit)]
    return (ranks[0] if ranks else 0), len(ranks)


# --- measures ----------------------------------------------------------------------------------


def gain(rank: int) -> float:
    """The part of a question in nDCG@10. Each has one right passage: the first one counts."""
    return 1 / math.log2(rank + 1) if rank else 0.0


def figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The measures of some outcomes."""
    ranks = [o.rank for o in outcomes]
    times = sorted(o.milliseconds for o in outcomes)
    return {
        "n": len(outcomes),
        "success@1": _mean(r == 1 for r in ranks),
        "mrr@10": _mean(1 / r if r else 0 for r in ranks),
        "ndcg@10": _mean(gain(r) for r in ranks),
        "recall@5": _mean(0 < r <= RECALL_DEPTH for r in ranks),
        "p50_ms": round(_percentile(times, 0.50), 1),
        "p95_ms": round(_percentile(times, 0.95), 1),
    }


def by_slice(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """The measures of every slice, in alphabetical order."""
    names = sorted({name for o in outcomes for name in o.judgment.slices()})
    return {name: figures([o for o in outcomes if name in o.judgment.slices()]) for name in names}


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return round(mean(listed), 4) if listed else 0.0


def _percentile(ordered: Sequence[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
