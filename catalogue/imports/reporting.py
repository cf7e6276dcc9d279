"""What an import did, as values: records and problems in their order, and how many of each.

Made from the items of a batch, one after the other, so that a report of any length costs no memory.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from django.db.models import Count, Q, QuerySet

from catalogue.draft import Problem, Reason, RecordDraft, Report
from catalogue.imports.batches import of_record
from catalogue.imports.draft_json import from_json
from catalogue.imports.plan import Change, Done, new_changes
from catalogue.imports.previewing import RULES_TURNS, Turn, changes
from catalogue.models import ImportBatch, ImportItem, ItemKind, ItemState

Record = dict[str, object]
DONE_BY_KIND = {
    ItemKind.NEW: Done.CREATED,
    ItemKind.CHANGED: Done.UPDATED,
    ItemKind.UNCHANGED: Done.UNCHANGED,
}


class Kind(StrEnum):
    """What a record brings: a game, or rules of a game that has its record elsewhere."""

    GAME = "game"
    RULES = "rules"
    CATEGORY = "category"


@dataclass(slots=True)
class Totals:
    """How many records were created, updated and unchanged, games and rules apart; and the problems."""

    games: dict[Done, int] = field(default_factory=lambda: dict.fromkeys(Done, 0))
    rules: dict[Done, int] = field(default_factory=lambda: dict.fromkeys(Done, 0))
    categories: dict[Done, int] = field(default_factory=lambda: dict.fromkeys(Done, 0))
    problems: int = 0

    def of(self, done: Done) -> int:
        """Games, rules and categories together."""
        return self.games[done] + self.rules[done] + self.categories[done]


def report_of(batch: ImportBatch) -> Report:
    """All of it at once, for imports of a few files."""
    told = totals(batch)
    report = Report(told.of(Done.CREATED), told.of(Done.UPDATED), told.of(Done.UNCHANGED))
    report.records += records(batch)
    report.problems += problems(batch)
    return report


def totals(batch: ImportBatch) -> Totals:
    """The sums of a batch: of what was done, or, while nothing is applied, of what would be."""
    found = Totals(problems=sum(1 for _ in problems(batch)))
    rows = batch.items.order_by().values("kind", "state", "turn", "result").annotate(many=Count("pk"))
    for row in rows:
        done = _done(row["kind"], row["state"], row["result"])
        if done:
            sums = {Kind.RULES: found.rules, Kind.CATEGORY: found.categories}.get(
                _kind(row["turn"]), found.games
            )
            sums[done] += row["many"]
    return found


def records(batch: ImportBatch, *, in_full: bool = True) -> Iterator[Record]:
    """What became of each record; while nothing is applied, what would become of it.

    Unless it is told in full, a record that makes a game names no changes: they are all that it says.
    """
    rows = of_record(batch) if in_full else of_record(batch).defer("draft")
    for item in _items(batch, rows.defer("effect")):
        done = _done(item.kind, item.state, item.result)
        if done:
            yield {
                "file": batch.files[item.file]["path"],
                "place": item.place,
                "kind": _kind(item.turn).value,
                "result": done.value,
                "game": item.game_id,
                "title": item.title,
                "changes": all_changes(item) if in_full else changes(item),
            }


def _kind(turn: int) -> Kind:
    if turn == Turn.CATEGORY:
        return Kind.CATEGORY
    return Kind.RULES if turn in RULES_TURNS else Kind.GAME


def all_changes(item: ImportItem) -> list[Change]:
    """The changes of an item; of one that makes a game, or may make one, all that its record says."""
    is_whole = item.kind in {ItemKind.NEW, ItemKind.DOUBTFUL} and not item.diff
    if is_whole and item.draft:
        return new_changes(from_json(RecordDraft, item.draft))
    return changes(item)


def problems(batch: ImportBatch) -> Iterator[Problem]:
    """Whatever could not be read or stored, and what waits for a decision."""
    told = batch.items.filter(Q(has_problems=True) | ~Q(reason=""))
    for item in _items(batch, told.defer("effect")):
        yield from problems_of(item)


def problems_of(item: ImportItem) -> Iterator[Problem]:
    """The problems of one item."""
    file = str(item.batch.files[item.file]["path"])
    for reason, detail in item.problems:
        yield Problem(item.place, Reason(reason), detail=detail, file=file)
    is_open = item.state in {ItemState.WAITING, ItemState.FAILED}
    if item.kind == ItemKind.PROBLEM or (item.reason and is_open):
        raw = str(item.draft.get("raw", ""))
        yield Problem(item.place, Reason(item.reason), detail=item.detail, raw=raw, file=file)


def _items(batch: ImportBatch, rows: "QuerySet[ImportItem]") -> Iterator[ImportItem]:
    for item in rows.iterator(chunk_size=200):
        item.batch = batch
        yield item


def _done(kind: str, state: str, result: str) -> Done | None:
    if result:
        return Done(result)
    return DONE_BY_KIND.get(ItemKind(kind)) if kind and state == ItemState.WAITING else None
