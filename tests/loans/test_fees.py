"""What lending costs: days late by the calendar, days of grace, the cap; and which payment settles what."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loans import fees
from loans.opening import Calendar, OpeningRule
from loans.rules import Policy
from loans.settling import Movement, settle

DUE = date(2025, 3, 8)  # a Saturday
SATURDAYS = Calendar((OpeningRule(date(2025, 1, 4), "FREQ=WEEKLY;BYDAY=SA"),))


def test_a_loan_costs_its_fee_and_its_days() -> None:
    assert fees.lending_fee(Policy(fee_per_loan=100, fee_per_day=10), 21) == 310


def test_a_renewal_costs_its_days_and_not_the_loan_again() -> None:
    assert fees.renewal_fee(Policy(fee_per_loan=100, fee_per_day=10), 7) == 70


@pytest.mark.parametrize(
    ("back_on", "late"),
    [(date(2025, 3, 8), 0), (date(2025, 3, 9), 1), (date(2025, 3, 22), 14)],
)
def test_where_no_opening_days_are_said_every_day_counts(back_on: date, late: int) -> None:
    assert fees.days_late(DUE, back_on, Calendar()) == late


@pytest.mark.parametrize(
    ("back_on", "late"),
    [(date(2025, 3, 8), 0), (date(2025, 3, 14), 0), (date(2025, 3, 15), 1), (date(2025, 3, 22), 2)],
)
def test_days_on_which_the_door_was_shut_are_not_late(back_on: date, late: int) -> None:
    assert fees.days_late(DUE, back_on, SATURDAYS) == late


def test_a_closure_takes_its_days_out_of_the_late_fee() -> None:
    closed = Calendar(SATURDAYS.openings, ((date(2025, 3, 10), date(2025, 3, 16)),))
    assert fees.days_late(DUE, date(2025, 3, 22), closed) == 1


@pytest.mark.parametrize(("late", "fee"), [(0, 0), (2, 0), (3, 50), (5, 150), (40, 500)])
def test_the_days_of_grace_are_free_and_the_cap_ends_it(late: int, fee: int) -> None:
    assert fees.late_fee(Policy(late_fee_per_day=50, grace_days=2, late_fee_cap=500), late) == fee


def test_without_a_cap_the_fee_goes_on() -> None:
    assert fees.late_fee(Policy(late_fee_per_day=50), 40) == 2000


# --- what settles what ---------------------------------------------------------------------------


def test_a_payment_settles_the_oldest_charge_first() -> None:
    settled = settle([Movement(1, 300), Movement(2, 500), Movement(3, -400)])
    assert [(c.entry, c.open_cents, c.settled_by) for c in settled.charges] == [
        (1, 0, [(3, 300)]),
        (2, 400, [(3, 100)]),
    ]


def test_what_is_paid_before_settles_what_is_charged_later() -> None:
    settled = settle([Movement(1, -1000), Movement(2, 300)])
    assert settled.charges[0].settled_by == [(1, 300)]
    assert settled.credit_cents == 700


def test_what_was_reversed_neither_owes_nor_pays() -> None:
    settled = settle([Movement(1, 300), Movement(2, 500), Movement(3, -500), Movement(4, -300, reverses=1)])
    assert [(c.entry, c.open_cents) for c in settled.charges] == [(2, 0)]
    unpaid = settle([Movement(1, 300), Movement(2, -300), Movement(3, 300, reverses=2)])
    assert unpaid.open_charges[0].open_cents == 300


@given(st.lists(st.integers(-10_000, 10_000).filter(bool), max_size=40))
def test_open_charges_less_credit_are_the_balance(amounts: list[int]) -> None:
    settled = settle(Movement(n, cents) for n, cents in enumerate(amounts))
    still_open = sum(charge.open_cents for charge in settled.charges)
    assert still_open - settled.credit_cents == sum(amounts)
    assert not (still_open and settled.credit_cents)
    assert all(0 <= charge.open_cents <= charge.cents for charge in settled.charges)
