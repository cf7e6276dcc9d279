"""The forms of the policy table and of what it tells apart: one row, kinds of membership, categories."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from catalogue.models import Branch, Category
from loans import memberships, policies
from loans.memberships import KindDraft
from loans.models import MemberCategory, MembershipKind, PolicyRow, PolicyRule
from loans.models.policy import UNLIMITED
from loans.money_forms import AmountField
from loans.policies import PolicyDraft
from loans.policy_rules import RULES, Games, PolicyValue, ValueType, default_of, value_of
from loans.policy_words import CHOICES, SCOPE_REFUSED


class PolicyForm(forms.Form):
    """One row: for whom, for what, and the value that the rule takes."""

    branch = forms.ModelChoiceField(
        Branch.objects.all(), label=_("Branch"), required=False, empty_label=_("every branch")
    )
    member_category = forms.ModelChoiceField(
        MemberCategory.objects.all(), label=_("Members"), required=False, empty_label=_("all members")
    )
    game_category = forms.ModelChoiceField(
        Category.objects.all(), label=_("Category of games"), required=False, empty_label=_("all games")
    )
    class_prefix = forms.CharField(
        label=_("Or a class"),
        max_length=20,
        required=False,
        help_text=_("How the codes of its categories begin: A, or A 4."),
        widget=forms.TextInput({"size": 8, "autocomplete": "off"}),
    )

    def __init__(
        self, rule: PolicyRule, row: PolicyRow | None = None, data: Mapping[str, Any] | None = None
    ) -> None:
        self.rule = rule
        super().__init__(data, initial=_as_typed(rule, row))
        if RULES[rule].games == Games.NEVER:
            del self.fields["game_category"], self.fields["class_prefix"]
        self.fields["value"] = _value_field(rule)

    def clean_class_prefix(self) -> str:
        """Refuse what is no beginning of a code."""
        typed: str = self.cleaned_data["class_prefix"]
        try:
            return policies.read_class(typed) if typed else ""
        except policies.NotAClass as error:
            raise ValidationError(
                _("“%(typed)s” is no class: type one to three letters, then digits if you like, as in A 4."),
                params={"typed": typed},
            ) from error

    def clean(self) -> dict[str, Any]:
        """Refuse two kinds of games at once, and none where the rule needs one."""
        given = super().clean() or {}
        category, prefix = given.get("game_category"), given.get("class_prefix")
        if category and prefix:
            self.add_error("class_prefix", _("Choose a category or a class, not both."))
        elif RULES[self.rule].games == Games.MUST and not (category or prefix or self.errors):
            self.add_error("game_category", SCOPE_REFUSED[Games.MUST])
        return given

    def draft(self) -> PolicyDraft:
        """What was typed, with the value in the type of the rule."""
        given = self.cleaned_data
        return PolicyDraft(
            rule=self.rule,
            value=_typed_value(self.rule, given["value"]),
            branch=given["branch"],
            member_category=given["member_category"],
            game_category=given.get("game_category"),
            class_prefix=given.get("class_prefix", ""),
        )

    @property
    def fingerprint(self) -> str:
        """Names what was typed: a consent to it is no consent to something else."""
        given = self.cleaned_data
        return "|".join(str(getattr(given[name], "pk", given[name])) for name in sorted(given))


def _as_typed(rule: PolicyRule, row: PolicyRow | None) -> dict[str, Any]:
    if row is None:
        return {"value": _choice(default_of(rule))}
    scope = {name: getattr(row, name) for name in ("branch", "member_category", "game_category")}
    return scope | {"class_prefix": row.class_prefix, "value": _choice(value_of(row))}


def _choice(value: PolicyValue) -> Any:
    return ("yes" if value else "no") if isinstance(value, bool) else value


def _value_field(rule: PolicyRule) -> forms.Field:
    spec = RULES[rule]
    may_be_empty = rule in UNLIMITED
    options: dict[str, Any] = {"label": _("Value"), "required": not may_be_empty}
    if may_be_empty:
        options["help_text"] = _("Empty: no limit.")
    match spec.value:
        case ValueType.YES_NO:
            return forms.ChoiceField(choices=[("yes", _("yes")), ("no", _("no"))], **options)
        case ValueType.CHOICE:
            words = [(str(word), CHOICES[word]) for word in spec.words or ()]
            return forms.ChoiceField(choices=words, **options)
        case ValueType.CENTS:
            return AmountField(**options)
    return forms.IntegerField(min_value=0, max_value=spec.most, **options)


def _typed_value(rule: PolicyRule, given: Any) -> PolicyValue:
    spec = RULES[rule]
    if spec.words is not None:
        return spec.words(given)
    if spec.value == ValueType.YES_NO:
        return bool(given == "yes")
    value: PolicyValue = given
    return value


class ExplainForm(forms.Form):
    """A member and a box: what would apply?"""

    card = forms.CharField(label=_("Card or name of the member"), max_length=200)
    box = forms.CharField(
        label=_("Barcode or title of the game"),
        max_length=200,
        required=False,
        help_text=_("Empty: what holds whatever the game."),
    )


class KindForm(forms.Form):
    """A kind of membership."""

    name = forms.CharField(label=_("Name"), max_length=100)
    fee_cents = AmountField(label=_("Fee"))
    months = forms.IntegerField(
        label=_("Runs for so many months"), min_value=1, max_value=120, required=False
    )
    ends_day = forms.IntegerField(
        label=_("Or ends every year on day"), min_value=1, max_value=31, required=False
    )
    ends_month = forms.IntegerField(label=_("of month"), min_value=1, max_value=12, required=False)
    for_household = forms.BooleanField(label=_("For the whole household"), required=False)
    on_sale = forms.BooleanField(label=_("On sale"), required=False)

    def __init__(self, kind: MembershipKind | None = None, data: Mapping[str, Any] | None = None) -> None:
        new = {"for_household": True, "on_sale": True, "months": 12}
        kept = {name: getattr(kind, name) for name in KindDraft.__dataclass_fields__} if kind else new
        super().__init__(data, initial=kept)

    def clean(self) -> dict[str, Any]:
        """Refuse what is neither rolling nor fixed."""
        given = super().clean() or {}
        if not self.errors:
            try:
                memberships.check_kind(KindDraft(**given))
            except ValueError as error:
                text = _("Type either the months, or the day and month of the year on which it ends.")
                raise ValidationError(text) from error
        return given

    def draft(self) -> KindDraft:
        """What was typed."""
        return KindDraft(**self.cleaned_data)


class CategoryForm(forms.Form):
    """The name of a category of members."""

    name = forms.CharField(label=_("Name"), max_length=100)
