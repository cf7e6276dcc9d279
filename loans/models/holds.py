"""Places in the queue for a game, bookings for days to come, boxes on their way. Written by `loans.holds`,
`loans.bookings` and `loans.transfers`.

A hold is active while it waits or is ready; `position` then is its place in the queue of the game, from 1
and without gaps. `copy` is the box that is promised to it: of a hold that waits, a box that must still be
fetched or is on its way; of a ready one, the box that lies on the hold shelf until `expires_on`.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch, Copy, Game
from loans.models.lending import Loan
from loans.models.people import Member


class HoldState(models.TextChoices):
    """How far a hold has come."""

    WAITING = "waiting", _("waiting")
    READY = "ready", _("ready")
    LENT = "lent", _("lent")
    LAPSED = "lapsed", _("not fetched")
    CANCELLED = "cancelled", _("cancelled")


ACTIVE = (HoldState.WAITING, HoldState.READY)
"""The states of a hold that has a place in the queue."""

_IS_ACTIVE = Q(state__in=[str(state) for state in ACTIVE])


class Hold(models.Model):
    """A member's place in the queue for a game; `branch` is where he fetches it, None: anywhere."""

    game = models.ForeignKey(Game, models.CASCADE, related_name="holds", verbose_name=_("game"))
    member = models.ForeignKey(Member, models.PROTECT, related_name="holds", verbose_name=_("member"))
    branch = models.ForeignKey(
        Branch, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("branch")
    )
    placed_at = models.DateTimeField(_("placed"))
    state = models.CharField(_("state"), max_length=10, choices=HoldState.choices, default=HoldState.WAITING)
    position = models.PositiveSmallIntegerField(_("place in the queue"), null=True)
    copy = models.ForeignKey(
        Copy, models.PROTECT, null=True, blank=True, related_name="holds", verbose_name=_("copy")
    )
    ready_at = models.DateTimeField(_("ready"), null=True, blank=True)
    expires_on = models.DateField(_("kept until"), null=True, blank=True)
    loan = models.ForeignKey(
        Loan, models.PROTECT, null=True, blank=True, related_name="holds", verbose_name=_("loan")
    )

    class Meta:
        verbose_name = _("hold")
        verbose_name_plural = _("holds")
        ordering = ("game", "position", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=("game", "member"), condition=_IS_ACTIVE, name="one_active_hold_per_member_and_game"
            ),
            models.UniqueConstraint(
                fields=("copy",), condition=Q(copy__isnull=False), name="one_promise_per_copy"
            ),
            models.UniqueConstraint(fields=("game", "position"), name="one_hold_per_place_in_the_queue"),
            models.CheckConstraint(
                name="active_hold_has_a_place",
                condition=(_IS_ACTIVE & Q(position__gte=1)) | (~_IS_ACTIVE & Q(position=None, copy=None)),
            ),
            models.CheckConstraint(
                name="ready_hold_has_a_copy_and_a_last_day",
                condition=~Q(state="ready")
                | Q(copy__isnull=False, ready_at__isnull=False, expires_on__isnull=False),
            ),
            models.CheckConstraint(name="lent_hold_has_its_loan", condition=Q(state="lent") ^ Q(loan=None)),
        )
        indexes = (models.Index(fields=("state", "expires_on"), name="holds_to_expire"),)

    def __str__(self) -> str:
        return f"{self.game} - {self.member}"


class HoldAction(models.TextChoices):
    """What became of a hold."""

    PLACED = "placed", _("placed")
    PROMISED = "promised", _("box set aside")
    READY = "ready", _("on the hold shelf")
    BACK_IN_LINE = "back_in_line", _("waiting again")
    MOVED = "moved", _("moved")
    LENT = "lent", _("lent")
    LAPSED = "lapsed", _("not fetched")
    CANCELLED = "cancelled", _("cancelled")
    REOPENED = "reopened", _("opened again")


