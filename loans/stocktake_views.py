"""The pages of stocktakes: start one, scan without pause, see what was found, do something about it."""

from dataclasses import dataclass

from django import forms
from django.contrib import messages as shown_messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import EDIT, requires
from catalogue.models import Branch, Section
from loans import messages, stocktake
from loans.act import Refused
from loans.models import Finding, Settled, Stocktake, StocktakeLine
from loans.pages import act_of, csv_file, wants_bom
from loans.tables import Cell, Table

DESK = "loans.use_desk"
LATEST_SHOWN = 12
LISTED = 50

REMEDY_WORDS: dict[Settled, Promise] = {
    Settled.LOST: gettext_lazy("Mark as lost"),
    Settled.FOUND: gettext_lazy("Put into service again"),
    Settled.MOVED: gettext_lazy("It belongs here from now on"),
    Settled.CHECKED_IN: gettext_lazy("Take it back"),
    Settled.RECEIVED: gettext_lazy("It has come: receive it"),
    Settled.PUT_BACK: gettext_lazy("Seen to"),
}
SHOWN = (
    Finding.MISSING,
    Finding.MISPLACED,
    Finding.ON_LOAN,
    Finding.IN_TRANSIT,
    Finding.LOST,
    Finding.WITHDRAWN,
    Finding.DONATED,
    Finding.UNKNOWN,
)
"""The findings that somebody has to do something about, in their order on the page."""


class StartForm(forms.Form):
    """Where to look."""

    section = forms.ModelChoiceField(
        Section.objects.all(), label=gettext_lazy("Section"), required=False, empty_label=gettext_lazy("all")
    )
    branch = forms.ModelChoiceField(
        Branch.objects.all(), label=gettext_lazy("Branch"), required=False, empty_label=gettext_lazy("all")
    )


@dataclass(frozen=True, slots=True)
class Row:
    """A finding with the buttons that this person may press."""

    line: StocktakeLine
    buttons: tuple[tuple[Settled, Promise], ...]


@dataclass(frozen=True, slots=True)
class Group:
    """All findings of one kind."""

    finding: Finding
    rows: tuple[Row, ...]


@require_http_methods(["GET", "POST"])
@never_cache
@requires(DESK)
def index(request: HttpRequest) -> HttpResponse:
    """The stocktakes so far, and a new one."""
    form = StartForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        started = stocktake.start(
            form.cleaned_data["branch"], form.cleaned_data["section"], act=act_of(request)
        )
        return redirect("loans:stocktake", started.pk)
    rows = Stocktake.objects.select_related("branch", "section", "started_by").annotate(many=Count("lines"))
    page = {"form": form, "stocktakes": rows[:LISTED]}
    return render(request, "loans/stocktake/index.html", page, status=422 if form.errors else 200)


@require_safe
@never_cache
@requires(DESK)
def show(request: HttpRequest, pk: int) -> HttpResponse:
    """The box for scans and what was found so far; after the close, what is to be done."""
    return _show(request, _found(pk))


@require_POST
@requires(DESK)
def scan(request: HttpRequest, pk: int) -> HttpResponse:
    """One code, or a list of them; the script gets the latest scans alone."""
    row = _found(pk)
    try:
        done = stocktake.scan_codes(row, request.POST.get("codes", ""), act=act_of(request))
    except stocktake.StocktakeClosed:
        shown_messages.error(request, _("This stocktake is closed: start another one."))
        return redirect("loans:stocktake", pk)
    if getattr(request, "htmx", False):
        again = done[-1].line.pk if done and done[-1].again else None
        return render(request, "loans/stocktake/latest.html", _latest(row) | {"again": again})
    return redirect("loans:stocktake", pk)


@require_POST
@requires(DESK)
def close(request: HttpRequest, pk: int) -> HttpResponse:
    """End it: what was not seen is missing."""
    stocktake.close(_found(pk), act=act_of(request))
    return redirect("loans:stocktake", pk)


@require_POST
@requires(DESK)
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Do something about one finding."""
    line = get_object_or_404(StocktakeLine.objects.select_related("copy"), pk=pk)
    how = request.POST.get("how", "")
    if how not in Settled.values:
        raise PermissionDenied
    if stocktake.is_for_librarians(line, Settled(how)) and not request.user.has_perm(EDIT):
        raise PermissionDenied
    try:
        stocktake.settle(line, Settled(how), act=act_of(request))
    except stocktake.CannotSettle:
        shown_messages.error(request, _("That box has moved since: look at it again before you do this."))
    except Refused as refused:
        for told in messages.explain(refused.refusals, request.user):
            shown_messages.error(request, told.sentence)
    return redirect("loans:stocktake", line.stocktake_id)


@require_safe
@never_cache
@requires(DESK)
def as_file(request: HttpRequest, pk: int) -> HttpResponseBase:
    """All lines as CSV; while it is open, what is missing until now is among them."""
    return csv_file(f"stocktake-{pk}", _table(_found(pk)).as_csv(bom=wants_bom(request)))


def _found(pk: int) -> Stocktake:
    return get_object_or_404(Stocktake.objects.select_related("branch", "section"), pk=pk)


def _show(request: HttpRequest, row: Stocktake) -> HttpResponse:
    page = _latest(row) | {"groups": _groups(row, act_of(request).by)}
    if row.closed_at is None:
        page["missing"] = stocktake.missing(row)
    return render(request, "loans/stocktake/show.html", page)


def _latest(row: Stocktake) -> dict[str, object]:
    """What the script changes: the figures, and the latest scans, the newest first."""
    counted = dict(row.lines.order_by().values_list("finding").annotate(Count("pk")))
    missing = counted.get(Finding.MISSING, 0) if row.closed_at else stocktake.missing(row).count()
    seen = sum(many for finding, many in counted.items() if finding != Finding.MISSING)
    latest = row.lines.filter(seen_at__isnull=False).select_related(
        "copy__game", "copy__section", "copy__branch"
    )
    return {
        "stocktake": row,
        "scanned": seen,
        "in_place": counted.get(Finding.SEEN, 0),
        "surprises": seen - counted.get(Finding.SEEN, 0),
        "missing_count": missing,
        "latest": latest.order_by("-pk")[:LATEST_SHOWN],
    }


def _groups(row: Stocktake, by: User) -> list[Group]:
    by_finding: dict[str, list[Row]] = {}
    for line in stocktake.surprises(row):
        buttons = tuple((how, REMEDY_WORDS[how]) for how in stocktake.remedies_open_to(by, line))
        by_finding.setdefault(line.finding, []).append(Row(line, buttons))
    return [Group(finding, tuple(by_finding[finding])) for finding in SHOWN if finding in by_finding]


def _table(row: Stocktake) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (line.code, *_copy_cells(line), line.get_finding_display(), line.get_settled_display())
        for line in row.lines.select_related("copy__game", "copy__section", "copy__branch")
    ]
    if row.closed_at is None:
        rows += [
            (copy.barcode, str(copy.game), str(copy.section or ""), str(copy.branch or ""), missing, "")
            for missing in [str(Finding.MISSING.label)]
            for copy in stocktake.missing(row)
        ]
    columns = (_("Code"), _("Game"), _("Section"), _("Branch"), _("Found"), _("Done about it"))
    return Table(columns=columns, rows=rows)


def _copy_cells(line: StocktakeLine) -> tuple[str, str, str]:
    copy = line.copy
    return (str(copy.game), str(copy.section or ""), str(copy.branch or "")) if copy else ("", "", "")
