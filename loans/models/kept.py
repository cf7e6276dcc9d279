"""Scans made without network that a person should look at. Written by `loans.kept` alone."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from loans.models.lending import DeskEvent
from loans.models.people import Member


class KeptScan(models.Model):
    """One that was refused when it was sent, or did something else than its volunteer could see.

    The journal's `event` says what came of it; `card` is the member on whose card the box was scanned. It
    stays in the list until somebody has ticked it off, and then names no member any more.
    """

    event = models.OneToOneField(DeskEvent, models.CASCADE, related_name="kept_scan")
    card = models.ForeignKey(Member, models.SET_NULL, null=True, related_name="+")
    settled_at = models.DateTimeField(_("ticked off at"), null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("kept scan")
        verbose_name_plural = _("kept scans")
        ordering = ("pk",)
        indexes = (
            models.Index(fields=("event",), condition=Q(settled_at=None), name="kept_scans_to_look_at"),
        )

    def __str__(self) -> str:
        return str(self.event)
