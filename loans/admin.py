"""The lending tables in Django's admin: loans and the journal, to look at.

They are never changed here: the desk is the place for that. Members, policies and opening days have pages of
their own.
"""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest

from loans.models import DeskEvent, Loan

if TYPE_CHECKING:
    Admin = admin.ModelAdmin[Any]
else:
    Admin = admin.ModelAdmin


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
