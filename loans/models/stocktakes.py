"""Stocktakes and what was scanned in them. Written by `loans.stocktake`.

A line says what a box was found to be at the moment of its scan, so that a box lent an hour later does not
change what was seen. What is missing is added when the stocktake is closed.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch, Copy, Section


class Stocktake(models.Model):
    """One look at the shelves: of a branch, of a section, of a section in a branch, or of all."""

    branch = models.ForeignKey(
        Branch, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("branch")
    )
    section = models.ForeignKey(
        Section, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("section")
    )
    started_at = models.DateTimeField(_("started"))
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)
    closed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("stocktake")
        verbose_name_plural = _("stocktakes")
        ordering = ("-started_at", "-pk")
        constraints = (
            models.CheckConstraint(
                name="stocktake_closed_not_before_started",
                condition=Q(closed_at=None) | Q(closed_at__gte=F("started_at")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.started_at:%Y-%m-%d} {self.section or ''} {self.branch or ''}".strip()


class Finding(models.TextChoices):
    """What a box, or a code, was found to be."""

    SEEN = "seen", _("in its place")
    MISPLACED = "misplaced", _("belongs elsewhere")
    ON_LOAN = "on_loan", _("on loan, but here")
    IN_TRANSIT = "in_transit", _("on its way, but here")
    LOST = "lost", _("lost, but here")
    WITHDRAWN = "withdrawn", _("withdrawn, but here")
    DONATED = "donated", _("given away, but here")
    UNKNOWN = "unknown", _("unknown code")
    MISSING = "missing", _("missing")


class Settled(models.TextChoices):
    """What somebody has done about a finding."""

    LOST = "lost", _("marked as lost")
    FOUND = "found", _("in service again")
    MOVED = "moved", _("moved to this place in the catalogue")
    CHECKED_IN = "checked_in", _("box taken back")
    RECEIVED = "received", _("box received")
    PUT_BACK = "put_back", _("seen to by hand")


class StocktakeLine(models.Model):
    """One box, or one code that is no box. `seen_at` is empty for what is missing."""

    stocktake = models.ForeignKey(Stocktake, models.CASCADE, related_name="lines")
    copy = models.ForeignKey(Copy, models.CASCADE, null=True, related_name="stocktake_lines")
    code = models.CharField(_("scanned"), max_length=200)
    finding = models.CharField(_("found"), max_length=12, choices=Finding.choices)
    seen_at = models.DateTimeField(_("seen"), null=True)
    seen_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    settled = models.CharField(_("done about it"), max_length=12, choices=Settled.choices, blank=True)
    settled_at = models.DateTimeField(null=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("line of a stocktake")
        verbose_name_plural = _("lines of stocktakes")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("stocktake", "copy"),
                condition=Q(copy__isnull=False),
                name="a_box_is_counted_once_in_a_stocktake",
            ),
            models.UniqueConstraint(
                fields=("stocktake", "code"),
                condition=Q(copy=None),
                name="a_code_is_kept_once_in_a_stocktake",
            ),
            models.CheckConstraint(
                name="what_is_missing_was_not_seen",
                condition=Q(finding="missing", seen_at=None)
                | (~Q(finding="missing") & Q(seen_at__isnull=False)),
            ),
            models.CheckConstraint(
                name="only_a_code_is_unknown", condition=Q(finding="unknown") ^ Q(copy__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.code} {self.finding}"
