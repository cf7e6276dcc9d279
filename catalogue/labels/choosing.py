"""Which boxes get a label: those scanned, those of a section, or those catalogued after a certain one.

Only reads. A list of codes may come from a scanner or a spreadsheet, one a line; what is on no box is said
with the reason, and never turned into the nearest number.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from catalogue import barcodes
from catalogue.labels import letters
from catalogue.labels.pattern import Pattern, Reading
from catalogue.models import Condition, Copy, Game, RulesKind, RulesText, Section
from catalogue.text import one_line

MOST = 1000
LONGEST_CODE = 64
GONE = (Condition.LOST, Condition.WITHDRAWN, Condition.DONATED)


@dataclass(frozen=True, slots=True)
class Scanned:
    """The boxes of a list in its order, each once; and the codes that are on none, and those misread."""

    copies: tuple[Copy, ...]
    unknown: tuple[str, ...]
    misread: tuple[str, ...]


def scanned(codes: str, pattern: Pattern) -> Scanned:
    """What a list of scanned codes stands for."""
    lines = dict.fromkeys(filter(None, (one_line(line)[:LONGEST_CODE] for line in codes.splitlines())))
    candidates = {line: barcodes.label_candidates(line) for line in lines}
    wanted = {label for labels in candidates.values() for label in labels}
    rows = {copy.barcode: copy for copy in _boxes().filter(barcode__in=wanted)}
    found: dict[int, Copy] = {}
    missing = []
    for line, labels in candidates.items():
        copy = next((rows[label] for label in labels if label in rows), None)
        if copy is None:
            missing.append(line)
        else:
            found[copy.pk] = copy
    misread = tuple(line for line in missing if pattern.read(candidates[line][-1]) == Reading.MISREAD)
    return Scanned(tuple(found.values()), tuple(line for line in missing if line not in misread), misread)


def of_section(section: Section) -> QuerySet[Copy]:
    """The boxes that stand in a section, in the order of the shelf."""
    return _boxes().filter(section=section).exclude(condition__in=GONE).order_by("call_number", "barcode")


def newer_than(copy: Copy) -> QuerySet[Copy]:
    """The boxes catalogued after this one, the oldest first."""
    return _boxes().filter(pk__gt=copy.pk).exclude(condition__in=GONE).order_by("pk")


def rules_of(copies: Sequence[Copy]) -> dict[int, RulesText]:
    """For each game (by its number) that has rules, the text whose address is printed.

    The rules before errata and questions, the oldest first: whoever opens the address reads them in their
    own language where the library has them.
    """
    texts = RulesText.objects.filter(game__in={copy.game_id for copy in copies}).order_by("-pk")
    first_last = sorted(texts, key=lambda text: text.kind == RulesKind.RULES)
    return {text.game_id: text for text in first_last}


def title_on_label(game: Game) -> str:
    """The title, or where our letters cannot print it the first other title of the game that they can."""
    if letters.is_printable(game.title):
        return game.title
    others = (other.title for other in game.alternative_titles.all())
    return next(filter(letters.is_printable, others), game.title)


def _boxes() -> QuerySet[Copy]:
    return Copy.objects.select_related("game", "section")
