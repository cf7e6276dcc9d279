"""The words of the letters: those that Ludotheca came with (`texts/*.toml`), or a library's own.

A letter is made of parts: a greeting, one part for each kind of notice, a closing. Only reads: the library's
own words are written by `loans.notice_settings`.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from loans.models import NoticeText
from loans.telling import placeholders
from loans.telling.kinds import STAGES, Kind
from loans.telling.placeholders import Mistake

FOLDER = Path(__file__).parent / "texts"
SHORT = 60
"""A paragraph whose lines are all shorter is meant to be in lines."""

LANGUAGES = ("fr", "en", "es", "de")
GREETING, CLOSING = "greeting", "closing"
PARTS = (
    GREETING,
    *(kind.value for kind in (Kind.WELCOME, Kind.DUE_SOON, Kind.DUE_TODAY, *STAGES)),
    *(kind.value for kind in (Kind.HOLD_READY, Kind.HOLD_LAPSED, Kind.MEMBERSHIP_ENDING, Kind.RECEIPT)),
    CLOSING,
)
"""The parts as a librarian meets them: as a membership goes."""

EVERYWHERE = ("name", "library", "address")
OF_GAMES = (*EVERYWHERE, "games", "count", "day")
LATE = (*OF_GAMES, "fee")
KNOWN: Mapping[str, tuple[str, ...]] = {
    GREETING: EVERYWHERE,
    Kind.DUE_SOON: OF_GAMES,
    Kind.DUE_TODAY: OF_GAMES,
    Kind.LATE_1: LATE,
    Kind.LATE_2: LATE,
    Kind.LATE_3: LATE,
    Kind.HOLD_READY: OF_GAMES,
    Kind.HOLD_LAPSED: (*EVERYWHERE, "games", "count"),
    Kind.MEMBERSHIP_ENDING: (*EVERYWHERE, "members", "day"),
    Kind.WELCOME: (*EVERYWHERE, "card"),
    Kind.RECEIPT: EVERYWHERE,
    CLOSING: EVERYWHERE,
}
"""The placeholders of each part."""

LISTS = frozenset({"games", "members"})
"""Placeholders that are a list where they stand alone in a paragraph, and names with commas elsewhere."""


@dataclass(frozen=True, slots=True)
class PartText:
    """The words of a part; greeting and closing have no subject."""

    subject: str
    body: str
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class Wording:
    """All parts and words of one language."""

    language: str
    parts: Mapping[str, PartText]
    words: Mapping[str, str]


def wording(language: str) -> Wording:
    """The words of a language, the library's own where it has some; one query."""
    shipped = shipped_wording(language)
    own = {
        row.part: PartText(row.subject, row.body, is_own=True)
        for row in NoticeText.objects.filter(language=shipped.language)
    }
    return Wording(shipped.language, {**shipped.parts, **own}, shipped.words)


@cache
def shipped_wording(language: str) -> Wording:
    """The words that Ludotheca came with. Raises KeyError for a language that it does not write."""
    if language not in LANGUAGES:
        raise KeyError(language)
    read = tomllib.loads((FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    parts = {part: PartText(read[part].get("subject", ""), _unwrapped(read[part]["body"])) for part in PARTS}
    return Wording(language, parts, read["words"])


def own_languages(part: str) -> list[str]:
    """In which languages the library has words of its own for a part."""
    return list(NoticeText.objects.filter(part=part).values_list("language", flat=True))


def has_subject(part: str) -> bool:
    """Whether a letter may be headed by this part."""
    return part not in {GREETING, CLOSING}


def mistakes_in(part: str, text: str) -> list[Mistake]:
    """What cannot be filled in in a text of this part."""
    return placeholders.mistakes(text, KNOWN[part])


def _unwrapped(body: str) -> str:
    """Paragraphs whose lines the file wraps, as one line each; the short lines of a closing stay."""
    paragraphs = body.strip().split("\n\n")
    return "\n\n".join(_joined(paragraph) for paragraph in paragraphs)


def _joined(paragraph: str) -> str:
    lines = paragraph.split("\n")
    return " ".join(lines) if max(map(len, lines)) > SHORT else paragraph
