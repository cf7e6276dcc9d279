"""Imports in words: what a page says of a batch, of its records, and of an undo."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from catalogue import languages
from catalogue.draft import Problem
from catalogue.forms.imports import format_name
from catalogue.imports import messages, reporting, telling
from catalogue.imports.plan import Change
from catalogue.imports.undo import plan_undo
from catalogue.models import Condition, Game, ImportBatch, ImportItem, ItemKind
from catalogue.roles import LABELS as ROLES

LONGEST_SHOWN = 400
SHOWN_AT_ONCE = 4
KINDS = {
    ItemKind.DOUBTFUL: gettext_lazy("Doubtful"),
    ItemKind.CHANGED: gettext_lazy("Changed"),
    ItemKind.NEW: gettext_lazy("New"),
    ItemKind.UNCHANGED: gettext_lazy("Unchanged"),
    ItemKind.PROBLEM: gettext_lazy("Problems"),
}


@dataclass(frozen=True, slots=True)
class Summary:
    """One import on one line."""

    batch: ImportBatch

    @property
    def name(self) -> str:
        """Its files, the first by name."""
        names = [str(file["name"]) for file in self.batch.files]
        if len(names) < 2:
            return "".join(names)
        more = len(names) - 1
        words = ngettext("%(first)s and %(more)s other", "%(first)s and %(more)s others", more)
        return words % {"first": names[0], "more": more}

    @property
    def files(self) -> list[dict[str, Any]]:
        """Each file with what it was found to be."""
        return [file | {"format_name": format_name(file.get("format", ""))} for file in self.batch.files]

    @property
    def tone(self) -> str:
        """Which colour its state has."""
        return {"applied": "ok", "failed": "stop", "stopped": "warn", "previewed": "warn"}.get(
            self.batch.state, ""
        )


@dataclass(frozen=True, slots=True)
class Shown:
    """A change, with the field as people call it."""

    label: str
    old: str
    new: str

    @classmethod
    def of(cls, change: Change) -> "Shown":
        """With values short enough for a list."""
        old, new = (_short(_said(change.field, value)) for value in (change.old, change.new))
        return cls(telling.field_name(change.field), old, new)


@dataclass(frozen=True, slots=True)
class Told:
    """A problem: what it is about, why, and what to do."""

    problem: Problem
    place: str
    sentence: str
    remedy: str

    @classmethod
    def of(cls, problem: Problem) -> "Told":
        """In the reader's language."""
        why = messages.sentence(Problem(problem.place, problem.reason))
        return cls(problem, messages.place(problem.place), why, messages.remedy(problem))


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One record of a batch as the page shows it."""

    item: ImportItem
    file: str
    place: str
    changes: list[Shown]
    problems: list[Told]
    candidates: list[Game]
    left: list[tuple[str, str, str]]

    @property
    def is_folded(self) -> bool:
        """Whether the whole record is shown only to whoever asks for it."""
        return self.item.kind in {ItemKind.NEW, ItemKind.DOUBTFUL} and len(self.changes) > SHOWN_AT_ONCE

    @classmethod
    def of(cls, item: ImportItem) -> "ItemRow":
        """All that the page needs, in the reader's language."""
        keys = [pk for pk, _label in item.candidates if pk]
        games = Game.objects.filter(pk__in=keys).prefetch_related("publications__publisher", "copies")
        return cls(
            item,
            str(item.batch.files[item.file]["name"]),
            messages.place(item.place),
            [Shown.of(change) for change in reporting.all_changes(item)],
            [Told.of(problem) for problem in reporting.problems_of(item)],
            list(games) if keys else [],
            [(telling.left_name(f), _short(now), messages.why_kept(why)) for f, now, why in item.left],
        )


@dataclass(frozen=True, slots=True)
class UndoRow:
    """What an undo would do to one game: what goes back, and what stays."""

    item: ImportItem
    back: list[Shown]
    left: list[tuple[str, str, str]]

    @classmethod
    def of(cls, item: ImportItem) -> "UndoRow":
        """Asked of the catalogue as it is now."""
        steps = plan_undo(item).steps
        return cls(
            item,
            [Shown(telling.left_name(s.field), _short(s.now), _short(s.then)) for s in steps if not s.why],
            [(telling.left_name(s.field), _short(s.now), messages.why_kept(s.why)) for s in steps if s.why],
        )


def time_left(seconds: int | None) -> str:
    """So long as a person would say it."""
    if seconds is None:
        return ""
    if seconds < 60:
        return _("less than a minute left")
    minutes = round(seconds / 60)
    return ngettext("about %(minutes)s minute left", "about %(minutes)s minutes left", minutes) % {
        "minutes": minutes
    }


def user_of(request: HttpRequest) -> User | None:
    """Who is signed in."""
    return request.user if isinstance(request.user, User) else None


def _said(field: str, value: str) -> str:
    """A value in the reader's words, where the report says it by codes."""
    if field == "contributors":
        return " ; ".join(_last_in_words(part, ROLES) for part in value.split(" ; "))
    if field == "copy":
        return _last_in_words(value, dict(Condition.choices))
    if field == "rules":
        return telling.text_in_words(value)
    if field == "languages":
        return ", ".join(languages.name(tag) for tag in value.split(" ; ") if tag)
    return value


def _last_in_words(value: str, words: Mapping[str, object]) -> str:
    start, comma, code = value.rpartition(", ")
    return f"{start}, {words[code]}" if comma and code in words else value


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
