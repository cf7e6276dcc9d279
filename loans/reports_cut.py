"""By what lists and figures are cut: days, a branch, a category of members."""

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from catalogue.models import Branch
from loans.borrowers import Borrower, with_borrower
from loans.models import Loan, LoanPlace, MemberCategory

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The days from the first to the last, both included; what is None is not asked."""

    today: date
    first_on: date
    last_on: date
    branch: Branch | None = None
    category: MemberCategory | None = None


def loans_of(cut: Cut, *, in_span: bool = True) -> "QuerySet[WithAnnotations[Loan, Borrower]]":
    """The loans that count: not undone, not of a games day, with what is known of the borrower."""
    loans = with_borrower(Loan.objects.filter(voided=False).exclude(place=LoanPlace.GAMES_DAY))
    if in_span:
        loans = loans.filter(lent_on__range=(cut.first_on, cut.last_on))
    if cut.branch:
        loans = loans.filter(copy__branch=cut.branch)
    if cut.category:
        loans = loans.filter(category=cut.category.pk)
    return loans.order_by()
