"""What is answered to an address that leads nowhere (a page to people, JSON to programs), and to a form
that comes back without its token."""

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure
from django.views.defaults import page_not_found

from search.ask_views import ask_again

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """The handler of 404; views of the API that are reached answer for themselves."""
    if request.path.startswith(API):
        return JsonResponse(
            {"code": "not_found", "detail": _("There is no such address in this API; see /api/docs/.")},
            status=404,
        )
    return page_not_found(request, exception)


def csrf_failed(request: HttpRequest, reason: str = "") -> HttpResponseBase:
    """The handler of a form without a good token: a public question is shown again as it was typed.

    Nothing is shown again of a staff form: whoever made another site send it would only need one click more.
    """
    if request.resolver_match is not None and request.resolver_match.view_name == "ask":
        return ask_again(request)
    return csrf_failure(request, reason)
