"""The life of an import: begun, worked on by one process at a time, stopped, taken up again.

A batch says in its row what is to be done with it (`BatchState`); whoever works on it claims it first and
tells again and again that it lives. A worker that was killed says nothing more, and another takes over:
what has been done stands in the items, each changed in the transaction of what was done.
"""

import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from catalogue.models import BatchState, ImportBatch, ImportItem, ItemKind, ItemState

AT_WORK = (BatchState.READING, BatchState.APPLYING, BatchState.UNDOING)
SILENT = timedelta(seconds=30)
"""After this a worker that tells nothing is taken for dead."""
TELLS_EVERY = 0.5
ENDS_AS = {
    BatchState.READING: BatchState.PREVIEWED,
    BatchState.APPLYING: BatchState.APPLIED,
    BatchState.UNDOING: BatchState.UNDONE,
}
COUNTED = {"new", "changed", "unchanged", "doubtful", "problem"}


class Stopped(Exception):
    """Somebody has asked to stop, or another worker has taken over."""


class NotNow(Exception):
    """The batch is not in a state in which this can be done."""


# --- what is asked of a batch -------------------------------------------------------------------


def begin(
    files: Sequence[Path], options: dict[str, Any], *, by: User | None = None, by_command: bool = False
) -> ImportBatch:
    """A new batch, to be read."""
    listed = [{"name": path.name, "path": str(path)} for path in files]
    now = timezone.now()
    return ImportBatch.objects.create(
        files=listed, options=options, by=by, by_command=by_command, made_at=now
    )


def ask_for(batch: ImportBatch, state: BatchState, *, by_command: bool = False) -> None:
    """Have it applied or undone, by a follower unless a command does it. Raises NotNow where it is at work,
    or there is nothing of the kind to do.
    """
    may = {
        BatchState.APPLYING: Q(state__in=[BatchState.PREVIEWED, BatchState.APPLIED]),
        BatchState.UNDOING: Q(state=BatchState.APPLIED)
        | Q(state=BatchState.STOPPED, stopped_in=BatchState.APPLYING),
    }[state]
    _become(batch, may, state=state, stopped_in="", by_command=by_command)


def resume(batch: ImportBatch, *, by_command: bool = False) -> None:
    """Go on with what was stopped, or has failed."""
    halted = Q(state__in=[BatchState.STOPPED, BatchState.FAILED]) & ~Q(stopped_in="")
    _become(batch, halted, state=F("stopped_in"), by_command=by_command)


def stop(batch: ImportBatch) -> None:
    """Ask its worker to stop after the record in hand; one that is dead has stopped already."""
    ImportBatch.objects.filter(pk=batch.pk, state__in=AT_WORK).update(stop_asked=True)
    batch.refresh_from_db()
    ImportBatch.objects.filter(_free(batch, timezone.now()), pk=batch.pk, state__in=AT_WORK).update(
        stopped_in=F("state"), state=BatchState.STOPPED, stop_asked=False, worker="", ended_at=timezone.now()
    )
    batch.refresh_from_db()


def _become(batch: ImportBatch, may: Q, **values: Any) -> None:
    fresh: dict[str, Any] = {
        "stop_asked": False,
        "failure": "",
        "done": 0,
        "total": 0,
        "started_at": None,
        "ended_at": None,
    }
    changed = ImportBatch.objects.filter(may, pk=batch.pk).update(worker="", beat_at=None, **(fresh | values))
    batch.refresh_from_db()
    if not changed:
        raise NotNow(batch.state)


def remove(batch: ImportBatch) -> None:
    """Forget a batch that has changed nothing, or nothing any more. Raises NotNow for others."""
    done = batch.items.filter(state__in=[ItemState.APPLIED, ItemState.KEPT]).exclude(effect={})
    if batch.state in AT_WORK or done.exists():
        raise NotNow(batch.state)
    batch.delete()


# --- whoever works on it ------------------------------------------------------------------------


