"""The pages of the calendar: when a branch is open, its closures, and what they move.

Whoever may use the desk sees the days; who may manage the calendar changes them. A change of closures is
shown with the loans that it moves before it is made: the same address, sent once more with `seen`.
"""

from datetime import date
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.models import Branch
from loans import closures, openings, patterns
from loans.calendar import local_date
from loans.calendar_forms import ClosureForm, HolidaysForm, OpeningForm, TickedDaysForm
from loans.calendar_page import BranchDays, offered, opening_line
from loans.closures import Change, Plan
from loans.desk_state import row_id
from loans.models import Closure, Opening
from loans.openings import NeverOpen, NotARecurrence
from loans.pages import Request, at_the_desk, for_holders_of, today

YEARS = range(1971, 2200)


_manages = for_holders_of("loans.manage_calendar")


@require_safe
@at_the_desk
def calendar(request: Request) -> HttpResponse:
    """A month or a year of a branch, with its opening days and closures."""
    branch = _branch(request)
    today = local_date(timezone.now(), branch)
    days = BranchDays(branch, today)
    year, month = _asked_month(request, today)
    context = {
        "days": days,
        "branches": Branch.objects.all(),
        "branch": branch,
        "query": f"branch={branch.pk}&" if branch else "",
        "year": year,
        "years": {"before": year - 1, "after": year + 1},
        "month": days.month(date(year, month, 1)) if month else None,
        "around": _around(year, month) if month else None,
        "months": () if month else days.year(year),
    }
    return render(request, "loans/calendar/calendar.html", context)


def _branch(request: Request) -> Branch | None:
    """The branch that the page is about: the one asked for, else the first, else none."""
    branches = Branch.objects.all()
    if pk := row_id(request.GET.get("branch")):
        return get_object_or_404(branches, pk=pk)
    return branches.first()


def _asked_month(request: Request, today: date) -> tuple[int, int]:
    """Year and month of the address; month 0 for a whole year. What cannot be read is this month."""
    year, _dash, month = (request.GET.get("year") or request.GET.get("month") or "").partition("-")
    try:
        asked = int(year), int(month or 0)
    except ValueError:
        return today.year, today.month
    return asked if asked[0] in YEARS and 0 <= asked[1] <= 12 else (today.year, today.month)


def _around(year: int, month: int) -> dict[str, date]:
    """The months before and after."""
    before = date(year, month - 1, 1) if month > 1 else date(year - 1, 12, 1)
    after = date(year, month + 1, 1) if month < 12 else date(year + 1, 1, 1)
    return {"before": before, "after": after}


# --- opening days ------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@_manages
def add_opening(request: Request) -> HttpResponse:
    """A new opening rule."""
    initial = {"branch": request.GET.get("branch", ""), "every": patterns.Every.WEEK, "starts_on": today()}
    return _opening_form(request, OpeningForm(request.POST or None, initial=initial), None)


@require_http_methods(["GET", "HEAD", "POST"])
@_manages
def change_opening(request: Request, pk: int) -> HttpResponse:
    """An opening rule; one that no form can show can only be removed and entered anew."""
    opening = get_object_or_404(Opening.objects.select_related("branch"), pk=pk)
    pattern = patterns.read(opening.rrule, opening.starts_on)
    initial = OpeningForm.values(opening, pattern) if pattern else {}
    return _opening_form(request, OpeningForm(request.POST or None, initial=initial), opening)


def _opening_form(request: Request, form: OpeningForm, opening: Opening | None) -> HttpResponse:
    if request.method == "POST" and form.is_valid():
        try:
            saved = openings.save_opening(opening, form.draft(), today=today())
        except NotARecurrence:
            form.add_error(None, _("These words name no day: look at the weekdays and at from and until."))
        except NeverOpen as error:
            form.add_error(None, _never_open(error))
        else:
            messages.success(request, _("Saved."))
            return redirect(_calendar_url(saved.branch))
    context = {"form": form, "opening": opening, "branch": opening.branch if opening else None}
    return render(request, "loans/calendar/opening.html", context)


@require_POST
@_manages
def remove_openings(request: Request) -> HttpResponse:
    """Remove all opening rules that were ticked, after a second look."""
    ticked = [pk for pk in map(row_id, request.POST.getlist("opening")[:500]) if pk]
    rows = list(Opening.objects.filter(pk__in=ticked).select_related("branch"))
    back = _calendar_url(rows[0].branch if rows else None)
    if not rows:
        messages.warning(request, _("Nothing was ticked, so nothing was removed."))
        return redirect(back)
    if "sure" not in request.POST:
        lines = [opening_line(row, today()) for row in rows]
        return render(request, "loans/calendar/remove.html", {"lines": lines, "back": back})
    try:
        removed = openings.delete_openings(rows, today=today())
    except NeverOpen as error:
        messages.error(request, _never_open(error))
        return redirect(back)
    words = ngettext("%(number)s opening removed.", "%(number)s openings removed.", removed)
    messages.success(request, words % {"number": removed})
    return redirect(back)


