"""The address /sru: asks `request`, `query` and `answer` in turn. Anybody may, by GET and by POST."""

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from catalogue.exports.library import PARTS, of_game
from catalogue.oai import site
from catalogue.oai.site import Site
from catalogue.sru import answer, query
from catalogue.sru.answer import Found
from catalogue.sru.diagnostics import Diagnostic, Refused
from catalogue.sru.request import VERSIONS, operation, search, version

MIME = "text/xml; charset=utf-8"


@csrf_exempt  # reads only, and knows nobody
@require_http_methods(["GET", "HEAD", "POST"])
def serve(request: HttpRequest) -> HttpResponse:
    """One answer; diagnostics too come with status 200, as the protocol says."""
    pairs = (request.GET.dict() | request.POST.dict()).items()
    given = {name: str(value).replace("\0", " ") for name, value in pairs}
    return HttpResponse(_answer(given, site.of(request)), content_type=MIME)


def _answer(given: Mapping[str, str], here: Site) -> bytes:
    spoken, asked = VERSIONS[-1], "explain"
    try:
        asked = operation(given)
        spoken = version(given)
        return answer.explain(spoken, here) if asked == "explain" else _search(given, here)
    except Refused as refused:
        return answer.refusal(refused, spoken, asked)


def _search(given: Mapping[str, str], here: Site) -> bytes:
    asked = search(given)
    games = query.games(asked.query)
    total = games.count()
    if asked.start > max(total, 1):
        late = Refused(Diagnostic.OUT_OF_RANGE, str(asked.start))
        return answer.refusal(late, asked.version, "searchRetrieve", total)
    page = games.prefetch_related(*PARTS)[asked.start - 1 : asked.start - 1 + asked.most]
    return answer.results(asked, Found(total, tuple(map(of_game, page))), here)
