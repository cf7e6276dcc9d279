"""The pages of imports: bring files, see what they would change, apply, follow, stop, take back.

The work itself is done by the worker beside the server (`imports work`); these pages only say what is to be
done, and show how far it is.
"""

from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from catalogue.forms.imports import UploadForm
from catalogue.guard import EDIT, requires
from catalogue.imports import batches, ingest, undo, uploads
from catalogue.imports.sniff import Format
from catalogue.models import BatchState, ImportBatch, ImportItem, ItemKind
from catalogue.views import import_words as words

PAGE, LISTED = 25, 20
TABS = (ItemKind.DOUBTFUL, ItemKind.CHANGED, ItemKind.NEW, ItemKind.UNCHANGED, ItemKind.PROBLEM)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(EDIT)
def home(request: HttpRequest) -> HttpResponse:
    """The imports so far, and the form that begins another."""
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = UploadForm(*sent)
    if form.is_valid():
        return _begin(request, form)
    rows = Paginator(ImportBatch.objects.select_related("by"), LISTED).get_page(request.GET.get("page"))
    page = {"form": form, "forms": [form], "batches": [words.Summary(row) for row in rows], "rows": rows}
    return render(request, "catalogue/imports/home.html", page, status=422 if form.is_bound else 200)


def _begin(request: HttpRequest, form: UploadForm) -> HttpResponse:
    said = form.cleaned_data
    options = ingest.Options(
        format=Format(said["format"]) if said["format"] else None, language=said["language"]
    )
    paths = uploads.keep(said["chosen"])
    batch = batches.begin(paths, options.as_json(), by=words.user_of(request))
    return redirect("catalogue:import", batch.pk)


@require_GET
@never_cache
@requires(EDIT)
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """One import: what it is, how far it is, and its records, those of one kind at a time."""
    batch = get_object_or_404(ImportBatch.objects.select_related("by"), pk=pk)
    if batch.state in batches.AT_WORK:
        return render(request, "catalogue/imports/show.html", _progress(batch))
    counts = batches.count(batch)
    kind = _kind(request, counts)
    page = _items(request, batch, kind)
    shown = {
        "tabs": [(tab, words.KINDS[tab], _many(batch, tab, counts)) for tab in TABS],
        "kind": kind,
        "rows": page,
        "items": [words.ItemRow.of(item) for item in page],
        "counts": counts,
        "may_decide": batch.state in {BatchState.PREVIEWED, BatchState.APPLIED, BatchState.STOPPED},
    }
    return render(request, "catalogue/imports/show.html", _progress(batch) | shown)


@require_GET
@never_cache
@requires(EDIT)
def progress(request: HttpRequest, pk: int) -> HttpResponse:
    """How far it is, for a page that asks again and again; once it is over the page is shown anew."""
    batch = get_object_or_404(ImportBatch, pk=pk)
    answer = render(request, "catalogue/imports/progress.html", _progress(batch))
    if batch.state not in batches.AT_WORK:
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
@requires(EDIT)
def act(request: HttpRequest, pk: int) -> HttpResponse:
    """Apply, stop, resume, undo, remove: whatever the button says."""
    batch = get_object_or_404(ImportBatch, pk=pk)
    acts = {
        "apply": lambda: batches.ask_for(batch, BatchState.APPLYING),
        "undo": lambda: batches.ask_for(batch, BatchState.UNDOING),
        "stop": lambda: batches.stop(batch),
        "resume": lambda: batches.resume(batch),
        "remove": lambda: _remove(batch),
    }
    what = request.POST.get("do", "")
    try:
        if what in acts:
            acts[what]()
    except batches.NotNow:
        batch.refresh_from_db()
        said = _("That cannot be done now: the import is %(state)s.")
        messages.error(request, said % {"state": batch.get_state_display()})
        return redirect("catalogue:import", pk)
    if what == "remove":
        messages.success(request, _("The import was removed from the list."))
        return redirect("catalogue:imports")
    return redirect("catalogue:import", pk)


def _remove(batch: ImportBatch) -> None:
    batches.remove(batch)
    uploads.forget(batch)


@require_GET
@never_cache
@requires(EDIT)
def undo_preview(request: HttpRequest, pk: int) -> HttpResponse:
    """What an undo would do: how much, and what would stay because people have worked on it since."""
    batch = get_object_or_404(ImportBatch, pk=pk)
    items = undo.touched(batch).select_related("game").order_by("-sequence")
    rows = Paginator(items, PAGE).get_page(request.GET.get("page"))
    for item in rows:
        item.batch = batch
    page = {
        "batch": batch,
        "summary": undo.summary(batch),
        "rows": rows,
        "touched": [words.UndoRow.of(item) for item in rows],
    }
    return render(request, "catalogue/imports/undo.html", page)


# --- what the page shows ------------------------------------------------------------------------


def _progress(batch: ImportBatch) -> dict[str, Any]:
    now = timezone.now()
    left = batches.seconds_left(batch, now)
    percent = min(100, round(100 * batch.done / batch.total)) if batch.total else 0
    return {
        "batch": batch,
        "summary": words.Summary(batch),
        "is_at_work": batch.state in batches.AT_WORK,
        "is_waiting": batch.state in batches.AT_WORK and not batch.worker,
        "is_silent": bool(batch.worker and batch.beat_at and now - batch.beat_at > batches.SILENT),
        "percent": percent,
        "time_left": words.time_left(left),
    }


def _kind(request: HttpRequest, counts: dict[str, int]) -> str:
    asked = request.GET.get("kind", "")
    if asked in TABS:
        return asked
    return next((tab for tab in TABS if counts.get(tab)), ItemKind.NEW)


def _many(batch: ImportBatch, tab: str, counts: dict[str, int]) -> int:
    if tab == ItemKind.PROBLEM:
        return batch.items.filter(has_problems=True).count()
    return counts.get(tab, 0)


def _items(request: HttpRequest, batch: ImportBatch, kind: str) -> "Page[ImportItem]":
    which = {"has_problems": True} if kind == ItemKind.PROBLEM else {"kind": kind}
    items = batch.items.filter(**which).select_related("game")
    page = Paginator(items, PAGE).get_page(request.GET.get("page"))
    for item in page:
        item.batch = batch
    return page
