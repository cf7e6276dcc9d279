"""The letters on labels and papers: the fonts, and how words are made to fit into a place.

Pure. The fonts come with a package, so a name in Latin, Greek or Cyrillic prints on every machine; a
character that they do not have is left out rather than printed as an empty box.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from catalogue.text import one_line

FONTS = files("ttf_opensans") / "ttf"
PLAIN, BOLD = "Ludotheca", "Ludotheca-Bold"
LEADING = 1.22
STEP = 0.5
CUT = "…"
LONGEST = 500


@cache
def register() -> None:
    """Make both fonts known to reportlab; to be called before they are used."""
    pdfmetrics.registerFont(TTFont(PLAIN, str(FONTS / "OpenSans-Regular.ttf")))
    pdfmetrics.registerFont(TTFont(BOLD, str(FONTS / "OpenSans-Bold.ttf")))


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines that fit, in the size (points) in which they do."""

    lines: tuple[str, ...]
    size: float

    @property
    def leading(self) -> float:
        """From one line to the next."""
        return self.size * LEADING

    @property
    def height(self) -> float:
        """Of all lines."""
        return len(self.lines) * self.leading


def printable(text: str) -> str:
    """`text` on one line, without what the fonts do not have and without invisible marks."""
    register()
    glyphs = pdfmetrics.getFont(PLAIN).face.charToGlyph
    composed = one_line(unicodedata.normalize("NFC", text))[: LONGEST * 2]
    return one_line("".join(c for c in composed if ord(c) in glyphs and unicodedata.category(c) != "Cf"))


def is_printable(text: str) -> bool:
    """Whether the fonts have at least half of the letters and digits in `text`, and any at all."""
    spoken = [c for c in unicodedata.normalize("NFC", text) if c.isalnum()]
    kept = [c for c in printable(text) if c.isalnum()]
    return bool(kept) and 2 * len(kept) >= len(spoken)


def fit(text: str, room: tuple[float, float], sizes: tuple[float, float], font: str = PLAIN) -> Fitted:
    """`text` in the largest of `sizes` (from, to) in which it fits into `room` (width, height).

    In the smallest it is cut, and says so with an ellipsis; no lines at all where not even one fits.
    """
    return fit_list((text,), room, sizes, font)


def fit_list(
    items: Iterable[str], room: tuple[float, float], sizes: tuple[float, float], font: str = PLAIN
) -> Fitted:
    """The same for several texts, each on lines of its own."""
    across, height = room
    texts = [printable(text)[:LONGEST] for text in items]
    size, smallest = sizes[1], sizes[0]
    while size > smallest:
        lines = [line for text in texts for line in wrapped(text, across, size, font)]
        if len(lines) * size * LEADING <= height and not _broken(texts, across, size, font):
            return Fitted(tuple(lines), size)
        size = max(size - STEP, smallest)
    lines = [line for text in texts for line in wrapped(text, across, smallest, font)]
    most = max(int(height / (smallest * LEADING)), 0)
    if len(lines) > most:
        lines = [*lines[: most - 1], _with_cut(lines[most - 1], across, smallest, font)] if most else []
    return Fitted(tuple(lines), smallest)


def wrapped(text: str, across: float, size: float, font: str) -> Iterator[str]:
    """The lines of `text`; a word longer than a line is broken."""
    line = ""
    for word in text.split():
        candidate = f"{line} {word}" if line else word
        if width(candidate, size, font) <= across:
            line = candidate
            continue
        if line:
            yield line
        line = word
        while width(line, size, font) > across and len(line) > 1:
            kept = _longest_start(line, across, size, font)
            yield line[:kept]
            line = line[kept:]
    if line:
        yield line


def width(text: str, size: float, font: str) -> float:
    """How wide one line is, in points."""
    return float(pdfmetrics.stringWidth(text, font, size))


def _broken(texts: Iterable[str], across: float, size: float, font: str) -> bool:
    """Whether a word would have to be broken in this size: smaller letters are better than that."""
    return any(width(word, size, font) > across for text in texts for word in text.split())


def _with_cut(line: str, across: float, size: float, font: str) -> str:
    while line and width(line.rstrip() + CUT, size, font) > across:
        line = line[:-1]
    return line.rstrip() + CUT


def _longest_start(word: str, across: float, size: float, font: str) -> int:
    kept = 1
    while kept < len(word) and width(word[: kept + 1], size, font) <= across:
        kept += 1
    return kept
