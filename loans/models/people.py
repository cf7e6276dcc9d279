"""Who may borrow: members, their households and categories. Written by `loans.members`."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class MemberCategory(models.Model):
    """A kind of member that rules may tell apart: family, school, nursery, volunteer ..."""

    name = models.CharField(_("name"), max_length=100)
    key = models.CharField(max_length=100, unique=True, editable=False)

    class Meta:
        verbose_name = _("member category")
        verbose_name_plural = _("member categories")
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name


class Household(models.Model):
    """Those who share an account: several cards, one bill, one address."""

    name = models.CharField(_("name"), max_length=200)
    name_key = models.CharField(max_length=200, editable=False, db_index=True)
    address = models.TextField(_("address"), blank=True)
    postcode = models.CharField(_("postcode"), max_length=20, blank=True)
    city = models.CharField(_("city"), max_length=100, blank=True)
    phone = models.CharField(_("phone"), max_length=50, blank=True)

    class Meta:
        verbose_name = _("household")
        verbose_name_plural = _("households")
        ordering = ("name", "pk")

    def __str__(self) -> str:
        return self.name


class Member(models.Model):
    """Who may borrow. The card's number is text; leading zeros are part of it."""

    card_number = models.CharField(_("card number"), max_length=64, unique=True)
    first_name = models.CharField(_("first name"), max_length=150, blank=True)
    last_name = models.CharField(_("last name"), max_length=150)
    name_key = models.CharField(max_length=310, editable=False, db_index=True)
    email = models.EmailField(_("e-mail"), blank=True)
    language = models.CharField(_("language"), max_length=35, blank=True)
    household = models.ForeignKey(
        Household,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="members",
        verbose_name=_("household"),
    )
    category = models.ForeignKey(
        MemberCategory,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="members",
        verbose_name=_("category"),
    )
    birth_year = models.PositiveSmallIntegerField(_("year of birth"), null=True, blank=True)
    membership_ends_on = models.DateField(_("membership ends on"), null=True, blank=True)
    block_reason = models.CharField(_("blocked because"), max_length=300, blank=True)
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="member"
    )

    class Meta:
        verbose_name = _("member")
        verbose_name_plural = _("members")
        ordering = ("last_name", "first_name", "card_number")
        permissions = (
            ("use_desk", _("May lend and take back")),
            ("waive_refusal", _("May waive a refusal")),
        )
        constraints = (models.CheckConstraint(name="member_has_a_card", condition=~Q(card_number="")),)

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()
