"""Search's place among the Django apps."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SearchConfig(AppConfig):
    """The public catalogue and the index."""

    name = "search"
    verbose_name = _("Search")
