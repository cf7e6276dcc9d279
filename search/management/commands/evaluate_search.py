"""`manage.py evaluate_search FILE.tsv...`: the measures of search on judged questions."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.evaluation import Outcome, by_slice, evaluate, evaluate_varied, figures, read_judgments
from search.intervals import Estimate
from search.scorecard import Row, by_language, scorecard
from search.variations import Variation

COLUMNS = ("n", "success@1", "mrr@10", "ndcg@10", "recall@5", "p50_ms", "p95_ms")


class Command(BaseCommand):
    """Reads files of judged questions, asks them, prints the measures."""

    help = "Measure search on judged questions (TSV: query, query_lang, expected_game ...)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The files, and the form of the answer."""
        parser.add_argument("files", type=Path, nargs="+", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="Print everything as JSON.")
        parser.add_argument("--misses", action="store_true", help="List the questions not answered first.")
        parser.add_argument(
            "--quick", action="store_true", help="Ask each question as it stands only, not also misspelt."
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Evaluate and print. Several files count as one set, and each is a slice of it."""
        by_file = {path.name: _asked(path) for path in options["files"]}
        outcomes = [o for found in by_file.values() for o in found]
        files = {name: figures(found) for name, found in by_file.items()} if len(by_file) > 1 else {}
        overall, slices = figures(outcomes), files | by_slice(outcomes)
        rows = _rows(outcomes, is_quick=options["quick"])
        if options["json"]:
            card = {row.name: {"n": row.n, **_plain(row)} for row in rows}
            queries = [_query(o) for o in outcomes]
            answer = {"overall": overall, "slices": slices, "scorecard": card, "queries": queries}
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
            return
        self._table({"all": overall} | slices)
        self._scorecard(rows)
        if options["misses"]:
            self._misses(outcomes)

    def _table(self, rows: dict[str, dict[str, float]]) -> None:
        width = max(map(len, rows))
        self.stdout.write(" " * width + "".join(f"{name:>11}" for name in COLUMNS))
        for name, row in rows.items():
            self.stdout.write(f"{name:<{width}}" + "".join(f"{row[c]:>11}" for c in COLUMNS))

    def _scorecard(self, rows: list[Row]) -> None:
        self.stdout.write("\nWith 95 % intervals:")
        width = max((len(row.name) for row in rows), default=0)
        for row in rows:
            measures = "  ".join(f"{name} {_shown(found)}" for name, found in row.measures.items())
            self.stdout.write(f"{row.name:<{width}} {row.n:>5}  {measures}")

    def _misses(self, outcomes: list[Outcome]) -> None:
        for o in (o for o in outcomes if o.rank != 1):
            first = o.results.hits[0] if o.results.hits else None
            shown = f"{first.game_title} ({first.language}) {' / '.join(first.path)}" if first else "nothing"
            note = " no answer said" if o.results.no_answer else ""
            self.stdout.write(f"rank {o.rank}{note}: {o.judgment.query} [{o.judgment.game}] -> {shown}")


def _asked(path: Path) -> list[Outcome]:
    try:
        judgments = read_judgments(path)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise CommandError(f"The judgments cannot be read: {error}") from error
    return evaluate(judgments)


def _rows(outcomes: list[Outcome], *, is_quick: bool) -> list[Row]:
    judgments = [o.judgment for o in outcomes]
    copies = {} if is_quick else {kind: evaluate_varied(judgments, kind) for kind in Variation}
    return [*scorecard(outcomes, copies), *by_language(outcomes)]


def _plain(row: Row) -> dict[str, dict[str, float]]:
    return {name: asdict(found) for name, found in row.measures.items()}


def _shown(found: Estimate) -> str:
    return f"{found.value:.3f} [{found.low:.3f}, {found.high:.3f}]"


def _query(outcome: Outcome) -> dict[str, Any]:
    return {
        "query": outcome.judgment.query,
        "rank": outcome.rank or None,
        "ms": round(outcome.milliseconds, 1),
        "corrected": outcome.results.corrected,
        "no_answer": outcome.results.no_answer,
        "hits": [
            {
                "game": hit.game_title,
                "language": hit.language,
                "kind": hit.kind,
                "path": list(hit.path),
                "anchor": hit.anchor,
                "score": round(hit.score, 4),
                "body": hit.body,
            }
            for hit in outcome.results.hits
        ],
    }
