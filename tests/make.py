"""Makers of rows for tests: plain functions that call the writers, with values that nobody need read."""

from itertools import count
from typing import Any

from django.contrib.auth.models import Group, User

from catalogue import records
from catalogue.draft import CopyDraft, GameDraft, RevisionDraft, RulesHead
from catalogue.models import Copy, Game, RulesText

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
