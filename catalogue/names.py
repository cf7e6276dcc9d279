"""Names that records share: the row of a person, publisher, category ... for a name, made when there is none.

Only `rows` calls `named` and `category`, for `records`. An import may have the rows that it met `remembered`
from one record to the next, and `watched` which were made or filled in, so that they can be taken back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from catalogue.categories import category_key, read_category
from catalogue.models import Category, Game
from catalogue.outbox import announce_all
from catalogue.text import name_key, one_line

PARTS_OF_CATEGORY = ("label", "note")


@dataclass(slots=True)
class Watched:
    """Rows that were made, and categories of which something was filled in: pk and what it says now."""

    made: list[tuple[str, int]] = field(default_factory=list)
    filled: list[tuple[int, dict[str, str]]] = field(default_factory=list)


Memory = dict[tuple[str, str], Any]
_memory: ContextVar[Memory | None] = ContextVar("_memory", default=None)
_watched: ContextVar[Watched | None] = ContextVar("_watched", default=None)


@contextmanager
def remembered() -> Iterator[Memory]:
    """Look each name up once. Whoever rolls a transaction back clears the memory: a row in it may be gone."""
    memory: Memory = {}
    token = _memory.set(memory)
    try:
        yield memory
    finally:
        _memory.reset(token)


@contextmanager
def watched() -> Iterator[Watched]:
    """Tell which rows are made meanwhile."""
    seen = Watched()
    token = _watched.set(seen)
    try:
        yield seen
    finally:
        _watched.reset(token)


def named(model: Any, name: str) -> Any:
    """The row of `model` for a name, however it is typed; made when there is none."""
    key = name_key(name)
    return _met(model, key) or _find(model, key, {"name": one_line(name)})


def category(printed: str) -> Category:
    """The row of a category as printed. The first spelling met stays; a fuller one fills what was empty."""
    parts = read_category(printed)
    key = category_key(parts)
    said = {"code": parts.code, "label": parts.label, "note": parts.note}
    row: Category = _met(Category, key) or _find(Category, key, said)
    missing = {name: said[name] for name in PARTS_OF_CATEGORY if not getattr(row, name) and said[name]}
    if missing:
        _fill(row, missing)
    return row


def _met(model: Any, key: str) -> Any:
    memory = _memory.get()
    return memory.get((model.__name__, key)) if memory is not None else None


def _find(model: Any, key: str, values: dict[str, str]) -> Any:
    row, made = model.objects.get_or_create(key=key, defaults=values)
    if made and (watch := _watched.get()) is not None:
        watch.made.append((model.__name__, row.pk))
    if (memory := _memory.get()) is not None:
        memory[model.__name__, key] = row
    return row


def _fill(row: Category, missing: dict[str, str]) -> None:
    for name, value in missing.items():
        setattr(row, name, value)
    row.save(update_fields=list(missing))
    announce_all(Game.objects.filter(categories=row))
    if (watch := _watched.get()) is not None:
        watch.filled.append((row.pk, missing))
