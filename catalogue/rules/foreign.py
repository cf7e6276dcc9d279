"""Rules kept as a file of their own, in whatever form, to our Markdown: HTML, DocBook, wikitext, plain text.

The form is told from the text. Called by imports.
"""

import re
from enum import StrEnum

from catalogue.rules import plain, webpage, wikitext

TAGS = re.compile(
    r"<(?:/?(?:p|h[1-6]|li|ul|ol|div|td|para|section|listitem|br)\b[^<>]{0,300})/?>", re.IGNORECASE
)
PAGE_START = re.compile(
    r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype|html|head|body|book|article|section|chapter|h[1-6]|div|p)\b",
    re.IGNORECASE | re.DOTALL,
)
WIKI_HEADING = re.compile(r"^ {0,3}(={2,5})[^=\n].*[^=\s].*?\1[ \t]*(?:<br ?/?>)?[ \t]*$", re.MULTILINE)
WORDS = re.compile(r"\w+\W+\w+\W+\w+\W+\w+")
FEWEST_TAGS = 2


class Form(StrEnum):
    """How a text is written."""

    PLAIN = "plain"
    WEBPAGE = "webpage"
    WIKITEXT = "wikitext"


def form_of(text: str) -> Form:
    """The form of a text."""
    if PAGE_START.match(text[:5000]) and sum(1 for _ in TAGS.finditer(text)) >= FEWEST_TAGS:
        return Form.WEBPAGE
    return Form.WIKITEXT if WIKI_HEADING.search(text) else Form.PLAIN


def to_markdown(text: str, language: str = "fr") -> str:
    """Our Markdown. `language` is the one in which pictures in wikitext are said."""
    match form_of(text):
        case Form.WEBPAGE:
            return webpage.to_markdown(text)
        case Form.WIKITEXT:
            return wikitext.to_markdown(text, language=language)
    return plain.to_markdown(text)


def is_rules(text: str) -> bool:
    """Whether it surely is a text in one of the forms with marks of their own, and says something."""
    form = form_of(text)
    if form is Form.WEBPAGE:
        return WORDS.search(re.sub(r"<[^<>]*>", " ", text)) is not None
    return form is Form.WIKITEXT and WORDS.search(text) is not None


def title_of(text: str) -> str:
    """What a page calls itself; empty for other forms, whose first line says it."""
    return webpage.title_of(text) if form_of(text) is Form.WEBPAGE else ""
