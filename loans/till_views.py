"""Pages of the till: what should be in it, the count at the end of the day, closed days, the journal."""

from datetime import date

from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalogue.models import Branch
from loans import entries, journal_csv, till
from loans.act import Refused
from loans.desk_state import row_id
from loans.models import TillDay
from loans.money_forms import CloseForm, FilterForm, MoveForm
from loans.money_views import nonce_of, tell, tills
from loans.pages import Request, act_of, at_the_till, csv_file, wants_bom

JOURNAL_SHOWN, DAYS_SHOWN = 500, 30


@require_safe
@at_the_till
def show(request: Request) -> HttpResponse:
    """The till of a branch today."""
    branches, branch = _branch(request)
    return _show(request, branches, branch)


@require_POST
@at_the_till
def move(request: Request) -> HttpResponse:
    """Put a float into the drawer, or take money out of it."""
    branches, branch = _branch(request)
    form = MoveForm(request.POST, branches=[], here=branch)
    if form.is_valid():
        cents = form.cleaned_data["amount"] * (1 if form.cleaned_data["what"] == MoveForm.IN else -1)
        try:
            till.put(branch, cents, act=act_of(request), note=form.cleaned_data["note"])
            return redirect(_url(branch))
        except Refused as refused:
            tell(form, refused, request)
    return _show(request, branches, branch, move=form)


@require_POST
@at_the_till
def close(request: Request) -> HttpResponse:
    """Close the day with what was counted."""
    branches, branch = _branch(request)
    form = CloseForm(request.POST)
    if form.is_valid():
        given = form.cleaned_data
        try:
            closed = till.close(
                branch,
                given["on"],
                given["counted"],
                act=act_of(request),
                reason=given["reason"],
                to_safe=given["to_safe"] or 0,
            )
            return redirect("loans:till-day", closed.pk)
        except Refused as refused:
            tell(form, refused, request)
    return _show(request, branches, branch, close=form)


@require_safe
@at_the_till
def day(request: Request, pk: int) -> HttpResponse:
    """A closed day, to be printed and put into the folder."""
    closed = get_object_or_404(TillDay.objects.select_related("branch", "closed_by"), pk=pk)
    told = till.closed(closed)
    context = {"day": closed, "entries": told.entries, "flows": told.flows, "left": told.left}
    return render(request, "loans/till/day.html", context)


@require_safe
@at_the_till
def journal(request: Request) -> HttpResponse:
    """The journal, cut by what stands in the address."""
    form = FilterForm(request.GET)
    cut = _cut(form)
    lines = journal_csv.lines(cut).reverse()[: JOURNAL_SHOWN + 1] if cut else []
    shown = list(lines)
    context = {
        "form": form,
        "lines": shown[:JOURNAL_SHOWN],
        "more": len(shown) > JOURNAL_SHOWN,
        "query": request.GET.urlencode(),
    }
    return render(request, "loans/till/journal.html", context)


@require_safe
@at_the_till
def journal_file(request: Request) -> HttpResponseBase:
    """The same as a file (`bom=1` for a spreadsheet that asks for it)."""
    form = FilterForm(request.GET)
    cut = _cut(form)
    if cut is None:
        return redirect(f"{reverse('loans:till-journal')}?{request.GET.urlencode()}")
    return csv_file("journal", journal_csv.as_csv(cut, bom=wants_bom(request)))


def _cut(form: FilterForm) -> journal_csv.Cut | None:
    return journal_csv.Cut(**form.cleaned_data) if form.is_valid() else None


def _branch(request: Request) -> tuple[list[Branch], Branch | None]:
    """The branches, and the one that the address or the form names, else the one of this person."""
    branches, here = tills(request)
    wanted = row_id(request.POST.get("till") or request.GET.get("till"))
    return branches, next((branch for branch in branches if branch.pk == wanted), here)


def _url(branch: Branch | None) -> str:
    return reverse("loans:till") + (f"?till={branch.pk}" if branch else "")


def _show(
    request: Request,
    branches: list[Branch],
    branch: Branch | None,
    *,
    move: MoveForm | None = None,
    close: CloseForm | None = None,
) -> HttpResponse:
    today: date = entries.day_of_books(branch, timezone.now())
    now = till.read(branch, on=today)
    after = now.last_closed.on if now.last_closed else None
    context = {
        "branches": branches,
        "branch": branch,
        "till": now,
        "entries": till.entries(branch, after=after, on=today),
        "days": TillDay.objects.filter(branch=branch)[:DAYS_SHOWN],
        "move": move or MoveForm(branches=[], here=branch),
        "close": close or CloseForm(initial={"on": today}),
        "nonce": nonce_of(request),
    }
    return render(request, "loans/till/till.html", context)
