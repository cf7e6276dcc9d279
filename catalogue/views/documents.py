"""Attach a file to a game."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from catalogue import records
from catalogue.forms.documents import DocumentForm
from catalogue.guard import EDIT, requires
from catalogue.models import Game


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """A PDF or an image; a name that an import left without its file takes the file."""
    game = get_object_or_404(Game, pk=pk)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = DocumentForm(game, *sent)
    if not form.is_valid():
        page = {"form": form, "forms": [form], "game": game}
        return render(request, "catalogue/document.html", page, status=422 if form.is_bound else 200)
    document = records.attach_document(game, form.cleaned_data["name"], form.cleaned_data["file"])
    messages.success(request, _("“%(name)s” was attached.") % {"name": document.name})
    return redirect("catalogue:game-edit", game.pk)
