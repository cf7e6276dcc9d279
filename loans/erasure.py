"""Erasing a member on request: refused while something is open, with all the reasons; then nothing is left.

Loans, events and the books keep their amounts and dates without anybody's name. An empty row stays where
the member was, for what still has to add up; the record of the erasure says who did it and when.
"""

import secrets
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.db.models import Q

from loans import accounts, forgetting
from loans.act import Act
from loans.models import (
    ACTIVE,
    Block,
    BookedLoan,
    Booking,
    BookingState,
    CalendarFeed,
    DeskNote,
    GamesDay,
    Hold,
    Household,
    HouseholdMove,
    KeptScan,
    Loan,
    Mail,
    Member,
    Membership,
    NoMail,
    Notice,
    Player,
    PrivacyAction,
    PrivacyRecord,
    ReturnedMail,
)
from loans.transaction import in_one_transaction


class Open(StrEnum):
    """Why a member cannot be erased yet."""

    LOANS = "loans"
    HOLDS = "holds"
    BOOKINGS = "bookings"
    DEBT = "debt"
    CREDIT = "credit"
    PIECES = "pieces"
    GAMES_DAY = "games_day"


@dataclass(frozen=True, slots=True)
class Reason:
    """What is still open, and how much of it: rows, or cents."""

    code: Open
    many: int


class NotYet(Exception):
    """Something is open; `reasons` are all of it."""

    def __init__(self, reasons: tuple[Reason, ...]) -> None:
        super().__init__(", ".join(reason.code for reason in reasons))
        self.reasons = reasons


def reasons_against(member: Member) -> tuple[Reason, ...]:
    """What has to be settled first. A household's bill stands in the way of its last member only."""
    last = member.household is None or not member.household.members.exclude(pk=member.pk).exists()
    own = [accounts.purses_of(member)]
    purses = [*own, accounts.purses_of(member.household)] if last and member.household else own
    counted = {
        Open.LOANS: Loan.objects.filter(member=member, returned_at=None).count(),
        Open.HOLDS: Hold.objects.filter(member=member, state__in=ACTIVE).count(),
        Open.BOOKINGS: Booking.objects.filter(member=member, state=BookingState.PLANNED).count(),
        Open.DEBT: sum(purse.debt for purse in purses),
        Open.CREDIT: sum(purse.credit + purse.deposit + purse.prepaid for purse in purses),
        Open.PIECES: Loan.objects.filter(forgetting.MISSES_PIECES, member=member).distinct().count(),
        Open.GAMES_DAY: GamesDay.objects.filter(member=member, closed_at=None).count(),
    }
    return tuple(Reason(code, many) for code, many in counted.items() if many)


@in_one_transaction
def erase(member: Member, *, act: Act) -> Member:
    """Leave nothing of the member but an empty row. Raises NotYet."""
    member = (
        Member.objects.select_for_update(of=("self",)).select_related("household", "user").get(pk=member.pk)
    )
    if member.erased_at is not None:
        return member
    if reasons := reasons_against(member):
        raise NotYet(reasons)
    _forget_past(member)
    _forget_household(member)
    _forget_user(member.user)
    _empty(member, act.now)
    PrivacyRecord.objects.create(action=PrivacyAction.ERASED, member=member, at=act.now, by=act.by)
    return member


def _forget_past(member: Member) -> None:
    forgetting.forget_loans(Loan.objects.filter(member=member).values_list("pk", flat=True))
    forgetting.forget_events(Q(member=member))
    forgetting.forget_players(Player.objects.filter(member=member))
    mine = Q(member=member) | Q(lines__debit__member=member) | Q(lines__credit__member=member)
    forgetting.unlink_entries(mine)
    BookedLoan.objects.filter(booking__member=member).delete()
    KeptScan.objects.filter(card=member).update(card=None)
    for model in (Mail, Notice, NoMail, ReturnedMail, CalendarFeed, Hold, Booking, Block, DeskNote):
        model.objects.filter(member=member).delete()
    LogEntry.objects.filter(content_type__app_label="loans", object_id=str(member.pk)).delete()


def _forget_household(member: Member) -> None:
    """Nobody is left in it: it becomes an empty row too, which its accounts belong to."""
    household = member.household
    HouseholdMove.objects.filter(member=member).delete()
    if household is None or household.members.exclude(pk=member.pk).exists():
        return
    empty = dict.fromkeys(("name", "name_key", "address", "postcode", "city", "phone"), "")
    Household.objects.filter(pk=household.pk).update(**empty)


def _forget_user(user: User | None) -> None:
    """Who only borrowed can sign in no more; one of the staff keeps the account."""
    if user is None or user.is_staff or user.groups.exists():
        return
    user.username = f"erased-{secrets.token_hex(8)}"
    user.first_name = user.last_name = user.email = ""
    user.is_active = False
    user.set_unusable_password()
    user.save()


def _empty(member: Member, now: datetime) -> None:
    Membership.objects.filter(member=member).update(before={})
    member.card_number = f"erased-{secrets.token_hex(8)}"
    member.first_name = member.last_name = member.name_key = member.email = member.language = ""
    member.household = member.category = member.user = None
    member.birth_year = member.conditions_signed_on = member.membership_ends_on = None
    member.history_months = None
    member.hides_loans = False
    member.erased_at = now
    member.save()
