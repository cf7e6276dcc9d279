"""Reading the files of a batch: each record becomes an item that says what it would do. No more is written.

Records come before texts that name a game, whatever the order of the files. Records go through in chunks,
so that memory stays flat. A reading that was cut off begins again from the start.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum
from pathlib import Path

from django.utils import timezone

from catalogue.categories import category_key, read_category
from catalogue.draft import CategoryDraft, Problem, Reason, RecordDraft
from catalogue.imports import mappings, rules_file, shelf
from catalogue.imports.batches import Stint
from catalogue.imports.columns import Proposal
from catalogue.imports.draft_json import from_json, to_json
from catalogue.imports.files import Reader, Reading, size_of
from catalogue.imports.plan import Change, Done, Look, Plan, digest_of, plan
from catalogue.imports.shelf import Shelf
from catalogue.imports.sniff import Format
from catalogue.imports.tables import Table
from catalogue.imports.twins import Twins
from catalogue.models import Category, Decision, Game, ImportBatch, ImportItem, ItemKind, ItemState

CHUNK = 200
KINDS = {
    None: ItemKind.DOUBTFUL,
    Done.CREATED: ItemKind.NEW,
    Done.UPDATED: ItemKind.CHANGED,
    Done.UNCHANGED: ItemKind.UNCHANGED,
}
LONGEST_PLACE = 100


class Turn(IntEnum):
    """When a record's turn comes: what needs others to be there comes behind them."""

    RECORD = 0
    PAGE = 1
    TEXT = 2
    ADDITION = 3
    CATEGORY = 4


RULES_TURNS = {Turn.PAGE, Turn.TEXT}


@dataclass(slots=True)
class Preview:
    """One reading of a batch."""

    batch: ImportBatch
    readers: Mapping[Format, Reader]
    stint: Stint
    position: int = 0
    bytes_before: int = 0
    _items: list[ImportItem] = field(default_factory=list)
    _drafts: dict[int, RecordDraft] = field(default_factory=dict)

    def run(self) -> None:
        """Read everything. Raises Stopped."""
        self.batch.items.all().delete()
        twins = Twins(self._drafted)
        try:
            self.stint.begin(sum(size_of(Path(file["path"])) for file in self.batch.files))
            for number, _ in enumerate(self.batch.files):
                self._read(number, twins)
            self._plan_later(twins)
        finally:
            twins.close()
        self.batch.save(update_fields=["files"])

    # --- files -----------------------------------------------------------------------------

    def _read(self, number: int, twins: Twins) -> None:
        file = self.batch.files[number]
        options = self.batch.options
        asked = Format(options["format"]) if options.get("format") else None
        reading = Reading(
            Path(file["path"]), self.readers, asked, options.get("language", ""), self._understand
        )
        records = 0
        for result in reading:
            if isinstance(result, Problem):
                self._items.append(self._problem(number, result))
            elif isinstance(result, CategoryDraft):
                records += 1
                self._items.append(self._category(number, result))
            else:
                records += 1
                self._add(number, result)
            if len(self._items) >= CHUNK:
                self._flush(twins)
                self.stint.tell(self.bytes_before + reading.at)
        if records == 1 and options.get("game"):
            self._means(number, options["game"])
        self._flush(twins)
        self.bytes_before += size_of(reading.path)
        file |= {
            "size": size_of(reading.path),
            "format": reading.format or "",
            "encoding": reading.encoding,
            "records": records,
        }
        self.stint.tell(self.bytes_before)

    def _problem(self, number: int, problem: Problem) -> ImportItem:
        return ImportItem(
            batch=self.batch,
            position=self._next(),
            file=number,
            place=problem.place[:LONGEST_PLACE],
            kind=ItemKind.PROBLEM,
            state=ItemState.SKIPPED,
            reason=problem.reason,
            detail=problem.detail,
            draft={"raw": problem.raw} if problem.raw else {},
            has_problems=True,
        )

    def _category(self, number: int, draft: CategoryDraft) -> ImportItem:
        """A category is there or not; nothing else is asked of it."""
        is_known = Category.objects.filter(key=category_key(read_category(draft.printed))).exists()
        return ImportItem(
            batch=self.batch,
            turn=Turn.CATEGORY,
            position=self._next(),
            file=number,
            place=draft.place[:LONGEST_PLACE],
            kind=ItemKind.UNCHANGED if is_known else ItemKind.NEW,
            title=draft.printed[:500],
            diff=[] if is_known else [["categories", "", draft.printed]],
        )

    def _understand(self, table: Table) -> Proposal:
        """What the columns of a table mean, with what people said of them."""
        return mappings.proposal_for(table, self.batch.options.get("columns", {}), now=timezone.now())

    def _add(self, number: int, draft: RecordDraft) -> None:
        position = self._next()
        self._drafts[position] = draft
        self._items.append(
            ImportItem(
                batch=self.batch,
                turn=_turn(draft),
                position=position,
                file=number,
                place=draft.place[:LONGEST_PLACE],
                source_key=draft.key,
                title=draft.game.title[:500],
                draft=to_json(draft),
                digest=digest_of(draft),
            )
        )

    def _means(self, number: int, game: int) -> None:
        """The caller has said whose the one record of a file is."""
        for item in self._items:
            if item.file == number and item.kind != ItemKind.PROBLEM:
                item.decision, item.game_id = Decision.GAME, game

    def _next(self) -> int:
        self.position += 1
        return self.position

    # --- plans -----------------------------------------------------------------------------

    def _flush(self, twins: Twins) -> None:
        """Plan what can be planned now, and write the items."""
        ready = [item for item in self._items if item.position in self._drafts and item.turn == 0]
        self._plan(ready, twins)
        ImportItem.objects.bulk_create(self._items)
        self._items.clear()
        self._drafts.clear()

    def _plan_later(self, twins: Twins) -> None:
        """Pages of a wiki may bring games of their own; a rules text looks for its game in all there is."""
        for items in in_chunks(self.batch, turn__gt=0, kind=""):
            self._drafts = {item.position: from_json(RecordDraft, item.draft) for item in items}
            self._plan(items, twins)
            ImportItem.objects.bulk_update(items, PLANNED)
            self.stint.tell(self.bytes_before)
        self._drafts.clear()

    def _plan(self, items: list[ImportItem], twins: Twins) -> None:
        drafts = [self._drafts[item.position] for item in items]
        known = Shelf(shelf.known(drafts))
        for item, draft in zip(items, drafts, strict=True):
            before = twins.said_before(draft, _words(draft), item.position)
            if before is not None:
                _said_again(item, before, _words(draft))
                continue
            asked = Game.objects.filter(pk=item.game_id).first() if item.game_id else None
            made = plan(draft, Look(known, origin(item), asked, twins=twins), item.digest)
            show(item, made)
            if made.done is not None:
                self._remember(twins, made, item)

    def _remember(self, twins: Twins, made: Plan, item: ImportItem) -> None:
        game = made.game.pk if made.game else None
        position = made.twin if made.twin is not None else item.position
        twins.remember(made.draft, position=None if game else position, game=game)

    def _drafted(self, position: int) -> RecordDraft:
        if position in self._drafts:
            return self._drafts[position]
        return from_json(RecordDraft, self.batch.items.get(position=position).draft)


