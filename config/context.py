"""What every template may use: the name of the library."""

from django.conf import settings
from django.http import HttpRequest


def library(request: HttpRequest) -> dict[str, str]:  # noqa: ARG001 - Django's signature
    """The library's own name, for titles and the header."""
    return {"library_name": settings.LIBRARY_NAME}
