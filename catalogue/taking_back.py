"""The writer for taking an import back: what only an undo removes, and the question whether it may.

Whatever anything else refers to stays: loans, holds and bookings first of all, and whatever table there
will be. The caller asks, and lists what stays.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence

from django.apps import apps
from django.db import models, transaction

from catalogue import anchors, records
from catalogue.models import Category, Copy, Document, Flag, Game, RemovedText, RulesText
from catalogue.outbox import announce, announce_all, leave_signs

PARTS_OF_GAME = {
    *("AlternativeTitle", "Contributor", "Publication", "Identifier", "GameLanguage"),
    *("Game_categories", "Game_keywords", "ComponentList", "Component"),
}
"""Rows that are the record itself, or made from it."""


def referred_to(model: type[models.Model], keys: Collection[int], apart_from: Iterable[str] = ()) -> set[int]:
    """Those of the rows at which anything points but rows of the models that are named.

    A table without constraint only remembers.
    """
    known, found = set(apart_from), set[int]()
    # By fields, for hidden relations (related_name "+") count as well.
    for relation in model._meta.get_fields(include_hidden=True) if keys else ():
        if not isinstance(relation, models.ForeignObjectRel) or relation.many_to_many:
            continue
        name = relation.related_model.__name__
        has_constraint = getattr(relation.field, "db_constraint", True)
        if name in known or not has_constraint:
            continue
        column = relation.field.attname
        rows = relation.related_model._base_manager.filter(**{f"{relation.field.name}__in": keys})
        found.update(rows.order_by().values_list(column, flat=True).distinct())
    return found


def is_referred_to(row: models.Model, apart_from: Iterable[str] = ()) -> bool:
    """Whether anything else points at the row."""
    return bool(referred_to(type(row), [row.pk], apart_from))


@transaction.atomic
def remove_games(games: Collection[int]) -> None:
    """Remove games with their boxes and texts. Raises InUse where something needs them."""
    announce_all(Game.objects.filter(pk__in=games))
    leave_signs(Game.objects.filter(pk__in=games))
    texts = RulesText.objects.filter(game__in=games).select_related("game")
    RemovedText.objects.bulk_create(
        RemovedText(text_id=text.pk, title=text.game.title, language=text.language) for text in texts
    )
    try:
        Copy.objects.filter(game__in=games).delete()
        Game.objects.filter(pk__in=games).delete()
    except models.ProtectedError as error:
        raise records.InUse(str(error)) from error


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
