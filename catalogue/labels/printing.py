"""Pages full of labels as PDF, and the page that shows how a printer has to be set.

The caller says what stands on each label (`faces`), on which paper (`sheets`), at which label of the first
sheet to begin, and by how much its printer is off. Pure: nothing is read and no row is written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from catalogue.labels import letters
from catalogue.labels.bars import POINTS_PER_INCH
from catalogue.labels.faces import Face, GridFace, Room
from catalogue.labels.sheets import Sheet

CROSS = 3 * mm


@dataclass(frozen=True, slots=True)
class Offset:
    """By how many millimetres everything moves to the right and down."""

    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One print: `start` is the first label used of the first sheet, counted from 1."""

    sheet: Sheet
    title: str
    author: str
    language: str
    start: int = 1
    offset: Offset = field(default_factory=Offset)


def pdf_of(faces: Sequence[Face], job: Job) -> bytes:
    """The labels in their order. Raises bars.NotPrintable, naming the code that does not fit."""
    out, page = _begin(job)
    first = (job.start - 1) % job.sheet.count
    for index, face in enumerate(faces):
        position = (first + index) % job.sheet.count
        if index and not position:
            page.showPage()
        face.draw(page, _room(job, position))
    page.save()
    return out.getvalue()


def grid(job: Job) -> bytes:
    """One page with the outline and the number of every label, to be held against a sheet and the light."""
    out, page = _begin(job)
    page.setLineWidth(0.3)
    for position in range(job.sheet.count):
        left, bottom = _corner(job, position)
        page.rect(left, bottom, job.sheet.width * mm, job.sheet.height * mm, stroke=1, fill=0)
        GridFace(str(position + 1)).draw(page, _room(job, position))
    _cross(page, job.sheet.page_width * mm / 2, job.sheet.page_height * mm / 2)
    page.save()
    return out.getvalue()


def _begin(job: Job) -> tuple[BytesIO, Any]:
    letters.register()
    out = BytesIO()
    size = (job.sheet.page_width * mm, job.sheet.page_height * mm)
    page = Canvas(out, pagesize=size, lang=job.language)
    page.setTitle(job.title)
    page.setAuthor(job.author)
    # Print dialogues shrink pages unless they are told not to.
    page.setViewerPreference("PrintScaling", "None")
    return out, page


def _corner(job: Job, position: int) -> tuple[float, float]:
    """The lower left corner of a label on the page, in points."""
    left, top = job.sheet.corner(position)
    bottom = job.sheet.page_height - top - job.sheet.height
    return (left + job.offset.x) * mm, (bottom - job.offset.y) * mm


def _room(job: Job, position: int) -> Room:
    """The inner part of a label: on whole dots, so that equal bars are printed equally wide."""
    left, bottom = _corner(job, position)
    inset, dot = job.sheet.inset * mm, POINTS_PER_INCH / job.sheet.dpi
    return Room(
        round((left + inset) / dot) * dot,
        bottom + inset,
        job.sheet.width * mm - 2 * inset,
        job.sheet.height * mm - 2 * inset,
        job.sheet.dpi,
    )


def _cross(page: Any, x: float, y: float) -> None:
    page.line(x - CROSS, y, x + CROSS, y)
    page.line(x, y - CROSS, x, y + CROSS)
