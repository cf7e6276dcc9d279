"""A passage as safe HTML with the matched words marked: on the rendered text, never inside a tag.

Called by `find`.
"""

import re
from collections.abc import Set

from django.utils.safestring import SafeString, mark_safe

from catalogue.rules.render import to_html
from search.analysis import tokens

TAG_OR_ENTITY = re.compile(r"(<[^<>]*>|&[#\w]+;)")
HEADING_ID = re.compile(r'(<h[1-6])\s+id="[^"]*"')

TITLE_LEVEL = 3  # the pages show a passage under an <h3> of its own


def marked_html(markdown: str, folds: Set[str], language: str) -> SafeString:
    """The passage rendered; words whose folded form is in `folds` stand in <mark>.

    Anchors are left out: one page shows many passages, and each id must be unique on it.
    """
    html = HEADING_ID.sub(r"\1", str(to_html(markdown, below=TITLE_LEVEL)))
    return mark_safe(mark_words(html, folds, language))  # noqa: S308 to_html has cleaned it


def mark_words(html: str, folds: Set[str], language: str) -> str:
    """Put <mark> around the words; tags and entities are stepped over."""
    pieces = TAG_OR_ENTITY.split(html)
    pieces[::2] = [_mark(text, folds, language) for text in pieces[::2]]
    return "".join(pieces)


def _mark(text: str, folds: Set[str], language: str) -> str:
    written, last = [], 0
    for token in tokens(text, language):
        if token.fold in folds and not token.is_joined and token.start >= last:
            written += [text[last : token.start], "<mark>", text[token.start : token.end], "</mark>"]
            last = token.end
    return "".join([*written, text[last:]])
