"""Who may borrow: members, households, categories. Written by `loans.members` and `loans.households`."""

from datetime import date

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

ADULT_AGE = 18


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
    """Who may borrow. The card's number is text; leading zeros are part of it.

    An adult who `hides_loans` keeps them from the others of the household; the desk sees all. Of a member
    who was erased an empty row is left, to which the books' anonymous amounts belong.
    """

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
    hides_loans = models.BooleanField(_("keeps the loans from the household"), default=False)
    conditions_signed_on = models.DateField(_("conditions signed on"), null=True, blank=True)
    membership_ends_on = models.DateField(_("membership ends on"), null=True, blank=True)
    history_months = models.PositiveSmallIntegerField(
        _("months for which past loans are kept"), null=True, blank=True
    )
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)
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
            ("manage_members", _("May register members and sell memberships")),
            ("manage_policies", _("May change what the library allows")),
        )
        constraints = (models.CheckConstraint(name="member_has_a_card", condition=~Q(card_number="")),)

    def __str__(self) -> str:
        return f"{self.first_name} {self.last_name}".strip() or "–"

    def is_child(self, today: date) -> bool:
        """Whether the member is known to be under age; who is not known to be counts as an adult."""
        return self.birth_year is not None and today.year - self.birth_year < ADULT_AGE


class Block(models.Model):
    """Why a member may not borrow, from a day to a day (the last one counts; none: until it is lifted)."""

    member = models.ForeignKey(Member, models.CASCADE, related_name="blocks", verbose_name=_("member"))
    reason = models.CharField(_("reason"), max_length=300)
    starts_on = models.DateField(_("from"))
    ends_on = models.DateField(_("last day"), null=True, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    lifted_at = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("lifted by")
    )

    class Meta:
        verbose_name = _("block")
        verbose_name_plural = _("blocks")
        ordering = ("-starts_on", "-pk")
        constraints = (
            models.CheckConstraint(name="block_has_a_reason", condition=~Q(reason="")),
            models.CheckConstraint(
                name="block_ends_after_it_begins",
                condition=Q(ends_on=None) | Q(ends_on__gte=F("starts_on")),
            ),
        )

    def __str__(self) -> str:
        return self.reason


class HouseholdMove(models.Model):
    """A member has come into a household, or has left it: who belonged where, and since when."""

    member = models.ForeignKey(Member, models.CASCADE, related_name="moves", verbose_name=_("member"))
    left = models.ForeignKey(Household, models.CASCADE, null=True, related_name="leavings")
    joined = models.ForeignKey(Household, models.CASCADE, null=True, related_name="arrivals")
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("move between households")
        verbose_name_plural = _("moves between households")
        ordering = ("-pk",)
        constraints = (
            models.CheckConstraint(
                name="move_leaves_or_joins", condition=Q(left__isnull=False) | Q(joined__isnull=False)
            ),
        )

    def __str__(self) -> str:
        return f"{self.member}: {self.left or '-'} > {self.joined or '-'}"
