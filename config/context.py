"""What every template may use: the name of the library, and how many questions wait for its staff."""

from django.conf import settings
from django.http import HttpRequest

from catalogue.questions import open_count


def library(request: HttpRequest) -> dict[str, object]:  # noqa: ARG001 - Django's signature
    """The library's own name; how many questions wait, counted only where a page shows it."""
    return {"library_name": settings.LIBRARY_NAME, "open_questions": open_count}
