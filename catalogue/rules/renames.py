"""Which section of a text's new state says what a section of its old state said, where the heading changed.

Pure functions on Markdown. A section is only followed where it is clearly the same one: by its words, its
heading, and its place among the sections that stayed. Called by `catalogue.anchors`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from rapidfuzz import fuzz

from catalogue.rules.sections import HEADING, Section, parse
from catalogue.text import name_key

NUMBER = re.compile(r"\d+")
SAME, SAME_UNDER_LIKE_HEADING, LIKE_HEADING = 82.0, 60.0, 80.0
"""Percent of likeness of two bodies, of two bodies under like headings, and of two like headings."""
CLEARLY = 8.0
"""By how much the best must be better than the next."""
MERGED, WHOLE = 92.0, 8
"""How much of a section of at least so many words must stand in another one that took it in."""
COMPARED = 2_000  # characters of a body: enough to know it by
NEAR, MOST_COMPARED = 8, 4_000
"""Sections looked at on either side, and comparisons in all: a text may have thousands of headings."""


@dataclass(frozen=True, slots=True)
class _Words:
    """A section as it is compared."""

    anchor: str
    heading: str
    body: str
    size: int


def renamed(old: str, new: str) -> dict[str, str]:
    """Anchor that `new` lacks -> the anchor under which its section goes on there."""
    if _headings(old) == _headings(new):
        return {}
    before, after = _words(parse(old)), _words(parse(new))
    places = {section.anchor: place for place, section in enumerate(after)}
    gone = {place for place, section in enumerate(before) if section.anchor not in places}
    if not gone or not after:
        return {}
    return dict(_followed(before, gone, after, places))


def _headings(markdown: str) -> list[str]:
    return [line for line in markdown.splitlines() if HEADING.fullmatch(line)]


def _words(sections: Sequence[Section]) -> list[_Words]:
    keys = ((s, name_key(s.body[: 2 * COMPARED])[:COMPARED]) for s in sections)
    return [_Words(s.anchor, name_key(s.heading), body, len(body.split())) for s, body in keys]


def _followed(
    before: Sequence[_Words], gone: Set[int], after: Sequence[_Words], places: dict[str, int]
) -> Iterator[tuple[str, str]]:
    stayed = {section.anchor for section in before} & places.keys()
    same_words = _by_body(after)
    budget = MOST_COMPARED
    at = -1  # where in `after` the reading stands: behind what was met last
    for place, section in enumerate(before):
        if place not in gone:
            at = places[section.anchor]
            continue
        twins = same_words.get(section.body, []) if section.size else []
        found = twins[0] if len(twins) == 1 else None
        if found is None and budget > 0:
            near = range(max(0, at), min(at + 1 + NEAR, len(after)))
            budget -= len(near)
            found = _best(section, [(n, after[n]) for n in near], stayed)
        if found is not None:
            at = max(at, found)
            yield section.anchor, after[found].anchor


def _by_body(sections: Sequence[_Words]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place, section in enumerate(sections):
        found[section.body].append(place)
    return found


def _best(section: _Words, near: Sequence[tuple[int, _Words]], stayed: Set[str]) -> int | None:
    """The place of the one section nearby that is clearly this one; None where none or two are."""
    ranked = sorted(((_likeness(section, other, stayed), place) for place, other in near), reverse=True)
    if not ranked or not ranked[0][0] or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < CLEARLY):
        return None
    return ranked[0][1]


def _likeness(section: _Words, other: _Words, stayed: Set[str]) -> float:
    """0 where they are not the same; a section that stayed can only have taken this one in."""
    if not section.size or not other.size:
        is_free = section.size == other.size and other.anchor not in stayed
        return _heading_likeness(section, other) if is_free else 0.0
    if section.size >= WHOLE and section.size < other.size:
        inside = fuzz.partial_ratio(section.body, other.body, score_cutoff=MERGED)
        if inside:
            return inside
    if other.anchor in stayed:
        return 0.0
    needed = SAME_UNDER_LIKE_HEADING if _heading_likeness(section, other) else SAME
    return fuzz.ratio(section.body, other.body, score_cutoff=needed)


def _heading_likeness(section: _Words, other: _Words) -> float:
    """0 where they are not alike: `Phase 1` and `Phase 2` never are."""
    if NUMBER.findall(section.heading) != NUMBER.findall(other.heading):
        return 0.0
    return fuzz.token_set_ratio(section.heading, other.heading, score_cutoff=LIKE_HEADING)
