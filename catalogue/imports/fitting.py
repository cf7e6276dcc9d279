"""Values that the catalogue's columns cannot hold are left out of a draft, and said.

The raw record keeps them. Pure functions on drafts; called by `store`.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from catalogue.categories import category_key, read_category
from catalogue.draft import CopyDraft, GameDraft, Problem, Reason
from catalogue.text import name_key, one_line

LARGEST_NUMBER = 32767
LONGEST = {"title": 500, "subtitle": 500, "document_type": 200, "edition": 300}
# Room is left for keys, which are longer than names where letters are two ("œ", "ß").
LONGEST_OF_LIST = {
    "alternative_titles": 500,
    "contributors": 250,
    "publications": 250,
    "identifiers": 64,
    "languages": 35,
    "categories": 150,
    "keywords": 150,
}
LONGEST_OF_COPY = {"barcode": 64, "call_number": 64, "section": 150, "branch": 150}

# Under which key two entries of a list are one row.
KEYS: dict[str, Callable[[Any], object]] = {
    "contributors": lambda part: (name_key(part.name), part.role),
    "languages": str,
    "categories": lambda printed: category_key(read_category(printed)),
    "keywords": name_key,
}


@dataclass(frozen=True, slots=True)
class Fitted:
    """A draft whose values all fit, and a problem for each that did not."""

    game: GameDraft
    copies: tuple[CopyDraft, ...]
    problems: tuple[Problem, ...]


def fit(game: GameDraft, copies: tuple[CopyDraft, ...], place: str) -> Fitted:
    """Leave out what is too long or too large. A title too long is cut, for a game needs one."""
    problems: list[Problem] = []

    def leave_out(name: str, value: object) -> None:
        text = str(value)
        problems.append(Problem(place, Reason.VALUE_UNREADABLE, detail=f"{name}: {text[:80]}…", raw=text))

    values = {f.name: _fitted(f.name, getattr(game, f.name), leave_out) for f in fields(GameDraft)}
    values["title"] = one_line(values["title"] or game.title[: LONGEST["title"]])
    values |= {name: _once(values[name], key) for name, key in KEYS.items() if len(values[name]) > 1}
    boxes = tuple(
        _fitted_copy(copy, leave_out)
        for copy in {copy.barcode.strip(): copy for copy in copies}.values()
        if len(copy.barcode) <= LONGEST_OF_COPY["barcode"]
    )
    return Fitted(GameDraft(**values), boxes, tuple(problems))


def _fitted(name: str, value: Any, leave_out: Callable[[str, object], None]) -> Any:
    if isinstance(value, int) and value > LARGEST_NUMBER:
        leave_out(name, value)
        return None
    if isinstance(value, str) and len(value) > LONGEST.get(name, len(value)):
        leave_out(name, value)
        return ""
    if isinstance(value, tuple):
        longest = LONGEST_OF_LIST[name]
        for item in value:
            if _length(item) > longest:
                leave_out(name, item)
        return tuple(item for item in value if _length(item) <= longest)
    return value


def _once(items: tuple[Any, ...], key: Callable[[Any], object]) -> tuple[Any, ...]:
    """Without what the catalogue would not write twice."""
    return tuple({key(item): item for item in reversed(items)}.values())[::-1]


def _length(item: Any) -> int:
    if isinstance(item, str):
        return len(item)
    return max(len(getattr(item, f.name)) for f in fields(item))


def _fitted_copy(copy: CopyDraft, leave_out: Callable[[str, object], None]) -> CopyDraft:
    too_long = [name for name, longest in LONGEST_OF_COPY.items() if len(getattr(copy, name)) > longest]
    for name in too_long:
        leave_out(name, getattr(copy, name))
    return replace(copy, **dict.fromkeys(too_long, ""))
