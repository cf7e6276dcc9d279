"""What is answered to an address that leads nowhere: a page to people, JSON to programs."""

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.defaults import page_not_found

API = "/api/"


def not_found(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """The handler of 404; views of the API that are reached answer for themselves."""
    if request.path.startswith(API):
        return JsonResponse(
            {"detail": _("There is no such address in this API; see /api/docs/.")}, status=404
        )
    return page_not_found(request, exception)
