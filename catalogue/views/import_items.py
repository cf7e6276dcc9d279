"""What a librarian says of doubtful records of an import, and its problems as a file."""

import csv
from collections.abc import Iterable, Iterator

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from catalogue.forms.imports import Said, read_decisions, row_number
from catalogue.guard import EDIT, requires
from catalogue.imports import applying, batches, reporting
from catalogue.imports import messages as words
from catalogue.models import ImportBatch, ItemState
from catalogue.views.import_words import user_of

MOST_AT_ONCE = 100
FORMULA = ("=", "+", "-", "@", "\t")


@require_POST
@requires(EDIT)
def decide(request: HttpRequest, pk: int) -> HttpResponse:
    """This game, a new game, or pass over: for each record of the page, or for all of them."""
    batch = get_object_or_404(ImportBatch, pk=pk)
    asked = [row_number(one) for one in request.POST.getlist("item")[:MOST_AT_ONCE]]
    items = list(batch.items.filter(pk__in=asked, state=ItemState.WAITING).select_related("game"))
    for item in items:
        item.batch = batch
    said = read_decisions(request.POST, items)
    for one in said:
        if one.typed:
            told = _(
                "“%(title)s”: “%(typed)s” names no game, or several. Type its number with #, or its label."
            )
            messages.error(request, told % {"title": one.item.title, "typed": one.typed})
    _do(request, [one for one in said if not one.typed])
    return redirect(f"{_address(pk)}?kind=doubtful")


def _do(request: HttpRequest, said: list[Said]) -> None:
    user = user_of(request)
    done = 0
    try:
        for one in said:
            left = applying.decide([one.item], one.decision, game=one.game, by=user)
            done += not left
    except batches.NotNow:
        messages.error(request, _("The import is at work: wait until it is done, or stop it."))
    if done:
        told = ngettext("%(count)s record decided.", "%(count)s records decided.", done)
        messages.success(request, told % {"count": done})
    if done < len(said):
        messages.warning(request, _("Some records could not be stored so; they wait with a new reason."))


def _address(pk: int) -> str:
    return redirect("catalogue:import", pk).url


@require_GET
@never_cache
@requires(EDIT)
def problems_csv(request: HttpRequest, pk: int) -> HttpResponseBase:  # noqa: ARG001 - as all views
    """All problems of an import as a table, one a line, as it is made."""
    batch = get_object_or_404(ImportBatch, pk=pk)
    answer = StreamingHttpResponse(_lines(batch), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="import-{pk}-problems.csv"'
    return answer


class _Echo:
    """What csv writes is what is sent."""

    def write(self, text: str) -> str:
        return text


def _lines(batch: ImportBatch) -> Iterator[str]:
    writer = csv.writer(_Echo())
    head = [_("File"), _("Place"), _("What"), _("Reason"), _("Remedy"), _("Source")]
    # A mark in front, for spreadsheets would read it as another encoding.
    yield "\ufeff" + str(writer.writerow(head))
    for problem in reporting.problems(batch):
        file = problem.file.rpartition("/")[2]
        why = words.MESSAGES[problem.reason]
        row = [file, words.place(problem.place), problem.detail, why.sentence, why.remedy, problem.raw]
        yield str(writer.writerow(_harmless(map(str, row))))


def _harmless(cells: Iterable[str]) -> list[str]:
    """No cell is a formula to a spreadsheet."""
    return [f"'{cell}" if cell.startswith(FORMULA) else cell for cell in cells]
