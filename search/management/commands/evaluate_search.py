"""`manage.py evaluate_search FILE.tsv`: the measures of search on judged questions."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from search.evaluation import Outcome, by_slice, evaluate, figures, read_judgments

COLUMNS = ("n", "success@1", "mrr@10", "ndcg@10", "recall@5", "p50_ms", "p95_ms")


class Command(BaseCommand):
    """Reads a file of judged questions, asks them, prints the measures."""

    help = "Measure search on judged questions (columns as in issue 2: query, query_lang, expected_game ...)."

    def add_arguments(self, parser: CommandParser) -> None:
        """The file, and the form of the answer."""
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true", help="Print everything as JSON.")
        parser.add_argument("--misses", action="store_true", help="List the questions not answered first.")

    def handle(self, *_: Any, **options: Any) -> None:
        """Evaluate and print."""
        try:
            outcomes = evaluate(read_judgments(options["file"]))
        except (OSError, UnicodeDecodeError, ValueError) as error:
            raise CommandError(f"The judgments cannot be read: {error}") from error
        overall, slices = figures(outcomes), by_slice(outcomes)
        if options["json"]:
            queries = [_query(o) for o in outcomes]
            answer = {"overall": overall, "slices": slices, "queries": queries}
            self.stdout.write(json.dumps(answer, ensure_ascii=False, indent=1))
            return
        self._table({"all": overall} | slices)
        if options["misses"]:
            self._misses(outcomes)

    def _table(self, rows: dict[str, dict[str, float]]) -> None:
        width = max(map(len, rows))
        self.stdout.write(" " * width + "".join(f"{name:>11}" for name in COLUMNS))
        for name, row in rows.items():
            self.stdout.write(f"{name:<{width}}" + "".join(f"{row[c]:>11}" for c in COLUMNS))

    def _misses(self, outcomes: list[Outcome]) -> None:
        for o in (o for o in outcomes if o.rank != 1):
            first = o.results.hits[0] if o.results.hits else None
            shown = f"{first.game_title} ({first.language}) {' / '.join(first.path)}" if first else "nothing"
            note = " no answer said" if o.results.no_answer else ""
            self.stdout.write(f"rank {o.rank}{note}: {o.judgment.query} [{o.judgment.game}] -> {shown}")


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
