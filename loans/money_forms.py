"""The forms of the till: they read what was typed, in the reader's way of writing it; `ledger` decides."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch
from loans import amounts
from loans.ledger import INCOME, Method
from loans.models import EntryKind

METHODS = [
    (Method.CASH.value, _("cash")),
    (Method.CARD.value, _("card")),
    (Method.TRANSFER.value, _("bank transfer")),
]
PREPAID = "prepaid"
CHARGES = [(kind.value, kind.label) for kind in INCOME]


class AmountField(forms.CharField):
    """An amount as people type it; cleaned, it is whole cents (None where it may be left empty)."""

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "class": "amount", "autocomplete": "off", "size": 10}
        super().__init__(max_length=30, widget=forms.TextInput(attrs=attrs), **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Cents as they would be typed."""
        return amounts.shown_number(value) if isinstance(value, int) else value

    def clean(self, value: Any) -> Any:
        """The cents, or what is wrong with what was typed."""
        typed = str(super().clean(value) or "")
        if not typed.strip() and not self.required:
            return None
        try:
            return amounts.read_amount(typed)
        except amounts.NotAnAmount as error:
            raise ValidationError(str(error)) from error


class TillForm(forms.Form):
    """A form of the till: it says at which one it is, where there are several."""

    branch = forms.ModelChoiceField(Branch.objects.none(), required=False, label=_("Till"), empty_label=None)

    def __init__(self, *args: Any, branches: list[Branch], here: Branch | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Several forms stand on one page: each needs identifiers of its own.
        self.auto_id = f"{type(self).__name__.lower()}_%s"
        if len(branches) < 2:
            del self.fields["branch"]
            return
        field = self.fields["branch"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - declared above
        field.queryset = Branch.objects.filter(pk__in=[branch.pk for branch in branches])
        field.initial = here
        self.order_fields([name for name in self.fields if name != "branch"])


class PayForm(TillForm):
    """Money that is laid on the counter, or comes by card."""

    amount = AmountField(label=_("Amount received"))
    method = forms.ChoiceField(label=_("Paid by"), choices=[*METHODS, (PREPAID, _("prepaid card"))])
    keep_rest = forms.BooleanField(label=_("Keep the rest as credit"), required=False)


class ChargeForm(TillForm):
    """Something that is to be paid."""

    kind = forms.ChoiceField(label=_("For"), choices=CHARGES, initial=EntryKind.OTHER.value)
    amount = AmountField(label=_("Amount"))
    note = forms.CharField(label=_("What for"), max_length=300, required=False)


class AmountForm(TillForm):
    """An amount that comes or goes by one kind of money."""

    amount = AmountField(label=_("Amount"))
    method = forms.ChoiceField(label=_("Paid by"), choices=METHODS)


class TopUpForm(AmountForm):
    """Money for the prepaid card."""


class PayOutForm(AmountForm):
    """Credit that is given back."""


class RedeemForm(TillForm):
    """A voucher."""

    code = forms.CharField(label=_("Code of the voucher"), max_length=40)


class DepositForm(TillForm):
    """A deposit that ends: given back, or kept with the reason."""

    BACK, KEEP = "back", "keep"
    amount = AmountField(label=_("Amount"))
    what = forms.ChoiceField(label=_("The deposit is"), choices=[(BACK, _("given back")), (KEEP, _("kept"))])
    note = forms.CharField(label=_("Reason"), max_length=300, required=False)


class VoucherForm(TillForm):
    """A voucher that is sold, or given away."""

    GIVEN = "given"
    amount = AmountField(label=_("Amount"))
    method = forms.ChoiceField(label=_("Paid by"), choices=[*METHODS, (GIVEN, _("given away"))])
    note = forms.CharField(label=_("For whom, or why"), max_length=300, required=False)


class MoveForm(TillForm):
    """A float put into the drawer, or money taken out of it."""

    IN, OUT = "in", "out"
    what = forms.ChoiceField(label=_("Money is"), choices=[(IN, _("put in")), (OUT, _("taken out"))])
    amount = AmountField(label=_("Amount"))
    note = forms.CharField(label=_("What for"), max_length=300, required=False)


class CloseForm(forms.Form):
    """The count at the end of a day."""

    on = forms.DateField(label=_("Day"), widget=forms.HiddenInput)
    counted = AmountField(label=_("Counted in the drawer"))
    to_safe = AmountField(label=_("Of it, taken to the safe"), required=False)
    reason = forms.CharField(
        label=_("Reason of a difference"),
        max_length=300,
        required=False,
        help_text=_("Needed only where the count is not what is expected."),
    )


class FilterForm(forms.Form):
    """Which part of the journal; it stands in the address."""

    first_on = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    last_on = forms.DateField(
        label=_("Until"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    kind = forms.ChoiceField(
        label=_("Kind"), required=False, choices=[("", lazystr(_("all"))), *EntryKind.choices]
    )
    method = forms.ChoiceField(
        label=_("Paid by"), required=False, choices=[("", lazystr(_("all"))), *METHODS]
    )
    branch = forms.ModelChoiceField(
        Branch.objects.all(), label=_("Till"), required=False, empty_label=_("all")
    )
