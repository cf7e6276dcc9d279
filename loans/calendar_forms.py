"""What a librarian types about opening days, closures and holidays, read into drafts.

Forms read fields and say what they cannot read; what the writers refuse is put beside the form by the views.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch
from loans import patterns, proposals
from loans.calendar_words import EVERY, NTH
from loans.closures import ClosureDraft
from loans.models import Closure, Opening
from loans.openings import EARLIEST, LATEST, OpeningDraft
from loans.patterns import Every, Pattern
from loans.proposals import Holiday

AHEAD = timedelta(days=550)
"""How far ahead holidays are proposed."""


def day_field(label: Any, *, required: bool = True, help_text: Any = "") -> forms.DateField:
    """A day, with the browser's own calendar."""
    widget = forms.DateInput({"type": "date", "min": EARLIEST, "max": LATEST}, format="%Y-%m-%d")
    return forms.DateField(label=label, required=required, help_text=help_text, widget=widget)


def time_field(label: Any) -> forms.TimeField:
    """A time of the day, to the minute."""
    widget = forms.TimeInput({"type": "time"}, format="%H:%M")
    return forms.TimeField(label=label, required=False, widget=widget)


def branch_field() -> Any:
    """One branch, or all of them."""
    return forms.ModelChoiceField(
        Branch.objects.all(), label=_("Branch"), required=False, empty_label=_("All branches")
    )


