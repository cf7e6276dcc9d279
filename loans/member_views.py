"""The pages of members: find one, register one in a minute, sell a membership, block and lift."""

from datetime import date
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import requires
from loans import accounts, members, memberships, panel, situation
from loans.desk_state import row_id
from loans.member_forms import BlockForm, MemberForm, NewMemberForm
from loans.members import MemberDraft
from loans.models import Block, Household, Loan, Member, MemberCategory, Membership, MembershipKind
from loans.pages import act_of, today

MANAGE = "loans.manage_members"
ON_A_PAGE = 50


# --- finding -----------------------------------------------------------------------------------


@require_safe
@never_cache
@requires(MANAGE)
def listing(request: HttpRequest) -> HttpResponse:
    """Members by name or card, and those of a category or a state."""
    q, state = request.GET.get("q", ""), request.GET.get("state", "")
    category = row_id(request.GET.get("category"))
    found = _in_state(members.named(q), state, today())
    if category:
        found = found.filter(category=category)
    at_home = Count("loans", filter=Q(loans__returned_at=None))
    rows = found.select_related("household", "category").annotate(at_home=at_home).order_by(*members.BY_NAME)
    page = {
        "q": q,
        "state": state,
        "category": category,
        "categories": MemberCategory.objects.all(),
        "members": Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page")),
        "today": today(),
    }
    return render(request, "loans/members/list.html", page)


def _in_state(found: QuerySet[Member], state: str, on: date) -> QuerySet[Member]:
    match state:
        case "blocked":
            return found.filter(Exists(Block.objects.filter(situation.in_force(on), member=OuterRef("pk"))))
        case "ended":
            return found.filter(membership_ends_on__lt=on)
        case "unsigned":
            return found.filter(conditions_signed_on=None)
        case "late":
            late = Loan.objects.filter(member=OuterRef("pk"), returned_at=None, due_on__lt=on)
            return found.filter(Exists(late))
    return found


# --- registering -------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def add(request: HttpRequest) -> HttpResponse:
    """A new member, perhaps of a household; the membership is sold at once."""
    household = Household.objects.filter(pk=row_id(request.GET.get("household")) or 0).first()
    seen = MemberDraft(card_number=members.next_card_number(), last_name=household.name if household else "")
    if request.method != "POST":
        return _add_form(request, NewMemberForm(seen, today()), household)
    form = NewMemberForm(seen, today(), request.POST)
    if not form.is_valid():
        return _add_form(request, form, household, status=422)
    try:
        member = members.add_member(form.draft(), household)
    except members.CardTaken as taken:
        return _add_form(request, form, household, status=409, holder=taken.member)
    if kind := form.cleaned_data.get("kind"):
        memberships.sell(kind, member, act=act_of(request))
    messages.success(request, _("%(member)s was added.") % {"member": member})
    if "another" in request.POST:
        return redirect(request.get_full_path())
    return redirect("loans:member", member.pk)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Correct what is kept of a member."""
    member = get_object_or_404(Member.objects.select_related("user", "category"), pk=pk)
    seen = members.describe_member(member)
    form = MemberForm(seen, today(), request.POST if request.method == "POST" else None, pk=pk)
    page: dict[str, Any] = {"form": form, "forms": [form], "member": member}
    if form.is_valid():
        try:
            members.update_member(member, form.draft())
        except members.CardTaken as taken:
            return render(request, "loans/members/edit.html", page | {"holder": taken.member}, status=409)
        messages.success(request, _("Saved."))
        return redirect("loans:member", pk)
    return render(request, "loans/members/edit.html", page, status=422 if form.errors else 200)


@require_POST
@requires(MANAGE)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a member who has never borrowed."""
    member = get_object_or_404(Member, pk=pk)
    try:
        members.delete_member(member)
    except members.InUse:
        text = _("%(member)s has borrowed or paid before, and that is kept: block the card instead.")
        messages.error(request, text % {"member": member})
        return redirect("loans:member", pk)
    messages.success(request, _("%(member)s was removed.") % {"member": member})
    return redirect("loans:members")


