"""The forms of labels: on which paper and where to begin, for which boxes, and how numbers are made."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import TextChoices
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from catalogue import barcodes
from catalogue.labels import choosing, numbers
from catalogue.labels.pattern import FEWEST_DIGITS, MOST_DIGITS, Check, Pattern
from catalogue.labels.printing import Job, Offset
from catalogue.labels.sheets import SHEETS, Sheet, Use
from catalogue.models import Copy, Section

FIRST_SHEET = "L7160"
FARTHEST = 15
"""Millimetres by which a printer may be off: more is another sheet."""
USES = {Use.LABELS: _("Sheets of labels"), Use.CARDS: _("Sheets of cards"), Use.ROLLS: _("Rolls")}


class Kind(TextChoices):
    """What stands on the labels."""

    BOX = "box", _("title, call number and barcode")
    BARCODE = "barcode", _("barcode alone")
    RULES = "rules", _("QR code of the rules")


class Which(TextChoices):
    """How boxes are chosen."""

    SCANNED = "scanned", _("the boxes of this list")
    SECTION = "section", _("all boxes of a section")
    NEWER = "newer", _("the boxes catalogued after this one")
    WAITING = "waiting", _("the numbers that are on no box yet")


class PaperForm(forms.Form):
    """The paper, the first free label on it, and how far the printer is off."""

    sheet = forms.ChoiceField(label=_("Paper"))
    start = forms.IntegerField(
        label=_("Begin at label"),
        min_value=1,
        initial=1,
        help_text=_("Counted from the top left, line by line: so a sheet that was begun is used up."),
    )
    offset_x = forms.DecimalField(
        label=_("Move to the right (mm)"),
        min_value=-FARTHEST,
        max_value=FARTHEST,
        max_digits=4,
        decimal_places=1,
        initial=0,
        required=False,
    )
    offset_y = forms.DecimalField(
        label=_("Move down (mm)"),
        min_value=-FARTHEST,
        max_value=FARTHEST,
        max_digits=4,
        decimal_places=1,
        initial=0,
        required=False,
        help_text=_("Print the test page on plain paper and hold it against a sheet of labels."),
    )

    def __init__(self, *args: Any, first: str = FIRST_SHEET, **options: Any) -> None:
        super().__init__(*args, **options)
        choice = self.fields["sheet"]
        assert isinstance(choice, forms.ChoiceField)  # noqa: S101 - declared above
        choice.choices = _papers()
        choice.initial = first

    def clean(self) -> dict[str, Any]:
        """No sheet has more labels than it has."""
        values = super().clean() or {}
        sheet = SHEETS.get(values.get("sheet", ""))
        if sheet and values.get("start", 1) > sheet.count:
            self.add_error(
                "start",
                ValidationError(_("This paper has %(count)s labels."), params={"count": sheet.count}),
            )
        return values

    @property
    def paper(self) -> Sheet:
        """The paper that was chosen."""
        return SHEETS[self.cleaned_data["sheet"]]

    def job(self, *, title: str, author: str, language: str) -> Job:
        """How to print."""
        values = self.cleaned_data
        return Job(
            sheet=self.paper,
            title=title,
            author=author,
            language=language,
            start=values["start"],
            offset=Offset(float(values["offset_x"] or 0), float(values["offset_y"] or 0)),
        )


class LabelsForm(PaperForm):
    """Labels for boxes."""

    kind = forms.ChoiceField(
        label=_("What stands on the label"), choices=Kind.choices, widget=forms.RadioSelect, initial=Kind.BOX
    )
    which = forms.ChoiceField(
        label=_("For which boxes"), choices=Which.choices, widget=forms.RadioSelect, initial=Which.SCANNED
    )
    codes = forms.CharField(
        label=_("Barcodes, one a line"),
        required=False,
        max_length=65 * choosing.MOST,
        widget=forms.Textarea({"rows": 5, "autofocus": True, "autocomplete": "off"}),
        help_text=_("Scan one box after the other, or paste a list."),
    )
    section = forms.ModelChoiceField(Section.objects.all(), label=_("Section"), required=False)
    after = forms.CharField(
        label=_("Catalogued after the box"),
        required=False,
        max_length=64,
        help_text=_("Scan the last box that has its label."),
    )
    field_order = ("kind", "which", "codes", "section", "after", "sheet", "start", "offset_x", "offset_y")

    def clean(self) -> dict[str, Any]:
        """Look the boxes up; say which are not there."""
        values = super().clean()
        choose = {
            Which.SCANNED: self._scanned,
            Which.SECTION: self._of_section,
            Which.NEWER: self._newer,
        }.get(values.get("which", ""))
        self.copies = choose(values) if choose and not self.errors else ()
        self.numbers = self._waiting(values) if values.get("which") == Which.WAITING else ()
        if len(self.copies) > choosing.MOST:
            raise ValidationError(
                _("These are %(count)s boxes: print at most %(most)s at once."),
                params={"count": len(self.copies), "most": choosing.MOST},
            )
        return values

    def _scanned(self, values: dict[str, Any]) -> tuple[Copy, ...]:
        found = choosing.scanned(values.get("codes", ""), numbers.pattern())
        if found.misread:
            self._refuse("codes", _("Read wrong, scan again: %(codes)s"), codes=", ".join(found.misread))
        if found.unknown:
            self._refuse("codes", _("On no box: %(codes)s"), codes=", ".join(found.unknown))
        if not found.copies and not self.errors:
            self._refuse("codes", _("Scan at least one box."))
        return found.copies

    def _of_section(self, values: dict[str, Any]) -> tuple[Copy, ...]:
        if not values.get("section"):
            self._refuse("section", _("Choose a section."))
            return ()
        found = tuple(choosing.of_section(values["section"])[: choosing.MOST + 1])
        if not found:
            self._refuse("section", _("No box stands in this section."))
        return found

    def _newer(self, values: dict[str, Any]) -> tuple[Copy, ...]:
        labels = barcodes.label_candidates(values.get("after", ""))
        last = Copy.objects.filter(barcode__in=labels).first()
        if last is None:
            self._refuse("after", _("Scan a box that is in the catalogue."))
            return ()
        found = tuple(choosing.newer_than(last)[: choosing.MOST + 1])
        if not found:
            self._refuse("after", _("No box was catalogued after this one."))
        return found

    def _waiting(self, values: dict[str, Any]) -> tuple[str, ...]:
        if values.get("kind") == Kind.RULES:
            self._refuse("kind", _("A number that is on no box has no rules yet."))
        found = numbers.waiting().values_list("number", flat=True)[: choosing.MOST]
        if not found:
            self._refuse("which", _("Every number that was given is on a box."))
        return tuple(found)

    def _refuse(self, field: str, words: Any, **values: Any) -> None:
        self.add_error(field, ValidationError(words, params=values))


class GiveForm(forms.Form):
    """How many new numbers."""

    count = forms.IntegerField(
        label=_("How many new numbers"), min_value=1, max_value=numbers.MOST_AT_ONCE, initial=21
    )


class PatternForm(forms.Form):
    """What the library's numbers look like."""

    number_prefix = forms.CharField(
        label=_("Prefix"),
        required=False,
        max_length=6,
        help_text=_("Letters A to Z and digits, the same on every box: it tells your boxes from others’."),
    )
    digits = forms.IntegerField(
        label=_("Digits of the counter"), min_value=FEWEST_DIGITS, max_value=MOST_DIGITS
    )
    check_kind = forms.ChoiceField(
        label=_("Check character"),
        choices=(
            (Check.DIGIT.value, _("a digit (numbers of digits alone)")),
            (Check.CHARACTER.value, _("a letter or a digit")),
            (Check.NONE.value, _("none: a label read wrong may be taken for another box")),
        ),
    )
    next_counter = forms.IntegerField(
        label=_("Next counter"),
        min_value=1,
        help_text=_("Numbers that are on a box, or were given before, are left out by themselves."),
    )

    def clean_number_prefix(self) -> str:
        """In capitals, as it is printed."""
        return str(self.cleaned_data["number_prefix"]).upper()

    def clean(self) -> dict[str, Any]:
        """A pattern that a scanner can be trusted with, and in which the next counter has room."""
        values = super().clean() or {}
        if self.errors:
            return values
        prefix, check = values["number_prefix"], Check(values["check_kind"])
        if not (prefix == "" or (prefix.isascii() and prefix.isalnum())):
            self.add_error("number_prefix", _("A prefix has only letters A to Z and digits."))
        elif check == Check.DIGIT and not (prefix == "" or prefix.isdigit()):
            self.add_error(
                "check_kind", _("A check digit needs a prefix of digits: take a letter or a digit.")
            )
        else:
            self.pattern = Pattern(prefix, values["digits"], check)
            if values["next_counter"] > self.pattern.last:
                self.add_error(
                    "next_counter", _("This counter has more digits than the number has room for.")
                )
        return values


def _papers() -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (str(words), [(sheet.code, _paper(sheet)) for sheet in SHEETS.values() if sheet.use == use])
        for use, words in USES.items()
    ]


def _paper(sheet: Sheet) -> str:
    values = {
        "code": sheet.code,
        "count": sheet.count,
        "width": number_format(sheet.width),
        "height": number_format(sheet.height),
    }
    if sheet.use == Use.ROLLS:
        return str(_("%(code)s – %(width)s × %(height)s mm") % values)
    return str(_("%(code)s – %(count)s on a sheet, %(width)s × %(height)s mm") % values)
