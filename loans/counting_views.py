"""Counting boxes: the taps of the desk's answer after a return, the queue, and one count as a page.

Read what was sent, call one function of `counting`, go back to where the tap came from: the desk in its
state, or the page of the count.
"""

from collections.abc import Callable
from dataclasses import replace
from uuid import uuid4

from django.contrib import messages as notes
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.models import Component, Copy
from loans import counting, messages, photos, tray
from loans import desk as lending
from loans.act import Act, Refused
from loans.desk_state import DeskState, row_id
from loans.models import DeskEvent, PieceCount
from loans.pages import Request, act_of, at_the_desk

LOANS_SHOWN = 10


# --- after a return --------------------------------------------------------------------------------


@require_POST
@at_the_desk
def complete_after(request: Request, pk: int) -> HttpResponse:
    """All is there."""
    event = _event(pk)
    return _at_desk(request, event, lambda act: counting.complete(counting.count_of(event, act=act), act=act))


@require_POST
@at_the_desk
def missing_after(request: Request, pk: int) -> HttpResponse:
    """So many of a piece are missing."""
    event = _event(pk)
    component, quantity = _missing(request)
    return _at_desk(
        request,
        event,
        lambda act: counting.missing(counting.count_of(event, act=act), component, quantity, act=act),
    )


@require_POST
@at_the_desk
def later_after(request: Request, pk: int) -> HttpResponse:
    """Nobody has time now."""
    event = _event(pk)
    return _at_desk(request, event, lambda act: counting.count_of(event, act=act))


# --- the queue and its counts ------------------------------------------------------------------------


@require_safe
@at_the_desk
def queue(request: Request) -> HttpResponse:
    """The boxes that wait to be counted."""
    return render(request, "loans/counting/queue.html", {"counts": counting.waiting()})


@require_safe
@at_the_desk
def count(request: Request, pk: int) -> HttpResponse:
    """One count."""
    return _page(request, _count(pk))


@require_POST
@at_the_desk
def complete(request: Request, pk: int) -> HttpResponse:
    """All is there."""
    row = _count(pk)
    return _on_page(request, row, lambda act: counting.complete(row, act=act))


@require_POST
@at_the_desk
def missing(request: Request, pk: int) -> HttpResponse:
    """So many of a piece are missing."""
    row = _count(pk)
    component, quantity = _missing(request)
    return _on_page(request, row, lambda act: counting.missing(row, component, quantity, act=act))


@require_POST
@at_the_desk
def keep_photo(request: Request, pk: int) -> HttpResponse:
    """A photo of the tray is sent."""
    row, upload = _count(pk), request.FILES.get("photo")
    if upload is None:
        return redirect("loans:count", pk)
    return _on_page(request, row, lambda act: counting.keep_photo(row, upload))  # noqa: ARG005


@require_safe
@at_the_desk
def photo(request: Request, pk: int) -> HttpResponse:  # noqa: ARG001 - the address says all
    """The photo of the tray, as what it is."""
    row = _count(pk)
    kind = photos.kind_named(row.photo.name or "")
    if kind is None:
        raise Http404
    return HttpResponse(row.photo.open("rb"), content_type=kind.content_type)


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_desk
def box(request: Request, pk: int) -> HttpResponse:
    """Count a box that was not just returned: say which loan was the one before, or that nobody knows."""
    copy = get_object_or_404(Copy.objects.select_related("game"), pk=pk)
    loans = (
        copy.loans.filter(voided=False, member__isnull=False)
        .select_related("member")
        .order_by("-lent_at")[:LOANS_SHOWN]
    )
    if request.method != "POST":
        return render(request, "loans/counting/box.html", {"copy": copy, "loans": loans})
    loan = copy.loans.filter(pk=row_id(request.POST.get("loan")) or 0).first()
    return redirect("loans:count", counting.count_of_copy(copy, loan, act=act_of(request)).pk)


# --- reading and answering ---------------------------------------------------------------------------


def told(request: HttpRequest, stopped: Refused) -> None:
    """Say on the next page why something was not done."""
    (one,) = messages.explain((stopped.refusals[0],), request.user)
    notes.error(request, one.sentence)


def _event(pk: int) -> DeskEvent:
    return get_object_or_404(
        DeskEvent.objects.select_related("copy__game", "loan"), pk=pk, copy__isnull=False
    )


def _count(pk: int) -> PieceCount:
    return get_object_or_404(PieceCount.objects.select_related("copy__game", "loan__member"), pk=pk)


def _missing(request: Request) -> tuple[Component, int]:
    component, _colon, quantity = request.POST.get("missing", "").partition(":")
    return get_object_or_404(Component, pk=row_id(component)), min(row_id(quantity) or 0, 9999)


def _at_desk(request: Request, event: DeskEvent, tap: Callable[[Act], object]) -> HttpResponse:
    """The desk again, with the same answer on show; what cannot be is a refusal like any other."""
    state = replace(DeskState.read(request.POST), event=event.pk, again=False)
    act = act_of(request)
    try:
        tap(act)
    except Refused as stopped:
        try:
            lending.refuse_scan(stopped.refusals[0], act=act)
        except Refused as refused:
            state = replace(state, event=refused.event.pk if refused.event else None)
    return redirect(state.url)


def _on_page(request: Request, row: PieceCount, tap: Callable[[Act], object]) -> HttpResponse:
    try:
        tap(act_of(request))
    except Refused as stopped:
        told(request, stopped)
    return redirect("loans:count", row.pk)


def _page(request: Request, row: PieceCount) -> HttpResponse:
    context = {"tray": tray.of(row.copy, row), "count": row, "nonce": uuid4().hex}
    return render(request, "loans/counting/count.html", context)
