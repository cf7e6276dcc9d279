"""What stands on one label, and where. Every face fills the room it is given and never leaves it.

Draws on a reportlab page; whoever fills the pages (`printing`) says where the room is. Points throughout,
from the lower left corner, as PDF has it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import segno
from reportlab.lib.units import mm

from catalogue.labels import bars, letters
from catalogue.labels.letters import BOLD, PLAIN, Fitted

TALLEST_BARS, LOWEST_BARS = 15 * mm, 6 * mm
SHARE_OF_BARS = 0.42
NUMBER_SIZES, TITLE_SIZES, SMALL_SIZES, PIECE_SIZES = (5.0, 9.0), (5.5, 14.0), (5.0, 8.0), (4.5, 10.0)
AIR = 0.8 * mm
QR_BORDER = 4
"""White modules around a QR code (ISO/IEC 18004)."""
QR_SMALLEST = 0.33 * mm


@dataclass(frozen=True, slots=True)
class Room:
    """Where a face may draw, and how many dots an inch the printer has."""

    left: float
    bottom: float
    width: float
    height: float
    dpi: int

    @property
    def top(self) -> float:
        """The upper edge."""
        return self.bottom + self.height


@dataclass(frozen=True, slots=True)
class BarcodeFace:
    """A box or a card: a barcode with its number, words above it, and a short mark at the top right."""

    code: str
    title: str = ""
    mark: str = ""

    def draw(self, page: Any, room: Room) -> None:
        """Raises bars.NotPrintable."""
        ready = bars.fitting(self.code, room.width, room.dpi)
        number = letters.fit(self.code, (room.width, 4 * mm), NUMBER_SIZES)
        tall = min(max(room.height * SHARE_OF_BARS, LOWEST_BARS), TALLEST_BARS)
        foot = room.bottom + number.height + AIR
        for left, width in ready.placed(room.left, room.width):
            page.rect(left, foot, width, tall, stroke=0, fill=1)
        _write(page, number, room, top=room.bottom + number.height, centred=True)
        self._head(page, room, foot + tall + AIR)

    def _head(self, page: Any, room: Room, bottom: float) -> None:
        height = room.top - bottom
        mark = letters.fit(self.mark, (room.width * 0.4, height), SMALL_SIZES, BOLD)
        mark = Fitted(mark.lines[:1], mark.size)
        taken = max((letters.width(line, mark.size, BOLD) for line in mark.lines), default=-2 * AIR)
        _write(page, mark, room, top=room.top, right=True, font=BOLD)
        title = letters.fit(self.title, (room.width - taken - 2 * AIR, height), TITLE_SIZES)
        _write(page, title, room, top=room.top)


@dataclass(frozen=True, slots=True)
class QrFace:
    """A way to a page: the QR code of `url`, beside it words and the address as a person types it."""

    url: str
    title: str
    words: str
    letters: str

    def draw(self, page: Any, room: Room) -> None:
        """Raises bars.NotPrintable where the address is too long for the label."""
        matrix = [*segno.make(self.url, error="m", micro=False).matrix_iter(border=QR_BORDER)]
        dot = bars.POINTS_PER_INCH / room.dpi
        side = min(room.height, room.width * 0.6)
        module = int(side / len(matrix) / dot) * dot
        if module < QR_SMALLEST:
            raise bars.NotPrintable(self.url)
        side = module * len(matrix)
        _matrix(page, matrix, module, _on_dot(room.left, dot), room.bottom + (room.height + side) / 2)
        beside = Room(room.left + side + AIR, room.bottom, room.width - side - AIR, room.height, room.dpi)
        self._words(page, beside)

    def _words(self, page: Any, room: Room) -> None:
        address = letters.fit(self.letters, (room.width, room.height * 0.35), SMALL_SIZES)
        words = letters.fit(self.words, (room.width, room.height * 0.25), SMALL_SIZES)
        rest = room.height - address.height - words.height - 2 * AIR
        title = letters.fit(self.title, (room.width, rest), TITLE_SIZES, BOLD)
        _write(page, title, room, top=room.top, font=BOLD)
        _write(page, words, room, top=room.top - title.height - AIR)
        _write(page, address, room, top=room.bottom + address.height)


@dataclass(frozen=True, slots=True)
class ContentsFace:
    """What a box holds: title and number, a line a kind of piece, and at the end what it lacks."""

    title: str
    code: str
    pieces: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    foot: str = ""

    def draw(self, page: Any, room: Room) -> None:
        """In the largest letters in which all lines fit; in the smallest the list is cut, and says so."""
        head = letters.fit(self.title, (room.width, room.height * 0.25), TITLE_SIZES, BOLD)
        under = letters.fit(" · ".join(filter(None, (self.code, self.foot))), (room.width, 12), SMALL_SIZES)
        _write(page, head, room, top=room.top, font=BOLD)
        _write(page, under, room, top=room.bottom + under.height)
        place = (room.width, room.height - head.height - under.height - 2 * AIR)
        _write(
            page, letters.fit_list(self._lines(), place, PIECE_SIZES), room, top=room.top - head.height - AIR
        )

    def _lines(self) -> tuple[str, ...]:
        return (*self.lacks, *self.pieces)


@dataclass(frozen=True, slots=True)
class GridFace:
    """The outline of a label and its place on the sheet: to see on plain paper where a printer prints."""

    text: str

    def draw(self, page: Any, room: Room) -> None:
        """The words in the middle; the outline is drawn by whoever knows the whole label."""
        words = letters.fit(self.text, (room.width, room.height), (5.0, 11.0))
        _write(page, words, room, top=room.bottom + (room.height + words.height) / 2, centred=True)


Face = BarcodeFace | QrFace | ContentsFace | GridFace


def _write(
    page: Any,
    words: Fitted,
    room: Room,
    *,
    top: float,
    centred: bool = False,
    right: bool = False,
    font: str = PLAIN,
) -> None:
    page.setFont(font, words.size)
    for index, line in enumerate(words.lines):
        base = top - index * words.leading - words.size
        if centred:
            page.drawCentredString(room.left + room.width / 2, base, line)
        elif right:
            page.drawRightString(room.left + room.width, base, line)
        else:
            page.drawString(room.left, base, line)


def _matrix(page: Any, matrix: Sequence[Iterable[int]], module: float, left: float, top: float) -> None:
    path = page.beginPath()
    for y, row in enumerate(matrix):
        for x, dark in enumerate(row):
            if dark:
                path.rect(left + x * module, top - (y + 1) * module, module, module)
    page.drawPath(path, stroke=0, fill=1)


def _on_dot(at: float, dot: float) -> float:
    return round(at / dot) * dot
