"""`manage.py export_records --format unimarc|unimarc-xml|marc21|marcxml [--game ID ...] FILE`.

The file appears when it is whole; what the format could not hold is told, record by record.
"""

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalogue.exports.library import outgoing
from catalogue.exports.marc import Form, Piece, file_of
from catalogue.models import Game


class Command(BaseCommand):
    help = "Write the catalogue's records, with the boxes and without rules texts, for other programs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--format", choices=list(Form), required=True)
        parser.add_argument(
            "--game", type=int, action="append", metavar="ID", help="only this one; repeatable"
        )

    def handle(self, *_args: Any, **given: Any) -> None:
        if Game._meta.db_table not in connection.introspection.table_names():
            raise CommandError(
                _("The library is not set up yet: run “make run” once, or “manage.py migrate”.")
            )
        games = Game.objects.all()
        if given["game"]:
            games = games.filter(pk__in=given["game"])
            self._refuse_unknown(given["game"], set(games.values_list("pk", flat=True)))
        pieces = file_of(outgoing(games), Form(given["format"]), language=settings.LANGUAGE_CODE[:2])
        try:
            count = self._write(given["file"], pieces)
        except OSError as error:
            raise CommandError(
                _("%(file)s could not be written: %(why)s")
                % {"file": given["file"], "why": error.strerror or str(error)}
            ) from error
        told = ngettext("%(count)s record written.", "%(count)s records written.", count)
        self.stdout.write(told % {"count": count})

    def _refuse_unknown(self, asked: Iterable[int], found: set[int]) -> None:
        for number in asked:
            if number not in found:
                raise CommandError(
                    _("--game: the catalogue has no game number %(number)s.") % {"number": number}
                )

    def _write(self, path: Path, pieces: Iterable[Piece]) -> int:
        """Into a file beside it first, so that no half a file is ever taken for a whole one."""
        count = 0
        with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
            try:
                for piece in pieces:
                    file.write(piece.data)
                    count += piece.number is not None
                    self._tell_left_out(piece)
            except BaseException:
                Path(file.name).unlink()
                raise
        whole = Path(file.name)
        whole.chmod(0o644)
        whole.replace(path)
        return count

    def _tell_left_out(self, piece: Piece) -> None:
        if piece.left_out:
            line = _("! game %(number)s: too long for this format, left out: %(tags)s. XML holds all.")
            self.stderr.write(line % {"number": piece.number, "tags": ", ".join(piece.left_out)})
