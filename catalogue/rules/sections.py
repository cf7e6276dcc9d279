"""The section tree of a rules text in our Markdown, and the anchors of its headings.

The one place that decides what a heading is: rendering, search and links all follow it. An anchor is made of
the heading's words, so that it outlives text moved or inserted before it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalogue.rules.markup import inline_text
from catalogue.text import NOT_WORD, fold

HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*?)(?:[ \t]+#+)?[ \t]*")
TOP = "top"
LONGEST_ANCHOR = 80


@dataclass(frozen=True, slots=True)
class Section:
    """One heading and what stands under it, without its subsections.

    `level` is the depth in the tree (1 for the outermost, 0 for text before the first heading), `path` the
    headings from the outermost down to this one; both are free of marks. `body` is Markdown.
    """

    anchor: str
    level: int
    heading: str
    path: tuple[str, ...]
    body: str


def parse(markdown: str) -> tuple[Section, ...]:
    """The sections in reading order. A text without words has none."""
    drafts = list(_split(markdown))
    names = iter(anchors(heading for _, heading, _ in drafts if heading))
    sections = []
    above: list[tuple[int, str]] = []
    for hashes, heading, body in drafts:
        while above and above[-1][0] >= hashes:
            above.pop()
        if heading:
            above.append((hashes, heading))
        path = tuple(name for _, name in above)
        sections.append(Section(next(names) if heading else TOP, len(path), heading, path, body))
    return tuple(sections)


def _split(markdown: str) -> Iterator[tuple[int, str, str]]:
    """Number of hashes (0: none), heading without marks, body."""
    hashes, heading = 0, ""
    lines: list[str] = []
    for line in markdown.splitlines():
        found = HEADING.fullmatch(line)
        name = " ".join(inline_text(found[2]).split()) if found else ""
        if not found or not name:
            lines.append(line)
            continue
        if heading or any(map(str.strip, lines)):
            yield hashes, heading, _body(lines)
        hashes, heading, lines = len(found[1]), name, []
    if heading or any(map(str.strip, lines)):
        yield hashes, heading, _body(lines)


def _body(lines: list[str]) -> str:
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def anchors(headings: Iterable[str]) -> tuple[str, ...]:
    """An anchor for each heading; the second of the same words gets `-2`, the third `-3`."""
    taken = {TOP}
    times: dict[str, int] = {TOP: 1}
    made = []
    for heading in headings:
        base = slug(heading)
        times[base] = times.get(base, 0) + 1
        anchor = base if times[base] == 1 else f"{base}-{times[base]}"
        while anchor in taken:
            times[base] += 1
            anchor = f"{base}-{times[base]}"
        taken.add(anchor)
        made.append(anchor)
    return tuple(made)


def slug(heading: str) -> str:
    """`Fin de la partie` -> `fin-de-la-partie`; a heading of marks alone is `section`."""
    return NOT_WORD.sub("-", fold(heading)).strip("-")[:LONGEST_ANCHOR].strip("-") or "section"
