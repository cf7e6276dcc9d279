"""What a record means for the catalogue: every row that it would make or change, and nothing written.

A preview shows the plan; applying makes the same plan again, in its transaction, and writes it (`store`).
So what was shown is what happens, unless the catalogue has changed since.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
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
    RevisionDraft,
    RulesHead,
)
from catalogue.imports.draft_json import to_json
from catalogue.imports.fitting import fit
from catalogue.imports.matching import Candidate, Match, find_game, is_placeholder
from catalogue.imports.merge import Imported, from_json, merge_copy, merge_game
from catalogue.imports.shelf import Shelf
from catalogue.imports.twins import Both, Twins
from catalogue.models import Condition, Copy, Document, Flag, Game, Revision, RulesText, SourceRecord
from catalogue.prepared import Prepared

BEFORE = timedelta(microseconds=1)
NOTHING = GameDraft(title="")
TABLE = "table"  # the format of `sheets`
BOX = Prepared(
    lambda code: Copy.objects.select_related("section", "branch", "game").filter(barcode=code).order_by(), str
)
TEXT = Prepared(lambda key: RulesText.objects.filter(source_key=key).order_by(), str)


class Done(StrEnum):
    """What becomes of a record; the names are the counters of a report."""

    CREATED = "created"
    UPDATED = "updated"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that becomes different: a field by its name, a box, a text, a document."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class BoxPlan:
    """A box to be made, or one that says `before` to be changed."""

    draft: CopyDraft
    copy: Copy | None = None
    before: CopyDraft | None = None


@dataclass(frozen=True, slots=True)
class TextPlan:
    """A rules text to be made, or one to get revisions; `had` is how many it has."""

    head: RulesHead
    revisions: tuple[RevisionDraft, ...]
    text: RulesText | None = None
    had: int = 0


@dataclass(slots=True)
class Plan:
    """What one record would do. `done` is None where it cannot be stored: `problems` say why.

    The game is `game`, or the one that the record at `twin` makes, or else a new one.
    """

    draft: RecordDraft
    digest: str
    done: Done | None = None
    game: Game | None = None
    twin: int | None = None
    source: SourceRecord | None = None
    base: Imported | None = None
    before: GameDraft = NOTHING
    after: GameDraft = NOTHING
    boxes: list[BoxPlan] = field(default_factory=list)
    texts: list[TextPlan] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    flags: list[tuple[str, str]] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    candidates: tuple[Candidate, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether it makes a game."""
        return self.game is None and self.twin is None

    @property
    def title(self) -> str:
        """What the game is called."""
        here = str(self.game) if self.game else self.before.title
        return self.after.title or here or self.draft.game.title

    @property
    def doubt(self) -> Problem | None:
        """Why it cannot be stored."""
        return self.problems[-1] if self.done is None else None


@dataclass(frozen=True, slots=True)
class Look:
    """How a plan is made. `asked` is the game that somebody says is meant; `as_new`: none that is here.

    `origin` is the file's name. `locks`: in a transaction that will write. `twins`: in a preview.
    """

    shelf: Shelf
    origin: str = ""
    asked: Game | None = None
    as_new: bool = False
    locks: bool = False
    twins: Twins | None = None


def plan(draft: RecordDraft, look: Look, digest: str = "") -> Plan:
    """What `draft` would do to the catalogue as it is now."""
    made = Plan(draft, digest or digest_of(draft), source=look.shelf.source(draft.key))
    if made.source and made.source.digest == made.digest:
        made.done, made.game = Done.UNCHANGED, made.source.game
        return made
    fitted = fit(draft.game, draft.copies, draft.place)
    made.draft = replace(draft, game=fitted.game, copies=fitted.copies)
    made.problems += fitted.problems
    match = _match(made, look)
    if match.problem:
        made.problems.append(match.problem)
        made.candidates = match.candidates
        return made
    _know_game(made, match.meant, look)
    for part in (_plan_game, _plan_boxes, _plan_texts, _plan_documents, _plan_flags):
        part(made, look)
    made.done = _what_is_done(made)
    return made


def digest_of(draft: RecordDraft) -> str:
    """Of all that was read, so that a better reader of the same bytes is a change."""
    return sha256(json.dumps(to_json(replace(draft, place="")), sort_keys=True).encode()).hexdigest()


def new_changes(draft: RecordDraft) -> list[Change]:
    """The changes of a record that makes a game and all that comes with it."""
    found = list(_field_changes(NOTHING, draft.game))
    found += [Change("copy", "", in_words(box)) for box in draft.copies]
    found += [Change("rules", "", f"{rules.head.language}, {len(rules.revisions)}") for rules in draft.rules]
    return found + [Change("document", "", name) for name in draft.documents]


def _match(made: Plan, look: Look) -> Match:
    known = look.asked or (made.source.game if made.source else None)
    if known:
        return Match(_as_candidate(known))
    if look.as_new and not made.draft.is_addition:
        return Match()
    return find_game(made.draft, Both(look.shelf, look.twins) if look.twins else look.shelf)


