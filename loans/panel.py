"""What the desk page shows, gathered from rows into plain values. Only reads."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.formats import date_format, time_format

from catalogue.models import Copy
from catalogue.prepared import Prepared
from loans import accounts, availability, desk, hold_lists, messages, offers, rules, scan, situation, tray
from loans.calendar import local_date
from loans.desk_state import DeskLine, DeskState
from loans.locks import LONG, is_wanted
from loans.marks import MEMBERS, mark, may_have
from loans.models import DeskAction, DeskEvent, DeskNote, Entry, Loan, Member, MissingPiece
from loans.offers import Offer
from loans.telling import parties

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

CHANGES_SHOWN, REFUSALS_SHOWN = 10, 3
NOT_SHOWN = ("scanned", "refusals", "waived", "waive_reason", "before", "nonce")
"""Of the event that an event undid, or was undone by."""
ENDS_SOON = timedelta(days=30)
NOT_UNDERSTOOD = {rules.RefusalCode.UNKNOWN_CODE, rules.RefusalCode.DAMAGED_CODE}


@dataclass(frozen=True, slots=True)
class LoanLine:
    """An open loan on the member's card. `days_left` is negative when it is late."""

    loan: Loan
    days_left: int

    @property
    def days_late(self) -> int:
        """How many days too late it is, 0 when it is not."""
        return max(-self.days_left, 0)


ALSO_AT_THE_DESK: tuple[Callable[[Member, datetime], Iterable[DeskLine]], ...] = (
    hold_lists.at_the_desk,
    parties.at_the_desk,
)
"""Who has something to say about the open member: each is asked once a page."""


