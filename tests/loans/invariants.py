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

    def goes_on(self, event: DeskEvent) -> None:
        """One event later."""
        undone = event.undoes.action if event.undoes else ""
        expected_open = event.action != DeskAction.LEND and undone != DeskAction.CHECK_IN
        if self.is_open != expected_open or self.voided:
            self.wrong.append(f"loan {event.loan_id}: {event.action} {undone} out of turn ({event.pk})")
        self.is_open = event.action != DeskAction.CHECK_IN and undone != DeskAction.LEND
        self.voided = undone == DeskAction.LEND
        self.renewals += (event.action == DeskAction.RENEW) - (undone == DeskAction.RENEW)


def loans_by_journal() -> dict[int, Story]:
    """What became of each loan."""
    stories: dict[int, Story] = {}
    events = DeskEvent.objects.exclude(action=DeskAction.REFUSE).select_related("undoes").order_by("pk")
    for event in events:
        assert event.loan_id
        assert event.copy_id
        stories.setdefault(event.loan_id, Story(event.copy_id)).goes_on(event)
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
    travels = {way.copy_id for way in Transfer.objects.all() if way.received_at is None}
    conditions = dict(CopyEvent.objects.order_by("pk").values_list("copy", "after"))
    for copy in annotate(Copy.objects.all()):
        condition = conditions.get(copy.pk, copy.condition)
        expected = _where(condition, copy.pk in out, copy.pk in travels, copy.pk in promised)
        if copy.status != expected or copy.condition != condition:
            yield f"copy {copy.pk} is said to be {copy.status}, the events say {expected}"
        if (copy.due_back_on is not None) != (copy.pk in out):
            yield f"copy {copy.pk} is due back on {copy.due_back_on}"


def _where(condition: str, is_out: bool, travels: bool, promised: bool) -> str:
    if condition in GONE:
        return condition
    if is_out:
        return "on_loan"
    if travels:
        return "in_transit"
    if condition not in PLAYABLE:
        return condition
    return "on_hold" if promised else "on_shelf"


# --- money ----------------------------------------------------------------------------------------------


def sums(lines: Iterable[Line]) -> dict[int, int]:
    """What each account has got, less what it has given."""
    total: Counter[int] = Counter()
    for line in lines:
        total[line.debit_id] += line.cents
        total[line.credit_id] -= line.cents
    return {account: cents for account, cents in total.items() if cents}


def _books() -> Iterator[str]:
    lines = list(Line.objects.all())
    replayed = sums(lines)
    if sum(replayed.values()):
        yield "the books do not add up to nothing"
    for account in Account.objects.all():
        cents = replayed.get(account.pk, 0)
        if accounts.balance(account) != cents:
            yield f"account {account.pk}: {accounts.balance(account)}, its lines say {cents}"
        if account.kind in {AccountKind.DEPOSIT, AccountKind.PREPAID} and cents > 0:
            yield f"account {account.pk} ({account.kind}) is overdrawn by {cents}"
    written = {line.entry_id for line in lines}
    for entry in Entry.objects.exclude(pk__in=written):
        yield f"entry {entry.pk} has no line"


def _undone_money() -> Iterator[str]:
    """What an undone action has booked is taken back to the last cent; so is what a found piece cost."""
    lines: dict[int | None, list[Line]] = defaultdict(list)
    reversal: dict[int, list[Line]] = defaultdict(list)
    for line in Line.objects.select_related("entry"):
        lines[line.entry.event_id].append(line)
        if line.entry.reverses_id:
            reversal[line.entry.reverses_id].append(line)
    for undoing in DeskEvent.objects.filter(undoes__isnull=False):
        booked = lines[undoing.undoes_id]
        taken_back = [other for line in booked for other in reversal[line.entry_id]]
        if left := sums([*booked, *taken_back]):
            yield f"event {undoing.undoes_id} was undone and has left {left}"
    for piece in MissingPiece.objects.filter(end__in=(PieceEnd.FOUND, PieceEnd.VOID)):
        if piece.charge_entry_id and not reversal[piece.charge_entry_id]:
            yield f"missing piece {piece.pk} is at an end and still charged"
