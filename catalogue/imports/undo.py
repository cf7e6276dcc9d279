"""Taking a batch back: newest first, each thing only where it still says what the batch wrote.

What people changed since stays and is listed, as does what is in use or what a later import has worked on. A
plan says what would be done and writes nothing; undoing makes it again in the transaction of each item, so
an undo that was cut off goes on where it was.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from django.db import IntegrityError, OperationalError, models, transaction
from django.db.models import Q

from catalogue import links, records, taking_back
from catalogue.draft import CopyDraft, GameDraft, RecordDraft
from catalogue.imports.batches import Stint
from catalogue.imports.draft_json import from_json
from catalogue.imports.merge import SPANS
from catalogue.imports.plan import in_words
from catalogue.imports.previewing import CHUNK
from catalogue.models import (
    Component,
    Condition,
    Copy,
    Document,
    Flag,
    Game,
    ImportBatch,
    ImportItem,
    ItemState,
    Revision,
    RulesText,
    SourceRecord,
)
from catalogue.text import name_key

# Asked for one by one; a sign where a text once stood needs nobody.
CHECKED = {"Copy", "RulesText", "RemovedText", "Document", "Flag", "SourceRecord", "ImportItem", "GameLink"}
FIRST_REVISION = 1  # of a game that was made and announced in one transaction, and never after
TOGETHER = 50
OF_TEXT = {"Revision", "SectionAlias"}


class Why(StrEnum):
    """Why something stays. The words for people stand in `imports.messages`."""

    CHANGED = "changed"
    USED = "used"
    LATER_IMPORT = "later_import"


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that goes back, from `now` to `then`; with `why`, it stays. `field` as in a report."""

    field: str
    now: str
    then: str = ""
    why: Why | None = None


@dataclass(slots=True)
class UndoPlan:
    """What undoing one item would do; `acts` do it."""

    steps: list[Step] = field(default_factory=list)
    acts: list[Callable[[], object]] = field(default_factory=list)

    def goes(self, step: Step, act: Callable[[], object]) -> None:
        """Something goes back."""
        self.steps.append(step)
        self.acts.append(act)

    def stays(self, what: str, now: str, why: Why) -> None:
        """Something stays."""
        self.steps.append(Step(what, now, why=why))

    @property
    def left(self) -> list[list[str]]:
        """What stays, as the item keeps it."""
        return [[step.field, step.now, step.why] for step in self.steps if step.why]


# --- the batch ---------------------------------------------------------------------------------


def undo_batch(batch: ImportBatch, stint: Stint) -> None:
    """Take back all that was applied, the newest first. Raises Stopped."""
    applied = batch.items.filter(state=ItemState.APPLIED)
    stint.begin(applied.count())
    done = applied.filter(effect={}).update(state=ItemState.UNDONE)
    while items := list(applied.order_by("-sequence")[:CHUNK]):
        for item in items:
            item.batch = batch
        for some in (items[at : at + TOGETHER] for at in range(0, len(items), TOGETHER)):
            for item in _undo_together(some):
                undo_item(item)
            done += len(some)
            stint.tell(done)
    _forget_names(batch)


def _undo_together(items: Sequence[ImportItem]) -> list[ImportItem]:
    """Remove games that nobody has touched since they were made, in one transaction; returns the others."""
    made = {item.game_id: item for item in items if item.effect.get("made") and item.game_id}
    try:
        with transaction.atomic():
            keys = _untouched(set(made), items[0].batch_id)
            if keys:
                taking_back.remove_games(keys)
                gone = ImportItem.objects.filter(pk__in=[made[pk].pk for pk in keys])
                gone.update(state=ItemState.UNDONE)
    except (records.InUse, IntegrityError, OperationalError):
        return list(items)
    return [item for item in items if item.game_id not in keys or not item.effect.get("made")]


def _untouched(keys: set[int], batch: int) -> set[int]:
    """Games whose first state is the present one, and of which nothing is known but what came with them."""
    games = Game.objects.select_for_update(no_key=True).filter(pk__in=keys, revision=FIRST_REVISION)
    same = set(games.values_list("pk", flat=True))
    copies = dict(Copy.objects.filter(game__in=same).values_list("pk", "game"))
    texts = dict(RulesText.objects.filter(game__in=same).values_list("pk", "game"))
    later = ImportItem.objects.filter(game__in=same).exclude(batch=batch).exclude(effect={})
    worked_on = [
        Flag.objects.filter(game__in=same).exclude(settled_at=None),
        Component.objects.filter(game__in=same, corrected=True),
        later.filter(state__in=[ItemState.APPLIED, ItemState.KEPT]),
    ]
    same -= {pk for rows in worked_on for pk in rows.order_by().values_list("game", flat=True)}
    same -= taking_back.referred_to(Game, same, CHECKED | taking_back.PARTS_OF_GAME)
    same -= {copies[pk] for pk in taking_back.referred_to(Copy, copies)}
    return same - {texts[pk] for pk in taking_back.referred_to(RulesText, texts, OF_TEXT)}


