"""Two people at one record: what the second typed, set beside what the first has saved meanwhile.

Pure functions on drafts of any kind. `seal` puts the draft that a page showed into the page itself,
signed, so that the comparison needs no history and outlives the session.
"""

import dataclasses
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core import signing

from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, PublicationDraft, RulesHead

Draft = TypeVar("Draft", GameDraft, CopyDraft, RulesHead)
SALT = "catalogue.merge"
ROWS = {"contributors": ContributorDraft, "publications": PublicationDraft}


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that was changed meanwhile: what it said, what it says now, what was typed here.

    `is_disputed` where both have changed it, and not to the same: the typed value then stands.
    """

    field: str
    seen: Any
    now: Any
    typed: Any
    is_disputed: bool


@dataclass(frozen=True, slots=True)
class Merged(Generic[Draft]):
    """What was typed, with what changed meanwhile in the fields left alone here."""

    draft: Draft
    differences: tuple[Difference, ...]


def merge(seen: Draft, typed: Draft, now: Draft) -> Merged[Draft]:
    """Take over what `now` has changed since `seen`, except where `typed` has changed it too."""
    differences = tuple(
        Difference(name, was, is_now, mine, is_disputed=mine not in (was, is_now))
        for name, was, is_now, mine in _values(seen, now, typed)
        if was != is_now
    )
    taken = {d.field: d.now for d in differences if not d.is_disputed}
    return Merged(dataclasses.replace(typed, **taken), differences)


def _values(*drafts: Draft) -> list[tuple[str, Any, Any, Any]]:
    names = [f.name for f in dataclasses.fields(drafts[0])]
    return [(name, *(getattr(draft, name) for draft in drafts)) for name in names]


def seal(draft: Draft) -> str:
    """The draft as text for a hidden field."""
    return signing.dumps(dataclasses.asdict(draft), salt=SALT, compress=True)


def unseal(kind: type[Draft], sealed: str) -> Draft | None:
    """The draft that was sealed; None where the text is not ours, or of another version's shape."""
    try:
        values = signing.loads(sealed, salt=SALT)
        return kind(**{name: _value(name, value) for name, value in values.items()})
    except (signing.BadSignature, TypeError, AttributeError):
        return None


def _value(name: str, value: Any) -> Any:
    if name in ROWS:
        return tuple(ROWS[name](**row) for row in value)
    return tuple(value) if isinstance(value, list) else value
