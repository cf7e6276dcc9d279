"""The only writer of counts and missing pieces: what a box holds when it comes back, and what then.

    function      writes                                           the box afterwards
    count_of      a count that waits, its loan fixed               as before
    complete      the count; what it had called missing is found   as its pieces say
    missing       one row a kind of piece, with the wanted number  incomplete, or unplayable (key piece)
    decide        shelf / spare / unplayable, and the charge       as its pieces say
    found         the end of the question, the charge reversed     as its pieces say
    give_up       the end; the box's own list says less for good   as its pieces say

Every function is one transaction that locks the game and the copy first, as the desk does. Numbers are
always the wanted ones, never "one more": the same tap sent twice counts once.
"""

from collections.abc import Mapping

from django.core.files.base import File
from django.db.models import QuerySet

from catalogue import components
from catalogue.models import Component, Condition, Copy
from catalogue.text import one_line
from loans import care, charges, photos
from loans.act import Act, Refused
from loans.locks import lock_game
from loans.models import (
    CountState,
    DeskAction,
    DeskEvent,
    Loan,
    MissingPiece,
    PieceCount,
    PieceDecision,
    PieceEnd,
)
from loans.rules import RefusalCode
from loans.transaction import in_one_transaction

# --- counts --------------------------------------------------------------------------------------


@in_one_transaction
def count_of(event: DeskEvent, *, act: Act) -> PieceCount:
    """The count after a return; opened now if there is none. Raises Refused for an undone return."""
    copy = _lock(event.copy_id or 0)
    if event.action != DeskAction.CHECK_IN or DeskEvent.objects.filter(undoes=event).exists():
        raise Refused.because(RefusalCode.RETURN_UNDONE)
    waiting = copy.counts.filter(event=event).first()
    return waiting or _open(copy, event.loan, act, event)


@in_one_transaction
def count_of_copy(copy: Copy, loan: Loan | None, *, act: Act) -> PieceCount:
    """A count of a box that stands before somebody, whoever had it (None: not known)."""
    return _open(_lock(copy.pk), loan, act)


@in_one_transaction
def complete(count: PieceCount, *, act: Act) -> PieceCount:
    """All is there. What this count had called missing has turned up; what was known to be missing stays."""
    copy, count = _locked(count)
    for piece in count.missing.filter(end=""):
        _end(piece, PieceEnd.FOUND, act)
    return _close(count, copy, CountState.COMPLETE, act)


@in_one_transaction
def missing(count: PieceCount, component: Component, quantity: int, *, act: Act) -> PieceCount:
    """So many of a piece are missing, and were not before; 0: none after all."""
    copy, count = _locked(count)
    row = count.missing.filter(component=component, end="").first()
    if row and row.quantity != quantity:
        _recount(row, quantity, act)
    elif row is None and quantity:
        MissingPiece.objects.create(
            copy=copy,
            component=component,
            count=count,
            loan=count.loan,
            quantity=quantity,
            noticed_at=act.now,
            noticed_by=act.by,
        )
    is_short = count.missing.filter(end="").exists()
    return _close(count, copy, CountState.SHORT if is_short else CountState.COMPLETE, act)


@in_one_transaction
def counted(count: PieceCount, short: Mapping[Component, int], *, act: Act) -> PieceCount:
    """The whole count at once: so many of each of these pieces are missing, and of the others none."""
    _, count = _locked(count)
    for piece in count.missing.filter(end="").exclude(component__in=short).select_related("component"):
        missing(count, piece.component, 0, act=act)
    for component, quantity in short.items():
        missing(count, component, quantity, act=act)
    return count if short else complete(count, act=act)


@in_one_transaction
def keep_photo(count: PieceCount, upload: "File[bytes]") -> PieceCount:
    """A photo of the tray with the count. Raises Refused for a file that is none."""
    kind = photos.kind_of(upload)
    if kind is None:
        raise Refused.because(RefusalCode.NOT_A_PHOTO)
    count.photo.save(photos.new_name(kind), upload, save=False)
    count.save(update_fields=["photo"])
    return count


def waiting() -> QuerySet[PieceCount]:
    """The boxes that wait to be counted, the oldest first."""
    rows = PieceCount.objects.filter(state=CountState.WAITING)
    return rows.select_related("copy__game", "loan__member").order_by("opened_at", "pk")


def _open(copy: Copy, loan: Loan | None, act: Act, event: DeskEvent | None = None) -> PieceCount:
    return PieceCount.objects.create(
        copy=copy, loan=loan, event=event, state=CountState.WAITING, opened_at=act.now, by=act.by
    )


