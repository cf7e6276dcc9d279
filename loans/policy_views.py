"""The pages of the policy table, of kinds of membership and of categories of members."""

from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.guard import requires
from loans import members, memberships, policies, scan
from loans.models import MemberCategory, MembershipKind, PolicyRow, PolicyRule
from loans.policies import Decision
from loans.policy_forms import CategoryForm, ExplainForm, KindForm, PolicyForm
from loans.policy_rules import default_of, value_of
from loans.policy_words import WHY, shown_games, shown_value

MANAGE = "loans.manage_policies"


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table in words; `why` it does not decide, where that was asked."""

    row: PolicyRow
    value: str
    games: str
    why: Any = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A rule with its rows, the most exact first, and what holds where none of them does."""

    rule: PolicyRule
    lines: tuple[Line, ...]
    built_in: str

    @property
    def height(self) -> int:
        """How many rows of the page it takes."""
        return len(self.lines) + 1


@dataclass(frozen=True, slots=True)
class KindLine:
    """A kind of membership, and the day on which it ends, of a year that has it."""

    kind: MembershipKind
    last_day: date | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What one rule comes to for a member and a game: the value, the row (None: built in), the others."""

    rule: PolicyRule
    value: str
    line: Line | None
    lost: tuple[Line, ...]


# --- the table ---------------------------------------------------------------------------------


@require_safe
@never_cache
@requires(MANAGE)
def table(request: HttpRequest) -> HttpResponse:
    """The whole table, and what would apply to a member and a game."""
    asked = request.GET if "card" in request.GET else None
    form = ExplainForm(asked)
    page: dict[str, Any] = {"groups": _groups(), "form": form}
    if form.is_valid():
        page |= _explained(form.cleaned_data["card"], form.cleaned_data["box"])
    return render(request, "loans/policies/table.html", page)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def add(request: HttpRequest, rule: str) -> HttpResponse:
    """A new row for a rule."""
    if rule not in PolicyRule.values:
        raise Http404
    return _edit(request, PolicyRule(rule), None)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a row: the value, or for whom it is."""
    row = get_object_or_404(policies.all_rows(), pk=pk)
    return _edit(request, PolicyRule(row.rule), row)


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a row out, after saying how many open loans it decides."""
    row = get_object_or_404(policies.all_rows(), pk=pk)
    if request.method == "POST":
        policies.delete_policy(row)
        messages.success(request, _("The row was removed: what is less exact holds again."))
        return redirect("loans:policies")
    page = {
        "line": _line(row),
        "touched": policies.touched(row, None),
        "of_holds": row.rule in policies.OF_HOLDS,
    }
    return render(request, "loans/policies/delete.html", page)


def _edit(request: HttpRequest, rule: PolicyRule, row: PolicyRow | None) -> HttpResponse:
    if request.method != "POST":
        return _form(request, PolicyForm(rule, row), row)
    form = PolicyForm(rule, row, request.POST)
    if not form.is_valid():
        return _form(request, form, row, status=422)
    touched = policies.touched(row, form.draft())
    if touched and request.POST.get("agreed") != form.fingerprint:
        return _form(request, form, row, touched=touched)
    try:
        policies.save_policy(row, form.draft())
    except policies.ScopeTaken as taken:
        return _form(request, form, row, status=409, other=_line(taken.row))
    messages.success(request, _saved(rule, touched))
    return redirect("loans:policies")


def _saved(rule: PolicyRule, touched: int) -> str:
    if not touched:
        return _("Saved. No open loan and no reservation is touched.")
    if rule in policies.OF_HOLDS:
        text = ngettext(
            "Saved. %(holds)s reservation stays as it was promised.",
            "Saved. %(holds)s reservations stay as they were promised.",
            touched,
        )
        return text % {"holds": touched}
    text = ngettext(
        "Saved. %(loans)s open loan keeps its due date; the new value counts from its next renewal on.",
        "Saved. %(loans)s open loans keep their due dates; the new value counts from their next renewal on.",
        touched,
    )
    return text % {"loans": touched}


def _form(
    request: HttpRequest, form: PolicyForm, row: PolicyRow | None, *, status: int = 200, **more: Any
) -> HttpResponse:
    page = {
        "form": form,
        "forms": [form],
        "row": row,
        "built_in": shown_value(form.rule, default_of(form.rule)),
        "of_holds": form.rule in policies.OF_HOLDS,
    }
    return render(request, "loans/policies/form.html", page | more, status=status)


def _groups() -> list[Group]:
    rows = sorted(policies.all_rows(), key=_table_order)
    by_rule = {rule: tuple(map(_line, kept)) for rule, kept in groupby(rows, key=lambda row: row.rule)}
    return [Group(r, by_rule.get(r, ()), shown_value(r, default_of(r))) for r in PolicyRule]


def _table_order(row: PolicyRow) -> tuple[Any, ...]:
    """The rows of a rule together, the most exact first."""
    return (
        row.rule,
        row.branch is None,
        row.member_category is None,
        row.game_category is None,
        -len(row.class_prefix),
        str(row.branch or ""),
        str(row.member_category or ""),
        str(row.game_category or row.class_prefix),
    )


def _line(row: PolicyRow, why: Any = "") -> Line:
    return Line(row, shown_value(PolicyRule(row.rule), value_of(row)), shown_games(row), why)


# --- what would apply, and why -----------------------------------------------------------------


def _explained(card: str, box: str) -> dict[str, Any]:
    found_members, found_copies = scan.read(card).members, scan.read(box).copies if box else ()
    if len(found_members) != 1:
        return {"choices": found_members, "asked": True}
    if box and not found_copies:
        return {"no_box": True, "asked": True}
    member, copy = found_members[0], found_copies[0] if found_copies else None
    answers = tuple(map(_answer, policies.explain(member, copy)))
    return {"member": member, "copy": copy, "answers": answers, "asked": True}


def _answer(decision: Decision) -> Answer:
    return Answer(
        rule=decision.rule,
        value=shown_value(decision.rule, decision.value),
        line=_line(decision.row) if decision.row else None,
        lost=tuple(_line(lost.row, WHY[lost.why]) for lost in decision.lost),
    )


# --- kinds of membership -----------------------------------------------------------------------


@require_safe
@never_cache
@requires(MANAGE)
def kinds(request: HttpRequest) -> HttpResponse:
    """What memberships the library sells."""
    lines = [KindLine(row, _fixed_day(row)) for row in MembershipKind.objects.all()]
    return render(request, "loans/policies/kinds.html", {"kinds": lines})


def _fixed_day(row: MembershipKind) -> date | None:
    leap_year = 2024
    return date(leap_year, row.ends_month, row.ends_day) if row.ends_month and row.ends_day else None


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def kind(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """Add a kind of membership, or change one."""
    row = get_object_or_404(MembershipKind, pk=pk) if pk else None
    form = KindForm(row, request.POST if request.method == "POST" else None)
    if form.is_valid():
        memberships.save_kind(row, form.draft())
        messages.success(request, _("Saved. What was sold before stays as it was."))
        return redirect("loans:membership-kinds")
    page = {"form": form, "forms": [form], "kind": row}
    return render(request, "loans/policies/kind.html", page, status=422 if form.errors else 200)


@require_POST
@requires(MANAGE)
def delete_kind(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a kind that was never sold."""
    row = get_object_or_404(MembershipKind, pk=pk)
    try:
        memberships.delete_kind(row)
    except members.InUse:
        messages.error(request, _("This membership has been sold before: take it off sale instead."))
        return redirect("loans:membership-kind", pk)
    messages.success(request, _("“%(name)s” was removed.") % {"name": row.name})
    return redirect("loans:membership-kinds")