def _as_candidate(game: Game) -> Candidate:
    return Candidate(str(game), game.title_key, frozenset(), game=game)


def _know_game(made: Plan, meant: Candidate | None, look: Look) -> None:
    """The game and what it says now, with what was last taken from the source."""
    if meant is None:
        return
    if meant.position is not None and look.twins:
        first = look.twins.draft(meant.position)
        made.twin, made.before = meant.position, first.game
        made.base = _as_imported(first, made.draft)
    elif meant.game:
        made.game = records.lock_game(meant.game.pk) if look.locks else meant.game
        made.base = _base(made.source, made.game, made.draft)
        if not made.draft.is_title_only:
            made.before = records.describe(made.game)


def _as_imported(first: RecordDraft, draft: RecordDraft) -> Imported | None:
    """What `_base` will say once `first` is in the catalogue."""
    if draft.is_title_only or draft.is_addition:
        return None
    if draft.format == TABLE and not _is_of_one_table(first.key, draft.key):
        return Imported(first.game) if is_placeholder(first.game.title) else None
    if first.format != draft.format:
        return Imported(first.game)
    keys = tuple(rules.head.source_key for rules in first.rules)
    return Imported(first.game, first.is_title_only, first.copies, keys, first.documents)


def _base(source: SourceRecord | None, game: Game, draft: RecordDraft) -> Imported | None:
    """What was last taken: from this very record, else from another source of the game.

    So a notice that was corrected at its source, and has another key since, is a new state of the old
    one; and a record may replace the title that was proposed for a page of rules.
    """
    if source is None and (draft.is_title_only or draft.is_addition):
        return None
    if source is None:
        others = sorted(
            game.sources.defer("raw"), key=lambda s: (s.format == draft.format, s.imported_at, s.pk)
        )
        source = others[-1] if others else None
    if source is None:
        return None
    base = from_json(source.imported)
    if draft.format == TABLE and not _is_of_one_table(source.key, draft.key):
        # Another table knows less or more, and neither is a new state of the other: only gaps are filled.
        return Imported(base.game) if is_placeholder(base.game.title) else None
    return base if source.format == draft.format else Imported(base.game)


def _is_of_one_table(some: str, other: str) -> bool:
    """Whether the keys of two rows name one row of a table, though that has got other columns since."""
    return some.rpartition(":")[0] == other.rpartition(":")[0]


def _what_is_done(made: Plan) -> Done:
    """A record counts by its game; a page or file that only brings rules counts by its text."""
    is_new = made.is_new
    if made.draft.is_title_only and made.draft.rules:
        is_new = any(change.field == "rules" and not change.old for change in made.changes)
    if is_new:
        return Done.CREATED
    return Done.UPDATED if made.changes else Done.UNCHANGED


# --- the game ----------------------------------------------------------------------------------


def _plan_game(made: Plan, look: Look) -> None:  # noqa: ARG001 - as all parts
    if made.is_new:
        made.after = made.draft.game
    elif made.draft.is_title_only:
        return
    else:
        is_cut_off = any(doubt is Doubt.TEXT_TRUNCATED for doubt, _ in made.draft.doubts)
        base = made.base.game if made.base else None
        said = made.draft.game
        is_proposed = any(doubt is Doubt.TITLE_PROPOSED for doubt, _ in made.draft.doubts)
        if made.draft.is_addition or is_proposed:  # its title only says which record is meant
            said = replace(said, title=made.before.title)
        made.after = merge_game(made.before, said, base, is_cut_off=is_cut_off)
    made.changes += _field_changes(made.before, made.after)


def _field_changes(old: GameDraft, new: GameDraft) -> Iterator[Change]:
    for name in (f.name for f in fields(GameDraft)):
        before, after = getattr(old, name), getattr(new, name)
        if before != after and records.comparable(name, before) != records.comparable(name, after):
            yield Change(name, in_words(before), in_words(after))


def in_words(value: object) -> str:
    """A field's value on one line for the report."""
    if value is None:
        return ""
    if isinstance(value, tuple):
        return " ; ".join(map(in_words, value))
    if isinstance(value, str | int):
        return str(value)
    return ", ".join(filter(None, (str(getattr(value, f.name)) for f in fields(value))))  # type: ignore[arg-type]


# --- copies ------------------------------------------------------------------------------------


def _plan_boxes(made: Plan, look: Look) -> None:
    """Boxes are known by their labels; one that was imported before and is gone was taken out by a person."""
    known = {box.barcode: box for box in made.base.copies} if made.base else {}
    taken = []
    for draft in made.draft.copies:
        copy = BOX.first(draft.barcode) if look.shelf.may_have_box(draft.barcode) else None
        if holder := _other_holder(made, copy, draft, look):
            detail = f"{draft.barcode}: {holder}"
            made.problems.append(Problem(made.draft.place, Reason.BARCODE_TAKEN, detail=detail))
            continue
        taken.append(draft)
        if copy:
            _plan_box(made, copy, draft, known.get(draft.barcode))
        elif draft.barcode not in known:
            made.boxes.append(BoxPlan(replace(draft, condition=draft.condition or Condition.IN_SERVICE)))
            made.changes.append(Change("copy", "", in_words(draft)))
    made.draft = replace(made.draft, copies=tuple(taken))


