"""The list of lists and figures: which there are, what each is cut by, who makes it. Only reads.

Each is a function of a `Cut` to a `Table`, with a fixed number of queries however large the library is.
To add one: write the function in the module of its theme, and a line in REPORTS.
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from loans import reports_loans, reports_members, reports_money, reports_pieces, reports_shelf
from loans.reports_cut import Cut
from loans.tables import Table

SPAN, PLACE, KIND = ("first_on", "last_on"), ("branch",), ("category",)


@dataclass(frozen=True, slots=True)
class Report:
    """`key` stands in the address; `cut_by` names the filters that the report obeys."""

    key: str
    title: Promise
    about: Promise
    make: Callable[[Cut], Table]
    cut_by: tuple[str, ...]


REPORTS = (
    Report(
        "late",
        _("Late games"),
        _("What should be back by now, the longest wait first."),
        reports_shelf.late,
        (*PLACE, *KIND),
    ),
    Report(
        "expected",
        _("Expected returns"),
        _("How many games are due on each day to come."),
        reports_shelf.expected,
        PLACE,
    ),
    Report(
        "never-lent",
        _("Never lent"),
        _("Boxes in service that nobody has taken in these days."),
        reports_shelf.never_lent,
        (*SPAN, *PLACE),
    ),
    Report(
        "games",
        _("Most lent games"),
        _("Loans of each game, the most lent first."),
        reports_loans.by_game,
        (*SPAN, *PLACE, *KIND),
    ),
    Report(
        "months",
        _("Loans by month"),
        _("Each month beside the same month of the year before."),
        reports_loans.by_month,
        (*SPAN, *PLACE, *KIND),
    ),
    Report(
        "years",
        _("Year to year"),
        _("Loans, renewals, games and new members of each year."),
        reports_loans.by_year,
        (*PLACE, *KIND),
    ),
    Report(
        "categories",
        _("Loans by category of games"),
        _("A game of two categories counts in both."),
        reports_loans.by_game_category,
        (*SPAN, *PLACE, *KIND),
    ),
    Report(
        "ages",
        _("Loans by age"),
        _("The age of whose card it was, in the year of the loan."),
        reports_loans.by_age,
        (*SPAN, *PLACE, *KIND),
    ),
    Report(
        "member-categories",
        _("Loans by category of members"),
        _("Families, schools, nurseries …"),
        reports_loans.by_member_category,
        (*SPAN, *PLACE),
    ),
    Report(
        "branches",
        _("Loans by branch"),
        _("Where the lent boxes stand."),
        reports_loans.by_branch,
        (*SPAN, *KIND),
    ),
    Report(
        "areas",
        _("Loans by postcode area"),
        _("The first two characters of the household's postcode."),
        reports_loans.by_area,
        (*SPAN, *PLACE, *KIND),
    ),
    Report(
        "pieces",
        _("Pieces lost"),
        _("What went missing of which game, and what became of it."),
        reports_pieces.missing,
        (*SPAN, *PLACE),
    ),
    Report(
        "members",
        _("Members"),
        _("Valid, new and ending memberships of each category."),
        reports_members.members,
        SPAN,
    ),
    Report(
        "ending",
        _("Memberships that end"),
        _("Whose membership ends in these days, the first to end first."),
        reports_members.ending,
        (*SPAN, *KIND),
    ),
    Report(
        "till",
        _("Money"),
        _("What came in and went out, by kind and by way of paying."),
        reports_money.till,
        (*SPAN, *PLACE),
    ),
)
BY_KEY = {report.key: report for report in REPORTS}
