"""Two people at one record: what the second typed, set beside what the first has saved meanwhile.

Pure functions on drafts of any kind. `seal` puts the draft that a page showed into the page itself,
signed, so that the comparison needs no history and outlives the session.
"""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.core import signing

from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, PublicationDraft, RulesHead

Draft = TypeVar("Draft", GameDraft, CopyDraft, RulesHead)
SALT = "catalogue.merge"
ROWS: dict[str, type[ContributorDraft] | type[PublicationDraft]] = {
    "contributors": ContributorDraft,
    "publications": PublicationDraft,
}


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
    differences = tuple(d for d in _fields(seen, typed, now) if d.seen != d.now)
    taken = {d.field: d.now for d in differences if not d.is_disputed}
    return Merged(dataclasses.replace(typed, **taken), differences)


def _fields(seen: Draft, typed: Draft, now: Draft) -> Iterator[Difference]:
    for field in dataclasses.fields(seen):
        was, mine, is_now = (getattr(draft, field.name) for draft in (seen, typed, now))
        yield Difference(field.name, was, is_now, mine, is_disputed=mine not in (was, is_now))


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
