"""What there is to say of a member or a box, asked all at once; only reads.

Of most there is nothing: the parts of the desk's page look at the marks first, and ask nothing more. A row
that was read without its marks may have anything, so whoever forgets them is only slower.
"""

from django.db.models import Exists, OuterRef, Q, QuerySet

from catalogue.models import Copy, GameLink
from catalogue.prepared import Prepared
from loans.locks import with_wants
from loans.models import (
    ACTIVE,
    Account,
    Block,
    CarePlan,
    CountState,
    DeskEvent,
    DeskNote,
    Hold,
    Member,
    MissingPiece,
    PieceCount,
)

HAS_PLANS = Exists(CarePlan.objects.filter(ended_on=None))
"""Whether the library has any plan of care."""


def _marked_members() -> "QuerySet[Member]":
    is_own, is_family = Q(member=OuterRef("pk")), Q(household=OuterRef("household_id"))
    lost = Q(loan__member=OuterRef("pk")) | Q(loan__member__household=OuterRef("household_id"))
    return Member.objects.select_related("household").annotate(
        has_notes=Exists(DeskNote.objects.filter(member=OuterRef("pk"), settled_at=None)),
        has_holds=Exists(Hold.objects.filter(member=OuterRef("pk"), state__in=ACTIVE)),
        has_blocks=Exists(Block.objects.filter(member=OuterRef("pk"), lifted_at=None)),
        has_books=Exists(Account.objects.filter(is_own | is_family)),
        has_missing=Exists(MissingPiece.objects.filter(lost, end="")),
    )


def _marked_copies() -> "QuerySet[Copy]":
    counts = PieceCount.objects.filter(copy=OuterRef("pk"), state=CountState.WAITING)
    missing = MissingPiece.objects.filter(copy=OuterRef("pk"), end="")
    return with_wants(Copy.objects.all()).annotate(
        has_notes=Exists(DeskNote.objects.filter(copy=OuterRef("pk"), settled_at=None)),
        has_pieces=Exists(missing) | Exists(counts),
        has_bases=Exists(GameLink.objects.filter(expansion=OuterRef("game"))),
        has_plans=HAS_PLANS,
    )


COPY_MARKS = ("is_wanted", "has_notes", "has_pieces", "has_bases", "has_plans")
MEMBERS = Prepared(lambda pk: _marked_members().filter(pk=pk), int)
COPIES = Prepared(lambda pk: _marked_copies().filter(pk=pk).values(*COPY_MARKS), int)


def mark(copy: Copy) -> None:
    """Give a box, read without them, its marks."""
    said = COPIES.first(copy.pk) or {}
    for name, value in said.items():
        setattr(copy, name, value)


def may_have(row: Member | Copy | DeskEvent, name: str) -> bool:
    """Whether there may be such a thing: `notes`, `holds`, ..."""
    return bool(getattr(row, f"has_{name}", True))