def _close(count: PieceCount, copy: Copy, state: CountState, act: Act) -> PieceCount:
    if count.state != state:
        count.state, count.counted_at, count.by = state, act.now, act.by
        count.save(update_fields=["state", "counted_at", "by"])
    care.settle_by_pieces(copy, act=act)
    return count


# --- one missing piece -----------------------------------------------------------------------------


@in_one_transaction
def decide(
    piece: MissingPiece, decision: PieceDecision, *, charge_cents: int, act: Act, donor: Copy | None = None
) -> MissingPiece:
    """What becomes of the box, and what the family is charged (0: nothing).

    Raises Refused: settled already, no such spare, nobody to charge.
    """
    copy, piece = _locked_piece(piece)
    if (piece.decision, piece.charge_cents, piece.donor_id) == (
        decision,
        charge_cents,
        donor.pk if donor else None,
    ):
        return piece
    if charge_cents and (piece.loan is None or piece.loan.member_id is None):
        raise Refused.because(RefusalCode.NOBODY_TO_CHARGE)
    if decision != piece.decision or donor != piece.donor:
        _give_spare_back(piece)
        piece.donor = None
        if decision == PieceDecision.SPARE:
            _take_spare(piece, donor)
    piece.decision, piece.decided_at, piece.decided_by = decision, act.now, act.by
    _charge(piece, charge_cents, act)
    piece.save()
    care.settle_by_pieces(copy, act=act, why=str(piece))
    return piece


@in_one_transaction
def found(piece: MissingPiece, *, act: Act, quantity: int | None = None) -> MissingPiece:
    """It has turned up: the charge is taken back. After a spare stood in, what is found is a spare itself.

    `quantity`: only so many of them; the rest stays missing, and charged in proportion.
    """
    copy, piece = _locked_piece(piece)
    if quantity is not None and quantity < piece.quantity:
        piece = _split(piece, quantity, act)
    _end(piece, PieceEnd.FOUND, act)
    care.settle_by_pieces(copy, act=act, why=str(piece))
    return piece


@in_one_transaction
def give_up(piece: MissingPiece, *, act: Act, note: str = "") -> MissingPiece:
    """It will not come back: the box's own list says less from now on. A charge stays."""
    copy, piece = _locked_piece(piece)
    if piece.is_out_of_the_box:
        _write_off(copy, piece, note)
    piece.note = one_line(note)[:300]
    _end(piece, PieceEnd.GIVEN_UP, act)
    care.settle_by_pieces(copy, act=act, why=str(piece))
    return piece


@in_one_transaction
def lost_with(piece: MissingPiece, loan: Loan | None, *, act: Act) -> MissingPiece:
    """With which loan it went missing, or that nobody knows; a charge moves along, or is taken back."""
    _, piece = _locked_piece(piece)
    if loan is not None and loan.copy_id != piece.copy_id:
        raise Refused.because(RefusalCode.UNKNOWN_LOAN, loan=loan.pk)
    cents = piece.charge_cents
    _charge(piece, 0, act)
    piece.loan = loan
    _charge(piece, cents if loan and loan.member_id else 0, act)
    piece.save()
    return piece


def when_undone(event: DeskEvent, *, act: Act) -> None:
    """A return that never was has no count: what it had found missing is at home with the family still."""
    count = PieceCount.objects.filter(event=event).first()
    if count is None:
        return
    for piece in count.missing.filter(end=""):
        _end(piece, PieceEnd.VOID, act)
    PieceCount.objects.filter(pk=count.pk).update(state=CountState.VOID, event=None)
    care.settle_by_pieces(Copy.objects.get(pk=count.copy_id), act=act)


def open_questions() -> QuerySet[MissingPiece]:
    """Every piece that is not found and not given up."""
    rows = ("component__game", "copy__game", "loan__member", "donor")
    return MissingPiece.objects.filter(end="").select_related(*rows)


# --- spare pieces ------------------------------------------------------------------------------------


def donors(component: Component, *, but: Copy | None = None) -> list[tuple[Copy, int]]:
    """Boxes off the shelf that still hold the piece, with how many: withdrawn, or not playable anyway."""
    off_shelf = component.game.copies.filter(condition__in=(Condition.WITHDRAWN, Condition.UNPLAYABLE))
    held = ((copy, in_box(copy, component)) for copy in off_shelf if copy != but)
    return [(copy, count) for copy, count in held if count]


def in_box(copy: Copy, component: Component) -> int:
    """How many of a piece the box holds now, as far as is known (0: none, or nobody knows)."""
    own = copy.differences.filter(component=component).values_list("count", flat=True).first()
    gone = copy.missing_pieces.filter(component=component, end="").exclude(decision=PieceDecision.SPARE)
    full = own if own is not None else component.count or 0
    return max(full - sum(gone.values_list("quantity", flat=True)), 0)


