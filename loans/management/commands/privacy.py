"""`manage.py privacy`: forget by the clock, hand over or erase one member's data.

privacy forget [--dry-run]       once; from cron, or by itself where `manage.py serve` runs
privacy forget --follow          for ever, once a day
privacy export CARD FILE.zip     all that is held of the member with this card
privacy erase CARD --by USER     leave nothing of the member; says why not where something is open
"""

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import close_old_connections
from django.utils import timezone

from catalogue import following
from loans import dossier, erasure, forgetting
from loans.act import Act
from loans.models import Member

DAY = 24 * 60 * 60


class Command(BaseCommand):
    """Privacy by clock and on request."""

    help = "Forget past loans whose time has come; hand over or erase one member's data."

    def add_arguments(self, parser: CommandParser) -> None:
        """One sub-command each."""
        actions = parser.add_subparsers(dest="action", required=True)
        forget = actions.add_parser("forget", help="Forget what is older than the library keeps it.")
        forget.add_argument("--dry-run", action="store_true", help="Only say how much it would be.")
        following.add_options(forget)
        export = actions.add_parser("export", help="Write all that is held of a member into a ZIP.")
        export.add_argument("card")
        export.add_argument("file", type=Path)
        erase = actions.add_parser("erase", help="Erase all that is held of a member.")
        erase.add_argument("card")
        erase.add_argument("--by", required=True, metavar="USER", help="Who does it, by user name.")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        """Do what the sub-command says."""
        {"forget": self._forget, "export": self._export, "erase": self._erase}[options["action"]](options)

    def _forget(self, options: dict[str, Any]) -> None:
        if options["follow"]:
            following.follow(self._forget_today, every=DAY, parent=options["parent"])
        else:
            self._forget_once(dry_run=options["dry_run"])

    def _forget_today(self) -> None:
        self._forget_once(dry_run=False, quiet=True)
        close_old_connections()

    def _forget_once(self, *, dry_run: bool, quiet: bool = False) -> None:
        told = forgetting.forget_expired(now=timezone.now(), dry_run=dry_run)
        if quiet and not (told.loans or told.events or told.others):
            return
        words = "would be forgotten" if dry_run else "were forgotten"
        self.stdout.write(f"{told.loans} loans, {told.events} events, {told.others} other rows {words}.")

    def _export(self, options: dict[str, Any]) -> None:
        file: Path = options["file"]
        try:
            file.write_bytes(dossier.as_zip(_member(options["card"]), by=None, now=timezone.now()))
        except OSError as error:
            raise CommandError(f"Cannot write {file}: {error.strerror}.") from error
        self.stdout.write(f"Written: {file}")

    def _erase(self, options: dict[str, Any]) -> None:
        by = User.objects.filter(username=options["by"]).first()
        if by is None:
            raise CommandError(f"There is no user {options['by']!r}.")
        try:
            erasure.erase(_member(options["card"]), act=Act(by=by, now=timezone.now()))
        except erasure.NotYet as not_yet:
            open_ = ", ".join(f"{reason.code}: {reason.many}" for reason in not_yet.reasons)
            raise CommandError(f"Not erased, these are open: {open_}.") from not_yet
        self.stdout.write("Erased.")


def _member(card: str) -> Member:
    member = Member.objects.filter(card_number=card).first()
    if member is None:
        raise CommandError(f"No member has the card {card!r}.")
    return member
