"""The form of one box. Sections and branches are typed by name; those in use are proposed."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from catalogue import merge
from catalogue.draft import CopyDraft
from catalogue.forms.fields import BarcodeField, TextField, fitting_name
from catalogue.models import Condition


class CopyForm(forms.Form):
    """What the label and the shelf say."""

    barcode = BarcodeField(
        widget=forms.TextInput({"autofocus": True, "autocomplete": "off"}),
        label=_("Barcode"),
        max_length=64,
        help_text=_("Scan the label, or type it with its leading zeros."),
        error_messages={"required": _("A copy needs a barcode: scan its label.")},
    )
    call_number = forms.CharField(label=_("Call number"), max_length=64, required=False)
    section = forms.CharField(
        label=_("Section"), max_length=200, required=False, widget=forms.TextInput({"list": "sections"})
    )
    branch = forms.CharField(
        label=_("Branch"), max_length=200, required=False, widget=forms.TextInput({"list": "branches"})
    )
    condition = forms.ChoiceField(label=_("Condition"), choices=Condition.choices)
    note = TextField(label=_("Note"), rows=2)

    def __init__(self, seen: CopyDraft, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, initial=dataclasses.asdict(seen))
        self.seen = seen

    @property
    def sealed(self) -> str:
        """What the page shows, for its hidden field."""
        return merge.seal(self.seen)

    def clean_section(self) -> str:
        """Folding may lengthen a name beyond its column."""
        return fitting_name(self.cleaned_data["section"], 200)

    def clean_branch(self) -> str:
        """Folding may lengthen a name beyond its column."""
        return fitting_name(self.cleaned_data["branch"], 200)

    def draft(self) -> CopyDraft:
        """What the catalogue shall say of the box; what was not changed on the page stays as it is."""
        return dataclasses.replace(self.seen, **{name: self.cleaned_data[name] for name in self.changed_data})

    def showing(self, draft: CopyDraft) -> "CopyForm":
        """The same form with the values of `draft`, not yet saved."""
        form = CopyForm(self.seen)
        form.initial = dataclasses.asdict(draft)
        return form
