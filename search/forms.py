"""The search form: what a query string asks for, as plain values.

A filter that cannot be read never loses the question: it is left out, and the form says which one.
"""

from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from catalogue.languages import name as language_name
from catalogue.models import Category
from search import shelf
from search.games import GameFilters

LONGEST_QUESTION = 400
LAST_PAGE = 10_000
FILTERS = ("players", "age", "minutes", "language", "category", "available")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. `game_id` and `language` narrow the rules, `filters` the games; pages count from 1.

    `is_exact`: the words are meant as typed, misspelt or not.
    """

    text: str
    game_id: int | None
    language: str | None
    filters: GameFilters
    page: int
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """A filter that is set, in words, and the query string of the same search without it."""

    words: str
    without: str


class SearchForm(forms.Form):
    """One box and its filters; every state of it is an address."""

    q = forms.CharField(label=_("A question about the rules, or a game"), required=False, strip=True)
    players = forms.IntegerField(label=_("Players"), required=False, min_value=1, max_value=99)
    age = forms.IntegerField(label=_("Age (years)"), required=False, min_value=0, max_value=120)
    minutes = forms.IntegerField(label=_("Minutes at most"), required=False, min_value=1, max_value=1440)
    language = forms.ChoiceField(label=_("Language"), required=False)
    category = forms.ModelChoiceField(
        Category.objects.none(),
        to_field_name="key",
        label=_("Category"),
        required=False,
        empty_label=_("any"),
    )
    available = forms.BooleanField(label=_("Available now"), required=False)
    game = forms.IntegerField(required=False, min_value=1, max_value=2**62, widget=forms.HiddenInput)
    exact = forms.BooleanField(required=False, widget=forms.HiddenInput)
    page = forms.IntegerField(required=False, min_value=1, max_value=LAST_PAGE, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.label_suffix = ""
        self.fields["language"].choices = [("", _("any")), *shelf.languages()]  # type: ignore[attr-defined]
        self.fields["category"].queryset = shelf.categories()  # type: ignore[attr-defined]
        for name, mode in (("players", "numeric"), ("age", "numeric"), ("minutes", "numeric")):
            self.fields[name].widget.attrs["inputmode"] = mode

    def chosen(self) -> list[Chosen]:
        """The filters that are set and could be read."""
        self.is_valid()
        return [
            Chosen(self._words(name, value), self._without(name))
            for name in FILTERS
            if (value := self.cleaned_data.get(name)) not in (None, "", False)
        ]

    def _words(self, name: str, value: Any) -> str:
        label = str(self.fields[name].label)
        if value is True:
            return label
        if name == "language":
            value = language_name(value)
        return gettext("%(filter)s: %(value)s") % {"filter": label, "value": value}

    def _without(self, name: str) -> str:
        rest = QueryDict(mutable=True)
        rest.update({key: self.data[key] for key in self.data if key not in (name, "page")})
        # The start page has no query string; a search for everything keeps an empty question.
        rest.setdefault("q", "")
        return rest.urlencode()

    def literally(self) -> str:
        """The query string of the same search with every word as it was typed."""
        same = QueryDict(mutable=True)
        same.update({key: self.data[key] for key in self.data if key != "page"})
        same["exact"] = "1"
        return same.urlencode()

    def asked(self) -> Asked:
        """What can be read of the question."""
        self.is_valid()
        given = self.cleaned_data
        category = given.get("category")
        language = given.get("language", "")
        return Asked(
            text=given.get("q", "")[:LONGEST_QUESTION],
            game_id=given.get("game"),
            language=language or None,
            filters=GameFilters(
                players=given.get("players"),
                age_years=given.get("age"),
                minutes=given.get("minutes"),
                language=language,
                available=bool(given.get("available")),
                category=(category.code or category.label) if category else "",
            ),
            page=given.get("page") or 1,
            is_exact=bool(given.get("exact")),
        )
