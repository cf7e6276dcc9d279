"""Add, correct and remove one box of a game."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalogue import merge, records
from catalogue.draft import CopyDraft
from catalogue.forms.copies import CopyForm
from catalogue.guard import EDIT, requires
from catalogue.models import Branch, Copy, Game, Section
from catalogue.views.meanwhile import explained


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """A new box of a game; shelf and branch are those of its newest box until said otherwise."""
    game = get_object_or_404(Game, pk=pk)
    if request.method != "POST":
        return _page(request, CopyForm(CopyDraft("")).showing(_like_the_last(game)), game)
    form = CopyForm(CopyDraft(""), request.POST)
    if not form.is_valid():
        return _page(request, form, game, status=422)
    try:
        copy = records.add_copy(game, form.draft())
    except records.BarcodeTaken as taken:
        return _page(request, form, game, status=409, holder=taken.copy)
    messages.success(request, _("Copy %(barcode)s was added.") % {"barcode": copy.barcode})
    return redirect("catalogue:copy-add" if "another" in request.POST else "catalogue:game-edit", game.pk)


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct what is said of a box."""
    copy = get_object_or_404(Copy.objects.select_related("game", "section", "branch"), pk=pk)
    now = records.describe_copy(copy)
    if request.method != "POST":
        return _page(request, CopyForm(now), copy.game, copy=copy)
    form = CopyForm(merge.unseal(CopyDraft, request.POST.get("seen", "")) or now, request.POST)
    if not form.is_valid():
        return _page(request, form, copy.game, copy=copy, status=422)
    return _save(request, copy, form)


def _save(request: HttpRequest, copy: Copy, form: CopyForm) -> HttpResponse:
    try:
        changed = records.update_copy(copy, form.draft(), seen=form.seen)
    except records.BarcodeTaken as taken:
        return _page(request, form, copy.game, copy=copy, status=409, holder=taken.copy)
    except records.ChangedMeanwhile:
        return _changed_meanwhile(request, copy, form)
    if changed:
        messages.success(request, _("Copy %(barcode)s was saved.") % {"barcode": form.draft().barcode})
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("catalogue:game-edit", copy.game_id)


def _changed_meanwhile(request: HttpRequest, copy: Copy, form: CopyForm) -> HttpResponse:
    """The page again: what was typed, on top of what the record says now."""
    now = records.describe_copy(Copy.objects.select_related("section", "branch").get(pk=copy.pk))
    merged = merge.merge(form.seen, form.draft(), now)
    labels = {name: field.label for name, field in form.fields.items()}
    fresh = CopyForm(now).showing(merged.draft)
    differences = explained(merged.differences, labels)
    return _page(request, fresh, copy.game, copy=copy, status=409, meanwhile=differences)


@require_POST
@requires(EDIT)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a box that was never lent."""
    copy = get_object_or_404(Copy, pk=pk)
    try:
        records.delete_copy(copy)
    except records.InUse:
        text = _("Copy %(barcode)s has been lent before: set its condition to “withdrawn” instead.")
        messages.error(request, text % {"barcode": copy.barcode})
        return redirect("catalogue:copy-edit", pk)
    messages.success(request, _("Copy %(barcode)s was removed.") % {"barcode": copy.barcode})
    return redirect("catalogue:game-edit", copy.game_id)


def _like_the_last(game: Game) -> CopyDraft:
    last = game.copies.select_related("section", "branch").order_by("-pk").first()
    if last is None:
        return CopyDraft("")
    said = records.describe_copy(last)
    return CopyDraft("", call_number=said.call_number, section=said.section, branch=said.branch)


def _page(
    request: HttpRequest, form: CopyForm, game: Game, *, status: int = 200, **more: Any
) -> HttpResponse:
    page = {
        "form": form,
        "forms": [form],
        "game": game,
        "sections": Section.objects.all(),
        "branches": Branch.objects.all(),
    }
    return render(request, "catalogue/copy.html", page | more, status=status)
