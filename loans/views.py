"""The desk's pages: read what was sent, call one function of `desk`, show what came of it.

Without JavaScript a form is answered by a redirect to the page in its new state; `desk.js` gets the
panel alone. Every view works on the state that its own form carries: see `panel.DeskState`.
"""

from uuid import uuid4

from django.contrib import messages as notices
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from catalogue.models import Copy
from loans import desk as lending
from loans import hold_lists, households, kept, messages, panel, sets, steps
from loans.calendar import local_date
from loans.desk_state import DeskState, row_id
from loans.models import DeskAction, DeskEvent, Loan, Member
from loans.offers import Offer
from loans.pages import Request, act_of, at_the_desk
from loans.rules import Refusal
from loans.telling import feed, parties


@require_safe
@at_the_desk
def desk(request: Request) -> HttpResponse:
    """The desk in the state that its address says."""
    return _show(request, DeskState.read(request.GET))


@require_POST
@at_the_desk
def scan(request: Request) -> HttpResponse:
    """A code from the one box, or a box chosen from a question. An empty code ends with the member."""
    state = DeskState.read(request.POST)
    if chosen := row_id(request.POST.get("chosen")):
        copy = get_object_or_404(Copy.objects.select_related("branch"), pk=chosen)
        return answer(request, steps.scanned_copy(copy, state, act_of(request)))
    after = steps.scanned(request.POST.get("scan", ""), state, act_of(request))
    return _go_to(request, after) if isinstance(after, steps.GoTo) else answer(request, after)


@require_POST
@at_the_desk
def check_in(request: Request, pk: int) -> HttpResponse:
    """Take a box back, said in so many words."""
    copy = get_object_or_404(Copy, pk=pk)
    state = DeskState.read(request.POST)
    return answer(request, steps.done(state, lambda: lending.check_in(copy, act=act_of(request))))


@require_POST
@at_the_desk
def renew(request: Request, pk: int) -> HttpResponse:
    """Renew a loan from the member's card."""
    loan = get_object_or_404(Loan.objects.select_related("copy", "member"), pk=pk)
    state = DeskState.read(request.POST)
    return answer(request, steps.done(state, lambda: lending.renew(loan, act=act_of(request))))


@require_POST
@at_the_desk
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo one of the last actions."""
    event = get_object_or_404(DeskEvent.objects.select_related("copy", "member"), pk=pk)
    state = DeskState.read(request.POST)
    return answer(request, steps.done(state, lambda: lending.undo(event, act=act_of(request))))


@require_POST
@at_the_desk
def waive(request: Request, pk: int) -> HttpResponse:
    """Do all the same what was refused, with the reason that was given."""
    events = DeskEvent.objects.select_related("copy", "member", "loan__copy", "loan__member")
    event = get_object_or_404(events, pk=pk, action=DeskAction.REFUSE)
    codes = frozenset(refusal.code for refusal in lending.refusals_of(event))
    waiver = lending.Waiver(codes, request.POST.get("reason", "").strip())
    state, act = DeskState.read(request.POST), act_of(request)
    if event.tried == DeskAction.RENEW and event.loan:
        loan = event.loan
        return answer(request, steps.done(state, lambda: lending.renew(loan, act=act, waiver=waiver)))
    if event.tried == DeskAction.LEND and event.copy and event.member:
        copy, member = event.copy, event.member
        return answer(
            request,
            steps.done(state, lambda: lending.lend(copy, member, act=act, waiver=waiver, term=state.term)),
        )
    raise Http404


@require_POST
@at_the_desk
def accept(request: Request, pk: int) -> HttpResponse:
    """Say yes to what was proposed after an answer."""
    events = DeskEvent.objects.select_related("copy__kit_box", "member", "undone_by")
    event = get_object_or_404(events, pk=pk)
    offer = request.POST.get("offer")
    if offer not in set(Offer):
        raise Http404
    state = DeskState.read(request.POST)
    return answer(request, steps.accepted(Offer(offer), event, state, act_of(request)))


@require_POST
@at_the_desk
def renew_all(request: Request, pk: int) -> HttpResponse:
    """Renew every game of a member that may be renewed."""
    member = get_object_or_404(Member, pk=pk)
    state = DeskState.read(request.POST)
    return answer(request, steps.several(state, sets.renew_all(member, act=act_of(request))))


@require_safe
@never_cache
@login_required
def my_loans(request: Request) -> HttpResponse:
    """What the member who is signed in has at home."""
    return _show_my_loans(request)


@require_POST
@never_cache
@login_required
def my_renewal(request: Request, pk: int) -> HttpResponse:
    """Renew one of one's own loans; anybody else's does not exist here."""
    loan = get_object_or_404(Loan.objects.select_related("copy", "member"), pk=pk, member__user=request.user)
    try:
        done = lending.renew(loan, act=act_of(request, at_desk=False))
    except lending.Refused as refused:
        return _show_my_loans(request, refused_loan=loan, refusals=refused.refusals)
    words = {"game": loan.copy.game, "day": date_format(done.loan.due_on, "DATE_FORMAT")}
    notices.success(request, _("%(game)s is renewed and now due on %(day)s.") % words)
    return redirect("loans:my-loans")


# --- answers -----------------------------------------------------------------------------------


def answer(request: Request, state: DeskState) -> HttpResponse:
    """The page in its new state: the panel alone to the script, a redirect to a form."""
    return _show(request, state) if request.htmx else redirect(state.url)


def _go_to(request: Request, to: steps.GoTo) -> HttpResponse:
    """Another page of the desk: the script is told where, in the place of a panel."""
    url = reverse(to.view, args=to.args)
    return render(request, "loans/go_to.html", {"url": url}) if request.htmx else redirect(url)


def _show(request: Request, state: DeskState) -> HttpResponse:
    """The page, or the panel alone. `nonce` names the next scan of a page without JavaScript."""
    shown = panel.panel(state, request.user, now=timezone.now())
    context = {"panel": shown, "nonce": uuid4().hex}
    if request.htmx:
        return render(request, "loans/panel.html", context)
    return render(request, "loans/desk.html", context | {"kept_count": kept.to_look_at().count()})


def _household_loans(member: Member) -> QuerySet[Loan]:
    """What the others of the household have at home, as far as they let it be seen."""
    seen = households.loans_seen_by(member, local_date(timezone.now(), None))
    return seen.exclude(member=member).select_related("copy__game", "member")


def _show_my_loans(
    request: Request, refused_loan: Loan | None = None, refusals: tuple[Refusal, ...] = ()
) -> HttpResponse:
    member = Member.objects.filter(user=request.user).first()
    context = {
        "card": panel.member_card(member, request.user, now=timezone.now()) if member else None,
        "household_loans": _household_loans(member) if member else (),
        "refused_loan": refused_loan,
        "told": messages.explain(refusals, request.user),
        "nonce": uuid4().hex,
        "holds": hold_lists.of_member(member) if member else (),
        "feed_address": feed.address_of(member, request) if member else "",
        "letters_url": parties.stop_url(member, timezone.localdate()) if member else "",
    }
    return render(request, "loans/my_loans.html", context)