@dataclass(frozen=True, slots=True)
class MemberCard:
    """The open member, with all that should be seen before the first scan."""

    member: Member
    warnings: tuple[messages.Told, ...]
    loans: tuple[LoanLine, ...]
    max_loans: int | None
    ends_soon: bool
    purses: accounts.Purses
    missing: tuple[MissingPiece, ...] = ()
    notes: tuple[DeskNote, ...] = ()
    lines: tuple[DeskLine, ...] = ()

    @property
    def late(self) -> int:
        """How many games are late."""
        return sum(1 for line in self.loans if line.days_late)


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One event in words. `can_undo`: whether the button makes sense now."""

    event: DeskEvent
    told: tuple[messages.Told, ...]
    waived: tuple[messages.Told, ...]
    can_undo: bool
    undone: bool

    @property
    def action(self) -> str:
        """What was done, in a word. (Django's own display of a choice translates all the others with it.)"""
        return str(DeskAction(self.event.action).label)

    @property
    def when(self) -> str:
        """The time, with the day unless it is today's."""
        at = timezone.localtime(self.event.at)
        day = "" if at.date() == timezone.localdate() else date_format(at, "SHORT_DATE_FORMAT")
        return f"{day} {time_format(at, 'TIME_FORMAT')}".strip()

    @property
    def days_late(self) -> int:
        """How many days too late a returned box came, 0 when it did not."""
        event = self.event
        if event.action != DeskAction.CHECK_IN or event.loan is None or event.copy is None:
            return 0
        back_at = event.loan.returned_at or event.at
        return max((local_date(back_at, event.copy.branch) - event.loan.due_on).days, 0)

    @property
    def can_waive(self) -> bool:
        """Whether everything that stands against it could be set aside."""
        tried = self.event.tried in {DeskAction.LEND, DeskAction.RENEW}
        return tried and bool(self.told) and all(told.refusal.waivable for told in self.told)

    @property
    def asks_if_back(self) -> bool:
        """Whether the question is if the box has come back."""
        return self._says(rules.RefusalCode.LENT_A_MOMENT_AGO)

    @property
    def asks_if_lent_again(self) -> bool:
        """Whether the question is if the box goes out again."""
        return self._says(rules.RefusalCode.RETURNED_A_MOMENT_AGO)

    @property
    def not_understood(self) -> bool:
        """Whether the scanned code named nothing: it may have been a card."""
        return self._says(*NOT_UNDERSTOOD)

    @property
    def may_be_added(self) -> bool:
        """Whether the code may be the label of a box that nobody has catalogued yet."""
        return self._says(rules.RefusalCode.UNKNOWN_CODE)

    def _says(self, *codes: rules.RefusalCode) -> bool:
        return any(told.refusal.code in codes for told in self.told)


@dataclass(frozen=True, slots=True)
class Beside:
    """What belongs to the answered box: messages, what is proposed, and what it should not go without.

    `promised`: whether the box may be kept for somebody, or on its way.
    """

    notes: tuple[DeskNote, ...] = ()
    offers: tuple[Offer, ...] = ()
    kit: tuple[Copy, ...] = ()
    base_games: tuple[str, ...] = ()
    promised: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """The whole page. `tone` is ok, ask or stop; on `hold` scans that wait are kept back for a person."""

    state: DeskState
    card: MemberCard | None
    aside: Member | None
    answer: JournalLine | None
    beside: Beside
    answers: tuple[JournalLine, ...]
    copy: Copy | None
    question: scan.Scan | None
    journal: tuple[JournalLine, ...]
    tone: str
    booked: accounts.Booked | None
    pieces: tray.Tray | None = None

    @property
    def hold(self) -> str:
        """What scans still waiting could answer wrongly: `card`, another question (`answer`) or nothing."""
        if self.answer and self.answer.not_understood:
            return "card"
        unclear = self.answer is not None and self.answer.event.action == DeskAction.REFUSE
        return "answer" if self.question or self.copy or unclear else ""


def panel(state: DeskState, reader: User, *, now: datetime) -> Panel:
    """The page in this state, for this reader."""
    member = MEMBERS.first(state.member) if state.member else None
    answer = next(iter(_lines(ANSWERS(state.event), reader)), None) if state.event else None
    if answer and answer.event.copy:
        mark(answer.event.copy)
    answers = _lines(EVENTS.filter(pk__in=state.events), reader) if state.events else ()
    copy = _copies().filter(pk=state.copy).first() if state.copy else None
    question = _question(state.asked)
    return Panel(
        state=state if member else replace(state, member=None),
        card=_at_the_desk(member_card(member, reader, now=now), now) if member else None,
        aside=Member.objects.filter(pk=state.aside).first() if state.aside else None,
        answer=answer,
        beside=_beside(answer, member) if answer else Beside(notes=_notes(copy)),
        answers=answers[::-1],
        copy=copy,
        question=question,
        journal=journal(reader, desk.UNDO_REACHES if state.all else CHANGES_SHOWN),
        tone=_tone((answer, *answers), asks=bool(copy or question)),
        booked=accounts.booked_by(answer.event) if answer else None,
        pieces=_pieces(answer, copy),
    )


def member_card(member: Member, reader: User, *, now: datetime) -> MemberCard:
    """The member's standing and open loans, for the desk and for the member."""
    today = local_date(now, None)
    standing = situation.standing(member, today=today)
    return MemberCard(
        member=member,
        warnings=messages.explain(rules.may_borrow(standing), reader),
        loans=tuple(_loan_lines(member, now)),
        max_loans=standing.policy.max_loans,
        ends_soon=_ends_soon(member.membership_ends_on, today),
        purses=accounts.purses_of(accounts.owner_of(member))
        if may_have(member, "books")
        else accounts.Purses(),
        missing=tuple(tray.missing_with(member)) if may_have(member, "missing") else (),
    )


def _at_the_desk(card: MemberCard, now: datetime) -> MemberCard:
    """The card with what the staff alone should see."""
    lines = tuple(chain.from_iterable(say(card.member, now) for say in ALSO_AT_THE_DESK))
    return replace(card, notes=_notes(card.member), lines=lines)


def journal(reader: User, changes: int) -> tuple[JournalLine, ...]:
    """The latest changes, newest first, and among them the reader's own latest refusals.

    An undo has no line: what it took back says so. What members renew at home, and what other desks and
    programmes were refused, would only push the undo that somebody looks for out of sight.
    """
    rows = (*CHANGED[changes](), *REFUSED(reader.pk))
    return _lines(sorted(rows, key=lambda event: event.pk, reverse=True), reader)


def _beside(answer: JournalLine, member: Member | None) -> Beside:
    event = answer.event
    proposed = offers.offers_of(event, member)
    return Beside(
        notes=_notes(event.copy),
        offers=proposed,
        kit=offers.missing_of_kit(event) if Offer.KIT in proposed else (),
        base_games=offers.missing_base_games(event),
        promised=event.copy is not None and is_wanted(event.copy),
    )


def _notes(about: Member | Copy | None) -> tuple[DeskNote, ...]:
    """The messages that nobody has dealt with yet."""
    if about is None or not may_have(about, "notes"):
        return ()
    return tuple(about.desk_notes.filter(settled_at=None))


def _pieces(answer: JournalLine | None, copy: Copy | None) -> tray.Tray | None:
    if answer is not None:
        return tray.panel_for(answer.event)
    return tray.known_of(copy) if copy is not None else None


EVENTS = DeskEvent.objects.select_related(
    *("loan", "copy__game", "copy__branch", "copy__kit_box", "member"),
    *("undone_by", "undoes", "piece_count"),
).defer(
    *(f"copy__game__{name}" for name in LONG if name != "contents"),
    *(f"{other}__{name}" for other in ("undone_by", "undoes") for name in NOT_SHOWN),
)
"""Events with all that the answer shows."""

ANSWERS = Prepared(
    lambda pk: EVENTS.annotate(has_entries=Exists(Entry.objects.filter(event=OuterRef("pk")))).filter(pk=pk),
    int,
)


IN_LINES = DeskEvent.objects.select_related("copy__game", "member", "undone_by").only(
    *("action", "tried", "at", "copy", "member", "scanned", "refusals", "waived"),
    *("copy__barcode", "copy__game__title", "member__first_name", "member__last_name", "undone_by__undoes"),
)
"""Events with no more than their lines show."""

CHANGED = {
    changes: Prepared(
        partial(lambda changes: IN_LINES.filter(at_desk=True, action__in=desk.CHANGES)[:changes], changes)
    )
    for changes in (CHANGES_SHOWN, desk.UNDO_REACHES)
}
REFUSED = Prepared(
    lambda reader: IN_LINES.filter(at_desk=True, action=DeskAction.REFUSE, by=reader)[:REFUSALS_SHOWN], int
)


def _lines(events: Iterable[DeskEvent], reader: User) -> tuple[JournalLine, ...]:
    """Events, newest first, in words; of one box only the latest change can be undone."""
    events = tuple(events)
    told = {event.pk: desk.refusals_of(event) for event in events}
    waived = {event.pk: desk.waived_of(event) for event in events}
    holders = messages.holders(chain(*told.values(), *waived.values()), reader)
    lines = []
    changed: set[int | None] = set()
    for event in events:
        undone = hasattr(event, "undone_by")
        changes = event.action in desk.CHANGES and not undone
        lines.append(
            JournalLine(
                event=event,
                told=messages.in_words(told[event.pk], holders),
                waived=messages.in_words(waived[event.pk], holders),
                can_undo=changes and event.copy_id not in changed,
                undone=undone,
            )
        )
        if changes:
            changed.add(event.copy_id)
    return tuple(lines)


AT_HOME = Prepared(
    lambda member: (
        Loan.objects.filter(member=member, returned_at=None)
        .select_related("copy__game", "copy__branch")
        .only(
            *("member", "due_on", "lent_at", "place", "copy__barcode", "copy__branch__name"),
            *("copy__game__title", "copy__branch__time_zone"),
        )
    ),
    int,
)


def _loan_lines(member: Member, now: datetime) -> Iterable[LoanLine]:
    for loan in AT_HOME(member.pk):
        yield LoanLine(loan, (loan.due_on - local_date(now, loan.copy.branch)).days)


def _ends_soon(ends_on: date | None, today: date) -> bool:
    return ends_on is not None and today <= ends_on <= today + ENDS_SOON


def _question(asked: str) -> scan.Scan | None:
    """The choices for a code that may mean several things, each box with the place where it is."""
    found = scan.read(asked) if asked else None
    if found is None or found.found != scan.Found.CHOICE:
        return None
    copies = _copies().filter(pk__in=[copy.pk for copy in found.copies])
    return replace(found, copies=tuple(copies))


def _copies() -> "QuerySet[WithAnnotations[Copy, availability.Whereabouts]]":
    return availability.annotate(Copy.objects.select_related("game", "branch", "section"))


def _tone(answers: Iterable[JournalLine | None], *, asks: bool) -> str:
    lines = [line for line in answers if line is not None]
    if asks or any(line.asks_if_back or line.asks_if_lent_again for line in lines):
        return "ask"
    return "stop" if any(line.event.action == DeskAction.REFUSE for line in lines) else "ok"
