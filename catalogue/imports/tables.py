"""Tables of other programs as rows of text: the separator, quotes, preamble and headings are found.

Rows come one at a time, each with the line or row where it stands; what cannot be a row is a Problem there
and the next one is read. Nothing is calculated: a cell that begins with `=`, `+`, `-` or `@` is text.
Workbooks come from `workbook`. Never raises for bad data.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from catalogue.draft import Problem, Reason
from catalogue.text import fold

SEPARATORS = ",;\t|"
SAMPLE_LINES = 200
SAMPLE_ROWS = 60
LONGEST_RECORD = 400  # lines of one record; a quotation mark that is never closed would take the whole file
LEAST_ALIKE = 0.6  # share of rows that have as many cells as most have, in a text that is a table
LEAST_ALIKE_UNKNOWN = 0.9
LONGEST_CELLS = 40  # characters, on average
USUAL = 0.1  # share of short rows from which on a program is taken to leave empty last cells out
DECLARED = re.compile(r"\A\s*\"?sep=(.)\"?[ \t]*\n", re.IGNORECASE)
TEXT_FORMULA = re.compile(r'\A="([^"]*)"\Z')
BREAK = re.compile(r"[ \t]*<br\s*/?>[ \t]*\n?|\r\n?", re.IGNORECASE)
CONFLICT = re.compile(r"^(?:<{7}|={7}|>{7}|\|{7})(?: .*)?$")
CELL_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
NUMERIC = re.compile(r"\A[-+]?\d[\d.,:/ ]*\Z")
PREAMBLE = 10  # rows among which the headings are looked for
IsHeading = Callable[[Sequence[str]], bool]
BLANKS = " \t\u00a0\u202f\u200b\ufeff"


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one row as text, and where it stands: "line 12", "row 12"."""

    place: str
    cells: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not any(self.cells)


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text writes its cells."""

    separator: str
    quote: str = '"'
    has_backslashes: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its headings (none: the first line is data), the first rows, and a way to read all.

    `rows` begins anew at each call, behind the headings. `sheet` is the name of a workbook's sheet.
    """

    headings: tuple[str, ...]
    sample: tuple[Row, ...]
    rows: Callable[[], Iterator[Row | Problem]]
    place: str = "line 1"
    sheet: str = ""


def clean(cell: str) -> str:
    """A cell without outer blanks and control characters; `<br>` is a line break, `="007"` is 007."""
    text = BREAK.sub("\n", CELL_CONTROL.sub("", cell))
    text = TEXT_FORMULA.sub(r"\1", text.strip(BLANKS))
    return text.strip(BLANKS + "\n")


# --- text --------------------------------------------------------------------------------------


def is_table(text: str, is_heading: IsHeading) -> bool:
    """Whether a text is a table: most of its rows have the same number of cells, more than one.

    Without headings that are known, nearly all must have, and commas must part three cells: prose has commas.
    """
    if text.lstrip()[:1] in ("", "<", "{", "["):
        return False
    dialect = _dialect(text)
    rows = _sample(text, dialect)
    alike, width = _alike(rows)
    if width < 2 or len(rows) < 2:
        return False
    if any(map(is_heading, rows[:PREAMBLE])):
        return alike >= LEAST_ALIKE
    is_prose = dialect.separator == "," and width == 2
    return alike >= LEAST_ALIKE_UNKNOWN and not is_prose and _mean_length(rows) <= LONGEST_CELLS


def _mean_length(rows: Sequence[tuple[str, ...]]) -> float:
    """Prose that has marks in it has long cells."""
    cells = [cell for row in rows for cell in row if cell]
    return sum(map(len, cells)) / max(1, len(cells))


def open_text(text: str, is_heading: IsHeading) -> Table:
    """The table of a text. `is_heading` says whether a row is the headings."""
    dialect = _dialect(text)
    width = _alike(_sample(text, dialect))[1]
    return framed(lambda: _rows(text, dialect, width), is_heading)


