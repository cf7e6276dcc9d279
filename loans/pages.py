"""What the pages of the staff begin with: who may open them, who acts, by which click, and what day it is;
and the file in which a list is taken along.

Called by the views of this package; a member's own pages ask for `login_required` alone.
"""

from collections.abc import Callable, Iterator
from datetime import date, timedelta

from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django_htmx.middleware import HtmxDetails

from loans import scan
from loans.act import Act
from loans.calendar import local_date
from loans.desk_state import row_id

LONGEST_WAIT = 10 * 366 * 24 * 3600
"""Seconds that a kept scan can say it has waited; more is nonsense, and no date."""


class Request(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


View = Callable[..., HttpResponseBase]


def for_holders_of(permission: str) -> Callable[[View], View]:
    """A page for signed-in people with this permission; others see why not. No copy of it is kept."""

    def guard(view: View) -> View:
        return never_cache(login_required(permission_required(permission, raise_exception=True)(view)))

    return guard


at_the_desk = for_holders_of("loans.use_desk")
at_the_till = for_holders_of("loans.use_till")


def act_of(request: HttpRequest, *, at_desk: bool = True) -> Act:
    """Who acts, when, and by which scan or click. Of a form with several buttons each adds its name, `of`."""
    assert isinstance(request.user, User)  # noqa: S101 - the page is for those who are signed in
    nonce, of = request.POST.get("nonce", ""), request.POST.get("of", "")
    return Act(
        by=request.user,
        now=timezone.now(),
        nonce=scan.clean(f"{nonce}-{of}" if nonce and of else nonce)[:64],
        scanned=scan.clean(request.POST.get("scan", "")),
        at_desk=at_desk,
        waited=timedelta(seconds=min(row_id(request.POST.get("waited")) or 0, LONGEST_WAIT)),
    )


def today() -> date:
    """The day it is in the library."""
    return local_date(timezone.now(), None)


def csv_file(name: str, lines: Iterator[str]) -> HttpResponseBase:
    """A list to be taken along, sent line by line: nothing is too long."""
    response = StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def wants_bom(request: HttpRequest) -> bool:
    """Whether the address says `bom=1`, for a spreadsheet that reads UTF-8 only by its mark."""
    return request.GET.get("bom") == "1"