# --- categories of members -----------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@never_cache
@requires(MANAGE)
def categories(request: HttpRequest) -> HttpResponse:
    """The categories of members, and a new one."""
    return _categories(request, None)


@require_POST
@requires(MANAGE)
def rename_category(request: HttpRequest, pk: int) -> HttpResponse:
    """Another name for a category."""
    return _categories(request, get_object_or_404(MemberCategory, pk=pk))


@require_POST
@requires(MANAGE)
def delete_category(request: HttpRequest, pk: int) -> HttpResponse:
    """Remove a category that nobody is of."""
    row = get_object_or_404(MemberCategory, pk=pk)
    try:
        members.delete_category(row)
    except members.InUse:
        text = _("“%(name)s” has members or policies: give those another category first.")
        messages.error(request, text % {"name": row.name})
    else:
        messages.success(request, _("“%(name)s” was removed.") % {"name": row.name})
    return redirect("loans:member-categories")


def _categories(request: HttpRequest, row: MemberCategory | None) -> HttpResponse:
    form = CategoryForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            members.save_category(row, form.cleaned_data["name"])
        except members.NameTaken:
            form.add_error("name", _("There is a category of this name already."))
        else:
            messages.success(request, _("Saved."))
            return redirect("loans:member-categories")
    page = {"categories": MemberCategory.objects.all(), "form": form, "forms": [form], "renamed": row}
    return render(request, "loans/policies/categories.html", page, status=422 if form.errors else 200)
