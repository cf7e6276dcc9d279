"""`manage.py holds expire`: every night, let go of what was not fetched and promise what is free."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from loans import holds


class Command(BaseCommand):
    """Keeps the hold shelf."""

    help = "Let go of boxes on the hold shelf that were not fetched in time, and promise them to the next."

    def add_arguments(self, parser: CommandParser) -> None:
        """One subcommand."""
        actions = parser.add_subparsers(dest="action", required=True)
        actions.add_parser("expire", help="Once a day, before opening; more often does no harm.")

    def handle(self, *_: Any, **options: Any) -> None:  # noqa: ARG002 - there is one action
        """Run it."""
        self.stdout.write(f"{holds.expire_holds(timezone.now())} holds were not fetched in time.")
