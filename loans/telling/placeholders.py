"""Texts with placeholders, as librarians write them: `$name`, `${name}`, and `$$` for the sign itself.

The syntax of Python's `string.Template`, which can fill in words and do nothing else: no code comes out of
the database. Pure.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from string import Template


@dataclass(frozen=True, slots=True)
class Mistake:
    """What cannot be filled in, and where (line and column from 1). `name` is empty for a lone `$`.

    `meant`: the placeholder that comes nearest, if one does.
    """

    line: int
    column: int
    name: str
    meant: str = ""


def mistakes(text: str, known: Collection[str]) -> list[Mistake]:
    """Every placeholder that nobody would fill in, and every `$` that is neither one nor doubled."""
    found = []
    for match in Template.pattern.finditer(text):
        name = match["named"] or match["braced"] or ""
        if match["escaped"] or name in known:
            continue
        before = text[: match.start()]
        place = before.count("\n") + 1, match.start() - (before.rfind("\n") + 1) + 1
        meant = get_close_matches(name.lower(), known, n=1) if name else []
        found.append(Mistake(*place, name, *meant))
    return found


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its words. What nobody fills in stays as it is written: a letter never fails."""
    return Template(text).safe_substitute(values)
