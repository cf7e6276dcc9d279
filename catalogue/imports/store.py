"""Writing a plan: game, boxes, rules texts, documents, doubts and source, in the caller's transaction.

Only `applying` calls this. Catalogue rows are written through `catalogue.records`; the rows of
`SourceRecord`, which keep what came in, are written here and by `undo`. The effect that is returned says what
was done and what was there before, in JSON, so that it can be taken back.
"""

from dataclasses import fields
from typing import Any

from catalogue import records
from catalogue.draft import GameDraft
from catalogue.imports.draft_json import to_json
from catalogue.imports.merge import to_json as imported_json
from catalogue.imports.plan import Plan
from catalogue.models import Game, SourceRecord
from catalogue.names import watched
from catalogue.outbox import announced_once

Effect = dict[str, Any]


def store(plan: Plan) -> Effect:
    """Write what `plan` says. Its game is the one that was written, afterwards.

    Raises what the database raises, and BarcodeTaken where another process is storing the same boxes.
    """
    effect: Effect = {}
    with announced_once(), watched() as names:
        game = _write_game(plan, effect)
        for write in (_write_boxes, _write_texts, _write_documents, _raise_flags):
            write(game, plan, effect)
    if names.made:
        effect["names"] = names.made
    if names.filled:
        effect["filled"] = names.filled
    plan.game = game
    _keep_source(plan, game, effect)
    return effect


def _write_game(plan: Plan, effect: Effect) -> Game:
    if plan.game is None:
        effect["made"] = True
        return records.create_game(plan.after)
    if plan.after.title and records.update_game(plan.game, plan.after):
        effect["fields"] = _changed_fields(plan.before, plan.after)
    return plan.game


def _changed_fields(before: GameDraft, after: GameDraft) -> dict[str, list[Any]]:
    """Each field that was written: before and after. A field that is in neither JSON is empty in both."""
    old, new = to_json(before), to_json(after)
    names = [f.name for f in fields(GameDraft) if getattr(before, f.name) != getattr(after, f.name)]
    return {name: [old.get(name), new.get(name)] for name in names}


def _write_boxes(game: Game, plan: Plan, effect: Effect) -> None:
    new = [box.draft for box in plan.boxes if box.copy is None]
    if new:
        effect["boxes_made"] = [copy.pk for copy in records.add_copies(game, new)]
    changed = []
    for box in plan.boxes:
        if box.copy and box.before and records.update_copy(box.copy, box.draft):
            changed.append([box.copy.pk, to_json(box.before), to_json(box.draft)])
    if changed:
        effect["boxes"] = changed


def _write_texts(game: Game, plan: Plan, effect: Effect) -> None:
    for text_plan in plan.texts:
        if text_plan.text is None:
            text = records.add_rules_text(game, text_plan.head, *text_plan.revisions)
            effect.setdefault("texts_made", []).append([text.pk, len(text_plan.revisions)])
            continue
        text = text_plan.text
        links = dict(text.section_aliases.values_list("old_anchor", "anchor"))
        if added := records.add_revisions(text, text_plan.revisions):
            effect.setdefault("texts", []).append([text.pk, [r.number for r in added], links])


def _write_documents(game: Game, plan: Plan, effect: Effect) -> None:
    if plan.documents:
        effect["documents"] = [records.attach_document(game, name).pk for name in plan.documents]


def _raise_flags(game: Game, plan: Plan, effect: Effect) -> None:
    if plan.flags:
        effect["flags"] = [flag.pk for flag in records.raise_flags(game, plan.flags)]


def _keep_source(plan: Plan, game: Game, effect: Effect) -> None:
    """The input as it came. Without a digest the next import tries again what could not be stored."""
    kept: dict[str, Any] = {
        "game": game,
        "format": plan.draft.format,
        "digest": "" if plan.problems else plan.digest,
        "raw": plan.draft.raw,
        "imported": imported_json(plan.draft),
    }
    source = plan.source
    if source is None:
        # Not "get or create": a row that came since is another process's, and this attempt must not stand.
        made = SourceRecord.objects.create(key=plan.draft.key, **kept)
        effect["source_made"] = made.pk
    elif any(getattr(source, name) != value for name, value in kept.items()):
        effect["source"] = [source.pk, source_json(source)]
        for name, value in kept.items():
            setattr(source, name, value)
        source.save()


def source_json(source: SourceRecord) -> dict[str, Any]:
    """A source as it was, to be put back."""
    names = ("game_id", "format", "digest", "raw", "imported")
    return {name: getattr(source, name) for name in names} | {"at": source.imported_at.isoformat()}
