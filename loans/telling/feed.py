"""The due dates of one member as a calendar (RFC 5545), for the phone on the kitchen wall. Only reads.

Nothing about anybody else is in it, the household included: who has the address of the feed sees it.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from icalendar import Calendar, Event

from loans.models import CalendarFeed, LoanPlace, Member

REFRESH = "PT12H"


def address_of(member: Member, request: HttpRequest) -> str:
    """The whole address, as a calendar program wants it; empty where the member has none."""
    feed = CalendarFeed.objects.filter(member=member).first()
    if feed is None:
        return ""
    path = reverse("mail:calendar", args=[feed.secret])
    return (
        f"{settings.LIBRARY_ADDRESS}{path}" if settings.LIBRARY_ADDRESS else request.build_absolute_uri(path)
    )


def calendar_of(member: Member, now: datetime) -> bytes:
    """An event of a whole day for each game at home, on the last day that is not late."""
    language = member.language.split("-")[0].lower()
    spoken = {code for code, _name in settings.LANGUAGES}
    with translation.override(language if language in spoken else settings.LANGUAGE_CODE):
        calendar = Calendar()
        calendar.add("prodid", "-//Ludotheca//due dates//EN")
        calendar.add("version", "2.0")
        calendar.add("name", settings.LIBRARY_NAME)
        calendar.add("x-wr-calname", settings.LIBRARY_NAME)
        calendar.add("refresh-interval;value=duration", REFRESH)
        loans = member.loans.filter(returned_at=None, place=LoanPlace.HOME)
        for loan in loans.select_related("copy__game", "copy__branch").order_by("due_on", "pk"):
            event = Event()
            event.add("uid", f"loan-{loan.pk}@ludotheca")
            event.add("dtstamp", now)
            event.add("dtstart", loan.due_on)
            event.add("dtend", loan.due_on + timedelta(days=1))
            event.add("summary", _("Bring back: %(game)s") % {"game": loan.copy.game.title})
            event.add("sequence", loan.renewals)
            event.add("transp", "TRANSPARENT")
            if loan.copy.branch:
                event.add("location", str(loan.copy.branch))
            calendar.add_component(event)
        return bytes(calendar.to_ical())
