"""The form of a rules text: what is said about it, and its words as the next revision."""

import dataclasses
from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from catalogue import merge
from catalogue.draft import RevisionDraft, RulesHead
from catalogue.forms.fields import LanguageField, TextField
from catalogue.models import RulesKind
from catalogue.rules import pasted
from catalogue.rules.pasted import Read
from catalogue.rules.render import to_html

LONGEST_BODY = 1_000_000
WEB = ("http://", "https://")


class Reading(models.TextChoices):
    """Which of the two a pasted plain text becomes."""

    HEADINGS = "headings", _("Save with these headings")
    TYPED = "typed", _("Save as typed")


class RulesForm(forms.Form):
    """The head of the text, its Markdown, and a word on what was corrected."""

    language = LanguageField(
        label=_("Language"),
        max_length=35,
        help_text=_("Code or name: fr, Deutsch, pt-BR."),
        error_messages={"required": _("Say in which language the text is: fr, en, es, de ...")},
    )
    kind = forms.ChoiceField(label=_("Kind"), choices=RulesKind.choices)
    title = forms.CharField(label=_("Title"), max_length=300, required=False)
    edition = forms.CharField(
        label=_("Edition"), max_length=300, required=False, help_text=_("Of which box these are the rules.")
    )
    source_name = forms.CharField(label=_("Source"), max_length=300, required=False)
    source_url = forms.CharField(label=_("Source address"), max_length=1000, required=False)
    licence = forms.CharField(label=_("Licence"), max_length=200, required=False)
    body = TextField(
        label=_("Text"),
        rows=24,
        required=True,
        max_length=LONGEST_BODY,
        help_text=_("A heading begins with ##, a list with a dash; **bold**, *italic*."),
        error_messages={"required": _("Type or paste the text of the rules.")},
    )
    comment = forms.CharField(label=_("What did you change, and why?"), max_length=1000, required=False)

    reading = forms.ChoiceField(choices=Reading.choices, required=False, widget=forms.HiddenInput)

    def __init__(
        self, seen: RulesHead, body: str = "", number: int = 0, data: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(data, initial=dataclasses.asdict(seen) | {"body": body})
        self.seen = seen
        self.seen_body = body
        self.seen_number = number

    @property
    def sealed(self) -> str:
        """What the page shows of the head, for its hidden field."""
        return merge.seal(self.seen)

    def clean_source_url(self) -> str:
        """The address becomes a link on public pages: only addresses of the web, nothing that runs."""
        address: str = self.cleaned_data["source_url"]
        if "source_url" in self.changed_data and address and not address.lower().startswith(WEB):
            raise ValidationError(_("Type the whole address, beginning with https://."))
        return address

    def clean_body(self) -> str:
        """Blanks alone are no rules."""
        body: str = self.cleaned_data["body"]
        if not body.strip():
            raise ValidationError(self.fields["body"].error_messages["required"], code="required")
        return body

    def head(self) -> RulesHead:
        """What shall be said about the text; what was not changed on the page stays as it is."""
        names = {f.name for f in dataclasses.fields(RulesHead)} & set(self.changed_data)
        return dataclasses.replace(self.seen, **{name: self.cleaned_data[name] for name in names})

    def revision(self, author: str) -> RevisionDraft | None:
        """The next state of the words; None where they were left alone."""
        if "body" not in self.changed_data:
            return None
        typed, comment = self.cleaned_data["body"], self.cleaned_data["comment"]
        if self.found and self.cleaned_data["reading"] == Reading.HEADINGS:
            return RevisionDraft(self.found.markdown, comment=comment, author=author, raw=typed)
        return RevisionDraft(typed, comment=comment, author=author)

    @cached_property
    def found(self) -> Read | None:
        """The headings that plain text seems to have; None where nothing is in doubt."""
        return pasted.read(self.cleaned_data["body"])

    @property
    def must_ask(self) -> bool:
        """Whether the librarian has yet to say if they are headings; of a text kept as typed, she has."""
        if "body" not in self.changed_data or self.cleaned_data["reading"] or self.found is None:
            return False
        return pasted.read(self.seen_body) is None

    @property
    def preview(self) -> SafeString:
        """The text as a reader would see it, with the headings that were found."""
        return to_html(self.found.markdown if self.found else self.cleaned_data["body"])

    def showing(self, head: RulesHead, body: str, comment: str) -> "RulesForm":
        """The same form with other values in its fields, not yet saved."""
        form = RulesForm(self.seen, self.seen_body, self.seen_number)
        form.initial = dataclasses.asdict(head) | {"body": body, "comment": comment}
        return form
