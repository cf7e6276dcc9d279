"""Add, correct and remove the record of a game."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalogue import links, merge, records
from catalogue.barcodes import read_product_code
from catalogue.doubts import with_words
from catalogue.draft import GameDraft
from catalogue.forms.games import GameSheet
from catalogue.guard import EDIT, requires
from catalogue.models import Game
from catalogue.views.meanwhile import explained

EMPTY = GameDraft(title="")


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def add(request: HttpRequest) -> HttpResponse:
    """A new record."""
    if request.method != "POST":
        return _page(request, GameSheet(EMPTY).showing(_proposed(request.GET.get("from", ""))))
    sheet = GameSheet(EMPTY, request.POST)
    if "more" in request.POST:
        return _page(request, sheet.with_more_rows())
    if not sheet.is_valid():
        return _page(request, sheet, status=422)
    game = records.create_game(sheet.draft())
    messages.success(request, _("“%(title)s” is in the catalogue.") % {"title": game.title})
    _warn_of_codes(request, game)
    return redirect("catalogue:game-edit", game.pk)


def _proposed(sought: str) -> GameDraft:
    """What was looked for and not found: a product code that was scanned, or a title that was typed."""
    if read_product_code(sought).gtin:
        return GameDraft(title="", identifiers=(sought,))
    return GameDraft(title=sought)


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct a record; what someone else changed meanwhile is shown and never overwritten."""
    game = get_object_or_404(Game.objects.prefetch_related(*records.GAME_PARTS), pk=pk)
    now = records.describe(game)
    if request.method != "POST":
        return _page(request, GameSheet(now), game)
    sheet = GameSheet(merge.unseal(GameDraft, request.POST.get("seen", "")) or now, request.POST)
    if "more" in request.POST:
        return _page(request, sheet.with_more_rows(), game)
    if not sheet.is_valid():
        return _page(request, sheet, game, status=422)
    return _save(request, game, sheet)


def _save(request: HttpRequest, game: Game, sheet: GameSheet) -> HttpResponse:
    try:
        changed = records.update_game(game, sheet.draft(), seen=sheet.seen)
    except records.ChangedMeanwhile:
        return _changed_meanwhile(request, game, sheet)
    if changed:
        messages.success(request, _("Saved: “%(title)s”.") % {"title": sheet.draft().title})
    else:
        messages.info(request, _("Nothing was changed."))
    _warn_of_codes(request, game)
    return redirect("catalogue:game-edit", game.pk)


def _changed_meanwhile(request: HttpRequest, game: Game, sheet: GameSheet) -> HttpResponse:
    """The page again: what was typed, on top of what the record says now."""
    now = records.describe(Game.objects.get(pk=game.pk))
    merged = merge.merge(sheet.seen, sheet.draft(), now)
    labels = {name: field.label for name, field in sheet.form.fields.items()}
    labels |= {"contributors": _("People"), "publications": _("Publishers")}
    fresh = GameSheet(now).showing(merged.draft)
    return _page(request, fresh, game, status=409, meanwhile=explained(merged.differences, labels))


def _page(
    request: HttpRequest, sheet: GameSheet, game: Game | None = None, *, status: int = 200, **more: Any
) -> HttpResponse:
    page: dict[str, Any] = {"sheet": sheet, "game": game} | more
    if game is None:
        sheet.form.fields["title"].widget.attrs["autofocus"] = True
    else:
        page["copies"] = game.copies.select_related("section", "branch")
        page["texts"] = game.rules_texts.prefetch_related("revisions")
        page["documents"] = game.documents.all()
        page["bases"] = links.base_games(game)
        page["doubts"] = with_words(game.flags.filter(settled_at=None).select_related("game"))
    return render(request, "catalogue/game.html", page, status=status)


def _warn_of_codes(request: HttpRequest, game: Game) -> None:
    for code in game.identifiers.filter(check_holds=False):
        text = _("The check digit of %(code)s is wrong. It was kept; compare it with the box.")
        messages.warning(request, text % {"code": code.printed})


@require_POST
@requires(EDIT)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a record that has no copies."""
    game = get_object_or_404(Game, pk=pk)
    try:
        records.delete_game(game)
    except records.InUse:
        text = _("“%(title)s” still has copies: remove or move them first.")
        messages.error(request, text % {"title": game.title})
        return redirect("catalogue:game-edit", pk)
    messages.success(request, _("“%(title)s” is no longer in the catalogue.") % {"title": game.title})
    return redirect("catalogue:home")
