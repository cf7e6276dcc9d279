"""The one door of imports: files in, a batch that can be seen, applied, resumed and taken back.

Whoever works on a batch calls `work_on`: the command, the follower beside the server, a test.
A record read again changes only what its source changed and no person has corrected since (see `merge`).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from django.utils import timezone

from catalogue.draft import Report
from catalogue.imports import batches, bgg, catalogue_page, marc, mediawiki, pmb, reporting, rules_file
from catalogue.imports.applying import apply_batch
from catalogue.imports.batches import ENDS_AS, Stint, Stopped
from catalogue.imports.files import Reader
from catalogue.imports.previewing import Preview
from catalogue.imports.sniff import Format
from catalogue.imports.undo import undo_batch
from catalogue.marc import Dialect
from catalogue.models import BatchState, Game, ImportBatch
from catalogue.outbox import one_ring

# Tables (Format.TABLE) are read by `sheets`, which must be told what their columns mean: see `files`.
READERS: dict[Format, Reader] = {
    Format.PMB: pmb.read,
    Format.MEDIAWIKI: mediawiki.read,
    Format.RULES: rules_file.read,
    Format.BGG: bgg.read,
    Format.UNIMARC: partial(marc.read, dialect=Dialect.UNIMARC),
    Format.MARC21: partial(marc.read, dialect=Dialect.MARC21),
    Format.PAGE: catalogue_page.read,
}


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller says about the files. `game` is whose rules they are."""

    format: Format | None = None
    game: Game | None = None
    language: str = ""
    is_dry_run: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)  # of tables: heading -> field (see `headings`)

    def as_json(self) -> dict[str, object]:
        """As the batch keeps them."""
        said: dict[str, object] = {"format": self.format, "game": self.game and self.game.pk}
        said |= {"language": self.language, "columns": dict(self.columns)}
        return {name: value for name, value in said.items() if value}


def import_files(paths: Iterable[Path], options: Options) -> Report:
    """Import the files; in a dry run only see what they would do. The report tells every record."""
    return reporting.report_of(import_batch(paths, options))


def import_batch(paths: Iterable[Path], options: Options) -> ImportBatch:
    """As `import_files`; the batch instead of a report."""
    batch = batches.begin(list(paths), options.as_json(), by_command=True)
    work_on(batch)
    if not options.is_dry_run and batch.state == BatchState.PREVIEWED:
        batches.ask_for(batch, BatchState.APPLYING, by_command=True)
        work_on(batch)
    return batch


def work_on(batch: ImportBatch) -> bool:
    """Do what the batch asks for, to its end; False where another process is at it. Never raises Stopped."""
    with batches.stint(batch) as stint, one_ring():
        if stint is None:
            return False
        at = BatchState(batch.state)
        try:
            _work(batch, at, stint)
        except Stopped:
            stint.end(BatchState.STOPPED, stopped_in=at, **_applied(at))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"[:1000]
            stint.end(BatchState.FAILED, stopped_in=at, failure=failure, **_applied(at))
            raise
        else:
            stint.end(ENDS_AS[at], **_applied(at))
    return True


def _applied(at: BatchState) -> dict[str, datetime]:
    """Until when a batch has written: what changed a game later was somebody else."""
    return {"applied_at": timezone.now()} if at == BatchState.APPLYING else {}


def _work(batch: ImportBatch, at: BatchState, stint: Stint) -> None:
    if at == BatchState.READING:
        Preview(batch, READERS, stint).run()
    elif at == BatchState.APPLYING:
        apply_batch(batch, stint)
    elif at == BatchState.UNDOING:
        undo_batch(batch, stint)
