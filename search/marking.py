"""A passage as safe HTML with the matched words marked: on the rendered text, never inside a tag.

Called by `find`.
"""

import re
from collections.abc import Iterable, Set

from django.utils.safestring import SafeString, mark_safe

from catalogue.rules.render import to_html
from catalogue.text import fold
from search.analysis import Token, tokens
from search.wordlists import word_list

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
    for token in marked_words(text, folds, language):
        written += [text[last : token.start], "<mark>", text[token.start : token.end], "</mark>"]
        last = token.end
    return "".join([*written, text[last:]])


def marked_words(text: str, folds: Set[str], language: str) -> list[Token]:
    """The words to mark: single ones unless they are little words, those of a term where they all stand."""
    words = [t for t in tokens(text, language) if not t.is_joined]
    little = word_list(language).stop_as_written
    places = {i for i, t in enumerate(words) if t.fold in folds and t.exact not in little}
    folded = [t.fold for t in words]
    for term in (whole.split() for whole in folds if " " in whole):
        starts = (i for i in range(len(words) - len(term) + 1) if folded[i : i + len(term)] == term)
        places.update(place for i in starts for place in range(i, i + len(term)))
    return [words[place] for place in sorted(places)]


def beside(pairs: Iterable[tuple[str, str]], text: str, language: str) -> list[tuple[str, str]]:
    """Each asked word with the first words of the text that were met for it, as they stand there.

    `pairs` has folded words, those of a longer term with blanks between them; the same word is left out.
    """
    found: dict[str, str] = {}
    for asked, met in pairs:
        marked = marked_words(text, {met}, language)[: len(met.split())]
        as_printed = text[marked[0].start : marked[-1].end] if marked else ""
        if as_printed and asked not in found and fold(asked) != met:
            found[asked] = as_printed
    return list(found.items())
