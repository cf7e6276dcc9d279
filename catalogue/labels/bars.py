"""Code 128 (ISO/IEC 15417) whose bars are a whole number of printer dots wide, with their quiet zones.

Pure. A bar of two and a half dots is printed now two, now three dots wide, and that is what cheap scanners
stumble over; so the width of a module is chosen in dots, and the first bar begins on one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from barcode import Code128
from barcode.errors import BarcodeError

QUIET = 10
"""White modules on each side: the standard's least."""
POINTS_PER_INCH = 72
WIDEST_MM, NARROWEST_MM, MM_PER_INCH = 0.35, 0.16, 25.4


class NotPrintable(Exception):
    """The code cannot stand on this label: letters no barcode has, or more of them than fit."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Bars:
    """A barcode to be drawn: modules as 1 (bar) and 0, and what one of them and a dot measure in points."""

    modules: str
    module: float
    dot: float

    @property
    def width(self) -> float:
        """With the quiet zones."""
        return (len(self.modules) + 2 * QUIET) * self.module

    def placed(self, left: float, room: float) -> Iterator[tuple[float, float]]:
        """Left edge and width of every bar, the code in the middle of `room`, every edge on a dot."""
        start = left + (room - self.width) / 2 + QUIET * self.module
        start = round(start / self.dot) * self.dot
        at = 0
        for colour, run in groupby(self.modules):
            count = len([*run])
            if colour == "1":
                yield start + at * self.module, count * self.module
            at += count


def fitting(code: str, room: float, dpi: int) -> Bars:
    """The widest bars with which `code` fits into `room` points. Raises NotPrintable."""
    modules = _modules(code)
    dot = POINTS_PER_INCH / dpi
    widest = int(WIDEST_MM / MM_PER_INCH * dpi)
    for dots in range(widest, 0, -1):
        bars = Bars(modules, dots * dot, dot)
        if bars.width + dot <= room and dots * MM_PER_INCH / dpi >= NARROWEST_MM:
            return bars
    raise NotPrintable(code)


def _modules(code: str) -> str:
    if not (code.isascii() and code.isprintable()):
        raise NotPrintable(code)
    try:
        return str(Code128(code).build()[0])
    except (BarcodeError, KeyError, ValueError) as error:
        raise NotPrintable(code) from error
