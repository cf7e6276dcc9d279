"""Three-way merge of a record read again: what it says, what it said last time, what the catalogue says.

A field that a person has changed since the last import stays as the person left it; a field that the
source does not fill erases nothing. Pure functions on drafts, and their form as JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, PublicationDraft, RecordDraft
from catalogue.imports import draft_json
from catalogue.records import comparable

SPANS = (
    ("players_min", "players_max"),
    ("age_min_months", "age_max_months"),
    ("minutes_min", "minutes_max"),
)
EMPTY: tuple[object, ...] = (None, "", ())


@dataclass(frozen=True, slots=True)
class Imported:
    """What was last taken from a source."""

    game: GameDraft
    is_title_only: bool = False
    copies: tuple[CopyDraft, ...] = ()
    rules: tuple[str, ...] = ()  # the source keys of its texts
    documents: tuple[str, ...] = ()


def merge_game(
    now: GameDraft, new: GameDraft, base: GameDraft | None, *, is_cut_off: bool = False
) -> GameDraft:
    """What the record should say. `base` is what the source said last time; None for a record typed by
    hand, of which only empty fields are filled. `is_cut_off`: the source breaks off, so a beginning
    replaces nothing.
    """
    values = {
        f.name: _merged(f.name, getattr(now, f.name), getattr(new, f.name), base and getattr(base, f.name))
        for f in fields(GameDraft)
    }
    if is_cut_off:
        values |= {name: old for name in values if _is_beginning(values[name], old := getattr(now, name))}
    for low, high in SPANS:
        if values[low] is not None and values[high] is not None and values[low] > values[high]:
            values |= {low: getattr(now, low), high: getattr(now, high)}
    return GameDraft(**values)


def merge_copy(now: CopyDraft, new: CopyDraft, base: CopyDraft | None) -> CopyDraft:
    """As `merge_game`, for one box."""
    values = {
        f.name: _merged(f.name, getattr(now, f.name), getattr(new, f.name), base and getattr(base, f.name))
        for f in fields(CopyDraft)
    }
    return replace(now, **values)


def _merged(name: str, now: Any, new: Any, base: Any) -> Any:
    if new in EMPTY:
        return now
    if now in EMPTY:
        return new if base in EMPTY else now
    is_untouched = base not in EMPTY and comparable(name, now) == comparable(name, base)
    return new if is_untouched and comparable(name, new) != comparable(name, now) else now


def _is_beginning(new: object, old: object) -> bool:
    return isinstance(new, str) and isinstance(old, str) and old.startswith(new.rstrip())


# --- JSON --------------------------------------------------------------------------------------


def to_json(draft: RecordDraft) -> dict[str, object]:
    """What `SourceRecord.imported` keeps of a draft."""
    return {
        "game": draft_json.to_json(draft.game),
        "is_title_only": draft.is_title_only,
        "copies": [draft_json.to_json(copy) for copy in draft.copies],
        "rules": [rules.head.source_key for rules in draft.rules],
        "documents": list(draft.documents),
    }


def from_json(kept: Mapping[str, Any]) -> Imported:
    """The inverse of `to_json`. Fields that drafts no longer have are passed over."""
    game = dict(kept.get("game") or {})
    values = {f.name: _tupled(game[f.name]) for f in fields(GameDraft) if f.name in game}
    values["contributors"] = tuple(ContributorDraft(**c) for c in game.get("contributors", ()))
    values["publications"] = tuple(PublicationDraft(**p) for p in game.get("publications", ()))
    return Imported(
        game=GameDraft(**({"title": ""} | values)),
        is_title_only=bool(kept.get("is_title_only")),
        copies=tuple(CopyDraft(**c) for c in kept.get("copies", ())),
        rules=tuple(kept.get("rules", ())),
        documents=tuple(kept.get("documents", ())),
    )


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
