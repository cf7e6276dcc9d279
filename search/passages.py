"""Rules text -> passages: the pieces that search finds and shows, each under one heading, 40 to 180 words.

Pure functions on Markdown. A passage's body is the text's own Markdown, word for word; where a list or a
table is cut, each piece begins with the line that leads it in. Called by `documents`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from catalogue.rules.sections import Section, parse
from catalogue.text import name_key

SMALL, TARGET, LONG = 40, 120, 180
ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s")
NESTED = re.compile(r"^\s+\S")
TABLE_ROW = re.compile(r"^\s*\|")
TABLE_RULE = re.compile(r"^\s*\|?[\s:|-]+\|?\s*$")
SENTENCE_END = re.compile(r"(?<=[.!?…»”])\s+")
LINK_TARGET = re.compile(r"\]\([^()\s]*\)")
LEAD_IN = re.compile(r"[:：]\s*[*_]*$")


@dataclass(frozen=True, slots=True)
class Part:
    """A section that begins at `start` in a passage's body."""

    anchor: str
    path: tuple[str, ...]
    start: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a rules text. `ordinal` counts the pieces of one text; `parts` has one or more sections."""

    anchor: str
    path: tuple[str, ...]
    body: str
    parts: tuple[Part, ...]
    ordinal: int = 0

    @property
    def size(self) -> int:
        """How many words it has."""
        return len(self.body.split())


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item or a table row; `lead` is the line that it needs in front to be understood."""

    text: str
    lead: str = ""
    glue: str = "\n\n"  # what stands between it and the block before


def cut(markdown: str) -> tuple[Passage, ...]:
    """The passages of a text in reading order, each distinct one once."""
    pieces = [piece for section in parse(markdown) for piece in _of_section(section)]
    distinct = _without_repeats(_merged(pieces))
    return tuple(replace(p, ordinal=i) for i, p in enumerate(distinct))


def spoken(markdown: str) -> str:
    """The text with the targets of its links blanked out: they are no words. Places stay the same."""
    return LINK_TARGET.sub(lambda target: " " * len(target.group()), markdown)


def _of_section(section: Section) -> Iterator[Passage]:
    for body in split_body(section.body):
        yield Passage(section.anchor, section.path, body, (Part(section.anchor, section.path, 0),))


def _merged(pieces: list[Passage]) -> list[Passage]:
    """Small neighbours under one heading become one passage, and a small section joins its parent's text."""
    merged: list[Passage] = []
    for piece in pieces:
        if merged and _belong_together(merged[-1], piece):
            merged[-1] = _join(merged[-1], piece)
        else:
            merged.append(piece)
    return merged


def _belong_together(before: Passage, piece: Passage) -> bool:
    if before.size + piece.size > TARGET or piece.size >= SMALL or not piece.path:
        return False
    is_child = before.path == piece.path[:-1] and bool(before.path)
    if len(before.parts) > 1 or is_child:
        return is_child
    return before.size < SMALL and before.path[:-1] == piece.path[:-1] and before.anchor != piece.anchor


def _join(before: Passage, piece: Passage) -> Passage:
    """Both in one body; each section but a parent's own keeps its heading as a line."""
    if before.path != piece.path[:-1]:
        parent = piece.path[:-1]
        before = replace(before, path=parent, body=_headed(before), parts=before.parts)
    body = f"{before.body}\n\n{_headed(piece)}"
    part = replace(piece.parts[0], start=len(before.body) + 2)
    return replace(before, body=body, parts=(*before.parts, part))


def _headed(piece: Passage) -> str:
    return f"{'#' * min(6, max(2, len(piece.path)))} {piece.path[-1]}\n\n{piece.body}".strip()


def _without_repeats(pieces: Iterable[Passage]) -> Iterator[Passage]:
    seen = set()
    for piece in pieces:
        key = (piece.path[-1:], name_key(piece.body))
        if key not in seen:
            seen.add(key)
            yield piece


# --- cutting one section -----------------------------------------------------------------------


def split_body(body: str) -> Iterator[str]:
    """The body of a section in pieces of at most `LONG` words, cut at paragraphs, items or sentences."""
    body = body.strip("\n")
    words = len(body.split())
    if not body.strip():
        return
    if words <= LONG:
        yield body
        return
    goal = words / round(words / TARGET)
    piece: list[Block] = []
    for block in _short_blocks(body):
        if piece and _size(piece) + len(block.text.split()) > LONG:
            yield _written(piece)
            piece = []
        piece.append(block)
        if _size(piece) >= goal:
            yield _written(piece)
            piece = []
    if piece:
        yield _written(piece)


def _size(blocks: list[Block]) -> int:
    return sum(len(b.text.split()) for b in blocks)


def _written(blocks: list[Block]) -> str:
    first = blocks[0]
    text = f"{first.lead}\n\n{first.text}" if first.lead else first.text
    return text + "".join(block.glue + block.text for block in blocks[1:])


def _short_blocks(body: str) -> Iterator[Block]:
    for block in blocks(body):
        if len(block.text.split()) <= LONG:
            yield block
        else:
            yield from _sentences(block)


def _sentences(block: Block) -> Iterator[Block]:
    glue = block.glue
    for sentence in SENTENCE_END.split(block.text):
        words = sentence.split(" ")
        for start in range(0, len(words), LONG):
            yield Block(" ".join(words[start : start + LONG]), block.lead, glue)
            glue = " "


def blocks(body: str) -> Iterator[Block]:
    """Paragraphs, list items and table rows with their lead-ins."""
    lead, kind, gap = "", "", "\n\n"
    for group in _line_groups(body):
        text, group_kind, blank_before = group
        gap = "\n\n" if blank_before else "\n"
        if group_kind == "text":
            yield Block(text, "", gap)
            lead = text.rsplit("\n", 1)[-1] if LEAD_IN.search(text) else ""
        else:
            if group_kind == "row" and kind != "row":
                lead = lead or text
            is_first_row = group_kind == "row" and text == lead
            yield Block(text, "" if is_first_row else lead, gap)
        kind = group_kind


def _line_groups(body: str) -> Iterator[tuple[str, str, bool]]:
    """Lines put together: (text, "text" | "item" | "row", whether a blank line stood before)."""
    lines: list[str] = []
    kind, blank_before = "", False
    for before, line in pairwise(["", *body.split("\n")]):
        starts = _starts(line, before, kind)
        if starts and lines:
            yield "\n".join(lines), kind, blank_before
            lines, blank_before = [], not before.strip()
        if line.strip():
            kind = starts or kind
            lines.append(line)
    if lines:
        yield "\n".join(lines), kind, blank_before


def _starts(line: str, before: str, kind: str) -> str:
    """The kind of the group that a line begins; "" where it goes on with the one before or is blank."""
    if not line.strip() or (TABLE_RULE.match(line) and kind == "row"):
        return ""
    if TABLE_ROW.match(line):
        return "row"
    if ITEM.match(line):
        return "item"
    if kind == "item" and NESTED.match(line):
        return ""
    return "text" if not before.strip() or kind in ("", "row") else ""
