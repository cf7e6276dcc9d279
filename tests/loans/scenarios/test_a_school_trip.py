"""A school trip: boxes booked weeks ahead, families who want the same game, and nothing promised twice."""

from datetime import UTC, date, datetime

import pytest
from django.contrib.auth.models import User

from catalogue.models import Game
from loans import bookings, desk, holds
from loans.act import Act, Refused
from loans.bookings import BookingDraft
from loans.calendar import local_date
from loans.models import Booking, Hold, Member
from loans.rules import Refusal, Term
from tests.make import make_copy, make_game, make_member, make_opening, make_user

pytestmark = pytest.mark.django_db

OPENING = datetime(2025, 3, 1, 10, tzinfo=UTC)
"""A Saturday. The library is open on Wednesdays and Saturdays."""


class Library:
    """The desk on one day after another; `on` says which."""

    def __init__(self, volunteer: User) -> None:
        self.volunteer = volunteer
        self.now = OPENING

    def on(self, day: date) -> "Library":
        """The same desk on that day, at ten."""
        self.now = datetime(day.year, day.month, day.day, 10, tzinfo=UTC)
        assert local_date(self.now, None) == day
        return self

    @property
    def act(self) -> Act:
        """What the volunteer does now."""
        return Act(by=self.volunteer, now=self.now)

    def refuses(self, box: str, game: Game, member: Member) -> Refusal:
        """The one reason why the box is not lent."""
        with pytest.raises(Refused) as refused:
            desk.lend(game.copies.get(barcode=box), member, act=self.act)
        (refusal,) = refused.value.refusals
        return refusal

    def lends(self, box: str, game: Game, member: Member, term: Term = Term.USUAL) -> date:
        """Lend the box; the due date."""
        return desk.lend(game.copies.get(barcode=box), member, act=self.act, term=term).loan.due_on

    def takes_back(self, box: str, game: Game) -> Hold | None:
        """Take the box back; for whom it is kept then."""
        desk.check_in(game.copies.get(barcode=box), act=self.act)
        return Hold.objects.filter(copy__barcode=box).first()

    def books(self, game: Game, member: Member, copies: int, first: date, last: date) -> Booking:
        """Book boxes, with a day before and after to count the pieces."""
        draft = BookingDraft(
            game=game, member=member, copies=copies, from_on=first, to_on=last, buffer_days=1
        )
        return bookings.book(draft, act=self.act)


def test_a_school_trip() -> None:
    make_opening("FREQ=WEEKLY;BYDAY=WE,SA")
    library, finca = Library(make_user("desk")), make_game("Finca")
    for box in ("F1", "F2", "F3"):
        make_copy(finca, box)
    school, other_school = make_member("École d'Ayent"), make_member("École de Sion")
    names = ("Camille Martin", "Aminata Diallo", "Liam O'Connor", "Zoé Blanc")
    martin, diallo, oconnor, zoe = map(make_member, names)

    # 1 March: the teacher books two of the three boxes, from Wednesday 19 to Saturday 22.
    trip = library.books(finca, school, 2, date(2025, 3, 19), date(2025, 3, 22))
    # Another class wants two boxes, some of these days too: of those one is free, so it takes the next week.
    with pytest.raises(Refused) as refused:
        library.books(finca, other_school, 2, date(2025, 3, 21), date(2025, 3, 26))
    assert refused.value.refusals[0].data["free"] == 1
    library.books(finca, other_school, 2, date(2025, 3, 26), date(2025, 3, 29))

    # The Martins take a box for three weeks: two are left for the class.
    assert library.lends("F1", finca, martin) == date(2025, 3, 22)
    # The Diallos cannot have theirs as long, and are told until when: the last opening before the class.
    refusal = library.refuses("F2", finca, diallo)
    assert (refusal.code, refusal.data["back_by_on"]) == ("booked_soon", "2025-03-15")
    assert library.lends("F2", finca, diallo, Term.BEFORE_BOOKING) == date(2025, 3, 15)
    # Mr O'Connor telephones: the third box is set aside for him, and he has it as long as the Diallos.
    hold = holds.place_hold(finca, oconnor, act=library.act)
    assert hold.copy == finca.copies.get(barcode="F3")
    library.on(date(2025, 3, 5))
    assert library.lends("F3", finca, oconnor, Term.BEFORE_BOOKING) == date(2025, 3, 15)
    # Zoé asks too: every box is out, so she waits.
    waits = holds.place_hold(finca, zoe, act=library.act)
    assert (waits.position, waits.copy) == (1, None)

    # 15 March: both boxes come back. They are for the class, and are not promised to Zoé as well.
    library.on(date(2025, 3, 15))
    assert library.takes_back("F2", finca) is None
    assert library.takes_back("F3", finca) is None

    # 19 March: the teacher comes, and both boxes go out until the last day of the trip.
    library.on(date(2025, 3, 19))
    assert [library.lends(box, finca, school) for box in ("F2", "F3")] == [date(2025, 3, 22)] * 2
    trip.refresh_from_db()
    assert trip.state == "handed_over"
    # The Martins are early: the next class has its boxes in time all the same, so this one is for Zoé.
    kept = library.takes_back("F1", finca)
    assert kept == waits
    assert (kept.state, kept.expires_on) == ("ready", date(2025, 3, 26))
    assert library.refuses("F1", finca, diallo).code == "copy_held_for_other"

    # 22 March: the class is back, Zoé fetches her box for three weeks, and two are there for the next class.
    library.on(date(2025, 3, 22))
    for box in ("F2", "F3"):
        assert library.takes_back(box, finca) is None
    assert library.lends("F1", finca, zoe) == date(2025, 4, 12)
    assert library.refuses("F2", finca, martin).data == {"first_on": "2025-03-25"}
    library.on(date(2025, 3, 26))
    assert [library.lends(box, finca, other_school) for box in ("F2", "F3")] == [date(2025, 3, 29)] * 2
