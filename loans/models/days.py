"""When a branch is open, and which loans that moved.

Openings are written by `loans.openings`, closures and re-datings by `loans.closures`.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch
from loans.models.lending import Loan


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
        permissions = (("manage_calendar", _("May set opening days and closures")),)

    def __str__(self) -> str:
        return self.rrule


class Closure(models.Model):
    """Days on which a branch is closed all the same (no branch: all of them).

    A lifted closure holds no longer; it stays for the loans that it once moved.
    """

    branch = models.ForeignKey(Branch, models.CASCADE, null=True, blank=True, related_name="closures")
    first_on = models.DateField(_("first day"))
    last_on = models.DateField(_("last day"))
    reason = models.CharField(_("reason"), max_length=200, blank=True)
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )

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


class Redating(models.Model):
    """One loan whose due date a change of the closures has moved; never edited.

    `promised_on` is the date from before any closure moved it: what the loan goes back to when nothing
    closes that day any more. `renewals` is the loan's count then: a loan renewed since has a new promise.
    """

    loan = models.ForeignKey(Loan, models.PROTECT, related_name="redatings")
    closure = models.ForeignKey(Closure, models.PROTECT, related_name="redatings")
    promised_on = models.DateField(_("promised"))
    due_before = models.DateField(_("due before"))
    due_after = models.DateField(_("due after"))
    renewals = models.PositiveSmallIntegerField(_("renewals"))
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("re-dating")
        verbose_name_plural = _("re-datings")
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="never_due_before_promised", condition=Q(due_after__gte=F("promised_on"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.due_before} - {self.due_after}"
