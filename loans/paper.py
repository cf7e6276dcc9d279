"""Paper: a document of plain blocks as a PDF, for the thermal roll of the till or for A4.

Whoever prints (receipts, letters, labels) says what stands there; how it looks is decided here. Pure: no
rows, no clock, nothing from outside. The letters come with a package, so a name in Latin, Greek or Cyrillic
prints on every machine.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    HRFlowable,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

from catalogue.labels.letters import BOLD, PLAIN, register

INK, LINE = HexColor("#000000"), HexColor("#777777")
LONGEST_ROLL = 3000 * mm
"""A roll is cut after this length: nobody reads a receipt of three metres, and printers stop as well."""


class Paper(StrEnum):
    """What is printed on."""

    ROLL = "roll"
    A4 = "a4"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Measures of a paper, in points. The roll has 80 mm, of which printers reach 72."""

    width: float
    margin: float
    size: float

    @property
    def inner(self) -> float:
        """What is left between the margins."""
        return self.width - 2 * self.margin


SHEETS = {Paper.ROLL: Sheet(80 * mm, 4 * mm, 8.5), Paper.A4: Sheet(A4[0], 20 * mm, 10.5)}


@dataclass(frozen=True, slots=True)
class Title:
    """The heading of the document."""

    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; its line breaks are kept. `small` for what only has to be there."""

    text: str
    small: bool = False
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """Words on the left, a value on the right edge: an amount, a date. `detail` in small under the words."""

    text: str
    value: str = ""
    detail: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A line across."""


@dataclass(frozen=True, slots=True)
class Address:
    """Who sends, small, over who receives: where an envelope for A4 in three folds has its window."""

    sender: str
    lines: tuple[str, ...]
    on_the_right: bool = False


@dataclass(frozen=True, slots=True)
class Gap:
    """A free line."""


@dataclass(frozen=True, slots=True)
class NewPage:
    """What follows begins a page."""


Block = Title | Text | Row | Rule | Address | Gap | NewPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """What stands on the paper. `language` (BCP 47) is told to whoever has it read aloud."""

    title: str
    author: str
    language: str
    blocks: tuple[Block, ...]
    numbered: bool = True


WINDOW_TOP, WINDOW_HEIGHT = 45 * mm, 45 * mm
WINDOW_LEFT, WINDOW_RIGHT, WINDOW_WIDTH = 20 * mm, 110 * mm, 80 * mm
"""The place of the window from the upper left corner of the sheet: DIN 5008 on the left, as the French post
wants it on the right. What is written below begins under both."""


def pdf_of(document: Document, paper: Paper) -> bytes:
    """The document as a PDF: on the roll one page as long as it must be, on A4 as many as it takes."""
    register()
    sheet = SHEETS[paper]
    flowables = list(_flowables(document.blocks, sheet))
    size = (sheet.width, _height(flowables, sheet)) if paper == Paper.ROLL else A4
    out = BytesIO()
    template = SimpleDocTemplate(
        out,
        pagesize=size,
        title=document.title,
        author=document.author,
        lang=document.language,
        **dict.fromkeys(("leftMargin", "rightMargin", "topMargin", "bottomMargin"), sheet.margin - 6),
    )
    numbers = {"onLaterPages": _number} if paper == Paper.A4 and document.numbered else {}
    template.build(flowables, **numbers)
    return out.getvalue()


def _height(flowables: Iterable[Flowable], sheet: Sheet) -> float:
    """The length of roll that the flowables need."""
    needed = sum(f.wrap(sheet.inner, LONGEST_ROLL)[1] + f.getSpaceAfter() for f in flowables)
    return float(min(needed + 2 * sheet.margin + 2, LONGEST_ROLL))


def _flowables(blocks: Iterable[Block], sheet: Sheet) -> Iterator[Flowable]:
    for block in blocks:
        yield from _drawn(block, sheet)


def _drawn(block: Block, sheet: Sheet) -> Iterable[Flowable]:
    match block:
        case Title(text):
            return _paragraph(text, sheet, size=1.4, strong=True), Spacer(1, sheet.size * 0.5)
        case Text(text, small, strong):
            return (_paragraph(text, sheet, size=0.85 if small else 1, strong=strong),)
        case Row():
            return (_row(block, sheet),)
        case Address():
            return (_address(block, sheet),)
        case Rule():
            rule = HRFlowable("100%", thickness=0.5, color=LINE, spaceBefore=0, spaceAfter=0)
            return Spacer(1, sheet.size * 0.5), rule, Spacer(1, sheet.size * 0.5)
    return (PageBreak() if isinstance(block, NewPage) else Spacer(1, sheet.size * 0.9),)


def _address(address: Address, sheet: Sheet) -> Table:
    """A block that fills the head of the sheet down to the lower edge of the window."""
    left = WINDOW_RIGHT if address.on_the_right else WINDOW_LEFT
    before = left - sheet.margin
    words = [
        _paragraph(address.sender, sheet, size=0.7),
        Spacer(1, sheet.size * 0.4),
        _paragraph("\n".join(address.lines), sheet),
    ]
    cells, widths = ["", words, ""], [before, WINDOW_WIDTH, max(sheet.inner - before - WINDOW_WIDTH, 0)]
    head = WINDOW_TOP - sheet.margin
    return Table([["", "", ""], cells], widths, [head, WINDOW_HEIGHT], style=TableStyle(_NO_EDGES))


def _row(row: Row, sheet: Sheet) -> Table:
    value = sheet.inner * 0.36 if row.value else 0
    words = [_paragraph(row.text, sheet, strong=row.strong)]
    if row.detail:
        words.append(_paragraph(row.detail, sheet, size=0.85))
    right = _paragraph(row.value, sheet, strong=row.strong, alignment=TA_RIGHT)
    cells, widths = ([words, right], [sheet.inner - value, value]) if value else ([words], [sheet.inner])
    return Table([cells], widths, style=TableStyle(_NO_EDGES))


_NO_EDGES = [
    ("VALIGN", (0, 0), (-1, -1), "TOP"),
    *((f"{side}PADDING", (0, 0), (-1, -1), 0) for side in ("LEFT", "RIGHT", "TOP", "BOTTOM")),
]


def _paragraph(
    text: str, sheet: Sheet, *, size: float = 1, strong: bool = False, alignment: int = 0
) -> Paragraph:
    points = sheet.size * size
    style = ParagraphStyle(
        "text",
        fontName=BOLD if strong else PLAIN,
        fontSize=points,
        leading=points * 1.35,
        textColor=INK,
        alignment=alignment,
        splitLongWords=1,
    )
    return Paragraph(escape(text).replace("\n", "<br/>"), style)


def _number(canvas: Any, template: Any) -> None:
    """The number of a page, from the second on."""
    sheet = SHEETS[Paper.A4]
    canvas.setFont(PLAIN, sheet.size * 0.85)
    canvas.drawRightString(sheet.width - sheet.margin, sheet.margin / 2, str(template.page))
