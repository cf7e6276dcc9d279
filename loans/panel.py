"""What the desk page shows, gathered from rows into plain values. Only reads.

The page's whole state stands in its address (`DeskState`): two windows of one volunteer never share an
open member, a reload shows the same page, and nothing is kept in the session.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse

from catalogue.models import Copy
from loans import accounts, availability, desk, messages, rules, scan, situation
from loans.calendar import local_date
from loans.models import DeskAction, DeskEvent, Loan, Member

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

CHANGES_SHOWN, REFUSALS_SHOWN = 10, 3
ENDS_SOON = timedelta(days=30)
NOT_UNDERSTOOD = {rules.RefusalCode.UNKNOWN_CODE, rules.RefusalCode.DAMAGED_CODE}


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskState:
    """What the page is about: row ids, and the code that a question is about.

    `member`: the open one. `event`: the last answer. `again`: it had been given before. `copy`: a box on
    the shelf that waits for a card. `asked`: a code that may mean several things. `aside`: the member
    whose card was put away because the next code was not understood. `all`: show the whole undo list.
    """

    member: int | None = None
    event: int | None = None
    copy: int | None = None
    aside: int | None = None
    asked: str = ""
    again: bool = False
    all: bool = False

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> "DeskState":
        """The state in an address or a form; what cannot be read counts as absent."""
        return cls(
            member=row_id(fields.get("member")),
            event=row_id(fields.get("event")),
            copy=row_id(fields.get("copy")),
            aside=row_id(fields.get("aside")),
            asked=scan.clean(fields.get("asked", "")),
            again=fields.get("again") == "1",
            all=fields.get("all") == "1",
        )

    @property
    def url(self) -> str:
        """The address of the page in this state."""
        ids = {"member": self.member, "event": self.event, "copy": self.copy, "aside": self.aside}
        query: dict[str, object] = {name: value for name, value in ids.items() if value}
        if self.asked:
            query["asked"] = self.asked
        query |= {name: 1 for name in ("again", "all") if getattr(self, name)}
        return reverse("loans:desk") + ("?" + urlencode(query) if query else "")


def row_id(text: str | None) -> int | None:
    """A row id out of a form or an address, or None."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 18 else None


@dataclass(frozen=True, slots=True)
class LoanLine:
    """An open loan on the member's card. `days_left` is negative when it is late."""

    loan: Loan
    days_left: int

    @property
    def days_late(self) -> int:
        """How many days too late it is, 0 when it is not."""
        return max(-self.days_left, 0)


@dataclass(frozen=True, slots=True)
class MemberCard:
    """The open member, with all that should be seen before the first scan."""

    member: Member
    warnings: tuple[messages.Told, ...]
    loans: tuple[LoanLine, ...]
    max_loans: int | None
    ends_soon: bool
    purses: accounts.Purses


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One event in words. `days_late` is of a return; `can_undo` whether the button makes sense now."""

    event: DeskEvent
    told: tuple[messages.Told, ...]
    waived: tuple[messages.Told, ...]
    days_late: int
    can_undo: bool
    undone: bool

    @property
    def can_waive(self) -> bool:
        """Whether everything that stands against it could be set aside."""
        tried = self.event.tried in {DeskAction.LEND, DeskAction.RENEW}
        return tried and bool(self.told) and all(told.refusal.waivable for told in self.told)

    @property
    def asks_if_back(self) -> bool:
        """Whether a button should take the box back after all."""
        return any(told.refusal.code == rules.RefusalCode.LENT_A_MOMENT_AGO for told in self.told)

    @property
    def asks_if_lent_again(self) -> bool:
        """Whether a button should lend the box after all."""
        return any(told.refusal.code == rules.RefusalCode.RETURNED_A_MOMENT_AGO for told in self.told)

    @property
    def not_understood(self) -> bool:
        """Whether the scanned code named nothing: it may have been a card."""
        return any(told.refusal.code in NOT_UNDERSTOOD for told in self.told)


@dataclass(frozen=True, slots=True)
class Panel:
    """The whole page. `tone` is ok, ask or stop; on `hold` scans that wait are kept back for a person."""

    state: DeskState
    card: MemberCard | None
    aside: Member | None
    answer: JournalLine | None
    copy: Copy | None
    question: scan.Scan | None
    journal: tuple[JournalLine, ...]
    tone: str
    booked: accounts.Booked | None

    @property
    def hold(self) -> str:
        """What scans still waiting could answer wrongly: `card`, another question (`answer`) or nothing."""
        if self.answer and self.answer.not_understood:
            return "card"
        unclear = self.answer is not None and self.answer.event.action == DeskAction.REFUSE
        return "answer" if self.question or self.copy or unclear else ""


def panel(state: DeskState, reader: User, *, now: datetime) -> Panel:
    """The page in this state, for this reader."""
    member = Member.objects.filter(pk=state.member).first() if state.member else None
    answer = _answer(state, reader)
    copy = _copies().filter(pk=state.copy).first() if state.copy else None
    question = _question(state.asked)
    return Panel(
        state=state if member else replace(state, member=None),
        card=member_card(member, reader, now=now) if member else None,
        aside=Member.objects.filter(pk=state.aside).first() if state.aside else None,
        answer=answer,
        copy=copy,
        question=question,
        journal=journal(reader, desk.UNDO_REACHES if state.all else CHANGES_SHOWN),
        tone=_tone(answer, asks=bool(copy or question)),
        booked=accounts.booked_by(answer.event) if answer else None,
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
        purses=accounts.purses_of(accounts.owner_of(member)),
    )


def journal(reader: User, changes: int) -> tuple[JournalLine, ...]:
    """The latest changes, newest first, and among them the reader's own latest refusals.

    An undo has no line: what it took back says so. What members renew at home, and what other desks and
    programmes were refused, would only push the undo that somebody looks for out of sight.
    """
    at_desk = _events().filter(at_desk=True)
    changed = at_desk.filter(action__in=desk.CHANGES)[:changes]
    refused = at_desk.filter(action=DeskAction.REFUSE, by=reader)[:REFUSALS_SHOWN]
    newest_first = sorted((*changed, *refused), key=lambda event: event.pk, reverse=True)
    return _lines(newest_first, reader)


def _answer(state: DeskState, reader: User) -> JournalLine | None:
    return next(iter(_lines(_events().filter(pk=state.event), reader)), None) if state.event else None


def _events() -> QuerySet[DeskEvent]:
    rows = ("loan", "copy__game", "copy__branch", "member", "by", "undone_by", "undoes")
    return DeskEvent.objects.select_related(*rows)


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
                days_late=_days_late(event),
                can_undo=changes and event.copy_id not in changed,
                undone=undone,
            )
        )
        if changes:
            changed.add(event.copy_id)
    return tuple(lines)


def _days_late(event: DeskEvent) -> int:
    if event.action != DeskAction.CHECK_IN or event.loan is None or event.copy is None:
        return 0
    return max((local_date(event.at, event.copy.branch) - event.loan.due_on).days, 0)


def _loan_lines(member: Member, now: datetime) -> Iterable[LoanLine]:
    loans = member.loans.filter(returned_at=None).select_related("copy__game", "copy__branch")
    for loan in loans:
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


def _tone(answer: JournalLine | None, *, asks: bool) -> str:
    if asks or (answer is not None and (answer.asks_if_back or answer.asks_if_lent_again)):
        return "ask"
    return "stop" if answer is not None and answer.event.action == DeskAction.REFUSE else "ok"
