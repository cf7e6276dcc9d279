"""The tables of one box, of what should be in it, and of what became of it. Part of `catalogue.models`.

The components of a game are made from its printed contents by `catalogue.components`, their only writer.
`CopyEvent` rows are written by `catalogue.records` alone, with the condition that they tell of.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Condition(models.TextChoices):
    """The state of one box. Where it is now (on loan ...) is never stored here but derived."""

    IN_SERVICE = "in_service", _("in service")
    INCOMPLETE = "incomplete", _("incomplete")
    IN_REPAIR = "in_repair", _("in repair")
    NOT_FOR_LOAN = "not_for_loan", _("not for loan")
    LOST = "lost", _("lost")
    WITHDRAWN = "withdrawn", _("withdrawn")
    UNPLAYABLE = "unplayable", _("not playable: pieces are missing")
    CLEANING = "cleaning", _("being cleaned")
    QUARANTINE = "quarantine", _("in quarantine")
    DONATED = "donated", _("given away")


class Copy(models.Model):
    """One box. Its barcode is text and unique: leading zeros are part of it."""

    game = models.ForeignKey("catalogue.Game", models.PROTECT, related_name="copies", verbose_name=_("game"))
    barcode = models.CharField(_("barcode"), max_length=64, unique=True)
    call_number = models.CharField(_("call number"), max_length=64, blank=True)
    section = models.ForeignKey(
        "catalogue.Section",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="copies",
        verbose_name=_("section"),
    )
    branch = models.ForeignKey(
        "catalogue.Branch",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="copies",
        verbose_name=_("branch"),
    )
    condition = models.CharField(
        _("condition"), max_length=20, choices=Condition.choices, default=Condition.IN_SERVICE
    )
    note = models.TextField(_("note"), blank=True)

    class Meta:
        verbose_name = _("copy")
        verbose_name_plural = _("copies")
        ordering = ("barcode",)
        constraints = (models.CheckConstraint(name="copy_has_a_barcode", condition=~Q(barcode="")),)
        indexes = (models.Index(fields=("condition",), name="copies_by_condition"),)

    def __str__(self) -> str:
        return self.barcode


class Importance(models.TextChoices):
    """Whether a game can be played without a piece."""

    KEY = "key", _("needed for play")
    ORDINARY = "ordinary", _("ordinary")


class ComponentList(models.Model):
    """From which words of the record a game's components were made: when those change, they are made anew."""

    game = models.OneToOneField("catalogue.Game", models.CASCADE, related_name="component_list")
    contents = models.TextField(blank=True)

    def __str__(self) -> str:
        return str(self.game)


class Component(models.Model):
    """One kind of piece of an edition. `count` is None where the printed list does not say it.

    `printed_key` is the printed name it was made from, folded (empty: added by hand). What a librarian
    corrected stays when the list is made anew; what she struck out stays out (`listed` is False).
    """

    game = models.ForeignKey("catalogue.Game", models.CASCADE, related_name="components")
    name = models.CharField(_("piece"), max_length=500)
    printed_key = models.CharField(max_length=500, blank=True, editable=False)
    count = models.PositiveIntegerField(_("how many"), null=True, blank=True)
    importance = models.CharField(
        _("importance"), max_length=10, choices=Importance.choices, default=Importance.ORDINARY
    )
    price_cents = models.PositiveIntegerField(_("price of one"), default=0)
    spares = models.PositiveIntegerField(_("spare pieces in the drawer"), default=0)
    position = models.PositiveIntegerField(default=0)
    listed = models.BooleanField(default=True)
    corrected = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("piece")
        verbose_name_plural = _("pieces")
        ordering = ("position", "pk")

    def __str__(self) -> str:
        return self.name

    @property
    def is_key(self) -> bool:
        """Whether the game cannot be played without it."""
        return self.importance == Importance.KEY


class CopyDifference(models.Model):
    """How one box differs for good from the edition's list: "3 dice instead of 4, still playable"."""

    copy = models.ForeignKey(Copy, models.CASCADE, related_name="differences")
    component = models.ForeignKey(Component, models.CASCADE, related_name="differences")
    count = models.PositiveIntegerField(_("how many"))
    playable = models.BooleanField(_("still playable"), default=True)
    note = models.CharField(_("note"), max_length=300, blank=True)

    class Meta:
        ordering = ("component__position", "component_id")
        constraints = (
            models.UniqueConstraint(fields=("copy", "component"), name="one_difference_per_piece"),
        )

    def __str__(self) -> str:
        return f"{self.count} {self.component}"


class CopyEvent(models.Model):
    """A box went from one condition to another: when, by whom, why. Never edited.

    `before` and `after` are values of `Condition`. `until_on`: the last day of a quarantine.
    """

    copy = models.ForeignKey(Copy, models.CASCADE, related_name="condition_events")
    before = models.CharField(_("before"), max_length=20)
    after = models.CharField(_("after"), max_length=20)
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    why = models.CharField(_("reason"), max_length=300, blank=True)
    until_on = models.DateField(_("until"), null=True, blank=True)

    class Meta:
        ordering = ("-at", "-pk")

    def __str__(self) -> str:
        return f"{self.before} -> {self.after}"

    @property
    def shown_before(self) -> str:
        """The condition before, in the reader's words."""
        return str(Condition(self.before).label)

    @property
    def shown_after(self) -> str:
        """The condition after, in the reader's words."""
        return str(Condition(self.after).label)
