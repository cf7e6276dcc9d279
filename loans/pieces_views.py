"""Missing pieces, component lists, spare pieces and the contents label: pages of the staff."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.contrib import messages as notes
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue import components
from catalogue.guard import EDIT, requires
from catalogue.models import Copy, Game
from catalogue.text import name_key
from loans import care, charges, counting, spare_parts
from loans.act import Act, Refused
from loans.component_forms import ComponentRow, DifferenceRow, rows_of
from loans.counting_views import told
from loans.desk_state import DeskState, row_id
from loans.models import MissingPiece, PieceDecision
from loans.pages import Request, act_of, at_the_desk

LOANS_SHOWN = 10
PIECES_SHOWN = 200


@require_safe
@at_the_desk
def missing_pieces(request: Request) -> HttpResponse:
    """The open questions, undecided ones first; of one member where the address says so."""
    rows = counting.open_questions()
    if member := row_id(request.GET.get("member")):
        rows = rows.filter(loan__member=member)
    newest = list(rows[:PIECES_SHOWN])
    undecided = [row for row in newest if row.decision == PieceDecision.OPEN]
    decided = [row for row in newest if row.decision != PieceDecision.OPEN]
    return render(request, "loans/pieces/list.html", {"undecided": undecided, "decided": decided})


@require_safe
@at_the_desk
def piece(request: Request, pk: int) -> HttpResponse:
    """One missing piece: what is known, what can be decided, how it ended."""
    return _piece_page(request, _piece(pk))


@require_POST
@at_the_desk
def decide(request: Request, pk: int) -> HttpResponse:
    """Shelf, spare or unplayable; and what the family pays."""
    row = _piece(pk)
    sent = request.POST.get("decision", "")
    if sent not in PieceDecision.values:
        return _piece_page(request, row, status=422)
    donor = Copy.objects.filter(pk=row_id(request.POST.get("donor")) or 0, game=row.copy.game_id).first()
    try:
        cents = charges.read(request.POST.get("charge", ""))
    except charges.NotAnAmount as error:
        return _piece_page(request, row, status=422, typed=request.POST["charge"], wrong=str(error))
    return _after(
        request,
        row,
        lambda act: counting.decide(row, PieceDecision(sent), charge_cents=cents, donor=donor, act=act),
    )


@require_POST
@at_the_desk
def found(request: Request, pk: int) -> HttpResponse:
    """It has turned up, or some of them."""
    row = _piece(pk)
    quantity = row_id(request.POST.get("quantity"))
    return _after(request, row, lambda act: counting.found(row, quantity=quantity or None, act=act))


@require_POST
@at_the_desk
def give_up(request: Request, pk: int) -> HttpResponse:
    """It will not come back."""
    row = _piece(pk)
    note = request.POST.get("note", "")
    return _after(request, row, lambda act: counting.give_up(row, note=note, act=act))


@require_POST
@at_the_desk
def lost_with(request: Request, pk: int) -> HttpResponse:
    """With which loan it went missing."""
    row = _piece(pk)
    loan = row.copy.loans.filter(pk=row_id(request.POST.get("loan")) or 0).first()
    return _after(request, row, lambda act: counting.lost_with(row, loan, act=act))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(EDIT)
def component_list(request: HttpRequest, pk: int) -> HttpResponse:
    """What should be in the box of a game: correct, price, strike out, add."""
    game = get_object_or_404(Game, pk=pk)
    listed = components.of(game)
    rows = rows_of(ComponentRow, listed, request.POST if request.method == "POST" else None)
    extra = ComponentRow(None, request.POST if request.method == "POST" else None)
    if request.method == "POST" and all(row.is_valid() for row in (*rows, extra)):
        for row in rows:
            row.keep()
        extra.add_to(game)
        notes.success(request, _("The list of pieces was saved."))
        return redirect("loans:component-list", pk)
    context = {"game": game, "rows": rows, "extra": extra}
    return render(request, "loans/pieces/components.html", context, status=_status(rows, extra))


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(EDIT)
def box_differences(request: Request, pk: int) -> HttpResponse:
    """How one box differs for good from the list of its game."""
    copy = get_object_or_404(Copy.objects.select_related("game"), pk=pk)
    expected = components.expected_in(copy)
    rows = rows_of(DifferenceRow, expected, request.POST if request.method == "POST" else None)
    if request.method == "POST" and all(row.is_valid() for row in rows):
        care.set_differences(copy, [row.draft() for row in rows], act=act_of(request))
        notes.success(request, _("What this box holds was saved."))
        return redirect("loans:box-differences", pk)
    return render(request, "loans/pieces/box.html", {"copy": copy, "rows": rows}, status=_status(rows))


@require_safe
@at_the_desk
def spares(request: HttpRequest) -> HttpResponse:
    """The bank of spare pieces: in the drawer, and in boxes that are off the shelf."""
    words = request.GET.get("q", "")
    found_spares = spare_parts.find(name_key(words))
    return render(request, "loans/pieces/spares.html", {"words": words, "spares": found_spares})


# --- reading and answering -------------------------------------------------------------------------


def _piece(pk: int) -> MissingPiece:
    rows = MissingPiece.objects.select_related("component__game", "copy__game", "loan__member", "donor")
    return get_object_or_404(rows, pk=pk)


def _after(request: Request, row: MissingPiece, change: Callable[[Act], object]) -> HttpResponse:
    """Back to the desk's answer that the tap came from, or to the page of the piece."""
    try:
        change(act_of(request))
    except Refused as stopped:
        told(request, stopped)
        return redirect("loans:missing-piece", row.pk)
    if event := row_id(request.POST.get("event")):
        return redirect(replace(DeskState.read(request.POST), event=event, again=False).url)
    return redirect("loans:missing-piece", row.pk)


def _piece_page(request: Request, row: MissingPiece, *, status: int = 200, **more: Any) -> HttpResponse:
    named = row.copy.loans.filter(voided=False, member__isnull=False).select_related("member")
    past = named.order_by("-lent_at")[:LOANS_SHOWN]
    context = {
        "piece": row,
        "loans": past,
        "donors": counting.donors(row.component, but=row.copy),
    }
    return render(request, "loans/pieces/piece.html", context | more, status=status)


def _status(*forms: Any) -> int:
    flat = [form for one in forms for form in (one if isinstance(one, list) else [one])]
    return 422 if any(form.is_bound and form.errors for form in flat) else 200
