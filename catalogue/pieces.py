"""What the box should hold: a printed list of contents as components.

`1 plan de jeu, 108 fruits, 44 tuiles fruits` -> three components. The words stay as printed; only the count
is taken out. What has no count that can be read is a component without one. Called by imports and forms.
"""

import re
from dataclasses import dataclass

from catalogue.rules.words import PIECES
from catalogue.text import name_key, one_line


@dataclass(frozen=True, slots=True)
class Component:
    """One kind of piece. `count` is None where the list does not say it."""

    count: int | None
    name: str


NUMBER_WORDS = {
    word: number
    for number, words in {
        1: "un une uno una one a an ein eine een",
        2: "deux dos two zwei due twee",
        3: "trois tres three drei tre drie",
        4: "quatre cuatro four vier quattro",
        5: "cinq cinco five fünf cinque vijf",
        6: "six seis sechs sei zes",
        7: "sept siete seven sieben sette zeven",
        8: "huit ocho eight acht otto",
        9: "neuf nueve nine neun nove negen",
        10: "dix diez ten zehn dieci tien",
        11: "onze once eleven undici",
        12: "douze doce twelve zwölf dodici twaalf",
        15: "quinze quince fifteen fünfzehn quindici vijftien",
        16: "seize dieciséis sixteen sechzehn sedici zestien",
        20: "vingt veinte twenty zwanzig venti twintig",
        24: "vingt-quatre veinticuatro twenty-four vierundzwanzig",
        30: "trente treinta thirty dreißig dreissig trenta dertig",
        40: "quarante cuarenta forty vierzig quaranta veertig",
        50: "cinquante cincuenta fifty fünfzig cinquanta vijftig",
        60: "soixante sesenta sixty sechzig sessanta zestig",
        100: "cent cien hundred hundert cento honderd",
    }.items()
    for word in words.split()
}
_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_ORDINAL = r"(?:ers?|res?|nde?s?|e|è?mes?|èmes?|st|th|rd|º|ª|[A-Z])\b"

BULLET = re.compile(r"^\s*(?:[-–—•●▪◦*·]\s*|\d{1,2}[.)]\s+(?=\d))")
PRODUCT = re.compile(r"^(\d{1,4})\s*[x×*]\s*(\d{1,4})(?!\w)\s*")
_RANGE = r"(?!\s*(?:[-–+]|à|to|bis|ou|or|oder|a|tot)\s*\d)"
_UNIT = r"(?:(?:Stk|Stck|pcs|pces|pz|uds?|st)\.?\s+|(?:Stück|stuks)\s+)?"
THOUSANDS = re.compile(r"^(\d{1,3}(?:[. '’]\d{3})+)(?![\d.,])\s+(?=\w)")
FIRST = re.compile(rf"^(\d{{1,5}})(?:\s*[x×*](?=\s))?(?!\s*{_ORDINAL}){_RANGE}(?![\d.,/*%+])\s*{_UNIT}(?=\S)")
_COLLECTIVE = r"(?!\w*aines?\b|couple|dozens?\b|dutzend|paar\b|docena|decena|centenar)"
WORDED = re.compile(rf"^({_WORD})\s+{_COLLECTIVE}(?=\w)", re.IGNORECASE)
LAST = re.compile(
    r"\s*(?:\((?:[x×]\s*)?(\d{1,5})(?:\s*[x×])?\)|(?<!\d)(?<!\d\s)[x×]\s*(\d{1,5})|[:=]\s*(\d{1,5}))\s*$"
)
LAST_PRODUCT = re.compile(r"\s*\(([1-9]|1[0-2])\s*[x×*]\s*(\d{1,4})\)\s*$")
LAST_BARE = re.compile(r"(?<=\w)\s+(\d{1,4})\s*$")
# French and Spanish "en 2 parties" describes one piece; Dutch "en 2 dobbelstenen" is another one.
_OF_ONE_PIECE = r"part|couleur|colo|morceau|pi[eè]ces?\b|pieza|langue|idioma|exemplaire|forme|taille|volet"
_AND = rf"et|and|y|e|und|sowie|ainsi que|plus|as well as|&|en(?!\s+\d+\s+(?:{_OF_ONE_PIECE}))"
CONJUNCTION = re.compile(rf"\s+(?:{_AND})\s+(?=(?:\d|(?:{_WORD})\s))", re.IGNORECASE)
RUN_ON = re.compile(r"(?<=\))\s+(?=\d{1,4}\s+\w)|(?<=\w)\s+(?=\d\s*r[èe]gles?\b)")
SEPARATOR = re.compile(r"\s+--\s+|\s+[-–—•|/+]\s+(?=\d)")
LONGEST_LABEL = 60
FULL_STOP = re.compile(r"(?<![.])\.\s*$")
NAMED = re.compile(r"\w")
STARTS_WITH_COUNT = re.compile(r"\s*\d")


