"""The till of a branch: what should be in it, counting it, closing the day. Writes only closed days.

A till is three accounts of the branch (cash, card, transfers), so what should be in the drawer is the
balance of its cash: the float in the morning, and what came and went. Closing a day closes all days before it
too; afterwards `entries` dates every entry of this branch later.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet, Sum

from catalogue.models import Branch
from catalogue.text import one_line
from loans.act import Act, Refused
from loans.calendar import local_date
from loans.entries import About, Method, house, lock, once, unnamed
from loans.models import Account, AccountKind, Entry, EntryKind, Line, TillDay
from loans.models.money import OF_A_BRANCH
from loans.rules import RefusalCode
from loans.transaction import in_one_transaction


@dataclass(frozen=True, slots=True)
class Flow:
    """What came in by one kind of money, and what went out."""

    method: Method
    came: int
    went: int

    @property
    def label(self) -> str:
        """The kind of money in words."""
        return str(self.method.account.label)

    @property
    def sum(self) -> int:
        """What is left of it."""
        return self.came - self.went


@dataclass(frozen=True, slots=True)
class Till:
    """A till as the books have it, from the day after the last closing to `on`.

    `opening`: what was in the drawer then. `flows`: in and out, by kind of money.
    """

    branch: Branch | None
    on: date
    last_closed: TillDay | None
    opening: int
    flows: tuple[Flow, ...]

    @property
    def expected(self) -> int:
        """What should be in the drawer."""
        return self.opening + next(flow.sum for flow in self.flows if flow.method == Method.CASH)

    @property
    def is_closed(self) -> bool:
        """Whether this day is over for the books."""
        return self.last_closed is not None and self.on <= self.last_closed.on


@dataclass(frozen=True, slots=True)
class ClosedDay:
    """A closed day with what moved the money of its till since the closing before; `left` in the drawer."""

    day: TillDay
    entries: QuerySet[Entry]
    flows: tuple[Flow, ...]

    @property
    def left(self) -> int:
        """What was in the drawer when all was booked, the difference and what went to the safe too."""
        return self.day.opening_cents + next(flow.sum for flow in self.flows if flow.method == Method.CASH)


def read(branch: Branch | None, *, on: date) -> Till:
    """The till with all that is dated up to `on`."""
    last = TillDay.objects.filter(branch=branch).first()
    before = Line.objects.filter(entry__on__lte=last.on) if last else Line.objects.none()
    came, went = _sums(before, branch).get(AccountKind.CASH, (0, 0))
    return Till(branch, on, last, came - went, flows(branch, after=last.on if last else None, on=on))


def flows(branch: Branch | None, *, after: date | None, on: date) -> tuple[Flow, ...]:
    """What came and went after a day and up to another, by kind of money."""
    lines = Line.objects.filter(entry__on__lte=on)
    sums = _sums(lines.filter(entry__on__gt=after) if after else lines, branch)
    return tuple(Flow(method, *sums.get(method.account, (0, 0))) for method in Method)


def entries(branch: Branch | None, *, after: date | None, on: date) -> QuerySet[Entry]:
    """What moved the money of this till after a day and up to another, newest first."""
    of_till = Account.objects.filter(kind__in=OF_A_BRANCH, branch=branch).values("pk")
    moved = Line.objects.filter(Q(debit__in=of_till) | Q(credit__in=of_till)).values("entry")
    found = Entry.objects.filter(pk__in=moved, on__lte=on)
    found = found.filter(on__gt=after) if after else found
    rows = ("by", "member", "reversed_by")
    return found.select_related(*rows).prefetch_related("lines__debit", "lines__credit").order_by("-pk")


def closed(day: TillDay) -> ClosedDay:
    """What is known of a closed day."""
    before = TillDay.objects.filter(branch=day.branch, on__lt=day.on).first()
    after = before.on if before else None
    moved = entries(day.branch, after=after, on=day.on)
    return ClosedDay(day, moved, flows(day.branch, after=after, on=day.on))


@in_one_transaction
def put(branch: Branch | None, cents: int, *, act: Act, note: str) -> Entry:
    """Put money from the safe into the drawer (a float, change), or take some out (negative)."""
    if cents == 0:
        raise Refused.because(RefusalCode.AMOUNT_MISSING)
    cash, safe = house(AccountKind.CASH, branch), house(AccountKind.SAFE)
    moved = (cash, safe, cents) if cents > 0 else (safe, cash, -cents)
    return once(EntryKind.TILL, moved, act, About(branch=branch, text=note))


@in_one_transaction
def close(
    branch: Branch | None, on: date, counted: int, *, act: Act, reason: str = "", to_safe: int = 0
) -> TillDay:
    """Close the day with what was counted; a difference needs a reason and is booked.

    `to_safe` leaves the drawer after the count. Raises Refused: closed already, in the future, no reason.
    """
    lock(house(AccountKind.CASH, branch))
    till = read(branch, on=on)
    if till.last_closed and on <= till.last_closed.on:
        return _same_closing(till.last_closed, on, counted)
    if on > local_date(act.now, branch):
        raise Refused.because(RefusalCode.DAY_NOT_OVER, closed_on=on.isoformat())
    difference = counted - till.expected
    if difference and not any(character.isalpha() for character in reason):
        raise Refused.because(RefusalCode.REASON_MISSING, cents=difference)
    if to_safe > counted:
        raise Refused.because(RefusalCode.NOT_THAT_MUCH, cents=counted)
    _book_closing(branch, on, difference, to_safe, act=act, reason=reason)
    return TillDay.objects.create(
        branch=branch,
        on=on,
        opening_cents=till.opening,
        expected_cents=till.expected,
        counted_cents=counted,
        reason=one_line(reason)[:300],
        closed_at=act.now,
        closed_by=act.by,
    )


def _book_closing(
    branch: Branch | None, on: date, difference: int, to_safe: int, *, act: Act, reason: str
) -> None:
    cash = house(AccountKind.CASH, branch)
    facts = About(branch=branch, on=on, text=reason)
    if difference:
        other = house(AccountKind.DIFFERENCES)
        moved = (cash, other, difference) if difference > 0 else (other, cash, -difference)
        once(EntryKind.DIFFERENCE, moved, unnamed(act), facts)
    if to_safe:
        moved = (house(AccountKind.SAFE), cash, to_safe)
        once(EntryKind.TILL, moved, unnamed(act), About(branch=branch, on=on))


def _same_closing(closed: TillDay, on: date, counted: int) -> TillDay:
    """The closing sent twice is one; another one of the same day is refused."""
    if closed.on == on and closed.counted_cents == counted:
        return closed
    raise Refused.because(RefusalCode.DAY_CLOSED, closed_on=closed.on.isoformat())


def till_of(by: User, branches: Iterable[Branch]) -> Branch | None:
    """The till at which somebody booked last, else the first branch; None where there are no branches."""
    branches = list(branches)
    last = Entry.objects.filter(by=by, branch__in=branches).order_by("-pk").first()
    return last.branch if last else next(iter(branches), None)


def _sums(lines: QuerySet[Line], branch: Branch | None) -> dict[str, tuple[int, int]]:
    """Debits and credits of the till's accounts, by kind."""
    sums: dict[str, tuple[int, int]] = {}
    for side in ("debit", "credit"):
        of_till = {f"{side}__kind__in": OF_A_BRANCH, f"{side}__branch": branch}
        for kind, cents in lines.filter(**of_till).values_list(f"{side}__kind").annotate(Sum("cents")):
            came, went = sums.get(kind, (0, 0))
            sums[kind] = (came + cents, went) if side == "debit" else (came, went + cents)
    return sums
