"""The form of members' cards: whose, and on which paper."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from catalogue import barcodes
from catalogue.forms.labels import PaperForm
from catalogue.text import one_line
from loans.models import Member, MemberCategory

CARD_PAPER = "C32011"
MOST = 500
LONGEST_CARD = 64


class Whose(TextChoices):
    """How members are chosen."""

    LISTED = "listed", _("the cards of this list")
    CATEGORY = "category", _("all members of a category")
    NEWER = "newer", _("the members registered after this card")


class CardsForm(PaperForm):
    """Cards to print; `members` are those they are for."""

    whose = forms.ChoiceField(
        label=_("For whom"), choices=Whose.choices, widget=forms.RadioSelect, initial=Whose.LISTED
    )
    codes = forms.CharField(
        label=_("Card numbers, one a line"),
        required=False,
        max_length=(LONGEST_CARD + 1) * MOST,
        widget=forms.Textarea({"rows": 4, "autofocus": True, "autocomplete": "off"}),
    )
    category = forms.ModelChoiceField(MemberCategory.objects.all(), label=_("Category"), required=False)
    after = forms.CharField(label=_("Registered after the card"), required=False, max_length=LONGEST_CARD)
    field_order = ("whose", "codes", "category", "after", "sheet", "start", "offset_x", "offset_y")

    def clean(self) -> dict[str, Any]:
        """Look the members up; say whose card is not there."""
        values = super().clean()
        choose = {
            Whose.LISTED: self._listed,
            Whose.CATEGORY: self._of_category,
            Whose.NEWER: self._newer,
        }.get(values.get("whose", ""))
        self.members = choose(values) if choose and not self.errors else ()
        if len(self.members) > MOST:
            raise ValidationError(_("Print at most %(most)s cards at once."), params={"most": MOST})
        return values

    def _listed(self, values: dict[str, Any]) -> tuple[Member, ...]:
        typed = filter(None, (one_line(line) for line in values.get("codes", "").splitlines()))
        cards = {line: barcodes.label_candidates(line) for line in dict.fromkeys(typed)}
        rows = {
            m.card_number: m
            for m in _people().filter(card_number__in={c for cs in cards.values() for c in cs})
        }
        found = {line: next((rows[c] for c in options if c in rows), None) for line, options in cards.items()}
        if strange := [line for line, member in found.items() if member is None]:
            words = _("On no member: %(codes)s")
            self.add_error("codes", ValidationError(words, params={"codes": ", ".join(strange)}))
        elif not found:
            self.add_error("codes", _("Type or scan at least one card."))
        return tuple(dict.fromkeys(member for member in found.values() if member))

    def _of_category(self, values: dict[str, Any]) -> tuple[Member, ...]:
        if not values.get("category"):
            self.add_error("category", _("Choose a category."))
            return ()
        found = tuple(_people().filter(category=values["category"])[: MOST + 1])
        if not found:
            self.add_error("category", _("No member is of this category."))
        return found

    def _newer(self, values: dict[str, Any]) -> tuple[Member, ...]:
        labels = barcodes.label_candidates(values.get("after", ""))
        last = Member.objects.filter(card_number__in=labels).first()
        if last is None:
            self.add_error("after", _("Scan the card of a member."))
            return ()
        found = tuple(_people().filter(pk__gt=last.pk).order_by("pk")[: MOST + 1])
        if not found:
            self.add_error("after", _("No member was registered after this one."))
        return found


def _people() -> Any:
    return Member.objects.filter(erased_at=None, games_day=None)
