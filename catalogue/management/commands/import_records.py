"""`manage.py import_records PATH...`: import saved catalogue pages, wiki feeds and rules texts.

Prints one line a record and one a problem, or with --json one object. Exit code 0 when something was
imported or was there already, 1 when nothing could be.
"""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue import languages
from catalogue.draft import Problem, Report
from catalogue.imports import messages
from catalogue.imports.ingest import Options, import_files
from catalogue.imports.sniff import Format
from catalogue.imports.store import Change, Done
from catalogue.models import Game

AUTOMATIC = "auto"
LONGEST_SHOWN = 70


class Command(BaseCommand):
    help = "Import saved PMB pages, MediaWiki feeds and rules texts; running it again changes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH")
        parser.add_argument("--format", choices=[AUTOMATIC, *Format], default=AUTOMATIC)
        parser.add_argument("--game", type=int, metavar="ID", help="whose rules the texts are")
        parser.add_argument("--language", default="", metavar="xx", help="of texts that do not say theirs")
        parser.add_argument("--dry-run", action="store_true", help="show what would change, write nothing")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, *_args: Any, **given: Any) -> None:
        options = _options(given)
        report = import_files([Path(path) for path in given["paths"]], options)
        if given["json"]:
            self.stdout.write(json.dumps(as_json(report), ensure_ascii=False, indent=2))
        else:
            self._tell(report, is_dry_run=options.is_dry_run)
        if not (report.created or report.updated or report.unchanged):
            # The reasons stand above; a CommandError would be one line too many in --json.
            raise SystemExit(1)

    def _tell(self, report: Report, *, is_dry_run: bool) -> None:
        for record in report.records:
            for line in _record_lines(record, is_dry_run=is_dry_run):
                self.stdout.write(line)
        for problem in report.problems:
            self.stdout.write(_problem_line(problem))
        self.stdout.write(_total(report))
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
            record | {"changes": [asdict(change) for change in _changes(record)]} for record in report.records
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
    )


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


def _changes(record: dict[str, object]) -> list[Change]:
    return cast(list[Change], record["changes"])


def _record_lines(record: dict[str, object], *, is_dry_run: bool) -> list[str]:
    """One line a record; in a dry run one more for each thing that would change."""
    words = {Done.CREATED: _("created"), Done.UPDATED: _("updated"), Done.UNCHANGED: _("unchanged")}
    changes = _changes(record)
    done = Done(str(record["result"]))
    line = f"{words[done]}: {record['title']} (#{record['game']})"
    fields = dict.fromkeys(change.field for change in changes)
    if fields and (done is Done.UPDATED or "title" not in fields):
        line += f" – {', '.join(fields)}"
    if not is_dry_run:
        return [line]
    return [line, *(f"    {c.field}: {_short(c.old)} → {_short(c.new)}" for c in changes)]


def _short(text: str) -> str:
    one_line = " ".join(text.split())
    shown = one_line if len(one_line) <= LONGEST_SHOWN else f"{one_line[:LONGEST_SHOWN]}…"
    return f"“{shown}”" if shown else "–"


def _problem_line(problem: Problem) -> str:
    where = ", ".join(filter(None, (problem.file, messages.place(problem.place))))
    return f"! {where}: {messages.sentence(problem)} {messages.remedy(problem)}"


def _total(report: Report) -> str:
    count = report.created + report.updated + report.unchanged
    problems = len(report.problems)
    records = ngettext(
        "%(count)s record: %(created)s created, %(updated)s updated, %(unchanged)s unchanged.",
        "%(count)s records: %(created)s created, %(updated)s updated, %(unchanged)s unchanged.",
        count,
    ) % {
        "count": count,
        "created": report.created,
        "updated": report.updated,
        "unchanged": report.unchanged,
    }
    told = ngettext("%(count)s problem.", "%(count)s problems.", problems) % {"count": problems}
    return f"{records} {told}"
