"""Rules text -> passages: the pieces that search finds and shows, each under one heading, 40 to 180 words.

A passage's body is the text's own Markdown, word for word; where a list or a table is cut, each piece begins
with the line that leads it in. All but `targets` are pure functions on Markdown. Called by `documents`; pages
that show a text ask `targets` where its passages begin.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise

from catalogue.anchors import aliases
from catalogue.models import RulesText
from catalogue.rules import pages
from catalogue.rules.sections import TOP, Section, parse
from catalogue.text import name_key

SMALL, TARGET, LONG = 40, 120, 180
LONGEST_LEAD = 40
ITEM = re.compile(r"^(?:[-*+•]|\d{1,3}[.)]|[a-z][.)])\s")
NESTED = re.compile(r"^\s+\S")
TABLE_ROW = re.compile(r"^\s*\|")
END = Section("", 0, "", (), "")  # stands behind the last section of a text
TABLE_RULE_MARKS = " \t|:-"
FRAGMENT_END = re.compile(r"\n|(?<=[.!?…»”])[^\S\n]+")
WORD = re.compile(r"\S+")
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
    """A piece of a rules text. `ordinal` counts the pieces of one text; `parts` has one or more sections.

    `id` names it among the passages of its text, wherever it stands: its first section's anchor, and from
    the second piece of a section on the number of the piece: `fin-du-jeu`, `fin-du-jeu~2`. It begins at
    `line` of that section's body.
    """

    id: str
    anchor: str
    path: tuple[str, ...]
    body: str
    parts: tuple[Part, ...]
    line: int = 0
    ordinal: int = 0

    @property
    def size(self) -> int:
        """How many words it has."""
        return len(self.body.split())


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a list item or a table row; `lead` is the line that it needs in front to be understood.

    It begins at `line` of the body, and `glue` stands between it and the block before.
    """

    text: str
    line: int
    lead: str = ""
    glue: str = "\n\n"

    @property
    def size(self) -> int:
        """How many words it has."""
        return len(self.text.split())


def cut(markdown: str) -> tuple[Passage, ...]:
    """The passages of a text in reading order, each distinct one once."""
    pieces = [p for here, after in pairwise((*parse(markdown), END)) for p in _of_section(here, after)]
    distinct = _without_repeats(_merged(pieces))
    return tuple(replace(p, ordinal=i) for i, p in enumerate(distinct))


def spoken(markdown: str) -> str:
    """The text with link targets and page marks blanked out: they are no words. Places stay the same."""
    return pages.blanked(LINK_TARGET.sub(lambda target: " " * len(target.group()), markdown))


def targets(text: RulesText, markdown: str) -> dict[str, list[tuple[int, str]]]:
    """What links lead to within sections, for `catalogue.rules.render`: passages, and anchors of old.

    By anchor, (line of the section's body, id): the line at which a further piece begins; -1 for an anchor
    that the section had, and for the place before the first heading. `markdown` is a state of the text.
    """
    sections = {section.anchor for section in parse(markdown)}
    found: dict[str, list[tuple[int, str]]] = {TOP: [(-1, TOP)]} if TOP in sections else {}
    for old, anchor in aliases(text).items():
        if anchor in sections and old not in sections:
            found.setdefault(anchor, []).append((-1, old))
    for passage in cut(markdown):
        if passage.id not in sections:
            found.setdefault(passage.anchor, []).append((passage.line, passage.id))
    return found


def _of_section(section: Section, after: Section) -> Iterator[Passage]:
    """Its pieces. A heading with nothing under it, not even a subsection, is a text of its own."""
    part = Part(section.anchor, section.path, 0)
    pieces = split_body(section.body)
    if not pieces and after.level <= section.level:
        pieces = [(0, section.heading)]
    for number, (line, body) in enumerate(pieces, start=1):
        name = section.anchor if number == 1 else f"{section.anchor}~{number}"
        yield Passage(name, section.anchor, section.path, body, (part,), line)


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
    if all(passage.path and passage.path[-1].endswith("?") for passage in (before, piece)):
        return False  # of a FAQ, each question with its answer is whole
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


def split_body(body: str) -> list[tuple[int, str]]:
    """The body of a section in pieces of at most `LONG` words, each with the line at which it begins.

    It is cut at paragraphs and items; only what is longer than a whole piece at lines, sentences or words.
    """
    body = body.strip("\n")
    words = len(body.split())
    if not words:
        return []
    if words <= LONG:
        return [(0, body)]
    goal = words / round(words / TARGET)
    pieces: list[list[Block]] = [[]]
    size = 0
    for block in _short_blocks(body):
        if pieces[-1] and (size >= goal or size + block.size > LONG):
            pieces.append(_lead_of(pieces[-1], block))
            size = sum(b.size for b in pieces[-1]) or len(block.lead.split())
        pieces[-1].append(block)
        size += block.size
    _join_last(pieces)
    return [(piece[0].line, _written(piece)) for piece in pieces]


