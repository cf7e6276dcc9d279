"""Pieces that went missing, counted. Only reads."""

from django.db.models import Q, Sum
from django.utils.translation import gettext as _

from loans.models import MissingPiece, PieceDecision, PieceEnd
from loans.reports_cut import Cut
from loans.tables import Cell, Money, Table


def missing(cut: Cut) -> Table:
    """Each game: how many pieces went missing in the span, what became of them, what was charged."""
    noticed = MissingPiece.objects.filter(noticed_at__date__range=(cut.first_on, cut.last_on))
    if cut.branch:
        noticed = noticed.filter(copy__branch=cut.branch)
    still = Q(end="") & ~Q(decision=PieceDecision.SPARE)
    counted = (
        noticed.exclude(end=PieceEnd.VOID)
        .values_list("copy__game__title")
        .annotate(
            lost=Sum("quantity"),
            still=Sum("quantity", filter=still, default=0),
            found=Sum("quantity", filter=Q(end=PieceEnd.FOUND), default=0),
            charged=Sum("charge_cents", filter=Q(reversed_at=None), default=0),
        )
    )
    rows: list[tuple[Cell, ...]] = [
        (title, lost, still, found, Money(charged))
        for title, lost, still, found, charged in counted.order_by("-lost", "copy__game__title")
    ]
    return Table(
        columns=(_("Game"), _("Pieces missing"), _("Still missing"), _("Found again"), _("Charged")),
        rows=rows,
        bars=(1,),
    )
