"""The forms of holds, bookings and transfers: cards and boxes are scanned or typed."""

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from catalogue.models import Branch, Copy, Game
from loans import scan
from loans.bookings import LONGEST_BUFFER, BookingDraft
from loans.models import Member


class CardField(forms.CharField):
    """A member, by the card or by a name that only one member has."""

    def clean(self, value: Any) -> Any:
        """The member."""
        code = super().clean(value)
        found = scan.read_card(code)
        members = found.members or scan.read(code).members
        if len(members) == 1:
            return members[0]
        if members:
            raise ValidationError(_("Several members are meant by this: scan the card."))
        raise ValidationError(_("No card has this number: scan the card again."))


class BoxField(forms.CharField):
    """A copy, by its label."""

    def clean(self, value: Any) -> Any:
        """The copy."""
        copies = scan.read_copy(super().clean(value)).copies
        if len(copies) == 1:
            return copies[0]
        if copies:
            raise ValidationError(_("Several boxes are meant by this: scan the label of the box."))
        raise ValidationError(_("No box has this label: scan it again."))


class GameField(forms.CharField):
    """A game, by the label of one of its boxes or by its title."""

    def clean(self, value: Any) -> Any:
        """The game."""
        code = super().clean(value)
        copies = scan.read_copy(code).copies or scan.read(code).copies
        games = {copy.game_id: copy.game for copy in copies}
        if len(games) == 1:
            return next(iter(games.values()))
        if games:
            raise ValidationError(_("Several games are meant by this: scan the label of one of its boxes."))
        raise ValidationError(_("No box has this label or title: scan one of the game's boxes."))


BY_SCANNER = {"autocomplete": "off", "autocapitalize": "off", "spellcheck": "false"}


class DeskHoldForm(forms.Form):
    """A hold that the desk places for a member."""

    card = CardField(label=_("Card or name"), max_length=200, widget=forms.TextInput(BY_SCANNER))
    branch = forms.ModelChoiceField(
        Branch.objects.all(), label=_("Fetched at"), required=False, empty_label=_("any branch")
    )

    def member(self) -> Member:
        """Who wants the game."""
        member: Member = self.cleaned_data["card"]
        return member


class BookingForm(forms.Form):
    """Copies of a game for some days."""

    game = GameField(
        label=_("Game"),
        max_length=200,
        widget=forms.TextInput(BY_SCANNER),
        help_text=_("Scan one of its boxes, or type the title."),
    )
    card = CardField(label=_("Card or name"), max_length=200, widget=forms.TextInput(BY_SCANNER))
    copies = forms.IntegerField(label=_("How many copies"), min_value=1, max_value=999, initial=1)
    from_on = forms.DateField(label=_("From"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    to_on = forms.DateField(
        label=_("To"),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=_("The last day, on which the boxes come back."),
    )
    buffer_days = forms.IntegerField(
        label=_("Days kept free before and after"), min_value=0, max_value=LONGEST_BUFFER, initial=1
    )
    note = forms.CharField(label=_("Note"), max_length=300, required=False)

    def clean_from_on(self) -> date:
        """A year of four digits: a date of another age is a slip."""
        return _plausible(self.cleaned_data["from_on"])

    def clean_to_on(self) -> date:
        """The same for the last day."""
        return _plausible(self.cleaned_data["to_on"])

    def draft(self) -> BookingDraft:
        """What was asked for."""
        given = dict(self.cleaned_data)
        member: Member = given.pop("card")
        game: Game = given.pop("game")
        return BookingDraft(game=game, member=member, **given)


class SendForm(forms.Form):
    """A box that goes to another branch."""

    box = BoxField(label=_("Box"), max_length=200, widget=forms.TextInput(BY_SCANNER))
    to_branch = forms.ModelChoiceField(Branch.objects.all(), label=pgettext_lazy("branch", "To"))

    def copy(self) -> Copy:
        """The box."""
        copy: Copy = self.cleaned_data["box"]
        return copy


class ReceiveForm(forms.Form):
    """A box that has come."""

    box = BoxField(label=_("Box"), max_length=200, widget=forms.TextInput(BY_SCANNER | {"autofocus": True}))

    def copy(self) -> Copy:
        """The box."""
        copy: Copy = self.cleaned_data["box"]
        return copy


def _plausible(day: date) -> date:
    if not 2000 <= day.year <= 2999:
        raise ValidationError(_("This year cannot be meant."))
    return day
