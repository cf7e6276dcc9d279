"""What is to be told about one loan on one day: pure decisions."""

from datetime import UTC, date, datetime, timedelta

import pytest

from loans.telling.kinds import Kind, OpenLoan, Timing, about_loan, membership_ends, next_try

DUE = date(2025, 3, 25)
TIMING = Timing()


def told_on(day: date, *told: tuple[Kind, int], open_days: int = 1) -> Kind | None:
    """What is told on a day, where `told` was told so many days after the due day."""
    loan = OpenLoan(
        lent_on=DUE - timedelta(days=21),
        due_on=DUE,
        open_days_late=open_days if day > DUE else 0,
        told={kind: DUE + timedelta(days=days) for kind, days in told},
    )
    return about_loan(loan, day, TIMING)


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        (-4, None),
        (-3, Kind.DUE_SOON),
        (-1, Kind.DUE_SOON),
        (0, Kind.DUE_TODAY),
        (1, None),
        (2, Kind.LATE_1),
        (90, Kind.LATE_1),
    ],
)
def test_the_day_decides(after: int, kind: Kind | None) -> None:
    assert told_on(DUE + timedelta(days=after)) == kind


@pytest.mark.parametrize(
    ("after", "first_on", "kind"),
    [(8, 2, None), (9, 2, Kind.LATE_2), (10, 4, None), (11, 4, Kind.LATE_2), (60, 58, None)],
)
def test_a_stage_follows_the_one_before_by_as_many_days_as_lie_between_them(
    after: int, first_on: int, kind: Kind | None
) -> None:
    assert told_on(DUE + timedelta(days=after), (Kind.LATE_1, first_on)) == kind


def test_after_the_third_stage_nothing_is_told() -> None:
    told = ((Kind.LATE_1, 2), (Kind.LATE_2, 9), (Kind.LATE_3, 16))
    assert told_on(DUE + timedelta(days=200), *told) is None


def test_where_no_day_was_open_since_nothing_is_late() -> None:
    assert told_on(DUE + timedelta(days=5), open_days=0) is None


def test_the_last_day_of_a_membership_counts() -> None:
    assert membership_ends(DUE, DUE, TIMING)
    assert not membership_ends(DUE, DUE + timedelta(days=1), TIMING)
    assert not membership_ends(None, DUE, TIMING)


def test_attempts_are_further_and_further_apart_and_end() -> None:
    now = datetime(2025, 3, 4, tzinfo=UTC)
    tries = [next_try(attempts, now) for attempts in range(1, 6)]
    waits = [at - now for at in tries if at]
    assert waits == sorted(set(waits))
    assert tries[-1] is None
