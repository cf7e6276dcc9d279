"""Categories as libraries print them: `A 406 Jeu de stratégie`, `[ESAR] A401 Jeu d'association`,
`A 407 jeu de hasard (jeu de règles)`. Pure functions on text.
"""

import re
from dataclasses import dataclass

from catalogue.text import name_key, one_line

SCHEME = re.compile(r"^\[[^\]]{1,20}\]\s*")
CODE = re.compile(r"^(?P<letters>[A-Z]{1,3})\s?(?P<digits>\d{1,4}[a-z]?)\b[\s:.\-]*", re.IGNORECASE)
NOTE = re.compile(r"\s*\((?P<note>[^()]*)\)\s*$")


@dataclass(frozen=True, slots=True)
class CategoryParts:
    """Code (`A 406`), label (`Jeu de stratégie`) and the bracket behind it; each may be empty."""

    code: str
    label: str
    note: str


def read_category(printed: str) -> CategoryParts:
    """Take a printed category apart. A code is written with one blank between letters and digits."""
    rest = SCHEME.sub("", one_line(printed))
    note = NOTE.search(rest)
    if note:
        rest = rest[: note.start()]
    code = CODE.match(rest)
    if code is None:
        return CategoryParts("", rest, note["note"] if note else "")
    label = rest[code.end() :].strip()
    return CategoryParts(f"{code['letters'].upper()} {code['digits']}", label, note["note"] if note else "")


def category_key(parts: CategoryParts) -> str:
    """Two categories are one if their codes are; without codes, if their labels are."""
    return name_key(parts.code or parts.label)[:200]
