"""The forms of questions to the librarians: what a reader asks, what is answered, why it is set aside.

A game is named in words or by its label: one that is sure is taken, several are offered, and nothing that was
typed is lost on the way. Forms read and complain; `catalogue.questions` writes.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

from catalogue import questions
from catalogue.forms.fields import LanguageField, TextField
from catalogue.languages import name as language_name
from catalogue.models import AsideReason, AskedQuestion, Game, RulesText
from catalogue.questions import AnswerDraft
from catalogue.rules import sections
from catalogue.text import fold, name_key, one_line
from search import shelf
from search.find import PassageHit, find_games
from search.games import GameFilters
from search.wordlists import LANGUAGES

LONGEST_TITLE = 200
OFFERED = 6
RULES_ADDRESS = re.compile(
    r"/rules/(?P<text>\d{1,15})/(?:revisions/\d+/)?(?:\?[^#]*)?#(?P<anchor>[^\s#]{1,100})$"
)
NO_CITATION = ""


class GameForm(forms.Form):
    """Names a game: `offered` are those to choose from, `chosen` is the one that was, or None.

    `offered_for` tells a second try from a first: who then chooses none of the games means none of them.
    """

    title = forms.CharField(
        label=_("Game"),
        max_length=LONGEST_TITLE,
        required=False,
        help_text=_("Its title, or the number on the box."),
    )
    game = forms.ModelChoiceField(Game.objects.all(), required=False, widget=forms.HiddenInput)
    offered_for = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, data: Mapping[str, Any] | None = None, *, about: Game | None = None, **more: Any
    ) -> None:
        super().__init__(data, label_suffix="", **more)
        self.offered: list[Game] = [about] if about else []
        self.chosen = about
        if about:
            self.fields["title"].label = _("Another game")

    def clean(self) -> dict[str, Any]:
        """The game, if it is sure which one is meant."""
        typed, picked = one_line(self.cleaned_data.get("title", "")), self.cleaned_data.get("game")
        if not typed:
            self.chosen = picked
            self.offered = [picked] if picked else []
            return self.cleaned_data
        found = find_games(typed, GameFilters(), limit=OFFERED)
        self.offered = list(found.games)
        named = [g for g in found.games if found.is_scanned or _is_called(g, typed)]
        means_none = self.cleaned_data.get("offered_for") == typed and self.data.get("game") == ""
        self.chosen = picked if picked in self.offered else None
        if self.chosen or means_none:
            return self.cleaned_data
        if len(named) == 1:
            self.chosen = named[0]
        elif self.offered:
            self.add_error("title", _("Which of these games do you mean?"))
        else:
            self.add_error("title", _("We have no game of this name. Correct it, or leave it empty."))
        return self.cleaned_data

    @property
    def is_settled(self) -> bool:
        """Whether a game is chosen, and nothing else was typed in its place."""
        return self.chosen is not None and not self["title"].value()


def _is_called(game: Game, typed: str) -> bool:
    titles = [game.title, *(a.title for a in game.alternative_titles.all())]
    return name_key(typed) in map(name_key, titles)


class AskForm(GameForm):
    """A reader's question."""

    text = forms.CharField(
        label=_("Your question"),
        max_length=questions.LONGEST_QUESTION,
        widget=forms.Textarea({"rows": 3}),
        error_messages={"required": _("Type your question.")},
    )
    language = forms.ChoiceField(label=_("Language of the answer"))
    contact = forms.CharField(
        label=_("E-mail, or the number of your card (optional)"),
        max_length=254,
        required=False,
        widget=forms.TextInput({"autocomplete": "email"}),
    )
    # No person sees this field: whoever fills it in is a program.
    website = forms.CharField(required=False)

    def __init__(self, data: Mapping[str, Any] | None = None, **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["language"].choices = _languages()  # type: ignore[attr-defined]

    def clean_text(self) -> str:
        """Marks alone are no question."""
        text = one_line(self.cleaned_data["text"])
        if not any(c.isalnum() for c in text):
            raise ValidationError(self.fields["text"].error_messages["required"], code="required")
        return text

    def clean_contact(self) -> str:
        """An address can be written to, or it is a number."""
        contact = one_line(self.cleaned_data["contact"])
        if "@" in contact:
            validate_email(contact)
        elif contact and not (any(c.isdigit() for c in contact) and len(contact) <= 64):
            raise ValidationError(_("Type an e-mail address or the number of your card, or leave it empty."))
        return contact

    def clean(self) -> dict[str, Any]:
        """A person whose browser has filled in what nobody sees only has to send the form again."""
        super().clean()
        if self.cleaned_data.get("website"):
            self.add_error(None, _("Nothing is lost: please send it once more."))
        return self.cleaned_data


def _languages() -> list[tuple[str, str]]:
    """The languages we search in, and those that the library has texts or games in."""
    known = dict(shelf.languages()) | {tag: language_name(tag) for tag in LANGUAGES}
    return sorted(known.items(), key=lambda pair: fold(pair[1]))


class AnswerForm(GameForm):
    """A librarian's answer. `nearest` are the passages that may be cited by a click."""

    wording = forms.CharField(
        label=_("The question as it shall be read"),
        max_length=questions.LONGEST_QUESTION,
        widget=forms.Textarea({"rows": 2}),
        error_messages={"required": _("Type the question.")},
    )
    text = TextField(
        label=_("Answer"),
        rows=8,
        required=True,
        max_length=questions.LONGEST_ANSWER,
        help_text=_("A list begins with a dash; **bold**, *italic*."),
        error_messages={"required": _("Type the answer.")},
    )
    language = LanguageField(
        label=_("Language of the answer"),
        max_length=35,
        help_text=_("Code or name: fr, Deutsch, pt-BR."),
        error_messages={"required": _("Say in which language the answer is: fr, en, es, de ...")},
    )
    cite = forms.ChoiceField(label=_("The rule that says it"), required=False, widget=forms.RadioSelect)
    cite_address = forms.CharField(
        label=_("Another rule: its address"),
        max_length=1000,
        required=False,
        help_text=_("Open the rules at the heading and copy the address of the page."),
    )
    is_published = forms.BooleanField(label=_("Publish as an entry of the game's FAQ"), required=False)

    def __init__(
        self,
        question: AskedQuestion,
        data: Mapping[str, Any] | None = None,
        *,
        nearest: Sequence[PassageHit] = (),
        **more: Any,
    ) -> None:
        super().__init__(data, **more)
        self.question = question
        choices = [(f"{hit.text_id}#{hit.anchor}", " › ".join(hit.path)) for hit in nearest]
        self.fields["cite"].choices = [(NO_CITATION, _("none")), *choices]  # type: ignore[attr-defined]
        if question.game_id:
            del self.fields["title"]

    def clean_text(self) -> str:
        """Blanks alone are no answer."""
        text: str = self.cleaned_data["text"]
        if not text.strip():
            raise ValidationError(self.fields["text"].error_messages["required"], code="required")
        return text

    def clean_cite_address(self) -> str:
        """The address of a section that stands in a text of ours, as `text#anchor`."""
        address = one_line(self.cleaned_data["cite_address"])
        if not address:
            return ""
        found = RULES_ADDRESS.search(address)
        text = RulesText.objects.filter(pk=int(found["text"])).first() if found else None
        current = text.current if text else None
        known = {s.anchor for s in sections.parse(current.body)} if current else set()
        if not found or found["anchor"] not in known:
            raise ValidationError(_("This is not the address of a heading in our rules texts."))
        return f"{found['text']}#{found['anchor']}"

    def clean(self) -> dict[str, Any]:
        """An answer is published in the FAQ of a game."""
        super().clean()
        is_lost = self.cleaned_data.get("is_published") and not (self.question.game_id or self.chosen)
        if is_lost and "title" not in self.errors:
            self.add_error("title", _("Say of which game, or do not publish the answer."))
        return self.cleaned_data

    def draft(self) -> AnswerDraft:
        """What shall be answered."""
        given = self.cleaned_data
        text, _hash, anchor = (given["cite_address"] or given["cite"]).partition("#")
        return AnswerDraft(
            wording=one_line(given["wording"]),
            text=given["text"],
            language=given["language"],
            cited_text_id=int(text) if text else None,
            cited_anchor=anchor,
            is_published=given["is_published"],
        )


class AsideForm(forms.Form):
    """Why a question is set aside, and which other one answers it."""

    reason = forms.ChoiceField(label=_("Why"), choices=AsideReason.choices, widget=forms.RadioSelect)
    same_as = forms.ModelChoiceField(
        AskedQuestion.objects.none(), label=_("The same as"), required=False, empty_label=_("none of these")
    )

    def __init__(self, question: AskedQuestion, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data, label_suffix="", initial={"reason": AsideReason.DUPLICATE})
        others = AskedQuestion.objects.filter(game=question.game).exclude(pk=question.pk)
        self.fields["same_as"].queryset = others.exclude(state="set_aside")  # type: ignore[attr-defined]
