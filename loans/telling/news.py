"""What is to be told on a day: gathered from loans, holds and memberships as they are now. Only reads.

The same questions are asked when letters are planned, when one is sent, and for a dry run; so nothing is
told that is no longer so.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TypeVar

from django.db.models import Model, Q, QuerySet

from loans import fees
from loans.calendar import Days, all_days, end_of_day
from loans.models import (
    Hold,
    HoldAction,
    HoldEvent,
    HoldState,
    Loan,
    LoanPlace,
    Member,
    Membership,
    Notice,
    NoticePlan,
    Window,
)
from loans.telling.kinds import Kind, OpenLoan, Timing, about_loan, membership_ends

Row = TypeVar("Row", bound=Model)
Whose = Collection[int] | None
"""Row ids of members; None: of all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class News:
    """One thing to tell about one member. `about` names it for ever; `on` is the day that counts in it.

    `invented`: an example for a library that has no such case yet; its rows are in no table.
    """

    kind: Kind
    member: Member
    about: str
    on: date | None = None
    loan: Loan | None = None
    hold: Hold | None = None
    open_days_late: int = 0
    invented: bool = False


def plan() -> NoticePlan:
    """When the library tells what, and where its envelopes have their window."""
    return NoticePlan.objects.first() or NoticePlan(pk=1, window=Window.RIGHT)


def timing_of(row: NoticePlan) -> Timing:
    """The days of a plan."""
    return Timing(
        due_soon_days=row.due_soon_days,
        late_days=(row.late_1_days, row.late_2_days, row.late_3_days),
        membership_days=row.membership_days,
    )


def news(today: date, *, whose: Whose = None) -> list[News]:
    """All that is to be told on `today`, the most urgent first; about ten queries, whatever the library."""
    timing = timing_of(plan())
    found = [
        *_loans(today, timing, whose),
        *_ready(today, whose),
        *_lapsed(today, timing, whose),
        *_ending(today, timing, whose),
        *_welcome(today, timing, whose),
    ]
    order = list(Kind)
    return sorted(found, key=lambda one: (order.index(one.kind), one.on or today, one.about))


def name_of_loan(loan: Loan) -> str:
    """How the promise of a loan is named: after a renewal it is another one, and is told again."""
    return f"loan:{loan.pk}:{loan.due_on}"


# --- loans -----------------------------------------------------------------------------------------


def _loans(today: date, timing: Timing, whose: Whose) -> Iterator[News]:
    last = today + timedelta(days=timing.due_soon_days)
    rows = Loan.objects.filter(returned_at=None, place=LoanPlace.HOME, due_on__lte=last)
    rows = _of(whose, rows).select_related("member", "copy__game", "copy__branch")
    told = _told(Notice.objects.filter(loan__in=rows.values("pk")))
    days = all_days()
    for loan in rows.order_by("due_on", "pk"):
        late = _open_days_late(loan, today, days)
        facts = OpenLoan(
            lent_on=loan.lent_on,
            due_on=loan.due_on,
            open_days_late=late,
            told=told.get(name_of_loan(loan), {}),
        )
        if kind := about_loan(facts, today, timing):
            yield News(
                kind=kind,
                member=loan.borrower,
                about=name_of_loan(loan),
                on=loan.due_on,
                loan=loan,
                open_days_late=late,
            )


def _open_days_late(loan: Loan, today: date, days: Days) -> int:
    return fees.days_late(loan.due_on, today, days.of(loan.copy.branch_id)) if loan.due_on < today else 0


def _told(notices: QuerySet[Notice]) -> Mapping[str, Mapping[Kind, date]]:
    found: dict[str, dict[Kind, date]] = {}
    for about, kind, on in notices.values_list("about", "kind", "on"):
        found.setdefault(about, {})[Kind(kind)] = on
    return found


# --- holds -----------------------------------------------------------------------------------------


def _ready(today: date, whose: Whose) -> Iterator[News]:
    """Boxes that lie on the hold shelf now, and for some days yet."""
    rows = Hold.objects.filter(state=HoldState.READY, expires_on__gte=today)
    rows = _of(whose, rows).select_related("member", "game", "branch", "copy__branch")
    known = set(Notice.objects.filter(hold__in=rows.values("pk")).values_list("about", flat=True))
    for hold in rows:
        about = f"hold:{hold.pk}:{hold.ready_at:%Y-%m-%dT%H:%M:%S}"
        if about not in known:
            yield News(kind=Kind.HOLD_READY, member=hold.member, about=about, on=hold.expires_on, hold=hold)


def _lapsed(today: date, timing: Timing, whose: Whose) -> Iterator[News]:
    since = _so_long_ago(today, timing)
    events = HoldEvent.objects.filter(action=HoldAction.LAPSED, at__gt=since)
    rows = Hold.objects.filter(state=HoldState.LAPSED, pk__in=events.values("hold"))
    rows = _of(whose, rows).select_related("member", "game")
    for hold in rows.exclude(notices__kind=Kind.HOLD_LAPSED.value):
        yield News(kind=Kind.HOLD_LAPSED, member=hold.member, about=f"hold:{hold.pk}", hold=hold)


# --- memberships -----------------------------------------------------------------------------------


def _ending(today: date, timing: Timing, whose: Whose) -> Iterator[News]:
    last = today + timedelta(days=timing.membership_days)
    rows = Member.objects.filter(membership_ends_on__range=(today, last))
    rows = rows if whose is None else rows.filter(pk__in=whose)
    told = _told(Notice.objects.filter(kind=Kind.MEMBERSHIP_ENDING.value, member__in=rows.values("pk")))
    for member in rows.order_by("pk"):
        about = f"member:{member.pk}:{member.membership_ends_on}"
        if about not in told and membership_ends(member.membership_ends_on, today, timing):
            yield News(kind=Kind.MEMBERSHIP_ENDING, member=member, about=about, on=member.membership_ends_on)


def _welcome(today: date, timing: Timing, whose: Whose) -> Iterator[News]:
    """Who has just bought a first membership, or signed the conditions."""
    since = _so_long_ago(today, timing)
    sold = Membership.objects.filter(cancelled_at=None)
    bought = Q(pk__in=sold.filter(sold_at__gt=since).values("member"))
    signed = Q(conditions_signed_on__gt=since.date(), conditions_signed_on__lte=today)
    before = sold.filter(sold_at__lte=since).values("member")
    rows = Member.objects.filter(bought | signed).exclude(Q(pk__in=before) | Q(loans__lent_at__lte=since))
    rows = rows if whose is None else rows.filter(pk__in=whose)
    for member in rows.exclude(notices__kind=Kind.WELCOME.value).order_by("pk"):
        yield News(kind=Kind.WELCOME, member=member, about=f"member:{member.pk}")


def _so_long_ago(today: date, timing: Timing) -> datetime:
    """What happened before is no news: a library that begins to write does not tell old stories."""
    return end_of_day(today - timedelta(days=timing.news_days), None)


def _of(whose: Whose, rows: QuerySet[Row]) -> QuerySet[Row]:
    return rows if whose is None else rows.filter(member__in=whose)
