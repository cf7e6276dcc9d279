"""Reading the table of copies of a PMB notice, with bars or as one run of words.

Without bars nothing parts the cells: a barcode (digits, or letters and digits) and the words for
availability mark the ends of a row, the header's order says what the rest is, the record's category
tells the section, a capital letter begins the next cell.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

from catalogue.draft import CopyDraft, Problem, Reason
from catalogue.text import fold, one_line


class Column(StrEnum):
    """A column of the table, by the words of its header."""

    BARCODE = "Code-barres"
    CALL_NUMBER = "Cote"
    SUPPORT = "Support"
    BRANCH = "Localisation"
    SUBSECTION = "Sous section"
    SECTION = "Section"
    AVAILABILITY = "Disponibilité"
    LEVEL = "Niveau du jeu"


HEADER_WORD = "|".join(re.escape(c.value) for c in Column)
HEADER = re.compile(rf"^\s*(?:(?:{HEADER_WORD})\s+)*(?:{HEADER_WORD})(?=\s|$)")
AVAILABILITY = re.compile(
    r"\b(?:Disponible|Indisponible|Exclu(?:e)? du prêt|Réservée?|Empruntée?|Perdue?|En réserve|En commande"
    r"|En réparation|En traitement|Consultable sur place|Consultation sur place"
    r"|Sortie? jusqu['’]au \d\d/\d\d/\d{4}|En prêt(?:\s*\([^)]*\))?)"
)
BARCODE = re.compile(r"(?<![\w/])(?:[A-Z]{0,4}\d{4,14})(?![\w/])")
LONGEST_ROW = 500  # what is longer is no row of a table but a text that looked like one
RULE_OF_TABLE = re.compile(r"^[\s|:-]+$")
SUPPORTS = (
    "Livre",
    "DVD",
    "CD audio",
    "CD",
    "Jeu",
    "Jouet",
    "Cartes et plans",
    "Périodique",
    "Revue",
    "Vidéo",
)
JOINING = {
    "de",
    "des",
    "du",
    "d",
    "la",
    "le",
    "les",
    "l",
    "et",
    "aux",
    "au",
    "à",
    "a",
    "en",
    "sur",
    "pour",
    "-",
}
CONDITIONS = {
    "exclu": "not_for_loan",
    "consult": "not_for_loan",
    "perdu": "lost",
    "en reparation": "in_repair",
}


def read(table: str, categories: Sequence[str]) -> tuple[list[CopyDraft], list[str]]:
    """The copies of a table, and the rows that have no barcode, as printed."""
    rows = _bar_rows(table) if "|" in table else _run_on_rows(table, categories)
    with_barcode = [row for row in rows if row.get(Column.BARCODE)]
    without = [" ".join(row.values()) for row in rows if not row.get(Column.BARCODE)]
    return [_copy(row) for row in with_barcode], without


def _copy(row: dict[Column, str]) -> CopyDraft:
    availability = row.get(Column.AVAILABILITY, "")
    known = AVAILABILITY.search(availability)
    note = availability[: known.start()].strip() if known else availability
    return CopyDraft(
        barcode=row[Column.BARCODE],
        call_number=row.get(Column.CALL_NUMBER, ""),
        section=row.get(Column.SECTION, ""),
        branch=row.get(Column.BRANCH, ""),
        condition=_condition(known[0] if known else ""),
        note=note,
    )


def _condition(availability: str) -> str:
    """What stays true of the box; who has it now is the lending desk's knowledge, not the catalogue's."""
    folded = fold(availability)
    return next((value for words, value in CONDITIONS.items() if folded.startswith(words)), "in_service")


# --- with bars ---------------------------------------------------------------------------------


def _bar_rows(table: str) -> list[dict[Column, str]]:
    lines = [line for line in table.split("\n") if "|" in line and not RULE_OF_TABLE.match(line)]
    if not lines:
        return []
    columns = [_column(cell) for cell in _cells(lines[0])]
    rows = (zip(columns, _cells(line), strict=False) for line in lines[1:])
    return [{c: value for c, value in row if c and value} for row in rows]


def _cells(line: str) -> list[str]:
    return [one_line(cell) for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]


def _column(header: str) -> Column | None:
    return next((c for c in Column if fold(c.value) == fold(header)), None)


# --- without bars ------------------------------------------------------------------------------


def _run_on_rows(table: str, categories: Sequence[str]) -> list[dict[Column, str]]:
    text = one_line(table)
    header = HEADER.match(text)
    if not header:
        return []
    columns = [Column(word) for word in re.findall(HEADER_WORD, header[0])]
    return [_row(row, columns, categories) for row in _row_texts(text[header.end() :])]


def _row_texts(text: str) -> list[str]:
    """A row ends behind its availability."""
    ends = [0, *(m.end() for m in AVAILABILITY.finditer(text))]
    return [text[start:end].strip() for start, end in pairwise(ends)]


def _row(text: str, columns: Sequence[Column], categories: Sequence[str]) -> dict[Column, str]:
    row: dict[Column, str] = {}
    available = AVAILABILITY.search(text)
    if available:
        row[Column.AVAILABILITY] = available[0]
        text = text[: available.start()].strip()
    codes = list(BARCODE.finditer(text))
    if codes and Column.BARCODE in columns:
        code = codes[0] if columns[0] is Column.BARCODE else codes[-1]
        row[Column.BARCODE] = code[0]
        text = one_line(f"{text[: code.start()]} {text[code.end() :]}")
    others = [c for c in columns if c not in (Column.BARCODE, Column.AVAILABILITY, Column.LEVEL)]
    return row | _share_out(text, others, categories)


def _share_out(text: str, columns: Sequence[Column], categories: Sequence[str]) -> dict[Column, str]:
    """Give each column its words: a known section or support first, the rest by capitals."""
    if len(text) > LONGEST_ROW:
        return {}
    for column, known in ((Column.SECTION, categories), (Column.SUPPORT, SUPPORTS)):
        at = columns.index(column) if column in columns else -1
        found = _find_known(text, known) if at >= 0 else None
        if found:
            before, middle, behind = found
            left = _share_out(before, columns[:at], ())
            return left | {column: middle} | _share_out(behind, columns[at + 1 :], ())
    return _by_capitals(text, columns)


def _find_known(text: str, known: Sequence[str]) -> tuple[str, str, str] | None:
    """Where one of the known values stands in a row, not at its very beginning."""
    for value in known:
        found = re.search(rf"(?<=\s){re.escape(one_line(value))}(?=\s|$)", text, re.IGNORECASE)
        if found:
            return text[: found.start()].strip(), found[0], text[found.end() :].strip()
    return None


def _by_capitals(text: str, columns: Sequence[Column]) -> dict[Column, str]:
    """A new cell begins at a capital that no joining word leads to; what is too much stays in the last."""
    if not columns:
        return {}
    cells: list[str] = []
    for word in text.split():
        joined = cells and (not word[:1].isupper() or _leads_on(cells[-1]) or len(cells) == len(columns))
        if joined:
            cells[-1] += f" {word}"
        else:
            cells.append(word)
    return dict(zip(columns, cells, strict=False))


def _leads_on(cell: str) -> bool:
    last = re.split(r"[\s'’]+", cell)[-1]
    return fold(last) in JOINING


def without_barcode(place: str, rows: Sequence[str]) -> list[Problem]:
    """A box without a barcode cannot be lent by scanning: say so for each."""
    return [Problem(place, Reason.VALUE_UNREADABLE, detail=f"copy: {row}", raw=row) for row in rows]