class HoldEvent(models.Model):
    """The story of a hold, never edited. `position` is the place before the event, `by` None: the clock."""

    hold = models.ForeignKey(Hold, models.CASCADE, related_name="events")
    action = models.CharField(_("action"), max_length=20, choices=HoldAction.choices)
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    position = models.PositiveSmallIntegerField(_("place in the queue"), null=True)
    copy = models.ForeignKey(Copy, models.SET_NULL, null=True, related_name="+", verbose_name=_("copy"))
    reason = models.CharField(_("reason"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("event of a hold")
        verbose_name_plural = _("events of holds")
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d %H:%M}"


class BookingState(models.TextChoices):
    """How far a booking has come."""

    PLANNED = "planned", _("planned")
    HANDED_OVER = "handed_over", _("handed over")
    CANCELLED = "cancelled", _("cancelled")


class Booking(models.Model):
    """So many copies of a game for a member, from a day to a day (both included).

    `buffer_days`: how long before and after the days the boxes are kept back, for counting and mending.
    """

    game = models.ForeignKey(Game, models.CASCADE, related_name="bookings", verbose_name=_("game"))
    member = models.ForeignKey(Member, models.PROTECT, related_name="bookings", verbose_name=_("member"))
    copies = models.PositiveSmallIntegerField(_("copies"), default=1)
    from_on = models.DateField(_("from"))
    to_on = models.DateField(_("to"))
    buffer_days = models.PositiveSmallIntegerField(_("days kept free before and after"), default=1)
    note = models.CharField(_("note"), max_length=300, blank=True)
    state = models.CharField(
        _("state"), max_length=12, choices=BookingState.choices, default=BookingState.PLANNED
    )
    made_at = models.DateTimeField(_("made"))
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    nonce = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("booking")
        verbose_name_plural = _("bookings")
        ordering = ("from_on", "pk")
        constraints = (
            models.CheckConstraint(name="booking_ends_after_it_begins", condition=Q(to_on__gte=F("from_on"))),
            models.CheckConstraint(name="booking_has_a_copy", condition=Q(copies__gte=1)),
            models.UniqueConstraint(fields=("nonce",), condition=~Q(nonce=""), name="one_booking_per_form"),
        )
        indexes = (models.Index(fields=("game", "to_on"), name="bookings_of_a_game"),)

    def __str__(self) -> str:
        return f"{self.game} - {self.member}, {self.from_on}"


class BookedLoan(models.Model):
    """A loan by which a booking was handed over; an undone loan counts no more."""

    booking = models.ForeignKey(Booking, models.PROTECT, related_name="booked_loans")
    loan = models.OneToOneField(Loan, models.PROTECT, related_name="booked")

    def __str__(self) -> str:
        return f"{self.booking}: {self.loan}"


class Transfer(models.Model):
    """A box on its way from a branch to another; it cannot be lent before it is received.

    `hold`: for whom it was sent, if for anybody.
    """

    copy = models.ForeignKey(Copy, models.PROTECT, related_name="transfers", verbose_name=_("copy"))
    from_branch = models.ForeignKey(
        Branch, models.PROTECT, null=True, related_name="+", verbose_name=_("from")
    )
    to_branch = models.ForeignKey(Branch, models.PROTECT, related_name="+", verbose_name=_("to"))
    hold = models.ForeignKey(Hold, models.SET_NULL, null=True, related_name="transfers")
    sent_at = models.DateTimeField(_("sent"))
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    received_at = models.DateTimeField(_("received"), null=True, blank=True)
    received_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")
        ordering = ("-sent_at", "-pk")
        constraints = (
            models.UniqueConstraint(
                fields=("copy",), condition=Q(received_at=None), name="one_open_transfer_per_copy"
            ),
            models.CheckConstraint(
                name="received_not_before_sent",
                condition=Q(received_at=None) | Q(received_at__gte=F("sent_at")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.copy}: {self.from_branch} - {self.to_branch}"
