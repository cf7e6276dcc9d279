"""How the staff find a record in their own tables: by a label, a product code, a call number or words.

No ranking and no index: a record just saved is found at once. The public search is `search`.
"""

from django.db.models import Count, Q, QuerySet

from catalogue import barcodes
from catalogue.models import Copy, Game
from catalogue.text import name_key


def games_for_staff() -> QuerySet[Game]:
    """Every record with the numbers of its copies, texts and open doubts, in shelf order."""
    return Game.objects.annotate(
        copy_count=Count("copies", distinct=True),
        text_count=Count("rules_texts", distinct=True),
        doubt_count=Count("flags", filter=Q(flags__settled_at=None), distinct=True),
    ).prefetch_related("publications__publisher", "languages")


def scanned_game(code: str) -> Game | None:
    """The one game that a scanned label or product code stands for; None where it is none or several."""
    labels = barcodes.label_candidates(code)
    copy = Copy.objects.filter(barcode__in=labels).select_related("game").first()
    if copy is not None:
        return copy.game
    games = Game.objects.filter(identifiers__gtin__in=barcodes.product_gtins(code)).distinct()[:2]
    return games[0] if len(games) == 1 else None


def find_games(text: str) -> QuerySet[Game]:
    """Records whose titles, people or publishers hold every word, or whose numbers are the text.

    Accents and case do not matter.
    """
    games = games_for_staff()
    if not text.strip():
        return games
    return games.filter(pk__in=Game.objects.filter(_words(text) | _numbers(text)).values("pk"))


def _words(text: str) -> Q:
    found = Q()
    for word in name_key(text).split():
        found &= (
            Q(title_key__contains=word)
            | Q(alternative_titles__title_key__contains=word)
            | Q(contributors__person__key__contains=word)
            | Q(publications__publisher__key__contains=word)
        )
    return found


def _numbers(text: str) -> Q:
    typed = text.strip()
    return (
        Q(copies__barcode__in=barcodes.label_candidates(typed))
        | Q(copies__call_number__iexact=typed)
        | Q(identifiers__printed=typed)
        | Q(identifiers__gtin__in=barcodes.product_gtins(typed))
    )