def _forget_names(batch: ImportBatch) -> None:
    """Names that the batch brought and nobody uses go at the end: until then records that go need them.

    Done again where an undo was cut off: what is gone, or is used, is passed over.
    """
    with_names = batch.items.filter(Q(effect__has_key="names") | Q(effect__has_key="filled"))
    for item in with_names.order_by("-sequence").iterator(chunk_size=CHUNK):
        with transaction.atomic():
            for pk, filled in item.effect.get("filled", ()):
                taking_back.empty_category(pk, filled)
            taking_back.forget_names(item.effect.get("names", ()))


def undo_item(item: ImportItem) -> None:
    """Take one item back, in a transaction of its own."""
    try:
        with transaction.atomic():
            made = plan_undo(item, locks=True)
            for act in made.acts:
                act()
            _write(item, made.left)
    except (records.InUse, models.ProtectedError, IntegrityError):
        # Somebody began to use it between the question and the removal, or a table we do not know needs it.
        _write(item, [["game", item.title, Why.USED]])


def _write(item: ImportItem, left: list[list[str]]) -> None:
    state = ItemState.KEPT if left else ItemState.UNDONE
    ImportItem.objects.filter(pk=item.pk, state=ItemState.APPLIED).update(state=state, left=left)


def plan_undo(item: ImportItem, *, locks: bool = False) -> UndoPlan:
    """What undoing `item` would do to the catalogue as it is now."""
    made = UndoPlan()
    game = Game.objects.filter(pk=item.game_id).first() if item.effect and item.game_id else None
    if game is not None:
        if locks:
            game = records.lock_game(game.pk)
        _plan_game(made, item, game)
    return made


def _plan_game(made: UndoPlan, item: ImportItem, game: Game) -> None:
    if item.effect.get("made"):
        why = _why_keep(item, game)
        if why:
            made.stays("game", str(game), why)
        else:
            made.goes(Step("game", str(game)), lambda: taking_back.remove_games([game.pk]))
        return
    for part in (_plan_fields, _plan_boxes, _plan_texts, _plan_documents, _plan_flags, _plan_source):
        part(made, item, game)
    if item.effect.get("links"):
        made.acts.append(lambda: links.remove(item.effect["links"]))


# --- a game that the batch made -----------------------------------------------------------------


def _why_keep(item: ImportItem, game: Game) -> Why | None:
    """Why a game that the batch made stays; None where nobody has touched it."""
    if _is_used(game):
        return Why.USED
    if _later_imports(item, game):
        return Why.LATER_IMPORT
    draft = from_json(RecordDraft, item.draft)
    untouched = (
        _says(records.describe(game), draft.game)
        and _has_its_boxes(item, game, draft)
        and _has_its_texts(item, game, draft)
        and _has_its_rows(item, game)
        and not game.components.filter(corrected=True).exists()
    )
    return None if untouched else Why.CHANGED


def _is_used(game: Game) -> bool:
    if taking_back.is_referred_to(game, CHECKED | taking_back.PARTS_OF_GAME):
        return True
    if any(taking_back.is_referred_to(copy) for copy in game.copies.all()):
        return True
    return any(taking_back.is_referred_to(text, OF_TEXT) for text in game.rules_texts.all())


def _later_imports(item: ImportItem, game: Game) -> bool:
    others = game.import_items.filter(state__in=[ItemState.APPLIED, ItemState.KEPT]).exclude(effect={})
    return others.exclude(batch=item.batch_id).exists()


def _says(now: GameDraft, wrote: GameDraft) -> bool:
    return all(_is_same(f.name, getattr(now, f.name), getattr(wrote, f.name)) for f in fields(GameDraft))


def _is_same(name: str, some: Any, other: Any) -> bool:
    return some == other or records.comparable(name, some) == records.comparable(name, other)


def _has_its_boxes(item: ImportItem, game: Game, draft: RecordDraft) -> bool:
    boxes = {copy.pk: copy for copy in game.copies.select_related("section", "branch")}
    if set(boxes) != set(item.effect.get("boxes_made", ())):
        return False
    return all(_is_as_drafted(copy, draft) for copy in boxes.values())


