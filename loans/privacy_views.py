"""A member's data: how long past loans are kept, all that is held as a file, and erasing it."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import requires
from loans import amounts, dossier, erasure, forgetting
from loans.desk_state import row_id
from loans.erasure import Open, Reason
from loans.models import Loan, Member, PrivacyRecord
from loans.pages import act_of

MANAGE, ERASE = "loans.manage_members", "loans.erase_members"


# --- for the staff -------------------------------------------------------------------------------


@require_safe
@never_cache
@requires(MANAGE)
def data(request: HttpRequest, pk: int) -> HttpResponse:
    """What is held of a member, and what stands against erasing it."""
    return _data_page(request, get_object_or_404(Member.objects.select_related("household"), pk=pk))


@require_safe
@never_cache
@requires(MANAGE)
def data_file(request: HttpRequest, pk: int) -> HttpResponse:
    """All of it as a file; that it was handed over is kept."""
    member = get_object_or_404(Member, pk=pk)
    return _zip(dossier.as_zip(member, by=act_of(request).by, now=timezone.now()), member)


@require_POST
@never_cache
@requires(ERASE)
def erase(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave nothing of the member, once the card was typed as a sign that it is meant."""
    member = get_object_or_404(Member.objects.select_related("household"), pk=pk)
    if request.POST.get("card", "").strip() != member.card_number:
        messages.error(request, _("Nothing was erased: the number typed is not the one of this card."))
        return _data_page(request, member, status=422)
    try:
        erasure.erase(member, act=act_of(request))
    except erasure.NotYet:
        messages.error(request, _("Nothing was erased: something is still open."))
        return _data_page(request, member, status=409)
    messages.success(request, _("The member was erased."))
    return redirect("loans:members")


def _data_page(request: HttpRequest, member: Member, *, status: int = 200) -> HttpResponse:
    page = {
        "member": member,
        "months": forgetting.months_of(member),
        "held": dossier.counts(member),
        "reasons": [in_words(reason) for reason in erasure.reasons_against(member)],
        "records": PrivacyRecord.objects.filter(member=member).select_related("by"),
    }
    return render(request, "loans/privacy/data.html", page, status=status)


def in_words(reason: Reason) -> str:
    """What is still open, for a reader."""
    if reason.code in {Open.DEBT, Open.CREDIT}:
        return MONEY_WORDS[reason.code]() % {"amount": amounts.shown(reason.many)}
    return COUNT_WORDS[reason.code](reason.many) % {"many": reason.many}


MONEY_WORDS: dict[Open, Callable[[], str]] = {
    Open.DEBT: lambda: _("%(amount)s is owed to the library."),
    Open.CREDIT: lambda: _("The library holds %(amount)s of the member: credit, deposit or prepaid card."),
}
COUNT_WORDS: dict[Open, Callable[[int], str]] = {
    Open.LOANS: lambda n: ngettext("%(many)s game is not back yet.", "%(many)s games are not back yet.", n),
    Open.HOLDS: lambda n: ngettext(
        "%(many)s reservation is open: cancel it first.",
        "%(many)s reservations are open: cancel them first.",
        n,
    ),
    Open.BOOKINGS: lambda n: ngettext(
        "%(many)s booking is open: cancel it first.", "%(many)s bookings are open: cancel them first.", n
    ),
    Open.PIECES: lambda n: ngettext(
        "%(many)s box of the member is to be counted, or lacks a piece.",
        "%(many)s boxes of the member are to be counted, or lack a piece.",
        n,
    ),
    Open.GAMES_DAY: lambda n: ngettext(
        "This is the card of %(many)s games day that is not closed.",
        "This is the card of %(many)s games days that are not closed.",
        n,
    ),
}


# --- for the member ------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """How long the member's past loans are kept, and a shorter time if that is wished."""
    member = Member.objects.filter(user=request.user.pk).first()
    if member is None:
        return redirect("loans:my-loans")
    if request.method == "POST":
        months = row_id(request.POST.get("months"))
        if months in forgetting.months_offered():
            forgetting.choose_months(member, months)
            messages.success(request, _("Saved."))
            return redirect("loans:my-privacy")
    past = Loan.objects.filter(member=member, returned_at__isnull=False).select_related("copy__game")
    page = {
        "member": member,
        "months": forgetting.months_of(member),
        "offered": forgetting.months_offered(),
        "past": [(loan, forgetting.kept_until(loan, member)) for loan in past.order_by("-returned_at")],
    }
    return render(request, "loans/privacy/mine.html", page)


@require_safe
@never_cache
@login_required
def my_data_file(request: HttpRequest) -> HttpResponse:
    """All that is held of the member who is signed in."""
    member = get_object_or_404(Member, user=request.user.pk)
    return _zip(dossier.as_zip(member, by=act_of(request).by, now=timezone.now()), member)


def _zip(content: bytes, member: Member) -> HttpResponse:
    response = HttpResponse(content, content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="data-{member.pk}.zip"'
    return response
