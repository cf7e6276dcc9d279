"""Loans counted: by game, month, year, age, category, branch, postcode area. Only reads.

Who borrowed is told by `borrowers`, so that forgetting somebody changes no figure here.
"""

from collections.abc import Iterable
from datetime import date

from django.db.models import Count, F, Min, QuerySet, Sum
from django.db.models.functions import ExtractMonth, ExtractYear
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from catalogue.models import Branch, Category
from loans.borrowers import AGE_BANDS, OLDEST
from loans.models import Loan, MemberCategory, Membership
from loans.reports_cut import Cut, loans_of
from loans.tables import Cell, Table

MOST_GAMES = 100
MOST_YEARS = 20


def by_game(cut: Cut) -> Table:
    """The most lent games."""
    counted = loans_of(cut).values_list("copy__game__title", "copy__game").annotate(n=Count("pk"))
    rows = counted.order_by("-n", "copy__game__title")[:MOST_GAMES]
    return Table(
        columns=(_("Game"), _("Loans")), rows=[(title, many) for title, _pk, many in rows], bars=(1,)
    )


def by_game_category(cut: Cut) -> Table:
    """By category of the game; one of two categories counts in both."""
    counted = loans_of(cut).values_list("copy__game__categories").annotate(Count("pk"))
    names = {pk: str(category) for pk, category in Category.objects.in_bulk().items()}
    return _counted(_("Category"), [(names.get(pk, ""), many) for pk, many in counted])


def by_age(cut: Cut) -> Table:
    """By age band, the youngest first; every band is there, also without a loan."""
    counted = dict(loans_of(cut).values_list("band").annotate(Count("pk")))
    bands = [*(band for _limit, band in AGE_BANDS), OLDEST]
    rows: list[tuple[Cell, ...]] = [(band.replace("-", "–"), counted.get(band, 0)) for band in bands]
    if unknown := counted.get("", 0):
        rows.append((_("not said"), unknown))
    return _with_total(_("Age"), rows)


def by_member_category(cut: Cut) -> Table:
    """By category of the member."""
    counted = loans_of(cut).values_list("category").annotate(Count("pk"))
    names = {pk: one.name for pk, one in MemberCategory.objects.in_bulk().items()}
    return _counted(_("Member category"), [(names.get(pk or 0, ""), many) for pk, many in counted])


def by_branch(cut: Cut) -> Table:
    """By the branch where the box stands."""
    counted = loans_of(cut).values_list("copy__branch").annotate(Count("pk"))
    names = {pk: branch.name for pk, branch in Branch.objects.in_bulk().items()}
    return _counted(_("Branch"), [(names.get(pk, ""), many) for pk, many in counted])


def by_area(cut: Cut) -> Table:
    """By the beginning of the postcode."""
    return _counted(_("Postcode area"), loans_of(cut).values_list("area").annotate(Count("pk")))


def by_month(cut: Cut) -> Table:
    """Each month of the span beside the same month of the year before."""
    first = date(cut.first_on.year - 1, cut.first_on.month, 1)
    loans = loans_of(cut, in_span=False).filter(lent_on__range=(first, cut.last_on))
    counted = _by_month(loans)
    rows: list[tuple[Cell, ...]] = []
    year, month = cut.first_on.year, cut.first_on.month
    while (year, month) <= (cut.last_on.year, cut.last_on.month):
        name = date_format(date(year, month, 1), "YEAR_MONTH_FORMAT")
        rows.append((name, counted.get((year, month), 0), counted.get((year - 1, month), 0)))
        year, month = (year, month + 1) if month < 12 else (year + 1, 1)
    return Table(
        columns=(_("Month"), _("Loans"), _("The year before")),
        rows=rows,
        bars=(1, 2),
        total=(_("Together"), _sum(rows, 1), _sum(rows, 2)),
        note=_("Whole months are counted."),
    )


def _by_month(loans: QuerySet[Loan]) -> dict[tuple[int, int], int]:
    dated = loans.annotate(y=ExtractYear("lent_on"), m=ExtractMonth("lent_on"))
    return {(y, m): n for y, m, n in dated.values_list("y", "m").annotate(Count("pk"))}


def by_year(cut: Cut) -> Table:
    """Each year: loans, renewals, games that were lent, members who came for the first time."""
    dated = loans_of(cut, in_span=False).annotate(y=ExtractYear("lent_on"))
    counted = dated.values_list("y").annotate(
        Count("pk"), Sum("renewals"), Count("copy__game", distinct=True)
    )
    new = _new_members(cut)
    rows: list[tuple[Cell, ...]] = [
        (str(year), loans, renewals, games, new.get(year, 0))
        for year, loans, renewals, games in counted.order_by("-y")[:MOST_YEARS]
    ]
    return Table(
        columns=(_("Year"), _("Loans"), _("Renewals"), _("Games lent"), _("New members")),
        rows=rows,
        bars=(1,),
        note=_("A member is new in the year of the first membership; members have no branch."),
    )


def _new_members(cut: Cut) -> dict[int, int]:
    sold = Membership.objects.filter(cancelled_at=None)
    if cut.category:
        sold = sold.filter(member__category=cut.category)
    firsts = sold.order_by().values("member").annotate(first_on=Min("starts_on"))
    found: dict[int, int] = {}
    for year in firsts.annotate(y=ExtractYear(F("first_on"))).values_list("y", flat=True):
        found[year] = found.get(year, 0) + 1
    return found


# --- counting ------------------------------------------------------------------------------------


def _counted(column: str, counted: Iterable[tuple[str, int]]) -> Table:
    """The most first; what is not said last."""
    found: dict[str, int] = {}
    for name, many in counted:
        found[name] = found.get(name, 0) + many
    unknown = found.pop("", 0)
    rows: list[tuple[Cell, ...]] = [*sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))]
    if unknown:
        rows.append((_("not said"), unknown))
    return _with_total(column, rows)


def _with_total(column: str, rows: list[tuple[Cell, ...]]) -> Table:
    return Table(columns=(column, _("Loans")), rows=rows, bars=(1,), total=(_("Together"), _sum(rows, 1)))


def _sum(rows: list[tuple[Cell, ...]], column: int) -> int:
    return sum(cell for row in rows if isinstance(cell := row[column], int))
