"""The only writer of stocktakes: start, scan, close, and what somebody then does about a finding.

A scan only writes down what was seen. Nothing about a box changes by itself: each remedy is a button, and
goes through the writer that it belongs to (`care`, `records`, `desk`, `transfers`). Every function is one
transaction; a box scanned twice is one line.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, QuerySet

from catalogue import records
from catalogue.models import Branch, Condition, Copy, Section
from loans import availability, care, desk, scan, transfers
from loans.act import Act
from loans.availability import Availability
from loans.care_rules import Move
from loans.models import DeskAction, DeskEvent, Finding, Settled, Stocktake, StocktakeLine
from loans.transaction import in_one_transaction

MOST_CODES = 2000
"""How many codes one form may bring: a scanner with a memory, emptied at the end of a shelf."""

EXPECTED = (Availability.ON_SHELF, Availability.NOT_FOR_LOAN)
"""Where a box stands that must be found. One in repair, on the hold shelf or on its way is elsewhere."""


class StocktakeClosed(Exception):
    """The stocktake is over: start another one."""


class CannotSettle(Exception):
    """This remedy does not fit what was found, or somebody has seen to it already."""


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan was written down as; `again`: it had been before."""

    line: StocktakeLine
    again: bool = False


# --- start, scan, close --------------------------------------------------------------------------


@in_one_transaction
def start(branch: Branch | None, section: Section | None, *, act: Act) -> Stocktake:
    """Begin to look at a section, a branch, or (None) all. One that is still open is gone on with."""
    same = Stocktake.objects.filter(branch=branch, section=section, closed_at=None).first()
    return same or Stocktake.objects.create(
        branch=branch, section=section, started_at=act.now, started_by=act.by
    )


def scan_codes(stocktake: Stocktake, text: str, *, act: Act) -> list[Scanned]:
    """Write down each code, one a line, in its order. Raises StocktakeClosed."""
    codes = [code for code in map(scan.clean, text.splitlines()) if code]
    return [scan_code(stocktake, code, act=act) for code in codes[:MOST_CODES]]


@in_one_transaction
def scan_code(stocktake: Stocktake, code: str, *, act: Act) -> Scanned:
    """Write down one code: a box and what it was found to be, or a code that is no box of ours."""
    stocktake = _locked(stocktake)
    if stocktake.closed_at is not None:
        raise StocktakeClosed
    code = scan.clean(code)
    found = scan.read_copy(code)
    copy = found.copies[0] if len(found.copies) == 1 else None
    same = {"copy": copy} if copy else {"copy": None, "code": code}
    line = stocktake.lines.filter(**same).select_related("copy__game").first()
    if line is not None:
        return Scanned(line, again=True)
    finding = _finding(stocktake, copy) if copy else Finding.UNKNOWN
    line = stocktake.lines.create(copy=copy, code=code, finding=finding, seen_at=act.now, seen_by=act.by)
    return Scanned(line)


def _finding(stocktake: Stocktake, copy: Copy) -> Finding:
    status = availability.annotate(Copy.objects.filter(pk=copy.pk)).get().status
    if status in SURPRISES:
        return SURPRISES[status]
    elsewhere = (stocktake.branch_id and copy.branch_id != stocktake.branch_id) or (
        stocktake.section_id and copy.section_id != stocktake.section_id
    )
    return Finding.MISPLACED if elsewhere else Finding.SEEN


SURPRISES: dict[str, Finding] = {
    Availability.ON_LOAN: Finding.ON_LOAN,
    Availability.IN_TRANSIT: Finding.IN_TRANSIT,
    Availability.LOST: Finding.LOST,
    Availability.WITHDRAWN: Finding.WITHDRAWN,
    Availability.DONATED: Finding.DONATED,
}


@in_one_transaction
def close(stocktake: Stocktake, *, act: Act) -> Stocktake:
    """End it: what is missing now is written down. Closed twice is closed once."""
    stocktake = _locked(stocktake)
    if stocktake.closed_at is None:
        lines = [
            StocktakeLine(stocktake=stocktake, copy=copy, code=copy.barcode, finding=Finding.MISSING)
            for copy in missing(stocktake)
        ]
        StocktakeLine.objects.bulk_create(lines, batch_size=500)
        stocktake.closed_at, stocktake.closed_by = max(act.now, stocktake.started_at), act.by
        stocktake.save(update_fields=["closed_at", "closed_by"])
    return stocktake


def missing(stocktake: Stocktake) -> QuerySet[Copy]:
    """The boxes that should stand there and were not seen: neither here nor, since it began, at the desk."""
    copies = Copy.objects.filter(pk__in=expected(stocktake).values("pk"))
    seen = StocktakeLine.objects.filter(stocktake=stocktake, copy=OuterRef("pk"))
    back = DeskEvent.objects.filter(
        copy=OuterRef("pk"), action=DeskAction.CHECK_IN, at__gte=stocktake.started_at
    )
    return copies.filter(~Exists(seen), ~Exists(back)).select_related("game", "section", "branch")


