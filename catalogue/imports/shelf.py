"""What the catalogue knows of the things that records name: games by label, code or title, and sources.

Reads rows, writes none. Most records name nothing that is here already, and are told so by prepared
queries of a few microseconds; `Known` answers that for many records at once.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Prefetch, Q, QuerySet, Value
from django.db.models.functions import Replace

from catalogue.draft import GameName, RecordDraft
from catalogue.imports.matching import LABEL, LONGEST_KEY, Candidate, gtins, labels, numbers
from catalogue.models import Copy, Game, Identifier, RulesText, SourceRecord
from catalogue.prepared import Prepared
from catalogue.text import name_key

PARTS = (
    *("alternative_titles", "contributors__person", "publications__publisher", "identifiers"),
    Prefetch("sources", SourceRecord.objects.only("key", "game")),
)
BY_BARCODE = Prepared(lambda code: Copy.objects.filter(barcode=code).order_by().values_list("game"), str)
BY_GTIN = Prepared(lambda gtin: Identifier.objects.filter(gtin=gtin).order_by().values_list("game"), str)
BY_TITLE = Prepared(lambda key: Game.objects.filter(title_key=key).order_by().values_list("pk"), str)
BY_TEXT = Prepared(lambda key: RulesText.objects.filter(source_key=key).order_by().values_list("game"), str)
BY_KEY = Prepared(
    lambda key: SourceRecord.objects.filter(key=key).select_related("game").defer("raw").order_by(), str
)


@dataclass(frozen=True, slots=True)
class Known:
    """Of what some drafts name, what is in the catalogue."""

    barcodes: frozenset[str]
    gtins: frozenset[str]
    titles: frozenset[str]
    texts: frozenset[str]
    sources: dict[str, SourceRecord] = field(default_factory=dict)


def known(drafts: Sequence[RecordDraft]) -> Known:
    """In five queries, however many drafts there are."""
    barcodes = {box.barcode for draft in drafts for box in draft.copies}
    barcodes |= {label for draft in drafts for label in labels(draft)}
    codes = {gtin for draft in drafts for gtin in gtins(draft.game)}
    titles = {name_key(draft.game.title)[:LONGEST_KEY] for draft in drafts}
    texts = {rules.head.source_key for draft in drafts for rules in draft.rules}
    sources = SourceRecord.objects.filter(key__in={draft.key for draft in drafts})
    return Known(
        barcodes=frozenset(Copy.objects.filter(barcode__in=barcodes).values_list("barcode", flat=True)),
        gtins=frozenset(Identifier.objects.filter(gtin__in=codes).values_list("gtin", flat=True)),
        titles=frozenset(Game.objects.filter(title_key__in=titles).values_list("title_key", flat=True)),
        texts=frozenset(
            RulesText.objects.filter(source_key__in=texts - {""}).values_list("source_key", flat=True)
        ),
        sources={source.key: source for source in sources.defer("raw").select_related("game")},
    )


class Shelf:
    """The catalogue as a source of candidates; with `known` what is not in there is not asked for again."""

    def __init__(self, known: Known | None = None) -> None:
        self._known = known

    def source(self, key: str) -> SourceRecord | None:
        """What was imported under this key."""
        if self._known is not None:
            return self._known.sources.get(key)
        return BY_KEY.first(key)

    def may_have_box(self, barcode: str) -> bool:
        """False where it is known that no box carries the label."""
        return self._known is None or barcode in self._known.barcodes

    def may_have_text(self, key: str) -> bool:
        """False where it is known that there is no rules text of this source key."""
        return self._known is None or key in self._known.texts

    def with_barcodes(self, barcodes: Iterable[str]) -> list[Candidate]:
        """Games of which a box carries one of the labels."""
        asked = filter(self.may_have_box, barcodes)
        return self._of(pk for code in asked for (pk,) in BY_BARCODE(code))

    def with_gtins(self, gtins: Iterable[str]) -> list[Candidate]:
        """Games with one of the product codes."""
        asked = [gtin for gtin in gtins if self._known is None or gtin in self._known.gtins]
        return self._of(pk for gtin in asked for (pk,) in BY_GTIN(gtin))

    def titled(self, key: str) -> list[Candidate]:
        """Games whose title has this key."""
        if self._known is not None and key not in self._known.titles:
            return []
        return self._of(pk for (pk,) in BY_TITLE(key))

    def named(self, keys: Iterable[str]) -> list[Candidate]:
        """Games of which any title has one of the keys."""
        keys = set(keys)
        any_title = Q(title_key__in=keys) | Q(sort_title__in=keys) | Q(alternative_titles__title_key__in=keys)
        return self._candidates(Game.objects.filter(any_title))

    def run_together(self, word: str) -> list[Candidate]:
        """Games of which a title, its blanks left out, is this word."""
        squeezed = Game.objects.annotate(
            squeezed=Replace("title_key", Value(" "), Value("")),
            squeezed_other=Replace("alternative_titles__title_key", Value(" "), Value("")),
        )
        return self._candidates(squeezed.filter(Q(squeezed=word) | Q(squeezed_other=word)))

    def with_texts(self, keys: Iterable[str]) -> list[Candidate]:
        """Games that have a rules text of one of the source keys."""
        return self._of(pk for key in keys for (pk,) in BY_TEXT(key))

    def with_keys(self, keys: Iterable[str]) -> list[Candidate]:
        """Games brought by a source of one of the keys; one that ends in ":" is a beginning."""
        asked = [key for key in keys if not key.startswith(LABEL)]
        if not asked:
            return []
        begins = [Q(key__startswith=key) for key in asked if key.endswith(":")]
        any_key = reduce(or_, begins, Q(key__in=asked))
        return self._of(SourceRecord.objects.filter(any_key).values_list("game", flat=True))

    def games(self, keys: Iterable[int]) -> list[Candidate]:
        """The games of these numbers."""
        return self._of(keys)

    def _of(self, keys: Iterable[int]) -> list[Candidate]:
        wanted = set(keys)
        return self._candidates(Game.objects.filter(pk__in=wanted)) if wanted else []

    def _candidates(self, games: "QuerySet[Game]") -> list[Candidate]:
        found = Game.objects.filter(pk__in=games.values("pk")).order_by("pk").prefetch_related(*PARTS)
        return [of_game(game) for game in found]


def of_game(game: Game) -> Candidate:
    """A game of the catalogue as a candidate; uses its parts where they are prefetched."""
    alternatives = (other.title_key for other in game.alternative_titles.all())
    return Candidate(
        label=str(game),
        title_key=game.title_key,
        titles=frozenset({game.title_key, game.sort_title, *alternatives}),
        gtins=frozenset(code.gtin for code in game.identifiers.all() if code.gtin),
        publishers=frozenset(p.publisher.key for p in game.publications.all()),
        people=frozenset(c.person.key for c in game.contributors.all()),
        year=game.year,
        document_type=game.document_type,
        game=game,
        numbers=numbers(source.key for source in game.sources.all()),
    )


def named_game(name: GameName) -> Game | None:
    """The game that a record names by its number in its source, else the only one of that title."""
    by_number = Game.objects.filter(Q(sources__key=name.key) | Q(sources__key__startswith=f"{name.key}:"))
    found = list(by_number.distinct()[:2])
    found = found or list(Game.objects.filter(title_key=name_key(name.title)[:LONGEST_KEY])[:2])
    return found[0] if len(found) == 1 else None
