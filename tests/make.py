"""Makers of rows for tests: plain functions that call the writers, with values that nobody need read."""

from datetime import UTC, date, datetime
from itertools import count
from typing import Any

from django.contrib.auth.models import Group, User

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft, RevisionDraft, RulesHead
from catalogue.models import Branch, Category, Copy, Game, RulesText
from loans import desk, households, members, memberships, policies
from loans.models import (
    Block,
    Closure,
    Household,
    Loan,
    Member,
    MemberCategory,
    MembershipKind,
    Opening,
    PolicyRow,
    PolicyRule,
)

NOON = datetime(2025, 3, 4, 12, 0, tzinfo=UTC)
"""A Tuesday, for tests in which time only has to stand somewhere."""

_numbers = count(1)


def make_game(title: str = "Finca", **fields: Any) -> Game:
    """A game in the catalogue."""
    return records.create_game(GameDraft(title=title, **fields))


def make_copy(game: Game | None = None, barcode: str = "", **fields: Any) -> Copy:
    """A box, of a new game if none is given."""
    return records.add_copy(
        game or make_game(), CopyDraft(barcode=barcode or f"9{next(_numbers):04}", **fields)
    )


def make_rules(game: Game, body: str, language: str = "fr", **head: Any) -> RulesText:
    """A rules text of one revision."""
    return records.add_rules_text(game, RulesHead(language=language, **head), RevisionDraft(body=body))


def make_user(role: str = "", username: str = "") -> User:
    """A person who may sign in (password "secret"), in a role of the staff or in none."""
    user = User.objects.create_user(username or f"user{next(_numbers)}", password="secret")
    if role:
        user.groups.add(Group.objects.get(name=role))
    return user


def make_member(
    name: str = "Camille Martin",
    card_number: str = "",
    block_reason: str = "",
    household: Household | None = None,
    **fields: Any,
) -> Member:
    """A member; the last word of the name is the last name."""
    first_name, _, last_name = name.rpartition(" ")
    card_number = card_number or f"3{next(_numbers):07}"
    draft = members.MemberDraft(card_number=card_number, first_name=first_name, last_name=last_name, **fields)
    member = members.add_member(draft, household)
    if block_reason:
        make_block(member, block_reason)
    return member


def make_block(member: Member, reason: str = "Key lost", **fields: Any) -> Block:
    """A block that has held for long."""
    values: dict[str, Any] = {"starts_on": date(2025, 1, 1), "ends_on": None, "by": None}
    return members.block(member, reason, **values | fields)


def make_household(name: str = "Famille Martin", *names: str, **fields: Any) -> Household:
    """A household, with a member for each name."""
    household = households.add_household(households.HouseholdDraft(name=name, **fields))
    for member in names:
        make_member(member, household=household)
    return household


def make_category(name: str = "School") -> MemberCategory:
    """A category of members."""
    return members.save_category(None, name)


def make_policy(
    branch: Branch | None = None,
    member_category: MemberCategory | None = None,
    game_category: Category | None = None,
    class_prefix: str = "",
    **values: Any,
) -> list[PolicyRow]:
    """What the library says of each rule in `values`, for this scope; it takes the place of what it said."""
    drafts = [
        policies.PolicyDraft(
            rule=PolicyRule(name),
            value=value,
            branch=branch,
            member_category=member_category,
            game_category=game_category,
            class_prefix=class_prefix,
        )
        for name, value in values.items()
    ]
    return [policies.put_policy(draft) for draft in drafts]


def make_act(by: User | None = None, now: datetime = NOON, **fields: Any) -> desk.Act:
    """Something a volunteer does at the desk."""
    return desk.Act(by=by or make_user("desk"), now=now, **fields)


def make_loan(copy: Copy | None = None, member: Member | None = None, now: datetime = NOON) -> Loan:
    """An open loan."""
    return desk.lend(copy or make_copy(), member or make_member(), act=make_act(now=now)).loan


def make_kind(name: str = "Family", **fields: Any) -> MembershipKind:
    """A kind of membership: twelve months, for the household."""
    values: dict[str, Any] = {"name": name} | ({} if "ends_month" in fields else {"months": 12}) | fields
    return memberships.save_kind(None, memberships.KindDraft(**values))


def make_opening(rrule: str, branch: Branch | None = None, starts_on: date = date(2020, 1, 1)) -> Opening:
    """Opening days; the writer's refusals are not asked, so that a bad calendar can be made too."""
    return Opening.objects.create(rrule=rrule, branch=branch, starts_on=starts_on)


def make_closure(first_on: date, last_on: date | None = None, branch: Branch | None = None) -> Closure:
    """Days of closure under which loans stay as they are: the last a single day if none is given."""
    return Closure.objects.create(first_on=first_on, last_on=last_on or first_on, branch=branch)
