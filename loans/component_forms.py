"""Rows of the two forms about what a box holds: the game's list, and one box's differences from it."""

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalogue import components
from catalogue.components import ComponentDraft, Expected
from catalogue.models import Component, Game, Importance
from loans import amounts, charges
from loans.care import DifferenceDraft

MOST = 99_999


class AmountField(forms.CharField):
    """An amount of money, in whole cents once cleaned."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "size": 6})

    def clean(self, value: Any) -> int:
        """Whole cents."""
        try:
            return charges.read(super().clean(value))
        except charges.NotAnAmount as error:
            raise ValidationError(str(error)) from error


class ComponentRow(forms.Form):
    """One kind of piece; without a component the row of a new one."""

    name = forms.CharField(label=_("Piece"), max_length=components.LONGEST_NAME, required=False)
    count = forms.IntegerField(label=_("How many"), min_value=0, max_value=MOST, required=False)
    importance = forms.ChoiceField(label=_("Importance"), choices=Importance.choices)
    price = AmountField(label=_("Price of one"), required=False)
    spares = forms.IntegerField(label=_("Spare pieces"), min_value=0, max_value=MOST, required=False)
    struck = forms.BooleanField(label=_("Strike out"), required=False)

    def __init__(self, component: Component | None, data: Mapping[str, Any] | None = None) -> None:
        self.component = component
        said = components.describe(component) if component else ComponentDraft(name="")
        initial = {
            "name": said.name,
            "count": said.count,
            "importance": said.importance,
            "price": amounts.shown_number(said.price_cents) if said.price_cents else "",
            "spares": said.spares,
        }
        prefix = f"piece-{component.pk}" if component else "new"
        super().__init__(data, initial=initial, prefix=prefix)

    def clean_name(self) -> str:
        """A row that is there keeps a name; strike it out to be rid of it."""
        name: str = self.cleaned_data["name"]
        if self.component and not name.strip():
            raise ValidationError(_("A piece needs a name. To be rid of the line, strike it out."))
        return name

    def keep(self) -> None:
        """Through the writer."""
        if self.component and self.cleaned_data["struck"]:
            components.strike(self.component)
        elif self.component:
            components.correct(self.component, self.draft())

    def add_to(self, game: Game) -> None:
        """Through the writer; an empty row adds nothing."""
        if self.cleaned_data["name"].strip():
            components.add(game, self.draft())

    def draft(self) -> ComponentDraft:
        """What was typed."""
        return ComponentDraft(
            name=self.cleaned_data["name"],
            count=self.cleaned_data["count"],
            importance=self.cleaned_data["importance"],
            price_cents=self.cleaned_data["price"],
            spares=self.cleaned_data["spares"] or 0,
        )


class DifferenceRow(forms.Form):
    """How many of one kind of piece this box holds; empty: as many as the game's list says."""

    count = forms.IntegerField(label=_("In this box"), min_value=0, max_value=MOST, required=False)
    playable = forms.BooleanField(label=_("Still playable"), required=False)
    note = forms.CharField(label=_("Note"), max_length=300, required=False)

    def __init__(self, expected: Expected, data: Mapping[str, Any] | None = None) -> None:
        self.expected = expected
        initial = {
            "count": expected.count if expected.differs else None,
            "playable": expected.playable,
            "note": expected.note,
        }
        super().__init__(data, initial=initial, prefix=f"piece-{expected.component.pk}")

    def draft(self) -> DifferenceDraft:
        """What was typed."""
        return DifferenceDraft(component=self.expected.component, **self.cleaned_data)


def rows_of(row: type[Any], items: Iterable[Any], data: Mapping[str, Any] | None) -> list[Any]:
    """A row for each item, filled with what was sent."""
    return [row(item, data) for item in items]
