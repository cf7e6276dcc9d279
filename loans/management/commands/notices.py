"""`manage.py notices send|letters|forget`: what the library tells its members, from the command line."""

from argparse import ArgumentTypeError
from datetime import date
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import close_old_connections
from django.utils import timezone

from catalogue import following
from loans import notices
from loans.calendar import local_date
from loans.telling import postbox
from loans.telling.compose import Sender

BY_DAY = range(8, 20)
"""The hours in which the follower writes to families."""

EVERY = 600
"""Seconds between two runs of the follower."""


class Command(BaseCommand):
    """Sends what is due."""

    help = "Send what is due to be told today, or say what would be sent."

    def add_arguments(self, parser: CommandParser) -> None:
        """One subcommand each."""
        actions = parser.add_subparsers(dest="action", required=True)
        send = actions.add_parser("send", help="Send what is due; safe to repeat, and to run twice at once.")
        send.add_argument("--dry-run", action="store_true", help="Say what would be sent; write nothing.")
        send.add_argument("--on", type=_day, metavar="YYYY-MM-DD", help="As if it were this day.")
        following.add_options(send)
        actions.add_parser("forget", help="Delete what was written more than a year ago.")

    def handle(self, *_: Any, **options: Any) -> None:
        """Run the subcommand."""
        getattr(self, f"_{options['action']}")(options)

    def _send(self, options: dict[str, Any]) -> None:
        today = options["on"] or local_date(timezone.now(), None)
        if options["dry_run"]:
            self._say(today)
        elif not postbox.is_set_up():
            raise CommandError(
                "No mail server is set, so nothing is sent: say EMAIL_URL=smtp+tls://USER:PASSWORD@HOST "
                "and LUDOTHECA_MAIL_FROM=games@example.org (see README.md)."
            )
        elif options["follow"]:
            following.follow(self._run_by_day, every=EVERY, parent=options["parent"])
        else:
            self._run(today)

    def _say(self, today: date) -> None:
        due = notices.planned(today)
        for one in due:
            letter = one.letter(Sender(now=timezone.now()))
            self.stdout.write(f"--- {one.party.to or 'on paper'}: {letter.subject}\n\n{letter.as_text()}")
        paper = sum(not one.party.to for one in due)
        self.stdout.write(f"{today}: {len(due) - paper} mails and {paper} letters would be written.")

    def _run(self, today: date, *, quiet: bool = False) -> None:
        report = notices.send(today, clock=timezone.now)
        if not quiet or report.sent or report.failed:
            self.stdout.write(
                f"{today}: {report.sent} sent, {report.dropped} had nothing left to tell, {report.put_off} "
                f"put off, {report.failed} failed, {report.letters} to print as letters."
            )
        if report.resent:
            self.stdout.write(f"{report.resent} were cut off before and may have come twice.")
        if report.problem:
            raise CommandError(
                f"The mail server {settings.EMAIL_HOST}:{settings.EMAIL_PORT} cannot be used: "
                f"{report.problem}. What is left waits for the next run."
            )

    def _run_by_day(self) -> None:
        now = timezone.localtime()
        if now.hour not in BY_DAY:
            return
        try:
            self._run(local_date(now, None), quiet=True)
        except CommandError as error:
            self.stderr.write(str(error))
        close_old_connections()

    def _forget(self, _options: dict[str, Any]) -> None:
        self.stdout.write(f"{notices.forget(timezone.now())} mails forgotten.")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no day: say it as 2026-11-30.") from error
