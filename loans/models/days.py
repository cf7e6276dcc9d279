"""When a branch is open. Written by `loans.members`."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch


class Opening(models.Model):
    """Days on which a branch is open: an RFC 5545 rule from a first day (no branch: everywhere)."""

    branch = models.ForeignKey(Branch, models.CASCADE, null=True, blank=True, related_name="openings")
    starts_on = models.DateField(_("from"))
    rrule = models.CharField(_("recurrence"), max_length=300)
    opens_at = models.TimeField(_("opens"), null=True, blank=True)
    closes_at = models.TimeField(_("closes"), null=True, blank=True)

    class Meta:
        verbose_name = _("opening")
        verbose_name_plural = _("openings")
        ordering = ("starts_on", "pk")

    def __str__(self) -> str:
        return self.rrule


class Closure(models.Model):
    """Days on which a branch is closed all the same (no branch: all of them)."""

    branch = models.ForeignKey(Branch, models.CASCADE, null=True, blank=True, related_name="closures")
    first_on = models.DateField(_("first day"))
    last_on = models.DateField(_("last day"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)

    class Meta:
        verbose_name = _("closure")
        verbose_name_plural = _("closures")
        ordering = ("first_on",)
        constraints = (
            models.CheckConstraint(
                name="closure_ends_after_it_begins", condition=Q(last_on__gte=F("first_on"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.first_on} - {self.last_on}"
