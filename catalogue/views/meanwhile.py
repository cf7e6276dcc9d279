"""What changed meanwhile, in words: for the second of two people who edit the same record."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from catalogue.draft import ContributorDraft, PublicationDraft
from catalogue.merge import Difference
from catalogue.roles import LABELS


@dataclass(frozen=True, slots=True)
class Explained:
    """One field: its label, before and after, and what was typed here where that differs from both."""

    label: Any
    seen: str
    now: str
    typed: str
    is_disputed: bool


def explained(differences: Iterable[Difference], labels: Mapping[str, Any]) -> list[Explained]:
    """The differences with the labels of the page."""
    return [
        Explained(labels.get(d.field, d.field), shown(d.seen), shown(d.now), shown(d.typed), d.is_disputed)
        for d in differences
    ]


def shown(value: object) -> str:
    """A value of a draft as a person reads it."""
    if isinstance(value, tuple):
        return ", ".join(map(shown, value)) or shown(None)
    if isinstance(value, ContributorDraft):
        role = LABELS.get(value.role, value.role)
        return f"{value.name} ({role})" if role else value.name
    if isinstance(value, PublicationDraft):
        return f"{value.publisher} ({value.place})" if value.place else value.publisher
    return str(value) if value not in (None, "") else _("(empty)")
