"""What a library allows: the policy table, narrow and typed. Written by `loans.policies`.

One row is one value of one rule for one scope. An empty part of the scope means "any"; which row wins is
told in `loans.policies`, what a value may be in `loans.policy_rules`.
"""

from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch, Category
from loans.models.people import MemberCategory
from loans.rules import DueMode, RenewalBase


class PolicyRule(models.TextChoices):
    """The rules of the table. The values are the names of the fields of `rules.Policy`."""

    LOAN_DAYS = "loan_days", _("loan days")
    DUE_MODE = "due_mode", _("due date on a closed day")
    MAX_LOANS = "max_loans", _("loans at once")
    COUNTS_HOUSEHOLD = "counts_household", _("loans are counted for the whole household")
    MAX_OF_KIND = "max_of_kind", _("loans of this kind at once")
    MAX_RENEWALS = "max_renewals", _("renewals")
    RENEWAL_BASE = "renewal_base", _("a renewal runs from")
    GRACE_DAYS = "grace_days", _("days of grace")
    LENDS_WHILE_LATE = "lends_while_late", _("lends to who has a late game")
    FEE_PER_LOAN = "fee_per_loan", _("fee per loan")
    FEE_PER_DAY = "fee_per_day", _("fee per day")
    LATE_FEE_PER_DAY = "late_fee_per_day", _("late fee per day")
    LATE_FEE_CAP = "late_fee_cap", _("late fee, at most")
    DEPOSIT = "deposit", _("deposit")
    MAX_HOLDS = "max_holds", _("reservations at once")
    HOLD_SHELF_DAYS = "hold_shelf_days", _("days on the reservation shelf")
    MIN_AGE = "min_age", _("minimum age")
    MEMBERSHIP_REQUIRED = "membership_required", _("needs a membership")
    CONDITIONS_REQUIRED = "conditions_required", _("needs signed conditions")
    MAX_DEBT = "max_debt", _("lends up to a debt of")
    STAFF_MAY_WAIVE = "staff_may_waive", _("staff may set a refusal aside")


YES_OR_NO = (
    PolicyRule.COUNTS_HOUSEHOLD,
    PolicyRule.LENDS_WHILE_LATE,
    PolicyRule.MEMBERSHIP_REQUIRED,
    PolicyRule.CONDITIONS_REQUIRED,
    PolicyRule.STAFF_MAY_WAIVE,
)
UNLIMITED = (
    PolicyRule.MAX_LOANS,
    PolicyRule.MAX_OF_KIND,
    PolicyRule.LATE_FEE_CAP,
    PolicyRule.MAX_HOLDS,
    PolicyRule.MIN_AGE,
    PolicyRule.MAX_DEBT,
)
"""Rules whose value may be empty: no limit."""

WORDS = (PolicyRule.DUE_MODE, PolicyRule.RENEWAL_BASE)


class PolicyRow(models.Model):
    """One value of one rule, for a branch, a category of members, a category or class of games.

    `class_prefix` is the beginning of a category's code (`A`, `A 4`). A number, a yes (1) or no (0), and
    cents stand in `number`, where empty means no limit; a choice stands in `word`.
    """

    branch = models.ForeignKey(
        Branch, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("branch")
    )
    member_category = models.ForeignKey(
        MemberCategory,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("member category"),
    )
    game_category = models.ForeignKey(
        Category, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("game category")
    )
    class_prefix = models.CharField(_("class of games"), max_length=20, blank=True)
    rule = models.CharField(_("rule"), max_length=30, choices=PolicyRule.choices)
    number = models.PositiveIntegerField(_("number"), null=True, blank=True)
    word = models.CharField(_("choice"), max_length=20, blank=True)

    class Meta:
        verbose_name = _("policy")
        verbose_name_plural = _("policies")
        ordering = ("pk",)
        constraints = (
            # Two empty scopes are the same scope, which NULL alone would not be.
            models.UniqueConstraint(
                "rule",
                Coalesce("branch", Value(0)),
                Coalesce("member_category", Value(0)),
                Coalesce("game_category", Value(0)),
                "class_prefix",
                name="one_policy_for_a_scope",
            ),
            models.CheckConstraint(
                name="policy_names_one_kind_of_games", condition=Q(game_category=None) | Q(class_prefix="")
            ),
            models.CheckConstraint(
                name="policy_value_fits_its_rule",
                condition=Q(rule=PolicyRule.DUE_MODE, number=None, word__in=tuple(map(str, DueMode)))
                | Q(rule=PolicyRule.RENEWAL_BASE, number=None, word__in=tuple(map(str, RenewalBase)))
                # A comparison with NULL is neither true nor false, and a check lets that pass.
                | Q(rule__in=YES_OR_NO, number__isnull=False, number__in=(0, 1), word="")
                | Q(rule__in=UNLIMITED, word="")
                | (~Q(rule__in=(*WORDS, *YES_OR_NO, *UNLIMITED)) & Q(number__isnull=False, word="")),
            ),
        )

    def __str__(self) -> str:
        return f"{self.get_rule_display()}: {self.word or self.number}"
