"""Makers of rows for tests: plain functions that call the writers, with values that nobody need read."""

from datetime import UTC, date, datetime
from itertools import count
from typing import Any

from django.contrib.auth.models import Group, User

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft, RevisionDraft, RulesHead
from catalogue.models import Branch, Copy, Game, RulesText
from loans import desk, members
from loans.models import Closure, Loan, LoanPolicy, Member, Opening

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


def make_member(name: str = "Camille Martin", card_number: str = "", **fields: Any) -> Member:
    """A member; the last word of the name is the last name."""
    first_name, _, last_name = name.rpartition(" ")
    card_number = card_number or f"3{next(_numbers):07}"
    return members.add_member(
        members.MemberDraft(card_number=card_number, first_name=first_name, last_name=last_name, **fields)
    )


def make_policy(**fields: Any) -> LoanPolicy:
    """The library's policy: the default one."""
    return members.save_policy(None, members.PolicyDraft(name="Policy", is_default=True, **fields))


def make_act(by: User | None = None, now: datetime = NOON, **fields: Any) -> desk.Act:
    """Something a volunteer does at the desk."""
    return desk.Act(by=by or make_user("desk"), now=now, **fields)


def make_loan(copy: Copy | None = None, member: Member | None = None, now: datetime = NOON) -> Loan:
    """An open loan."""
    return desk.lend(copy or make_copy(), member or make_member(), act=make_act(now=now)).loan


def make_opening(rrule: str, branch: Branch | None = None, starts_on: date = date(2020, 1, 1)) -> Opening:
    """Opening days; the writer's refusals are not asked, so that a bad calendar can be made too."""
    return Opening.objects.create(rrule=rrule, branch=branch, starts_on=starts_on)


def make_closure(first_on: date, last_on: date | None = None, branch: Branch | None = None) -> Closure:
    """Days of closure under which loans stay as they are: the last a single day if none is given."""
    return Closure.objects.create(first_on=first_on, last_on=last_on or first_on, branch=branch)
