"""Members counted: valid, new, ending. Only reads."""

from django.db.models import Count, F, Min, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from loans.models import Member, MemberCategory, Membership
from loans.reports_cut import Cut
from loans.tables import Cell, Table

MOST_ROWS = 2000


def members(cut: Cut) -> Table:
    """Each category: who may borrow today, who has games at home, who came, whose membership ends."""
    valid = Q(membership_ends_on=None) | Q(membership_ends_on__gte=cut.today)
    ends = Q(membership_ends_on__range=(cut.first_on, cut.last_on))
    people = Member.objects.filter(erased_at=None, games_day=None).order_by()
    counted = people.values_list("category").annotate(
        all=Count("pk"), valid=Count("pk", filter=valid), ends=Count("pk", filter=ends)
    )
    at_home = Count("pk", filter=Q(loans__returned_at=None, loans__isnull=False), distinct=True)
    busy = dict(people.values_list("category").annotate(at_home=at_home))
    new, names = _new(cut), {pk: one.name for pk, one in MemberCategory.objects.in_bulk().items()}
    rows: list[tuple[Cell, ...]] = [
        (names.get(pk, _("not said")), all_, now, busy.get(pk, 0), new.get(pk, 0), ending_)
        for pk, all_, now, ending_ in counted
    ]
    rows.sort(key=lambda row: str(row[0]))
    return Table(
        columns=(
            *(_("Member category"), _("Members"), _("Membership valid today"), _("With games at home")),
            *(_("New in these days"), _("Membership ends in these days")),
        ),
        rows=rows,
        bars=(2,),
        total=(_("Together"), *(_sum(rows, column) for column in range(1, 6))),
        note=_("New are those whose first membership began in these days."),
    )


def _new(cut: Cut) -> dict[int | None, int]:
    firsts = Membership.objects.filter(cancelled_at=None, member__erased_at=None).order_by()
    began = firsts.values("member", kind_of=F("member__category")).annotate(first_on=Min("starts_on"))
    found: dict[int | None, int] = {}
    for pk in began.filter(first_on__range=(cut.first_on, cut.last_on)).values_list("kind_of", flat=True):
        found[pk] = found.get(pk, 0) + 1
    return found


def ending(cut: Cut) -> Table:
    """Those whose membership ends in the span, with how to reach them."""
    people = Member.objects.filter(erased_at=None, membership_ends_on__range=(cut.first_on, cut.last_on))
    if cut.category:
        people = people.filter(category=cut.category)
    rows = people.select_related("household", "category").order_by("membership_ends_on", "last_name", "pk")
    found = list(rows[:MOST_ROWS])
    return Table(
        columns=(_("Member"), _("Card"), _("Category"), _("Last day"), _("E-mail"), _("Phone")),
        rows=[
            (
                *(str(member), member.card_number, str(member.category or ""), member.membership_ends_on),
                *(member.email, member.household.phone if member.household else ""),
            )
            for member in found
        ],
        urls=[reverse("loans:member", args=[member.pk]) for member in found],
    )


def _sum(rows: list[tuple[Cell, ...]], column: int) -> int:
    return sum(cell for row in rows if isinstance(cell := row[column], int))
