"""What must be true of the desk's rows after anything at all: worked out anew from the journals, in Python.

Nothing here asks the code that it checks: where a box is, what a loan has become and what is owed are told
from events and lines alone. Used by `test_any_morning`, by the desks at once, and by whoever doubts.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

from catalogue.models import Condition, Copy, CopyEvent
from loans import accounts
from loans.availability import annotate
from loans.models import (
    Account,
    AccountKind,
    Booking,
    BookingState,
    DeskAction,
    DeskEvent,
    Entry,
    Hold,
    HoldAction,
    HoldEvent,
    HoldState,
    Line,
    Loan,
    MissingPiece,
    PieceEnd,
    Transfer,
)

PLAYABLE = {Condition.IN_SERVICE, Condition.INCOMPLETE}
GONE = {Condition.WITHDRAWN, Condition.DONATED, Condition.LOST}
ENDS_A_PROMISE = {HoldAction.BACK_IN_LINE, HoldAction.LENT, HoldAction.LAPSED, HoldAction.CANCELLED}


def broken() -> list[str]:
    """Every contradiction, in words; empty: all is well."""
    stories = loans_by_journal()
    return [
        *_loans(stories),
        *_queues(),
        *_promises(stories),
        *_availability(stories),
        *_books(),
        *_undone_money(),
    ]


# --- loans ---------------------------------------------------------------------------------------


@dataclass
class Story:
    """A loan, as the journal tells it."""

    copy: int
    is_open: bool = False
    voided: bool = False
    renewals: int = 0
    wrong: list[str] = field(default_factory=list)

    def goes_on(self, action: str, undone: str) -> bool:
        """One event later; whether it was that event's turn."""
        starts_open = action != DeskAction.LEND and undone != DeskAction.CHECK_IN
        in_turn = self.is_open == starts_open and not self.voided
        self.is_open = action != DeskAction.CHECK_IN and undone != DeskAction.LEND
        self.voided = undone == DeskAction.LEND
        self.renewals += (action == DeskAction.RENEW) - (undone == DeskAction.RENEW)
        return in_turn


def loans_by_journal() -> dict[int, Story]:
    """What became of each loan."""
    stories: dict[int, Story] = {}
    events = DeskEvent.objects.exclude(action=DeskAction.REFUSE).order_by("pk")
    for pk, loan, copy, action, undone in events.values_list(
        "pk", "loan", "copy", "action", "undoes__action"
    ):
        assert loan
        assert copy
        story = stories.setdefault(loan, Story(copy))
        if not story.goes_on(action, undone or ""):
            story.wrong.append(f"loan {loan}: {action} {undone} out of turn (event {pk})")
    return stories


def _loans(stories: dict[int, Story]) -> Iterator[str]:
    loans = list(Loan.objects.all())
    for story in stories.values():
        yield from story.wrong
    for loan in loans:
        told = stories.get(loan.pk, Story(0))
        is_open = loan.returned_at is None
        if (is_open, loan.voided, loan.renewals) != (told.is_open, told.voided, told.renewals):
            yield f"loan {loan.pk} is not what its journal says"
        if loan.due_on < loan.lent_on:
            yield f"loan {loan.pk} is due before it was lent"
    for copy, count in Counter(loan.copy_id for loan in loans if loan.returned_at is None).items():
        if count > 1:
            yield f"copy {copy} is lent {count} times"


# --- queues and promises ----------------------------------------------------------------------------


def _queues() -> Iterator[str]:
    places: dict[int, list[int | None]] = defaultdict(list)
    for hold in Hold.objects.filter(state__in=(HoldState.WAITING, HoldState.READY)):
        places[hold.game_id].append(hold.position)
    for game, taken in places.items():
        if sorted(taken, key=lambda place: place or 0) != list(range(1, len(taken) + 1)):
            yield f"game {game}: places {taken}"


def promised_by_story() -> dict[int, int]:
    """Which copy is promised to which hold, as the stories of the holds tell it."""
    promised: dict[int, int] = {}
    for event in HoldEvent.objects.order_by("pk"):
        if event.action in {HoldAction.PROMISED, HoldAction.READY} and event.copy_id:
            promised[event.hold_id] = event.copy_id
        elif event.action in ENDS_A_PROMISE:
            promised.pop(event.hold_id, None)
    return promised


def _promises(stories: dict[int, Story]) -> Iterator[str]:
    """No box is promised twice, or promised while it is out or unfit; what is booked could be fetched."""
    rows = dict(Hold.objects.filter(copy__isnull=False).values_list("pk", "copy"))
    ready = Hold.objects.filter(state=HoldState.READY).values_list("pk", flat=True)
    out = {story.copy for story in stories.values() if story.is_open}
    # A promised box is told by an event, whether it must be fetched or lies ready.
    if rows != (told := promised_by_story()):
        yield f"promised {rows}, told {told}"
    if not set(ready) <= set(rows):
        yield "ready without a box"
    for copy, count in Counter(rows.values()).items():
        if count > 1 or copy in out:
            yield f"copy {copy} is promised {count} times, out: {copy in out}"
    yield from _booked()


