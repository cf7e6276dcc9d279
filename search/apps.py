"""Search's place among the Django apps: follows the catalogue's doorbell, checks its folder at start."""

from typing import Any

from django.apps import AppConfig
from django.core.checks import register
from django.utils.translation import gettext_lazy as _


class SearchConfig(AppConfig):
    """The public catalogue and the index."""

    name = "search"
    verbose_name = _("Search")

    def ready(self) -> None:
        """Connect to the catalogue. Imports stand here: models are not there before."""
        from catalogue.outbox import records_changed  # noqa: PLC0415
        from search.checks import check_index_folder, check_sentence_model  # noqa: PLC0415

        records_changed.connect(_follow, dispatch_uid="search")
        register(check_index_folder)
        register(check_sentence_model)


def _follow(**_: Any) -> None:
    from search.sync import ring  # noqa: PLC0415

    ring()
