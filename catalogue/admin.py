"""Django's admin for the catalogue: a second door to the same writers.

Nothing here saves a row: `save_model` and `delete_model` hand drafts to `catalogue.records`, related rows
come with the draft, and bulk deletion goes one by one. Names that records share can be renamed, no more.
"""

import dataclasses
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from catalogue import records, rows
from catalogue.doubts import text_of
from catalogue.draft import GameDraft, RevisionDraft, RulesHead
from catalogue.forms.fields import ItemsField, LanguageField, LanguagesField, ProductCodesField
from catalogue.guard import EDIT, author_name
from catalogue.models import (
    Branch,
    Category,
    Copy,
    Document,
    Flag,
    Game,
    Keyword,
    Person,
    Publisher,
    RulesText,
    Section,
    SourceRecord,
)
from catalogue.text import name_key

if TYPE_CHECKING:  # generic for the type checker, plain classes at run time
    ModelAdmin = admin.ModelAdmin[Any]
    ModelForm = forms.ModelForm[Any]
else:
    ModelAdmin, ModelForm = admin.ModelAdmin, forms.ModelForm


class CatalogueAdmin(ModelAdmin):
    """Open to those who may edit the catalogue; what the writers refuse becomes a message."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """One permission for all of the catalogue."""
        return request.user.has_perm(EDIT)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """As above."""
        return request.user.has_perm(EDIT)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """As above."""
        return request.user.has_perm(EDIT)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """As above."""
        return request.user.has_perm(EDIT)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """As above."""
        return request.user.has_perm(EDIT)

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        """A box that took the barcode, or a name, in the very moment: say so instead of failing."""
        try:
            return super().changeform_view(request, *args, **options)
        except (records.BarcodeTaken, records.NameTaken) as taken:
            self.message_user(request, _("“%(name)s” is taken already.") % {"name": taken}, messages.ERROR)
            return redirect(request.get_full_path())

    def delete_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """A row that came into use in the very moment stays."""
        try:
            return super().delete_view(request, *args, **options)
        except records.InUse as used:
            self.message_user(request, _("“%(name)s” is in use and stays.") % {"name": used}, messages.ERROR)
            return redirect(request.get_full_path())

    def get_deleted_objects(self, objs: Any, request: Any) -> Any:
        """What goes with a row needs no permission of its own: there is one for all of the catalogue."""
        to_delete, counts, _needed, protected = super().get_deleted_objects(objs, request)
        return to_delete, counts, set(), protected

    def save_related(self, request: Any, form: Any, formsets: Any, change: Any) -> None:
        """Related rows have come with the draft."""

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """One by one through the writer."""
        for row in queryset:
            self.delete_model(request, row)


class ReadOnlyAdmin(CatalogueAdmin):
    """Rows to look at."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """No."""
        return False


# --- games -------------------------------------------------------------------------------------


class GameAdminForm(ModelForm):
    """The columns of a game, and its lists one entry a line."""

    alternative_titles = ItemsField(label=_("Other titles"), longest=500)
    identifiers = ProductCodesField(label=_("EAN, ISBN, UPC"))
    languages = LanguagesField(label=_("Languages"))
    categories = ItemsField(label=_("Categories"), longest=200)
    keywords = ItemsField(label=_("Keywords"), longest=200, by_line=False)

    class Meta:
        model = Game
        fields = rows.COLUMNS

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk:
            said = records.describe(self.instance)
            self.initial.update({name: getattr(said, name) for name in self.fields})

    def draft(self, seen: GameDraft) -> GameDraft:
        """`seen` with what was changed in the form."""
        return dataclasses.replace(seen, **{name: self.cleaned_data[name] for name in self.changed_data})


@admin.register(Game)
class GameAdmin(CatalogueAdmin):
    """Games. People and publishers are edited on the catalogue's own page."""

    form = GameAdminForm
    list_display = ("title", "year", "players_min", "players_max", "updated_at")
    search_fields = ("title", "title_key", "copies__barcode", "identifiers__printed")
    readonly_fields = ("people", "own_page")

    @admin.display(description=_("People"))
    def people(self, game: Game) -> str:
        """Everyone named on the record."""
        return ", ".join(str(c) for c in game.contributors.select_related("person")) if game.pk else ""

    @admin.display(description=_("Full form"))
    def own_page(self, game: Game) -> SafeString | str:
        """The staff's page of the record."""
        if not game.pk:
            return ""
        return format_html('<a href="{0}">{0}</a>', reverse("catalogue:game-edit", args=[game.pk]))

    def save_model(self, request: Any, obj: Game, form: Any, change: Any) -> None:  # noqa: ARG002
        """Through the writer."""
        if change:
            stored = Game.objects.get(pk=obj.pk)
            records.update_game(stored, form.draft(records.describe(stored)))
        else:
            obj.pk = records.create_game(form.draft(GameDraft(title=""))).pk

    def delete_model(self, request: HttpRequest, obj: Game) -> None:  # noqa: ARG002
        """Through the writer."""
        records.delete_game(obj)


# --- copies ------------------------------------------------------------------------------------


