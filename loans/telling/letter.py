"""A letter as a value: paragraphs and lists in one language, shown as plain text, as HTML, or on paper.

Pure: what stands in it was decided by `compose`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a list, with what can be done about it."""

    text: str
    link: str = ""
    link_text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; its line breaks are kept."""

    text: str
    small: bool = False

    @property
    def lines(self) -> tuple[Line, ...]:
        """None: it is no list."""
        return ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A list: of games, of members."""

    lines: tuple[Line, ...]


Block = Paragraph | Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Letter:
    """What is written to one household on one day. `language` is BCP 47."""

    subject: str
    language: str
    blocks: tuple[Block, ...]

    def as_text(self) -> str:
        """The letter for readers of plain text."""
        return "\n\n".join(_as_text(block) for block in self.blocks) + "\n"

    def without_links(self) -> "Letter":
        """The letter as it is kept and printed: what may be done once by its receiver is not for others."""
        return replace(self, blocks=tuple(_without_links(block) for block in self.blocks))

    def as_json(self) -> dict[str, Any]:
        """The form in which a row keeps it."""
        return {
            "subject": self.subject,
            "language": self.language,
            "blocks": [_as_json(block) for block in self.blocks],
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Letter":
        """The letter that was kept by `as_json`."""
        blocks = tuple(_from_json(block) for block in kept["blocks"])
        return cls(subject=kept["subject"], language=kept["language"], blocks=blocks)


def _as_text(block: Block) -> str:
    if isinstance(block, Paragraph):
        return block.text
    return "\n".join(_line_as_text(line) for line in block.lines)


def _line_as_text(line: Line) -> str:
    text = f"- {line.text}"
    if line.note:
        text += f"\n  {line.note}"
    return f"{text}\n  {line.link_text}: {line.link}" if line.link else text


def _without_links(block: Block) -> Block:
    if isinstance(block, Paragraph):
        return block
    return Listing(tuple(replace(line, link="", link_text="") for line in block.lines))


def _as_json(block: Block) -> dict[str, Any]:
    if isinstance(block, Paragraph):
        return {"text": block.text, "small": block.small}
    return {"lines": [[line.text, line.link, line.link_text, line.note] for line in block.lines]}


def _from_json(kept: Mapping[str, Any]) -> Block:
    if "lines" in kept:
        return Listing(tuple(Line(*line) for line in kept["lines"]))
    return Paragraph(kept["text"], kept["small"])
