"""The staff's first page: find a record, and the list of doubts that wait for someone to look."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from catalogue import lookup, records
from catalogue.doubts import with_words
from catalogue.guard import EDIT, requires
from catalogue.models import Flag

PAGE = 50
DOUBTS_IN_SIGHT = 6
LONGEST_QUERY = 200


@require_GET
@requires(EDIT)
def home(request: HttpRequest) -> HttpResponse:
    """Records found by what was typed or scanned; a label or product code goes straight to its record."""
    text = request.GET.get("q", "").replace("\0", "").strip()[:LONGEST_QUERY]
    game = lookup.scanned_game(text) if text else None
    if game is not None:
        return redirect("catalogue:game-edit", game.pk)
    pages = Paginator(lookup.find_games(text), PAGE)
    flags = (
        Flag.objects.filter(settled_at=None).select_related("game").order_by("game__sort_title", "game", "pk")
    )
    in_sight = None if "all" in request.GET else DOUBTS_IN_SIGHT
    page = {
        "q": text,
        "games": pages.get_page(request.GET.get("page")),
        "doubts": with_words(flags[:in_sight]) if not text else [],
        "doubt_total": flags.count(),
    }
    return render(request, "catalogue/home.html", page)


@require_POST
@requires(EDIT)
def settle(request: HttpRequest, pk: int) -> HttpResponse:
    """Someone has looked at a doubt."""
    flag = get_object_or_404(Flag.objects.select_related("game"), pk=pk)
    records.settle_flag(flag, now=timezone.now())
    messages.success(request, _("Settled: %(title)s.") % {"title": flag.game.title})
    if request.POST.get("from") == "game":
        return redirect("catalogue:game-edit", flag.game_id)
    return redirect("catalogue:home")
