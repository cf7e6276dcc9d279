"""Who was given or lost a member's data, and when. Written by `loans.dossier` and `loans.erasure`."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from loans.models.people import Member


class PrivacyAction(models.TextChoices):
    """What was done with a member's data."""

    EXPORTED = "exported", _("data handed over")
    ERASED = "erased", _("erased")


class PrivacyRecord(models.Model):
    """A member's data were handed over, or erased; of an erased member only the empty row is left."""

    action = models.CharField(_("action"), max_length=10, choices=PrivacyAction.choices)
    member = models.ForeignKey(Member, models.CASCADE, related_name="privacy_records")
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )

    class Meta:
        verbose_name = _("record of privacy")
        verbose_name_plural = _("records of privacy")
        ordering = ("-pk",)
        permissions = (("erase_members", _("May erase all that is kept of a member")),)

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d}"
