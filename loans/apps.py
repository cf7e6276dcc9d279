"""The lending desk's place among the Django apps."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LoansConfig(AppConfig):
    """Members and loans."""

    name = "loans"
    verbose_name = _("Lending")
