"""What a library allows. Written by `loans.members`."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class LoanPolicy(models.Model):
    """How long and how much a member may borrow; exactly one policy is the default.

    While a library has set none, the defaults of these fields are its policy.
    """

    name = models.CharField(_("name"), max_length=100)
    loan_days = models.PositiveSmallIntegerField(_("loan days"), default=21)
    max_loans = models.PositiveSmallIntegerField(_("loans at once"), default=5)
    max_renewals = models.PositiveSmallIntegerField(_("renewals"), default=2)
    lends_while_late = models.BooleanField(_("lends to who has a late game"), default=False)
    is_default = models.BooleanField(_("default"), default=False)

    class Meta:
        verbose_name = _("loan policy")
        verbose_name_plural = _("loan policies")
        constraints = (
            models.UniqueConstraint(
                fields=("is_default",), condition=Q(is_default=True), name="one_default_policy"
            ),
        )

    def __str__(self) -> str:
        return self.name
