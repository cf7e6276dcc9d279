"""Reader of rules printed as a PDF. The first line names the game, unless the caller says whose they are.

Never raises for bad data, never touches the database.
"""

from collections.abc import Iterator
from hashlib import sha256

from catalogue.draft import (
    Doubt,
    GameDraft,
    Problem,
    Reason,
    RecordDraft,
    RevisionDraft,
    RulesDraft,
    RulesHead,
)
from catalogue.imports.text_language import TextLanguage, language_of
from catalogue.rules import pages, pdf, words
from catalogue.rules.pdf import Leaflet, Refused
from catalogue.text import name_key, one_line

FORMAT = "pdf"
SECONDS = 300  # of an import, where nobody waits for a page: a scanned leaflet takes some seconds a page
REASONS = {
    Refused.ENCRYPTED: Reason.PDF_ENCRYPTED,
    Refused.BROKEN: Reason.PDF_BROKEN,
    Refused.TOO_MANY_PAGES: Reason.TOO_LARGE,
    Refused.TOO_LARGE: Reason.TOO_LARGE,
    Refused.TOO_LONG: Reason.PDF_TOO_LONG,
    Refused.NO_TEXT: Reason.PDF_NO_TEXT,
}


def read(
    data: bytes, asked: str = "", *, otherwise: str = "", seconds: int = SECONDS
) -> Iterator[RecordDraft | Problem]:
    """The one rules text of a PDF, with what could not be read of it.

    `asked` is its language where the caller knows it, `otherwise` the one taken where its words do not tell.
    """
    leaflet = pdf.read(data, seconds=seconds)
    if leaflet.refused:
        yield Problem("", REASONS[leaflet.refused], detail=leaflet.detail)
        return
    yield from problems(leaflet)
    markdown = pages.to_markdown(leaflet.pages)
    language = language_of("\n".join(leaflet.pages), asked=asked)
    game = _first_line(leaflet)
    if not language.tag and otherwise:
        language = TextLanguage(otherwise, is_guessed=True)
    if not language.tag:
        yield Problem("page 1", Reason.LANGUAGE_UNKNOWN, detail=game, raw=markdown[:1000])
        return
    key = f"{FORMAT}:{sha256(data).hexdigest()[:32]}"
    head = RulesHead(language=language.tag, title=game[:300], source_key=f"{key}:rules")
    raw = "\f".join(leaflet.pages)
    yield RecordDraft(
        key=key,
        game=GameDraft(title=game[:500]),
        raw=raw,
        format=FORMAT,
        is_title_only=True,
        rules=(RulesDraft(head, (RevisionDraft(body=markdown, source_key=key, raw=raw),)),),
        doubts=((Doubt.LANGUAGE_GUESSED, language.tag),) if language.is_guessed else (),
        place="page 1",
    )


def problems(leaflet: Leaflet) -> Iterator[Problem]:
    """A word for each page that has no text, and for those that were read from a picture."""
    for number in leaflet.unread:
        yield Problem(f"page {number}", Reason.PAGE_UNREAD)
    for number in leaflet.seen:
        yield Problem(f"page {number}", Reason.PAGE_SEEN)


def _first_line(leaflet: Leaflet) -> str:
    lines = (one_line(line.strip("#* \t")) for page in leaflet.pages for line in page.split("\n"))
    said = [line for line in lines if line]
    return next((line for line in said if name_key(line) not in words.MAIN), said[0])
