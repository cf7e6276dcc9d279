"""The pages behind the links in letters, for who has no account at hand: renew once, stop letters, calendar.

Each address is its own key. A visit shows and changes nothing: mail programs follow links by themselves.
"""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from loans import messages, notice_settings, rules, situation
from loans.act import Refused
from loans.models import CalendarFeed, RenewalLink
from loans.telling import feed, links


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def renew(request: HttpRequest, token: str) -> HttpResponse:
    """What a link to renew is about; the button renews."""
    link = notice_settings.usable_link(token, timezone.now())
    if link is None:
        return render(request, "loans/mail/link_over.html", status=410)
    if request.method == "POST":
        return _renewed(request, link)
    facts = situation.to_renew(link.loan, now=timezone.now(), at_desk=False)
    return _show(request, link, rules.may_renew(facts), new_due_on=facts.new_due_on)


def _renewed(request: HttpRequest, link: RenewalLink) -> HttpResponse:
    try:
        done = notice_settings.renew_by_link(link, now=timezone.now())
    except Refused as refused:
        return _show(request, link, refused.refusals, status=409)
    return render(request, "loans/mail/renewed.html", {"loan": done.loan})


def _show(
    request: HttpRequest,
    link: RenewalLink,
    refusals: tuple[rules.Refusal, ...],
    *,
    new_due_on: object = None,
    status: int = 200,
) -> HttpResponse:
    told = messages.in_words(refusals, {})
    context = {"loan": link.loan, "told": told, "new_due_on": new_due_on}
    return render(request, "loans/mail/renew.html", context, status=status)


@csrf_exempt  # RFC 8058: the mail program posts by itself; the signed address is the key.
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Letters that can be done without: stop them, or have them again."""
    party = links.read_stop(token)
    if party is None:
        return render(request, "loans/mail/link_over.html", status=404)
    if request.method == "POST":
        if request.POST.get("do") == "again":
            notice_settings.send_letters_again(party)
        else:
            notice_settings.stop_letters(party, now=timezone.now())
    return render(request, "loans/mail/stop.html", {"declines": notice_settings.declines(party)})


@require_safe
@never_cache
def calendar(request: HttpRequest, secret: str) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """The due dates of whoever has this secret."""
    found = CalendarFeed.objects.select_related("member").filter(secret=secret).first()
    if found is None:
        raise Http404
    response = HttpResponse(
        feed.calendar_of(found.member, timezone.now()), content_type="text/calendar; charset=utf-8"
    )
    response["Content-Disposition"] = 'inline; filename="ludotheca.ics"'
    response["X-Robots-Tag"] = "noindex"
    return response
