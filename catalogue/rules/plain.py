"""Rules typed or saved as plain text, to our small Markdown: finds the headings and the lists.

Words are kept verbatim and in order, slips included; only white space, bullets and the mark at a heading's
end change. Lines that a saved page has run together (`...the table.The twelve...`) are told apart first.
Called by imports, the staff's forms and `split`.
"""

import re
from collections.abc import Sequence

from catalogue.rules import headings
from catalogue.rules.joints import lines_of
from catalogue.rules.markup import escape
from catalogue.rules.writer import Writer

BULLET = re.compile(r"[-–—•●▪◦·*][ \t]+(?=\S)|[-–•●▪](?=[^\W\d_])")
NUMBER = re.compile(r"(\d{1,3})([.)])[ \t]+(?=\S)")
TABLE_ROW = re.compile(r"\|.*\|")
TABLE_RULE = re.compile(r"\|?[-:|\s]+\|?")


def to_markdown(text: str) -> str:
    """Our Markdown."""
    lines = lines_of(text)
    texts = [line.text for line in lines]
    found = headings.find(texts, {index for index, line in enumerate(lines) if line.is_joined})
    writer = Writer()
    body: list[str] = []
    for index, line in enumerate(texts):
        heading = found.get(index)
        if heading is None:
            body.append(line)
            continue
        _write(writer, body)
        body = []
        writer.heading(heading.level, escape(heading.text))
        if heading.rest:
            body.append(heading.rest)
    _write(writer, body)
    return writer.text()


def _write(writer: Writer, lines: Sequence[str]) -> None:
    """The lines under one heading."""
    rows: list[str] = []
    levels: list[tuple[int, int]] = []  # indent in the source, depth, of the open list items
    for line in lines:
        if TABLE_ROW.fullmatch(line.strip()):
            rows.append(line.strip())
            continue
        _write_table(writer, rows)
        rows = []
        _write_line(writer, line, levels)
    _write_table(writer, rows)
    writer.close()


def _write_line(writer: Writer, line: str, levels: list[tuple[int, int]]) -> None:
    text = line.strip()
    indent = len(line) - len(line.lstrip())
    if not text:
        writer.blank()
        return
    bullet, number = BULLET.match(text), NUMBER.match(text)
    if bullet or number:
        while levels and levels[-1][0] >= indent:
            levels.pop()
        depth = levels[-1][1] + 1 if levels else 1
        levels.append((indent, depth))
        if number:
            writer.item(depth, _inline(text[number.end() :]), number=int(number[1]), close=number[2])
        elif bullet:
            writer.item(depth, _inline(text[bullet.end() :]))
    elif indent and levels:
        owner = next((depth for at, depth in reversed(levels) if at < indent), 0)
        writer.more(owner, _inline(text))
    else:
        levels.clear()
        writer.line(_inline(text))


def _inline(text: str) -> str:
    """A line's text; a call for attention that stands alone (`Remarque:`) is bold, not a heading."""
    if headings.is_call(text):
        word = text.rstrip(" :!.\xa0")
        return f"**{escape(word)}**{escape(text[len(word) :])}"
    return escape(text)


def _write_table(writer: Writer, rows: list[str]) -> None:
    """Lines between bars as a table; the first is a head where a rule follows it."""
    if not rows:
        return
    has_head = len(rows) > 1 and bool(TABLE_RULE.fullmatch(rows[1]))
    cells = [
        [escape(cell.strip()) for cell in row.strip("|").split("|")]
        for row in rows
        if not TABLE_RULE.fullmatch(row)
    ]
    if cells:
        writer.table(cells, has_head=has_head)
