"""Runs of text with their emphasis, written as our Markdown so that no mark can eat or glue a word.

A mark is only ever set between a letter or digit and whatever stands outside, where Markdown reads it in one
way; blanks and punctuation at the ends of a run move outside.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby

from catalogue.rules.markup import escape


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look. `target` is what a link points to, in the source's own terms; empty: no link."""

    text: str
    bold: bool = False
    italic: bool = False
    target: str = ""

    @property
    def marks(self) -> str:
        return "*" * (2 * self.bold + self.italic)


def markdown(runs: Iterable[Run], anchor_of: Callable[[str], str]) -> str:
    """One line. `anchor_of` gives the anchor of a target, "" for an unknown one: its text stays alone."""
    parts = []
    for target, group in groupby(runs, key=lambda run: run.target):
        text = "".join(_emphasised(list(group)))
        anchor = anchor_of(target) if target else ""
        parts.append(_linked(text, anchor) if anchor else text)
    return "".join(parts)


def plain(runs: Iterable[Run]) -> str:
    """The same line without any mark."""
    return "".join(run.text for run in runs)


def _linked(text: str, anchor: str) -> str:
    """Blanks stay outside; a bracket in the text would end it too early."""
    label = text.strip().replace("[", "\\[").replace("]", "\\]").replace("\\\\]", "\\]")
    if not label:
        return text
    lead = text[: len(text) - len(text.lstrip())]
    return f"{lead}[{label}](#{anchor}){text[len(text.rstrip()) :]}"


def _emphasised(runs: list[Run]) -> Iterator[str]:
    for run in _untouching(runs):
        first = next((i for i, mark in enumerate(run.text) if mark.isalnum()), None)
        if first is None or not run.marks:
            yield escape(run.text)
            continue
        last = max(i for i, mark in enumerate(run.text) if mark.isalnum()) + 1
        yield escape(run.text[:first]) + run.marks + escape(run.text[first:last]) + run.marks
        yield escape(run.text[last:])


def _untouching(runs: list[Run]) -> list[Run]:
    """Two emphasised runs within one word become one: `**a***b*` has more than one reading."""
    kept: list[Run] = []
    for run in runs:
        if not run.text:
            continue
        before = kept[-1] if kept else None
        if before and before.marks and run.marks and before.text[-1].isalnum() and run.text[0].isalnum():
            run = replace(run, bold=before.bold, italic=before.italic)
        if before and before.marks == run.marks:
            kept[-1] = replace(before, text=before.text + run.text)
        else:
            kept.append(run)
    return kept
