"""Labels that lending prints: what a box holds, for its lid, and the cards of members."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from catalogue.forms.labels import PaperForm
from catalogue.guard import requires
from catalogue.labels.faces import BarcodeFace
from catalogue.models import Copy
from catalogue.views.printed import grid, paper_of, printed
from loans import contents
from loans.card_form import CARD_PAPER, CardsForm
from loans.pages import at_the_desk

LID_PAPER = "L7173"
"""The paper of contents labels until another was used."""


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_desk
def contents_label(request: HttpRequest, pk: int) -> HttpResponse:
    """The contents of one box for its lid: as a page, or on a sheet of labels."""
    copy = get_object_or_404(Copy.objects.select_related("game"), pk=pk)
    listed = contents.of(copy)
    if request.method != "POST":
        form = PaperForm(initial=paper_of(request, of="lid"), first=LID_PAPER)
        return _contents_page(request, listed, form)
    if test_page := grid(request):
        return test_page
    form = PaperForm(request.POST)
    made = form.is_valid() and printed(request, form, [listed.face()], of="lid", title=_("Contents label"))
    return made or _contents_page(request, listed, form, status=422)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires("loans.manage_members")
def cards(request: HttpRequest) -> HttpResponse:
    """Cards for members: name, number and barcode, on the paper that is chosen."""
    if request.method != "POST":
        start = {"codes": request.GET.get("codes", "")[:4096]}
        form = CardsForm(initial=paper_of(request, of="cards") | start, first=CARD_PAPER)
        return _cards_page(request, form)
    if test_page := grid(request):
        return test_page
    form = CardsForm(request.POST)
    if not form.is_valid():
        return _cards_page(request, form, status=422)
    faces = [BarcodeFace(member.card_number, str(member), settings.LIBRARY_NAME) for member in form.members]
    made = printed(request, form, faces, of="cards", title=_("Member cards"))
    return made or _cards_page(request, form, status=422)


def _contents_page(
    request: HttpRequest, listed: contents.Contents, form: PaperForm, *, status: int = 200
) -> HttpResponse:
    page = {"contents": listed, "form": form, "forms": [form]}
    return render(request, "loans/pieces/label.html", page, status=status)


def _cards_page(request: HttpRequest, form: CardsForm, *, status: int = 200) -> HttpResponse:
    return render(request, "loans/members/cards.html", {"form": form, "forms": [form]}, status=status)