@admin.register(Copy)
class CopyAdmin(CatalogueAdmin):
    """Boxes."""

    fields = ("game", "barcode", "call_number", "section", "branch", "condition", "note")
    list_display = ("barcode", "game", "call_number", "section", "branch", "condition")
    list_filter = ("condition", "branch")
    list_select_related = ("game", "section", "branch")
    search_fields = ("barcode", "call_number", "game__title")
    autocomplete_fields = ("game",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        """A box stays with its game: its loans tell of that game."""
        return ("game",) if obj else ()

    def save_model(self, request: Any, obj: Copy, form: Any, change: Any) -> None:  # noqa: ARG002
        """Through the writer."""
        draft = records.describe_copy(obj)
        if change:
            records.update_copy(obj, draft)
        else:
            obj.pk = records.add_copy(obj.game, draft).pk

    def delete_model(self, request: HttpRequest, obj: Copy) -> None:  # noqa: ARG002
        """Through the writer."""
        records.delete_copy(obj)


# --- rules texts -------------------------------------------------------------------------------


class RulesAdminForm(ModelForm):
    """What is said about a text, and its words as the next revision."""

    language = LanguageField(label=_("Language"), max_length=35)
    body = forms.CharField(label=_("Text"), strip=False, widget=forms.Textarea({"rows": 30, "cols": 100}))
    comment = forms.CharField(label=_("What did you change, and why?"), max_length=1000, required=False)

    class Meta:
        model = RulesText
        fields = ("game", "language", "kind", "title", "edition", "source_name", "source_url", "licence")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        current = self.instance.current if self.instance.pk else None
        self.initial["body"] = current.body if current else ""

    def clean_body(self) -> str:
        """Browsers send CR LF; we keep LF."""
        return str(self.cleaned_data["body"]).replace("\r\n", "\n")


@admin.register(RulesText)
class RulesTextAdmin(CatalogueAdmin):
    """Rules texts."""

    form = RulesAdminForm
    list_display = ("game", "language", "kind", "title", "edition")
    list_filter = ("language", "kind")
    list_select_related = ("game",)
    search_fields = ("game__title", "title")
    autocomplete_fields = ("game",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:  # noqa: ARG002
        """A text stays with its game."""
        return ("game",) if obj else ()

    def save_model(self, request: Any, obj: RulesText, form: Any, change: Any) -> None:
        """Through the writer."""
        head: RulesHead = records.describe_head(obj)
        words = RevisionDraft(
            form.cleaned_data["body"], comment=form.cleaned_data["comment"], author=author_name(request.user)
        )
        if change:
            stored = RulesText.objects.get(pk=obj.pk)
            records.update_rules_text(stored, head)
            records.add_revisions(stored, [words])
        else:
            obj.pk = records.add_rules_text(obj.game, head, words).pk

    def delete_model(self, request: HttpRequest, obj: RulesText) -> None:  # noqa: ARG002
        """Through the writer."""
        records.delete_rules_text(obj)


# --- names that records share ------------------------------------------------------------------


class NameForm(ModelForm):
    """The name of a row; the same name on another row is refused, for then they would have to be merged."""

    printed_name = forms.CharField(label=_("Name"), max_length=200)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial["printed_name"] = records.printed_name(self.instance)

    def clean_printed_name(self) -> str:
        """Free, and not empty once folded."""
        name: str = self.cleaned_data["printed_name"]
        if len(name_key(name)) > 200:
            raise ValidationError(_("This name is too long: shorten it."))
        other = records.namesake(self.instance, name)
        if other is not None:
            raise ValidationError(_("“%(name)s” is here already."), params={"name": str(other)})
        return name


class NameAdmin(CatalogueAdmin):
    """People, publishers ...: they come with records and go with them; here they are renamed."""

    form = NameForm
    fields: ClassVar[tuple[str, ...]] = ("printed_name",)
    search_fields = ("key",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Names are made by the records that use them."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002
        """Records point at them."""
        return False

    def save_model(self, request: Any, obj: Any, form: Any, change: Any) -> None:  # noqa: ARG002
        """Through the writer."""
        records.rename(obj, form.cleaned_data["printed_name"])


class BranchAdmin(NameAdmin):
    """Branches also have a time zone."""

    fields: ClassVar[tuple[str, ...]] = ("printed_name", "time_zone")

    def save_model(self, request: Any, obj: Any, form: Any, change: Any) -> None:
        """Through the writer."""
        super().save_model(request, obj, form, change)
        records.set_time_zone(obj, form.cleaned_data["time_zone"])


admin.site.register([Person, Publisher, Category, Keyword, Section], NameAdmin)
admin.site.register(Branch, BranchAdmin)


# --- to look at --------------------------------------------------------------------------------


@admin.register(Flag)
class FlagAdmin(ReadOnlyAdmin):
    """Doubts; those that someone has looked at are settled here or on the catalogue's first page."""

    list_display = ("game", "what", "detail", "raised_at", "settled_at")
    list_filter = ("code",)
    list_select_related = ("game",)
    actions = ("settle",)

    @admin.display(description=_("Doubt"))
    def what(self, flag: Flag) -> str:
        """The doubt in words."""
        return str(text_of(flag.code).what)

    @admin.action(description=_("Settle"))
    def settle(self, request: HttpRequest, queryset: QuerySet[Flag]) -> HttpResponseBase | None:  # noqa: ARG002
        """Through the writer."""
        for flag in queryset:
            records.settle_flag(flag, now=timezone.now())
        return None


@admin.register(Document)
class DocumentAdmin(ReadOnlyAdmin):
    """Files and names of files."""

    list_display = ("name", "game", "file")
    list_select_related = ("game",)
    search_fields = ("name", "game__title")


@admin.register(SourceRecord)
class SourceRecordAdmin(ReadOnlyAdmin):
    """The input as it came."""

    list_display = ("key", "game", "format", "imported_at")
    list_filter = ("format",)
    list_select_related = ("game",)
    search_fields = ("key", "game__title")
