"""Money counted: what each kind of entry has moved, by way of paying. Only reads."""

from collections import defaultdict

from django.db.models import Sum
from django.utils.translation import gettext as _

from loans.models import AccountKind, EntryKind, Line
from loans.models.money import OF_A_BRANCH
from loans.reports_cut import Cut
from loans.tables import Cell, Money, Table


def till(cut: Cut) -> Table:
    """Each kind of entry: what was booked, and what came into the tills by it, less what went out."""
    lines = Line.objects.filter(entry__on__range=(cut.first_on, cut.last_on)).order_by()
    if cut.branch:
        lines = lines.filter(entry__branch=cut.branch)
    booked: dict[str, int] = defaultdict(int)
    flows: dict[tuple[str, str], int] = defaultdict(int)
    sums = lines.values_list("entry__kind", "debit__kind", "credit__kind").annotate(Sum("cents"))
    for kind, debit, credit, cents in sums:
        booked[kind] += cents
        flows[kind, debit] += cents
        flows[kind, credit] -= cents
    kinds = [kind for kind in EntryKind if kind in booked]
    rows: list[tuple[Cell, ...]] = [
        (str(kind.label), Money(booked[kind]), *(Money(flows[kind, way]) for way in OF_A_BRANCH))
        for kind in kinds
    ]
    came = (Money(sum(flows[kind, way] for kind in kinds)) for way in OF_A_BRANCH)
    return Table(
        columns=(_("What"), _("Booked"), *(str(AccountKind(way).label) for way in OF_A_BRANCH)),
        rows=rows,
        bars=(1,),
        total=(_("Together"), None, *came) if rows else (),
        note=_("The last columns are what came into the tills, less what went out."),
    )
