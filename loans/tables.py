"""A table that can be shown, drawn as bars, and taken along as CSV. Plain values; no rows of the database.

`reports` makes them, the pages of figures show them. The bars are those of the table's own lines, so that
whoever cannot see them has the same figures beside them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.utils.formats import date_format, localize

from loans import amounts
from loans.journal_csv import BOM, csv_line


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An amount in a table."""

    cents: int


Cell = str | int | date | Money | None


@dataclass(frozen=True, slots=True)
class Bar:
    """How long the bars of a line are, in hundredths of the longest; `before`: the one to compare with."""

    now: float
    before: float | None = None


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell as it is read, with the name of its column."""

    text: str
    column: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line as it is read; the first cell leads to `url`, if there is one."""

    head: str
    cells: tuple[ShownCell, ...]
    url: str
    bar: Bar | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`bars`: the column that is drawn, and perhaps the one to compare it with. `urls`: one a row, or none.

    `total`: a last line that is not drawn. `note`: what must be known to read it rightly.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    bars: tuple[int, ...] = ()
    urls: Sequence[str] = ()
    total: tuple[Cell, ...] = ()
    note: str = ""

    def shown(self) -> list[ShownRow]:
        """The lines with their bars."""
        urls = self.urls or [""] * len(self.rows)
        longest = max((_size(row[column]) for row in self.rows for column in self.bars), default=0)
        return [
            self._shown(row, url, self._bar(row, longest)) for row, url in zip(self.rows, urls, strict=True)
        ]

    def shown_total(self) -> ShownRow | None:
        """The last line."""
        return self._shown(self.total, "", None) if self.total else None

    def headed(self) -> list[tuple[str, bool]]:
        """Each column's name, and whether it holds numbers, to stand under one another."""
        first = self.rows[0] if self.rows else ("",) * len(self.columns)
        return [(name, _is_number(cell)) for name, cell in zip(self.columns, first, strict=True)]

    def as_csv(self, *, bom: bool) -> Iterator[str]:
        """Line by line: dates as ISO 8601, amounts with a point, no text that a spreadsheet calculates."""
        yield (BOM if bom else "") + csv_line(self.columns)
        for row in self.rows:
            yield csv_line(map(_for_programs, row))

    def _shown(self, row: tuple[Cell, ...], url: str, bar: Bar | None) -> ShownRow:
        head, *cells = row
        named = zip(self.columns[1:], cells, strict=True)
        shown = (ShownCell(_for_people(cell), name, _is_number(cell)) for name, cell in named)
        return ShownRow(_for_people(head), tuple(shown), url, bar)

    def _bar(self, row: tuple[Cell, ...], longest: int) -> Bar | None:
        if not self.bars or not longest:
            return None
        lengths = [round(100 * max(_size(row[column]), 0) / longest, 1) for column in self.bars]
        return Bar(*lengths)


def _size(cell: Cell) -> int:
    if isinstance(cell, Money):
        return cell.cents
    return cell if isinstance(cell, int) else 0


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, (int, Money))


def _for_people(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Money):
        return amounts.shown(cell.cents)
    if isinstance(cell, date):
        return date_format(cell, "SHORT_DATE_FORMAT")
    return str(localize(cell))


def _for_programs(cell: Cell) -> str | int | Decimal:
    if cell is None:
        return ""
    if isinstance(cell, Money):
        return Decimal(cell.cents) / 100
    return cell.isoformat() if isinstance(cell, date) else cell