# --- closures ----------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@_manages
def add_closure(request: Request) -> HttpResponse:
    """New days of closure: typed, then shown with what they move, then made."""
    form = ClosureForm(request.POST or None, initial={"branch": request.GET.get("branch", "")})
    if request.method == "POST" and "back" not in request.POST and form.is_valid():
        return _planned(request, Change(new=(form.draft(),)), form)
    return render(request, "loans/calendar/closure.html", {"form": form})


@require_http_methods(["GET", "HEAD", "POST"])
@_manages
def change_closure(request: Request, pk: int) -> HttpResponse:
    """Other days for a closure, or the same once more, for the loans that are still due in it."""
    closure = get_object_or_404(Closure.objects.select_related("branch"), pk=pk, lifted_at=None)
    form = ClosureForm(request.POST or None, initial=ClosureForm.values(closure))
    if request.method == "POST" and "back" not in request.POST and form.is_valid():
        return _planned(request, Change(old=closure, to=form.draft()), form)
    return render(request, "loans/calendar/closure.html", {"form": form, "closure": closure})


@require_POST
@_manages
def lift_closure(request: Request, pk: int) -> HttpResponse:
    """Take a closure back: shown with what goes back, then made."""
    closure = get_object_or_404(Closure.objects.select_related("branch"), pk=pk, lifted_at=None)
    return _planned(request, Change(old=closure), None)


def _planned(request: Request, change: Change, form: forms.Form | None) -> HttpResponse:
    """Show what the change moves; make it, once that was seen. What was typed comes back with an error."""
    now, seen = timezone.now(), request.POST.get("seen")
    try:
        if seen is None:
            return _show_plan(request, closures.plan(change, now=now), form)
        return _made(request, closures.apply(change, by=request.user, now=now, seen=seen))
    except closures.PlanChanged as error:
        return _show_plan(request, error.plan, form, changed=True)
    except NeverOpen as error:
        return _refused(request, change, form, _never_open(error))


def _show_plan(
    request: Request, plan: Plan, form: forms.Form | None, *, changed: bool = False
) -> HttpResponse:
    change = plan.change
    context = {
        "plan": plan,
        "changed": changed,
        "closure": change.old,
        "lifts": change.old is not None and change.to is None,
        "typed": _typed(request),
        "may_go_back": isinstance(form, ClosureForm),
        "back": _calendar_url(_branch_of(change)),
    }
    return render(request, "loans/calendar/plan.html", context)


def _refused(request: Request, change: Change, form: forms.Form | None, why: str) -> HttpResponse:
    """Why not: on the form where there is one, else on the calendar."""
    if isinstance(form, ClosureForm):
        form.add_error(None, why)
        return render(request, "loans/calendar/closure.html", {"form": form, "closure": change.old})
    messages.error(request, why)
    return redirect(_calendar_url(_branch_of(change)))


def _made(request: Request, made: Plan) -> HttpResponse:
    words = ngettext(
        "Done. %(number)s loan has a new due date.",
        "Done. %(number)s loans have a new due date.",
        len(made.moves),
    )
    messages.success(request, words % {"number": len(made.moves)})
    return redirect(_calendar_url(_branch_of(made.change)))


def _branch_of(change: Change) -> Branch | None:
    return change.old.branch if change.old else change.new[0].branch


def _typed(request: Request) -> list[tuple[str, str]]:
    """All that was sent, for the form that sends it once more."""
    own = {"csrfmiddlewaretoken", "seen", "back"}
    return [(name, value) for name in request.POST if name not in own for value in request.POST.getlist(name)]


# --- holidays ----------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@_manages
def holidays(request: Request) -> HttpResponse:
    """Holidays to close on: of a region, of a school zone, or of a calendar file that is sent."""
    form = HolidaysForm(request.GET or request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form, "asked": form.is_bound}
    if form.is_bound and form.is_valid():
        branch = form.cleaned_data["branch"]
        days = BranchDays(branch, local_date(timezone.now(), branch))
        found = form.found(days.today, get_language() or "")
        context |= {"branch": branch, "offers": offered(days, found), "left_out": form.left_out}
    return render(request, "loans/calendar/holidays.html", context)


@require_POST
@_manages
def close_on_holidays(request: Request) -> HttpResponse:
    """Close on the holidays that were ticked."""
    form = TickedDaysForm(request.POST)
    if form.is_valid():
        return _planned(request, Change(new=form.drafts()), form)
    messages.warning(request, _("No holiday was ticked, so nothing is closed."))
    return redirect("loans:holidays")


# --- words and places --------------------------------------------------------------------------


def _calendar_url(branch: Branch | None) -> str:
    address = reverse("loans:calendar")
    return f"{address}?branch={branch.pk}" if branch else address


def _never_open(error: NeverOpen) -> str:
    if error.branch is None:
        return _(
            "Not saved: no day within a year would be open, and then nothing can be lent. "
            "Shorten the closure, or enter an opening day first."
        )
    return _(
        "Not saved: %(branch)s would have no open day within a year, and then nothing can be lent there. "
        "Shorten the closure, or enter an opening day first."
    ) % {"branch": error.branch}
