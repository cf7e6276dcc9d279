"""Applying the items of a batch: each record in a transaction with the item that says that it was applied.

So a worker that was killed leaves nothing half done and nothing to be done twice. Records that have nothing
to do with each other and with the catalogue go in together, fifty at a time; where one of them cannot be
stored, and for all others, each has a transaction of its own, so a bad record loses only itself.

The plan that was shown is made again in the transaction: where the catalogue has changed since,
the item says what was done instead, or waits for a decision.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, OperationalError, connection, transaction

from catalogue import names
from catalogue.draft import Reason, RecordDraft, RevisionDraft
from catalogue.imports import batches
from catalogue.imports.batches import Stint
from catalogue.imports.draft_json import from_json, to_json
from catalogue.imports.plan import Done, Look, Plan, plan
from catalogue.imports.previewing import PLANNED, Turn, diff_of, in_chunks, origin, show
from catalogue.imports.shelf import Shelf, known
from catalogue.imports.store import Effect, store
from catalogue.models import (
    BatchState,
    Decision,
    Game,
    ImportBatch,
    ImportItem,
    ItemKind,
    ItemState,
    SourceRecord,
)
from catalogue.names import Memory
from catalogue.records import BarcodeTaken

TOGETHER = 50  # records in one transaction: the desk waits no longer for it than it notices
WRITE_APPLIED = (
    f"UPDATE {ImportItem._meta.db_table} SET state = '{ItemState.APPLIED}', result = '{Done.CREATED}',"  # noqa: S608
    " game_id = %s, sequence = %s, effect = %s, draft = %s, problems = %s, has_problems = %s"
    f" WHERE id = %s AND state = '{ItemState.WAITING}'"
)
LOCK = 0x1DD07ECA  # any number that nobody else locks
ATTEMPTS = 3  # when another process stores the same record at the same moment


class Elsewhere(Exception):
    """The item was decided, applied or passed over by somebody else meanwhile."""


@dataclass(frozen=True, slots=True)
class _Run:
    """What goes along from one record to the next."""

    memory: Memory
    shelf: Shelf


@dataclass(slots=True)
class _Together:
    """Records that each make a game of their own, and can be written in one transaction."""

    items: list[ImportItem] = field(default_factory=list)

    def takes(self, item: ImportItem) -> bool:
        """Whether nothing was seen that the record has to do with: nothing here, nothing before it."""
        is_plain = item.kind == ItemKind.NEW and item.turn == 0 and item.twin is None and not item.decision
        if is_plain:
            self.items.append(item)
        return is_plain

    def flush(self, run: "_Run") -> None:
        """Apply them; one by one where that cannot be done together."""
        items, self.items = self.items, []
        try:
            left = _apply_together(items) if items else []
        except (DataError, ValueError, IntegrityError, OperationalError, BarcodeTaken, Elsewhere):
            run.memory.clear()
            left = items
        for item in left:
            _apply_safely(item, run)


def apply_batch(batch: ImportBatch, stint: Stint) -> None:
    """Apply all that waits and is not doubtful. Raises Stopped."""
    waiting = batch.items.filter(state=ItemState.WAITING)
    stint.begin(waiting.count())
    done = 0
    with names.remembered() as memory:
        run = _Run(memory, Shelf())
        for items in in_chunks(batch, state=ItemState.WAITING):
            same = _unchanged(items)
            together = _Together()
            for item in items:
                if item.pk not in same and _may_be_applied(item):
                    _apply_in_turn(item, together, run)
                done += 1
                stint.tell(done - len(together.items))
            together.flush(run)
            ImportItem.objects.filter(pk__in=same, state=ItemState.WAITING).update(
                state=ItemState.APPLIED, result=Done.UNCHANGED, draft={}
            )


def _apply_in_turn(item: ImportItem, together: _Together, run: _Run) -> None:
    is_taken = together.takes(item)
    if len(together.items) >= TOGETHER or not is_taken:
        together.flush(run)
    if not is_taken:
        _apply_safely(item, run)


def apply_item(item: ImportItem) -> None:
    """Apply one item, as it was decided."""
    with names.remembered() as memory:
        _apply_safely(item, _Run(memory, Shelf()))


def decide(
    items: Sequence[ImportItem], decision: Decision, *, game: Game | None, by: User | None
) -> list[ImportItem]:
    """What a librarian says of doubtful items; it is done at once. Returns those that still wait.

    Raises NotNow while the batch has not been applied, or is undone.
    """
    left = []
    for item in items:
        if item.batch.state not in {BatchState.APPLIED, BatchState.PREVIEWED, BatchState.STOPPED}:
            raise batches.NotNow(item.batch.state)
        item.decision, item.decided_by = decision, by
        item.game = game if decision == Decision.GAME else item.game
        mine = ImportItem.objects.filter(pk=item.pk, state=ItemState.WAITING)
        if decision == Decision.SKIP:
            mine.update(decision=decision, decided_by=by, state=ItemState.SKIPPED)
            continue
        mine.update(decision=decision, decided_by=by, game=item.game)
        # Before the rest is applied, a decision is part of the preview.
        if item.batch.state != BatchState.PREVIEWED:
            apply_item(item)
            item.refresh_from_db()
            left += [item] if item.state == ItemState.WAITING else []
    return left


def _may_be_applied(item: ImportItem) -> bool:
    return item.kind != ItemKind.DOUBTFUL or item.decision in {Decision.GAME, Decision.NEW}


def _unchanged(items: Sequence[ImportItem]) -> set[int]:
    """Those of which the very same was taken before, in one query for all."""
    asked = {item.source_key: item for item in items if item.kind == ItemKind.UNCHANGED}
    if not asked:
        return set()
    sources = SourceRecord.objects.filter(key__in=asked).values_list("key", "digest")
    digests = dict(sources)
    return {i.pk for i in items if i.kind == ItemKind.UNCHANGED and digests.get(i.source_key) == i.digest}


def _apply_safely(item: ImportItem, run: _Run, attempts: int = ATTEMPTS) -> None:
    """Apply one item in a transaction of its own; again where another process was in the way."""
    try:
        with transaction.atomic():
            _wait_for_other_imports()
            _apply(item, run)
    except Elsewhere:
        run.memory.clear()
    except (DataError, ValueError) as error:
        run.memory.clear()
        _fail(item, error)
    except (IntegrityError, BarcodeTaken) as error:
        run.memory.clear()
        if attempts > 1:
            _apply_safely(item, run, attempts - 1)
        else:
            _fail(item, error)
    except OperationalError:  # a deadlock, or the database stayed locked
        run.memory.clear()
        if attempts <= 1:
            raise
        _apply_safely(item, run, attempts - 1)


def _wait_for_other_imports() -> None:
    """One record at a time, or two processes would each make the game that neither sees yet.

    SQLite's immediate transactions do this by themselves; on PostgreSQL the lock goes with the transaction.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])


