"""What the pages of the calendar show, gathered from rows into plain values. Only reads."""

from calendar import Calendar as Weeks
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import takewhile
from typing import TypeVar

from django.db.models import Model, Q, QuerySet
from django.utils.functional import cached_property

from catalogue.models import Branch
from loans import opening
from loans.calendar import calendar_of
from loans.calendar_words import STATES, SYMBOLS, how_often
from loans.closures import still_due_in
from loans.models import Closure, Opening
from loans.opening import Calendar, DayState, Hours
from loans.proposals import Holiday

Row = TypeVar("Row", bound=Model)


@dataclass(frozen=True, slots=True)
class Day:
    """One day of a branch. `reasons` are those of the closures that cover it."""

    day: date
    state: DayState
    hours: tuple[Hours, ...]
    reasons: tuple[str, ...]
    is_today: bool

    @property
    def word(self) -> str:
        """The state in a word."""
        return str(STATES[self.state])

    @property
    def symbol(self) -> str:
        """The state as a sign."""
        return SYMBOLS[self.state]


@dataclass(frozen=True, slots=True)
class Month:
    """Weeks of seven days from Monday; None where the day is another month's."""

    first_on: date
    weeks: tuple[tuple[Day | None, ...], ...]


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """An opening rule in words, and whether its days are over."""

    opening: Opening
    words: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class ClosureLine:
    """A closure, with how many open loans are due in it all the same."""

    closure: Closure
    still_due: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A holiday that may be closed on. `open_days`: how many of its days would be open otherwise."""

    holiday: Holiday
    open_days: int
    is_entered: bool

    @property
    def value(self) -> str:
        """The days as the page sends them back: first/last/reason."""
        return f"{self.holiday.first_on}/{self.holiday.last_on}/{self.holiday.name}"

    @property
    def is_single(self) -> bool:
        """Whether it is one day."""
        return self.holiday.first_on == self.holiday.last_on

    @property
    def is_ticked(self) -> bool:
        """Whether it is ticked at first: a single day that would be open; weeks the library chooses."""
        return self.is_single and self.open_days > 0


class BranchDays:
    """The days of one branch (or of what has none), read once."""

    def __init__(self, branch: Branch | None, today: date) -> None:
        self.branch = branch
        self.today = today

    @cached_property
    def calendar(self) -> Calendar:
        """The days as plain values."""
        return calendar_of(self.branch)

    @cached_property
    def closures(self) -> list[Closure]:
        """The closures that stand."""
        return list(_here(Closure.objects.filter(lifted_at=None), self.branch).select_related("branch"))

    @property
    def never_opens(self) -> bool:
        """Whether there is no open day within a year, so that nothing can be lent."""
        return opening.next_open_day(self.calendar, self.today) is None

    @property
    def says_nothing(self) -> bool:
        """Whether no opening day was ever entered."""
        return not self.calendar.openings

    def day(self, day: date) -> Day:
        """One day."""
        covering = (closure for closure in self.closures if closure.first_on <= day <= closure.last_on)
        return Day(
            day=day,
            state=opening.day_state(self.calendar, day),
            hours=opening.hours_on(self.calendar, day),
            reasons=tuple(closure.reason for closure in covering if closure.reason),
            is_today=day == self.today,
        )

    def month(self, first_on: date) -> Month:
        """A month in weeks."""
        weeks = Weeks().monthdatescalendar(first_on.year, first_on.month)
        return Month(
            first_on.replace(day=1),
            tuple(
                tuple(self.day(day) if day.month == first_on.month else None for day in week)
                for week in weeks
            ),
        )

    def year(self, year: int) -> tuple[Month, ...]:
        """Twelve months."""
        return tuple(self.month(date(year, month, 1)) for month in range(1, 13))

    def opening_lines(self) -> tuple[OpeningLine, ...]:
        """The opening rules, those that go on first."""
        rows = _here(Opening.objects.select_related("branch"), self.branch)
        lines = [OpeningLine(row, how_often(row), self._is_over(row)) for row in rows]
        return tuple(sorted(lines, key=lambda line: line.is_over))

    def closure_lines(self) -> tuple[ClosureLine, ...]:
        """The closures that are not over, in order, with the loans that are still due in them."""
        ahead = [closure for closure in self.closures if closure.last_on >= self.today]
        return tuple(ClosureLine(closure, still_due_in(closure).count()) for closure in ahead)

    def _is_over(self, row: Opening) -> bool:
        return opening.last_day(opening.OpeningRule(row.starts_on, row.rrule)) < self.today


def _here(rows: QuerySet[Row], branch: Branch | None) -> QuerySet[Row]:
    return rows.filter(Q(branch=None) | Q(branch=branch))


def offered(days: BranchDays, holidays: Iterable[Holiday]) -> tuple[Offer, ...]:
    """Holidays, each with what closing on it would change at the branch."""
    return tuple(_offer(days, holiday) for holiday in holidays)


def _offer(days: BranchDays, holiday: Holiday) -> Offer:
    length = (holiday.last_on - holiday.first_on).days + 1
    span = [holiday.first_on + number * opening.DAY for number in range(length)]
    closed = [opening.is_closed(days.calendar, day) for day in span]
    counted = opening.open_days(days.calendar, holiday.first_on)
    open_days = sum(1 for _ in takewhile(lambda day: day <= holiday.last_on, counted))
    return Offer(holiday, open_days, all(closed))
