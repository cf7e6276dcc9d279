"""The forms of members and households: read what is typed, say what cannot be read; no more."""

import dataclasses
from collections.abc import Mapping
from datetime import date
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalogue.forms.fields import BarcodeField, TextField
from loans.households import HouseholdDraft
from loans.members import MemberDraft
from loans.models import Member, MemberCategory, MembershipKind

OLDEST = 120


class DayInput(forms.DateInput):
    """A day, chosen or typed; the browser sends it as ISO 8601."""

    input_type = "date"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%d")


class MemberForm(forms.Form):
    """What is kept of a member. The card that stands there already is the next free one."""

    first_name = forms.CharField(
        label=_("First name"),
        max_length=150,
        required=False,
        widget=forms.TextInput({"autofocus": True, "autocomplete": "off"}),
    )
    last_name = forms.CharField(
        label=_("Last name"), max_length=150, widget=forms.TextInput({"autocomplete": "off"})
    )
    card_number = BarcodeField(
        label=_("Card number"),
        max_length=64,
        help_text=_("Scan a new card, or keep the number that is proposed."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    category = forms.ModelChoiceField(
        MemberCategory.objects.all(), label=_("Category"), required=False, empty_label=_("none")
    )
    birth_year = forms.IntegerField(
        label=_("Year of birth"), required=False, help_text=_("For children, and where games have an age.")
    )
    email = forms.EmailField(label=_("E-mail"), required=False)
    language = forms.ChoiceField(label=_("Language"), required=False)
    hides_loans = forms.BooleanField(
        label=_("Keeps the loans from the others of the household"), required=False
    )
    membership_ends_on = forms.DateField(
        label=_("Membership ends on"),
        required=False,
        widget=DayInput,
        help_text=_("A sale sets this day by itself. Empty: without end."),
    )
    user = forms.CharField(
        label=_("User name"),
        max_length=150,
        required=False,
        help_text=_("Of the account with which the member signs in, if there is one."),
    )

    def __init__(
        self, seen: MemberDraft, today: date, data: Mapping[str, Any] | None = None, pk: int | None = None
    ) -> None:
        kept = {field.name: getattr(seen, field.name) for field in dataclasses.fields(seen)}
        super().__init__(data, initial=kept | {"user": seen.user.get_username() if seen.user else ""})
        self.seen, self.today, self.pk = seen, today, pk
        spoken: list[tuple[str, Any]] = [("", _("not said")), *settings.LANGUAGES]
        if seen.language and seen.language not in dict(settings.LANGUAGES):
            spoken.append((seen.language, seen.language))
        self.fields["language"].choices = spoken  # type: ignore[attr-defined]

    def clean_birth_year(self) -> int | None:
        """A year in which somebody alive was born."""
        year: int | None = self.cleaned_data["birth_year"]
        if year is not None and not self.today.year - OLDEST <= year <= self.today.year:
            raise ValidationError(_("This is no year of birth: type all four digits, such as 2016."))
        return year

    def clean_user(self) -> User | None:
        """An account that exists, and is nobody else's."""
        name = self.cleaned_data["user"]
        user = User.objects.filter(username=name).first() if name else None
        if name and user is None:
            raise ValidationError(_("There is no account of this name."))
        holder = Member.objects.filter(user=user).first() if user else None
        if holder and holder.pk != self.pk:
            raise ValidationError(_("This account belongs to another member."))
        return user

    def draft(self) -> MemberDraft:
        """What was typed; the rest stays as it is."""
        return dataclasses.replace(self.seen, **self.cleaned_data)


class NewMemberForm(MemberForm):
    """A member at the first visit: with the membership, and the conditions if they are signed at once."""

    kind = forms.ModelChoiceField(
        MembershipKind.objects.filter(on_sale=True),
        label=_("Membership"),
        required=False,
        empty_label=_("none for now"),
    )
    signed = forms.BooleanField(label=_("The conditions of loan are signed"), required=False)
    field_order = ("first_name", "last_name", "card_number", "category", "kind", "signed", "birth_year")

    def __init__(self, seen: MemberDraft, today: date, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(seen, today, data)
        del self.fields["membership_ends_on"]
        # A box to choose one's membership from is no use where the library sells none.
        if not MembershipKind.objects.filter(on_sale=True).exists():
            del self.fields["kind"]

    def draft(self) -> MemberDraft:
        """What was typed."""
        typed = {name: value for name, value in self.cleaned_data.items() if name not in {"kind", "signed"}}
        signed_on = self.today if self.cleaned_data["signed"] else None
        return dataclasses.replace(self.seen, **typed, conditions_signed_on=signed_on)


class HouseholdForm(forms.Form):
    """How a household is called and where it lives."""

    name = forms.CharField(
        label=_("Name"),
        max_length=200,
        widget=forms.TextInput({"autocomplete": "off"}),
        help_text=_("As on the door, or the name of the school."),
    )
    address = TextField(label=_("Address"), rows=2)
    postcode = forms.CharField(label=_("Postcode"), max_length=20, required=False)
    city = forms.CharField(label=_("Town"), max_length=100, required=False)
    phone = forms.CharField(label=_("Telephone"), max_length=50, required=False)

    def draft(self) -> HouseholdDraft:
        """What was typed."""
        return HouseholdDraft(**self.cleaned_data)


class BlockForm(forms.Form):
    """Why a member may not borrow for a time."""

    reason = forms.CharField(label=_("Reason"), max_length=300)
    ends_on = forms.DateField(
        label=_("Last day"), required=False, widget=DayInput, help_text=_("Empty: until somebody lifts it.")
    )

    def __init__(self, today: date, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, prefix="block")
        self.today = today

    def clean_ends_on(self) -> date | None:
        """A day that is not over yet."""
        day: date | None = self.cleaned_data["ends_on"]
        if day is not None and day < self.today:
            raise ValidationError(_("This day is over: a block ends today or later."))
        return day
