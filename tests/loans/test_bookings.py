"""Copies booked for days to come: never more than there are, and never lent away before."""

from datetime import date, timedelta
from typing import Any

import pytest

from catalogue.models import Game
from loans import bookings, desk, holds
from loans.models import Booking
from loans.rules import RefusalCode
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
TODAY = date(2025, 3, 4)
"""The day of NOON; a loan of that day is due on 25 March."""


def shelf(copies: int) -> Game:
    """A game with so many boxes."""
    game = make_game()
    for _ in range(copies):
        make_copy(game)
    return game


def book(game: Game, copies: int, first: int, last: int, **more: Any) -> Booking:
    """A booking from so many days on to so many days on."""
    fields: dict[str, Any] = {"buffer_days": 0, "copies": copies, "game": game} | more
    fields.setdefault("member", make_member("School of Ayent"))
    fields |= {"from_on": TODAY + timedelta(days=first), "to_on": TODAY + timedelta(days=last)}
    return bookings.book(bookings.BookingDraft(**fields), act=make_act())


def test_two_bookings_of_the_same_days_get_two_copies_and_a_third_is_refused() -> None:
    game = shelf(2)
    book(game, 1, 10, 14)
    book(game, 1, 12, 16)
    with pytest.raises(desk.Refused, match=r"^too_few_copies$") as refused:
        book(game, 1, 14, 20)
    assert refused.value.refusals[0].data["free"] == 0
    book(game, 1, 15, 20)


def test_the_days_kept_free_before_and_after_count() -> None:
    game = shelf(1)
    book(game, 1, 10, 14, buffer_days=2)
    with pytest.raises(desk.Refused):
        book(game, 1, 16, 18)
    assert book(game, 1, 17, 18)


def test_complaint_18_a_booking_may_begin_on_the_day_on_which_another_ends_with_a_copy_to_spare() -> None:
    """leihs 508, 19, 33: a desk that is open once a week could not book from Monday to Monday."""
    game = shelf(1)
    book(game, 1, 7, 13)
    assert book(game, 1, 14, 20)


def test_a_lost_box_cannot_be_booked() -> None:
    game = shelf(1)
    make_copy(game, condition="lost")
    with pytest.raises(desk.Refused, match=r"^too_few_copies$"):
        book(game, 2, 3, 4)


def test_a_form_sent_twice_is_one_booking() -> None:
    game, member = shelf(2), make_member()
    draft = bookings.BookingDraft(game=game, member=member, copies=1, from_on=TODAY, to_on=TODAY)
    first = bookings.book(draft, act=make_act(nonce="n1"))
    assert bookings.book(draft, act=make_act(nonce="n1")) == first


@pytest.mark.parametrize(("first", "last"), [(4, 3), (-5, -1)])
def test_days_in_the_wrong_order_or_past_are_refused(first: int, last: int) -> None:
    with pytest.raises(desk.Refused, match=r"^booking_days_wrong$"):
        book(shelf(1), 1, first, last)


def test_a_cancelled_booking_gives_its_boxes_free() -> None:
    game = shelf(1)
    bookings.cancel(book(game, 1, 10, 14), act=make_act())
    assert book(game, 1, 10, 14)


def test_loans_that_may_not_be_back_in_time_are_a_warning_and_no_refusal() -> None:
    game = shelf(2)
    loan = make_loan(game.copies.all()[0])
    booking = book(game, 2, 10, 14)
    assert bookings.late_for(booking) == [loan]
    assert bookings.late_for(book(shelf(1), 1, 10, 14)) == []


# --- the desk ----------------------------------------------------------------------------------


def test_a_loan_that_would_run_into_a_booking_is_refused_and_says_until_when_it_may_go_out() -> None:
    game = shelf(1)
    book(game, 1, 10, 14, buffer_days=1)
    with pytest.raises(desk.Refused, match=r"^booked_soon$") as refused:
        desk.lend(game.copies.get(), make_member(), act=make_act())
    assert refused.value.refusals[0].data == {"first_on": "2025-03-13", "back_by_on": "2025-03-12"}
    assert refused.value.refusals[0].waivable


def test_a_loan_is_made_while_another_box_is_there_for_the_booking() -> None:
    game = shelf(2)
    book(game, 1, 10, 14)
    first, second = game.copies.all()
    desk.lend(first, make_member(), act=make_act())
    with pytest.raises(desk.Refused, match=r"^booked_soon$"):
        desk.lend(second, make_member(), act=make_act())


def test_a_loan_that_is_late_is_not_counted_on() -> None:
    game = shelf(2)
    first, second = game.copies.all()
    desk.lend(first, make_member(), act=make_act())
    after = NOON + timedelta(days=30)
    book(game, 1, 40, 41)
    with pytest.raises(desk.Refused, match=r"^booked_soon$"):
        desk.lend(second, make_member(), act=make_act(now=after))


def test_a_renewal_that_would_run_into_a_booking_is_refused() -> None:
    game = shelf(1)
    loan = make_loan(game.copies.get())
    book(game, 1, 24, 26)
    with pytest.raises(desk.Refused, match=r"^booked_soon$"):
        desk.renew(loan, act=make_act(now=NOON + timedelta(days=5)))


def test_who_has_booked_is_lent_the_boxes_until_the_last_day_of_the_booking() -> None:
    game, member = shelf(2), make_member("School of Ayent")
    booking = book(game, 2, 0, 6, member=member)
    done = [desk.lend(copy, member, act=make_act()) for copy in game.copies.all()]
    booking.refresh_from_db()
    assert [one.loan.due_on for one in done] == [TODAY + timedelta(days=6)] * 2
    assert booking.state == "handed_over"
    desk.undo(done[1].event, act=make_act())
    booking.refresh_from_db()
    assert (booking.state, booking.booked_loans.count()) == ("planned", 1)


def test_a_renewal_of_what_was_booked_minds_the_next_booking() -> None:
    game, member = shelf(1), make_member("School of Ayent")
    book(game, 1, 0, 6, member=member)
    loan = desk.lend(game.copies.get(), member, act=make_act()).loan
    book(game, 1, 10, 12)
    with pytest.raises(desk.Refused, match=r"^booked_soon$"):
        desk.renew(loan, act=make_act(now=NOON + timedelta(days=3)))


def test_a_box_that_is_booked_for_now_is_not_promised_to_who_waits() -> None:
    game = shelf(1)
    book(game, 1, 0, 3)
    hold = holds.place_hold(game, make_member(), act=make_act())
    assert hold.copy is None
    assert holds.expire_holds(NOON + timedelta(days=4)) == 0
    hold.refresh_from_db()
    assert hold.copy == game.copies.get()


def test_the_refusal_is_set_aside_by_who_may() -> None:
    game = shelf(1)
    book(game, 1, 10, 14)
    waiver = desk.Waiver(frozenset({RefusalCode.BOOKED_SOON}), "the school agreed")
    act = make_act(make_user("manager"))
    assert desk.lend(game.copies.get(), make_member(), act=act, waiver=waiver).loan
