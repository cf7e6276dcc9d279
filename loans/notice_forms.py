"""The forms of notices: the words of a part, and the days on which what is told."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from loans.models import NoticePlan, Window
from loans.telling import texts
from loans.telling.placeholders import Mistake

LONGEST_WAIT_DAYS = 365


def _days(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=LONGEST_WAIT_DAYS)


class TextForm(forms.Form):
    """The words of a part of a letter; a placeholder that nobody would fill in is refused by its place."""

    subject = forms.CharField(label=gettext_lazy("Subject"), max_length=200)
    body = forms.CharField(label=gettext_lazy("Text"), widget=forms.Textarea(attrs={"rows": 12}))

    def __init__(self, *args: Any, part: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.part = part
        if not texts.has_subject(part):
            del self.fields["subject"]

    def typed(self) -> dict[str, str]:
        """What was typed and can be read; a part without a subject has an empty one."""
        return {name: self.cleaned_data.get(name, "") for name in ("subject", "body")}

    def clean_subject(self) -> str:
        """The subject, or what cannot be filled in."""
        return self._checked("subject")

    def clean_body(self) -> str:
        """The text, or what cannot be filled in."""
        return self._checked("body")

    def _checked(self, name: str) -> str:
        text = str(self.cleaned_data[name]).replace("\r\n", "\n")
        if wrong := texts.mistakes_in(self.part, text):
            raise forms.ValidationError([_told(mistake, self.part) for mistake in wrong])
        return text


def _told(mistake: Mistake, part: str) -> str:
    """What is wrong, where, and what to write instead."""
    values = {
        "line": mistake.line,
        "column": mistake.column,
        "name": f"${mistake.name}",
        "meant": f"${mistake.meant}",
        "known": "$" + ", $".join(texts.KNOWN[part]),
    }
    if not mistake.name:
        return _("Line %(line)s, column %(column)s: a $ alone means nothing. Write $$ for the sign.") % values
    if mistake.meant:
        words = _("Line %(line)s, column %(column)s: there is no %(name)s here. Do you mean %(meant)s?")
        return words % values
    words = _("Line %(line)s, column %(column)s: there is no %(name)s here. There is: %(known)s.")
    return words % values


class PlanForm(forms.Form):
    """When what is told."""

    due_soon_days = _days(gettext_lazy("Days before the due date"))
    late_1_days = _days(gettext_lazy("First reminder, days late"))
    late_2_days = _days(gettext_lazy("Second reminder, days late"))
    late_3_days = _days(gettext_lazy("Third reminder, days late"))
    membership_days = _days(gettext_lazy("Days before a membership ends"))
    window = forms.ChoiceField(label=gettext_lazy("Window of the envelopes"), choices=Window.choices)

    def clean(self) -> dict[str, Any]:
        """Reminders follow one another."""
        values = super().clean() or self.cleaned_data
        stages = [values.get(f"late_{stage}_days") for stage in (1, 2, 3)]
        days = [stage for stage in stages if stage is not None]
        if len(days) == len(stages) and not 0 < days[0] < days[1] < days[2]:
            raise forms.ValidationError(
                _(
                    "The reminders follow one another: the first after a day or more, each later than "
                    "the one before."
                )
            )
        return values

    def plan(self) -> NoticePlan:
        """What was said, as a row that is not saved yet."""
        return NoticePlan(**self.cleaned_data)
