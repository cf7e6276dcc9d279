"""The pages of bookings and transfers."""

from uuid import uuid4

from django.contrib import messages as notices
from django.db.models import Count
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from catalogue.guard import requires
from catalogue.models import Game
from loans import bookings as booking_desk
from loans import messages, transfers
from loans.act import Refused
from loans.desk_state import row_id
from loans.hold_forms import BookingForm, ReceiveForm, SendForm
from loans.hold_views import DESK
from loans.models import Booking, BookingState, Hold, Transfer
from loans.pages import Request, act_of, today

RECEIVED_SHOWN = 10


@never_cache
@requires(DESK)
def bookings(request: Request) -> HttpResponse:
    """The bookings to come, and a new one."""
    form = BookingForm(request.POST or None, initial={"game": _title(request.GET.get("game", ""))})
    told: tuple[messages.Told, ...] = ()
    if request.method == "POST" and form.is_valid():
        try:
            booking = booking_desk.book(form.draft(), act=act_of(request))
        except Refused as refused:
            told = messages.explain(refused.refusals, request.user)
        else:
            notices.success(request, _("Booked."))
            return redirect("loans:booking", booking.pk)
    coming = Booking.objects.exclude(state=BookingState.CANCELLED).filter(to_on__gte=today())
    shown = coming.select_related("game", "member").annotate(handed=Count("booked_loans"))
    context = {"form": form, "told": told, "bookings": shown, "nonce": uuid4().hex, "today": today()}
    return render(request, "loans/bookings/list.html", context)


@never_cache
@requires(DESK)
def booking(request: Request, pk: int) -> HttpResponse:
    """One booking: what may not be back in time, and how it is handed over; a POST cancels it."""
    found = get_object_or_404(Booking.objects.select_related("game", "member", "made_by"), pk=pk)
    if request.method == "POST":
        booking_desk.cancel(found, act=act_of(request))
        return redirect("loans:booking", pk)
    handed = found.booked_loans.select_related("loan__copy")
    late = booking_desk.late_for(found) if found.state == BookingState.PLANNED else []
    return render(request, "loans/bookings/one.html", {"booking": found, "handed": handed, "late": late})


@never_cache
@requires(DESK)
def transfers_page(request: Request) -> HttpResponse:
    """The boxes on their way; one is received by its label."""
    receive, send = ReceiveForm(initial={"box": request.GET.get("box", "")}), SendForm()
    told: tuple[messages.Told, ...] = ()
    if request.POST.get("do") == "receive":
        receive = ReceiveForm(request.POST)
        if receive.is_valid():
            _received(request, receive)
            return redirect("loans:transfers")
    elif request.method == "POST":
        send = SendForm(request.POST)
        if send.is_valid():
            try:
                transfers.send(send.copy(), send.cleaned_data["to_branch"], act=act_of(request))
            except Refused as refused:
                told = messages.explain(refused.refusals, request.user)
            else:
                return redirect("loans:transfers")
    rows = Transfer.objects.select_related("copy__game", "from_branch", "to_branch", "hold__member")
    context = {
        "receive": receive,
        "send": send,
        "told": told,
        "under_way": rows.filter(received_at=None),
        "received": rows.exclude(received_at=None).order_by("-received_at")[:RECEIVED_SHOWN],
    }
    return render(request, "loans/transfers/list.html", context)


@require_POST
@requires(DESK)
def send_for(request: Request, pk: int) -> HttpResponse:
    """Send the box that is promised to a hold to the branch where it is to be fetched."""
    hold = get_object_or_404(Hold.objects.select_related("copy", "branch"), pk=pk)
    if hold.copy and hold.branch:
        try:
            transfers.send(hold.copy, hold.branch, act=act_of(request))
        except Refused as refused:
            for told in messages.explain(refused.refusals, request.user):
                notices.error(request, told.sentence)
    return redirect("loans:holds")


def _received(request: Request, form: ReceiveForm) -> None:
    transfer = transfers.receive(form.copy(), act=act_of(request))
    if transfer is None:
        notices.warning(request, _("This box was not on its way, so nothing has changed."))
        return
    words = {"game": transfer.copy.game, "branch": transfer.to_branch}
    notices.success(request, _("%(game)s has come to %(branch)s.") % words)
    for hold in Hold.objects.filter(copy=transfer.copy, expires_on__isnull=False).select_related("member"):
        kept = {"member": hold.member, "box": transfer.copy.barcode}
        notices.success(request, _("Put %(box)s on the hold shelf for %(member)s.") % kept)


def _title(game: str) -> str:
    """What the form is opened with, from a game's own page: the label of one of its boxes."""
    found = Game.objects.filter(pk=row_id(game) or 0).first()
    box = found.copies.order_by("barcode").first() if found else None
    return box.barcode if box else ""
