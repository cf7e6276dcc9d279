"""What comes back where labels are printed: a PDF. The paper is kept for next time."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from catalogue.forms.labels import PaperForm
from catalogue.labels import printing
from catalogue.labels.bars import NotPrintable
from catalogue.labels.faces import Face

PAPER = "label_paper"
KEPT = ("sheet", "start", "offset_x", "offset_y")


def printed(
    request: HttpRequest, form: PaperForm, faces: Sequence[Face], *, of: str, title: str
) -> HttpResponse | None:
    """The faces as a PDF, the paper kept for next time; None, with an error in `form`, if one has no room."""
    job = form.job(title=title, author=settings.LIBRARY_NAME, language=get_language())
    try:
        made = printing.pdf_of(faces, job)
    except NotPrintable as stopped:
        words = _("“%(code)s” does not fit on this label: choose a wider one.")
        if not (stopped.code.isascii() and stopped.code.isprintable()):
            words = _("“%(code)s” cannot be a barcode: it has letters that no scanner knows.")
        form.add_error("sheet", words % {"code": stopped.code})
        return None
    following = (job.start - 1 + len(faces)) % job.sheet.count + 1
    values = {field: str(form.cleaned_data[field] or 0) for field in KEPT}
    request.session[f"{PAPER}_{of}"] = values | {"start": str(following)}
    return _pdf(made, of)


def grid(request: HttpRequest) -> HttpResponse | None:
    """The outlines of a paper's labels, where those were asked for and the paper is rightly described."""
    form = PaperForm(request.POST)
    if "grid" not in request.POST or not form.is_valid():
        return None
    job = form.job(title=_("Test page"), author=settings.LIBRARY_NAME, language=get_language())
    return _pdf(printing.grid(job), "grid")


def paper_of(request: HttpRequest, *, of: str) -> dict[str, Any]:
    """The paper and the printer of this device, as it printed labels `of` this kind last."""
    kept = request.session.get(f"{PAPER}_{of}")
    return dict(kept) if isinstance(kept, dict) else {}


def _pdf(made: bytes, name: str) -> HttpResponse:
    response = HttpResponse(made, content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response
