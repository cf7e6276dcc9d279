"""The only writer of members and policies.

Takes drafts, as the catalogue does. Every function is one transaction. Admin, pages and the demo library
call it; what cannot be taken is refused with an exception that names it.
"""

from dataclasses import dataclass, fields
from datetime import date
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, models, transaction

from catalogue.text import name_key, one_line
from loans.models import LoanPolicy, Member


class CardTaken(Exception):
    """Another member has this card; `member` is that member."""

    def __init__(self, member: Member) -> None:
        super().__init__(member.card_number)
        self.member = member


class InUse(Exception):
    """The member has loans, past or open: block the card instead of removing it."""


class NeedsDefault(Exception):
    """One policy must be the default: make another one the default first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberDraft:
    """All that is kept of a member. `membership_ends_on` is the last valid day; None: no end."""

    card_number: str
    last_name: str
    first_name: str = ""
    email: str = ""
    language: str = ""  # BCP 47
    membership_ends_on: date | None = None
    block_reason: str = ""
    user: User | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyDraft:
    """How long and how much a member may borrow."""

    name: str
    loan_days: int = 21
    max_loans: int = 5
    max_renewals: int = 2
    lends_while_late: bool = False
    is_default: bool = False


# --- members -----------------------------------------------------------------------------------


@transaction.atomic
def add_member(draft: MemberDraft) -> Member:
    """A new member. Raises CardTaken, or ValueError without a card or a name."""
    return _save_member(Member(), draft)


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


# --- policies ----------------------------------------------------------------------------------


@transaction.atomic
def save_policy(policy: LoanPolicy | None, draft: PolicyDraft) -> LoanPolicy:
    """A new policy, or a changed one. The first is the default; a new default takes the place of the old.

    Loans that are open keep the due date that was promised. Raises NeedsDefault.
    """
    others = LoanPolicy.objects.select_for_update().exclude(pk=policy.pk if policy else 0)
    old_default = others.filter(is_default=True).first()
    if not draft.is_default and policy and policy.is_default:
        raise NeedsDefault(policy.name)
    if draft.is_default and old_default:
        old_default.is_default = False
        old_default.save(update_fields=["is_default"])
    policy = policy or LoanPolicy()
    _assign(policy, _values(draft) | {"is_default": draft.is_default or old_default is None})
    policy.save()
    return policy


@transaction.atomic
def delete_policy(policy: LoanPolicy) -> None:
    """Remove a policy. Raises NeedsDefault for the default one."""
    if LoanPolicy.objects.select_for_update().get(pk=policy.pk).is_default:
        raise NeedsDefault(policy.name)
    policy.delete()


def _values(draft: Any) -> dict[str, Any]:
    """The draft's values by name, rows as they are (`dataclasses.asdict` would copy them)."""
    return {field.name: getattr(draft, field.name) for field in fields(draft)}


def _assign(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
