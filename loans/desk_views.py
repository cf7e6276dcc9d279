"""The smaller pages of the desk: a box added in a hurry, messages, a list, kits, the command sheet."""

from uuid import uuid4

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from catalogue import links
from catalogue.models import Copy, Kit
from loans import commands, desk, desk_notes, messages, panel, quick, scan, sets, steps
from loans.desk_state import CHOSEN_TERMS, DeskState, read_term
from loans.models import DeskNote, Member
from loans.pages import Request, act_of, at_the_desk
from loans.rules import Term
from loans.views import answer


@require_POST
@at_the_desk
def quick_add(request: Request) -> HttpResponse:
    """Put a box into the catalogue by its title, and lend it to the member whose card was put aside."""
    state, act = DeskState.read(request.POST), act_of(request)
    pk = state.member or state.aside
    member = Member.objects.filter(pk=pk).first() if pk else None
    try:
        copy = quick.add_box(request.POST.get("scan", ""), request.POST.get("title", ""), act=act)
    except ValueError:
        return answer(request, state)
    if member is None:
        return answer(request, DeskState(copy=copy.pk))
    state = DeskState(member=member.pk, term=state.term)
    return answer(request, steps.done(state, lambda: desk.lend(copy, member, act=act, term=state.term)))


@require_POST
@at_the_desk
def leave_note(request: Request) -> HttpResponse:
    """Leave a message about the open member, or about a box."""
    state = DeskState.read(request.POST)
    copy = Copy.objects.filter(pk=state.copy).first() if state.copy else None
    about = copy or steps.open_member(state)
    if about:
        desk_notes.leave(about, request.POST.get("note", ""), by=request.user, now=timezone.now())
    return answer(request, state)


@require_POST
@at_the_desk
def settle_note(request: Request, pk: int) -> HttpResponse:
    """Somebody has dealt with a message."""
    desk_notes.settle(get_object_or_404(DeskNote, pk=pk), by=request.user, now=timezone.now())
    return answer(request, DeskState.read(request.POST))


@require_safe
@at_the_desk
def command_sheet(request: Request) -> HttpResponse:
    """The commands as barcodes, to print and to stick to the desk."""
    sheet = [
        (command, commands.WORDS[command], commands.code128_svg(command.code)) for command in steps.OBEYED
    ]
    return render(request, "loans/desk/commands.html", {"sheet": sheet})


# --- a list for a school -----------------------------------------------------------------------


class ListForm(forms.Form):
    """A card, a term and a list of boxes."""

    card = forms.CharField(max_length=200)
    boxes = forms.CharField(widget=forms.Textarea(attrs={"rows": 12}), max_length=10_000)
    term = forms.CharField(max_length=20, required=False)
    member: Member | None = None

    def clean_card(self) -> str:
        """The card must be one member's."""
        card: str = self.cleaned_data["card"]
        found = scan.read(card)
        if len(found.members) != 1:
            raise forms.ValidationError(_("No single member has this card: scan it, or type its number."))
        self.member = found.members[0]
        return card

    def clean_boxes(self) -> list[str]:
        """One box a line; blank lines do not count."""
        boxes = [line for line in map(scan.clean, self.cleaned_data["boxes"].splitlines()) if line]
        if len(boxes) > sets.MOST_AT_ONCE:
            raise forms.ValidationError(
                _("%(many)s boxes are too many at once: send at most %(limit)s."),
                params={"many": len(boxes), "limit": sets.MOST_AT_ONCE},
            )
        return boxes


@at_the_desk
def lend_list(request: Request) -> HttpResponse:
    """Lend a list of boxes to one member; what came of each line is shown beneath."""
    given = request.POST if request.method == "POST" else None
    form = ListForm(given, initial=_card_of(request))
    if form.is_valid() and form.member:
        term = read_term(form.cleaned_data["term"])
        events = sets.lend_many(form.cleaned_data["boxes"], form.member, act=act_of(request), term=term)
        pks = "-".join(str(event.pk) for event in events)
        return redirect(f"{reverse('loans:lend-list')}?member={form.member.pk}&events={pks}")
    state = DeskState.read(request.GET)
    shown = panel.panel(state, request.user, now=timezone.now())
    terms = [(term, messages.TERM_WORDS[term]) for term in (Term.USUAL, *CHOSEN_TERMS)]
    context = {"form": form, "panel": shown, "terms": terms, "nonce": uuid4().hex}
    return render(request, "loans/desk/list.html", context)


def _card_of(request: HttpRequest) -> dict[str, str]:
    member = steps.open_member(DeskState.read(request.GET))
    return {"card": member.card_number} if member else {}


# --- kits --------------------------------------------------------------------------------------


class KitForm(forms.Form):
    """A name, and the boxes that are lent together."""

    name = forms.CharField(max_length=200)
    boxes = forms.CharField(widget=forms.Textarea(attrs={"rows": 6}), max_length=5_000)

    def clean_boxes(self) -> list[Copy]:
        """One label a line, each of one box."""
        copies: list[Copy] = []
        for line in map(scan.clean, self.cleaned_data["boxes"].splitlines()):
            found = scan.read_copy(line)
            if line and len(found.copies) != 1:
                raise forms.ValidationError(_("No single box has the label %(code)s."), params={"code": line})
            copies.extend(found.copies)
        return copies


@at_the_desk
def kits(request: Request) -> HttpResponse:
    """The kits, and a form for a new one."""
    return _kit(request, None)


@at_the_desk
def kit(request: Request, pk: int) -> HttpResponse:
    """Change a kit, or take it apart."""
    row = get_object_or_404(Kit, pk=pk)
    if request.method == "POST" and request.POST.get("do") == "remove":
        links.delete_kit(row)
        return redirect("loans:kits")
    return _kit(request, row)


def _kit(request: Request, row: Kit | None) -> HttpResponse:
    labels = row.boxes.values_list("copy__barcode", flat=True) if row else ()
    initial = {"name": row.name, "boxes": "\n".join(labels)} if row else {}
    form = KitForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        try:
            links.save_kit(row, form.cleaned_data["name"], form.cleaned_data["boxes"])
        except links.InAnotherKit as error:
            form.add_error(
                "boxes",
                forms.ValidationError(
                    _("%(code)s is in the kit %(kit)s: take it out there first."),
                    params={"code": error.box.copy.barcode, "kit": error.box.kit.name},
                ),
            )
        else:
            return redirect("loans:kits")
    every = Kit.objects.prefetch_related("boxes__copy__game")
    return render(request, "loans/desk/kits.html", {"form": form, "kits": every, "kit": row})
