"""Our own MARC field, 909: what the standards have no place for, so that a record comes back as it left.

`$2 ludotheca $a name of the value $b its JSON`, in pieces where it is long. Only values that the standard
fields do not bring back are written. `exports` writes it, `imports.marc` reads it; what is not of the right
kind is refused by name.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from typing import Any

from catalogue.draft import ContributorDraft, CopyDraft, GameDraft, PublicationDraft
from catalogue.marc import MarcField

TAG = "909"
SOURCE = "ludotheca"
PIECE = 3000  # characters, at most 4 bytes each: a field of ISO 2709 has 9,999
LISTS = {"contributors": ContributorDraft, "publications": PublicationDraft}
NUMBERS = {"year", *(f.name for f in fields(GameDraft) if f.name.endswith(("_min", "_max", "_months")))}
TEXTS = {f.name for f in fields(GameDraft) if f.default == "" or f.name == "title"}
LARGEST = 32767
ODD = re.compile("[\x7f-\x9f\ufffe\uffff]")  # what a MARC reader may take for a sign of its own


@dataclass(frozen=True, slots=True)
class Own:
    """What our own fields say: values of the game, boxes, names of documents; and which were refused."""

    game: dict[str, Any]
    copies: tuple[CopyDraft, ...] | None = None
    documents: tuple[str, ...] | None = None
    refused: tuple[str, ...] = ()
    is_there: bool = False


def write(name: str, value: object) -> Iterator[MarcField]:
    """The fields that carry a value."""
    text = json.dumps(_plain(value), ensure_ascii=False)
    if ODD.search(text) or not unicodedata.is_normalized("NFC", text):
        text = json.dumps(_plain(value))
    for at in range(0, len(text), PIECE):
        yield MarcField(TAG, subfields=(("2", SOURCE), ("a", name), ("b", text[at : at + PIECE])))


def _plain(value: object) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


def read(own: Iterable[MarcField]) -> Own:
    """What the fields say; those of other programs that use the number are passed over."""
    said: dict[str, str] = {}
    for field in own:
        if field.first("2") == SOURCE:
            said[field.first("a")] = said.get(field.first("a"), "") + field.first("b")
    values: dict[str, Any] = {}
    refused = []
    for name, text in said.items():
        try:
            values[name] = _value(name, json.loads(text))
        except (ValueError, TypeError, RecursionError):
            refused.append(name)
    copies, documents = values.pop("copies", None), values.pop("documents", None)
    return Own(values, copies, documents, tuple(refused), bool(said))


def _value(name: str, given: object) -> object:
    """The value of a field of the draft. Raises ValueError or TypeError for one of another kind."""
    if name in NUMBERS:
        return _number(given)
    if name in TEXTS:
        if name == "title" and not _text(given).strip():
            raise ValueError(name)
        return _text(given)
    if name == "copies":
        return tuple(_of(CopyDraft, item) for item in _list(given))
    if name in LISTS:
        return tuple(_of(LISTS[name], item) for item in _list(given))
    if name == "documents" or name in {f.name for f in fields(GameDraft)}:
        return tuple(_text(item) for item in _list(given))
    raise ValueError(name)


def _of(kind: type[Any], given: object) -> Any:
    if not isinstance(given, dict):
        raise TypeError(kind.__name__)
    known = {f.name: _text(given[f.name]) for f in fields(kind) if f.name in given}
    needed = [f.name for f in fields(kind) if f.default is MISSING]
    if not all(known.get(name, "").strip() for name in needed):
        raise ValueError(kind.__name__)
    return kind(**known)


def _number(given: object) -> int | None:
    if given is None or (isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= LARGEST):
        return given
    raise TypeError("number")


def _text(given: object) -> str:
    if not isinstance(given, str):
        raise TypeError("text")
    return given.replace("\0", "")


def _list(given: object) -> list[object]:
    if not isinstance(given, list):
        raise TypeError("list")
    return given
