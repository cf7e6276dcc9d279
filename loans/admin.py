"""The lending tables in Django's admin: members and policies through their writer.

Loans and the journal are shown and never changed here: the desk is the place for that. Opening days and
closures have pages of their own (`calendar_views`), where a change shows what it moves.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from loans import members
from loans.models import DeskEvent, Loan, LoanPolicy, Member

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
    Form = forms.ModelForm[Any]
else:
    Admin, Form = admin.ModelAdmin, forms.ModelForm


class ByWriter(Admin):
    """An admin whose rows are written by the functions of `members` alone."""

    draft: type[Any]

    def write(self, row: Any, draft: Any) -> Model:
        """Make the row say what the draft says; a row without a key is new."""
        raise NotImplementedError

    def remove(self, row: Any) -> None:
        """Remove the row, or raise what stands in the way."""
        raise NotImplementedError

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:  # noqa: ARG002, FBT001
        """Hand what was typed to the writer."""
        names = self.draft.__dataclass_fields__
        written = self.write(obj, self.draft(**{name: getattr(obj, name) for name in names}))
        obj.pk = written.pk
        obj.refresh_from_db()

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Hand the removal to the writer, and say why it cannot be."""
        try:
            self.remove(obj)
        except members.NeedsDefault:
            messages.error(request, _("This is the default policy: make another one the default first."))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Several at once are removed one by one, by the same door."""
        for row in queryset:
            self.delete_model(request, row)


@admin.register(Member)
class MemberAdmin(ByWriter):
    """Members. Who has borrowed is blocked, not removed; Django's own check says so."""

    draft = members.MemberDraft
    list_display = ("card_number", "last_name", "first_name", "membership_ends_on", "block_reason")
    search_fields = ("card_number", "first_name", "last_name", "name_key", "email")
    autocomplete_fields = ("user",)

    def write(self, row: Any, draft: Any) -> Model:
        return members.update_member(row, draft) if row.pk else members.add_member(draft)

    def remove(self, row: Any) -> None:
        members.delete_member(row)


class PolicyForm(Form):
    """A policy; the default cannot be taken off, only handed on."""

    def _get_validation_exclusions(self) -> set[str]:
        """A new default takes the old one's place: that there is one already is nothing to complain of."""
        excluded: set[str] = super()._get_validation_exclusions()  # type: ignore[misc]  # not in the stubs
        return excluded | {"is_default"}

    def clean_is_default(self) -> bool:
        """Refuse what the writer would refuse, beside the field."""
        wanted: bool = self.cleaned_data["is_default"]
        if self.instance.pk and self.initial.get("is_default") and not wanted:
            raise ValidationError(_("Make another policy the default; this one then ceases to be."))
        return wanted


@admin.register(LoanPolicy)
class LoanPolicyAdmin(ByWriter):
    """How long and how much; exactly one is the default."""

    draft = members.PolicyDraft
    form = PolicyForm
    list_display = ("name", "loan_days", "max_loans", "max_renewals", "lends_while_late", "is_default")

    def write(self, row: Any, draft: Any) -> Model:
        return members.save_policy(row if row.pk else None, draft)

    def remove(self, row: Any) -> None:
        members.delete_policy(row)


class ShownOnly(Admin):
    """Rows to look at."""

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        return False


@admin.register(Loan)
class LoanAdmin(ShownOnly):
    """Loans, open and closed."""

    list_display = ("copy", "member", "lent_on", "due_on", "returned_at", "renewals", "voided")
    list_select_related = ("copy", "member")
    search_fields = ("copy__barcode", "member__card_number", "member__name_key")


@admin.register(DeskEvent)
class DeskEventAdmin(ShownOnly):
    """The desk's journal."""

    list_display = ("at", "action", "tried", "copy", "member", "by", "waive_reason")
    list_select_related = ("copy", "member", "by")
    search_fields = ("copy__barcode", "member__card_number", "scanned")
