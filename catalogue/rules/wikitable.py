"""Wikitext's tables, `{|` to `|}`, as rows of wikitext cells. Called by `wikitext`.

A table within a table gives its rows to the outer one; a table that never ends ends with the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from catalogue.rules.wikiline import BREAK

CELL = re.compile(r"\|\||!!")
ATTRIBUTE = r"""[\w-]{1,40}[ \t]*=[ \t]*(?:"[^"]{0,300}"|'[^']{0,300}'|[\w%#-]{1,300})"""
ATTRIBUTES = re.compile(rf"[ \t]*{ATTRIBUTE}(?:[ \t]+{ATTRIBUTE}){{0,20}}[ \t]*\|(?!\|)")


@dataclass(slots=True)
class Table:
    """`has_head`: the first row is made of head cells."""

    caption: str = ""
    rows: list[list[str]] = field(default_factory=lambda: [[]])
    has_head: bool = False

    def add(self, line: str) -> None:
        """One line of the table, free of blanks at its ends."""
        if line.startswith("|+"):
            self.caption = ATTRIBUTES.sub("", line[2:], count=1).strip()
        elif line.startswith(("|-", "{|", "|}")):
            self.rows.append([])
        elif line.startswith(("|", "!")):
            self.has_head = self.has_head or (line[0] == "!" and not any(self.rows))
            self.rows[-1] += _cells(line)
        elif line and self.rows[-1]:
            self.rows[-1][-1] += BREAK + line
        elif line:
            self.rows[-1].append(line)


def read(lines: Iterator[str]) -> Table:
    """Takes the lines after `{|` up to the table's end."""
    table = Table()
    depth = 1
    for line in map(str.strip, lines):
        depth += line.startswith("{|") - line.startswith("|}")
        if not depth:
            break
        table.add(line)
    table.rows = [row for row in table.rows if row]
    return table


def _cells(line: str) -> list[str]:
    parts = CELL.split(line[1:]) if line[0] == "!" else line[1:].split("||")
    return [ATTRIBUTES.sub("", part, count=1).strip() for part in parts]
