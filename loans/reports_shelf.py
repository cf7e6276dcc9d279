"""What is late, what comes back when, what nobody takes. Only reads."""

from datetime import timedelta

from django.db.models import Count, Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext as _

from catalogue.models import Condition, Copy
from loans.models import Loan
from loans.reports_cut import Cut, loans_of
from loans.tables import Cell, Table

MOST_ROWS = 2000
DAYS_AHEAD = 42


def late(cut: Cut) -> Table:
    """Each late game with whoever has it, and how to reach them."""
    loans = loans_of(cut, in_span=False).filter(returned_at=None, due_on__lt=cut.today)
    rows = loans.select_related("copy__game", "copy__branch", "member__household")
    found = list(rows.order_by("due_on", "pk")[:MOST_ROWS])
    return Table(
        columns=(
            *(_("Member"), _("Card"), _("Game"), _("Barcode"), _("Branch"), _("Due"), _("Days late")),
            *(_("E-mail"), _("Phone")),
        ),
        rows=[_late_row(loan, cut) for loan in found],
        urls=[f"{reverse('loans:desk')}?member={loan.member_id}" for loan in found],
        note=_more(len(found)),
    )


def _late_row(loan: Loan, cut: Cut) -> tuple[Cell, ...]:
    member, copy = loan.borrower, loan.copy
    phone = member.household.phone if member.household else ""
    days = (cut.today - loan.due_on).days
    branch = str(copy.branch or "")
    return (
        *(str(member), member.card_number, str(copy.game), copy.barcode, branch, loan.due_on, days),
        *(member.email, phone),
    )


def expected(cut: Cut) -> Table:
    """Each day of the coming weeks on which something is due."""
    last = cut.today + timedelta(days=DAYS_AHEAD)
    loans = loans_of(cut, in_span=False).filter(returned_at=None, due_on__range=(cut.today, last))
    counted = loans.values_list("due_on").annotate(Count("pk")).order_by("due_on")
    return Table(columns=(_("Day"), _("Games due")), rows=list(counted), bars=(1,))


def never_lent(cut: Cut) -> Table:
    """The boxes in service without a loan in the span; the games that have one are told apart."""
    lent = loans_of(cut).filter(copy=OuterRef("pk"))
    other = loans_of(cut).filter(copy__game=OuterRef("game"))
    copies = Copy.objects.filter(~Exists(lent)).exclude(condition__in=GONE)
    if cut.branch:
        copies = copies.filter(branch=cut.branch)
    rows = copies.select_related("game", "section", "branch").annotate(twin=Exists(other))
    found = list(rows.order_by("game__title_key", "barcode")[:MOST_ROWS])
    return Table(
        columns=(
            _("Game"),
            _("Barcode"),
            _("Call number"),
            _("Section"),
            _("Branch"),
            _("Another box was lent"),
        ),
        rows=[
            (
                *(str(copy.game), copy.barcode, copy.call_number, str(copy.section or "")),
                *(str(copy.branch or ""), _("yes") if copy.twin else ""),
            )
            for copy in found
        ],
        urls=[reverse("game", args=[copy.game_id]) for copy in found],
        note=_more(len(found)),
    )


GONE = (Condition.LOST, Condition.WITHDRAWN, Condition.DONATED)


def _more(found: int) -> str:
    if found < MOST_ROWS:
        return ""
    return _("Only the first %(many)s are listed: narrow the filters.") % {"many": MOST_ROWS}
