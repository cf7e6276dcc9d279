"""The form of a game: its fields, its rows of people and of publishers, read as one draft.

Called by the staff's pages. What nobody changed on the page stays exactly as the record has it, so that
opening and saving never counts as a correction by hand.
"""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalogue import merge, roles
from catalogue.draft import ContributorDraft, GameDraft, PublicationDraft
from catalogue.forms.fields import (
    MAX_AGE_YEARS,
    AgeField,
    ItemsField,
    LanguagesField,
    ProductCodesField,
    TextField,
    fitting_name,
)
from catalogue.text import one_line

EMPTY_ROWS = 2
RANGES = (
    ("players_min", "players_max"),
    ("age_min_months", "age_max_months"),
    ("minutes_min", "minutes_max"),
)


def _text(label: Any, longest: int, **options: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=longest, required=False, **options)


def _number(label: Any, most: int) -> forms.IntegerField:
    errors = {
        "invalid": _("Type a whole number, or nothing."),
        "min_value": _("Type a number of at least %(limit_value)s, or nothing."),
        "max_value": _("Type a number of at most %(limit_value)s."),
    }
    # A text box: number boxes drop what is no number, and change their value under the mouse wheel.
    return forms.IntegerField(
        label=label,
        min_value=1,
        max_value=most,
        required=False,
        error_messages=errors,
        widget=forms.TextInput({"inputmode": "numeric", "size": 6}),
    )


class GameForm(forms.Form):
    """Every field of `GameDraft` but the rows of people and publishers."""

    title = forms.CharField(
        label=_("Title"),
        max_length=500,
        error_messages={"required": _("A game needs a title: type it as it stands on the box.")},
    )
    subtitle = _text(_("Subtitle"), 500)
    alternative_titles = ItemsField(label=_("Other titles"), longest=500, help_text=_("One a line."))
    document_type = _text(_("Document type"), 200)
    edition = _text(_("Edition"), 300)
    year = _number(_("Year"), 2999)
    identifiers = ProductCodesField(
        label=_("EAN, ISBN, UPC"), help_text=_("One a line, as printed. You may scan them.")
    )
    languages = LanguagesField(label=_("Languages"), help_text=_("Codes or names, with commas: fr, en."))
    categories = ItemsField(
        label=_("Categories"), longest=200, help_text=_("One a line, such as: A 406 Jeu de stratégie.")
    )
    keywords = ItemsField(label=_("Keywords"), longest=200, by_line=False, help_text=_("Parted by commas."))
    players_min = _number(_("Fewest players"), 999)
    players_max = _number(_("Most players"), 999)
    age_min_months = AgeField(label=_("From age"), help_text=_("Years (8) or months (18 months)."))
    age_max_months = AgeField(label=_("To age"), help_text=_("Nothing, or 99: no upper bound."))
    minutes_min = _number(_("Shortest, in minutes"), 9999)
    minutes_max = _number(_("Longest, in minutes"), 9999)
    principle = TextField(label=_("Principle"))
    pedagogy = TextField(label=_("Pedagogical analysis"))
    contents = TextField(label=_("Contents"), help_text=_("What the box holds, as printed."))
    note = TextField(label=_("Note"), rows=2)

    def clean_title(self) -> str:
        """Without a letter or digit there would be nothing to find it by, but marks alone are a title too."""
        return one_line(self.cleaned_data["title"])

    def clean_age_max_months(self) -> int | None:
        """99 years mean that there is no upper bound."""
        months: int | None = self.cleaned_data["age_max_months"]
        return None if months is not None and months >= MAX_AGE_YEARS * 12 else months

    def clean(self) -> None:
        """The lower bound stands first."""
        for low, high in RANGES:
            least, most = self.cleaned_data.get(low), self.cleaned_data.get(high)
            if least is not None and most is not None and least > most:
                message = _("This is less than “%(low)s”: correct one of the two.")
                self.add_error(high, ValidationError(message, params={"low": self.fields[low].label}))


class ContributorForm(forms.Form):
    """One person in one role."""

    name = _text(_("Name"), 300)
    role = forms.ChoiceField(label=_("Role"), choices=list(roles.LABELS.items()), required=False)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        known = self.initial.get("role", "")
        if known not in roles.LABELS:
            # An import may bring any code of UNIMARC; it stays selectable where it stands.
            choices = self.fields["role"]
            choices.choices = [*roles.LABELS.items(), (known, known)]  # type: ignore[attr-defined]

    def clean_name(self) -> str:
        """Folding may lengthen a name beyond its column."""
        return fitting_name(self.cleaned_data["name"], 300)

    def row(self) -> ContributorDraft:
        """The person and the role."""
        return ContributorDraft(self.cleaned_data["name"], self.cleaned_data["role"])


