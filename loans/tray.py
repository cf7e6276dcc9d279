"""What the desk shows of a box's pieces: the list to count by, what is known to be missing, what is due.

Only reads. `panel_for` is the part of the desk's answer after a return; a box that was lent without having
been counted is told about there too.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Q, QuerySet

from catalogue import components
from catalogue.components import Expected
from catalogue.models import Component, Copy
from loans import care
from loans.calendar import local_date
from loans.marks import may_have
from loans.models import (
    CountState,
    DeskAction,
    DeskEvent,
    Member,
    MissingPiece,
    PieceCount,
    PieceDecision,
)
from loans.rules import RefusalCode


@dataclass(frozen=True, slots=True)
class TrayLine:
    """One kind of piece to count. `expected`: how many should lie there now; None: the list does not say.

    `missing`: what this count has found missing; `known`: what was known to be missing before.
    """

    expected: Expected
    missing: int
    known: int

    @property
    def component(self) -> Component:
        """The kind of piece."""
        return self.expected.component

    @property
    def should_be(self) -> int | None:
        """How many should lie on the tray."""
        count = self.expected.count
        return None if count is None else max(count - self.known, 0)

    @property
    def one_more(self) -> int | None:
        """The number of missing ones after one more tap; None: all are missing already."""
        limit = self.should_be
        return self.missing + 1 if limit is None or self.missing < limit else None

    @property
    def one_less(self) -> int | None:
        """The number after one tap back."""
        return self.missing - 1 if self.missing else None


@dataclass(frozen=True, slots=True)
class Tray:
    """All about the pieces of one box after one return, or while it waits to be counted.

    `count` is None while nothing was tapped. `known` are the questions that were open before this count.
    """

    copy: Copy
    event: DeskEvent | None
    count: PieceCount | None
    lines: tuple[TrayLine, ...]
    found_missing: tuple[MissingPiece, ...] = ()
    known: tuple[MissingPiece, ...] = ()
    uncounted: tuple[PieceCount, ...] = ()
    due: tuple[care.DueBox, ...] = field(default=())

    @property
    def is_counted(self) -> bool:
        """Whether somebody has said what is there."""
        return self.count is not None and self.count.state in {CountState.COMPLETE, CountState.SHORT}

    @property
    def is_complete(self) -> bool:
        """Whether everything that should be there is there."""
        return self.count is not None and self.count.state == CountState.COMPLETE

    @property
    def waits(self) -> bool:
        """Whether the box stands in the queue."""
        return self.count is not None and self.count.state == CountState.WAITING


def panel_for(event: DeskEvent) -> Tray | None:
    """The pieces' part of the desk's answer to `event`; None where there is nothing to say."""
    copy = event.copy
    if copy is None or hasattr(event, "undone_by"):
        return None
    if event.action == DeskAction.REFUSE:
        return _refused(copy, event)
    if event.action == DeskAction.LEND:
        return known_of(copy)
    if event.action != DeskAction.CHECK_IN:
        return None
    tray = of(copy, getattr(event, "piece_count", None), event)
    return tray if tray.lines or tray.due or tray.known else None


def _refused(copy: Copy, event: DeskEvent) -> Tray | None:
    """What stands in the way of a box: the care that it is due, the pieces that it lacks."""
    codes = {refusal["code"] for refusal in event.refusals}
    if RefusalCode.COPY_NEEDS_CARE in codes:
        return Tray(copy, event, None, (), due=tuple(care.due_for(copy, _today(copy, event))))
    return known_of(copy) if RefusalCode.COPY_UNPLAYABLE in codes else None


def known_of(copy: Copy) -> Tray | None:
    """What to know of a box that lies on the desk: not counted yet, pieces that lack. None: nothing."""
    if not may_have(copy, "pieces"):
        return None
    waiting = copy.counts.filter(state=CountState.WAITING).select_related("loan__member")
    known = [piece for piece in _open_pieces(copy) if piece.is_out_of_the_box]
    tray = Tray(copy, None, None, (), known=tuple(known), uncounted=tuple(waiting))
    return tray if tray.uncounted or tray.known else None


def missing_with(member: Member) -> QuerySet[MissingPiece]:
    """The open questions of a member's household, or of the member alone."""
    family = Q(loan__member=member)
    if member.household_id:
        family |= Q(loan__member__household=member.household_id)
    rows = MissingPiece.objects.filter(family, end="")
    return rows.select_related("component", "copy__game", "loan__member")


def of(copy: Copy, count: PieceCount | None, event: DeskEvent | None = None) -> Tray:
    """The tray of one count."""
    open_pieces = _open_pieces(copy)
    this = [piece for piece in open_pieces if count is not None and piece.count_id == count.pk]
    before = [piece for piece in open_pieces if piece not in this]
    return Tray(
        copy=copy,
        event=event,
        count=count,
        lines=tuple(_lines(components.expected_in(copy), this, before)),
        found_missing=tuple(this),
        known=tuple(before),
        due=tuple(care.due_for(copy, _today(copy, event))) if event else (),
    )


def _open_pieces(copy: Copy) -> list[MissingPiece]:
    if not may_have(copy, "pieces"):
        return []
    rows = copy.missing_pieces.filter(end="")
    return list(rows.select_related("component", "loan__member").order_by("component__position", "pk"))


def _lines(
    expected: Iterable[Expected], this: Iterable[MissingPiece], before: Iterable[MissingPiece]
) -> Iterable[TrayLine]:
    missing = {piece.component_id: piece.quantity for piece in this}
    known: Counter[int] = Counter()
    for piece in before:
        if piece.decision != PieceDecision.SPARE:
            known[piece.component_id] += piece.quantity
    for one in expected:
        yield TrayLine(one, missing.get(one.component.pk, 0), known[one.component.pk])


def _today(copy: Copy, event: DeskEvent) -> date:
    return local_date(event.at, copy.branch)
