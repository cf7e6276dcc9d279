"""The public pages: finding, a game's record, reading rules. Each view parses, asks one module, answers."""

from dataclasses import replace
from datetime import date

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.dateparse import parse_date
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from catalogue.models import Document
from loans import hold_lists
from search import answers, beside, places, reading, record, shelf, suggest
from search.forms import SearchForm

NEW_ARRIVALS = 6


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The start page; with any query string, the answer to it."""
    if not request.GET:
        start = {"new": shelf.new_arrivals(NEW_ARRIVALS), "categories": shelf.categories()}
        return render(request, "search/start.html", start)
    form = SearchForm(request.GET)
    answer = answers.answer(form.asked(), reader_language=request.LANGUAGE_CODE)
    asker = answer.passages.language or request.LANGUAGE_CODE
    hits = places.cards(answer.passages.hits, asker=asker)
    answer = replace(answer, passages=replace(answer.passages, hits=hits))
    return render(request, "search/results.html", {"form": form, "answer": answer})


@require_safe
def suggestions(request: HttpRequest) -> HttpResponse:
    """What is typed may be the beginning of these: a part of a page, for the search box."""
    within = _number(request, "game")
    found = suggest.suggestions(
        request.GET.get("q", ""), game_id=within, reader_language=request.LANGUAGE_CODE
    )
    return render(request, "components/suggestions.html", {"suggestions": found})


@require_safe
def game(request: HttpRequest, pk: int) -> HttpResponse:
    """The record of a game."""
    found = get_object_or_404(record.games(), pk=pk)
    may_edit = request.user.has_perm("catalogue.edit_catalogue")
    shown = record.record(found, reader_language=request.LANGUAGE_CODE, for_staff=may_edit)
    outlook = hold_lists.outlook(found, shown.copies, request.user, now=timezone.now())
    return render(request, "search/game.html", {"record": shown, "outlook": outlook})


@require_safe
def rules_text(request: HttpRequest, pk: int, number: int | None = None) -> HttpResponse:
    """A rules text, in its current state or in revision `number`."""
    text = get_object_or_404(reading.texts(), pk=pk)
    page = reading.page(text, number, now=timezone.now(), since=_day(request, "since"))
    if page is None:
        raise Http404(_("This text has no such version."))
    return render(request, "search/rules.html", {"page": page})


@require_safe
def rules_section(request: HttpRequest, pk: int, anchor: str) -> HttpResponse:
    """One section of a rules text: a page of its own, or for a card on another page what stands in it."""
    card = places.section_card(get_object_or_404(reading.texts(), pk=pk), anchor)
    if card is None:
        raise Http404(_("This text has no such section."))
    is_in_card = bool(request.headers.get("HX-Request"))
    if card.anchor != anchor and not is_in_card:
        return redirect("rules-section", pk, card.anchor)
    template = "components/passage.html" if is_in_card else "search/section.html"
    response = render(request, template, {"hit": card})
    patch_vary_headers(response, ["HX-Request"])
    return response


@require_safe
def rules_beside(request: HttpRequest, pk: int, other: int) -> HttpResponse:
    """Two rules texts of one game, section by section."""
    texts = reading.texts()
    found = beside.beside(get_object_or_404(texts, pk=pk), get_object_or_404(texts, pk=other))
    if found is None:
        raise Http404(_("These two are not texts of one game."))
    return render(request, "search/beside.html", {"beside": found})


@require_safe
def rules_history(request: HttpRequest, pk: int) -> HttpResponse:
    """The states of a rules text, latest first."""
    text = get_object_or_404(reading.texts(), pk=pk)
    revisions = list(text.revisions.all())[::-1]
    return render(request, "search/history.html", {"text": text, "revisions": revisions})


@require_safe
def rules_diff(request: HttpRequest, pk: int) -> HttpResponse:
    """What changed between two states of a rules text."""
    text = get_object_or_404(reading.texts(), pk=pk)
    found = reading.comparison(text, _number(request, "from"), _number(request, "to"))
    if found is None:
        raise Http404(_("This text has no such version."))
    return render(request, "search/diff.html", {"comparison": found})


@require_safe
def document(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The file of a document, always as a download: no browser runs what it holds as a page of ours."""
    asked = get_object_or_404(Document.objects.select_related("game"), pk=pk)
    try:
        file = asked.file.open("rb") if asked.file else None
    except FileNotFoundError:
        file = None
    if file is None:
        return render(request, "search/document_missing.html", {"document": asked}, status=404)
    return FileResponse(file, as_attachment=True, filename=asked.name)


def _number(request: HttpRequest, name: str) -> int | None:
    """A number of the query string; one that is no number counts as -1, which nothing has."""
    raw = request.GET.get(name, "")
    if not raw:
        return None
    return int(raw) if raw.isascii() and raw.isdecimal() and len(raw) < 10 else -1


def _day(request: HttpRequest, name: str) -> date | None:
    """A day of the query string (2026-01-31); anything else is no day."""
    try:
        return parse_date(request.GET.get(name, ""))
    except ValueError:
        return None
