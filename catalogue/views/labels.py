"""Labels for boxes: new numbers, and sheets to print as PDF."""

from collections.abc import Iterable, Sequence

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from catalogue import short_addresses
from catalogue.forms.labels import GiveForm, Kind, LabelsForm, PatternForm, Which
from catalogue.guard import EDIT, requires
from catalogue.labels import choosing, numbers
from catalogue.labels.faces import BarcodeFace, Face, QrFace
from catalogue.models import Copy
from catalogue.views.printed import grid, paper_of, printed

GIVEN_SHOWN = 200


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(EDIT)
def labels(request: HttpRequest) -> HttpResponse:
    """Choose boxes, paper and first label; the sheets come as a PDF."""
    if request.method != "POST":
        start = {"codes": request.GET.get("codes", "")[:4096]}
        start |= {"which": Which.WAITING} if "waiting" in request.GET else {}
        return _page(request, LabelsForm(initial=paper_of(request, of="labels") | start))
    if test_page := grid(request):
        return test_page
    form = LabelsForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422)
    faces = _faces(request, form)
    if not faces:
        form.add_error("kind", _("None of these games has rules here."))
        return _page(request, form, status=422)
    return printed(request, form, faces, of="labels", title=_("Labels")) or _page(request, form, status=422)


def _faces(request: HttpRequest, form: LabelsForm) -> Sequence[Face]:
    kind = form.cleaned_data["kind"]
    if form.numbers:
        return [BarcodeFace(number, mark=settings.LIBRARY_NAME) for number in form.numbers]
    if kind == Kind.RULES:
        return [*_rules_faces(request, form.copies)]
    if kind == Kind.BARCODE:
        return [BarcodeFace(copy.barcode) for copy in form.copies]
    return [
        BarcodeFace(copy.barcode, choosing.title_on_label(copy.game), copy.call_number)
        for copy in form.copies
    ]


def _rules_faces(request: HttpRequest, copies: Sequence[Copy]) -> Iterable[Face]:
    texts = choosing.rules_of(copies)
    for copy in copies:
        if text := texts.get(copy.game_id):
            address = short_addresses.address(request, text.pk)
            title = choosing.title_on_label(copy.game)
            yield QrFace(address.url, title, _("The rules, in your language"), address.letters)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(EDIT)
def new_numbers(request: HttpRequest) -> HttpResponse:
    """Give new numbers; and those that are on no box yet."""
    if request.method != "POST":
        return _numbers_page(request, GiveForm())
    form = GiveForm(request.POST)
    if not form.is_valid():
        return _numbers_page(request, form, status=422)
    by = request.user if isinstance(request.user, User) else None
    try:
        given = numbers.give(form.cleaned_data["count"], by=by, now=timezone.now())
    except numbers.UsedUp as used_up:
        words = _("Only %(left)s numbers are left: give the counter more digits.")
        form.add_error("count", words % {"left": used_up.left})
        return _numbers_page(request, form, status=409)
    words = ngettext(
        "%(count)s new number: %(first)s.", "%(count)s new numbers: %(first)s to %(last)s.", len(given)
    )
    messages.success(request, words % {"count": len(given), "first": given[0], "last": given[-1]})
    return redirect("catalogue:label-numbers")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(EDIT)
def number_pattern(request: HttpRequest) -> HttpResponse:
    """How the library's numbers look from now on."""
    now = numbers.pattern()
    start = {
        "number_prefix": now.prefix,
        "digits": now.digits,
        "check_kind": now.check.value,
        "next_counter": numbers.next_counter(),
    }
    form = PatternForm(request.POST if request.method == "POST" else None, initial=start)
    if form.is_valid():
        numbers.set_pattern(form.pattern, form.cleaned_data["next_counter"])
        messages.success(request, _("Saved."))
        return redirect("catalogue:label-numbers")
    page = {"form": form, "forms": [form]}
    return render(request, "catalogue/number_pattern.html", page, status=422 if form.errors else 200)


def _page(request: HttpRequest, form: LabelsForm, *, status: int = 200) -> HttpResponse:
    page = {
        "form": form,
        "forms": [form],
        "waiting": numbers.waiting().count(),
        "is_local": short_addresses.address(request, 1).is_local,
    }
    return render(request, "catalogue/labels.html", page, status=status)


def _numbers_page(request: HttpRequest, form: GiveForm, *, status: int = 200) -> HttpResponse:
    now, counter = numbers.pattern(), numbers.next_counter()
    page = {
        "form": form,
        "forms": [form],
        "example": now.number(min(counter, now.last)),
        "waiting": numbers.waiting()[:GIVEN_SHOWN],
        "waiting_total": numbers.waiting().count(),
    }
    return render(request, "catalogue/label_numbers.html", page, status=status)
