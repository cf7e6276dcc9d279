"""The papers that labels are sold on: how many there are on a sheet, how big, and where.

Pure. Millimetres throughout, from the upper left corner of the page. A roll is a page of one label. The
measures are facts of the trade, told by the numbers printed on the boxes of Avery, Herma and their like.
"""

from dataclasses import dataclass
from enum import StrEnum

A4_WIDTH, A4_HEIGHT = 210.0, 297.0
EDGE = 4.3
"""What laser and ink printers leave white along the edges of a page."""
PADDING = 1.6
LASER_DPI, ROLL_DPI = 300, 203


class Use(StrEnum):
    """How papers are grouped where one is chosen."""

    LABELS = "labels"
    CARDS = "cards"
    ROLLS = "rolls"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One paper. `pitch` runs from an edge of a label to the same edge of the next."""

    code: str
    columns: int = 1
    rows: int = 1
    width: float
    height: float
    left: float = 0.0
    top: float = 0.0
    pitch_x: float = 0.0
    pitch_y: float = 0.0
    page_width: float = A4_WIDTH
    page_height: float = A4_HEIGHT
    dpi: int = LASER_DPI
    use: Use = Use.LABELS

    @property
    def count(self) -> int:
        """Labels on a page."""
        return self.columns * self.rows

    @property
    def inset(self) -> float:
        """How far from the edge of a label its print stays, so that no printer cuts it."""
        if self.use == Use.ROLLS:
            return PADDING
        return max(PADDING, EDGE - min(self.left, self.top))

    def corner(self, position: int) -> tuple[float, float]:
        """The upper left corner of the label at `position`, counted from 0 in the order of reading."""
        row, column = divmod(position, self.columns)
        return self.left + column * self.pitch_x, self.top + row * self.pitch_y


def _roll(code: str, width: float, height: float) -> Sheet:
    return Sheet(
        code=code,
        width=width,
        height=height,
        page_width=width,
        page_height=height,
        dpi=ROLL_DPI,
        use=Use.ROLLS,
    )


def _a4(code: str, grid: tuple[int, int], size: tuple[float, float], gap_x: float = 0.0) -> Sheet:
    """A sheet whose labels stand in the middle of the page and touch each other above and below."""
    (columns, rows), (width, height) = grid, size
    return Sheet(
        code=code,
        columns=columns,
        rows=rows,
        width=width,
        height=height,
        left=(A4_WIDTH - columns * width - (columns - 1) * gap_x) / 2,
        top=(A4_HEIGHT - rows * height) / 2,
        pitch_x=width + gap_x,
        pitch_y=height,
    )


SHEETS = {
    sheet.code: sheet
    for sheet in (
        _a4("L7160", (3, 7), (63.5, 38.1), 2.54),
        _a4("L7159", (3, 8), (63.5, 33.9), 2.54),
        _a4("L7651", (5, 13), (38.1, 21.2), 2.5),
        _a4("L7654", (4, 10), (45.7, 25.4), 2.6),
        _a4("L4732", (5, 16), (35.6, 16.9), 2.5),
        _a4("L7163", (2, 7), (99.1, 38.1), 2.5),
        _a4("L7173", (2, 5), (99.1, 57.0), 2.5),
        _a4("3474", (3, 8), (70.0, 37.0)),
        _a4("3475", (3, 8), (70.0, 36.0)),
        _a4("3652", (3, 7), (70.0, 42.3)),
        _a4("3651", (4, 10), (52.5, 29.7)),
        _a4("3483", (2, 2), (105.0, 148.0)),
        Sheet(
            code="C32011",
            columns=2,
            rows=5,
            width=85.0,
            height=54.0,
            left=15.0,
            top=13.5,
            pitch_x=95.0,
            pitch_y=54.0,
            use=Use.CARDS,
        ),
        _roll("DK-11209", 62.0, 29.0),
        _roll("99010", 89.0, 28.0),
        _roll("11354", 57.0, 32.0),
        _roll("50x25", 50.0, 25.0),
        _roll("100x50", 100.0, 50.0),
    )
}
