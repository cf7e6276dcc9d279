"""Two rules texts of a game side by side, section by section. Reads only; called by the views."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from catalogue.models import RulesText
from catalogue.rules.render import body_to_html
from catalogue.rules.sections import Section
from search import parallel
from search.places import Version, versions

DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A section as one side shows it; `whole` is the address of its text if its anchors are not here."""

    section: Section
    whole: str = ""

    @property
    def level(self) -> int:
        """Under the page's own <h1>."""
        return min(1 + self.section.level, DEEPEST)

    @property
    def html(self) -> SafeString:
        """The words under the heading; links within the text lead to where their anchors are."""
        html = body_to_html(self.section.body)
        return mark_safe(html.replace('href="#', f'href="{self.whole}#'))  # noqa: S308 cleaned, and our address


@dataclass(slots=True)
class Row:
    """What stands on one height. Two sections that say the same; else what nothing was surely found for."""

    here: list[Piece] = field(default_factory=list)
    there: list[Piece] = field(default_factory=list)
    is_pair: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """Two texts and their rows, in the order of the first."""

    here: RulesText
    there: RulesText
    rows: list[Row]

    @property
    def pairs(self) -> int:
        """How many sections stand beside their like."""
        return sum(row.is_pair for row in self.rows)


def beside(here: RulesText, there: RulesText) -> Beside | None:
    """The two texts in their current states; None if they are one, or of two games, or without a state."""
    if here.game_id != there.game_id or here.pk == there.pk:
        return None
    states = {version.text.pk: version for version in versions({here.game_id})[here.game_id]}
    one, other = states.get(here.pk), states.get(there.pk)
    if one is None or other is None:
        return None
    return Beside(here, there, _rows(one, other, _partners(one, other)))


def _partners(here: Version, there: Version) -> list[int | None]:
    """For each section here the number of its like there."""
    anchors = parallel.align(here.sections, there.sections, here.text.language, there.text.language)
    return [None if anchor is None else there.find(anchor) for anchor in anchors]


def _rows(here: Version, there: Version, partners: Sequence[int | None]) -> list[Row]:
    """Pairs in the order of `here`; what there has no partner stands behind the section that it follows."""
    lone = _lone(len(there.sections), partners)
    whole = reverse("rules-text", args=[there.text.pk])
    pieces = [Piece(section, whole) for section in there.sections]
    rows = [Row(there=[pieces[j] for j in lone.get(-1, ())])]
    for section, partner in zip(here.sections, partners, strict=True):
        if partner is None:
            if rows[-1].is_pair:
                rows.append(Row())
            rows[-1].here.append(Piece(section))
            continue
        rows.append(Row([Piece(section)], [pieces[partner]], is_pair=True))
        if partner in lone:
            rows.append(Row(there=[pieces[j] for j in lone[partner]]))
    return [row for row in rows if row.here or row.there]


def _lone(count: int, partners: Sequence[int | None]) -> dict[int, list[int]]:
    """The sections there that have no partner, by the nearest one before them that has (-1: none)."""
    paired = {partner for partner in partners if partner is not None}
    lone: dict[int, list[int]] = {}
    before = -1
    for j in range(count):
        if j in paired:
            before = j
        else:
            lone.setdefault(before, []).append(j)
    return lone
