"""What the library writes to its members: mails and letters as rows, and what each was about. Written by
`loans.notices` and `loans.notice_settings`.

A mail is made first and written last: what stands in it is decided anew when it is sent. A `Notice` says
that something was told; it is there only once the mail that told it has gone.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from loans.models.holds import Hold
from loans.models.lending import Loan
from loans.models.money import Entry
from loans.models.people import Household, Member
from loans.telling.kinds import Kind


class NoticeKind(models.TextChoices):
    """What a notice is about, in words; the values are those of `telling.kinds.Kind`."""

    LATE_3 = Kind.LATE_3.value, _("late, third reminder")
    LATE_2 = Kind.LATE_2.value, _("late, second reminder")
    LATE_1 = Kind.LATE_1.value, _("late, first reminder")
    DUE_TODAY = Kind.DUE_TODAY.value, _("due today")
    HOLD_READY = Kind.HOLD_READY.value, _("reservation ready")
    DUE_SOON = Kind.DUE_SOON.value, _("due soon")
    HOLD_LAPSED = Kind.HOLD_LAPSED.value, _("reservation lapsed")
    MEMBERSHIP_ENDING = Kind.MEMBERSHIP_ENDING.value, _("membership ending")
    WELCOME = Kind.WELCOME.value, _("welcome")
    RECEIPT = Kind.RECEIPT.value, _("receipt")


class MailState(models.TextChoices):
    """How far a mail has come."""

    WAITING = "waiting", _("waiting")
    SENDING = "sending", _("being sent")
    SENT = "sent", _("sent")
    PRINTED = "printed", _("printed as a letter")
    DROPPED = "dropped", _("nothing left to tell")
    FAILED = "failed", _("not delivered")


class Mail(models.Model):
    """All that is told to one household (or one member) on one day: a row is claimed before it is sent.

    `party` is whose day it is: `household:12`, `member:34`, `letter:household:12`, `entry:56`; see
    `telling.parties`. `member` is the one who is written to. `resent`: a run was cut off while it was
    sending, so the mail may have come twice. `content` is `telling.letter.Letter`, without its links.
    """

    party = models.CharField(max_length=60)
    on = models.DateField(_("day"))
    member = models.ForeignKey(Member, models.CASCADE, related_name="mails", verbose_name=_("member"))
    entry = models.ForeignKey(Entry, models.CASCADE, null=True, related_name="+", verbose_name=_("receipt"))
    to = models.EmailField(_("e-mail"), blank=True)
    state = models.CharField(_("state"), max_length=10, choices=MailState.choices, default=MailState.WAITING)
    made_at = models.DateTimeField(_("made"))
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next attempt"))
    claimed_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(_("sent"), null=True)
    resent = models.BooleanField(_("may have come twice"), default=False)
    error = models.CharField(_("what the mail server said"), max_length=500, blank=True)
    content = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("mail")
        verbose_name_plural = _("mails")
        ordering = ("-on", "-pk")
        constraints = (
            models.UniqueConstraint(fields=("party", "on"), name="one_mail_per_household_and_day"),
            models.CheckConstraint(
                name="mail_being_sent_is_claimed", condition=~Q(state="sending") | Q(claimed_at__isnull=False)
            ),
            models.CheckConstraint(
                name="mail_that_went_says_when",
                condition=~Q(state__in=("sent", "printed")) | Q(sent_at__isnull=False),
            ),
        )
        indexes = (
            models.Index(
                fields=("next_try_at",), condition=Q(state__in=("waiting", "sending")), name="mails_to_send"
            ),
        )

    def __str__(self) -> str:
        return f"{self.party} {self.on}"


class Notice(models.Model):
    """Something was told: never twice. `about` names it with its date: `loan:12:2026-11-30`."""

    mail = models.ForeignKey(Mail, models.CASCADE, related_name="notices", verbose_name=_("mail"))
    member = models.ForeignKey(Member, models.CASCADE, related_name="notices", verbose_name=_("member"))
    kind = models.CharField(_("kind"), max_length=20, choices=NoticeKind.choices)
    about = models.CharField(max_length=80)
    on = models.DateField(_("day"))
    loan = models.ForeignKey(Loan, models.CASCADE, null=True, related_name="notices")
    hold = models.ForeignKey(Hold, models.CASCADE, null=True, related_name="notices")

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("about", "kind"), name="told_once"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.about}"


class NoticeText(models.Model):
    """The library's own words for a part of a letter in a language; without a row, those it came with.

    `part` is a kind of notice, or `greeting` or `closing`; see `telling.texts`.
    """

    part = models.CharField(_("part"), max_length=20)
    language = models.CharField(_("language"), max_length=10)
    subject = models.CharField(_("subject"), max_length=200, blank=True)
    body = models.TextField(_("text"))
    edited_at = models.DateTimeField(_("edited"))
    edited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("text of a notice")
        verbose_name_plural = _("texts of notices")
        ordering = ("part", "language")
        permissions = (("manage_notices", _("May change and send what members are told")),)
        constraints = (
            models.UniqueConstraint(fields=("part", "language"), name="one_text_per_part_and_language"),
        )

    def __str__(self) -> str:
        return f"{self.part} {self.language}"


class Window(models.TextChoices):
    """Where an envelope has its window."""

    RIGHT = "right", _("on the right (France)")
    LEFT = "left", _("on the left (Belgium, Germany, Switzerland)")


class NoticePlan(models.Model):
    """When what is told, as the library wants it: one row, or none for the usual days."""

    due_soon_days = models.PositiveSmallIntegerField(_("days before the due date"), default=3)
    late_1_days = models.PositiveSmallIntegerField(_("days late, first reminder"), default=2)
    late_2_days = models.PositiveSmallIntegerField(_("days late, second reminder"), default=9)
    late_3_days = models.PositiveSmallIntegerField(_("days late, third reminder"), default=16)
    membership_days = models.PositiveSmallIntegerField(_("days before a membership ends"), default=21)
    window = models.CharField(
        _("window of the envelopes"), max_length=10, choices=Window.choices, default=Window.RIGHT
    )

    class Meta:
        verbose_name = _("plan of notices")
        verbose_name_plural = _("plans of notices")
        constraints = (
            models.CheckConstraint(name="one_plan_of_notices", condition=Q(pk=1)),
            models.CheckConstraint(
                name="reminders_follow_one_another",
                condition=Q(late_1_days__gte=1)
                & Q(late_2_days__gt=models.F("late_1_days"))
                & Q(late_3_days__gt=models.F("late_2_days")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.due_soon_days} / {self.late_1_days} / {self.late_2_days} / {self.late_3_days}"


class NoMail(models.Model):
    """A household, or a member who is written to alone, wants no mail that can be done without."""

    household = models.OneToOneField(Household, models.CASCADE, null=True, related_name="no_mail")
    member = models.OneToOneField(Member, models.CASCADE, null=True, related_name="no_mail")
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("refusal of mail")
        verbose_name_plural = _("refusals of mail")
        constraints = (
            models.CheckConstraint(
                name="no_mail_for_one_party",
                condition=Q(household=None, member__isnull=False) | Q(household__isnull=False, member=None),
            ),
        )

    def __str__(self) -> str:
        return str(self.household or self.member)


class ReturnedMail(models.Model):
    """The mail server knows no such address: until the member has another one, letters go on paper."""

    member = models.OneToOneField(Member, models.CASCADE, related_name="returned_mail")
    address = models.EmailField(_("e-mail"))
    why = models.CharField(_("what the mail server said"), max_length=500)
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("returned mail")
        verbose_name_plural = _("returned mails")

    def __str__(self) -> str:
        return self.address


class RenewalLink(models.Model):
    """A link in a mail by which one loan may be renewed, once and until a day."""

    mail = models.ForeignKey(Mail, models.CASCADE, related_name="links")
    loan = models.ForeignKey(Loan, models.CASCADE, related_name="+")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("link to renew")
        verbose_name_plural = _("links to renew")
        constraints = (models.UniqueConstraint(fields=("mail", "loan"), name="one_link_per_mail_and_loan"),)

    def __str__(self) -> str:
        return f"{self.loan_id} {self.expires_at:%Y-%m-%d}"


class CalendarFeed(models.Model):
    """The secret address of a member's due dates, for a calendar program. A new secret ends the old one."""

    member = models.OneToOneField(Member, models.CASCADE, related_name="calendar_feed")
    secret = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()

    class Meta:
        verbose_name = _("calendar feed")
        verbose_name_plural = _("calendar feeds")

    def __str__(self) -> str:
        return str(self.member)
