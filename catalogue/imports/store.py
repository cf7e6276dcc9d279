"""Storing one record: its game, boxes, rules texts, documents and doubts, inside the caller's transaction.

Only `ingest` calls this. Catalogue rows are written through `catalogue.records`; the rows of
`SourceRecord`, which keep what came in, are written here and nowhere else.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import timedelta
from enum import StrEnum
from hashlib import sha256

from catalogue import records
from catalogue.barcodes import read_product_code
from catalogue.draft import (
    CopyDraft,
    Doubt,
    GameDraft,
    Problem,
    Reason,
    RecordDraft,
    RulesDraft,
)
from catalogue.imports.fitting import fit
from catalogue.imports.matching import Match, find_game
from catalogue.imports.merge import Imported, from_json, merge_copy, merge_game, to_json
from catalogue.models import Copy, Document, Game, RulesText, SourceRecord

BEFORE = timedelta(microseconds=1)


class Done(StrEnum):
    """What became of a record; the names are the counters of a report."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that became different: a field by its name, a box, a text, a document."""

    field: str
    old: str
    new: str


@dataclass(slots=True)
class Outcome:
    """What was done with one record; `done` is None where it could not be stored."""

    done: Done | None = None
    game_id: int | None = None
    title: str = ""
    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


@dataclass(slots=True)
class _Work:
    """One record on its way in. `base` is what was last taken from its source."""

    draft: RecordDraft
    game: Game
    origin: str
    is_new: bool = False
    base: Imported | None = None
    outcome: Outcome = field(default_factory=Outcome)

    @property
    def is_cut_off(self) -> bool:
        return any(doubt is Doubt.TEXT_TRUNCATED for doubt, _ in self.draft.doubts)

    def changed(self, what: str, old: object, new: object) -> None:
        self.outcome.changes.append(Change(what, str(old), str(new)))

    def problem(self, reason: Reason, detail: str) -> None:
        self.outcome.problems.append(Problem(self.draft.place, reason, detail=detail))


def store(draft: RecordDraft, asked: Game | None, *, origin: str) -> Outcome:
    """Write what `draft` says. `asked` is the game that the caller says is meant, `origin` the file's name.

    Raises what the database raises, and BarcodeTaken where another process is storing the same boxes.
    """
    source = SourceRecord.objects.select_related("game").filter(key=draft.key).first()
    digest = _digest(draft)
    if source and source.digest == digest:
        return Outcome(Done.UNCHANGED, source.game_id, str(source.game))
    fitted = fit(draft.game, draft.copies, draft.place)
    draft = replace(draft, game=fitted.game, copies=fitted.copies)
    known = asked or (source.game if source else None)
    match = Match(known) if known else find_game(draft)
    if match.problem:
        return Outcome(problems=[*fitted.problems, match.problem])
    work = _begin(draft, match.game, source=source, origin=origin)
    work.outcome.problems += fitted.problems
    for write in (_write_copies, _write_rules, _write_documents, _raise_doubts):
        write(work)
    _keep_source(work, source, "" if work.outcome.problems else digest)
    work.outcome.done = _what_was_done(work)
    work.outcome.game_id, work.outcome.title = work.game.pk, str(work.game)
    return work.outcome


def _digest(draft: RecordDraft) -> str:
    """Of all that was read, so that a better reader of the same bytes is a change."""
    said = asdict(replace(draft, place=""))
    return sha256(json.dumps(said, default=str, sort_keys=True).encode()).hexdigest()


def _what_was_done(work: _Work) -> Done:
    """A record counts by its game; a page or file that only brings rules counts by its text."""
    is_new = work.is_new
    if work.draft.is_title_only and work.draft.rules:
        is_new = any(change.field == "rules" and not change.old for change in work.outcome.changes)
    if is_new:
        return Done.CREATED
    return Done.UPDATED if work.outcome.changes else Done.UNCHANGED


# --- the game ----------------------------------------------------------------------------------


def _begin(draft: RecordDraft, game: Game | None, *, source: SourceRecord | None, origin: str) -> _Work:
    """The game, made or brought up to date, with what is needed for the rest."""
    if game is None:
        work = _Work(draft, records.create_game(draft.game), origin, is_new=True)
        _tell_fields(work, GameDraft(title=""), draft.game)
        return work
    work = _Work(draft, game, origin, base=_base(source, game, draft))
    if not draft.is_title_only:
        _update_game(work)
    return work


def _base(source: SourceRecord | None, game: Game, draft: RecordDraft) -> Imported | None:
    """What was last taken: from this very record, else from another source of the game.

    So a notice that was corrected at its source, and has another key since, is a new state of the old
    one; and a record may replace the title that was proposed for a page of rules.
    """
    if source is None and draft.is_title_only:
        return None
    others = sorted(game.sources.all(), key=lambda s: (s.format == draft.format, s.imported_at))
    nearest = source or (others[-1] if others else None)
    if nearest is None:
        return None
    base = from_json(nearest.imported)
    return base if nearest.format == draft.format else Imported(base.game)


def _update_game(work: _Work) -> None:
    game = records.lock_game(work.game.pk)
    now = records.describe(game)
    base = work.base.game if work.base else None
    merged = merge_game(now, work.draft.game, base, is_cut_off=work.is_cut_off)
    if records.update_game(game, merged):
        _tell_fields(work, now, merged)
    work.game = Game.objects.get(pk=game.pk)


