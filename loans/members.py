"""The only writer of members, their categories and blocks.

Takes drafts, as the catalogue does. Every function is one transaction. Admin, pages and the demo library
call it; what cannot be taken is refused with an exception that names it.
"""

from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Length

from catalogue.text import name_key, one_line, typed_words
from loans.models import Block, Household, Member, MemberCategory


class CardTaken(Exception):
    """Another member has this card; `member` is that member."""

    def __init__(self, member: Member) -> None:
        super().__init__(member.card_number)
        self.member = member


class InUse(Exception):
    """The member has loans, past or open: block the card instead of removing it."""


class NameTaken(Exception):
    """Another category of members is called so already."""


BY_NAME = ("last_name", "first_name", "card_number")
SHORTEST_CARD = 6
"""Digits of the first card, where the library has none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDraft:
    """All that is kept of a member. `membership_ends_on` is the last valid day; None: no end."""

    card_number: str
    last_name: str
    first_name: str = ""
    email: str = ""
    language: str = ""  # BCP 47
    category: MemberCategory | None = None
    birth_year: int | None = None
    hides_loans: bool = False
    conditions_signed_on: date | None = None
    membership_ends_on: date | None = None
    user: User | None = None


# --- members -----------------------------------------------------------------------------------


@transaction.atomic
def add_member(draft: MemberDraft, household: Household | None = None) -> Member:
    """A new member. Raises CardTaken, or ValueError without a card or a name.

    Who comes into a household or leaves it later does so by `households`, which keeps a record of it.
    """
    return _save_member(Member(household=household), draft)


@transaction.atomic
def update_member(member: Member, draft: MemberDraft) -> Member:
    """Make the member say what `draft` says. Raises as `add_member` does."""
    return _save_member(Member.objects.select_for_update(of=("self",)).get(pk=member.pk), draft)


@transaction.atomic
def delete_member(member: Member) -> None:
    """Remove a member who never borrowed. Raises InUse otherwise."""
    try:
        member.delete()
    except models.ProtectedError as error:
        raise InUse(member.card_number) from error


def describe_member(member: Member) -> MemberDraft:
    """What is kept of the member now; the inverse of `add_member`."""
    return MemberDraft(**{field.name: getattr(member, field.name) for field in fields(MemberDraft)})


def _save_member(member: Member, draft: MemberDraft) -> Member:
    values = _values(draft) | {
        "card_number": draft.card_number.strip(),
        "first_name": one_line(draft.first_name),
        "last_name": one_line(draft.last_name),
    }
    if not values["card_number"] or not values["last_name"]:
        raise ValueError("A member needs a card number and a last name.")
    _assign(member, values)
    member.name_key = name_key(f"{member.first_name} {member.last_name}")[:310]
    try:
        with transaction.atomic():
            member.save()
    except IntegrityError as error:
        holder = Member.objects.filter(card_number=member.card_number).exclude(pk=member.pk).first()
        if holder is None:
            raise
        raise CardTaken(holder) from error
    return member


def next_card_number() -> str:
    """The card to propose: one more than the last one that is a whole number, with the same length."""
    numbers = Member.objects.filter(card_number__regex=r"^[0-9]+$").annotate(length=Length("card_number"))
    last = numbers.order_by("-length", "-card_number").values_list("card_number", flat=True).first() or "0"
    return str(int(last) + 1).zfill(max(len(last), SHORTEST_CARD))


# --- categories, conditions, blocks ------------------------------------------------------------


@transaction.atomic
def save_category(category: MemberCategory | None, name: str) -> MemberCategory:
    """A new category of members, or another name for one. Raises NameTaken, or ValueError without a name."""
    category = category or MemberCategory()
    category.name = one_line(name)
    category.key = name_key(name)[:100]
    if not category.key:
        raise ValueError("A category needs a name.")
    try:
        with transaction.atomic():
            category.save()
    except IntegrityError as error:
        raise NameTaken(category.name) from error
    return category


@transaction.atomic
def delete_category(category: MemberCategory) -> None:
    """Remove a category that no member and no policy is of. Raises InUse otherwise."""
    try:
        category.delete()
    except models.ProtectedError as error:
        raise InUse(category.name) from error


@transaction.atomic
def sign_conditions(member: Member, on: date | None) -> None:
    """Keep on which day the member signed the conditions of loan; None: not signed after all."""
    Member.objects.filter(pk=member.pk).update(conditions_signed_on=on)


@transaction.atomic
def block(member: Member, reason: str, *, starts_on: date, ends_on: date | None, by: User | None) -> Block:
    """Let the member borrow nothing, for a reason, to a last day or until it is lifted. Raises ValueError."""
    reason = one_line(reason)
    if not reason or (ends_on and ends_on < starts_on):
        raise ValueError("A block needs a reason, and does not end before it begins.")
    return Block.objects.create(
        member=member, reason=reason[:300], starts_on=starts_on, ends_on=ends_on, by=by
    )


@transaction.atomic
def lift(block: Block, *, by: User, now: datetime) -> None:
    """End a block at once. One that was lifted already stays as it is."""
    Block.objects.filter(pk=block.pk, lifted_at=None).update(lifted_at=now, lifted_by=by)


def _values(draft: Any) -> dict[str, Any]:
    """The draft's values by name, rows as they are (`dataclasses.asdict` would copy them)."""
    return {field.name: getattr(draft, field.name) for field in fields(draft)}


def _assign(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)


# --- finding -------------------------------------------------------------------------------------


def named(q: str) -> QuerySet[Member]:
    """By words of the name or of the household's, or by the beginning of the card; people, no games days."""
    found = Member.objects.filter(erased_at=None, games_day=None)
    for word in typed_words(q):
        key = name_key(word)
        named = Q(name_key__contains=key) | Q(household__name_key__contains=key)
        found = found.filter(named | Q(card_number__startswith=word))
    return found
