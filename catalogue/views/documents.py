"""Attach a file to a game; make a rules text of an attached PDF."""

from collections.abc import Iterator
from dataclasses import replace

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from catalogue import records
from catalogue.draft import Problem, Reason, RecordDraft
from catalogue.forms.documents import DocumentForm
from catalogue.guard import EDIT, author_name, requires
from catalogue.imports import pdf_file
from catalogue.imports.messages import place, remedy, sentence
from catalogue.models import Document, Game, RulesText

SECONDS = 25  # somebody waits for the page; `import_records` takes its time


@require_http_methods(["GET", "POST"])
@requires(EDIT)
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """A PDF or an image; a name that an import left without its file takes the file."""
    game = get_object_or_404(Game, pk=pk)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = DocumentForm(game, *sent)
    if not form.is_valid():
        page = {"form": form, "forms": [form], "game": game}
        return render(request, "catalogue/document.html", page, status=422 if form.is_bound else 200)
    document = records.attach_document(game, form.cleaned_data["name"], form.cleaned_data["file"])
    messages.success(request, _("“%(name)s” was attached.") % {"name": document.name})
    return redirect("catalogue:game-edit", game.pk)


@require_POST
@requires(EDIT)
def make_rules(request: HttpRequest, pk: int) -> HttpResponse:
    """The words of an attached PDF as a rules text of its game, with the numbers of its pages."""
    document = get_object_or_404(Document.objects.select_related("game"), pk=pk)
    known = RulesText.objects.filter(source_key=_key(document)).first()
    if known:
        messages.info(request, _("These rules are searchable already."))
        return redirect("catalogue:rules-edit", known.pk)
    found = list(_read(document))
    for problem in found:
        if isinstance(problem, Problem):
            messages.warning(request, _told(problem))
    record = next((one for one in found if isinstance(one, RecordDraft)), None)
    if record is None:
        return redirect("catalogue:game-edit", document.game_id)
    return redirect("catalogue:rules-edit", _keep(request, document, record).pk)


def _read(document: Document) -> Iterator[RecordDraft | Problem]:
    """What the PDF says. A text too short to tell its language is in the one language of its game."""
    tags = [language.tag for language in document.game.languages.all()]
    try:
        with document.file.open("rb") as file:
            data = file.read()
    except (OSError, ValueError):
        yield Problem("", Reason.NO_FILE, detail=document.name)
        return
    otherwise = tags[0] if len(tags) == 1 else get_language() or ""
    yield from pdf_file.read(data, otherwise=otherwise, seconds=SECONDS)


@transaction.atomic
def _keep(request: HttpRequest, document: Document, record: RecordDraft) -> RulesText:
    (rules,) = record.rules
    (revision,) = rules.revisions
    head = replace(rules.head, title="", source_name=document.name, source_key=_key(document))
    first = replace(revision, author=author_name(request.user), source_key="")
    text = records.add_rules_text(document.game, head, first)
    for doubt, detail in record.doubts:
        records.raise_flag(document.game, doubt, detail)
    messages.success(request, _("The rules are searchable now. Compare them with the print."))
    return text


def _told(problem: Problem) -> str:
    where = f"{place(problem.place)}: " if problem.place else ""
    return f"{where}{sentence(problem)} {remedy(problem)}"


def _key(document: Document) -> str:
    """How a text says which document it was made from."""
    return f"document:{document.pk}"