def _is_as_drafted(copy: Copy, draft: RecordDraft) -> bool:
    wrote = {box.barcode.strip(): box for box in draft.copies}.get(copy.barcode)
    now = records.describe_copy(copy)
    return wrote is not None and all(
        _is_same_of_box(f.name, getattr(now, f.name), getattr(wrote, f.name)) for f in fields(CopyDraft)
    )


def _is_same_of_box(name: str, now: str, wrote: str) -> bool:
    """Sections and branches go by the first spelling that was met; a condition not said is "in service"."""
    if name == "condition":
        return now == (wrote or Condition.IN_SERVICE)
    return now.strip() == wrote.strip() or (
        name in {"section", "branch"} and name_key(now) == name_key(wrote)
    )


def _has_its_texts(item: ImportItem, game: Game, draft: RecordDraft) -> bool:
    wrote = dict(item.effect.get("texts_made", ()))
    texts = list(game.rules_texts.all())
    if {text.pk for text in texts} != set(wrote):
        return False
    return all(_is_text_as_made(text, wrote[text.pk], draft) for text in texts)


def _is_text_as_made(text: RulesText, many: int, draft: RecordDraft) -> bool:
    heads = {rules.head.source_key: rules.head for rules in draft.rules}
    head = heads.get(text.source_key)
    if head is None or text.revisions.count() != many:
        return False
    now = records.describe_head(text)
    return replace(now, source_name="") == replace(head, source_name="")


def _has_its_rows(item: ImportItem, game: Game) -> bool:
    """Documents without a file of their own, doubts that nobody has settled, its one source."""
    effect = item.effect
    documents = {d.pk: bool(d.file) for d in game.documents.all()}
    flags = {flag.pk: flag.settled_at for flag in game.flags.all()}
    linked = {link.pk for link in (*game.base_links.all(), *game.expansion_links.all())}
    return (
        documents == dict.fromkeys(effect.get("documents", ()), False)
        and flags == dict.fromkeys(effect.get("flags", ()))
        and linked <= set(effect.get("links", ()))
        and [source.pk for source in game.sources.all()] == [effect.get("source_made")]
    )


# --- a game that the batch changed --------------------------------------------------------------


def _plan_fields(made: UndoPlan, item: ImportItem, game: Game) -> None:
    changed = item.effect.get("fields")
    if not changed:
        return
    now = records.describe(game)
    values: dict[str, Any] = {}
    for name, (before, after) in changed.items():
        old, wrote, is_now = _value(name, before), _value(name, after), getattr(now, name)
        if _is_same(name, is_now, wrote):
            values[name] = old
        elif not _is_same(name, is_now, old):
            made.stays(name, in_words(is_now), Why.CHANGED)
    _keep_spans_in_order(made, now, values)
    if values:
        steps = [Step(name, in_words(getattr(now, name)), in_words(old)) for name, old in values.items()]
        made.steps += steps
        made.acts.append(lambda: records.update_game(game, replace(now, **values)))


def _value(name: str, said: Any) -> Any:
    """A field's value from its JSON; None is what an empty field says."""
    empty = GameDraft(title="")
    if said is None:
        return getattr(empty, name)
    return getattr(from_json(GameDraft, {"title": "", name: said}), name)


def _keep_spans_in_order(made: UndoPlan, now: GameDraft, values: dict[str, Any]) -> None:
    """An end of a span that a person has moved keeps the other end where it is, if they would cross."""
    for low, high in SPANS:
        ends = [values.get(name, getattr(now, name)) for name in (low, high)]
        if None not in ends and ends[0] > ends[1]:
            for name in {low, high} & values.keys():
                made.stays(name, in_words(getattr(now, name)), Why.CHANGED)
                del values[name]


def _plan_boxes(made: UndoPlan, item: ImportItem, game: Game) -> None:  # noqa: ARG001 - as all parts
    boxes = Copy.objects.select_related("section", "branch")
    draft = from_json(RecordDraft, item.draft)
    for copy in boxes.filter(pk__in=item.effect.get("boxes_made", ())):
        if taking_back.is_referred_to(copy):
            made.stays("copy", copy.barcode, Why.USED)
        elif not _is_as_drafted(copy, draft):
            made.stays("copy", copy.barcode, Why.CHANGED)
        else:
            made.goes(Step("copy", copy.barcode), partial(records.delete_copy, copy))
    for pk, before, after in item.effect.get("boxes", ()):
        box = boxes.filter(pk=pk).first()
        if box:
            _plan_box(made, box, from_json(CopyDraft, before), from_json(CopyDraft, after))