def _apply_category(item: ImportItem) -> None:
    """Have a category in the list; it stays as it is where it is there."""
    with names.watched() as seen:
        names.category(item.title)
    result = Done.CREATED if seen.made else Done.UNCHANGED
    effect = {"names": seen.made} if seen.made else {}
    _write(item, state=ItemState.APPLIED, result=result.value, sequence=time.time_ns(), effect=effect)


def _apply(item: ImportItem, run: _Run) -> None:
    if item.turn == Turn.CATEGORY:
        _apply_category(item)
        return
    draft = from_json(RecordDraft, item.draft)
    made = plan(draft, _look(item, run), item.digest)
    if made.done is None:
        _wait_for_decision(item, made)
        return
    is_taken = made.source is not None and made.source.digest == made.digest
    [effect] = [{}] if is_taken else store([made])
    _write(
        item,
        state=ItemState.APPLIED,
        result=made.done.value,
        sequence=time.time_ns(),
        effect=effect,
        draft=_slim(made.draft),
        **_shown(item, made),
    )


def _apply_together(items: Sequence[ImportItem]) -> list[ImportItem]:
    """Write those that still make games of their own, in one transaction; returns the others."""
    drafts = [from_json(RecordDraft, item.draft) for item in items]
    with transaction.atomic():
        _wait_for_other_imports()
        look = Look(Shelf(known(drafts)), locks=True)
        made = [
            plan(draft, replace(look, origin=origin(item)), item.digest)
            for item, draft in zip(items, drafts, strict=True)
        ]
        new = [(i, p) for i, p in zip(items, made, strict=True) if p.done is Done.CREATED and p.is_new]
        effects = store([p for _, p in new]) if new else []
        _write_many([(item, p, effect) for (item, p), effect in zip(new, effects, strict=True)])
    written = {item.pk for item, _ in new}
    return [item for item in items if item.pk not in written]


