"""Which answers a web page of another site may read: those of the public API, and nothing else.

A policy without choices needs no package: every origin, reading only, never with a cookie. The address is
known by its name, so a new public view is open at once, and a page of the staff can never be by the slip of a
pattern. The header is the same for everybody: an answer may be kept by any cache on its way.
"""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

PUBLIC_API = "search-api"
DESCRIPTION = "api-schema"
READING = ("GET", "HEAD", "OPTIONS")
A_DAY = "86400"


class PublicReading:
    """Middleware: `Access-Control-Allow-*` on the public API (Fetch standard, section 3.3)."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The answer, which other sites' pages may read if everybody may."""
        response = self.get_response(request)
        if request.method in READING and _is_public(request):
            # `*` never goes with credentials: a browser refuses to hand over what it fetched with a cookie.
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = "ETag"
            if request.method == "OPTIONS":
                response["Access-Control-Allow-Methods"] = "GET, HEAD"
                response["Access-Control-Allow-Headers"] = "If-None-Match, If-Modified-Since"
                response["Access-Control-Max-Age"] = A_DAY
        return response


def _is_public(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and (match.namespace == PUBLIC_API or match.view_name == DESCRIPTION)
