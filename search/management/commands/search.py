"""`manage.py search sync|rebuild|verify|query`: the index from the command line."""

import json
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalogue import following
from search import sync
from search.engines import Busy, Unreadable
from search.find import PassageHit, PassageResults, find_passages


class Command(BaseCommand):
    """Keeps the search index, and asks it."""

    help = "Bring the search index up to date, rebuild or verify it, or ask a question."

    def add_arguments(self, parser: CommandParser) -> None:
        """One subcommand each."""
        actions = parser.add_subparsers(dest="action", required=True)
        bring = actions.add_parser("sync", help="Follow what has changed; rebuild where that is needed.")
        following.add_options(bring)
        actions.add_parser("rebuild", help="Build a new index beside the old one and swap.")
        actions.add_parser("verify", help="Compare the index with the database; exit code 1 if they differ.")
        ask = actions.add_parser("query", help="Find rules passages.")
        ask.add_argument("text")
        ask.add_argument("--game", type=int, metavar="ID", help="Only in the rules of this game.")
        ask.add_argument("--lang", metavar="xx", help="Only in texts of this language.")
        ask.add_argument("--reader", metavar="xx", default=settings.LANGUAGE_CODE, help="Who is asking.")
        ask.add_argument("--limit", type=int, default=10)
        ask.add_argument("--json", action="store_true")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run the subcommand."""
        try:
            getattr(self, f"_{options['action']}")(options)
        except Busy as error:
            raise CommandError(
                "Another process is rebuilding the index; try again when it is done."
            ) from error
        except Unreadable as error:
            raise CommandError(f"The index cannot be read ({error}): run `manage.py search sync`.") from error

    def _sync(self, options: dict[str, Any]) -> None:
        if not options["follow"]:
            self.stdout.write(f"{sync.sync()} games brought up to date.")
            return
        with suppress(KeyboardInterrupt):
            for count in sync.follow():
                if following.is_orphan(options["parent"]):
                    return
                if count:
                    self.stdout.write(f"{count} games brought up to date.")

    def _rebuild(self, _options: dict[str, Any]) -> None:
        self.stdout.write(f"{sync.rebuild()} games in the new index.")

    def _verify(self, _options: dict[str, Any]) -> None:
        found = sync.verify()
        for d in found:
            self.stdout.write(
                f"game {d.game_id}: {d.fault} ({d.shelf}; index {d.indexed}, database {d.current})"
            )
        if found:
            raise CommandError(f"The index differs in {len(found)} places; run `manage.py search sync`.")
        self.stdout.write("The index shows every game as it is.")

    def _query(self, options: dict[str, Any]) -> None:
        results = find_passages(
            options["text"],
            game_id=options["game"],
            language=options["lang"],
            reader_language=options["reader"],
            limit=options["limit"],
        )
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(results), ensure_ascii=False, indent=1, default=str))
        else:
            self._print(results)

    def _print(self, results: PassageResults) -> None:
        if results.is_degraded:
            self.stdout.write("The index cannot be read; only titles were looked up.")
        if results.corrected:
            self.stdout.write(f"Searched for: {results.corrected}")
        if results.no_answer:
            self.stdout.write("The texts seem to hold no answer. Nearest:")
        for number, hit in enumerate(results.hits, start=1):
            where = " / ".join((hit.game_title, hit.language or hit.kind, *hit.path))
            self.stdout.write(f"{number}. {where}  [{hit.score:.2f}]\n{hit.body}\n")


def _as_json(results: PassageResults) -> dict[str, Any]:
    return {
        "language": results.language,
        "corrected": results.corrected,
        "no_answer": results.no_answer,
        "degraded": results.is_degraded,
        "hits": [_hit(hit) for hit in results.hits],
    }


def _hit(hit: PassageHit) -> dict[str, Any]:
    fields = [name for name in hit.__slots__ if name != "marks"]
    return {name: getattr(hit, name) for name in fields}
