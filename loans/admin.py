"""The lending tables in Django's admin: opening days through their writer.

Loans and the journal are shown and never changed here: the desk is the place for that. Members and
policies have pages of their own.
"""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from loans import members
from loans.models import Closure, DeskEvent, Loan, Opening

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

    def delete_model(self, request: HttpRequest, obj: Any) -> None:  # noqa: ARG002 - Django's signature
        """Hand the removal to the writer."""
        self.remove(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """Several at once are removed one by one, by the same door."""
        for row in queryset:
            self.delete_model(request, row)


class OpeningForm(Form):
    """A recurrence that can be read."""

    def clean(self) -> dict[str, Any] | None:
        """Refuse a recurrence without a day, and show one that has some."""
        given = super().clean() or {}
        if given.get("starts_on") and given.get("rrule"):
            try:
                members.check_recurrence(given["starts_on"], given["rrule"])
            except members.NotARecurrence as error:
                text = _("Not a recurrence of days (%(why)s). For example: FREQ=WEEKLY;BYDAY=WE,SA")
                raise ValidationError({"rrule": text % {"why": error}}) from error
        return given


@admin.register(Opening)
class OpeningAdmin(ByWriter):
    """Days on which a branch is open."""

    draft = members.OpeningDraft
    form = OpeningForm
    list_display = ("rrule", "branch", "starts_on", "opens_at", "closes_at")

    def write(self, row: Any, draft: Any) -> Model:
        return members.save_opening(row if row.pk else None, draft)

    def remove(self, row: Any) -> None:
        members.delete_day_rule(row)


@admin.register(Closure)
class ClosureAdmin(ByWriter):
    """Days on which a branch is closed all the same."""

    draft = members.ClosureDraft
    list_display = ("first_on", "last_on", "branch", "reason")

    def write(self, row: Any, draft: Any) -> Model:
        return members.save_closure(row if row.pk else None, draft)

    def remove(self, row: Any) -> None:
        members.delete_day_rule(row)


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
