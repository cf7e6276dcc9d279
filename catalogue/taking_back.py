"""The writer for taking an import back: what only an undo removes, and the question whether it may.

Whatever anything else refers to stays: loans, holds and bookings first of all, and whatever table there
will be. The caller asks, and lists what stays.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from django.apps import apps
from django.db import models, transaction

from catalogue import anchors, records
from catalogue.models import Category, Document, Flag, Game, RulesText
from catalogue.outbox import announce

PARTS_OF_GAME = {
    *("AlternativeTitle", "Contributor", "Publication", "Identifier", "GameLanguage"),
    *("Game_categories", "Game_keywords", "ComponentList", "Component"),
}
"""Rows that are the record itself, or made from it."""


def referrers(row: models.Model, apart_from: Iterable[str] = ()) -> Iterator[str]:
    """The models of which a row points at this one, by name; a table without constraint only remembers."""
    known = set(apart_from)
    # By fields, for hidden relations (related_name "+") count as well.
    for relation in row._meta.get_fields(include_hidden=True):
        if not isinstance(relation, models.ForeignObjectRel) or relation.many_to_many:
            continue
        name = relation.related_model.__name__
        has_constraint = getattr(relation.field, "db_constraint", True)
        if name in known or not has_constraint:
            continue
        if relation.related_model._base_manager.filter(**{relation.field.name: row}).exists():
            yield name


def is_referred_to(row: models.Model, apart_from: Iterable[str] = ()) -> bool:
    """Whether anything else points at the row."""
    return next(referrers(row, apart_from), None) is not None


@transaction.atomic
def remove_game(game: Game) -> None:
    """Remove a game with its boxes. Raises InUse where something needs them."""
    for copy in list(game.copies.all()):
        records.delete_copy(copy)
    records.delete_game(game)


@transaction.atomic
def remove_revisions(text: RulesText, numbers: Sequence[int], links: Mapping[str, str]) -> None:
    """Take the latest revisions from a text; `links` are the old anchors that it had before them."""
    game = records.lock_game(text.game_id)
    text.revisions.filter(number__in=numbers).delete()
    anchors.put_back(text, dict(links))
    announce(game)


@transaction.atomic
def remove_document(document: Document) -> None:
    """Take a document's name from its game."""
    game = records.lock_game(document.game_id)
    document.delete()
    announce(game)


def remove_flags(flags: Iterable[Flag]) -> None:
    """Take doubts from the librarian's list."""
    Flag.objects.filter(pk__in=[flag.pk for flag in flags]).delete()


def forget_names(made: Iterable[Sequence[object]]) -> None:
    """Remove people, publishers, categories ... that nobody uses: model and number of each."""
    for kind, pk in made:
        row = apps.get_model("catalogue", str(kind))._base_manager.filter(pk=pk).first()
        if row is not None and not is_referred_to(row):
            row.delete()


def empty_category(pk: int, filled: Mapping[str, str]) -> None:
    """Take from a category what an import has filled in, where it still says that."""
    for name, value in filled.items():
        rows = Category.objects.filter(pk=pk, **{name: value})
        games = list(Game.objects.filter(categories__in=rows)) if rows.exists() else []
        rows.update(**{name: ""})
        for game in games:
            announce(game)
