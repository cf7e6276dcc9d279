"""`manage.py import_records PATH...`: import saved catalogue pages, tables, wiki feeds and rules texts.

Prints one line a record and one a problem, or with --json one object. Exit code 0 when something was
imported or was there already, 1 when nothing could be.
"""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue import languages
from catalogue.draft import Problem, Report
from catalogue.imports import mappings, messages, reporting, telling
from catalogue.imports.headings import Field
from catalogue.imports.ingest import Options, import_batch
from catalogue.imports.plan import Done
from catalogue.imports.reporting import Totals
from catalogue.imports.sniff import Format
from catalogue.models import Game, ImportBatch

AUTOMATIC = "auto"


class Command(BaseCommand):
    help = "Import saved PMB pages, tables, BoardGameGeek's answers, MediaWiki feeds and rules texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH")
        parser.add_argument("--format", choices=[AUTOMATIC, *Format], default=AUTOMATIC)
        parser.add_argument("--game", type=int, metavar="ID", help="whose rules the texts are")
        parser.add_argument("--language", default="", metavar="xx", help="of texts that do not say theirs")
        parser.add_argument(
            "--map",
            action="append",
            default=[],
            metavar="'HEADING=field'",
            help="what a column of a table means; kept for tables with the same headings",
        )
        parser.add_argument(
            "--show-columns", action="store_true", help="show what the columns of tables mean, and the fields"
        )
        parser.add_argument("--dry-run", action="store_true", help="show what would change, write nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **given: Any) -> None:
        if Game._meta.db_table not in connection.introspection.table_names():
            raise CommandError(
                _("The library is not set up yet: run “make run” once, or “manage.py migrate”.")
            )
        options = _options(given)
        if given["show_columns"]:
            self._show_columns([Path(path) for path in given["paths"]], options)
            return
        batch = import_batch([Path(path) for path in given["paths"]], options)
        told = reporting.totals(batch)
        if given["json"]:
            report = reporting.report_of(batch)
            self.stdout.write(json.dumps(as_json(report), ensure_ascii=False, indent=2))
        else:
            self._tell(batch, told, is_dry_run=options.is_dry_run)
        if not any(told.of(done) for done in Done):
            # The reasons stand above; a CommandError would be one line too many in --json.
            raise SystemExit(1)

    def _show_columns(self, paths: list[Path], options: Options) -> None:
        """One line a column, and the fields that --map takes; nothing is imported."""
        for path in paths:
            for table, proposal in mappings.shown(path, options.columns, now=timezone.now()):
                self.stdout.write(telling.table_line(str(path), table, proposal))
                for guess in proposal.columns:
                    self.stdout.write(telling.column_line(guess))
        self.stdout.write(_("Fields: %(fields)s") % {"fields": ", ".join(Field)})

    def _tell(self, batch: ImportBatch, told: Totals, *, is_dry_run: bool) -> None:
        for record in reporting.records(batch):
            for line in telling.record_lines(record, is_dry_run=is_dry_run):
                self.stdout.write(line)
        for problem in reporting.problems(batch):
            self.stdout.write(telling.problem_line(problem))
        self.stdout.write(telling.total(told))
        if is_dry_run:
            self.stdout.write(_("Dry run: nothing was written."))


def as_json(report: Report) -> dict[str, object]:
    """The report for programs; places and reasons are codes, sentences are for people."""
    return {
        "created": report.created,
        "updated": report.updated,
        "unchanged": report.unchanged,
        "problems": [_problem(problem) for problem in report.problems],
        "records": [
            record | {"changes": [asdict(change) for change in telling.changes(record)]}
            for record in report.records
        ],
    }


def _problem(problem: Problem) -> dict[str, str]:
    return {
        "file": problem.file,
        "place": problem.place,
        "reason": messages.sentence(problem),
        "remedy": messages.remedy(problem),
    }


def _options(given: dict[str, Any]) -> Options:
    return Options(
        format=None if given["format"] == AUTOMATIC else Format(given["format"]),
        game=_game(given["game"]),
        language=_language(given["language"]),
        is_dry_run=given["dry_run"],
        columns=_columns(given["map"]),
    )


def _columns(said: list[str]) -> dict[str, str]:
    """`Heading=field` as a mapping; `Heading=` means that the column is passed over."""
    found = {}
    for one in said:
        heading, sign, name = one.rpartition("=")
        if not sign or not heading.strip() or name.strip() not in {"", *Field}:
            raise CommandError(
                _("--map: “%(said)s” is not HEADING=field. Fields: %(fields)s.")
                % {"said": one, "fields": ", ".join(Field)}
            )
        found[heading.strip()] = name.strip()
    return found


def _language(said: str) -> str:
    tag = languages.normal(said) if said else ""
    if tag is None:
        raise CommandError(
            _("--language: “%(said)s” is no language we know: say its tag, such as fr, es or pt-BR.")
            % {"said": said}
        )
    return tag


def _game(pk: int | None) -> Game | None:
    if pk is None:
        return None
    game = Game.objects.filter(pk=pk).first()
    if game is None:
        raise CommandError(_("--game: the catalogue has no game number %(number)s.") % {"number": pk})
    return game
