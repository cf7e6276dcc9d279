"""The desk's pages: read what was sent, call one function of `desk`, show what came of it.

Without JavaScript a form is answered by a redirect to the page in its new state; `desk.js` gets the
panel alone. Every view works on the state that its own form carries: see `panel.DeskState`.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from catalogue.models import Copy
from loans import desk as lending
from loans import hold_lists, messages, panel
from loans import scan as scanning
from loans.models import DeskAction, DeskEvent, Loan, Member
from loans.panel import DeskState
from loans.rules import Refusal, RefusalCode

LONGEST_WAIT = 10 * 366 * 24 * 3600
"""Seconds that a kept scan can say it has waited; more is nonsense, and no date."""


class Request(HttpRequest):
    """A request of somebody who is signed in."""

    user: User
    htmx: HtmxDetails


View = Callable[..., HttpResponse]


def _at_the_desk(view: View) -> View:
    """For signed-in people who may use the desk; others see why not."""
    return never_cache(login_required(permission_required("loans.use_desk", raise_exception=True)(view)))


@require_safe
@_at_the_desk
def desk(request: Request) -> HttpResponse:
    """The desk in the state that its address says."""
    return _show(request, DeskState.read(request.GET))


@require_POST
@_at_the_desk
def scan(request: Request) -> HttpResponse:
    """A code from the one box, or a box chosen from a question. An empty code ends with the member."""
    state = DeskState.read(request.POST)
    if chosen := panel.row_id(request.POST.get("chosen")):
        return _answer(request, _scanned_copy(request, get_object_or_404(Copy, pk=chosen), state))
    found = scanning.read(request.POST.get("scan", ""))
    return _answer(request, _scanned(request, found, state))


@require_POST
@_at_the_desk
def check_in(request: Request, pk: int) -> HttpResponse:
    """Take a box back, said in so many words."""
    copy = get_object_or_404(Copy, pk=pk)
    state = DeskState.read(request.POST)
    return _answer(request, _done(state, lambda: lending.check_in(copy, act=_act(request))))


@require_POST
@_at_the_desk
def renew(request: Request, pk: int) -> HttpResponse:
    """Renew a loan from the member's card."""
    loan = get_object_or_404(Loan.objects.select_related("copy", "member"), pk=pk)
    state = DeskState.read(request.POST)
    return _answer(request, _done(state, lambda: lending.renew(loan, act=_act(request))))


@require_POST
@_at_the_desk
def undo(request: Request, pk: int) -> HttpResponse:
    """Undo one of the last actions."""
    event = get_object_or_404(DeskEvent.objects.select_related("copy", "member"), pk=pk)
    state = DeskState.read(request.POST)
    return _answer(request, _done(state, lambda: lending.undo(event, act=_act(request))))


@require_POST
@_at_the_desk
def waive(request: Request, pk: int) -> HttpResponse:
    """Do all the same what was refused, with the reason that was given."""
    events = DeskEvent.objects.select_related("copy", "member", "loan__copy", "loan__member")
    event = get_object_or_404(events, pk=pk, action=DeskAction.REFUSE)
    codes = frozenset(refusal.code for refusal in lending.refusals_of(event))
    waiver = lending.Waiver(codes, request.POST.get("reason", "").strip())
    state, act = DeskState.read(request.POST), _act(request)
    if event.tried == DeskAction.RENEW and event.loan:
        loan = event.loan
        return _answer(request, _done(state, lambda: lending.renew(loan, act=act, waiver=waiver)))
    if event.tried == DeskAction.LEND and event.copy and event.member:
        copy, member = event.copy, event.member
        return _answer(request, _done(state, lambda: lending.lend(copy, member, act=act, waiver=waiver)))
    raise Http404


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
        lending.renew(loan, act=replace(_act(request), at_desk=False))
    except lending.Refused as refused:
        return _show_my_loans(request, refused_loan=loan, refusals=refused.refusals)
    return redirect("loans:my-loans")


# --- scans -------------------------------------------------------------------------------------


def _scanned(request: Request, found: scanning.Scan, state: DeskState) -> DeskState:
    match found.found:
        case scanning.Found.NOTHING_SCANNED:
            return DeskState()
        case scanning.Found.MEMBER:
            return DeskState(member=found.members[0].pk)
        case scanning.Found.COPY:
            return _scanned_copy(request, found.copies[0], state)
        case scanning.Found.CHOICE:
            return DeskState(member=state.member, asked=found.code)
    return _not_understood(request, found, state)


def _scanned_copy(request: Request, copy: Copy, state: DeskState) -> DeskState:
    member = Member.objects.filter(pk=state.member).first() if state.member else None
    shown = DeskEvent.objects.filter(pk=state.event).first() if state.event else None
    act = _act(request)
    if member and request.POST.get("again") == "lend":
        return _done(state, lambda: lending.lend(copy, member, act=act))
    return _done(state, lambda: lending.scan_copy(copy, member, act=act, shown=shown), on_shelf=copy)


def _not_understood(request: Request, found: scanning.Scan, state: DeskState) -> DeskState:
    """The open card is put away: if this was the next family's card, their games must not go on it."""
    damaged = found.found == scanning.Found.DAMAGED
    code = RefusalCode.DAMAGED_CODE if damaged else RefusalCode.UNKNOWN_CODE
    refusal = Refusal(code, data={"code": found.code})
    aside = state.member or state.aside
    answer = _done(state, lambda: lending.refuse_scan(refusal, act=_act(request)))
    return replace(answer, member=None, aside=aside)


def _done(state: DeskState, action: Callable[[], lending.Done], on_shelf: Copy | None = None) -> DeskState:
    """The state after an action: what it answered, with the same member open."""
    after = DeskState(member=state.member, aside=state.aside, all=state.all)
    try:
        done = action()
    except lending.Refused as refused:
        if refused.event is None and on_shelf:
            return replace(after, copy=on_shelf.pk)
        return replace(after, event=refused.event.pk if refused.event else None)
    return replace(after, event=done.event.pk, again=done.repeated)


def _act(request: Request) -> lending.Act:
    return lending.Act(
        by=request.user,
        now=timezone.now(),
        nonce=scanning.clean(request.POST.get("nonce", ""))[:64],
        scanned=scanning.clean(request.POST.get("scan", "")),
        waited=timedelta(seconds=min(panel.row_id(request.POST.get("waited")) or 0, LONGEST_WAIT)),
    )


# --- answers -----------------------------------------------------------------------------------


def _answer(request: Request, state: DeskState) -> HttpResponse:
    return _show(request, state) if request.htmx else redirect(state.url)


def _show(request: Request, state: DeskState) -> HttpResponse:
    """The page, or the panel alone. `nonce` names the next scan of a page without JavaScript."""
    shown = panel.panel(state, request.user, now=timezone.now())
    template = "loans/panel.html" if request.htmx else "loans/desk.html"
    return render(request, template, {"panel": shown, "nonce": uuid4().hex})


def _show_my_loans(
    request: Request, refused_loan: Loan | None = None, refusals: tuple[Refusal, ...] = ()
) -> HttpResponse:
    member = Member.objects.filter(user=request.user).first()
    context = {
        "card": panel.member_card(member, request.user, now=timezone.now()) if member else None,
        "refused_loan": refused_loan,
        "told": messages.explain(refusals, request.user),
        "nonce": uuid4().hex,
        "holds": hold_lists.of_member(member) if member else (),
    }
    return render(request, "loans/my_loans.html", context)