def _booked() -> Iterator[str]:
    boxes = Counter(Copy.objects.exclude(condition__in=GONE).values_list("game", flat=True))
    claims = Booking.objects.exclude(state=BookingState.CANCELLED)
    for booking in claims:
        for day in kept_days(booking):
            wanted = sum(one.copies for one in claims if one.game_id == booking.game_id and day in kept(one))
            if wanted > boxes[booking.game_id]:
                yield f"{wanted} boxes of game {booking.game_id} are booked for {day}"


def kept(booking: Booking) -> set[date]:
    """The days on which its boxes are kept for a booking."""
    return set(kept_days(booking))


def kept_days(booking: Booking) -> Iterator[date]:
    """The same, in order."""
    day = booking.from_on - timedelta(days=booking.buffer_days)
    while day <= booking.to_on + timedelta(days=booking.buffer_days):
        yield day
        day += timedelta(days=1)


# --- where the boxes are ------------------------------------------------------------------------------


def _availability(stories: dict[int, Story]) -> Iterator[str]:
    out = {story.copy for story in stories.values() if story.is_open}
    promised = set(promised_by_story().values())
    travels = set(Transfer.objects.filter(received_at=None).values_list("copy", flat=True))
    conditions = dict(CopyEvent.objects.order_by("pk").values_list("copy", "after"))
    for copy in annotate(Copy.objects.all()):
        condition = conditions.get(copy.pk, copy.condition)
        expected = _where(condition, is_out=copy.pk in out, travels=copy.pk in travels)
        if expected == "on_shelf" and copy.pk in promised:
            expected = "on_hold"
        if copy.status != expected or copy.condition != condition:
            yield f"copy {copy.pk} is said to be {copy.status}, the events say {expected}"
        if (copy.due_back_on is not None) != (copy.pk in out):
            yield f"copy {copy.pk} is due back on {copy.due_back_on}"


def _where(condition: str, *, is_out: bool, travels: bool) -> str:
    if condition in GONE:
        return condition
    if is_out:
        return "on_loan"
    if travels:
        return "in_transit"
    return "on_shelf" if condition in PLAYABLE else condition


# --- money ----------------------------------------------------------------------------------------------


Moved = tuple[int, int, int]
"""Debit, credit, cents."""


def sums(lines: Iterable[Moved]) -> dict[int, int]:
    """What each account has got, less what it has given."""
    total: Counter[int] = Counter()
    for debit, credit, cents in lines:
        total[debit] += cents
        total[credit] -= cents
    return {account: cents for account, cents in total.items() if cents}


def _books() -> Iterator[str]:
    replayed = sums(Line.objects.values_list("debit", "credit", "cents"))
    if sum(replayed.values()):
        yield "the books do not add up to nothing"
    for account in Account.objects.all():
        cents = replayed.get(account.pk, 0)
        if accounts.balance(account) != cents:
            yield f"account {account.pk}: {accounts.balance(account)}, its lines say {cents}"
        if account.kind in {AccountKind.DEPOSIT, AccountKind.PREPAID} and cents > 0:
            yield f"account {account.pk} ({account.kind}) is overdrawn by {cents}"
    for entry in Entry.objects.filter(lines=None):
        yield f"entry {entry.pk} has no line"


def _undone_money() -> Iterator[str]:
    """What an undone action has booked is taken back to the last cent; so is what a found piece cost."""
    booked: dict[int | None, list[tuple[int, Moved]]] = defaultdict(list)
    reversal: dict[int | None, list[Moved]] = defaultdict(list)
    columns = ("entry", "entry__event", "entry__reverses", "debit", "credit", "cents")
    for entry, event, reverses, *moved in Line.objects.values_list(*columns):
        booked[event].append((entry, (moved[0], moved[1], moved[2])))
        reversal[reverses].append((moved[0], moved[1], moved[2]))
    undone = DeskEvent.objects.filter(undoes__isnull=False).values_list("undoes", flat=True)
    for undone_event in undone:
        lines = booked[undone_event]
        taken_back = [moved for entry, _ in lines for moved in reversal[entry]]
        if left := sums([*(moved for _, moved in lines), *taken_back]):
            yield f"event {undone_event} was undone and has left {left}"
    ended = MissingPiece.objects.filter(end__in=(PieceEnd.FOUND, PieceEnd.VOID), charge_entry__isnull=False)
    for pk, charge in ended.values_list("pk", "charge_entry"):
        if not reversal[charge]:
            yield f"missing piece {pk} is at an end and still charged"
