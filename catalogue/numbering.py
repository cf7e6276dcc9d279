"""The tables of label numbers: how the library makes them, and which were given. Part of `catalogue.models`.

Written by `catalogue.labels.numbers` alone.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q


class NumberPattern(models.Model):
    """One row: what the library's numbers look like, and the counter to try next."""

    prefix = models.CharField(max_length=6, blank=True)
    digits = models.PositiveSmallIntegerField()
    check_kind = models.CharField(max_length=10)
    next_counter = models.PositiveBigIntegerField()

    class Meta:
        constraints = (models.CheckConstraint(name="one_number_pattern", condition=Q(id=1)),)

    def __str__(self) -> str:
        return f"{self.prefix}{self.next_counter:0{self.digits}}"


class GivenNumber(models.Model):
    """A number that was given for a label. It is never given again, whatever became of the label."""

    number = models.CharField(max_length=64, unique=True)
    given_at = models.DateTimeField(db_index=True)
    given_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.number