def _other_holder(made: Plan, copy: Copy | None, draft: CopyDraft, look: Look) -> str:
    """The title of another game of which a box carries the label: here, or earlier in the batch."""
    if copy:
        return "" if made.game and copy.game_id == made.game.pk else str(copy.game)
    own = (made.game.pk if made.game else None, made.twin)
    holders = look.twins.with_barcodes([draft.barcode]) if look.twins else []
    return next((other.label for other in holders if other.identity != own), "")


def _plan_box(made: Plan, copy: Copy, draft: CopyDraft, base: CopyDraft | None) -> None:
    now = records.describe_copy(copy)
    merged = merge_copy(now, draft, base)
    if merged != now:
        made.boxes.append(BoxPlan(merged, copy, now))
        made.changes.append(Change("copy", in_words(now), in_words(merged)))


# --- rules, documents, doubts ------------------------------------------------------------------


def _plan_texts(made: Plan, look: Look) -> None:
    """A text that was imported before and is gone was taken out by a person, and stays out."""
    before = made.base.rules if made.base else ()
    for rules in made.draft.rules:
        text = _known_text(made, rules.head.source_key, before, look)
        if text:
            _plan_revisions(made, text, rules.head, rules.revisions)
        elif not before:
            head = replace(rules.head, source_name=rules.head.source_name or look.origin[:300])
            made.texts.append(TextPlan(head, rules.revisions))
            made.changes.append(Change("rules", "", f"{head.language}, {len(rules.revisions)}"))


def _known_text(made: Plan, key: str, before: Sequence[str], look: Look) -> RulesText | None:
    """The text of that key, wherever a person has put it; else the one that this source brought before."""
    text = TEXT.first(key) if key and look.shelf.may_have_text(key) else None
    if text or made.game is None or not before:
        return text
    return RulesText.objects.filter(game=made.game, source_key__in=before).first()


def _plan_revisions(made: Plan, text: RulesText, head: RulesHead, drafts: tuple[RevisionDraft, ...]) -> None:
    """Append what is new. Where a person has corrected the text here, that stays the current state: what the
    source says now comes before it in the history, and the librarian is told.
    """
    have = list(text.revisions.defer("raw"))
    current = max(have, key=lambda r: (r.made_at, r.number), default=None)
    known = {revision.source_key for revision in have}
    new = [revision for revision in drafts if revision.source_key not in known]
    if current and any(doubt is Doubt.TEXT_TRUNCATED for doubt, _ in made.draft.doubts):
        new = [revision for revision in new if not current.body.startswith(revision.body.rstrip())]
    if not new:
        return
    if current and not current.source_key:
        new = [_just_before(current, revision) for revision in new]
        made.flags.append((Doubt.SOURCE_CHANGED, head.source_name))
    made.texts.append(TextPlan(head, tuple(new), text, len(have)))
    old, now = len(have), len(have) + len(new)
    made.changes.append(Change("rules", f"{text.language}, {old}", f"{text.language}, {now}"))


def _just_before(current: Revision, revision: RevisionDraft) -> RevisionDraft:
    made_at = revision.made_at or current.made_at
    return replace(revision, made_at=min(made_at, current.made_at - BEFORE))


def _plan_documents(made: Plan, look: Look) -> None:  # noqa: ARG001 - as all parts
    if not made.draft.documents:
        return
    have = set(made.base.documents) if made.base else set()
    if made.game:
        have |= set(Document.objects.filter(game=made.game).values_list("name", flat=True))
    made.documents = [name for name in dict.fromkeys(made.draft.documents) if name not in have]
    made.changes += [Change("document", "", name) for name in made.documents]


def _plan_flags(made: Plan, look: Look) -> None:  # noqa: ARG001 - as all parts
    """Doubts that are not on the librarian's list yet."""
    said: list[tuple[str, str]] = [
        (doubt, detail)
        for doubt, detail in made.draft.doubts
        if doubt is not Doubt.TITLE_PROPOSED or made.is_new
    ]
    codes = map(read_product_code, made.draft.game.identifiers)
    said += [(Doubt.IDENTIFIER_CHECK, c.printed) for c in codes if c.gtin and not c.check_holds]
    wanted = dict.fromkeys((str(code), detail[:500]) for code, detail in [*made.flags, *said])
    if made.game and wanted:
        have = Flag.objects.filter(game=made.game).values_list("code", "detail")
        wanted = dict.fromkeys(flag for flag in wanted if flag not in set(have))
    made.flags = list(wanted)
