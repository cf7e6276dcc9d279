"""Households: several cards, one bill, one address. The only writer of them and of who belongs where.

Whoever comes or goes leaves a `HouseholdMove`. Loans, holds and blocks belong to the member and go along;
the bill belongs to the household and stays there, whoever caused it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import models, transaction
from django.db.models import Q, QuerySet

from catalogue.text import name_key, one_line, typed_words
from loans.act import Act
from loans.members import InUse
from loans.models import Household, HouseholdMove, Loan, Member


class NotThere(ValueError):
    """The member does not belong to this household (any more)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseholdDraft:
    """How a household is called and where it lives."""

    name: str
    address: str = ""
    postcode: str = ""
    city: str = ""
    phone: str = ""


@transaction.atomic
def add_household(draft: HouseholdDraft) -> Household:
    """A new household, with nobody in it yet. Raises ValueError without a name."""
    return _save(Household(), draft)


@transaction.atomic
def update_household(household: Household, draft: HouseholdDraft) -> Household:
    """Another name or address; the household stays the same one, with its cards and its bill."""
    return _save(household, draft)


@transaction.atomic
def delete_household(household: Household) -> None:
    """Remove a household that nobody belongs to and that was never billed. Raises InUse otherwise."""
    if household.members.exists():
        raise InUse(household.name)
    try:
        household.delete()
    except models.ProtectedError as error:
        raise InUse(household.name) from error


@transaction.atomic
def join(members: Iterable[Member], household: Household, *, act: Act) -> None:
    """Bring members into a household, from another one or from none. Who is in it already stays."""
    for member in _locked(members):
        if member.household_id != household.pk:
            _move(member, household, act)


@transaction.atomic
def leave(
    members: Sequence[Member], household: Household, *, act: Act, into: HouseholdDraft | None = None
) -> Household | None:
    """Let members leave their household, together into a new one or each for himself.

    Raises NotThere if one of them is not of this household, and then none of them leaves.
    """
    leaving = _locked(members)
    if any(member.household_id != household.pk for member in leaving):
        raise NotThere(household.name)
    new = add_household(into) if into else None
    for member in leaving:
        _move(member, new, act)
    return new


def loans_seen_by(member: Member, today: date) -> QuerySet[Loan]:
    """The open loans that the member may see at home: the own ones, and those of the household.

    An adult who keeps his loans to himself is left out; a child cannot.
    """
    if member.household_id is None:
        return member.loans.filter(returned_at=None)
    others = Member.objects.filter(household=member.household_id)
    hidden = [other.pk for other in others.filter(hides_loans=True) if not other.is_child(today)]
    shown = Q(member=member) | (Q(member__household=member.household_id) & ~Q(member__in=hidden))
    return Loan.objects.filter(shown, returned_at=None)


def named(words: str) -> QuerySet[Household]:
    """Households by words of the name or the town; one that was forgotten has none."""
    found = Household.objects.exclude(name="")
    for word in typed_words(words):
        found = found.filter(Q(name_key__contains=name_key(word)) | Q(city__icontains=word))
    return found.order_by("name", "pk")


def _move(member: Member, household: Household | None, act: Act) -> None:
    HouseholdMove.objects.create(
        member=member, left=member.household, joined=household, at=act.now, by=act.by
    )
    member.household = household
    member.save(update_fields=["household"])


def _locked(members: Iterable[Member]) -> list[Member]:
    """The members as they are now, locked in the order of their rows."""
    rows = Member.objects.select_for_update(of=("self",), no_key=True).select_related("household")
    return list(rows.filter(pk__in=[member.pk for member in members]).order_by("pk"))


def _save(household: Household, draft: HouseholdDraft) -> Household:
    name = one_line(draft.name)
    if not name:
        raise ValueError("A household needs a name.")
    household.name = name
    household.name_key = name_key(name)[:200]
    household.address = draft.address.strip()
    household.postcode, household.city = one_line(draft.postcode), one_line(draft.city)
    household.phone = one_line(draft.phone)
    household.save()
    return household
