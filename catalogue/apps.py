"""The catalogue's place among the Django apps."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CatalogueConfig(AppConfig):
    """Games, copies and rules texts."""

    name = "catalogue"
    verbose_name = _("Catalogue")
