"""The library's books: accounts, entries, lines, vouchers, closed days of the till.

Written by `loans.entries`; vouchers by `loans.ledger`, closed days by `loans.till`. Double entry: a line
moves a positive amount from one account (`credit`) to another (`debit`), so every entry adds up to zero
whatever is written, on every database. Nothing here is ever edited or removed: what was wrong is reversed,
once, by an entry of its own.
"""

from typing import Any, NoReturn, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch
from loans.models.lending import DeskEvent, Loan
from loans.models.people import Household, Member


class AccountKind(models.TextChoices):
    """What an account is for. The first three belong to a household or a member, the rest to the house."""

    OWED = "owed", _("owed to the library")
    DEPOSIT = "deposit", _("deposit held")
    PREPAID = "prepaid", _("prepaid card")
    CASH = "cash", _("cash")
    CARD = "card", _("card payments")
    TRANSFER = "transfer", _("bank transfers")
    SAFE = "safe", _("safe and bank")
    MEMBERSHIPS = "memberships", _("membership fees")
    LOAN_FEES = "loan_fees", _("loan fees")
    LATE_FEES = "late_fees", _("late fees")
    PIECES = "pieces", _("missing pieces")
    DEPOSITS_KEPT = "deposits_kept", _("deposits kept")
    OTHER = "other", _("other income")
    VOUCHERS = "vouchers", _("vouchers not yet redeemed")
    GIVEN = "given", _("given away")
    DIFFERENCES = "differences", _("differences of the till")


PERSONAL = (AccountKind.OWED, AccountKind.DEPOSIT, AccountKind.PREPAID)
OF_A_BRANCH = (AccountKind.CASH, AccountKind.CARD, AccountKind.TRANSFER)
"""What a till holds; every branch has its own (and there is one of each for a library without branches)."""


class EntryKind(models.TextChoices):
    """What an entry says has happened."""

    MEMBERSHIP = "membership", _("membership")
    LOAN = "loan", _("loan fee")
    LATE = "late", _("late fee")
    PIECES = "pieces", _("missing pieces")
    OTHER = "other", _("other")
    DEPOSIT = "deposit", _("deposit")
    DEPOSIT_BACK = "deposit_back", _("deposit given back")
    DEPOSIT_KEPT = "deposit_kept", _("deposit kept")
    PAYMENT = "payment", _("payment")
    PAYOUT = "payout", _("paid out")
    PREPAID_IN = "prepaid_in", _("prepaid card topped up")
    PREPAID_USED = "prepaid_used", _("paid from the prepaid card")
    VOUCHER = "voucher", _("voucher issued")
    VOUCHER_USED = "voucher_used", _("voucher redeemed")
    MOVED = "moved", _("moved to another account")
    TILL = "till", _("money put into or taken out of the till")
    DIFFERENCE = "difference", _("difference of the till")
    REVERSAL = "reversal", _("reversed")


Row = TypeVar("Row", bound=models.Model)


class NeverEdited(models.QuerySet[Row]):
    """Rows that stay as they were written."""

    def update(self, **kwargs: Any) -> NoReturn:  # noqa: ARG002 - Django's signature
        """Books are not edited: write an entry that puts it right."""
        raise TypeError(f"{self.model.__name__} is never edited: write an entry that puts it right.")

    def delete(self) -> NoReturn:
        """Nor is anything taken out of them."""
        raise TypeError(f"{self.model.__name__} is never removed: reverse the entry.")