def split(contents: str) -> tuple[Component, ...]:
    """The components in printed order."""
    lines = [_unlabelled(BULLET.sub("", one_line(line))) for line in contents.splitlines()]
    lines = [line for line in lines if line.strip()]
    counted = sum(bool(STARTS_WITH_COUNT.match(line)) for line in lines)
    is_one_a_line = len(lines) > 1 and counted * 2 > len(lines)
    pieces = [piece for line in lines for piece in _pieces(line, is_one_a_line=is_one_a_line)]
    named = [piece for piece in pieces if NAMED.search(piece)]
    read = _counted_last if _are_counted_last(named) else _component
    return tuple(map(read, named))


def _unlabelled(line: str) -> str:
    """Without the heading over or before the list: `Contenu: 4 dés` -> `4 dés`."""
    label, colon, rest = line[:LONGEST_LABEL].partition(":")
    if name_key(label) not in PIECES:
        return line
    return rest + line[LONGEST_LABEL:] if colon else line[LONGEST_LABEL:]


def _pieces(line: str, *, is_one_a_line: bool) -> list[str]:
    """A line cut at its commas and semicolons outside brackets.

    In a list with one piece a line, a comma only cuts where a count follows: the rest is description.
    """
    cut: list[str] = []
    start = depth = 0
    for at, mark in enumerate(line):
        depth = max(0, depth + (mark in "([{") - (mark in ")]}"))
        if depth or mark not in ",;" or _is_decimal(line, at):
            continue
        if is_one_a_line and mark == "," and not STARTS_WITH_COUNT.match(line, at + 1):
            continue
        cut.append(line[start:at])
        start = at + 1
    cut.append(line[start:])
    return [FULL_STOP.sub("", part).strip() for piece in cut for part in _parts(piece)]


def _is_decimal(line: str, at: int) -> bool:
    return line[at] == "," and line[max(at - 1, 0) : at].isdigit() and line[at + 1 : at + 2].isdigit()


def _parts(piece: str) -> list[str]:
    """A piece cut where a further count follows without a comma."""
    if "(" in piece and ")" not in piece:
        return [piece]
    runs = (run for stretch in _whole(SEPARATOR, piece) for run in RUN_ON.split(stretch))
    return [part for run in runs for part in _whole(CONJUNCTION, run)]


def _whole(cut: re.Pattern[str], run: str) -> list[str]:
    """`3 dés et 2 pions` is two; brackets stay whole."""
    parts = cut.split(run)
    whole = all(part.count("(") == part.count(")") for part in parts)
    return parts if whole else [run]


def _are_counted_last(pieces: list[str]) -> bool:
    """Whether this is a list like `fruits 108, tuiles 44`: alone, a last number may be part of a name."""
    if len(pieces) < 2 or any(_component(piece).count is not None for piece in pieces):
        return False
    return sum(bool(LAST_BARE.search(piece)) for piece in pieces) * 2 > len(pieces)


def _counted_last(piece: str) -> Component:
    found = LAST_BARE.search(piece)
    return Component(int(found[1]), piece[: found.start()]) if found else Component(None, piece)


def _component(piece: str) -> Component:
    if found := PRODUCT.match(piece):
        return Component(int(found[1]) * int(found[2]), piece[found.end() :].strip() or piece)
    if found := THOUSANDS.match(piece):
        return Component(int(re.sub(r"\D", "", found[1])), piece[found.end() :].strip())
    if found := FIRST.match(piece):
        return Component(int(found[1]), piece[found.end() :].strip())
    if (found := LAST_PRODUCT.search(piece)) and piece[: found.start()].strip():
        return Component(int(found[1]) * int(found[2]), piece[: found.start()].strip())
    if (found := LAST.search(piece)) and piece[: found.start()].strip():
        return Component(int(found[1] or found[2] or found[3]), piece[: found.start()].strip())
    if found := WORDED.match(piece):
        return Component(NUMBER_WORDS[found[1].casefold()], piece[found.end() :].strip())
    return Component(None, piece)
