"""Rows of what readers ask the librarians, and what is answered. Part of `catalogue.models`."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class QuestionState(models.TextChoices):
    """Where a reader's question stands with the librarians."""

    OPEN = "open", pgettext_lazy("question", "open")
    ANSWERED = "answered", _("answered")
    SET_ASIDE = "set_aside", _("set aside")


class AsideReason(models.TextChoices):
    """Why a question was set aside."""

    DUPLICATE = "duplicate", _("asked and answered elsewhere")
    UNCLEAR = "unclear", _("cannot be answered")
    SPAM = "spam", _("no question at all")


class AskedQuestion(models.Model):
    """A question that readers put to the librarians, once however many ask it. Written by `questions`.

    `key` is a digest of its folded words. `token` is the address under which an asker finds the answer: who
    has it may read the question and its answer, and nothing of who asked. `version` counts what the staff
    did, so that the second of two is told. `entry_text` and `entry_anchor` say where the answer stands in
    the rules texts while it is published.
    """

    token = models.CharField(max_length=43, unique=True, editable=False)
    text = models.CharField(_("question"), max_length=600)
    key = models.CharField(max_length=64, editable=False)
    game = models.ForeignKey(
        "catalogue.Game",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="asked_questions",
        verbose_name=_("game"),
    )
    language = models.CharField(_("language"), max_length=35)
    asked_at = models.DateTimeField(_("time"))
    state = models.CharField(
        _("state"), max_length=10, choices=QuestionState.choices, default=QuestionState.OPEN
    )
    aside_reason = models.CharField(max_length=10, choices=AsideReason.choices, blank=True)
    same_as = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="duplicates")
    settled_at = models.DateTimeField(null=True, blank=True)
    version = models.PositiveIntegerField(default=0, editable=False)
    entry_text = models.ForeignKey(
        "catalogue.RulesText",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="published_questions",
        editable=False,
    )
    entry_anchor = models.CharField(max_length=100, blank=True, editable=False)

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        ordering = ("asked_at", "pk")
        constraints = (
            models.CheckConstraint(name="question_has_words", condition=~Q(text="")),
            models.UniqueConstraint(
                fields=("game", "key"), condition=Q(game__isnull=False), name="asked_once_of_a_game"
            ),
            models.UniqueConstraint(
                fields=("key",), condition=Q(game__isnull=True), name="asked_once_of_no_game"
            ),
            models.CheckConstraint(
                name="a_reason_if_set_aside",
                condition=(Q(state="set_aside") & ~Q(aside_reason=""))
                | (~Q(state="set_aside") & Q(aside_reason="")),
            ),
        )

    def __str__(self) -> str:
        return self.text


class Asking(models.Model):
    """One time that a question was asked, and so much of who asked as they gave for a reply.

    `name`, `contact` and `source` are emptied when their time is over (see `questions`); the row stays and
    counts.
    """

    question = models.ForeignKey(AskedQuestion, models.CASCADE, related_name="askings")
    asked_at = models.DateTimeField(db_index=True)
    name = models.CharField(max_length=300, blank=True)
    contact = models.CharField(max_length=254, blank=True)
    source = models.CharField(max_length=64, blank=True, db_index=True)

    class Meta:
        ordering = ("asked_at", "pk")

    def __str__(self) -> str:
        return f"{self.question} ({self.asked_at:%Y-%m-%d})"


class LibrarianAnswer(models.Model):
    """What a librarian answered; the latest stands, none is edited."""

    question = models.ForeignKey(AskedQuestion, models.CASCADE, related_name="answers")
    wording = models.CharField(_("question"), max_length=600)
    text = models.TextField(_("answer"))
    language = models.CharField(_("language"), max_length=35)
    cited_text = models.ForeignKey(
        "catalogue.RulesText", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    cited_anchor = models.CharField(max_length=100, blank=True)
    is_published = models.BooleanField(default=False)
    answered_at = models.DateTimeField()
    author = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.question} #{self.pk}"
