"""Messages that the next volunteer must see. Written by `loans.desk_notes`."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Copy
from loans.models.people import Member


class DeskNote(models.Model):
    """A message about a member or about a box, shown at the desk until somebody has dealt with it."""

    member = models.ForeignKey(Member, models.CASCADE, null=True, blank=True, related_name="desk_notes")
    copy = models.ForeignKey(Copy, models.CASCADE, null=True, blank=True, related_name="desk_notes")
    text = models.CharField(_("message"), max_length=500)
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    settled_at = models.DateTimeField(_("dealt with"), null=True, blank=True)
    settled_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("desk message")
        verbose_name_plural = _("desk messages")
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(
                name="a_note_is_about_one_thing",
                condition=Q(member=None, copy__isnull=False) | Q(member__isnull=False, copy=None),
            ),
        )

    def __str__(self) -> str:
        return self.text