PLANNED = [
    "kind",
    "game",
    "twin",
    "diff",
    "problems",
    "has_problems",
    "reason",
    "detail",
    "candidates",
    "title",
]


def show(item: ImportItem, made: Plan) -> None:
    """Let the item say what the plan says."""
    item.kind = KINDS[made.done]
    item.game, item.twin, item.title = made.game, made.twin, made.title[:500]
    item.diff = diff_of(made)
    told = made.problems if made.done else made.problems[:-1]
    item.problems = [[problem.reason, problem.detail] for problem in told]
    item.has_problems = bool(told)
    item.reason, item.detail = (made.doubt.reason, made.doubt.detail) if made.doubt else ("", "")
    item.candidates = [[c.game.pk if c.game else None, c.label] for c in made.candidates]


def diff_of(made: Plan) -> list[list[str]]:
    """The changes of a plan; of a new game none, for they are all that its draft says."""
    if made.done is None or (made.is_new and not made.draft.is_title_only):
        return []
    return [[change.field, change.old, change.new] for change in made.changes]


def changes(item: ImportItem) -> list[Change]:
    """What an item changes or has changed, field by field."""
    return [Change(*change) for change in item.diff]


def origin(item: ImportItem) -> str:
    """The name of the file that an item came from."""
    return str(item.batch.files[item.file]["name"])


def in_chunks(batch: ImportBatch, **which: object) -> Iterator[list[ImportItem]]:
    """Items in their order, some at a time; they may be changed meanwhile."""
    last = (-1, -1)
    while True:
        rows = batch.items.filter(**which).order_by("turn", "position")
        rows = rows.filter(turn=last[0], position__gt=last[1]) | rows.filter(turn__gt=last[0])
        items = list(rows[:CHUNK])
        if not items:
            return
        for item in items:
            item.batch = batch
        last = (items[-1].turn, items[-1].position)
        yield items


def _turn(draft: RecordDraft) -> Turn:
    if draft.is_addition:
        return Turn.ADDITION
    if not draft.is_title_only:
        return Turn.RECORD
    return Turn.TEXT if draft.format == rules_file.FORMAT else Turn.PAGE


def _words(draft: RecordDraft) -> str:
    return str(hash(replace(draft, raw="", place="")))


def _said_again(item: ImportItem, before: tuple[str, int], words: str) -> None:
    """One record said twice in one batch: alike it is nothing new; differently, taking one after the other
    would never come to rest."""
    first_words, position = before
    if first_words == words:
        item.kind, item.twin = ItemKind.UNCHANGED, position
    else:
        item.kind, item.twin, item.reason = ItemKind.DOUBTFUL, position, Reason.SAID_TWICE
        item.detail = item.title
