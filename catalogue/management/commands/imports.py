"""`manage.py imports work [--follow]`: do what the pages of imports have asked for.

imports work             once: read, apply and undo what waits
imports work --follow    for ever; by itself where `manage.py serve` runs
"""

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from catalogue import following
from catalogue.imports import batches
from catalogue.imports.ingest import work_on

LOOKS_EVERY = 1.0
logger = logging.getLogger(__name__)


class Command(BaseCommand):
    """The worker behind the pages of imports."""

    help = "Read, apply and undo the imports that were asked for on the pages."

    def add_arguments(self, parser: CommandParser) -> None:
        """One sub-command."""
        actions = parser.add_subparsers(dest="action", required=True)
        work = actions.add_parser("work", help="Work on what waits.")
        following.add_options(work)

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002 - Django's signature
        """Once, or again and again."""
        if options["follow"]:
            following.follow(self._look, every=LOOKS_EVERY, parent=options["parent"])
        else:
            self._work()

    def _look(self) -> None:
        """One import that goes wrong must not keep the next from being worked on."""
        try:
            self._work()
        except DatabaseError:
            logger.exception("Imports could not be looked after; they are looked at again.")
        close_old_connections()

    def _work(self) -> None:
        for batch in batches.waiting(timezone.now()):
            try:
                work_on(batch)
            except Exception:
                logger.exception("Import %d has failed; its page says why.", batch.pk)
