"""Where a passage stands: its neighbours in the text, and the same place in the game's other languages.

Turns what `find` found, or one section that a reader opens, into the cards that the pages show. Reads only,
in a number of queries that does not grow with the number of cards. Called by the views.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from catalogue.anchors import aliases
from catalogue.models import Revision, RulesText
from catalogue.rules.pages import page_of
from catalogue.rules.sections import Section, parse
from search import parallel
from search.analysis import OTHER, shelf_language
from search.find import PassageHit


@dataclass(frozen=True, slots=True)
class Place:
    """A section of a text that a reader may go to; `heading` is empty above the first heading."""

    text_id: int
    language: str
    anchor: str
    heading: str


@dataclass(frozen=True, slots=True)
class Card(PassageHit):
    """A passage with the ways that lead on from it.

    `elsewhere` has one place for each other language in which the same is said. `lacking` is the asker's
    language where the game has no text in it; empty where it has, or where the asker chose this text.
    `is_part` says that the passage is a piece of a longer section; `page`, of the print, where it begins.
    """

    elsewhere: tuple[Place, ...] = ()
    previous: Place | None = None
    following: Place | None = None
    lacking: str = ""
    is_part: bool = False
    page: int | None = None

    @property
    def html(self) -> SafeString:
        """As of every hit; links within the text lead to the page of the whole text."""
        whole = reverse("rules-text", args=[self.text_id])
        html: str = PassageHit.html.fget(self)  # type: ignore[attr-defined]
        # The hit's own safe HTML, and an address of ours.
        return mark_safe(html.replace('href="#', f'href="{whole}#'))  # noqa: S308


@dataclass(frozen=True, slots=True)
class Version:
    """A rules text in its current state, cut into sections."""

    text: RulesText
    number: int
    made_at: datetime
    sections: tuple[Section, ...]

    def place(self, at: int) -> Place:
        """The section of that number as a place."""
        section = self.sections[at]
        return Place(self.text.pk, self.text.language, section.anchor, section.heading)

    def find(self, anchor: str) -> int | None:
        """The number of the section with that anchor."""
        return next((i for i, section in enumerate(self.sections) if section.anchor == anchor), None)


def cards(hits: Sequence[PassageHit], *, asker: str) -> tuple[PassageHit, ...]:
    """The hits as cards, for somebody who asked in language `asker`; a game's record stays as it is."""
    by_game = versions({hit.game_id for hit in hits if hit.text_id is not None})
    return tuple(_card(hit, by_game[hit.game_id], asker) for hit in hits)


def section_card(text: RulesText, anchor: str) -> Card | None:
    """One section of a text in its current state; None where it has no such section.

    `anchor` is that of the section or of a passage in it (`fin~2`), of now or of a state before.
    """
    siblings = versions({text.game_id})[text.game_id]
    version = next((v for v in siblings if v.text.pk == text.pk), None)
    at = _lookup(version, anchor.partition("~")[0]) if version else None
    if version is None or at is None:
        return None
    return _with_ways(_as_hit(version, version.sections[at]), siblings, asker="")


def _lookup(version: Version, anchor: str) -> int | None:
    at = version.find(anchor)
    return at if at is not None else version.find(aliases(version.text).get(anchor, ""))


def versions(games: Iterable[int]) -> dict[int, list[Version]]:
    """The current states of all texts of some games, by game."""
    latest = Revision.objects.filter(rules_text=OuterRef("pk")).order_by("-made_at", "-number")
    texts = RulesText.objects.filter(game__in=games).select_related("game")
    found: defaultdict[int, list[Version]] = defaultdict(list)
    for text in texts.annotate(
        words=Subquery(latest.values("body")[:1]),
        number=Subquery(latest.values("number")[:1]),
        made_at=Subquery(latest.values("made_at")[:1]),
    ):
        if text.number is not None:
            found[text.game_id].append(Version(text, text.number, text.made_at, sections_of(text.words)))
    return found


@lru_cache(maxsize=256)
def sections_of(body: str) -> tuple[Section, ...]:
    """The sections of a text; remembered, since a page of results asks for the same few texts again."""
    return parse(body)


def _card(hit: PassageHit, siblings: Sequence[Version], asker: str) -> PassageHit:
    return hit if hit.text_id is None else _with_ways(hit, siblings, asker)


def _as_hit(version: Version, section: Section) -> PassageHit:
    text = version.text
    return PassageHit(
        game_id=text.game_id,
        game_title=text.game.title,
        text_id=text.pk,
        kind=text.kind,
        language=text.language,
        edition=text.edition,
        revision=version.number,
        revised_at=version.made_at,
        anchor=section.anchor,
        path=section.path,
        body=section.body,
        score=0.0,
        source_name=text.source_name,
        source_url=text.source_url,
        licence=text.licence,
    )


def _with_ways(hit: PassageHit, siblings: Sequence[Version], asker: str) -> Card:
    known: dict[str, Any] = {field.name: getattr(hit, field.name) for field in fields(PassageHit)}
    lacking = asker if _is_lacking(asker, siblings) else ""
    version = next((v for v in siblings if v.text.pk == hit.text_id), None)
    at = version.find(hit.anchor) if version else None
    if version is None or at is None:
        return Card(**known, lacking=lacking)
    before, behind = _neighbours(version, at, hit.body)
    return Card(
        **known,
        elsewhere=tuple(_elsewhere(version, at, siblings)),
        previous=before,
        following=behind,
        lacking=lacking,
        is_part=version.sections[at].body.strip() not in hit.body,
        page=page_of(version.sections, at, hit.body),
    )


def _is_lacking(asker: str, siblings: Sequence[Version]) -> bool:
    if not asker or asker == OTHER:
        return False
    return shelf_language(asker) not in {shelf_language(v.text.language) for v in siblings}


def _neighbours(version: Version, at: int, body: str) -> tuple[Place | None, Place | None]:
    """The nearest sections before and behind that hold words which are not in the passage itself."""

    def is_new(i: int) -> bool:
        words = version.sections[i].body.strip()
        return bool(words) and words not in body

    before = next((i for i in range(at - 1, -1, -1) if is_new(i)), None)
    behind = next((i for i in range(at + 1, len(version.sections)) if is_new(i)), None)
    return (
        None if before is None else version.place(before),
        None if behind is None else version.place(behind),
    )


def _elsewhere(version: Version, at: int, siblings: Sequence[Version]) -> Iterator[Place]:
    """The place in the first text of each other language in which it was surely found."""
    seen = {version.text.language}
    for other in siblings:
        if other.text.language in seen or other.text.kind != version.text.kind:
            continue
        anchor = parallel.align(version.sections, other.sections, version.text.language, other.text.language)[
            at
        ]
        there = None if anchor is None else other.find(anchor)
        if there is not None:
            seen.add(other.text.language)
            yield other.place(there)
