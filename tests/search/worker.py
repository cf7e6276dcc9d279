"""A process of its own for the crash tests: does one thing, may stop at a named place until it is killed.

`python -m tests.search.worker ACTION [PLACE]`; says "here" on its output when it has come to the place.
"""

import json
import os
import sys
from collections.abc import Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

import whoosh.index  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from catalogue import records  # noqa: E402
from catalogue.draft import GameDraft, RevisionDraft, RulesHead  # noqa: E402
from catalogue.models import Change, Game  # noqa: E402
from search import documents, sync  # noqa: E402
from search.engines import generation  # noqa: E402
from search.find import GameFilters, find_games  # noqa: E402

WORDS = "Le hibou se pose sur la branche et prend deux graines de la réserve commune avant la nuit. "


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def stop_before(owner: Any, name: str, *, after: int = 0) -> None:
    """Let `owner.name` be called `after` times; the next time, say so and wait to be killed."""
    real: Callable[..., Any] = getattr(owner, name)
    calls = 0

    def stopping(*args: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > after:
            say("here")
            sys.stdin.read()
        return real(*args, **named)

    setattr(owner, name, stopping)


PLACES: dict[str, Callable[[], None]] = {
    "before the first commit": lambda: stop_before(generation, "_commit"),
    "inside a commit": lambda: stop_before(whoosh.index.TOC, "write"),
    "between two shelves": lambda: stop_before(generation, "_write", after=1),
    "between commit and delete": lambda: stop_before(sync, "_delete_if_followed"),
    "between two deletes": lambda: stop_before(sync, "_delete_if_followed", after=1),
    "inside a rebuild": lambda: stop_before(documents, "entries", after=2),
    "before the swap": lambda: stop_before(os, "fsync"),
}


def prepare() -> None:
    """A fresh library of five games with rules in two languages, indexed."""
    call_command("migrate", verbosity=0)
    for n in range(5):
        game = records.create_game(GameDraft(title=f"Hibou {n}"))
        for language in ("fr", "de"):
            records.add_rules_text(
                game, RulesHead(language=language), RevisionDraft(body=f"## Partie {n}\n\n{WORDS * 4}")
            )
    sync.sync()


def change() -> None:
    """Change three games, drop one, add one; nobody follows."""
    with transaction.atomic():
        first, second, third, fourth, _ = Game.objects.order_by("pk")
        for game in (first, second, third):
            records.update_game(game, GameDraft(title=f"{game.title} bis"))
        records.delete_game(fourth)
        records.create_game(GameDraft(title="Hibou neuf"))
        transaction.get_connection().run_on_commit.clear()


def save(title: str = "Chouette") -> None:
    """One save as a page makes it, the doorbell rung after the commit."""
    records.create_game(GameDraft(title=title))


def save_many(name: str) -> None:
    """Ten saves in a row."""
    for n in range(10):
        save(f"{name} {n}")


def report() -> None:
    """What the index shows, as JSON."""
    found = find_games("hibou", GameFilters(), limit=100)
    say(
        json.dumps(
            {
                "differences": [str(d) for d in sync.verify()],
                "outbox": Change.objects.count(),
                "titles": sorted(g.title for g in found.games),
            }
        )
    )


def heal() -> None:
    """What it shows after a sync."""
    sync.sync()
    report()


def serve() -> None:
    """Answer each line with the titles found, as a serving process does."""
    say("ready")
    for line in sys.stdin:
        say(json.dumps([g.title for g in find_games(line.strip(), GameFilters()).games]))


def main(action: str, *arguments: str) -> None:
    """Run one action."""
    if action in ("sync", "rebuild"):
        for place in arguments:
            PLACES[place]()
        getattr(sync, action)()
        return
    actions: dict[str, Callable[..., None]] = {
        "prepare": prepare,
        "change": change,
        "save": save,
        "save_many": save_many,
        "report": report,
        "heal": heal,
        "serve": serve,
    }
    actions[action](*arguments)


if __name__ == "__main__":
    main(*sys.argv[1:])
