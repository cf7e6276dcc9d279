"""Memberships: what kinds the library sells, and which were sold. Written by `loans.memberships`."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from loans.models.people import Household, Member


class MembershipKind(models.Model):
    """What the library sells: rolling (so many months from the day on) or until a fixed day of the year."""

    name = models.CharField(_("name"), max_length=100)
    fee_cents = models.PositiveIntegerField(_("fee"), default=0)
    months = models.PositiveSmallIntegerField(_("months"), null=True, blank=True)
    ends_month = models.PositiveSmallIntegerField(_("ends in month"), null=True, blank=True)
    ends_day = models.PositiveSmallIntegerField(_("ends on day"), null=True, blank=True)
    for_household = models.BooleanField(_("for the whole household"), default=True)
    on_sale = models.BooleanField(_("on sale"), default=True)

    class Meta:
        verbose_name = _("kind of membership")
        verbose_name_plural = _("kinds of membership")
        ordering = ("name", "pk")
        constraints = (
            models.CheckConstraint(
                name="membership_is_rolling_or_fixed",
                # A comparison with NULL is neither true nor false, and a check lets that pass.
                condition=Q(months__isnull=False, months__gte=1, ends_month=None, ends_day=None)
                | Q(
                    months=None,
                    ends_month__isnull=False,
                    ends_month__range=(1, 12),
                    ends_day__isnull=False,
                    ends_day__range=(1, 31),
                ),
            ),
        )

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """One sale: for a member, or for all of a household. `before` holds the ends that it moved, by member.

    A sale taken back keeps its row, with the time in `cancelled_at`.
    """

    kind = models.ForeignKey(MembershipKind, models.PROTECT, related_name="sold", verbose_name=_("kind"))
    member = models.ForeignKey(Member, models.PROTECT, related_name="memberships", verbose_name=_("member"))
    household = models.ForeignKey(
        Household, models.PROTECT, null=True, related_name="memberships", verbose_name=_("household")
    )
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("last day"))
    fee_cents = models.PositiveIntegerField(_("fee"))
    sold_at = models.DateTimeField(_("sold"))
    sold_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    before = models.JSONField(default=dict)
    cancelled_at = models.DateTimeField(_("taken back"), null=True, blank=True)
    nonce = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                name="membership_ends_after_it_begins", condition=Q(ends_on__gte=F("starts_on"))
            ),
            models.UniqueConstraint(
                fields=("nonce",), condition=~Q(nonce=""), name="one_membership_per_click"
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.ends_on}"
