"""A games day: what is played, and by whom. Written by `loans.games_day`.

A box that is played is a loan to the day's own member, so that nothing else can lend it meanwhile and any
desk can take it back; the players are only known by their badges.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _

from loans.models.lending import Loan
from loans.models.people import Member


class GamesDay(models.Model):
    """An event at which games are played in the house; `member` stands for all who came."""

    name = models.CharField(_("name"), max_length=150)
    held_on = models.DateField(_("day"))
    member = models.OneToOneField(Member, models.PROTECT, related_name="games_day")
    closed_at = models.DateTimeField(_("closed"), null=True, blank=True)

    class Meta:
        verbose_name = _("games day")
        verbose_name_plural = _("games days")
        ordering = ("-held_on", "-pk")

    def __str__(self) -> str:
        return self.name


class Player(models.Model):
    """Somebody at the table: the badge, and the member if the badge is a card."""

    loan = models.ForeignKey(Loan, models.CASCADE, related_name="players")
    badge = models.CharField(_("badge"), max_length=64)
    member = models.ForeignKey(Member, models.SET_NULL, null=True, blank=True, related_name="plays")
    joined_at = models.DateTimeField(_("joined"))

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("loan", "badge"), name="a_badge_joins_a_game_once"),)

    def __str__(self) -> str:
        return str(self.member) if self.member else self.badge