def framed(
    whole: Callable[[], Iterator[Row | Problem]],
    is_heading: IsHeading,
    *,
    sheet: str = "",
    is_ragged: bool = False,
) -> Table:
    """A table of rows: what stands above its headings is left out, short rows are filled up.

    `is_ragged`: rows may end early, as in workbooks, where empty cells are not kept.
    """
    start = list(islice((row for row in whole() if isinstance(row, Row) and not row.is_empty), SAMPLE_ROWS))
    at = _heading_at(start, is_heading)
    heading = None if at is None else start[at]
    body = start if at is None else start[at + 1 :]
    headings = _trimmed(heading.cells) if heading else ()
    width = max(_usual_width([row.cells for row in body]), len(headings))
    reading = _Reading(headings, width, is_ragged or _pads(body, width), heading)
    return Table(
        headings=headings,
        sample=tuple(row for row in map(reading.fitted, body) if isinstance(row, Row)),
        rows=lambda: reading.read(whole()),
        place=(heading or (start[0] if start else Row("line 1", ()))).place,
        sheet=sheet,
    )


def _heading_at(rows: Sequence[Row], is_heading: IsHeading) -> int | None:
    """Which of the first rows is the headings: known words, else words over numbers."""
    near = range(min(len(rows), PREAMBLE))
    known = next((at for at in near if is_heading(rows[at].cells)), None)
    if known is not None or len(rows) < 2:
        return known
    first, rest = rows[0].cells, [row.cells for row in rows[1:]]
    if any(NUMERIC.match(cell) for cell in first) or not all(first) or len(set(first)) < len(first):
        return None
    columns = range(len(first))
    numeric = [at for at in columns if all(at < len(row) and NUMERIC.match(row[at]) for row in rest)]
    return 0 if numeric else None


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is known of a table before its rows are read."""

    headings: tuple[str, ...]
    width: int
    pads: bool
    heading_row: Row | None

    def read(self, rows: Iterator[Row | Problem]) -> Iterator[Row | Problem]:
        """The rows behind the headings, without empty ones, repeated headings, the rest of a broken row."""
        is_behind, is_broken = self.heading_row is None, False
        for row in rows:
            if isinstance(row, Problem):
                is_broken = row.reason is Reason.QUOTES_BROKEN
                yield row
            elif not is_behind:
                is_behind = row == self.heading_row
            elif not (row.is_empty or self._repeats(row) or (is_broken and len(row.cells) != self.width)):
                is_broken = False
                yield self.fitted(row)

    def _repeats(self, row: Row) -> bool:
        """Whether a row says the headings again, as at the top of each printed page."""
        if not self.headings or fold(row.cells[0]) != fold(self.headings[0]):
            return False
        return list(map(fold, _trimmed(row.cells))) == list(map(fold, self.headings))

    def fitted(self, row: Row) -> Row | Problem:
        """A row of the table's width; too many cells, or too few where others have all, are damage."""
        cells = row.cells
        missing = self.width - len(cells)
        if missing < 0 and not any(cells[self.width :]):
            return Row(row.place, cells[: self.width])
        if missing < 0 or (missing > 0 and not self.pads):
            detail = f"{len(cells)} / {self.width}"
            return Problem(row.place, Reason.CELLS_MISCOUNTED, detail=detail, raw="\t".join(cells))
        return Row(row.place, cells + ("",) * missing)


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    """Without the empty cells at the end."""
    last = max((i for i, cell in enumerate(cells) if cell), default=-1)
    return tuple(cells[: last + 1])


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0


def _pads(rows: Sequence[Row], width: int) -> bool:
    short = sum(len(row.cells) < width for row in rows)
    return short > max(1, len(rows) * USUAL)


# --- separator and quotes ----------------------------------------------------------------------


def _dialect(text: str) -> Dialect:
    """The way of writing in which the first rows are most alike."""
    if declared := DECLARED.match(text):
        return Dialect(declared[1])
    tried = [Dialect(mark) for mark in SEPARATORS]
    best = max(tried, key=lambda dialect: _fitness(text, dialect))
    others = [Dialect(best.separator, '"', has_backslashes=True), Dialect(best.separator, "'")]
    for other in others:
        mark = f"\\{other.quote}" if other.has_backslashes else other.quote
        if mark in text[:100_000] and _fitness(text, other) > _fitness(text, best):
            return other
    return best


