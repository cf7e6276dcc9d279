"""Memberships: what is on sale, until when a sale would reach, and the sale itself. Their only writer.

A sale begins on the day after the membership that still runs, or today. It moves the last day of one
member, or of everybody in the household; nobody's membership is ever made shorter.
"""

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date, timedelta
from uuid import uuid4

from dateutil.relativedelta import relativedelta
from django.db import models, transaction

from catalogue.text import one_line
from loans import ledger
from loans.act import Act, of_scan
from loans.calendar import local_date
from loans.members import InUse
from loans.models import Household, Member, Membership, MembershipKind
from loans.transaction import in_one_transaction


class SoldSince(Exception):
    """The sale cannot be taken back: it was already, or a later one has built on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindDraft:
    """What is sold: rolling (`months`), or to a fixed day of the year (`ends_month`, `ends_day`)."""

    name: str
    fee_cents: int = 0
    months: int | None = None
    ends_month: int | None = None
    ends_day: int | None = None
    for_household: bool = True
    on_sale: bool = True


@dataclass(frozen=True, slots=True)
class Offer:
    """A kind, and the days that it would give these members if it were sold today."""

    kind: MembershipKind
    starts_on: date
    ends_on: date
    members: tuple[Member, ...]


# --- kinds -------------------------------------------------------------------------------------


@transaction.atomic
def save_kind(kind: MembershipKind | None, draft: KindDraft) -> MembershipKind:
    """A new kind, or a changed one; what was sold stays as it was. Raises ValueError."""
    check_kind(draft)
    kind = kind or MembershipKind()
    for field in fields(draft):
        setattr(kind, field.name, getattr(draft, field.name))
    kind.name = one_line(draft.name)
    kind.save()
    return kind


@transaction.atomic
def delete_kind(kind: MembershipKind) -> None:
    """Remove a kind that was never sold. Raises InUse: take it off sale instead."""
    try:
        kind.delete()
    except models.ProtectedError as error:
        raise InUse(kind.name) from error


def check_kind(draft: KindDraft) -> None:
    """Refuse a kind without a name, or that is neither rolling nor fixed. Raises ValueError."""
    fixed = (draft.ends_month, draft.ends_day)
    if not one_line(draft.name) or draft.fee_cents < 0:
        raise ValueError("A kind of membership needs a name, and costs nothing or more.")
    if (draft.months is None) == (fixed == (None, None)):
        raise ValueError("A membership runs for months, or to a day of the year.")
    if draft.months is None and not _is_day(*fixed):
        raise ValueError("This is no day of the year.")


def _is_day(month: int | None, day: int | None) -> bool:
    leap_year = 2024
    return month in range(1, 13) and day in range(1, monthrange(leap_year, month or 1)[1] + 1)


# --- the days ----------------------------------------------------------------------------------


def days_of(kind: MembershipKind, ends_on: date | None, today: date) -> tuple[date, date]:
    """First and last day of a sale today, where a membership runs to `ends_on`."""
    starts_on = max(today, ends_on + timedelta(days=1)) if ends_on else today
    if kind.months is not None:
        return starts_on, starts_on + relativedelta(months=kind.months) - timedelta(days=1)
    return starts_on, next(day for day in _fixed_days(kind, starts_on.year) if day > starts_on)


def _fixed_days(kind: MembershipKind, year: int) -> Iterator[date]:
    """The last day of this year and of the next; 29 February is the 28th where there is none."""
    month, day = kind.ends_month or 12, kind.ends_day or 31
    for each in (year, year + 1):
        yield date(each, month, min(day, monthrange(each, month)[1]))


def offers(member: Member, today: date) -> tuple[Offer, ...]:
    """What can be sold to the member today."""
    family = _family(member)
    return tuple(_offer(kind, member, family, today) for kind in MembershipKind.objects.filter(on_sale=True))


def _offer(kind: MembershipKind, member: Member, family: tuple[Member, ...], today: date) -> Offer:
    extended = family if kind.for_household else (member,)
    ends = [each.membership_ends_on for each in extended if each.membership_ends_on]
    return Offer(kind, *days_of(kind, max(ends, default=None), today), extended)


def _family(member: Member) -> tuple[Member, ...]:
    if member.household_id is None:
        return (member,)
    return tuple(Member.objects.filter(household=member.household_id))


def sales_of(member: Member) -> models.QuerySet[Membership]:
    """What was sold to the member or to the household, the latest first."""
    sold = models.Q(member=member) | models.Q(household=member.household_id, household__isnull=False)
    return Membership.objects.filter(sold).select_related("kind", "member", "sold_by")


# --- the sale ----------------------------------------------------------------------------------


@in_one_transaction
def sell(kind: MembershipKind, member: Member, *, act: Act) -> Membership:
    """Sell a membership: a row, later last days. The same click sent twice is one sale."""
    member, household = _lock(member)
    if act.nonce and (sold := Membership.objects.filter(of_scan(act.nonce)).first()):
        return sold
    offer = _offer(kind, member, _family(member), local_date(act.now, None))
    before = {str(each.pk): _iso(each.membership_ends_on) for each in offer.members}
    sale = Membership.objects.create(
        kind=kind,
        member=member,
        household=household if kind.for_household else None,
        starts_on=offer.starts_on,
        ends_on=offer.ends_on,
        fee_cents=kind.fee_cents,
        sold_at=act.now,
        sold_by=act.by,
        before=before,
        nonce=act.nonce or uuid4().hex,
    )
    Member.objects.filter(pk__in=[each.pk for each in offer.members]).update(membership_ends_on=offer.ends_on)
    ledger.charge_sale(sale, act)
    return sale


@in_one_transaction
def take_back(sale: Membership, *, act: Act) -> None:
    """Undo a sale: everybody has the last day from before again. Raises SoldSince."""
    _lock(sale.member)
    sale = Membership.objects.get(pk=sale.pk)
    extended = Member.objects.filter(pk__in=sale.before)
    if sale.cancelled_at or extended.exclude(membership_ends_on=sale.ends_on).exists():
        raise SoldSince(str(sale))
    for member in extended:
        Member.objects.filter(pk=member.pk).update(membership_ends_on=_day(sale.before[str(member.pk)]))
    sale.cancelled_at = act.now
    sale.save(update_fields=["cancelled_at"])
    ledger.reverse_sale(sale, act)


def _lock(member: Member) -> tuple[Member, Household | None]:
    """The member and the household as they are now: no other sale moves their days meanwhile."""
    members = Member.objects.select_for_update(of=("self",), no_key=True)
    member = members.get(pk=member.pk)
    households = Household.objects.select_for_update(of=("self",), no_key=True)
    return member, households.filter(members=member).first()


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _day(iso: str | None) -> date | None:
    return date.fromisoformat(iso) if iso else None
