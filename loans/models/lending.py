"""Loans and the desk's journal. Written by `loans.desk`.

A loan is open while `returned_at` is null; closed loans stay in the same table. In time a closed loan and
its events lose their member (`loans.forgetting`); what statistics need stays in columns of the loan.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Copy
from loans.models.people import Member, MemberCategory


class LoanPlace(models.TextChoices):
    """Where a game on loan is played."""

    HOME = "home", _("at home")
    HOUSE = "house", _("in the house")
    GAMES_DAY = "games_day", _("on a games day")


class Loan(models.Model):
    """One copy with one member. `due_on` is the last day that is not late.

    A loan whose lending was undone is closed and `voided`: it stays for the journal and counts as no loan.
    `age_band`, `borrower_category` and `postcode_area` are filled when the member is forgotten; until then
    they are the member's: see `loans.borrowers`.
    """

    copy = models.ForeignKey(Copy, models.PROTECT, related_name="loans", verbose_name=_("copy"))
    member = models.ForeignKey(
        Member, models.PROTECT, null=True, blank=True, related_name="loans", verbose_name=_("member")
    )
    lent_at = models.DateTimeField(_("lent"))
    lent_on = models.DateField(_("lent on"))
    due_on = models.DateField(_("due"))
    returned_at = models.DateTimeField(_("returned"), null=True, blank=True)
    renewals = models.PositiveSmallIntegerField(_("renewals"), default=0)
    place = models.CharField(_("place"), max_length=20, choices=LoanPlace.choices, default=LoanPlace.HOME)
    voided = models.BooleanField(_("undone"), default=False)
    age_band = models.CharField(_("age"), max_length=10, blank=True, editable=False)
    borrower_category = models.ForeignKey(
        MemberCategory,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("category"),
    )
    postcode_area = models.CharField(_("postcode area"), max_length=4, blank=True, editable=False)

    class Meta:
        verbose_name = _("loan")
        verbose_name_plural = _("loans")
        ordering = ("due_on", "pk")
        permissions = (("see_reports", _("May see lists and figures")),)
        constraints = (
            models.UniqueConstraint(
                fields=("copy",), condition=Q(returned_at=None), name="one_open_loan_per_copy"
            ),
            models.CheckConstraint(name="due_not_before_lent", condition=Q(due_on__gte=F("lent_on"))),
            models.CheckConstraint(
                name="returned_not_before_lent",
                condition=Q(returned_at=None) | Q(returned_at__gte=F("lent_at")),
            ),
            models.CheckConstraint(
                name="voided_loan_is_closed", condition=Q(voided=False) | Q(returned_at__isnull=False)
            ),
            models.CheckConstraint(
                name="open_loan_has_a_member",
                condition=Q(member__isnull=False) | Q(returned_at__isnull=False),
            ),
        )
        indexes = (
            models.Index(fields=("member",), condition=Q(returned_at=None), name="open_loans_of_a_member"),
            models.Index(
                fields=("returned_at",), condition=Q(member__isnull=False), name="loans_to_be_forgotten"
            ),
        )

    def __str__(self) -> str:
        return f"{self.copy} - {self.member}" if self.member else str(self.copy)

    @property
    def borrower(self) -> Member:
        """Who has the game. Of an open loan there is always one; a loan of the past may have lost it."""
        assert self.member is not None  # noqa: S101 - by the constraint open_loan_has_a_member
        return self.member


class DeskAction(models.TextChoices):
    """What was done at the desk."""

    LEND = "lend", _("lent")
    CHECK_IN = "check_in", _("returned")
    RENEW = "renew", _("renewed")
    REFUSE = "refuse", _("refused")
    UNDO = "undo", _("undone")


class DeskEvent(models.Model):
    """The desk's journal: every action and every refusal, in order, never edited.

    A refusal says in `tried` what was refused. An undo is an event of its own that points at what it
    undid; `before` is what the undo restores. `nonce` is the client's own name for one scan: the same
    scan sent twice is one event. `refusals` and `waived` hold `rules.Refusal` values, without names.
    `at_desk` is False for what members do alone at home.
    """

    action = models.CharField(_("action"), max_length=20, choices=DeskAction.choices)
    tried = models.CharField(_("tried"), max_length=20, choices=DeskAction.choices, blank=True)
    at = models.DateTimeField(_("at"))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    loan = models.ForeignKey(Loan, models.PROTECT, null=True, related_name="events")
    copy = models.ForeignKey(Copy, models.PROTECT, null=True, related_name="events", verbose_name=_("copy"))
    member = models.ForeignKey(
        Member, models.PROTECT, null=True, related_name="events", verbose_name=_("member")
    )
    scanned = models.CharField(_("scanned"), max_length=200, blank=True)
    refusals = models.JSONField(default=list)
    waived = models.JSONField(default=list)
    waive_reason = models.CharField(_("reason"), max_length=300, blank=True)
    before = models.JSONField(default=dict)
    undoes = models.OneToOneField("self", models.PROTECT, null=True, related_name="undone_by")
    nonce = models.CharField(max_length=64, blank=True)
    at_desk = models.BooleanField(_("at the desk"), default=True)

    class Meta:
        verbose_name = _("desk event")
        verbose_name_plural = _("desk events")
        ordering = ("-pk",)
        constraints = (
            models.UniqueConstraint(fields=("nonce",), condition=~Q(nonce=""), name="one_event_per_scan"),
        )
        indexes = (
            models.Index(
                fields=("by", "-id"),
                condition=Q(action="refuse", at_desk=True),
                name="latest_refusals_of_a_user",
            ),
            # Nearly no event is undone: of an index that is nearly all NULL, SQLite makes no use.
            models.Index(fields=("undoes",), condition=Q(undoes__isnull=False), name="undone_events"),
        )

    def __str__(self) -> str:
        return f"{self.action} {self.at:%Y-%m-%d %H:%M}"