class PublicationForm(forms.Form):
    """One publisher and the place as printed."""

    publisher = _text(_("Publisher"), 300)
    place = _text(_("Place"), 300)

    def clean_publisher(self) -> str:
        """Folding may lengthen a name beyond its column."""
        return fitting_name(self.cleaned_data["publisher"], 300)

    def clean(self) -> None:
        """A place alone belongs to nobody."""
        if self.cleaned_data.get("place") and not self.cleaned_data.get("publisher"):
            self.add_error("publisher", _("Type the publisher of this place, or empty the place."))

    def row(self) -> PublicationDraft:
        """The publisher and the place."""
        return PublicationDraft(self.cleaned_data["publisher"], self.cleaned_data["place"])


ROWS: dict[str, type[ContributorForm] | type[PublicationForm]] = {
    "contributors": ContributorForm,
    "publications": PublicationForm,
}


class GameSheet:
    """The form of a game with its rows, bound to what was typed or showing what a draft says.

    `seen` is the record as the page showed it: fields that were not changed on the page keep its values.
    """

    def __init__(self, seen: GameDraft, data: Mapping[str, Any] | None = None) -> None:
        self.seen = seen
        values = {f.name: getattr(seen, f.name) for f in dataclasses.fields(seen)}
        self.form = GameForm(data, initial=values)
        self.rows = {
            name: _formset(name)(data, prefix=name, initial=[dataclasses.asdict(r) for r in values[name]])
            for name in ROWS
        }

    @property
    def contributors(self) -> Any:
        """The rows of people."""
        return self.rows["contributors"]

    @property
    def publications(self) -> Any:
        """The rows of publishers."""
        return self.rows["publications"]

    @property
    def sealed(self) -> str:
        """What the page shows, for its hidden field."""
        return merge.seal(self.seen)

    @property
    def forms(self) -> list[forms.Form]:
        """Every form of the sheet, in the order of the page."""
        return [self.form, *self.contributors.forms, *self.publications.forms]

    @property
    def has_errors(self) -> bool:
        """Whether something typed cannot be read; a sheet that only shows values has none."""
        return self.form.is_bound and not self.is_valid()

    def is_valid(self) -> bool:
        """Whether everything typed can be read."""
        return all([self.form.is_valid(), *(rows.is_valid() for rows in self.rows.values())])

    def draft(self) -> GameDraft:
        """What the record shall say; for a valid sheet only."""
        changed: dict[str, Any] = {name: self.form.cleaned_data[name] for name in self.form.changed_data}
        for name, value in changed.items():
            changed[name] = "" if value is None and isinstance(getattr(self.seen, name), str) else value
        for name, rows in self.rows.items():
            if rows.has_changed():
                typed = [form.row() for form in rows.forms if any(form.cleaned_data.values())]
                changed[name] = tuple(typed)
        return dataclasses.replace(self.seen, **changed)

    def with_more_rows(self) -> "GameSheet":
        """The same sheet with what was typed, unread, and more empty rows at the end of each list."""
        rows = {
            name: [row for row in map(_typed, self.rows[name].forms) if any(row.values())] for name in ROWS
        }
        return self._with(_typed(self.form), rows, EMPTY_ROWS * 2)

    def showing(self, draft: GameDraft) -> "GameSheet":
        """The same sheet with the values of `draft` in its fields, not yet saved."""
        values = {f.name: getattr(draft, f.name) for f in dataclasses.fields(draft)}
        rows = {name: [dataclasses.asdict(row) for row in values[name]] for name in ROWS}
        return self._with(values, rows, EMPTY_ROWS)

    def _with(self, values: dict[str, Any], rows: dict[str, list[Any]], extra: int) -> "GameSheet":
        sheet = GameSheet(self.seen)
        sheet.form = GameForm(initial=values)
        sheet.rows = {name: _formset(name, extra)(prefix=name, initial=rows[name]) for name in ROWS}
        return sheet


def _typed(form: forms.Form) -> dict[str, Any]:
    return {name: form[name].data for name in form.fields}


def _formset(name: str, extra: int = EMPTY_ROWS) -> Callable[..., Any]:
    made: Callable[..., Any] = forms.formset_factory(ROWS[name], extra=extra, max_num=100, absolute_max=200)
    return made
