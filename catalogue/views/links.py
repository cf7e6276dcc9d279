"""Which base games an expansion is played with, said on the expansion's record."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from catalogue import links
from catalogue.guard import EDIT, requires
from catalogue.lookup import find_games, scanned_game
from catalogue.models import Game


@require_POST
@requires(EDIT)
def add_base(request: HttpRequest, pk: int) -> HttpResponse:
    """A base game, by a label of one of its boxes, its product code or words of its title."""
    game = get_object_or_404(Game, pk=pk)
    typed = request.POST.get("base", "").strip()
    found = scanned_game(typed) if typed else None
    games = [found] if found else list(find_games(typed).exclude(pk=game.pk)[:2]) if typed else []
    if len(games) == 1 and games[0].pk != game.pk:
        links.link_expansion(game, games[0])
    else:
        says = _("No other game is meant by %(typed)s alone: scan its box, or type more of its title.")
        messages.error(request, says % {"typed": typed or "…"})
    return redirect("catalogue:game-edit", game.pk)


@require_POST
@requires(EDIT)
def remove_base(request: HttpRequest, pk: int, base: int) -> HttpResponse:  # noqa: ARG001 - a view
    """The game is not played with that one."""
    game = get_object_or_404(Game, pk=pk)
    links.unlink_expansion(game, get_object_or_404(Game, pk=base))
    return redirect("catalogue:game-edit", game.pk)