def _write_many(done: Sequence[tuple[ImportItem, Plan, Effect]]) -> None:
    """As `_write`, for items of which nothing else has changed: one statement, said many times."""
    rows = [
        (
            made.game.pk if made.game else None,
            time.time_ns(),
            *(json.dumps(said) for said in (effect, _slim(made.draft), _told(made))),
            bool(made.problems),
            item.pk,
        )
        for item, made, effect in done
    ]
    with connection.cursor() as cursor:
        cursor.executemany(WRITE_APPLIED, rows)
        if rows and cursor.rowcount != len(rows):
            raise Elsewhere


def _told(made: Plan) -> list[list[str]]:
    return [[problem.reason, problem.detail] for problem in made.problems]


def _look(item: ImportItem, run: _Run) -> Look:
    asked = item.game if item.decision == Decision.GAME else None
    is_new = item.decision == Decision.NEW
    return Look(run.shelf, origin(item), asked, as_new=is_new, locks=True)


def _wait_for_decision(item: ImportItem, made: Plan) -> None:
    """What was no doubt when it was read is one now."""
    _write(item, decision=Decision.NONE, **_shown(item, made))


def _shown(item: ImportItem, made: Plan) -> dict[str, Any]:
    """What the item says now, where that is something else than before."""
    kind, diff, was_decided = item.kind, item.diff, bool(item.decision)
    before = {name: getattr(item, name) for name in PLANNED}
    show(item, made)
    if item.twin is None:
        item.twin = before["twin"]
    if kind == ItemKind.DOUBTFUL and made.done is not None:
        before["kind"] = ""
    values = {name: getattr(item, name) for name in PLANNED if getattr(item, name) != before[name]}
    is_other = item.kind != kind or diff_of(made) != diff
    if is_other and not was_decided:
        item.is_replanned = values["is_replanned"] = True
    return values


def _slim(draft: RecordDraft) -> dict[str, Any]:
    """What was stored, without the long texts, which stand in the catalogue from now on."""
    empty = RevisionDraft(body="")
    rules = tuple(replace(text, revisions=(empty,) * len(text.revisions)) for text in draft.rules)
    return to_json(replace(draft, raw="", rules=rules))


def _fail(item: ImportItem, error: Exception) -> None:
    detail = f"{item.title}: {error}"[:500]
    rows = ImportItem.objects.filter(pk=item.pk, state=ItemState.WAITING)
    rows.update(state=ItemState.FAILED, reason=Reason.MALFORMED, detail=detail)


def _write(item: ImportItem, **values: Any) -> None:
    """In the transaction of what was done. Raises Elsewhere where the item waits no more."""
    if not ImportItem.objects.filter(pk=item.pk, state=ItemState.WAITING).update(**values):
        raise Elsewhere
    for name, value in values.items():
        setattr(item, name, value)