def _take_spare(piece: MissingPiece, donor: Copy | None) -> None:
    enough = (
        components.change_spares(piece.component, -piece.quantity)
        if donor is None
        else in_box(donor, piece.component) >= piece.quantity
    )
    if not enough:
        raise Refused.because(RefusalCode.NO_SPARE)
    if donor is not None:
        _change_box(donor, piece.component, -piece.quantity)
    piece.donor = donor


def _give_spare_back(piece: MissingPiece) -> None:
    if piece.decision != PieceDecision.SPARE:
        return
    if piece.donor:
        _change_box(piece.donor, piece.component, piece.quantity)
    else:
        components.change_spares(piece.component, piece.quantity)


def _change_box(copy: Copy, component: Component, by: int) -> None:
    own = copy.differences.filter(component=component).first()
    full = own.count if own else component.count or 0
    components.set_difference(copy, component, max(full + by, 0), note=own.note if own else "")


def _write_off(copy: Copy, piece: MissingPiece, note: str) -> None:
    own = copy.differences.filter(component=piece.component).first()
    full = own.count if own else piece.component.count
    if full is not None:
        playable = piece.decision != PieceDecision.UNPLAYABLE
        left = max(full - piece.quantity, 0)
        components.set_difference(copy, piece.component, left, note=note, playable=playable)


# --- ends and charges ----------------------------------------------------------------------------------


def _end(piece: MissingPiece, end: PieceEnd, act: Act) -> None:
    if end != PieceEnd.GIVEN_UP:
        _reverse(piece, act)
    if end == PieceEnd.FOUND and piece.decision == PieceDecision.SPARE:
        components.change_spares(piece.component, piece.quantity)
    elif end == PieceEnd.VOID:
        _give_spare_back(piece)
    piece.end, piece.ended_at, piece.ended_by = end, act.now, act.by
    piece.save()


def _recount(piece: MissingPiece, quantity: int, act: Act) -> None:
    """Another number of the same piece: what was decided and charged was for the old one."""
    _give_spare_back(piece)
    _charge(piece, 0, act)
    piece.decision, piece.donor = PieceDecision.OPEN, None
    if quantity:
        piece.quantity = quantity
        piece.save()
    else:
        _end(piece, PieceEnd.FOUND, act)


def _split(piece: MissingPiece, quantity: int, act: Act) -> MissingPiece:
    """So many of the piece as a row of their own, charged their part; the rest stays the old row."""
    cents = piece.charge_cents
    part = cents * quantity // piece.quantity
    _charge(piece, cents - part, act)
    piece.quantity -= quantity
    piece.save()
    piece.pk, piece.count, piece.quantity = None, None, quantity
    piece.charge_cents, piece.charge_entry, piece.reversed_at, piece.reversal_entry = 0, None, None, None
    piece._state.adding = True
    return piece


def _charge(piece: MissingPiece, cents: int, act: Act) -> None:
    """Let the piece be charged `cents`: an account line is never edited, but reversed and written anew."""
    if cents == piece.charge_cents:
        return
    if piece.charge_entry:
        charges.reverse(piece.charge_entry, act=act)
    piece.charge_cents, piece.charge_entry = cents, None
    if cents and piece.loan and piece.loan.member_id:
        piece.charge_entry = charges.charge(piece.loan, cents, note=str(piece), act=act)


def _reverse(piece: MissingPiece, act: Act) -> None:
    if piece.charge_cents and piece.reversed_at is None:
        piece.reversed_at = act.now
        if piece.charge_entry:
            piece.reversal_entry = charges.reverse(piece.charge_entry, act=act)


# --- locks -----------------------------------------------------------------------------------------------


def _lock(pk: int) -> Copy:
    """The copy, after its game: the condition that may follow from a count is written under both."""
    lock_game(Copy.objects.values_list("game", flat=True).get(pk=pk))
    rows = Copy.objects.select_for_update(of=("self",), no_key=True)
    return rows.select_related("game", "branch").get(pk=pk)


def _locked(count: PieceCount) -> tuple[Copy, PieceCount]:
    copy = _lock(count.copy_id)
    count = PieceCount.objects.select_related("loan").get(pk=count.pk)
    if count.state == CountState.VOID:
        raise Refused.because(RefusalCode.RETURN_UNDONE)
    return copy, count


def _locked_piece(piece: MissingPiece) -> tuple[Copy, MissingPiece]:
    copy = _lock(piece.copy_id)
    piece = MissingPiece.objects.select_related("component__game", "loan__member", "donor").get(pk=piece.pk)
    if piece.end:
        raise Refused.because(RefusalCode.PIECE_SETTLED)
    return copy, piece
