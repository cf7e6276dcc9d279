"""Pages of what a household or a member owes: the statement, the forms of the till, the receipts.

Each form says in `do` what it does. What is refused comes back with all that was typed.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.contrib.auth.decorators import login_required, permission_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from catalogue.models import Branch
from loans import accounts, ledger, messages, money_forms, paper, receipts, till
from loans.act import Act, Refused
from loans.amounts import shown_number
from loans.ledger import Method
from loans.models import Account, AccountKind, Entry, EntryKind, Household, Loan, Member, Voucher
from loans.pages import Request, act_of, at_the_till
from loans.rules import RefusalCode


@dataclass(frozen=True, slots=True)
class Asked:
    """A form that was sent and read: what it says, on which account, at which till."""

    account: Account
    values: dict[str, Any]
    act: Act
    branch: Branch | None


# --- the pages -----------------------------------------------------------------------------------


@require_safe
@at_the_till
def index(request: Request) -> HttpResponse:
    """Who owes something, the most first, and who has credit."""
    return render(request, "loans/money/index.html", {"owing": accounts.with_balance()})


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_till
def of_member(request: Request, pk: int) -> HttpResponse:
    """The account that a member's loans go on; a member of a household is led to the household's."""
    member = get_object_or_404(Member.objects.select_related("household"), pk=pk)
    if member.household_id:
        return redirect("loans:money-household", member.household_id)
    return _page(request, member)


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_till
def of_household(request: Request, pk: int) -> HttpResponse:
    """The one account of a household."""
    return _page(request, get_object_or_404(Household, pk=pk))


@require_safe
@at_the_till
def account(request: Request, pk: int) -> HttpResponse:  # noqa: ARG001 - Django's signature
    """The page of an account by its number."""
    found = get_object_or_404(Account, pk=pk, kind=AccountKind.OWED)
    return redirect(url_of(found))


@require_POST
@at_the_till
def reverse_entry(request: Request, pk: int) -> HttpResponse:
    """Take an entry back; the same page shows what became of it."""
    entry = get_object_or_404(Entry.objects.select_related("by"), pk=pk)
    if not ledger.may_reverse(request.user, entry, now=timezone.now()):
        return permission_refused(request)
    try:
        ledger.reverse(entry, act=act_of(request), note=request.POST.get("note", ""))
    except Refused as refused:
        told = messages.explain(refused.refusals, request.user)
        return render(request, "loans/money/refused.html", {"told": told, "back": _back(entry)}, status=409)
    return redirect(_back(entry))


@require_POST
@at_the_till
def refund(request: Request, pk: int) -> HttpResponse:
    """Give the fee of a loan back that came home on the same day, and go back to the desk."""
    loan = get_object_or_404(Loan.objects.select_related("copy__branch", "member__household"), pk=pk)
    desk = f"{reverse('loans:desk')}?member={loan.member_id}"
    try:
        ledger.refund_same_day(loan, act=act_of(request))
    except Refused as refused:
        told = messages.explain(refused.refusals, request.user)
        return render(request, "loans/money/refused.html", {"told": told, "back": desk}, status=409)
    return redirect(desk)


@require_safe
@at_the_till
def receipt(request: Request, pk: int) -> HttpResponse:
    """The receipt of an entry, as a page or as a PDF (`?paper=roll` or `a4`)."""
    rows = Entry.objects.prefetch_related("lines__debit", "lines__credit")
    entry = get_object_or_404(rows.select_related("branch", "member", "loan__copy__game"), pk=pk)
    told, name = receipts.of_entry(entry), f"receipt-{entry.pk}"
    return _receipt(request, told, name, back=_back(entry), entry=entry.pk)


@require_safe
@never_cache
@login_required
@permission_required("loans.use_desk", raise_exception=True)
def loans_receipt(request: Request, pk: int) -> HttpResponse:
    """What the member has at home, on paper."""
    member = get_object_or_404(Member, pk=pk)
    back = f"{reverse('loans:desk')}?member={member.pk}"
    name = f"games-{member.card_number}"
    return _receipt(request, receipts.of_loans(member, now=timezone.now()), name, back=back)


@require_http_methods(["GET", "HEAD", "POST"])
@at_the_till
def vouchers(request: Request) -> HttpResponse:
    """Vouchers: sell one, and see which were redeemed."""
    branches, here = tills(request)
    form = money_forms.VoucherForm(request.POST or None, branches=branches, here=here)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data["method"] == form.GIVEN
        if given and not ledger.may_give_away(request.user):
            return permission_refused(request)
        try:
            voucher = ledger.issue_voucher(
                form.cleaned_data["amount"],
                act=act_of(request),
                method=None if given else Method(form.cleaned_data["method"]),
                branch=form.cleaned_data.get("branch") or here,
                note=form.cleaned_data["note"],
            )
            return redirect("loans:money-receipt", voucher.entry_id)
        except Refused as refused:
            tell(form, refused, request)
    issued = Voucher.objects.select_related("entry__reversed_by").prefetch_related("uses__entry__reversed_by")
    context = {"form": form, "vouchers": issued.order_by("-pk")[:200], "nonce": nonce_of(request)}
    return render(request, "loans/money/vouchers.html", context)


# --- one account ---------------------------------------------------------------------------------


def _page(request: Request, owner: Household | Member) -> HttpResponse:
    branches, here = tills(request)
    forms = {name: form(branches=branches, here=here) for name, (form, _do, _right) in ACTIONS.items()}
    purses = accounts.purses_of(owner)
    forms["pay"].initial["amount"] = shown_number(purses.debt) if purses.debt else ""
    if request.method == "POST":
        name = request.POST.get("do", "")
        if name not in ACTIONS:
            raise Http404
        form_class, do, right = ACTIONS[name]
        if not request.user.has_perm(right):
            return permission_refused(request)
        forms[name] = form_class(request.POST, branches=branches, here=here)
        if entry := _done(request, owner, forms[name], do, here):
            return redirect(f"{url_of_owner(owner)}?entry={entry.pk}")
    return render(request, "loans/money/account.html", _context(request, owner, purses, forms))


def _done(
    request: Request,
    owner: Household | Member,
    form: money_forms.TillForm,
    do: Callable[[Asked], Entry],
    here: Branch | None,
) -> Entry | None:
    """The entry that the form asked for, or None: then the form says why not."""
    if not form.is_valid():
        return None
    try:
        account = ledger.account_of_owner(owner)
        branch = form.cleaned_data.get("branch") or here
        return do(Asked(account, form.cleaned_data, act_of(request), branch))
    except Refused as refused:
        tell(form, refused, request)
        return None


def _context(
    request: Request, owner: Household | Member, purses: accounts.Purses, forms: dict[str, Any]
) -> dict[str, Any]:
    account = accounts.find(owner)
    lines = accounts.statement(account) if account else ()
    entry = request.GET.get("entry", "")
    done = next((line.entry for line in lines if str(line.entry.pk) == entry), None)
    now = timezone.now()
    return {
        "owner": owner,
        "members": owner.members.all() if isinstance(owner, Household) else [owner],
        "purses": purses,
        "open": [line for line in lines if line.charge and line.charge.open_cents],
        "lines": [(line, ledger.may_reverse(request.user, line.entry, now=now)) for line in reversed(lines)],
        "forms": forms,
        "sent": request.POST.get("do", ""),
        "done": done,
        "change": _change(done),
        "nonce": nonce_of(request),
    }


def _change(entry: Entry | None) -> int:
    """What is given back of what was laid on the counter."""
    if entry is None or not entry.tendered_cents:
        return 0
    return entry.tendered_cents - receipts.cents_of(entry)


def _pay(asked: Asked) -> Entry:
    if asked.values["method"] == money_forms.PREPAID:
        return ledger.pay_prepaid(asked.account, asked.values["amount"], act=asked.act)
    return ledger.receive(
        asked.account,
        Method(asked.values["method"]),
        asked.values["amount"],
        act=asked.act,
        branch=asked.branch,
        keep_rest=asked.values["keep_rest"],
    )


def _charge(asked: Asked) -> Entry:
    kind = EntryKind(asked.values["kind"])
    if asked.values["amount"] == 0:
        raise Refused.because(RefusalCode.AMOUNT_MISSING)
    return ledger.charge(
        asked.account, kind, asked.values["amount"], act=asked.act, note=asked.values["note"]
    )


def _top_up(asked: Asked) -> Entry:
    method = Method(asked.values["method"])
    return ledger.top_up(asked.account, method, asked.values["amount"], act=asked.act, branch=asked.branch)


def _pay_out(asked: Asked) -> Entry:
    method = Method(asked.values["method"])
    return ledger.pay_out(asked.account, method, asked.values["amount"], act=asked.act, branch=asked.branch)


def _redeem(asked: Asked) -> Entry:
    return ledger.redeem_voucher(asked.account, asked.values["code"], act=asked.act)


def _deposit(asked: Asked) -> Entry:
    amount, note = asked.values["amount"], asked.values["note"]
    if asked.values["what"] == money_forms.DepositForm.BACK:
        return ledger.give_deposit_back(asked.account, amount, act=asked.act)
    return ledger.keep_deposit(asked.account, amount, act=asked.act, note=note)


ACTIONS: dict[str, tuple[type[money_forms.TillForm], Callable[[Asked], Entry], str]] = {
    "pay": (money_forms.PayForm, _pay, "loans.use_till"),
    "charge": (money_forms.ChargeForm, _charge, "loans.use_till"),
    "top_up": (money_forms.TopUpForm, _top_up, "loans.use_till"),
    "redeem": (money_forms.RedeemForm, _redeem, "loans.use_till"),
    "pay_out": (money_forms.PayOutForm, _pay_out, "loans.use_till"),
    "deposit": (money_forms.DepositForm, _deposit, "loans.manage_money"),
}


# --- for all pages of the till -------------------------------------------------------------------


def tills(request: Request) -> tuple[list[Branch], Branch | None]:
    """The branches, and the one at whose till this person works."""
    branches = list(Branch.objects.all())
    return branches, till.till_of(request.user, branches)


def tell(form: Any, refused: Refused, request: Request) -> None:
    """Say above the form why not."""
    for told in messages.explain(refused.refusals, request.user):
        form.add_error(None, told.sentence)


def permission_refused(request: HttpRequest) -> HttpResponse:
    """The page for who may not."""
    return render(request, "403.html", status=403)


def url_of_owner(owner: Household | Member) -> str:
    """The page of an owner's account."""
    name = "loans:money-household" if isinstance(owner, Household) else "loans:money-member"
    return reverse(name, args=[owner.pk])


def url_of(account: Account) -> str:
    """The page of a personal account."""
    owner = account.household or account.member
    return url_of_owner(owner) if owner else reverse("loans:till")


def _back(entry: Entry) -> str:
    personal = accounts.personal_of(entry)
    return url_of(personal) if personal else reverse("loans:till")


def nonce_of(request: Request) -> str:
    """A form that comes back because of an error keeps its name; a new page gets a new one."""
    return request.POST.get("nonce", "") or uuid4().hex


def _receipt(
    request: Request, told: receipts.Receipt, name: str, *, back: str, entry: int | None = None
) -> HttpResponse:
    wanted = request.GET.get("paper", "")
    if not wanted:
        return render(request, "loans/money/receipt.html", {"receipt": told, "back": back, "entry": entry})
    if wanted not in set(paper.Paper):
        raise Http404(_("Paper is roll or a4."))
    response = HttpResponse(
        paper.pdf_of(told.as_document(), paper.Paper(wanted)), content_type="application/pdf"
    )
    response["Content-Disposition"] = f'inline; filename="{name}.pdf"'
    return response
