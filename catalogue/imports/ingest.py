"""The one writer of imports: files in, rows and a report out.

Each record is one transaction, so that a bad record loses only itself and a killed import is finished by
running it again. Records come before texts that name a game, whatever the order of the files. A record
read again changes only what its source changed and no person has corrected since (see `merge`).
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path

from django.db import DataError, IntegrityError, OperationalError, connection, transaction

from catalogue.draft import Problem, Reason, RecordDraft, Report
from catalogue.imports import marc, mediawiki, pmb, rules_file
from catalogue.imports.sniff import Format, marc_file, sniff
from catalogue.imports.store import Outcome, store
from catalogue.marc import Dialect
from catalogue.models import Game
from catalogue.outbox import one_ring
from catalogue.records import BarcodeTaken

Reader = Callable[[str, str], Iterator[RecordDraft | Problem]]
READERS: dict[Format, Reader] = {
    Format.PMB: pmb.read,
    Format.MEDIAWIKI: mediawiki.read,
    Format.RULES: rules_file.read,
    Format.UNIMARC: partial(marc.read, dialect=Dialect.UNIMARC),
    Format.MARC21: partial(marc.read, dialect=Dialect.MARC21),
}
LOCK = 0x1DD07ECA  # any number that nobody else locks
ATTEMPTS = 3  # when another process stores the same record at the same moment


class Kind(StrEnum):
    """What a record brings: a game, or rules of a game that has its record elsewhere."""

    GAME = "game"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller says about the files. `game` is whose rules they are."""

    format: Format | None = None
    game: Game | None = None
    language: str = ""
    is_dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Item:
    """A record and the file that it came from."""

    file: str
    draft: RecordDraft
    game: Game | None = None


class _RolledBack(Exception):
    """Takes a dry run back."""


def import_files(paths: Iterable[Path], options: Options) -> Report:
    """Import the files; in a dry run the same is done and taken back. The report tells every record."""
    report = Report()
    if not options.is_dry_run:
        with one_ring():
            _import(paths, options, report)
        return report
    try:
        with one_ring(), transaction.atomic():
            _import(paths, options, report)
            raise _RolledBack
    except _RolledBack:
        return report


def _import(paths: Iterable[Path], options: Options, report: Report) -> None:
    later: list[_Item] = []
    seen: dict[str, RecordDraft] = {}
    for path in paths:
        for item in _read(path, options, report):
            if item.draft.is_title_only:
                later.append(item)
            else:
                _store_all([item], seen, report)
    # Pages of a wiki may bring games of their own; a rules text looks for its game in all that is there then.
    for is_rules in (False, True):
        batch = (item for item in later if (item.draft.format == rules_file.FORMAT) is is_rules)
        _store_all(batch, seen, report)


def _read(path: Path, options: Options, report: Report) -> Iterator[_Item]:
    """The records of a file, one at a time; its problems go into the report.

    The game that the caller names is meant by a record that is alone in its file.
    """
    first: RecordDraft | None = None
    is_alone = True
    for result in _results(path, options):
        if isinstance(result, Problem):
            report.problems += _in_file(path, [result])
        elif first is None and is_alone:
            first = result
        else:
            if first is not None:
                yield _Item(str(path), first)
            first, is_alone = None, False
            yield _Item(str(path), result)
    if first is not None:
        yield _Item(str(path), first, options.game)


def _results(path: Path, options: Options) -> Iterator[RecordDraft | Problem]:
    """What the reader of the file's format makes of it. MARC is read as a stream: its files may be large."""
    if kind := marc_file(path, options.format):
        with path.open("rb") as stream:
            yield from marc.read_stream(stream, options.language, Dialect(kind.value))
        return
    found = sniff(path, options.format)
    yield from found.problems
    if found.format is not None:
        yield from READERS[found.format](found.text, options.language)


def _in_file(path: Path | str, problems: Iterable[Problem]) -> list[Problem]:
    return [replace(problem, file=str(path)) for problem in problems]


def _store_all(items: Iterable[_Item], seen: dict[str, RecordDraft], report: Report) -> None:
    for item in items:
        before = seen.setdefault(item.draft.key, item.draft)
        if before is not item.draft and _says_otherwise(before, item.draft):
            outcome = Outcome(problems=[_said_twice(item.draft)])
        else:
            outcome = _store_safely(item)
        _tell(report, item, outcome)


def _says_otherwise(before: RecordDraft, again: RecordDraft) -> bool:
    """One record said twice in one call, differently: taking one after the other would never come to rest."""
    return replace(before, raw="", place="") != replace(again, raw="", place="")


def _said_twice(draft: RecordDraft) -> Problem:
    return Problem(draft.place, Reason.SAID_TWICE, detail=draft.game.title, raw=draft.raw)


def _store_safely(item: _Item, attempts: int = ATTEMPTS) -> Outcome:
    """Store one record in a transaction of its own; again where another process was in the way."""
    try:
        with transaction.atomic():
            _wait_for_other_imports()
            return store(item.draft, item.game, origin=Path(item.file).name)
    except (DataError, ValueError) as error:
        return _unstorable(item.draft, error)
    except (IntegrityError, BarcodeTaken) as error:
        return _store_safely(item, attempts - 1) if attempts > 1 else _unstorable(item.draft, error)
    except OperationalError:  # a deadlock, or the database stayed locked
        if attempts > 1:
            return _store_safely(item, attempts - 1)
        raise


def _wait_for_other_imports() -> None:
    """One record at a time, or two processes would each make the game that neither sees yet.

    SQLite's immediate transactions do this by themselves; on PostgreSQL the lock goes with the transaction.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _unstorable(draft: RecordDraft, error: Exception) -> Outcome:
    detail = f"{draft.game.title}: {error}"[:500]
    return Outcome(problems=[Problem(draft.place, Reason.MALFORMED, detail=detail, raw=draft.raw)])


def _tell(report: Report, item: _Item, outcome: Outcome) -> None:
    report.problems += _in_file(item.file, outcome.problems)
    if outcome.done is None:
        return
    setattr(report, outcome.done, getattr(report, outcome.done) + 1)
    report.records.append(
        {
            "file": item.file,
            "place": item.draft.place,
            "kind": (Kind.RULES if item.draft.is_title_only else Kind.GAME).value,
            "result": outcome.done.value,
            "game": outcome.game_id,
            "title": outcome.title,
            "changes": outcome.changes,
        }
    )