class OpeningForm(forms.Form):
    """On which days it is open, in weekdays."""

    branch = branch_field()
    every = forms.ChoiceField(label=_("How often"), choices=list(EVERY.items()), widget=forms.RadioSelect)
    nth = forms.TypedChoiceField(
        label=_("Which of the month"), choices=list(NTH.items()), coerce=int, required=False, empty_value="1"
    )
    weekdays = forms.TypedMultipleChoiceField(
        label=_("On"),
        choices=list(WEEKDAYS.items()),
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    starts_on = day_field(
        _("From"),
        help_text=_("Every second week is counted from the week of this day. Once only: the day itself."),
    )
    until = day_field(_("Until"), required=False, help_text=_("The last day. Leave empty if it goes on."))
    opens_at = time_field(_("Opens at"))
    closes_at = time_field(_("Closes at"))

    def clean(self) -> dict[str, Any]:
        """Refuse what says no day, or ends before it begins."""
        given = super().clean() or {}
        once = given.get("every") == Every.ONCE
        if not once and not given.get("weekdays") and "weekdays" not in self.errors:
            self.add_error("weekdays", _("Tick at least one weekday."))
        if not once and given.get("until") and given.get("starts_on") and given["until"] < given["starts_on"]:
            self.add_error("until", _("This is before the first day."))
        if given.get("opens_at") and given.get("closes_at") and given["closes_at"] <= given["opens_at"]:
            self.add_error("closes_at", _("It closes after it opens."))
        return given

    def draft(self) -> OpeningDraft:
        """The opening rule that was typed."""
        given = self.cleaned_data
        pattern = Pattern(
            every=Every(given["every"]),
            weekdays=tuple(given["weekdays"]),
            nth=int(given["nth"]),
            until=given["until"],
        )
        return OpeningDraft(
            starts_on=given["starts_on"],
            rrule=patterns.recurrence(pattern),
            branch=given["branch"],
            opens_at=given["opens_at"],
            closes_at=given["closes_at"],
        )

    @staticmethod
    def values(opening: Opening, pattern: Pattern) -> dict[str, Any]:
        """What the form shows of an opening rule."""
        return {
            "branch": opening.branch_id,
            "every": pattern.every,
            "nth": pattern.nth,
            "weekdays": pattern.weekdays,
            "starts_on": opening.starts_on,
            "until": pattern.until,
            "opens_at": opening.opens_at,
            "closes_at": opening.closes_at,
        }


class ClosureForm(forms.Form):
    """From when to when it is closed all the same."""

    branch = branch_field()
    first_on = day_field(_("First closed day"))
    last_on = day_field(_("Last closed day"))
    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        required=False,
        help_text=_("The public sees it on the start page."),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse days that are the wrong way round."""
        given = super().clean() or {}
        if given.get("first_on") and given.get("last_on") and given["last_on"] < given["first_on"]:
            self.add_error("last_on", _("This is before the first day."))
        for name in ("first_on", "last_on"):
            if given.get(name) and not EARLIEST <= given[name] <= LATEST:
                self.add_error(name, _("Look at the year: this day is too far away."))
        return given

    def draft(self) -> ClosureDraft:
        """The closure that was typed."""
        names = ("first_on", "last_on", "branch", "reason")
        return ClosureDraft(**{name: self.cleaned_data[name] for name in names})

    @staticmethod
    def values(closure: Closure) -> dict[str, Any]:
        """What the form shows of a closure."""
        return {
            "branch": closure.branch_id,
            "first_on": closure.first_on,
            "last_on": closure.last_on,
            "reason": closure.reason,
        }


class TickedDaysForm(forms.Form):
    """Closures that were ticked on the page of the holidays, one text each: first/last/reason."""

    branch = branch_field()
    days = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        # What was offered is not kept anywhere: every text that can be read is a choice.
        ticked = data.getlist("days")[:200]
        self.fields["days"].choices = [(text, text) for text in ticked]  # type: ignore[attr-defined]

    def clean_days(self) -> tuple[tuple[date, date, str], ...]:
        """The spans of days with their reasons."""
        return tuple(_read_span(self.cleaned_data["days"]))

    def drafts(self) -> tuple[ClosureDraft, ...]:
        """The closures that were ticked."""
        branch = self.cleaned_data["branch"]
        return tuple(
            ClosureDraft(first_on=first, last_on=last, branch=branch, reason=reason)
            for first, last, reason in self.cleaned_data["days"]
        )


def _read_span(texts: Iterable[str]) -> Iterable[tuple[date, date, str]]:
    for text in texts:
        first, _slash, rest = text.partition("/")
        last, _slash, reason = rest.partition("/")
        try:
            span = date.fromisoformat(first), date.fromisoformat(last)
        except ValueError as error:
            raise ValidationError(_("These days cannot be read: tick them again.")) from error
        if not EARLIEST <= span[0] <= span[1] <= LATEST:
            raise ValidationError(_("These days cannot be read: tick them again."))
        yield *span, reason[:200]


class HolidaysForm(forms.Form):
    """Whose holidays: a region's, a school zone's, or those of a calendar file."""

    branch = branch_field()
    region = forms.ChoiceField(
        label=_("Public holidays of"), choices=[("", "–"), *proposals.REGIONS.items()], required=False
    )
    zone = forms.ChoiceField(
        label=_("French school holidays of zone"),
        choices=[("", "–"), *((zone, zone) for zone in proposals.SCHOOL_ZONES)],
        required=False,
    )
    file = forms.FileField(
        label=_("Calendar file (.ics)"),
        required=False,
        help_text=_(
            "School holidays of a Swiss canton: most cantons and communes offer them as a calendar file."
        ),
        widget=forms.FileInput({"accept": ".ics,text/calendar"}),
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a file that cannot be read, and a question about nothing."""
        given = super().clean() or {}
        self.left_out = 0
        if not (given.get("region") or given.get("zone") or given.get("file")) and not self.errors:
            raise ValidationError(_("Say whose holidays: choose a region or a zone, or a calendar file."))
        return given

    def clean_file(self) -> bytes:
        """The content of the file."""
        file = self.cleaned_data["file"]
        if not file:
            return b""
        content: bytes = file.read(proposals.LARGEST + 1)
        try:
            proposals.read_calendar_file(content, date.min)
        except proposals.NotACalendar as error:
            raise ValidationError(
                _("This is no calendar file that can be read (.ics, up to 1 MB).")
            ) from error
        return content

    def found(self, today: date, language: str) -> tuple[Holiday, ...]:
        """The holidays that are asked about, of the coming year and a half."""
        given = self.cleaned_data
        last_on = today + AHEAD
        found: set[Holiday] = set()
        if given["region"]:
            found.update(proposals.public_holidays(given["region"], today, last_on, language))
        if given["zone"]:
            found.update(proposals.school_holidays(given["zone"], today, last_on))
        if given["file"]:
            read = proposals.read_calendar_file(given["file"], today)
            found.update(read.holidays)
            self.left_out = read.left_out
        return tuple(sorted(found))