def _add_form(
    request: HttpRequest, form: NewMemberForm, household: Household | None, *, status: int = 200, **more: Any
) -> HttpResponse:
    page = {"form": form, "forms": [form], "household": household, "nonce": uuid4().hex}
    return render(request, "loans/members/add.html", page | more, status=status)


# --- one member --------------------------------------------------------------------------------


@require_safe
@never_cache
@requires(MANAGE)
def member(request: HttpRequest, pk: int) -> HttpResponse:
    """All that the desk should know of a member, and all that it can do."""
    return _page(request, pk, BlockForm(today()))


@require_POST
@requires(MANAGE)
def sell(request: HttpRequest, pk: int, kind: int) -> HttpResponse:
    """Sell a membership, to the member or to the whole household."""
    buyer = get_object_or_404(Member, pk=pk)
    sale = memberships.sell(get_object_or_404(MembershipKind, pk=kind), buyer, act=act_of(request))
    text = _("Sold: %(kind)s, until %(day)s.")
    messages.success(request, text % {"kind": sale.kind, "day": date_format(sale.ends_on)})
    return redirect("loans:member", pk)


@require_POST
@requires(MANAGE)
def take_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a sale back that was a mistake."""
    sale = get_object_or_404(Membership.objects.select_related("member"), pk=pk)
    try:
        memberships.take_back(sale, act=act_of(request))
    except memberships.SoldSince:
        messages.error(
            request, _("The last day has been changed since: correct it on the page of the member instead.")
        )
    else:
        messages.success(request, _("The sale was taken back: the last days are those from before."))
    return redirect("loans:member", sale.member_id)


@require_POST
@requires(MANAGE)
def sign(request: HttpRequest, pk: int) -> HttpResponse:
    """The conditions were signed today, or were not after all."""
    members.sign_conditions(get_object_or_404(Member, pk=pk), today() if "signed" in request.POST else None)
    return redirect("loans:member", pk)


@require_POST
@requires(MANAGE)
def block(request: HttpRequest, pk: int) -> HttpResponse:
    """Block the card, for a reason and perhaps to a last day."""
    blocked = get_object_or_404(Member, pk=pk)
    form = BlockForm(today(), request.POST)
    if not form.is_valid():
        return _page(request, pk, form, status=422)
    reason, ends_on = form.cleaned_data["reason"], form.cleaned_data["ends_on"]
    members.block(blocked, reason, starts_on=today(), ends_on=ends_on, by=act_of(request).by)
    return redirect("loans:member", pk)


@require_POST
@requires(MANAGE)
def lift(request: HttpRequest, pk: int) -> HttpResponse:
    """Lift a block."""
    row = get_object_or_404(Block, pk=pk)
    act = act_of(request)
    members.lift(row, by=act.by, now=act.now)
    return redirect("loans:member", row.member_id)


def _page(request: HttpRequest, pk: int, form: BlockForm, *, status: int = 200) -> HttpResponse:
    rows = Member.objects.select_related("household", "category", "user")
    shown = get_object_or_404(rows, pk=pk)
    assert isinstance(request.user, User)  # noqa: S101 - `requires` has seen to it
    blocks = shown.blocks.select_related("by", "lifted_by")
    in_force = situation.in_force(today())
    page = {
        "member": shown,
        "card": panel.member_card(shown, request.user, now=timezone.now()),
        "purses": accounts.purses_of(accounts.owner_of(shown)),
        "bill": reverse("loans:money-member", args=[pk]),
        "own_debt": accounts.purses_of(shown).debt if shown.household else 0,
        "offers": memberships.offers(shown, today()),
        "sales": memberships.sales_of(shown)[:10],
        "blocks": blocks.filter(in_force),
        "old_blocks": blocks.exclude(pk__in=blocks.filter(in_force)),
        "form": form,
        "forms": [form],
        "today": today(),
        "nonce": uuid4().hex,
    }
    return render(request, "loans/members/member.html", page, status=status)
