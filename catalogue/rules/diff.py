"""What changed between two states of a text, readable for people: lines aligned, words marked.

Time is bounded whatever the texts: lines that occur once in both are the fixed points, and the generic
comparison, quadratic at worst, only sees the short stretches between them.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TypeAlias

WORDS = re.compile(r"\s+|\w+|[^\w\s]")
LARGEST_GAP = 250_000  # product of the two lengths that the generic comparison may see
SIMILAR = 0.4  # share of words in common from which two lines are one line changed
LOOK_AHEAD = 6


class Change(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class DiffBlock:
    """A line of Markdown, or a run of words of one; `pieces` are (kind, text), kinds never `CHANGED`."""

    kind: Change
    pieces: tuple[tuple[Change, str], ...]


Span: TypeAlias = tuple[int, int, int, int]  # old from, old to, new from, new to


def compare(old: str, new: str) -> tuple[DiffBlock, ...]:
    """The lines of both texts in reading order; blank lines are left out."""
    old_lines, new_lines = _lines(old), _lines(new)
    blocks: list[DiffBlock] = []
    for is_same, (a, b, c, d) in _aligned(old_lines, new_lines):
        if is_same:
            blocks += [_whole(Change.SAME, line) for line in new_lines[c:d]]
        else:
            blocks += _replaced(old_lines[a:b], new_lines[c:d])
    return tuple(blocks)


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _whole(kind: Change, line: str) -> DiffBlock:
    return DiffBlock(kind, ((kind, line),))


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffBlock]:
    """Each new line beside the next old one that it rewords; where none is, what went, then what came."""
    bags = [_bag(line) for line in old]
    done = 0
    come: list[DiffBlock] = []
    for line in new:
        bag = _bag(line)
        ahead = range(done, min(done + LOOK_AHEAD, len(old)))
        twin = next((index for index in ahead if _likeness(bags[index], bag) >= SIMILAR), None)
        if twin is None:
            come.append(_whole(Change.ADDED, line))
            continue
        yield from (_whole(Change.REMOVED, gone) for gone in old[done:twin])
        yield from come
        yield DiffBlock(Change.CHANGED, _words(old[twin], line))
        done, come = twin + 1, []
    yield from (_whole(Change.REMOVED, gone) for gone in old[done:])
    yield from come


def _bag(line: str) -> Counter[str]:
    return Counter(word for word in WORDS.findall(line) if not word.isspace())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 1.0


def _words(old: str, new: str) -> tuple[tuple[Change, str], ...]:
    old_words, new_words = WORDS.findall(old), WORDS.findall(new)
    pieces: list[tuple[Change, str]] = []
    for is_same, (a, b, c, d) in _aligned(old_words, new_words):
        if is_same:
            pieces.append((Change.SAME, "".join(new_words[c:d])))
            continue
        removed, added = "".join(old_words[a:b]), "".join(new_words[c:d])
        pieces += [(Change.REMOVED, removed)] if removed else []
        pieces += [(Change.ADDED, added)] if added else []
    return tuple(pieces)


def _aligned(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[bool, Span]]:
    """Spans in order, same and not same by turns."""
    a = c = 0
    for size, (i, j) in _matches(old, new):
        if (a, c) < (i, j):
            yield False, (a, i, c, j)
        if size:
            yield True, (i, i + size, j, j + size)
        a, c = i + size, j + size


def _matches(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, tuple[int, int]]]:
    """Runs in common as (size, (old index, new index)), joined where they touch, ended by an empty one."""
    runs: list[tuple[int, tuple[int, int]]] = []
    a = c = 0
    for i, j in [*_fixed_points(old, new), (len(old), len(new))]:
        runs += _between(old, new, (a, i, c, j))
        runs.append((min(1, len(old) - i), (i, j)))
        a, c = i + 1, j + 1
    joined: list[tuple[int, tuple[int, int]]] = []
    for size, (i, j) in runs:
        if joined and size and (joined[-1][1][0] + joined[-1][0], joined[-1][1][1] + joined[-1][0]) == (i, j):
            joined[-1] = (joined[-1][0] + size, joined[-1][1])
        else:
            joined.append((size, (i, j)))
    return joined


def _between(old: Sequence[str], new: Sequence[str], span: Span) -> list[tuple[int, tuple[int, int]]]:
    """Runs in common of a stretch without fixed points: both ends, and what lies between if it is short."""
    a, b, c, d = span
    start = 0
    while a + start < b and c + start < d and old[a + start] == new[c + start]:
        start += 1
    end = 0
    while b - end > a + start and d - end > c + start and old[b - end - 1] == new[d - end - 1]:
        end += 1
    runs = [(start, (a, c))] if start else []
    left, right = old[a + start : b - end], new[c + start : d - end]
    if left and right and len(left) * len(right) <= LARGEST_GAP:
        found = SequenceMatcher(None, left, right).get_matching_blocks()[:-1]
        runs += [(size, (a + start + i, c + start + j)) for i, j, size in found]
    return runs + ([(end, (b - end, d - end))] if end else [])


def _fixed_points(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Positions of what occurs once in both, as long a rising sequence as there is (patience diff)."""
    once_old, once_new = _once(old), _once(new)
    pairs = [(i, once_new[item]) for item, i in once_old.items() if item in once_new]
    tails: list[int] = []  # smallest last new index of a sequence of that length
    at: list[int] = []  # which pair that is
    before: list[int] = []
    for index, (_, j) in enumerate(pairs):
        length = bisect_left(tails, j)
        before.append(at[length - 1] if length else -1)
        tails[length : length + 1] = [j]
        at[length : length + 1] = [index]
    points = []
    index = at[-1] if at else -1
    while index >= 0:
        points.append(pairs[index])
        index = before[index]
    return points[::-1]


def _once(items: Sequence[str]) -> dict[str, int]:
    """What occurs once -> where, in order. Blanks are no hold for words."""
    counts = Counter(items)
    return {item: i for i, item in enumerate(items) if counts[item] == 1 and not item.isspace()}
