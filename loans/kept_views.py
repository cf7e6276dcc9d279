"""The desk without network: the page that the service worker keeps, and the list of scans to look at."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from catalogue.models import Copy
from loans import availability, kept, messages
from loans.act import refusals_of
from loans.models import KeptScan
from loans.pages import Request, at_the_desk


@require_safe
def offline_desk(request: HttpRequest) -> HttpResponse:
    """The desk as it is kept on every device: one box and no word about anybody, so everybody may see it."""
    return render(request, "loans/kept/offline_desk.html")


@require_safe
@at_the_desk
def kept_scans(request: Request) -> HttpResponse:
    """What was scanned without network and needs a look."""
    rows = list(kept.to_look_at())
    copies = availability.annotate(Copy.objects.select_related("game", "branch"))
    boxes = {copy.pk: copy for copy in copies.filter(pk__in=[row.event.copy_id for row in rows])}
    lines = [
        {
            "kept": row,
            "event": row.event,
            "copy": boxes.get(row.event.copy_id or 0),
            "told": messages.explain(refusals_of(row.event), request.user),
        }
        for row in rows
    ]
    return render(request, "loans/kept/list.html", {"lines": lines})


@require_POST
@at_the_desk
def settle(request: Request, pk: int) -> HttpResponse:
    """Tick one off."""
    kept.settle(get_object_or_404(KeptScan, pk=pk), by=request.user, now=timezone.now())
    return redirect("loans:kept-scans")
