"""Plans for the care of boxes, and what was done. Written by `loans.care`."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Category, Copy, Game


class CareKind(models.TextChoices):
    """What kind of care a plan asks for."""

    CLEANING = "cleaning", _("cleaning")
    CHECK = "check", _("check or repair")
    BATTERIES = "batteries", _("batteries")
    QUARANTINE = "quarantine", _("quarantine after a return")


class CarePlan(models.Model):
    """Care that boxes need again and again: of one box, of a game, of a category, or of all.

    After `every_loans` returns or `every_days` days, whichever comes first; a quarantine lasts `every_days`
    days after each return. `blocks`: a box that is due is not lent; otherwise the desk only reminds.
    """

    kind = models.CharField(_("kind"), max_length=12, choices=CareKind.choices)
    what = models.CharField(_("what to do"), max_length=200)
    copy = models.ForeignKey(Copy, models.CASCADE, null=True, blank=True, related_name="care_plans")
    game = models.ForeignKey(Game, models.CASCADE, null=True, blank=True, related_name="care_plans")
    category = models.ForeignKey(Category, models.CASCADE, null=True, blank=True, related_name="care_plans")
    every_loans = models.PositiveIntegerField(_("after loans"), null=True, blank=True)
    every_days = models.PositiveIntegerField(_("after days"), null=True, blank=True)
    blocks = models.BooleanField(_("not lent while it is due"), default=False)
    since_on = models.DateField(_("since"))
    ended_on = models.DateField(_("ended"), null=True, blank=True)

    class Meta:
        verbose_name = _("care plan")
        verbose_name_plural = _("care plans")
        ordering = ("kind", "pk")
        constraints = (
            models.CheckConstraint(
                name="a_plan_has_a_rhythm",
                condition=Q(every_loans__gt=0) | Q(every_days__gt=0),
            ),
        )

    def __str__(self) -> str:
        return self.what


class CareDone(models.Model):
    """What a plan asks for was done to one box."""

    plan = models.ForeignKey(CarePlan, models.CASCADE, related_name="done")
    copy = models.ForeignKey(Copy, models.CASCADE, related_name="care_done")
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    note = models.CharField(_("note"), max_length=300, blank=True)

    class Meta:
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("plan", "copy", "-at"), name="care_done_last"),)

    def __str__(self) -> str:
        return f"{self.plan} {self.at:%Y-%m-%d}"
