"""What a game has at the table beside its pages: short addresses, QR codes, labels, offline reading, the app.

Each view parses, asks one module, answers.
"""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import condition, require_safe

from catalogue import short_addresses
from catalogue.models import Game, RulesText
from catalogue.rules.sections import slug
from search import app
from search import bundle as bundles
from search import short as addresses

MOST_LABELS = 24


@require_safe
def short(request: HttpRequest, pk: int) -> HttpResponse:
    """To the rules in the reader's language; to what is here now where the text is gone."""
    text = RulesText.objects.select_related("game").filter(pk=pk).first()
    if text is None:
        return _gone(request, pk)
    answer = redirect("rules-text", pk=addresses.for_reader(text, addresses.languages(request)).pk)
    patch_vary_headers(answer, ("Accept-Language", "Cookie"))
    answer["Cache-Control"] = "no-cache"
    return answer


def _gone(request: HttpRequest, pk: int) -> HttpResponse:
    found = addresses.removed(pk)
    if found is None:
        raise Http404(_("No rules text has ever had this number."))
    return render(request, "search/text_removed.html", {"removed": found}, status=410)


@require_safe
def qr_code(request: HttpRequest, pk: int) -> HttpResponse:
    """The QR code of the short address, as a picture."""
    text = get_object_or_404(RulesText, pk=pk)
    return HttpResponse(addresses.qr_svg(short_addresses.address(request, text.pk).url), "image/svg+xml")


@require_safe
def label(request: HttpRequest, pk: int) -> HttpResponse:
    """Labels for the box, to be printed and cut: as many as asked for, else one for each copy."""
    text = get_object_or_404(RulesText.objects.select_related("game"), pk=pk)
    count = _count(request.GET.get("labels", "")) or min(MOST_LABELS, max(1, text.game.copies.count()))
    shown = {"text": text, "address": short_addresses.address(request, text.pk), "count": count}
    return render(request, "search/label.html", shown | {"labels": range(count), "most": MOST_LABELS})


@require_safe
def bundle(request: HttpRequest, pk: int) -> HttpResponse:
    """All rules of a game in one file; not made again for a reader who has it as it is."""
    game = get_object_or_404(Game, pk=pk)
    language = request.LANGUAGE_CODE

    def made(request: HttpRequest) -> HttpResponse:
        address = short_addresses.absolute(request, reverse("game", args=[pk]))
        page = bundles.html(game, bundles.texts(game, language), address=address)
        answer = HttpResponse(page)
        answer["Content-Disposition"] = f'inline; filename="{slug(game.title)}.html"'
        return answer

    same = condition(etag_func=lambda _request: f'"{bundles.fingerprint(game, language)}"')
    answer = same(made)(request)
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The library as an app, for the home screen."""
    answer = JsonResponse(app.manifest(), content_type="application/manifest+json")
    patch_vary_headers(answer, ("Accept-Language", "Cookie"))
    return answer


@require_safe
def worker(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """The service worker, from the root because it answers for the addresses below its own."""
    return HttpResponse(app.worker(), "text/javascript", headers={"Cache-Control": "no-cache"})


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """What the worker shows while the library cannot be reached."""
    return render(request, "search/offline.html")


def _count(raw: str) -> int:
    """A number of labels; 0 for anything that is none."""
    is_number = raw.isascii() and raw.isdecimal() and len(raw) < 5
    return min(MOST_LABELS, int(raw)) if is_number else 0
