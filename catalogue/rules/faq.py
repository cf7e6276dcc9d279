"""Entries of a FAQ in our Markdown: a question as a heading, its answer under it.

Pure functions on texts. An entry is known by the anchor of its heading (see `sections`); whatever else stands
in the text, written by hand or imported, stays letter for letter. Called by `catalogue.questions`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from catalogue.rules.markup import escape, inline_text
from catalogue.rules.sections import HEADING, anchors

MARKS = 2
DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """A heading with everything under it; `first` and `end` count lines, `question` is free of marks."""

    anchor: str
    question: str
    answer: str
    marks: int
    first: int
    end: int


def entries(body: str) -> tuple[Entry, ...]:
    """Every heading of the text as an entry, in reading order; one with subheadings holds them as well."""
    lines = body.splitlines(keepends=True)
    heads = list(_heads(lines))
    names = anchors(name for _, _, name in heads)
    found = []
    for at, ((first, marks, name), anchor) in enumerate(zip(heads, names, strict=True)):
        end = next((line for line, depth, _ in heads[at + 1 :] if depth <= marks), len(lines))
        answer = "".join(lines[first + 1 : end]).strip("\n")
        found.append(Entry(anchor, name, answer, marks, first, end))
    return tuple(found)


def with_entry(body: str, question: str, answer: str, *, old: Entry | None = None) -> tuple[str, str]:
    """The text with an entry, in place of `old` or at the end; and the anchor that it now has."""
    lines = body.splitlines(keepends=True)
    first, end, marks = (old.first, old.end, old.marks) if old else (len(lines), len(lines), MARKS)
    before, after = "".join(lines[:first]).rstrip("\n"), "".join(lines[end:]).lstrip("\n")
    written = f"{'#' * marks} {heading(question)}\n\n{_below(answer, marks)}"
    made = "\n\n".join(part for part in (before, written, after) if part)
    at = len(f"{before}\n\n".splitlines()) if before else 0
    return made, next(e.anchor for e in entries(made) if e.first == at)


def without_entry(body: str, old: Entry) -> str:
    """The text without that entry of it."""
    lines = body.splitlines(keepends=True)
    before, after = "".join(lines[: old.first]).rstrip("\n"), "".join(lines[old.end :]).lstrip("\n")
    return "\n\n".join(part for part in (before, after) if part)


def moved(before: str, after: str) -> dict[str, str]:
    """The anchors that entries left alone have lost to another: of two with the same heading one may go."""
    now: dict[tuple[str, str], list[str]] = {}
    for e in entries(after):
        now.setdefault((e.question, e.answer), []).append(e.anchor)
    found = {e.anchor: now.get((e.question, e.answer), [e.anchor]) for e in entries(before)}
    return {old: new[0] for old, new in found.items() if old not in new}


def heading(question: str) -> str:
    """A question as the words of a heading: none of its characters reads as a mark."""
    written = escape(question)
    words, blank, last = written.rpartition(" ")
    # A heading may be closed by marks; a question that ends in one is not.
    return f"{words} \\{last}" if blank and not last.strip("#") else written


def _heads(lines: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Line, number of marks and words of each heading, by the rule of `sections`."""
    for at, line in enumerate(lines):
        found = HEADING.fullmatch(line.rstrip("\r\n"))
        name = " ".join(inline_text(found[2]).split()) if found else ""
        if found and name:
            yield at, len(found[1]), name


def _below(answer: str, marks: int) -> str:
    """The answer with its own headings, if it has any, deeper than the question's."""
    return "\n".join(_deeper(line, marks) for line in answer.strip("\n").split("\n"))


def _deeper(line: str, marks: int) -> str:
    found = HEADING.fullmatch(line)
    if not found or len(found[1]) > marks:
        return line
    return "#" * min(marks + 1, DEEPEST) + line[len(found[1]) :]
