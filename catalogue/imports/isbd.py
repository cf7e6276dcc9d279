"""Reading the ISBD paragraph of a PMB notice (its grammar stands in PMB's display code).

`Titre : sous-titre [type] / Auteur, Rôle ; Auteur . - Ville : Editeur, année . - importance ; format`
and on lines of their own the code and the languages. Only ever fills what the labelled part left out,
because marks inside values make the paragraph the weaker source.
"""

import re

from catalogue.imports.labels import Field

AREA = re.compile(r"\s*\.\s+-\s+")
HEAD = re.compile(r"^(?P<title>.+?)(?:\s*\[(?P<type>[^\]]+)\])?(?:\s+/\s+(?P<authors>.+))?$", re.DOTALL)
CODE = re.compile(r"\b(?:ISBN|ISSN)\s*:\s*(?P<code>[^\s:]+(?:[ -]\d+)*)")
LANGUAGES = re.compile(r"\bLangues?\s*:\s*(?P<names>[^\n]+)")
LONGEST = 4000  # a paragraph longer than that is no paragraph, and would cost the patterns too much
LINES_BEHIND = re.compile(r"\s*(?:\n|\b(?:ISBN|ISSN|Langues?)\s*:).*", re.DOTALL)


def read(paragraph: str) -> dict[Field, str]:
    """The fields that the paragraph tells, as printed."""
    paragraph = paragraph[:LONGEST]
    if not paragraph:
        return {}
    description = LINES_BEHIND.sub("", paragraph, count=1)
    areas = AREA.split(description)
    head = HEAD.match(areas[0])
    publisher = _publisher(areas[1:])
    values = {
        Field.TITLE: head["title"] if head else "",
        Field.TYPE: head["type"] or "" if head else "",
        Field.AUTHORS: head["authors"] or "" if head else "",
        Field.PUBLISHER: publisher,
        Field.YEAR: publisher.rpartition(",")[2],
        Field.CODE: _group(CODE, paragraph, "code"),
        Field.LANGUAGES: _group(LANGUAGES, paragraph, "names"),
    }
    return {name: value.strip(" .") for name, value in values.items() if value.strip(" .")}


def _publisher(areas: list[str]) -> str:
    """The area that ends in a year or in `[s.d.]`; an edition may stand before it."""
    dated = (
        area for area in areas if re.search(r",\s*(?:\[s\.d\.\]|\[?\d{4}\]?(?:\s*\([^)]*\))?)\s*\.?$", area)
    )
    return next(dated, "")


def _group(pattern: re.Pattern[str], text: str, name: str) -> str:
    found = pattern.search(text)
    return found[name] if found else ""
