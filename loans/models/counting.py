"""Counting boxes and the pieces that are missing. Written by `loans.counting`.

A piece that is missing is one row from the moment it is noticed until it is found, replaced or given up:
the family, the box and the spare parts all show that same row. Money is whole cents.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Component, Copy
from loans.models.lending import DeskEvent, Loan
from loans.models.money import Entry


class CountState(models.TextChoices):
    """What became of the count of one box after one return."""

    WAITING = "waiting", _("to be counted")
    COMPLETE = "complete", _("complete")
    SHORT = "short", _("pieces are missing")
    VOID = "void", _("the return was undone")


class PieceCount(models.Model):
    """One count of one box, or the promise of one. `loan`: the loan before it, fixed; None: not known.

    The loan stays the one before the count, however often the box is lent again until then.
    """

    copy = models.ForeignKey(Copy, models.PROTECT, related_name="counts")
    loan = models.ForeignKey(Loan, models.PROTECT, null=True, related_name="counts")
    event = models.OneToOneField(DeskEvent, models.PROTECT, null=True, related_name="piece_count")
    state = models.CharField(_("state"), max_length=10, choices=CountState.choices)
    opened_at = models.DateTimeField(_("since"))
    counted_at = models.DateTimeField(_("counted"), null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    photo = models.FileField(_("photo of the tray"), upload_to="trays/", max_length=300, blank=True)

    class Meta:
        verbose_name = _("count of pieces")
        verbose_name_plural = _("counts of pieces")
        ordering = ("opened_at", "pk")
        indexes = (models.Index(fields=("state", "opened_at"), name="counts_by_state"),)

    def __str__(self) -> str:
        return f"{self.copy} {self.state}"


class PieceDecision(models.TextChoices):
    """What was decided about a box with a missing piece."""

    OPEN = "open", _("not decided yet")
    SHELF = "shelf", _("back on the shelf, playable without it")
    SPARE = "spare", _("replaced by a spare piece")
    UNPLAYABLE = "unplayable", _("off the shelf, not playable without it")


class PieceEnd(models.TextChoices):
    """How the question of a missing piece was closed."""

    FOUND = "found", _("found")
    GIVEN_UP = "given_up", _("given up")
    VOID = "void", _("the return was undone")


class MissingPiece(models.Model):
    """Some pieces of one kind that one box lacks.

    `loan`: with whom they went missing; None: not known. `charge_entry` charges
    `charge_cents`, `reversal_entry` took it back. `donor`: the withdrawn box
    the spare came out of; None with a spare: the drawer.
    """

    copy = models.ForeignKey(Copy, models.PROTECT, related_name="missing_pieces")
    component = models.ForeignKey(Component, models.PROTECT, related_name="missing")
    count = models.ForeignKey(PieceCount, models.PROTECT, null=True, related_name="missing")
    loan = models.ForeignKey(Loan, models.PROTECT, null=True, related_name="missing_pieces")
    quantity = models.PositiveIntegerField(_("how many"))
    noticed_at = models.DateTimeField(_("noticed"))
    noticed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    decision = models.CharField(
        _("decision"), max_length=12, choices=PieceDecision.choices, default=PieceDecision.OPEN
    )
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    donor = models.ForeignKey(Copy, models.PROTECT, null=True, related_name="pieces_given")
    charge_cents = models.PositiveIntegerField(_("charged"), default=0)
    charge_entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    reversed_at = models.DateTimeField(_("charge reversed"), null=True)
    reversal_entry = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    end = models.CharField(_("end"), max_length=10, choices=PieceEnd.choices, blank=True)
    ended_at = models.DateTimeField(null=True)
    ended_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    note = models.CharField(_("note"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("missing piece")
        verbose_name_plural = _("missing pieces")
        ordering = ("-noticed_at", "-pk")
        constraints = (
            models.CheckConstraint(name="something_is_missing", condition=Q(quantity__gt=0)),
            models.UniqueConstraint(
                fields=("count", "component"), condition=Q(end=""), name="one_open_row_per_piece_and_count"
            ),
            models.CheckConstraint(
                name="only_a_charge_is_reversed", condition=Q(reversed_at=None) | Q(charge_cents__gt=0)
            ),
        )
        indexes = (models.Index(fields=("end", "-noticed_at"), name="missing_pieces_by_end"),)

    def __str__(self) -> str:
        return f"{self.quantity} {self.component}"

    @property
    def suggested_cents(self) -> int:
        """What is charged, or would be by the price of the piece."""
        return self.charge_cents or self.component.price_cents * self.quantity

    @property
    def is_out_of_the_box(self) -> bool:
        """Whether the box really lacks it now: neither found nor replaced."""
        return not self.end and self.decision != PieceDecision.SPARE
