"""Writing plans: games, boxes, rules texts, documents, doubts and sources, in the caller's transaction.

Only `applying` calls this, with one plan, or with many of which each makes a game of its own. Catalogue rows
are written through `catalogue.records`; the rows of `SourceRecord`, which keep what came in, are written here
and by `undo`. The effect of each plan says what was done and what was there before, in JSON, so that it can
be taken back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

from catalogue import links, records
from catalogue.draft import GameDraft
from catalogue.imports.draft_json import to_json
from catalogue.imports.merge import to_json as imported_json
from catalogue.imports.plan import BoxPlan, Plan, TextPlan
from catalogue.imports.shelf import named_game
from catalogue.models import Game, SourceRecord
from catalogue.names import watched
from catalogue.outbox import announced_once

Effect = dict[str, Any]
Work = Sequence[tuple[Plan, Effect]]


def store(plans: Sequence[Plan]) -> list[Effect]:
    """Write what the plans say, in few queries however many they are. Each has its game afterwards.

    Raises what the database raises, and BarcodeTaken where another process is storing the same boxes.
    """
    work: Work = [(plan, {}) for plan in plans]
    with announced_once(), watched() as names:
        _write_games(work)
        for write in (_write_boxes, _write_texts, _write_documents, _raise_flags):
            write(work)
    # Of them all: names go last when a batch is taken back.
    if names.made:
        work[0][1]["names"] = names.made
    if names.filled:
        work[0][1]["filled"] = names.filled
    _keep_sources(work)
    _link(work)
    return [effect for _, effect in work]


def _game(plan: Plan) -> Game:
    if plan.game is None:
        raise ValueError("A plan is written by `store`, its game first.")
    return plan.game


def _write_games(work: Work) -> None:
    new = [(plan, effect) for plan, effect in work if plan.game is None]
    made = records.create_games([plan.after for plan, _ in new]) if new else []
    for (plan, effect), game in zip(new, made, strict=True):
        plan.game, effect["made"] = game, True
    for plan, effect in work:
        if "made" not in effect and plan.after.title and records.update_game(_game(plan), plan.after):
            effect["fields"] = _changed_fields(plan.before, plan.after)


def _link(work: Work) -> None:
    """Say which games that are here a game expands, or expand it."""
    for plan, effect in work:
        game, said = _game(plan), plan.draft
        pairs = [(game, other) for name in said.expands if (other := named_game(name))]
        pairs += [(other, game) for name in said.expanded_by if (other := named_game(name))]
        made = [links.link_expansion(expansion, base) for expansion, base in pairs if expansion != base]
        if any(made):
            effect["links"] = [link.pk for link in made if link]


def _changed_fields(before: GameDraft, after: GameDraft) -> dict[str, list[Any]]:
    """Each field that was written: before and after. A field that is not in the JSON is empty."""
    old, new = to_json(before), to_json(after)
    names = [f.name for f in fields(GameDraft) if getattr(before, f.name) != getattr(after, f.name)]
    return {name: [old.get(name), new.get(name)] for name in names}


def _write_boxes(work: Work) -> None:
    new = [(plan, effect, box) for plan, effect in work for box in plan.boxes if box.copy is None]
    made = records.add_copies([(_game(plan), box.draft) for plan, _, box in new]) if new else []
    for (_, effect, _), copy in zip(new, made, strict=True):
        effect.setdefault("boxes_made", []).append(copy.pk)
    for effect, box in _changed_boxes(work):
        if box.copy and box.before and records.update_copy(box.copy, box.draft):
            change = [box.copy.pk, to_json(box.before), to_json(box.draft)]
            effect.setdefault("boxes", []).append(change)


def _changed_boxes(work: Work) -> Iterator[tuple[Effect, BoxPlan]]:
    return ((effect, box) for plan, effect in work for box in plan.boxes if box.copy is not None)


def _write_texts(work: Work) -> None:
    new = [(plan, effect, text) for plan, effect in work for text in plan.texts if text.text is None]
    made = [(_game(plan), text.head, text.revisions) for plan, _, text in new]
    for (_, effect, wanted), text in zip(new, records.add_rules_texts(made) if new else [], strict=True):
        effect.setdefault("texts_made", []).append([text.pk, len(wanted.revisions)])
    for plan, effect in work:
        for text_plan in plan.texts:
            if text_plan.text is not None:
                _add_revisions(text_plan, effect)


def _add_revisions(plan: TextPlan, effect: Effect) -> None:
    text = plan.text
    if text is None:
        return
    links = dict(text.section_aliases.values_list("old_anchor", "anchor"))
    if added := records.add_revisions(text, plan.revisions):
        effect.setdefault("texts", []).append([text.pk, [r.number for r in added], links])


def _write_documents(work: Work) -> None:
    new = [(plan, effect, name) for plan, effect in work for name in plan.documents]
    made = records.attach_names([(_game(plan), name) for plan, _, name in new]) if new else []
    for (_, effect, _), document in zip(new, made, strict=True):
        effect.setdefault("documents", []).append(document.pk)


def _raise_flags(work: Work) -> None:
    new = [(plan, effect, flag) for plan, effect in work for flag in plan.flags]
    made = records.raise_flags((_game(plan), *flag) for plan, _, flag in new) if new else []
    for (_, effect, _), flag in zip(new, made, strict=True):
        effect.setdefault("flags", []).append(flag.pk)


# --- what came in ------------------------------------------------------------------------------


def _keep_sources(work: Work) -> None:
    """The input as it came."""
    new = [(plan, effect) for plan, effect in work if plan.source is None]
    # Not "get or create": a row that came since is another process's, and this attempt must not stand.
    made = SourceRecord.objects.bulk_create(SourceRecord(key=p.draft.key, **_kept(p)) for p, _ in new)
    for (_, effect), source in zip(new, made, strict=True):
        effect["source_made"] = source.pk
    for plan, effect in work:
        if plan.source is not None:
            _keep_source(plan, plan.source, effect)


def _kept(plan: Plan) -> dict[str, Any]:
    """Without a digest the next import tries again what could not be stored."""
    return {
        "game": plan.game,
        "format": plan.draft.format,
        "digest": "" if plan.problems else plan.digest,
        "raw": plan.draft.raw,
        "imported": imported_json(plan.draft),
    }


def _keep_source(plan: Plan, source: SourceRecord, effect: Effect) -> None:
    kept = _kept(plan)
    if all(getattr(source, name) == value for name, value in kept.items()):
        return
    effect["source"] = [source.pk, source_json(source)]
    for name, value in kept.items():
        setattr(source, name, value)
    source.save()


def source_json(source: SourceRecord) -> dict[str, Any]:
    """A source as it was, to be put back."""
    names = ("game_id", "format", "digest", "raw", "imported")
    return {name: getattr(source, name) for name in names} | {"at": source.imported_at.isoformat()}
