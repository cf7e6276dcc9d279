"""The pages of lists and figures: which there are, one of them, and the same as CSV."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from catalogue.guard import requires
from catalogue.models import Branch
from loans.models import MemberCategory
from loans.pages import csv_file, today, wants_bom
from loans.reports import BY_KEY, REPORTS, Report
from loans.reports_cut import Cut

SEE = "loans.see_reports"
YEAR = timedelta(days=364)


class CutForm(forms.Form):
    """What stands in the address; the last twelve months where it says nothing."""

    first_on = forms.DateField(label=_("From"), widget=forms.DateInput(attrs={"type": "date"}))
    last_on = forms.DateField(label=_("Until"), widget=forms.DateInput(attrs={"type": "date"}))
    branch = forms.ModelChoiceField(
        Branch.objects.all(), label=_("Branch"), required=False, empty_label=_("all")
    )
    category = forms.ModelChoiceField(
        MemberCategory.objects.all(), label=_("Member category"), required=False, empty_label=_("all")
    )

    def __init__(self, report: Report, given: QueryDict, *, today: date) -> None:
        said = given.copy()
        said.setdefault("first_on", (today - YEAR).isoformat())
        said.setdefault("last_on", today.isoformat())
        super().__init__(said)
        self.today = today
        for name in set(self.fields) - set(report.cut_by):
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """The first day is not after the last."""
        given = super().clean() or {}
        first, last = given.get("first_on"), given.get("last_on")
        if first and last and first > last:
            self.add_error("last_on", _("The last day is before the first."))
        return given

    def cut(self) -> Cut:
        """The values, once the form is valid."""
        spans = {"first_on": self.today - YEAR, "last_on": self.today}
        return Cut(today=self.today, **spans | self.cleaned_data)


@require_safe
@never_cache
@requires(SEE)
def index(request: HttpRequest) -> HttpResponse:
    """All lists and figures."""
    return render(request, "loans/figures/index.html", {"reports": REPORTS})


@require_safe
@never_cache
@requires(SEE)
def show(request: HttpRequest, key: str) -> HttpResponse:
    """One of them, cut by what stands in the address."""
    report = _report(key)
    form = CutForm(report, request.GET, today=today())
    page = {
        "report": report,
        "reports": REPORTS,
        "form": form,
        "table": report.make(form.cut()) if form.is_valid() else None,
        "query": request.GET.urlencode(),
    }
    return render(request, "loans/figures/show.html", page, status=422 if form.errors else 200)


@require_safe
@never_cache
@requires(SEE)
def as_file(request: HttpRequest, key: str) -> HttpResponseBase:
    """The same as a file (`bom=1` for a spreadsheet that asks for it)."""
    report = _report(key)
    form = CutForm(report, request.GET, today=today())
    if not form.is_valid():
        return redirect(f"{reverse('loans:figure', args=[key])}?{request.GET.urlencode()}")
    return csv_file(key, report.make(form.cut()).as_csv(bom=wants_bom(request)))


def _report(key: str) -> Report:
    if key not in BY_KEY:
        raise Http404
    return BY_KEY[key]