def _fitness(text: str, dialect: Dialect) -> tuple[float, int]:
    rows = _sample(text, dialect)
    alike, width = _alike(rows)
    return (alike if width > 1 else 0.0), width


def _sample(text: str, dialect: Dialect) -> list[tuple[str, ...]]:
    found = _rows(_head(text), dialect)
    return [
        row.cells if isinstance(row, Row) else ()
        for row in found
        if isinstance(row, Problem) or not row.is_empty
    ]


def _head(text: str) -> str:
    """The first lines; the last is dropped where the text goes on, for it may be half a record."""
    at = 0
    for _ in range(SAMPLE_LINES):
        at = text.find("\n", at) + 1
        if not at:
            return text
    return text[:at]


def _alike(rows: Sequence[Sequence[str]]) -> tuple[float, int]:
    """Which share of the rows has as many cells as most, and how many that is."""
    counted = Counter(len(row) for row in rows if len(row) > 1)
    if not counted:
        return 0.0, 1
    width, times = max(counted.items(), key=lambda item: (item[1], item[0]))
    return times / len(rows), width


# --- rows --------------------------------------------------------------------------------------


class _TooLong(Exception):
    """A record has more lines than any has."""


class _Lines:
    """The lines of a text from one on, given out one by one, until a record has too many."""

    def __init__(self, lines: list[str], start: int) -> None:
        self.lines, self.at, self.limit = lines, start, start + LONGEST_RECORD

    def __iter__(self) -> "_Lines":
        return self

    def __next__(self) -> str:
        if self.at >= len(self.lines):
            raise StopIteration
        if self.at >= self.limit:
            raise _TooLong
        line = self.lines[self.at]
        self.at += 1
        return f"{line}\n"


def _rows(text: str, dialect: Dialect, width: int = 0) -> Iterator[Row | Problem]:
    """The rows of a text; `width` is how many cells they should have, 0 where that is not known yet."""
    lines = text.split("\n")
    at = 1 if DECLARED.match(text) else 0
    while at < len(lines):
        if CONFLICT.match(lines[at]):
            end = _end_of_conflict(lines, at)
            yield Problem(f"line {at + 1}", Reason.MERGE_MARKS, raw="\n".join(lines[at:end])[:1000])
            at = end
        else:
            at = yield from _stretch(lines, at, dialect, width)


def _end_of_conflict(lines: list[str], start: int) -> int:
    """Behind the mark that ends a half-finished merge; only the mark where no end is in sight."""
    near = range(start + 1, min(len(lines), start + LONGEST_RECORD))
    return next((at + 1 for at in near if lines[at].startswith(">>>>>>>")), start + 1)


def _stretch(
    lines: list[str], start: int, dialect: Dialect, width: int
) -> Generator[Row | Problem, None, int]:
    """Rows from a line on until one is broken; returns the line at which reading goes on."""
    feed = _Lines(lines, start)
    reader = _reader(feed, dialect)
    while feed.at < len(lines) and not CONFLICT.match(lines[feed.at]):
        first, feed.limit = feed.at, feed.at + LONGEST_RECORD
        try:
            cells = next(reader)
        except (csv.Error, StopIteration, _TooLong):
            cells = None
        runs_on = cells is not None and feed.at - first > 1 and width and len(cells) != width
        if cells is None or runs_on:
            yield Problem(
                f"line {first + 1}", Reason.QUOTES_BROKEN, detail=lines[first][:80], raw=lines[first]
            )
            return first + 1
        yield Row(f"line {first + 1}", tuple(map(clean, cells)))
    return feed.at


def _reader(feed: _Lines, dialect: Dialect) -> Iterator[list[str]]:
    return csv.reader(
        feed,
        delimiter=dialect.separator,
        quotechar=dialect.quote,
        doublequote=not dialect.has_backslashes,
        escapechar="\\" if dialect.has_backslashes else None,
        strict=True,
    )
