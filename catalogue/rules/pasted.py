"""Text pasted into the form: whether it is plain text in which the importer's reading finds headings.

Nothing is decided here: the form offers what was found, and the librarian says which of the two is kept.
"""

from dataclasses import dataclass

from catalogue.rules import plain
from catalogue.rules.render import to_html
from catalogue.rules.sections import parse

# Whoever sets these marks writes Markdown; reading it as plain text would print them as they stand.
MARKED = ("<strong", "<em", "<code", "<a ", "<table")


@dataclass(frozen=True, slots=True)
class Read:
    """A plain text as our Markdown, and the lines that were read as headings."""

    markdown: str
    headings: tuple[str, ...]


def read(typed: str) -> Read | None:
    """What the importer would make of the text; None where it has headings, other marks, or none to find."""
    if _headings(typed) or _is_marked(to_html(typed)):
        return None
    markdown = plain.to_markdown(typed)
    found = _headings(markdown)
    return Read(markdown, found) if found else None


def _is_marked(html: str) -> bool:
    return any(mark in html for mark in MARKED)


def _headings(markdown: str) -> tuple[str, ...]:
    return tuple(section.heading for section in parse(markdown) if section.heading)
