"""Drafts as JSON and back, nothing lost on the way: for rows that keep a draft until it is applied.

What a draft does not say is left out, so a field that drafts get later reads as not said. Goes by the
types of the dataclasses, so a new field needs no word here.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

Draft = TypeVar("Draft")
Slots = tuple[tuple[str, Any], ...]
Readers = tuple[tuple[str, Callable[[Any], Any]], ...]
SLOTS: dict[Any, Slots] = {}
READERS: dict[Any, Readers] = {}


def to_json(draft: Any) -> dict[str, Any]:
    """The draft as JSON values; fields that say what they say by default are left out."""
    return {
        name: _plain(value)
        for name, default in _slots(type(draft))
        if (value := getattr(draft, name)) != default
    }


def from_json(kind: type[Draft], said: dict[str, Any]) -> Draft:
    """The inverse of `to_json`. Names that the draft does not have are passed over."""
    return kind(**{name: read(said[name]) for name, read in _readers(kind) if name in said})


def _slots(kind: Any) -> Slots:
    """Names and defaults of a dataclass, looked up once."""
    if kind not in SLOTS:
        SLOTS[kind] = tuple((field.name, _default(field)) for field in fields(kind))
    return SLOTS[kind]


def _default(field: "Field[Any]") -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.isoformat()
    if is_dataclass(value):
        return to_json(value)
    raise TypeError(f"A draft holds {type(value).__name__}, which has no JSON form.")


def _readers(kind: Any) -> Readers:
    """How each field of a dataclass is read, looked up once."""
    if kind not in READERS:
        READERS[kind] = tuple((name, _reader(hint)) for name, hint in get_type_hints(kind).items())
    return READERS[kind]


def _reader(hint: Any) -> Callable[[Any], Any]:
    if get_origin(hint) in (Union, UnionType):
        [inner] = [kind for kind in get_args(hint) if kind is not NoneType]
        read = _reader(inner)
        return lambda said: None if said is None else read(said)
    if get_origin(hint) is tuple:
        return _tuple_reader(get_args(hint))
    if hint is datetime:
        return datetime.fromisoformat
    if isinstance(hint, type) and is_dataclass(hint):
        return lambda said: from_json(hint, said)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return hint
    return _as_it_is


def _tuple_reader(kinds: tuple[Any, ...]) -> Callable[[Any], Any]:
    if kinds[-1] is Ellipsis:
        read = _reader(kinds[0])
        return lambda said: tuple(map(read, said))
    readers = [_reader(kind) for kind in kinds]
    return lambda said: tuple(read(item) for read, item in zip(readers, said, strict=True))


def _as_it_is(said: Any) -> Any:
    return said
