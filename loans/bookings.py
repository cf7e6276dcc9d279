"""The only writer of bookings: copies of a game for a member, from a day to a day.

A booking never promises more boxes than there are: it is checked under the lock of the game, with all other
bookings and the days kept free around them. Who has booked and comes in those days is lent the boxes until
the last day of the booking, at the desk and by any path. Loans that may not be back in time are a warning.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, QuerySet

from catalogue.models import Copy, Game
from catalogue.text import one_line
from loans.act import Act, Refused, of_scan
from loans.availability import LENDABLE
from loans.calendar import local_date
from loans.capacity import Claim, most_wanted, with_buffer
from loans.locks import lock_game
from loans.models import BookedLoan, Booking, BookingState, Hold, Loan, Member
from loans.rules import Refusal, RefusalCode
from loans.transaction import in_one_transaction

LONGEST_BUFFER = 60
"""Days kept free before and after; more is a slip of the keyboard."""

KEPT_AT_LEAST = timedelta(days=7)
"""For how long a box that must still be fetched from the shelves counts as kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingDraft:
    """What is wanted: `copies` boxes on all days from `from_on` to `to_on`."""

    game: Game
    member: Member
    copies: int
    from_on: date
    to_on: date
    buffer_days: int = 1
    note: str = ""

    @property
    def kept(self) -> tuple[date, date]:
        """The first and last day on which the boxes are kept for it."""
        return with_buffer(self.from_on, self.to_on, self.buffer_days)


@in_one_transaction
def book(draft: BookingDraft, *, act: Act) -> Booking:
    """Book what `draft` says; sent twice, it is one booking. Raises Refused."""
    lock_game(draft.game.pk)
    if act.nonce and (made := Booking.objects.filter(of_scan(act.nonce)).first()):
        return made
    if refusals := why_not(draft, now=act.now):
        raise Refused(refusals)
    return Booking.objects.create(
        game=draft.game,
        member=draft.member,
        copies=draft.copies,
        from_on=draft.from_on,
        to_on=draft.to_on,
        buffer_days=draft.buffer_days,
        note=one_line(draft.note)[:300],
        made_at=act.now,
        made_by=act.by,
        nonce=act.nonce,
    )


@in_one_transaction
def cancel(booking: Booking, *, act: Act) -> Booking:  # noqa: ARG001 - who and when, as every action says
    """Give the boxes free. Twice is once; what was handed over stays a loan."""
    lock_game(booking.game_id)
    booking = Booking.objects.get(pk=booking.pk)
    if booking.state == BookingState.PLANNED:
        booking.state = BookingState.CANCELLED
        booking.save(update_fields=["state"])
    return booking


def why_not(draft: BookingDraft, *, now: datetime) -> tuple[Refusal, ...]:
    """Every reason why this cannot be booked."""
    if draft.to_on < draft.from_on or draft.to_on < local_date(now, None):
        return (Refusal(RefusalCode.BOOKING_DAYS_WRONG),)
    first_on, last_on = draft.kept
    claims = [*_claims(draft.game.pk), *_promised(draft.game.pk, local_date(now, None))]
    free = lendable(draft.game.pk) - most_wanted(claims, first_on, last_on)
    if draft.copies <= free:
        return ()
    days = {"first_on": first_on.isoformat(), "last_on": last_on.isoformat()}
    data: dict[str, str | int] = {"free": max(free, 0), "wanted": draft.copies, **days}
    return (Refusal(RefusalCode.TOO_FEW_COPIES, data=data),)


def late_for(booking: Booking | BookingDraft) -> list[Loan]:
    """The open loans that may not be back before the booking begins, as far as their boxes are needed."""
    first_on, _ = with_buffer(booking.from_on, booking.to_on, booking.buffer_days)
    out = Loan.objects.filter(copy__game=booking.game, returned_at=None).exclude(member=booking.member)
    late = out.filter(due_on__gte=first_on).select_related("copy", "member").order_by("-due_on")
    spare = lendable(booking.game.pk) - booking.copies
    return list(late)[max(spare, 0) :]


# --- at the desk -----------------------------------------------------------------------------------


def own_booking(game: int, member: int, today: date) -> Booking | None:
    """The booking by which this member may take a box of the game today, if boxes of it are still to go."""
    mine = planned(game).filter(member=member, to_on__gte=today)
    return next((one for one in mine if one.from_on - timedelta(days=one.buffer_days) <= today), None)


def when_lent(loan: Loan, today: date) -> None:
    """A box went out: if the member has booked it, the booking is handed over by this loan."""
    booking = own_booking(loan.copy.game_id, loan.borrower.pk, today)
    if booking is None:
        return
    BookedLoan.objects.create(booking=booking, loan=loan)
    if booking.booked_loans.count() >= booking.copies:
        booking.state = BookingState.HANDED_OVER
        booking.save(update_fields=["state"])


def when_lending_undone(loan: Loan) -> None:
    """The loan never was: the booking has one box less."""
    for booked in BookedLoan.objects.filter(loan=loan).select_related("booking"):
        booked.delete()
        if booked.booking.state == BookingState.HANDED_OVER:
            booked.booking.state = BookingState.PLANNED
            booked.booking.save(update_fields=["state"])


def due_dates(game: int, *, but: Copy | None = None) -> list[date]:
    """When the boxes that are out are due, without that of `but`."""
    out = Loan.objects.filter(returned_at=None, copy__game=game, copy__condition__in=LENDABLE)
    return list((out.exclude(copy=but) if but else out).values_list("due_on", flat=True))


# --- reading ---------------------------------------------------------------------------------------


def planned(game: int) -> "QuerySet[Booking]":
    """The bookings of a game of which boxes are still to be handed over, the next first."""
    rows = Booking.objects.filter(game=game, state=BookingState.PLANNED).select_related("member")
    return rows.annotate(handed=Count("booked_loans")).order_by("from_on", "pk")


def open_claims(game: int, *, but: int | None = None) -> Iterator[Claim]:
    """What is still to be handed over, with the days around it; without the bookings of member `but`."""
    rows = planned(game).exclude(member=but) if but else planned(game)
    columns = ("copies", "handed", "from_on", "to_on", "buffer_days")
    for copies, handed, *days in rows.values_list(*columns):
        yield Claim(copies - handed, *with_buffer(*days))


def lendable(game: int) -> int:
    """How many boxes of the game there are to be lent."""
    return Copy.objects.filter(game=game, condition__in=LENDABLE).count()


def _promised(game: int, today: date) -> Iterator[Claim]:
    """The boxes that are kept for members now; one that must still be fetched is kept for some days too."""
    for expires_on in Hold.objects.filter(copy__game=game).values_list("expires_on", flat=True):
        yield Claim(1, today, expires_on or today + KEPT_AT_LEAST)


def _claims(game: int) -> Iterator[Claim]:
    """All that is booked, handed over or not."""
    for booking in Booking.objects.filter(game=game).exclude(state=BookingState.CANCELLED):
        yield Claim(booking.copies, *with_buffer(booking.from_on, booking.to_on, booking.buffer_days))
