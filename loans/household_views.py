"""The pages of households: who belongs together, where they live, who comes and who goes."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import requires
from loans import accounts, households, scan
from loans.desk_state import row_id
from loans.member_forms import HouseholdForm
from loans.member_views import MANAGE, ON_A_PAGE
from loans.members import BY_NAME, InUse
from loans.models import Household, HouseholdMove, Loan, Member
from loans.pages import act_of, today


@require_safe
@never_cache
@requires(MANAGE)
def listing(request: HttpRequest) -> HttpResponse:
    """Households by name or town."""
    q = request.GET.get("q", "")
    rows = households.named(q).annotate(cards=Count("members"))
    page = {"q": q, "households": Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))}
    return render(request, "loans/households/list.html", page)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def add(request: HttpRequest) -> HttpResponse:
    """A new household; a member who is named in the address goes into it at once."""
    first = Member.objects.filter(pk=row_id(request.GET.get("member")) or 0).first()
    initial = {"name": first.last_name} if first else None
    form = HouseholdForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        household = households.add_household(form.draft())
        if first:
            households.join([first], household, act=act_of(request))
        return redirect("loans:household", household.pk)
    page = {"form": form, "forms": [form], "first": first}
    return render(request, "loans/households/form.html", page, status=422 if form.errors else 200)


@require_safe
@never_cache
@requires(MANAGE)
def household(request: HttpRequest, pk: int) -> HttpResponse:
    """Who belongs to a household, what they have at home, who came and went."""
    return render(request, "loans/households/household.html", _page(get_object_or_404(Household, pk=pk)))


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """The family moves: another address, or another name."""
    row = get_object_or_404(Household, pk=pk)
    kept = {name: getattr(row, name) for name in households.HouseholdDraft.__dataclass_fields__}
    form = HouseholdForm(request.POST if request.method == "POST" else None, initial=kept)
    if form.is_valid():
        households.update_household(row, form.draft())
        messages.success(request, _("Saved. Cards, loans and the bill stay as they are."))
        return redirect("loans:household", pk)
    page = {"form": form, "forms": [form], "household": row}
    return render(request, "loans/households/form.html", page, status=422 if form.errors else 200)


@require_POST
@requires(MANAGE)
def join(request: HttpRequest, pk: int) -> HttpResponse:
    """Bring a member in, by card or by name."""
    row = get_object_or_404(Household, pk=pk)
    chosen = row_id(request.POST.get("chosen"))
    typed = scan.clean(request.POST.get("card", ""))
    found = tuple(Member.objects.filter(pk=chosen)) if chosen else scan.read(typed).members
    if len(found) != 1:
        page = _page(row) | {"typed": typed, "found": found}
        return render(request, "loans/households/household.html", page, status=422)
    households.join(found, row, act=act_of(request))
    messages.success(
        request, _("%(member)s belongs to %(household)s now.") % {"member": found[0], "household": row}
    )
    return redirect("loans:household", pk)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Let members leave, after saying what goes with them and what stays."""
    row = get_object_or_404(Household, pk=pk)
    given = request.POST if request.method == "POST" else request.GET
    ids = [one for text in given.getlist("who") if (one := row_id(text))]
    leaving = tuple(row.members.filter(pk__in=ids))
    if not leaving:
        messages.error(request, _("Say first who leaves."))
        return redirect("loans:household", pk)
    form = HouseholdForm(request.POST if "together" in request.POST else None)
    if request.method != "POST" or ("together" in request.POST and not form.is_valid()):
        page = {
            "household": row,
            "purses": accounts.purses_of(row),
            "leaving": leaving,
            "loans": _loans(leaving),
            "form": form,
            "forms": [form],
        }
        return render(request, "loans/households/leave.html", page, status=422 if form.errors else 200)
    into = form.draft() if "together" in request.POST else None
    new = households.leave(leaving, row, act=act_of(request), into=into)
    messages.success(request, _("They have left. Their loans have gone with them, the bill has stayed."))
    return redirect("loans:household", new.pk if new else pk)


@require_POST
@requires(MANAGE)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a household that nobody belongs to."""
    row = get_object_or_404(Household, pk=pk)
    try:
        households.delete_household(row)
    except InUse:
        messages.error(request, _("This household has members, or a bill that is kept: it stays."))
        return redirect("loans:household", pk)
    messages.success(request, _("“%(name)s” was removed.") % {"name": row.name})
    return redirect("loans:households")


def _page(row: Household) -> dict[str, Any]:
    at_home = Count("loans", filter=Q(loans__returned_at=None))
    moves = HouseholdMove.objects.filter(Q(left=row) | Q(joined=row))
    return {
        "household": row,
        "purses": accounts.purses_of(row),
        "bill": reverse("loans:money-household", args=[row.pk]),
        "members": row.members.select_related("category").annotate(at_home=at_home).order_by(*BY_NAME),
        "loans": _loans(tuple(row.members.all())),
        "moves": moves.select_related("member", "left", "joined", "by"),
        "today": today(),
    }


def _loans(whose: tuple[Member, ...]) -> Any:
    loans = Loan.objects.filter(member__in=whose, returned_at=None)
    return loans.select_related("copy__game", "member")