def _tell_fields(work: _Work, old: GameDraft, new: GameDraft) -> None:
    for name in (f.name for f in fields(GameDraft)):
        before, after = getattr(old, name), getattr(new, name)
        if records.comparable(name, before) != records.comparable(name, after):
            work.changed(name, _in_words(before), _in_words(after))


def _in_words(value: object) -> str:
    """A field's value on one line for the report."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return " ; ".join(map(_in_words, value))
    if isinstance(value, str | int):
        return str(value)
    return ", ".join(filter(None, (str(getattr(value, f.name)) for f in fields(value))))  # type: ignore[arg-type]


# --- copies ------------------------------------------------------------------------------------


def _write_copies(work: _Work) -> None:
    known = {copy.barcode: copy for copy in work.base.copies} if work.base else {}
    taken = []
    for draft in work.draft.copies:
        copy = Copy.objects.select_related("section", "branch", "game").filter(barcode=draft.barcode).first()
        if copy and copy.game_id != work.game.pk:
            work.problem(Reason.BARCODE_TAKEN, f"{draft.barcode}: {copy.game}")
            continue
        if copy:
            _update_copy(work, copy, draft, known.get(draft.barcode))
        elif (
            draft.barcode not in known
        ):  # a box that was imported before and is gone was taken out by a person
            records.add_copy(work.game, draft)
            work.changed("copy", "", _in_words(draft))
        taken.append(draft)
    work.draft = replace(work.draft, copies=tuple(taken))


def _update_copy(work: _Work, copy: Copy, draft: CopyDraft, base: CopyDraft | None) -> None:
    now = records.describe_copy(copy)
    merged = merge_copy(now, draft, base)
    if records.update_copy(copy, merged):
        work.changed("copy", _in_words(now), _in_words(merged))


# --- rules, documents, doubts ------------------------------------------------------------------


def _write_rules(work: _Work) -> None:
    """A text that was imported before and is gone was taken out by a person, and stays out."""
    before = work.base.rules if work.base else ()
    for rules in work.draft.rules:
        text = _known_text(work.game, rules.head.source_key, before)
        if text:
            _update_rules(work, text, rules)
        elif not before:
            head = replace(rules.head, source_name=rules.head.source_name or work.origin[:300])
            text = records.add_rules_text(work.game, head, rules.revisions[0])
            records.add_revisions(text, rules.revisions[1:])
            work.changed("rules", "", f"{rules.head.language}, {len(rules.revisions)}")


def _known_text(game: Game, key: str, before: Sequence[str]) -> RulesText | None:
    """The text of that key, wherever a person has put it; else the one that this source brought before."""
    text = RulesText.objects.filter(source_key=key).first()
    return text or RulesText.objects.filter(game=game, source_key__in=before).first()


def _update_rules(work: _Work, text: RulesText, rules: RulesDraft) -> None:
    """Append what is new. Where a person has corrected the text here, that stays the current state: what the
    source says now comes before it in the history, and the librarian is told.
    """
    current = text.current
    known = set(text.revisions.values_list("source_key", flat=True))
    new = [revision for revision in rules.revisions if revision.source_key not in known]
    if work.is_cut_off and current:
        new = [revision for revision in new if not current.body.startswith(revision.body.rstrip())]
    if current and not current.source_key and new:
        new = [replace(r, made_at=min(r.made_at or current.made_at, current.made_at - BEFORE)) for r in new]
        records.raise_flag(work.game, Doubt.SOURCE_CHANGED, rules.head.source_name)
    if added := records.add_revisions(text, new):
        work.changed("rules", f"{text.language}, {len(known)}", f"{text.language}, {len(known) + len(added)}")


def _write_documents(work: _Work) -> None:
    have = set(Document.objects.filter(game=work.game).values_list("name", flat=True))
    removed = set(work.base.documents) if work.base else set()
    for name in work.draft.documents:
        if name not in have | removed:
            records.attach_document(work.game, name)
            work.changed("document", "", name)


def _raise_doubts(work: _Work) -> None:
    for doubt, detail in work.draft.doubts:
        if doubt is not Doubt.TITLE_PROPOSED or work.is_new:
            records.raise_flag(work.game, doubt, detail)
    for printed in work.draft.game.identifiers:
        code = read_product_code(printed)
        if code.gtin and not code.check_holds:
            records.raise_flag(work.game, Doubt.IDENTIFIER_CHECK, printed)


def _keep_source(work: _Work, source: SourceRecord | None, digest: str) -> None:
    """The input as it came. Without a digest the next import tries again what could not be stored."""
    kept = {
        "game": work.game,
        "format": work.draft.format,
        "digest": digest,
        "raw": work.draft.raw,
        "imported": to_json(work.draft),
    }
    if source is None:
        # Not "get or create": a row that came since is another process's, and this attempt must not stand.
        SourceRecord.objects.create(key=work.draft.key, **kept)
    elif any(getattr(source, name) != value for name, value in kept.items()):
        SourceRecord.objects.update_or_create(key=work.draft.key, defaults=kept)