def _lead_of(piece: list[Block], following: Block) -> list[Block]:
    """What a piece must hand over to the next one: a short line that leads in its first block."""
    last = piece[-1]
    leads_in = bool(following.lead) and last.text.endswith(following.lead) and last.size <= LONGEST_LEAD
    return [piece.pop()] if leads_in and len(piece) > 1 else []


def _join_last(pieces: list[list[Block]]) -> None:
    """A short rest goes with the piece before it where both fit into one."""
    if len(pieces) < 2:
        return
    rest, before = (sum(b.size for b in piece) for piece in (pieces[-1], pieces[-2]))
    if rest < SMALL and rest + before + len(pieces[-2][0].lead.split()) <= LONG:
        last = pieces.pop()
        pieces[-1] += last


def _written(blocks: list[Block]) -> str:
    """The blocks as they stand; what a piece begins with is moved to the margin."""
    first = blocks[0]
    text = "".join([first.text, *(block.glue + block.text for block in blocks[1:])])
    indent = len(text) - len(text.lstrip(" "))
    if indent:
        text = re.sub(rf"^ {{1,{indent}}}", "", text, flags=re.MULTILINE)
    return f"{first.lead}\n\n{text}" if first.lead else text


def _short_blocks(body: str) -> Iterator[Block]:
    for block in blocks(body):
        if block.size + len(block.lead.split()) <= LONG:
            yield block
        else:
            yield from _fragments(block)


def _fragments(block: Block) -> Iterator[Block]:
    """A block's lines, its sentences, and of an endless sentence so many words as fit into a piece."""
    room = LONG - len(block.lead.split())
    line, glue, start = block.line, block.glue, 0
    for found in chain(FRAGMENT_END.finditer(block.text), (None,)):
        end = found.start() if found else len(block.text)
        for text, gap in _runs_of_words(block.text[start:end], room):
            yield Block(text, line, block.lead, gap or glue)
        if found:
            line, glue, start = line + (found[0] == "\n"), found[0], found.end()


def _runs_of_words(text: str, most: int) -> Iterator[tuple[str, str]]:
    """The text in runs of at most `most` words, each with the blanks before it."""
    words = list(WORD.finditer(text))
    if len(words) <= most:
        yield text, ""
        return
    end = 0
    for first in range(0, len(words), most):
        last = words[min(first + most, len(words)) - 1].end()
        start = words[first].start() if first else 0
        yield text[start:last], text[end:start]
        end = last


def blocks(body: str) -> Iterator[Block]:
    """Paragraphs, list items and table rows with their lead-ins."""
    lead, kind = "", ""
    for group in _line_groups(body):
        gap = "\n\n" if group.blank_before else "\n"
        if group.kind == "text":
            yield Block(group.text, group.line, "", gap)
            lead = _lead(group.text)
        else:
            is_head = group.kind == "row" and kind != "row"
            yield Block(group.text, group.line, lead, gap)
            if is_head and len(group.text.split()) <= LONGEST_LEAD:
                lead = f"{lead}\n\n{group.text}" if lead else group.text
        kind = group.kind


def _lead(text: str) -> str:
    """The line with which a paragraph leads in what follows it; of a long line its last sentence."""
    if not LEAD_IN.search(text):
        return ""
    line = text.rsplit("\n", 1)[-1]
    line = line if len(line.split()) <= LONGEST_LEAD else FRAGMENT_END.split(line)[-1]
    return line if len(line.split()) <= LONGEST_LEAD else ""


@dataclass(frozen=True, slots=True)
class _Group:
    """Lines that belong together; `kind` is text, item or row."""

    text: str
    kind: str
    line: int
    blank_before: bool


def _line_groups(body: str) -> Iterator[_Group]:
    lines: list[str] = []
    kind, at, blank_before = "", 0, False
    for number, (before, line) in enumerate(pairwise(["", *body.split("\n")])):
        starts = _starts(line, before, kind)
        if starts and lines:
            yield _Group("\n".join(lines), kind, at, blank_before)
            lines, blank_before = [], not before.strip()
        if line.strip():
            at = at if lines else number
            kind = starts or kind
            lines.append(line)
    if lines:
        yield _Group("\n".join(lines), kind, at, blank_before)


def _starts(line: str, before: str, kind: str) -> str:
    """The kind of the group that a line begins; "" where it goes on with the one before or is blank."""
    if not line.strip() or (kind == "row" and not line.strip(TABLE_RULE_MARKS)):
        return ""
    if TABLE_ROW.match(line):
        return "row"
    if ITEM.match(line):
        return "item"
    if kind == "item" and NESTED.match(line):
        return ""
    return "text" if not before.strip() or kind in ("", "row") else ""
