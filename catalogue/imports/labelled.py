"""Cutting saved pages of other catalogues into records: lines with a label, lines with a unit, and the rest.

Three layouts are met: `Marque : Haba`, `Éditeur | Haba |`, and no labels at all (`15 minutes 2 à 4 joueurs`).
The words of the labels are those of table headings (see `headings`). `catalogue_page` says what they mean.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from catalogue.imports.headings import KNOWN, Field, heading_key
from catalogue.rules import words
from catalogue.text import fold, name_key, one_line

BULLET = re.compile(r"^[ \t\u00a0]*(?:[•●▪◦·*–—-]|[►▶])[ \t\u00a0]+")
COLON_LABEL = re.compile(r"(?P<label>[^\W\d_][^:|\n]{1,45}?)[ \t\u00a0]*:(?![/\d])[ \t\u00a0]*(?P<value>.*)")
LONGEST_LABEL = 45
LONGEST_SHORT = 90
BACK = re.compile(
    r"(?:retour|revenir|<|«|←|back to|zuruck|volver)\b.{0,40}"
    r"(?:page|liste|catalogue|catalog|resultats|recherche|results|list|ubersicht|katalog|catalogo|lista).{0,40}"
)
NAVIGATION = re.compile(
    r"\b(?:catalogue|catalog|katalog|catalogo|accueil|home|menu|recherche|connexion|mon compte|panier"
    r"|imprimer|partager|login|suche|inicio|page precedente|page suivante)\b|ludotheque\w"
)
_SPAN = r"(?P<{0}>(?:de\s+|von\s+|from\s+)?\d{{1,3}}(?:\s*(?:à|a|-|–|bis|to|/)\s*\d{{1,3}})?\+?)\s*(?:{1})\b"
UNITS = {
    Field.MINUTES: re.compile(
        _SPAN.format("n", r"minutes?|minuten|minutos|min|mn|heures?|h|stunden?|hours?"), re.IGNORECASE
    ),
    Field.PLAYERS: re.compile(
        _SPAN.format("n", r"joueurs?|joueuses?|spieler\w*|players?|jugadores|personnes"), re.IGNORECASE
    ),
    Field.AGE: re.compile(
        _SPAN.format("n", r"ans|mois|jahren?|monaten?|years?|months|años|meses")
        + r"(?:\s*(?:et\s*(?:\+|plus)|\+|und älter|and up))?",
        re.IGNORECASE,
    ),
}
MORE_LABELS = {
    "caracteristique": Field.KEYWORDS,
    "caracteristiques": Field.KEYWORDS,
    "public": Field.AGE,
    "joueur": Field.PLAYERS,
    "nombre de joueur": Field.PLAYERS,
    "a partir de": Field.AGE_MIN,
    "nb de joueurs": Field.PLAYERS,
    "regle du jeu": Field.IGNORED,
    "regles du jeu": Field.IGNORED,
    "regles": Field.IGNORED,
    "ressources": Field.IGNORED,
    "site officiel": Field.IGNORED,
}
LONG = {Field.PRINCIPLE, Field.CONTENTS, Field.NOTE, Field.PEDAGOGY}
FACTS = {Field.PLAYERS, Field.PLAYERS_MIN, Field.PLAYERS_MAX, Field.AGE, Field.AGE_MIN, Field.MINUTES}
NAMES = {Field.PUBLISHER, Field.AUTHOR, Field.ILLUSTRATOR, Field.YEAR, Field.CONTENTS, Field.CATEGORY}


@dataclass(slots=True)
class Page:
    """One record as cut out: what stands under which label, and the lines without one."""

    line: int
    raw: str
    said: dict[Field, list[tuple[str, str]]] = field(default_factory=dict)  # field -> (label, value)
    unknown: list[tuple[str, str]] = field(default_factory=list)
    head: list[str] = field(default_factory=list)  # lines before the first label or unit
    rest: list[str] = field(default_factory=list)

    def first(self, which: Field) -> str:
        """The first value under a label of that meaning that is not empty."""
        return next((value for _label, value in self.said.get(which, ()) if value), "")

    def all(self, which: Field) -> list[str]:
        """Every value under such labels."""
        return [value for _label, value in self.said.get(which, ()) if value]


def is_page(text: str) -> bool:
    """Whether it is surely a page: of its first record, facts of a game and names under labels."""
    found = {which for _label, which, _value in _labels(text[:20000])}
    return len(found & FACTS) > 1 and len(found & NAMES) > 1 and len(found) > 4


def may_be_page(text: str) -> bool:
    """Whether it looks like one: two facts of a game, by labels or by units, near the beginning."""
    start = text[:3000]
    labelled = {which for _label, which, _value in _labels(start)}
    short = " ".join(line for line in start.split("\n") if len(line) < LONGEST_SHORT)
    with_unit = {which for which, pattern in UNITS.items() if pattern.search(short)}
    return len(labelled & FACTS) > 1 or len(with_unit | (labelled & FACTS)) > 1


def _labels(text: str) -> Iterator[tuple[str, Field, str]]:
    for line in text.split("\n"):
        found = _labelled(_bare(line))
        if found and found[1]:
            yield found[0], found[1], found[2]


def cut(text: str) -> list[Page]:
    """The records of a page, in order."""
    lines = text.split("\n")
    starts = _starts(lines)
    pages = []
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        page = _page(lines[start:end], start + 1)
        if page.head or page.said:
            pages.append(page)
    return pages


def _starts(lines: Sequence[str]) -> list[int]:
    """A record begins at a way back to the list, or at a title under a label that was there before."""
    backs = [i for i, line in enumerate(lines) if is_back(line)]
    titles = [i for i, line in enumerate(lines) if _is_title(line)]
    if len(titles) > 1:
        return [0, *titles[1:]]
    before_words = [i for i in backs if any(line.strip(" |") for line in lines[:i])]
    behind_words = [i for i in before_words if any(len(line.strip()) > 2 for line in lines[i + 1 :])]
    return [0, *behind_words]


def _is_title(line: str) -> bool:
    found = _labelled(_bare(line))
    return found is not None and found[1] is Field.TITLE and bool(found[2])


def is_back(line: str) -> bool:
    """`Retour à la page précédente`, `Retour au catalogue`."""
    return len(line) < 60 and BACK.match(fold(line).strip(" |<«←")) is not None


def _bare(line: str) -> str:
    return BULLET.sub("", line).replace("\u00a0", " ").strip()


def _labelled(line: str) -> tuple[str, Field | None, str] | None:
    """Label, what it means (None: not known), value; None for a line without a label."""
    if "|" in line:
        cells = [one_line(cell) for cell in line.strip("| ").split("|")]
        label = cells[0].rstrip(" :")
        if not label or len(label) > LONGEST_LABEL or (len(cells) == 1 and not line.rstrip().endswith("|")):
            return None
        return label, _meaning(label), " | ".join(cell for cell in cells[1:] if cell)
    found = COLON_LABEL.fullmatch(line)
    if not found:
        # A heading of rules, alone on its line, is one of the words that follow it.
        return (line, _meaning(line), "") if _meaning(line) in LONG and not is_heading(line) else None
    return found["label"], _meaning(found["label"]), found["value"].strip()


def is_heading(line: str) -> bool:
    """Whether a line alone is a usual heading of rules."""
    return len(line) <= LONGEST_LABEL and name_key(line) in words.MAIN


def _meaning(label: str) -> Field | None:
    key = heading_key(label)
    return MORE_LABELS.get(key) or KNOWN.get(key) or KNOWN.get(re.sub(r" s$", "", key))


def _page(lines: Sequence[str], number: int) -> Page:
    page = Page(number, "\n".join(lines).strip())
    open_field: list[tuple[str, str]] | None = None
    seen_label = False
    for line in map(_bare, lines):
        found = _labelled(line)
        text = line.strip("| ")
        if found and (found[1] or ("|" in line and found[2])):
            label, which, value = found
            seen_label = True
            place = page.said.setdefault(which, []) if which else page.unknown
            place.append((label, value))
            open_field = place if which in LONG and not value else None
        elif not text or is_back(line):
            continue
        elif open_field is not None:
            label, value = open_field[-1]
            open_field[-1] = (label, f"{value}\n{text}".strip())
        elif seen_label or page.rest or len(text) > LONGEST_SHORT or is_heading(text):
            page.rest.append(text)
        else:
            page.head.append(text)
    _move_units(page)
    return page


def _move_units(page: Page) -> None:
    """Facts that only their units tell, out of the short lines; what is left of those stays."""
    text = "\n".join(page.head)
    for which, pattern in UNITS.items():
        found = None if page.said.get(which) else pattern.search(text)
        if found:
            page.said[which] = [("", one_line(found[0]))]
            text = text[: found.start()] + " " + text[found.end() :]
    page.head = [line for line in map(one_line, text.split("\n")) if line and name_key(line)]


def title_of(page: Page) -> tuple[str, list[str]]:
    """The title, and the short lines of the head that are not it.

    Without a label it is what a line further on says again, else the first that is no part of the site.
    """
    own = [line for line in page.head if not NAVIGATION.search(fold(line))]
    if labelled := page.first(Field.TITLE):
        return labelled, own
    others = [line for line in page.rest + page.all(Field.PRINCIPLE)[-1:] if line]
    tails = [re.split(r"\s[:|–—-]\s", part)[-1] for line in others for part in line.split("\n")]
    said_again = next((line for line in own if name_key(line) in map(name_key, tails)), "")
    title = said_again or next(iter(own), "")
    return title, [line for line in own if line != title]
