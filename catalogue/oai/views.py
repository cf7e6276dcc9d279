"""The address /oai: asks `request`, `listing` and `answer` in turn. Anybody may, by GET and by POST."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods
from lxml import etree

from catalogue.oai import answer, listing, sets, site, tokens
from catalogue.oai.request import LISTS, TOKEN, Fault, Refused, Request, Verb, read
from catalogue.oai.site import Site
from catalogue.oai.tokens import Harvest


@csrf_exempt  # reads only, and knows nobody
@require_http_methods(["GET", "HEAD", "POST"])
def provide(request: HttpRequest) -> HttpResponse:
    """One answer; errors of the protocol too come with status 200, as it says."""
    frame = answer.Frame(site.of(request), timezone.now())
    asked = None
    try:
        asked = read(_pairs(request))
        content = list(_content(asked, frame))
    except Refused as refused:
        content = [answer.error(refused)]
        asked = None if refused.fault in {Fault.BAD_VERB, Fault.BAD_ARGUMENT} else asked
    return HttpResponse(frame.of(_echo(asked, frame.site), content), content_type=answer.MIME)


def _pairs(request: HttpRequest) -> Iterator[tuple[str, str]]:
    for given in (request.GET, request.POST):
        for name, values in given.lists():
            for value in values:
                yield name, value


def _echo(asked: Request | None, here: Site) -> Request | None:
    """An identifier that is not one of ours may be no URI at all, and would break the schema."""
    if asked and "identifier" in asked.arguments and here.number(asked.get("identifier")) is None:
        kept = {name: value for name, value in asked.arguments.items() if name != "identifier"}
        return replace(asked, arguments=kept)
    return asked


def _content(asked: Request, frame: answer.Frame) -> Iterator[etree._Element]:
    if asked.verb in LISTS:
        yield _list(asked, frame)
    elif asked.verb is Verb.GET_RECORD:
        found = _item(asked, frame.site)
        yield answer.items(asked.verb, [found], _prefix(asked), frame.site)
    elif asked.verb is Verb.LIST_SETS:
        yield _sets(asked)
    elif asked.verb is Verb.LIST_METADATA_FORMATS:
        if "identifier" in asked.arguments:
            _item(asked, frame.site)
        yield answer.formats()
    else:
        yield answer.identify(frame.site, listing.earliest() or frame.now)


def _item(asked: Request, here: Site) -> listing.Item:
    number = here.number(asked.get("identifier"))
    found = listing.item(number) if number else None
    if found is None:
        raise Refused(Fault.NO_ITEM, "There is no such item.")
    return found


def _prefix(asked: Request) -> str:
    prefix = asked.get("metadataPrefix")
    if prefix not in answer.FORMATS:
        raise Refused(Fault.NO_FORMAT, f"The formats are {', '.join(answer.FORMATS)}.")
    return prefix


def _sets(asked: Request) -> etree._Element:
    if TOKEN in asked.arguments:
        raise Refused(Fault.BAD_TOKEN, "The sets come in one piece.")
    found = sets.listed()
    if not found:
        raise Refused(Fault.NO_SETS, "No game has a kind, a branch or a section yet.")
    return answer.sets(found)


def _list(asked: Request, frame: answer.Frame) -> etree._Element:
    harvest = _harvest(asked, now=frame.now)
    page = listing.page(harvest, is_whole=asked.verb is Verb.LIST_RECORDS)
    if not page.items:
        raise Refused(Fault.NO_RECORDS, "Nothing in this set and time.")
    found = answer.items(asked.verb, page.items, _prefix(harvest.request), frame.site)
    after = replace(
        harvest,
        after=page.items[-1].number,
        cursor=harvest.cursor + len(page.items),
        expires_at=(frame.now + tokens.LIFE).timestamp(),
    )
    if page.has_more or harvest.cursor:
        found.append(answer.token(after, delivered=len(page.items), has_more=page.has_more))
    return found


def _harvest(asked: Request, *, now: datetime) -> Harvest:
    """The harvest that a token carries on, or a new one."""
    if TOKEN in asked.arguments:
        return tokens.read(asked.get(TOKEN), asked.verb, now=now)
    _prefix(asked)
    return Harvest(asked.verb, asked.arguments, now.timestamp(), listing.size(asked))