def _plan_box(made: UndoPlan, copy: Copy, before: CopyDraft, after: CopyDraft) -> None:
    now = records.describe_copy(copy)
    names = [f.name for f in fields(CopyDraft) if getattr(before, f.name) != getattr(after, f.name)]
    back = {n: getattr(before, n) for n in names if _is_same_of_box(n, getattr(now, n), getattr(after, n))}
    if any(n not in back and getattr(now, n) != getattr(before, n) for n in names):
        made.stays("copy", in_words(now), Why.CHANGED)
    if back:
        then = replace(now, **back)
        made.goes(Step("copy", in_words(now), in_words(then)), lambda: records.update_copy(copy, then))


def _plan_texts(made: UndoPlan, item: ImportItem, game: Game) -> None:  # noqa: ARG001 - as all parts
    draft = from_json(RecordDraft, item.draft)
    for pk, many in item.effect.get("texts_made", ()):
        text = RulesText.objects.filter(pk=pk).first()
        if text is None:
            continue
        if taking_back.is_referred_to(text, OF_TEXT):
            made.stays("rules", str(text), Why.USED)
        elif not _is_text_as_made(text, many, draft):
            made.stays("rules", str(text), Why.CHANGED)
        else:
            made.goes(Step("rules", str(text)), partial(records.delete_rules_text, text))
    for pk, numbers, old_links in item.effect.get("texts", ()):
        text = RulesText.objects.filter(pk=pk).first()
        if text:
            _plan_revisions(made, text, numbers, old_links)


def _plan_revisions(made: UndoPlan, text: RulesText, numbers: list[int], links: dict[str, str]) -> None:
    have = text.revisions.count()
    if Revision.objects.filter(rules_text=text, number__gt=max(numbers)).exists():
        made.stays("rules", str(text), Why.CHANGED)
        return
    step = Step("rules", f"{text.language}, {have}", f"{text.language}, {have - len(numbers)}")
    made.goes(step, lambda: taking_back.remove_revisions(text, numbers, links))


def _plan_documents(made: UndoPlan, item: ImportItem, game: Game) -> None:  # noqa: ARG001 - as all parts
    for document in Document.objects.filter(pk__in=item.effect.get("documents", ())):
        if document.file:
            made.stays("document", document.name, Why.CHANGED)
        else:
            step = Step("document", document.name)
            made.goes(step, partial(taking_back.remove_document, document))


def _plan_flags(made: UndoPlan, item: ImportItem, game: Game) -> None:  # noqa: ARG001 - as all parts
    """A doubt that somebody has settled tells of work that was done."""
    flags = list(Flag.objects.filter(pk__in=item.effect.get("flags", ()), settled_at=None))
    if flags:
        made.acts.append(lambda: taking_back.remove_flags(flags))


# --- what came in ------------------------------------------------------------------------------


def _plan_source(made: UndoPlan, item: ImportItem, game: Game) -> None:
    for source in _own_sources(item, game):
        before = item.effect["source"][1] if "source" in item.effect else None
        made.acts.append(partial(_put_source_back, source, before))


def _own_sources(item: ImportItem, game: Game) -> Iterator[SourceRecord]:
    """The source that the item wrote, where no later import has written it again."""
    written = item.effect.get("source_made") or item.effect.get("source", [None])[0]
    digests = ["", item.digest]
    yield from SourceRecord.objects.filter(pk=written, game=game, digest__in=digests) if written else ()


def _put_source_back(source: SourceRecord, before: dict[str, Any] | None) -> None:
    rows = SourceRecord.objects.filter(pk=source.pk)
    if before is None:
        rows.delete()
        return
    values = {name: value for name, value in before.items() if name != "at"}
    if Game.objects.filter(pk=values["game_id"]).exists():
        rows.update(**values, imported_at=datetime.fromisoformat(before["at"]))


def summary(batch: ImportBatch) -> dict[str, int]:
    """How many games an undo would remove and how many it would change back, if nobody has touched them."""
    applied = batch.items.filter(state=ItemState.APPLIED).exclude(effect={})
    made = applied.filter(effect__made=True).count()
    return {"made": made, "changed": applied.count() - made, "touched": touched(batch).count()}


def touched(batch: ImportBatch) -> models.QuerySet[ImportItem]:
    """The applied items of which the game has changed in any way since the batch was applied."""
    applied = batch.items.filter(state=ItemState.APPLIED).exclude(effect={})
    return applied.filter(game__updated_at__gt=batch.applied_at) if batch.applied_at else applied.none()
