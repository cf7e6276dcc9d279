"""Care of boxes: what is due, the plans, and the condition of one box with its story."""

from dataclasses import replace
from typing import Any

from django import forms
from django.contrib import messages as notes
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import EDIT, requires
from catalogue.models import Category, Copy, Game
from loans import care as caring
from loans.act import Refused
from loans.care_rules import Move
from loans.counting_views import told
from loans.desk_state import DeskState, row_id
from loans.models import CareKind, CarePlan
from loans.pages import Request, act_of, at_the_desk

MOVE_WORDS: dict[Move, Promise] = {
    Move.SET_RIGHT: _("Complete and in order"),
    Move.INCOMPLETE: _("Incomplete, playable"),
    Move.UNPLAYABLE: _("Not playable"),
    Move.REPAIR: _("To the repair shelf"),
    Move.CLEAN: _("To be cleaned"),
    Move.QUARANTINE: _("Into quarantine"),
    Move.BACK_IN_SERVICE: _("Back in service"),
    Move.HOUSE_ONLY: _("For play in the house only"),
    Move.LOSE: _("Lost"),
    Move.FIND_AGAIN: _("Found again"),
    Move.WITHDRAW: _("Withdrawn"),
    Move.TAKE_BACK: _("Taken back into stock"),
    Move.DONATE: _("Given away"),
}
EVENTS_SHOWN = 50


class PlanForm(forms.Form):
    """A new plan: of one box, a game, a category, or all."""

    kind = forms.ChoiceField(label=_("Kind"), choices=CareKind.choices)
    what = forms.CharField(label=_("What to do"), max_length=200)
    every_loans = forms.IntegerField(
        label=_("After so many loans"), min_value=1, max_value=caring.MOST_LOANS, required=False
    )
    every_days = forms.IntegerField(
        label=_("After so many days"), min_value=1, max_value=caring.MOST_DAYS, required=False
    )
    blocks = forms.BooleanField(label=_("Not lent while it is due"), required=False)
    barcode = forms.ModelChoiceField(
        label=_("Only the box with the barcode"),
        queryset=Copy.objects.all(),
        to_field_name="barcode",
        widget=forms.TextInput,
        required=False,
        error_messages={"invalid_choice": _("No box has this barcode.")},
    )
    category = forms.ModelChoiceField(
        label=_("Only games of the category"), queryset=Category.objects.all(), required=False
    )
    whole_game = forms.BooleanField(label=_("All boxes of that game"), required=False)

    def clean(self) -> dict[str, Any]:
        """A plan needs a rhythm."""
        given = super().clean() or {}
        if not self.errors:
            try:
                caring.check_plan(self.draft())
            except caring.PlanGap as gap:
                self.add_error(gap.field, str(gap))
        return given

    def draft(self) -> caring.PlanDraft:
        """What was typed."""
        given = self.cleaned_data
        box: Copy | None = given["barcode"]
        game: Game | None = box.game if box and given["whole_game"] else None
        return caring.PlanDraft(
            kind=given["kind"],
            what=given["what"],
            copy=None if game else box,
            game=game,
            category=None if box else given["category"],
            every_loans=given["every_loans"],
            every_days=given["every_days"],
            blocks=given["blocks"],
        )


@require_safe
@at_the_desk
def care(request: Request) -> HttpResponse:
    """What is due, plan by plan, and what is in quarantine."""
    today = timezone.localdate()
    context = {"due": list(caring.due(today)), "quarantined": list(caring.quarantined()), "today": today}
    return render(request, "loans/care/due.html", context)


@require_POST
@at_the_desk
def done(request: Request) -> HttpResponse:
    """What a plan asks for was done to a box."""
    plan = get_object_or_404(CarePlan, pk=row_id(request.POST.get("plan")))
    copy = get_object_or_404(Copy, pk=row_id(request.POST.get("copy")))
    caring.done(plan, copy, act=act_of(request))
    if event := row_id(request.POST.get("event")):
        return redirect(replace(DeskState.read(request.POST), event=event, again=False).url)
    return redirect("loans:care")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@requires(EDIT)
def plans(request: Request) -> HttpResponse:
    """The plans, and a new one."""
    form = PlanForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        caring.add_plan(form.draft(), today=timezone.localdate())
        notes.success(request, _("The plan was saved. It counts from today."))
        return redirect("loans:care-plans")
    rows = CarePlan.objects.filter(ended_on=None).select_related("copy", "game", "category")
    status = 422 if form.errors else 200
    return render(request, "loans/care/plans.html", {"form": form, "plans": rows}, status=status)


@require_POST
@never_cache
@requires(EDIT)
def end_plan(request: Request, pk: int) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """The plan asks for nothing more."""
    caring.end_plan(get_object_or_404(CarePlan, pk=pk), today=timezone.localdate())
    return redirect("loans:care-plans")


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_desk
def box(request: Request, pk: int) -> HttpResponse:
    """The condition of one box: the moves that it can make now, and its story."""
    copy = get_object_or_404(Copy.objects.select_related("game", "branch"), pk=pk)
    if request.method == "POST":
        return _move(request, copy)
    return _box_page(request, copy)


def _move(request: Request, copy: Copy) -> HttpResponse:
    wanted, why = request.POST.get("move", ""), request.POST.get("why", "").strip()
    try:
        until_on = forms.DateField(required=False).clean(request.POST.get("until", ""))
    except forms.ValidationError:
        return _box_page(request, copy, wrong_day=request.POST.get("until", ""), why=why)
    if wanted not in {move.value for move in Move}:
        return _box_page(request, copy, why=why)
    try:
        caring.move(copy, Move(wanted), act=act_of(request), why=why, until_on=until_on)
    except Refused as stopped:
        told(request, stopped)
    return redirect("loans:care-box", copy.pk)


def _box_page(request: Request, copy: Copy, *, wrong_day: str = "", why: str = "") -> HttpResponse:
    context = {
        "copy": copy,
        "moves": [(move.value, MOVE_WORDS[move]) for move in caring.moves_open_to(request.user, copy)],
        "events": caring.events_of(copy)[:EVENTS_SHOWN],
        "missing": copy.missing_pieces.filter(end="").select_related("component"),
        "due": caring.due_for(copy, timezone.localdate()),
        "wrong_day": wrong_day,
        "why": why,
    }
    return render(request, "loans/care/box.html", context, status=422 if wrong_day else 200)
