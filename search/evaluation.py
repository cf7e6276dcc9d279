"""How good search is, on judged questions: success@1, MRR@10, nDCG@10, recall@5 and the time taken.

A file of judgments is TSV with the columns query, query_lang, expected_game, expected_snippet, note. A hit
is right when it is of the expected game and holds the snippet, or one of several (` || `); an empty snippet
means that the texts hold no answer, and the right result is to say so. Called by `evaluate_search`.
"""

import csv
import math
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from catalogue.text import name_key
from search.find import PassageHit, PassageResults, find_passages

DEPTH, RECALL_DEPTH = 10, 5
QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
INLINE_MARKS = re.compile(r"\\(?=[^\w\s])|[*_`]+|^\s*(?:#{1,6}|[-+*•]|\d+[.)]|>)\s+|\|", re.MULTILINE)
LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
BLANKS = re.compile(r"\s+")
BLANK_BY_QUOTE = re.compile(r'(?<=")\s+|\s+(?=")')
MISSING_ACCENTS = "missing accent"
NAMED_SLICES = ("CROSS-LANGUAGE", "TYPO")


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
        words = re.split(r"[\s,;:]+", self.note.strip())
        named = [words[0]] if words and words[0] in NAMED_SLICES else []
        accents = [MISSING_ACCENTS] if MISSING_ACCENTS in self.note else []
        unanswerable = [] if self.snippets else ["NO ANSWER"]
        return (self.language, *named, *accents, *unanswerable)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What search made of a question: the rank of the first right hit (0: none in the first ten)."""

    judgment: Judgment
    rank: int
    right: int  # how many different texts' right passages are among the first ten
    milliseconds: float
    results: PassageResults


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
    if name_key(hit.game_title) != name_key(judgment.game):
        return False
    shown = plain("\n".join((*hit.path, hit.body)))
    return any(plain(snippet) in shown for snippet in judgment.snippets)


def evaluate(judgments: Iterable[Judgment]) -> list[Outcome]:
    """Ask every question, as its asker would."""
    return [_outcome(judgment) for judgment in judgments]


def _outcome(judgment: Judgment) -> Outcome:
    start = time.perf_counter()
    results = find_passages(judgment.query, reader_language=judgment.language, limit=DEPTH)
    spent = 1000 * (time.perf_counter() - start)
    if not judgment.snippets:
        honest = int(results.no_answer or not results.hits)
        return Outcome(judgment, honest, honest, spent, results)
    ranks = [rank for rank, hit in enumerate(results.hits, start=1) if is_right(judgment, hit)]
    return Outcome(judgment, ranks[0] if ranks else 0, len(ranks), spent, results)


def figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The measures of some outcomes. Each question has one right passage: nDCG counts the first."""
    ranks = [o.rank for o in outcomes]
    times = sorted(o.milliseconds for o in outcomes)
    return {
        "n": len(outcomes),
        "success@1": _mean(r == 1 for r in ranks),
        "mrr@10": _mean(1 / r if r else 0 for r in ranks),
        "ndcg@10": _mean(1 / math.log2(r + 1) if r else 0 for r in ranks),
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