class Booked(models.Model):
    """A row of the books: written once."""

    objects = NeverEdited.as_manager()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """The last line of defence: a row that is there cannot be saved again."""
        if not self._state.adding:
            raise TypeError(f"{type(self).__name__} is never edited: write an entry that puts it right.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ARG002 - Django's signature
        """Nor can it be removed."""
        raise TypeError(f"{type(self).__name__} is never removed: reverse the entry.")


class Account(models.Model):
    """One column of the books: of a household, or of a member without one, or of the house."""

    kind = models.CharField(_("kind"), max_length=20, choices=AccountKind.choices)
    household = models.ForeignKey(Household, models.PROTECT, null=True, related_name="accounts")
    member = models.ForeignKey(Member, models.PROTECT, null=True, related_name="accounts")
    branch = models.ForeignKey(Branch, models.PROTECT, null=True, related_name="accounts")

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        permissions = (
            ("use_till", _("May take money and give receipts")),
            ("manage_money", _("May reverse entries, keep deposits and close the till")),
        )
        constraints = (
            models.CheckConstraint(
                name="account_of_one_owner",
                condition=(
                    Q(kind__in=PERSONAL, branch=None)
                    & (
                        Q(household=None, member__isnull=False)
                        | Q(household__isnull=False, member__isnull=True)
                    )
                )
                | (~Q(kind__in=PERSONAL) & Q(household=None, member=None)),
            ),
            models.UniqueConstraint(
                fields=("kind", "household"),
                condition=Q(household__isnull=False),
                name="one_account_a_kind_and_household",
            ),
            models.UniqueConstraint(
                fields=("kind", "member"),
                condition=Q(member__isnull=False),
                name="one_account_a_kind_and_member",
            ),
            models.UniqueConstraint(
                fields=("kind", "branch"),
                condition=Q(branch__isnull=False),
                name="one_account_a_kind_and_branch",
            ),
            models.UniqueConstraint(
                fields=("kind",),
                condition=Q(household=None, member=None, branch=None),
                name="one_house_account_a_kind",
            ),
        )

    def __str__(self) -> str:
        owner = self.household or self.member or self.branch
        return f"{self.get_kind_display()} · {owner}" if owner else self.get_kind_display()


class Entry(Booked):
    """One booking. `on` is the day of the books that it belongs to, `at` the moment it was written.

    `event`: the desk's action that caused it, so that an undo takes back just that. `member`: whose doing it
    was within a household. `tendered_cents`: what was laid on the counter. `nonce`: the client's own name for
    it, so that a form sent twice is one entry.
    """

    kind = models.CharField(_("kind"), max_length=20, choices=EntryKind.choices)
    at = models.DateTimeField(_("at"))
    on = models.DateField(_("day"), db_index=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )
    branch = models.ForeignKey(
        Branch, models.PROTECT, null=True, related_name="entries", verbose_name=_("branch")
    )
    loan = models.ForeignKey(Loan, models.PROTECT, null=True, related_name="entries")
    member = models.ForeignKey(
        Member, models.PROTECT, null=True, related_name="entries", verbose_name=_("member")
    )
    event = models.ForeignKey(DeskEvent, models.PROTECT, null=True, related_name="entries")
    text = models.CharField(_("text"), max_length=300, blank=True)
    tendered_cents = models.PositiveBigIntegerField(null=True)
    reverses = models.OneToOneField("self", models.PROTECT, null=True, related_name="reversed_by")
    nonce = models.CharField(max_length=64, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("nonce",), condition=~Q(nonce=""), name="one_entry_a_nonce"),
            models.CheckConstraint(
                name="only_a_reversal_reverses",
                condition=Q(kind=EntryKind.REVERSAL, reverses__isnull=False)
                | (~Q(kind=EntryKind.REVERSAL) & Q(reverses=None)),
            ),
        )
        indexes = (
            # As of the events that are undone: few are, and a full index would go unused.
            models.Index(fields=("reverses",), condition=Q(reverses__isnull=False), name="reversed_entries"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.on}"


class Line(Booked):
    """An amount that moves out of `credit` into `debit`. Positive: it is turned round by changing places."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="lines")
    debit = models.ForeignKey(Account, models.PROTECT, related_name="debits", verbose_name=_("debit"))
    credit = models.ForeignKey(Account, models.PROTECT, related_name="credits", verbose_name=_("credit"))
    cents = models.PositiveBigIntegerField(_("amount"))

    class Meta:
        verbose_name = _("line")
        verbose_name_plural = _("lines")
        ordering = ("pk",)
        constraints = (
            models.CheckConstraint(name="line_moves_something", condition=Q(cents__gt=0)),
            models.CheckConstraint(name="line_between_two_accounts", condition=~Q(debit=F("credit"))),
        )

    def __str__(self) -> str:
        return f"{self.debit} / {self.credit} {self.cents}"


class Voucher(Booked):
    """A voucher, worth what its entry says. Who redeems it: `VoucherUse`."""

    code = models.CharField(_("code"), max_length=32, unique=True)
    entry = models.OneToOneField(Entry, models.PROTECT, related_name="voucher")
    cents = models.PositiveBigIntegerField(_("amount"))

    class Meta:
        verbose_name = _("voucher")
        verbose_name_plural = _("vouchers")

    def __str__(self) -> str:
        return self.code

    @property
    def is_withdrawn(self) -> bool:
        """Whether its entry was reversed."""
        return hasattr(self.entry, "reversed_by")

    @property
    def is_used(self) -> bool:
        """Whether it was redeemed, and that stands."""
        return any(not hasattr(use.entry, "reversed_by") for use in self.uses.all())


class VoucherUse(Booked):
    """A voucher that was redeemed by an entry; once that is reversed, it may be redeemed again."""

    voucher = models.ForeignKey(Voucher, models.PROTECT, related_name="uses")
    entry = models.OneToOneField(Entry, models.PROTECT, related_name="voucher_use")

    class Meta:
        verbose_name = _("use of a voucher")
        verbose_name_plural = _("uses of vouchers")

    def __str__(self) -> str:
        return f"{self.voucher}"


class TillDay(Booked):
    """A closed day of a branch's till: what was in it, and what should have been.

    It closes every day up to `on` that was not closed yet. The difference is booked by an entry of its own.
    """

    branch = models.ForeignKey(
        Branch, models.PROTECT, null=True, related_name="till_days", verbose_name=_("branch")
    )
    on = models.DateField(_("day"))
    opening_cents = models.BigIntegerField(_("at the opening"))
    expected_cents = models.BigIntegerField(_("expected"))
    counted_cents = models.PositiveBigIntegerField(_("counted"))
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    closed_at = models.DateTimeField(_("closed"))
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by")
    )

    class Meta:
        verbose_name = _("closed day of the till")
        verbose_name_plural = _("closed days of the till")
        ordering = ("-on",)
        constraints = (
            models.UniqueConstraint(
                fields=("branch", "on"),
                condition=Q(branch__isnull=False),
                name="one_closing_a_branch_and_day",
            ),
            models.UniqueConstraint(fields=("on",), condition=Q(branch=None), name="one_closing_a_day"),
            models.CheckConstraint(
                name="a_difference_has_a_reason",
                condition=Q(counted_cents=F("expected_cents")) | ~Q(reason=""),
            ),
        )

    def __str__(self) -> str:
        return f"{self.on}"

    @property
    def difference_cents(self) -> int:
        """What was too much in the till, or too little (negative)."""
        return self.counted_cents - self.expected_cents
