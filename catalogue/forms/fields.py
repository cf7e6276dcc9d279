"""Fields of the staff's forms that read more than one value, or a value in people's own words.

Each takes what people really type (years or "18 mois", "français" or `fr`), gives the value of a draft,
and shows that value again as it would be typed.
"""

import re
from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from catalogue import barcodes, languages
from catalogue.text import fold, name_key, one_line

MAX_ITEMS = 200
MAX_AGE_YEARS = 99  # printed as "99" where there is no upper bound
AGE = re.compile(r"(?P<number>\d{1,4})(?P<half>[.,]5|½)?\s*(?P<unit>[^\W\d]*)\.?\+?")
MONTHS = {"m", "mois", "month", "months", "mes", "meses", "monat", "monate", "monaten"}
YEARS = {"", "a", "an", "ans", "y", "year", "years", "ano", "anos", "j", "jahr", "jahre", "jahren"}


class TextField(forms.CharField):
    """Text of several lines. Browsers send CR LF; we keep LF, and blanks at the ends as they stand."""

    widget = forms.Textarea

    def __init__(self, *, rows: int = 4, **options: Any) -> None:
        super().__init__(
            strip=False,
            required=options.pop("required", False),
            widget=forms.Textarea({"rows": rows}),
            **options,
        )

    def to_python(self, value: Any) -> str:
        """The text with LF line ends."""
        return _unix(super().to_python(value) or "")

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Line ends alone are no change."""
        return _unix(initial or "") != self.to_python(data)


class ItemsField(forms.CharField):
    """Several short texts in one box: one a line, or parted by commas where none can hold a comma."""

    def __init__(self, *, longest: int, by_line: bool = True, **options: Any) -> None:
        self.longest = longest
        self.by_line = by_line
        widget = forms.Textarea({"rows": 3}) if by_line else forms.TextInput()
        super().__init__(required=False, widget=widget, **options)

    def prepare_value(self, value: Any) -> Any:
        """The items as one would type them."""
        return ("\n" if self.by_line else ", ").join(value) if isinstance(value, (tuple, list)) else value

    def to_python(self, value: Any) -> Any:
        """The items, blanks set right, without repeats."""
        typed = re.split(r"\r?\n|\r" if self.by_line else r"[,;\r\n]+", super().to_python(value) or "")
        items = dict.fromkeys(one_line(item) for item in typed)
        return tuple(self.read_item(item) for item in items if item)

    def validate(self, value: Any) -> None:
        """Refuse what the tables could not hold, naming the item."""
        if len(value) > MAX_ITEMS:
            raise ValidationError(_("At most %(most)s entries fit here."), params={"most": MAX_ITEMS})
        for item in value:
            if len(item) > self.longest or len(name_key(item)) > self.longest:
                raise ValidationError(
                    _("“%(item)s…” is too long: shorten it to %(most)s characters."),
                    params={"item": item[:30], "most": self.longest},
                )

    def run_validators(self, value: Any) -> None:
        """The validators of a single text, for each item."""
        for item in value:
            super().run_validators(item)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether other items stand there."""
        try:
            return bool(tuple(initial or ()) != self.to_python(data))
        except ValidationError:
            return True

    def read_item(self, item: str) -> str:
        """One item; kinds of fields override it."""
        return item


class LanguagesField(ItemsField):
    """Languages as tags (`fr`, `pt-BR`) or by name, in that language, in English or in the reader's."""

    def __init__(self, **options: Any) -> None:
        super().__init__(longest=35, by_line=False, **options)

    def read_item(self, item: str) -> str:
        """The tag."""
        return read_language(item)


class ProductCodesField(ItemsField):
    """EAN, ISBN, UPC as printed; a wrong check digit is kept, a number that a spreadsheet broke is not."""

    def __init__(self, **options: Any) -> None:
        super().__init__(longest=64, **options)

    def read_item(self, item: str) -> str:
        """The code, refused where its digits are lost."""
        refuse_spreadsheet_damage(item)
        return item


class LanguageField(forms.CharField):
    """One language, as in `LanguagesField`."""

    def to_python(self, value: Any) -> Any:
        """The tag."""
        typed = super().to_python(value)
        return read_language(typed) if typed else typed


class BarcodeField(forms.CharField):
    """The label of one box; zeros in front are part of it."""

    def to_python(self, value: Any) -> Any:
        """The label as typed, refused where a spreadsheet has lost its digits."""
        typed = super().to_python(value)
        refuse_spreadsheet_damage(typed or "")
        return typed


class AgeField(forms.CharField):
    """An age in months, typed as years ("8", "2½", "8 ans") or as months ("18 mois")."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.TextInput({"size": 8}), **options)

    def prepare_value(self, value: Any) -> Any:
        """Whole years as a number, anything else in months, in the reader's words."""
        if not isinstance(value, int):
            return value
        if value % 12 == 0:
            return str(value // 12)
        return ngettext("%(count)s month", "%(count)s months", value) % {"count": value}

    def to_python(self, value: Any) -> Any:
        """Months, or None for nothing typed."""
        typed = super().to_python(value) or ""
        return read_age(typed) if typed else None

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Whether another age stands there."""
        return _reads_otherwise(self.to_python, initial, data)

    def validate(self, value: Any) -> None:
        """`read_age` has said all."""

    def run_validators(self, value: Any) -> None:
        """Months are no text: the validators of a text do not fit them."""


def read_age(typed: str) -> int:
    """Months of an age in people's words. Raises ValidationError."""
    match = AGE.fullmatch(fold(typed.replace("½", ".5")).strip())
    unit = match["unit"] if match else None
    if match is None or unit not in MONTHS | YEARS:
        raise ValidationError(
            _("“%(typed)s” is not an age: type years (8) or months (18 months)."), params={"typed": typed}
        )
    halves = int(match["number"]) * 2 + bool(match["half"])
    months = halves // 2 if unit in MONTHS else halves * 6
    if months > MAX_AGE_YEARS * 12:
        raise ValidationError(
            _("“%(typed)s” is too old: the highest age is %(most)s years."),
            params={"typed": typed, "most": MAX_AGE_YEARS},
        )
    return months


def read_language(typed: str) -> str:
    """The BCP 47 tag of a language typed as a tag or by name. Raises ValidationError."""
    tag = languages.tag_of(typed)
    if tag is None:
        raise ValidationError(
            _("“%(typed)s” is not a language we know: type its code, such as fr, en or pt-BR."),
            params={"typed": typed},
        )
    return tag


def refuse_spreadsheet_damage(typed: str) -> None:
    """Raises ValidationError for `6.37702E+15`."""
    if barcodes.is_spreadsheet_damage(typed):
        raise ValidationError(
            _("“%(typed)s” is what a spreadsheet leaves of a long number: scan or type the digits again."),
            params={"typed": typed},
        )


def fitting_name(name: str, longest: int) -> str:
    """The name, if its folded form fits its column too. Raises ValidationError."""
    if len(name_key(name)) > longest:
        raise ValidationError(
            _("This name is too long: shorten it to %(most)s characters."), params={"most": longest}
        )
    return name


def _reads_otherwise(read: Callable[[Any], Any], initial: Any, data: Any) -> bool:
    try:
        return bool(initial != read(data))
    except ValidationError:
        return True


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