def expected(stocktake: Stocktake) -> QuerySet[Copy]:
    """The boxes that should stand there now."""
    copies = Copy.objects.all()
    if stocktake.branch_id:
        copies = copies.filter(branch=stocktake.branch_id)
    if stocktake.section_id:
        copies = copies.filter(section=stocktake.section_id)
    return availability.annotate(copies).filter(status__in=EXPECTED)


# --- what is done about it -----------------------------------------------------------------------


def remedies(line: StocktakeLine) -> tuple[Settled, ...]:
    """What can be done about a finding, the usual thing first; nothing once it was seen to."""
    return () if line.settled else REMEDIES.get(Finding(line.finding), ())


@in_one_transaction
def settle(line: StocktakeLine, how: Settled, *, act: Act) -> StocktakeLine:
    """Do what `how` says and write it down; the same twice is once.

    Raises CannotSettle, and what the writers behind it raise.
    """
    line = StocktakeLine.objects.select_for_update(of=("self",)).get(pk=line.pk)
    if line.settled == how:
        return line
    if how not in remedies(line):
        raise CannotSettle(line.finding)
    if remedy := WRITERS.get(how):
        remedy(line, act)
    line.settled, line.settled_at, line.settled_by = how, act.now, act.by
    line.save(update_fields=["settled", "settled_at", "settled_by"])
    return line


REMEDIES: dict[Finding, tuple[Settled, ...]] = {
    Finding.MISSING: (Settled.LOST, Settled.PUT_BACK),
    Finding.MISPLACED: (Settled.PUT_BACK, Settled.MOVED),
    Finding.ON_LOAN: (Settled.CHECKED_IN, Settled.PUT_BACK),
    Finding.IN_TRANSIT: (Settled.RECEIVED, Settled.PUT_BACK),
    Finding.LOST: (Settled.FOUND, Settled.PUT_BACK),
    Finding.WITHDRAWN: (Settled.FOUND, Settled.PUT_BACK),
    Finding.DONATED: (Settled.PUT_BACK,),
    Finding.UNKNOWN: (Settled.PUT_BACK,),
}


def is_for_librarians(line: StocktakeLine, how: Settled) -> bool:
    """Whether the remedy changes what the catalogue says the library owns, or where."""
    return how == Settled.MOVED or (how == Settled.FOUND and line.finding == Finding.WITHDRAWN)


def remedies_open_to(by: User, line: StocktakeLine) -> tuple[Settled, ...]:
    """What somebody may do about a finding."""
    is_librarian = by.has_perm(care.EDIT_CATALOGUE)
    return tuple(how for how in remedies(line) if is_librarian or not is_for_librarians(line, how))


def surprises(stocktake: Stocktake) -> QuerySet[StocktakeLine]:
    """All that was found but the boxes in their place."""
    places = ("copy__game", "copy__section", "copy__branch", "settled_by")
    return stocktake.lines.exclude(finding=Finding.SEEN).select_related(*places)


def _lose(line: StocktakeLine, act: Act) -> None:
    """A box that was seen or lent since the close is not lost."""
    copy = _copy(line)
    if availability.annotate(Copy.objects.filter(pk=copy.pk)).get().status not in EXPECTED:
        raise CannotSettle(line.finding)
    care.move(copy, Move.LOSE, act=act, why=str(line.stocktake))


def _find(line: StocktakeLine, act: Act) -> None:
    copy = _copy(line)
    moves = {Condition.LOST: Move.FIND_AGAIN, Condition.WITHDRAWN: Move.TAKE_BACK}
    if copy.condition not in moves:
        raise CannotSettle(line.finding)
    care.move(copy, moves[Condition(copy.condition)], act=act, why=str(line.stocktake))


def _move(line: StocktakeLine, act: Act) -> None:  # noqa: ARG001 - the remedies are alike
    copy, place = _copy(line), line.stocktake
    draft = records.describe_copy(copy)
    records.update_copy(
        copy,
        replace(
            draft,
            branch=place.branch.name if place.branch else draft.branch,
            section=place.section.name if place.section else draft.section,
        ),
    )


def _check_in(line: StocktakeLine, act: Act) -> None:
    desk.check_in(_copy(line), act=act)


def _receive(line: StocktakeLine, act: Act) -> None:
    transfers.receive(_copy(line), act=act)


WRITERS: dict[Settled, Callable[[StocktakeLine, Act], None]] = {
    Settled.LOST: _lose,
    Settled.FOUND: _find,
    Settled.MOVED: _move,
    Settled.CHECKED_IN: _check_in,
    Settled.RECEIVED: _receive,
}


def _copy(line: StocktakeLine) -> Copy:
    assert line.copy is not None  # noqa: S101 - by the constraint only_a_code_is_unknown
    return line.copy


def _locked(stocktake: Stocktake) -> Stocktake:
    return Stocktake.objects.select_for_update(of=("self",)).get(pk=stocktake.pk)
