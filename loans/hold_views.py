"""The pages of holds: what the desk does about them, and what a member does alone.

Each reads what was sent, calls one function of `holds`, and goes back to where it came from.
"""

from django.contrib import messages as notices
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from catalogue.guard import requires
from catalogue.models import Branch, Game
from loans import hold_lists, holds, messages
from loans.act import Refused
from loans.desk_state import row_id
from loans.hold_forms import DeskHoldForm
from loans.models import Hold, Member
from loans.pages import Request, act_of

DESK = "loans.use_desk"
FAR_BACK = 9999


@require_safe
@never_cache
@requires(DESK)
def hold_shelf(request: Request) -> HttpResponse:
    """What is to be fetched today, what is ready, what was not fetched, who waits."""
    return render(request, "loans/holds/shelf.html", {"shelf": hold_lists.hold_shelf(timezone.now())})


@never_cache
@requires(DESK)
def queue(request: Request, game: int) -> HttpResponse:
    """The queue of a game; a POST puts a member at its end."""
    wanted = get_object_or_404(Game, pk=game)
    form = DeskHoldForm(request.POST or None)
    told: tuple[messages.Told, ...] = ()
    if request.method == "POST" and form.is_valid():
        try:
            hold = holds.place_hold(
                wanted, form.member(), branch=form.cleaned_data["branch"], act=act_of(request)
            )
        except Refused as refused:
            told = messages.explain(refused.refusals, request.user)
        else:
            notices.success(request, _placed(hold))
            return redirect("loans:hold-queue", wanted.pk)
    shown = {"game": wanted, "queue": hold_lists.queue_of(wanted), "form": form, "told": told}
    shown["many_branches"] = Branch.objects.count() > 1
    return render(request, "loans/holds/queue.html", shown)


@require_POST
@requires(DESK)
def move(request: Request, pk: int) -> HttpResponse:
    """Up, down or to a place in the queue, for a reason."""
    hold = get_object_or_404(Hold, pk=pk)
    place = request.POST.get("place", "")
    to = int(place) if place.isascii() and place.isdigit() and len(place) < 5 else FAR_BACK
    try:
        holds.move(hold, to, act=act_of(request), reason=request.POST.get("reason", "").strip())
    except Refused as refused:
        _say(request, refused)
    return redirect("loans:hold-queue", hold.game_id)


@require_POST
@requires(DESK)
def cancel(request: Request, pk: int) -> HttpResponse:
    """Take a member out of the queue."""
    hold = get_object_or_404(Hold, pk=pk)
    holds.cancel(hold, act=act_of(request), reason=request.POST.get("reason", "").strip())
    return redirect("loans:hold-queue", hold.game_id)


@require_POST
@requires(DESK)
def shelve(request: Request, pk: int) -> HttpResponse:
    """The promised box was fetched: it lies on the hold shelf now."""
    hold = get_object_or_404(Hold, pk=pk)
    try:
        holds.shelve(hold, act=act_of(request))
    except Refused as refused:
        _say(request, refused)
    return redirect("loans:holds")


@require_POST
@requires(DESK)
def expire(request: Request) -> HttpResponse:
    """Let go now of what was not fetched in time."""
    lapsed = holds.expire_holds(timezone.now(), by=request.user)
    notices.success(request, _lapsed_words(lapsed))
    return redirect("loans:holds")


def _lapsed_words(lapsed: int) -> str:
    if not lapsed:
        return _("Every box on the hold shelf still has time: nothing was let go of.")
    words = _(
        "Not fetched in time: %(lapsed)s. Take them off the hold shelf, as listed below; those that others "
        "wait for are among what is to be fetched."
    )
    return words % {"lapsed": lapsed}


# --- members alone ---------------------------------------------------------------------------------


@require_POST
@never_cache
@login_required
def my_hold(request: Request, game: int) -> HttpResponse:
    """Ask for a game; the answer stands on the game's page."""
    wanted = get_object_or_404(Game, pk=game)
    member = get_object_or_404(Member, user=request.user)
    branch = Branch.objects.filter(pk=row_id(request.POST.get("branch")) or 0).first()
    try:
        hold = holds.place_hold(wanted, member, branch=branch, act=act_of(request, at_desk=False))
    except Refused as refused:
        _say(request, refused)
    else:
        notices.success(request, _your_place(hold))
    return redirect("game", wanted.pk)


@require_POST
@never_cache
@login_required
def my_cancel(request: Request, pk: int) -> HttpResponse:
    """Give up one's own place; anybody else's does not exist here."""
    hold = get_object_or_404(Hold.objects.select_related("game"), pk=pk, member__user=request.user)
    holds.cancel(hold, act=act_of(request, at_desk=False))
    notices.success(request, _("You no longer wait for %(game)s.") % {"game": hold.game})
    return redirect("loans:my-loans")


# --- words -----------------------------------------------------------------------------------------


def _placed(hold: Hold) -> str:
    words = {"member": hold.member, "place": hold.position, "box": hold.copy}
    if hold.copy:
        return _("The box %(box)s is set aside for %(member)s: fetch it from the shelf.") % words
    return _("%(member)s waits at place %(place)s of the queue.") % words


def _your_place(hold: Hold) -> str:
    if hold.copy:
        return _("A box is set aside for you. My loans says when it is ready to be fetched.")
    return _("You wait at place %(place)s of the queue.") % {"place": hold.position}


def _say(request: Request, refused: Refused) -> None:
    for told in messages.explain(refused.refusals, request.user):
        notices.error(request, told.sentence)
