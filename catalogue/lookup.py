"""How the staff find a record in their own tables: by a label, a product code, a call number or words.

No ranking and no index: a record just saved is found at once. The public search is `search`.
"""

from django.db.models import Prefetch, Q, QuerySet

from catalogue import barcodes
from catalogue.models import Copy, Flag, Game
from catalogue.text import LONGEST_WORD, name_key, one_line, typed_words


def scanned_game(code: str) -> Game | None:
    """The one game that a scanned label or product code stands for; None where it is none or several."""
    code = one_line(code)
    labels = barcodes.label_candidates(code)
    copy = Copy.objects.filter(barcode__in=labels).select_related("game").first()
    if copy is not None:
        return copy.game
    games = Game.objects.filter(identifiers__gtin__in=barcodes.product_gtins(code)).distinct()[:2]
    return games[0] if len(games) == 1 else None


def find_games(text: str) -> QuerySet[Game]:
    """Records whose titles, people or publishers hold every word, or whose numbers are the text.

    Accents and case do not matter; no text finds all. Copies, texts and open doubts come with them.
    """
    open_doubts = Prefetch("flags", Flag.objects.filter(settled_at=None), to_attr="open_doubts")
    games = Game.objects.prefetch_related("publications__publisher", "copies", "rules_texts", open_doubts)
    if not text.strip():
        return games
    return games.filter(pk__in=Game.objects.filter(_words(text) | _numbers(text)).values("pk"))


def _words(text: str) -> Q:
    """Each word may stand in another row: "linde vohwinkel" names two people of one game."""
    found = Q()
    for word in typed_words(name_key(text)):
        holding = Game.objects.filter(
            Q(title_key__contains=word)
            | Q(alternative_titles__title_key__contains=word)
            | Q(contributors__person__key__contains=word)
            | Q(publications__publisher__key__contains=word)
        )
        found &= Q(pk__in=holding.values("pk"))
    return found


def _numbers(text: str) -> Q:
    typed = one_line(text)[:LONGEST_WORD]
    return (
        Q(copies__barcode__in=barcodes.label_candidates(typed))
        | Q(copies__call_number__iexact=typed)
        | Q(identifiers__printed=typed)
        | Q(identifiers__gtin__in=barcodes.product_gtins(typed))
    )
