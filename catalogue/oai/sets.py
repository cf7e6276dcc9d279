"""Sets of OAI-PMH: the kinds of games, the branches and the sections. A set's name says where it comes from
(`type-jeu`, `branch-3`), and there is no hierarchy: a harvester asks for one of them or for all.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from catalogue.models import Branch, Copy, Game, RemovedGame, Section
from catalogue.text import name_key

PLACE = re.compile(r"(branch|section)-([1-9][0-9]{0,17})")
OTHER = re.compile(r"[^a-z0-9 ]+")


@dataclass(frozen=True, slots=True)
class Set:
    """A set as it is listed."""

    spec: str
    name: str


def listed() -> list[Set]:
    """Every set that holds a game."""
    kinds = {type_spec(kind): kind for kind in _kinds()}
    found = [Set(spec, kind) for spec, kind in sorted(kinds.items())]
    for model, word in ((Branch, "branch"), (Section, "section")):
        rows = model.objects.filter(copies__isnull=False).order_by("pk").distinct()
        found += [Set(f"{word}-{row.pk}", row.name) for row in rows]
    return found


def specs_of(game: Game) -> tuple[str, ...]:
    """The sets of a game; quick where its copies are prefetched."""
    copies = list(game.copies.all())
    found = [type_spec(game.document_type)] if game.document_type else []
    found += sorted({f"branch-{copy.branch_id}" for copy in copies if copy.branch_id})
    found += sorted({f"section-{copy.section_id}" for copy in copies if copy.section_id})
    return tuple(found)


def type_spec(kind: str) -> str:
    """`Jeu de société` -> `type-jeu-de-societe`; a letter that a set's name cannot have is its bytes."""
    key = OTHER.sub(lambda found: f".{found[0].encode().hex()}", name_key(kind))
    return f"type-{key.replace(' ', '-')}"


def games_in(spec: str) -> Q:
    """Which games are in a set; none in one that there is not."""
    if place := PLACE.fullmatch(spec):
        return Q(pk__in=Copy.objects.filter(**{place[1]: int(place[2])}).values("game"))
    return Q(document_type__in=[kind for kind in _kinds() if type_spec(kind) == spec])


def removed_from(spec: str) -> Q:
    """Which games that are gone were in a set when they went."""
    return Q(sets__contains=f"|{spec}|")


def kept(specs: Iterable[str]) -> str:
    """The sets of a game that goes, as `RemovedGame` keeps them."""
    return "".join(f"|{spec}|" for spec in specs)


def of_removed(gone: RemovedGame) -> tuple[str, ...]:
    """The inverse of `kept`."""
    return tuple(spec for spec in gone.sets.split("|") if spec)


def _kinds() -> Iterable[str]:
    found = Game.objects.exclude(document_type="").order_by("document_type")
    return found.values_list("document_type", flat=True).distinct()