@dataclass(slots=True)
class Stint:
    """One process at work on a batch. `tell` is called between records, as often as one likes."""

    batch: ImportBatch
    worker: str
    _told: float = field(default=0.0)

    def begin(self, total: int) -> None:
        """Say how much there is to do."""
        self.batch.total, self.batch.done, self.batch.started_at = total, 0, timezone.now()
        self._write(total=total, done=0, started_at=self.batch.started_at)

    def tell(self, done: int) -> None:
        """Say how far it is, and that the worker lives. Raises Stopped where it should stop."""
        if time.monotonic() - self._told < TELLS_EVERY:
            return
        self._told = time.monotonic()
        self.batch.done = done
        self._write(done=done)
        if ImportBatch.objects.filter(pk=self.batch.pk, stop_asked=True).exists():
            raise Stopped

    def end(self, state: str, **values: Any) -> None:
        """Say that it is over, and how."""
        ImportBatch.objects.filter(pk=self.batch.pk, worker=self.worker).update(
            state=state,
            worker="",
            stop_asked=False,
            ended_at=timezone.now(),
            counts=count(self.batch),
            **values,
        )
        self.batch.refresh_from_db()

    def _write(self, **values: Any) -> None:
        mine = ImportBatch.objects.filter(pk=self.batch.pk, worker=self.worker)
        if not mine.update(beat_at=timezone.now(), **values):
            raise Stopped


@contextmanager
def stint(batch: ImportBatch) -> Iterator[Stint | None]:
    """Claim the batch for this process; None where another is at work on it."""
    worker = f"{socket.gethostname()[:30]}:{os.getpid()}:{time.monotonic_ns() % 10**9}"
    batch.refresh_from_db()
    claimed = ImportBatch.objects.filter(_free(batch, timezone.now()), pk=batch.pk, state__in=AT_WORK).update(
        worker=worker, beat_at=timezone.now()
    )
    batch.refresh_from_db()
    with _lazily_synced():
        yield Stint(batch, worker) if claimed else None


def _free(batch: ImportBatch, now: datetime) -> Q:
    """That nobody works on it: nobody has claimed it, or its worker is silent, or seen to be dead."""
    quiet = Q(worker="") | Q(beat_at=None) | Q(beat_at__lt=now - SILENT)
    return quiet | Q(worker=batch.worker) if is_dead(batch.worker) else quiet


def is_worked_on(batch: ImportBatch, now: datetime) -> bool:
    """Whether a process is at it."""
    if batch.state not in AT_WORK or not batch.worker or batch.beat_at is None or is_dead(batch.worker):
        return False
    return now - batch.beat_at < SILENT


def is_dead(worker: str) -> bool:
    """Whether a worker was a process of this machine that is no more."""
    host, _, rest = worker.partition(":")
    number = rest.partition(":")[0]
    if host != socket.gethostname()[:30] or not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def waiting(now: datetime) -> list[ImportBatch]:
    """Batches that a follower has to work on, the oldest first. Those of a command are its own business."""
    at_work = ImportBatch.objects.filter(state__in=AT_WORK, by_command=False).order_by("pk")
    return [batch for batch in at_work if not is_worked_on(batch, now)]


@contextmanager
def _lazily_synced() -> Iterator[None]:
    """Do not wait for the disk after each record.

    A power cut may take the last records back, whole, and with them the items that say that they were
    written: they are written again when the batch is resumed. Other connections are as careful as ever.
    """
    lazily, carefully = {
        "sqlite": ("PRAGMA synchronous=NORMAL", "PRAGMA synchronous=FULL"),
        "postgresql": ("SET synchronous_commit TO off", "SET synchronous_commit TO on"),
    }[connection.vendor]
    _say(lazily)
    try:
        yield
    finally:
        _say(carefully)


def _say(statement: str) -> None:
    if connection.in_atomic_block:  # SQLite refuses it there; a caller's own transaction is waited for anyway
        return
    with connection.cursor() as cursor:
        cursor.execute(statement)


# --- how it stands ------------------------------------------------------------------------------


def count(batch: ImportBatch) -> dict[str, int]:
    """How many items there are of each kind, and in each state of what was done."""
    counts = {kind.value: 0 for kind in ItemKind}
    for row in batch.items.order_by().values("kind").annotate(many=Count("pk")):
        counts[row["kind"]] = row["many"]
    states = batch.items.exclude(kind=ItemKind.PROBLEM).order_by().values("state")
    counts |= {row["state"]: row["many"] for row in states.annotate(many=Count("pk"))}
    return counts


def seconds_left(batch: ImportBatch, now: datetime) -> int | None:
    """How long the present stage will go on, as it has gone so far; None while that cannot be said."""
    if batch.state not in AT_WORK or batch.started_at is None or not batch.done or not batch.total:
        return None
    gone = (now - batch.started_at).total_seconds()
    return max(0, round(gone * (batch.total - batch.done) / batch.done))


def of_record(batch: ImportBatch) -> QuerySet[ImportItem]:
    """The items of records that are, or can be, part of the catalogue."""
    return batch.items.exclude(kind=ItemKind.PROBLEM)
