"""`manage.py import_records PATH...`: import saved catalogue pages, tables, wiki feeds and rules texts.

Prints one line a record and one a problem, or with --json one object. Exit code 0 when something was
imported or was there already, 1 when nothing could be.

import_records PATH... [--dry-run]   a batch: read, and unless it is a dry run applied
import_records --batches             the batches there are
import_records --apply BATCH         apply what a dry run or a page has read
import_records --resume BATCH        go on with a batch that was stopped or killed
import_records --undo BATCH          take a batch back, but for what people have changed since
"""

import json
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue import languages
from catalogue.draft import Problem
from catalogue.imports import batches, mappings, messages, reporting, telling
from catalogue.imports.headings import Field
from catalogue.imports.ingest import Options, import_batch, work_on
from catalogue.imports.plan import Done
from catalogue.imports.reporting import Record, Totals
from catalogue.imports.sniff import Format
from catalogue.models import BatchState, Game, ImportBatch, ItemState

AUTOMATIC = "auto"


class Command(BaseCommand):
    help = "Import saved PMB pages, tables, BoardGameGeek's answers, MediaWiki feeds and rules texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="*", metavar="PATH")
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
        other = parser.add_mutually_exclusive_group()
        other.add_argument("--batches", action="store_true", help="list the imports so far")
        other.add_argument("--apply", type=int, metavar="BATCH", help="apply what a dry run has read")
        other.add_argument("--resume", type=int, metavar="BATCH", help="go on with what was stopped")
        other.add_argument("--undo", type=int, metavar="BATCH", help="take an import back")

    def handle(self, *_args: Any, **given: Any) -> None:
        if ImportBatch._meta.db_table not in connection.introspection.table_names():
            raise CommandError(
                _("The library is not set up yet: run “make run” once, or “manage.py migrate”.")
            )
        if given["batches"]:
            self._list()
        elif given["undo"]:
            self._undo(_batch(given["undo"]))
        elif given["apply"] or given["resume"]:
            self._go_on(_batch(given["apply"] or given["resume"]), given)
        elif given["paths"]:
            options = _options(given)
            if given["show_columns"]:
                self._show_columns([Path(path) for path in given["paths"]], options)
                return
            batch = import_batch([Path(path) for path in given["paths"]], options)
            self._report(batch, as_json=given["json"], is_dry_run=options.is_dry_run)
        else:
            raise CommandError(_("Name the files to import."))

    # --- importing -------------------------------------------------------------------------

    def _report(self, batch: ImportBatch, *, as_json: bool, is_dry_run: bool = False) -> None:
        told = reporting.totals(batch)
        if as_json:
            self._print_json(batch, told)
        else:
            self._tell(batch, told, is_dry_run=is_dry_run)
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
        for record in reporting.records(batch, in_full=is_dry_run):
            for line in telling.record_lines(record, is_dry_run=is_dry_run):
                self.stdout.write(line)
        for problem in reporting.problems(batch):
            self.stdout.write(telling.problem_line(problem))
        self.stdout.write(telling.total(told))
        if is_dry_run:
            self.stdout.write(_("Dry run: nothing was written."))
            hint = _("To apply it: manage.py import_records --apply %(number)s")
        else:
            hint = _("To take it back: manage.py import_records --undo %(number)s")
        self.stderr.write(hint % {"number": batch.pk}, str)

    def _print_json(self, batch: ImportBatch, told: Totals) -> None:
        """One object, printed as it is made, for it may be long."""
        counts = {str(done): told.of(done) for done in Done}
        self.stdout.write(json.dumps(counts, indent=2).removesuffix("\n}") + ",")
        self._print_list("problems", map(_problem, reporting.problems(batch)), end=",")
        self._print_list("records", map(_record, reporting.records(batch)))
        self.stdout.write("}")

    def _print_list(self, name: str, items: Iterable[object], end: str = "") -> None:
        self.stdout.write(f'  "{name}": [', ending="")
        for comma, item in zip(_commas(), items, strict=False):
            text = json.dumps(item, ensure_ascii=False, indent=2).replace("\n", "\n    ")
            self.stdout.write(f"{comma}\n    {text}", ending="")
        self.stdout.write(f"\n  ]{end}")

    # --- batches ---------------------------------------------------------------------------

    def _list(self) -> None:
        for batch in ImportBatch.objects.order_by("pk"):
            self.stdout.write(telling.batch_line(batch))

    def _go_on(self, batch: ImportBatch, given: dict[str, Any]) -> None:
        """Whatever was asked of the batch, to its end."""
        try:
            if given["apply"]:
                batches.ask_for(batch, BatchState.APPLYING, by_command=True)
            elif batch.state not in batches.AT_WORK:
                batches.resume(batch, by_command=True)
        except batches.NotNow as refused:
            raise _not_now(batch) from refused
        was_undone = batch.state == BatchState.UNDOING
        self._work_on(batch)
        if was_undone:
            self._tell_undone(batch)
        else:
            self._report(batch, as_json=given["json"], is_dry_run=batch.state == BatchState.PREVIEWED)

    def _undo(self, batch: ImportBatch) -> None:
        try:
            batches.ask_for(batch, BatchState.UNDOING, by_command=True)
        except batches.NotNow as refused:
            raise _not_now(batch) from refused
        self._work_on(batch)
        self._tell_undone(batch)

    def _work_on(self, batch: ImportBatch) -> None:
        if not work_on(batch):
            raise CommandError(_("Another process is at work on this import."))

    def _tell_undone(self, batch: ImportBatch) -> None:
        for item in batch.items.filter(state=ItemState.KEPT).iterator(chunk_size=200):
            for line in telling.left_lines(item):
                self.stdout.write(line)
        self.stdout.write(telling.undone(batch))


def _commas() -> Iterator[str]:
    yield ""
    while True:
        yield ","


def _record(record: Record) -> dict[str, object]:
    return record | {"changes": [asdict(change) for change in telling.changes(record)]}


def _problem(problem: Problem) -> dict[str, str]:
    return {
        "file": problem.file,
        "place": problem.place,
        "reason": messages.sentence(problem),
        "remedy": messages.remedy(problem),
    }


def _not_now(batch: ImportBatch) -> CommandError:
    said = {"batch": batch.pk, "state": batch.get_state_display()}
    return CommandError(_("That cannot be done now: import %(batch)s is %(state)s.") % said)


def _batch(number: int) -> ImportBatch:
    batch = ImportBatch.objects.filter(pk=number).first()
    if batch is None:
        raise CommandError(_("There is no import number %(number)s.") % {"number": number})
    if batches.is_worked_on(batch, timezone.now()):
        raise CommandError(_("Another process is at work on this import."))
    return batch


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
