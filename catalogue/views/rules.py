"""Add a rules text, correct its words (a new revision) or what is said about it, see it before saving."""

from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalogue import merge, records
from catalogue.draft import RevisionDraft, RulesHead
from catalogue.forms.rules import RulesForm
from catalogue.guard import EDIT, author_name, requires
from catalogue.models import Game, Revision, RulesText
from catalogue.rules.diff import compare
from catalogue.views.meanwhile import explained


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """A new rules text of a game with its first revision."""
    game = get_object_or_404(Game, pk=pk)
    empty = RulesHead(language="")
    if request.method != "POST":
        proposed = RulesHead(language=get_language() or "")
        return _page(request, RulesForm(empty).showing(proposed, "", ""), game)
    form = RulesForm(empty, data=request.POST)
    if not form.is_valid():
        return _page(request, form, game, status=422)
    if "preview" in request.POST or form.must_ask:
        return _page(request, form, game, is_preview=True)
    first = form.revision(author_name(request.user)) or RevisionDraft("")
    text = records.add_rules_text(game, form.head(), first)
    messages.success(request, _("The rules text was added."))
    return redirect("catalogue:rules-edit", text.pk)


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The words become a new revision, the head is corrected in place."""
    text = get_object_or_404(RulesText.objects.select_related("game"), pk=pk)
    now, current = records.describe_head(text), text.current
    if request.method != "POST":
        return _page(request, _form(now, current), text.game, text=text)
    seen = merge.unseal(RulesHead, request.POST.get("seen", "")) or now
    form = _form(seen, _seen_revision(text, request.POST.get("seen_number", "")), request)
    if not form.is_valid():
        return _page(request, form, text.game, text=text, status=422)
    if "preview" in request.POST or form.must_ask:
        return _page(request, form, text.game, text=text, is_preview=True)
    return _save(request, text, form)


def _save(request: HttpRequest, text: RulesText, form: RulesForm) -> HttpResponse:
    revision = form.revision(author_name(request.user))
    seen = text.revisions.filter(number=form.seen_number).first()
    try:
        with transaction.atomic():
            changed = records.update_rules_text(text, form.head(), seen=form.seen)
            added = records.add_revisions(text, [revision], seen=seen) if revision else []
    except records.ChangedMeanwhile:
        return _changed_meanwhile(request, text, form)
    if added:
        messages.success(request, _("Revision %(number)s was saved.") % {"number": added[0].number})
    elif changed:
        messages.success(request, _("What is said about the text was saved."))
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("catalogue:rules-edit", text.pk)


def _changed_meanwhile(request: HttpRequest, text: RulesText, form: RulesForm) -> HttpResponse:
    """The page again: the head merged; the words as typed, beside what the other person made of them."""
    text.refresh_from_db()
    now, current = records.describe_head(text), text.current
    merged = merge.merge(form.seen, form.head(), now)
    labels = {name: field.label for name, field in form.fields.items()}
    body, comment = form.cleaned_data["body"], form.cleaned_data["comment"]
    others: Any = ()
    if current and current.number != form.seen_number:
        others = compare(form.seen_body, current.body)
        body = body if "body" in form.changed_data else current.body
    page = {"meanwhile": explained(merged.differences, labels), "others": others, "current": current}
    fresh = _form(now, current).showing(merged.draft, body, comment)
    return _page(request, fresh, text.game, text=text, status=409, **page)


@require_POST
@requires(EDIT)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a text with all its revisions."""
    text = get_object_or_404(RulesText, pk=pk)
    records.delete_rules_text(text)
    messages.success(request, _("The rules text was removed."))
    return redirect("catalogue:game-edit", text.game_id)


def _form(head: RulesHead, revision: Revision | None, request: HttpRequest | None = None) -> RulesForm:
    body, number = (revision.body, revision.number) if revision else ("", 0)
    return RulesForm(head, body, number, request.POST if request else None)


def _seen_revision(text: RulesText, number: str) -> Revision | None:
    """The revision that the page showed; the current one where the page does not say."""
    known = (
        text.revisions.filter(number=int(number)).first() if number.isdecimal() and len(number) < 9 else None
    )
    return known or text.current


def _page(
    request: HttpRequest, form: RulesForm, game: Game, *, status: int = 200, **more: Any
) -> HttpResponse:
    return render(
        request, "catalogue/rules.html", {"form": form, "forms": [form], "game": game} | more, status=status
    )
