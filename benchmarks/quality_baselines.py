"""The searches that ours is measured against, each as its manual says: on whole texts, and on our passages.

They get what our index gets, with the game's title in front, since questions name it. They look through
all games and languages, and say "no answer" only where they find nothing.
"""

import math
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from tempfile import mkdtemp

from whoosh import fields, index, qparser
from whoosh.analysis import CharsetFilter, RegexTokenizer, StandardAnalyzer
from whoosh.support.charset import accent_map

from benchmarks.quality_mechanisms import Baseline
from catalogue.models import RulesText
from catalogue.text import fold
from search.evaluation import DEPTH, Asker
from search.find import PassageHit, PassageResults
from search.passages import cut

K1, B = 1.2, 0.75
WORD = re.compile(r"\w+")
GRAM = 4

Ranker = Callable[[str], Iterable[int]]
"""From a question to the numbers of pieces, best first."""


def asker(baseline: Baseline) -> Asker:
    """The baseline on the texts of this library, as `evaluate` asks."""
    is_whole = baseline in (Baseline.WHOLE_ALL, Baseline.WHOLE_ANY)
    pieces = [piece for text in _texts() for piece in _pieces(text, is_whole=is_whole)]
    find = RANKERS[baseline]([_said(piece) for piece in pieces])

    def ask(_judgment: object, typed: str) -> PassageResults:
        return PassageResults(hits=tuple(pieces[number] for number in find(typed)))

    return ask


def _texts() -> Iterable[RulesText]:
    return RulesText.objects.select_related("game").order_by("pk")


def _pieces(text: RulesText, *, is_whole: bool) -> list[PassageHit]:
    current = text.current
    body = current.body if current else ""
    if is_whole:
        return [_piece(text, (), body)]
    return [_piece(text, passage.path, passage.body) for passage in cut(body)]


def _piece(text: RulesText, path: tuple[str, ...], body: str) -> PassageHit:
    return PassageHit(
        game_id=text.game_id,
        game_title=text.game.title,
        text_id=text.pk,
        kind=text.kind,
        language=text.language,
        edition=text.edition,
        revision=1,
        revised_at=None,
        anchor="",
        path=path,
        body=body,
        score=0.0,
    )


def _said(piece: PassageHit) -> str:
    return "\n".join((piece.game_title, *piece.path, piece.body))


# --- Whoosh ------------------------------------------------------------------------------------


def _whoosh_standard(group: type[qparser.GroupNode]) -> Callable[[Sequence[str]], Ranker]:
    return lambda texts: _whoosh(texts, StandardAnalyzer(), group)


def _whoosh_folding(texts: Sequence[str]) -> Ranker:
    return _whoosh(texts, RegexTokenizer() | CharsetFilter(accent_map), qparser.OrGroup)


def _whoosh(texts: Sequence[str], analyzer: object, group: type[qparser.GroupNode]) -> Ranker:
    schema = fields.Schema(number=fields.STORED, text=fields.TEXT(analyzer=analyzer))
    made = index.create_in(mkdtemp(prefix="ludotheca-baseline-"), schema)
    writer = made.writer()
    for number, text in enumerate(texts):
        writer.add_document(number=number, text=text)
    writer.commit()
    searcher, parser = made.searcher(), qparser.QueryParser("text", schema, group=group)
    return lambda typed: [hit["number"] for hit in searcher.search(parser.parse(typed), limit=DEPTH)]


# --- SQLite ------------------------------------------------------------------------------------


def _fts5(texts: Sequence[str]) -> Ranker:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE piece USING fts5(text, tokenize='unicode61 remove_diacritics 2')")
    database.executemany("INSERT INTO piece(rowid, text) VALUES (?, ?)", enumerate(texts))
    sql = "SELECT rowid FROM piece WHERE piece MATCH ? ORDER BY bm25(piece) LIMIT ?"

    def find(typed: str) -> list[int]:
        wanted = " OR ".join(f'"{word}"' for word in WORD.findall(typed))
        return [number for (number,) in database.execute(sql, (wanted, DEPTH))] if wanted else []

    return find


# --- 4-grams -----------------------------------------------------------------------------------


def _grams(texts: Sequence[str]) -> Ranker:
    """BM25 over runs of four letters of folded words."""
    counted = [Counter(grams_of(text)) for text in texts]
    sizes = [sum(counts.values()) for counts in counted]
    usual = sum(sizes) / max(1, len(sizes))
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, counts in enumerate(counted):
        for gram, often in counts.items():
            postings[gram].append((number, often))

    def find(typed: str) -> list[int]:
        scores: dict[int, float] = defaultdict(float)
        for gram in set(grams_of(typed)):
            found = postings.get(gram, [])
            rarity = math.log(1 + (len(texts) - len(found) + 0.5) / (len(found) + 0.5))
            for number, often in found:
                norm = K1 * (1 - B + B * sizes[number] / usual)
                scores[number] += rarity * often * (K1 + 1) / (often + norm)
        return sorted(scores, key=lambda number: (-scores[number], number))[:DEPTH]

    return find


def grams_of(text: str) -> list[str]:
    """Every run of four letters of the folded words, a blank at both ends of each."""
    padded = [f" {word} " for word in WORD.findall(fold(text))]
    return [word[i : i + GRAM] for word in padded for i in range(max(1, len(word) - GRAM + 1))]


RANKERS: dict[Baseline, Callable[[Sequence[str]], Ranker]] = {
    Baseline.WHOLE_ALL: _whoosh_standard(qparser.AndGroup),
    Baseline.WHOLE_ANY: _whoosh_standard(qparser.OrGroup),
    Baseline.BM25: _whoosh_folding,
    Baseline.FTS5: _fts5,
    Baseline.GRAMS: _grams,
}
