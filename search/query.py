"""What a person typed, as plain values: words, "phrases", -exclusions, and which words carry the question.

Nothing typed is an operator of any engine. Input is bounded here, so that what comes after need not be.
Called by `find`.
"""

import re
import unicodedata
from collections.abc import Callable, Set
from dataclasses import dataclass, replace
from functools import cache

from search.analysis import OTHER, Token, tokens
from search.wordlists import LANGUAGES, word_list

LETTERS, WORDS = 600, 24
"""Longer questions are cut: beyond this, further words only add noise and time."""

QUOTED = re.compile(r"[\"“”„«»‟]([^\"“”„«»‟]*)[\"“”„«»‟]")
QUOTES = re.compile(r"[\"“”„«»‟]")
EXCLUDED = re.compile(r"(?:(?<=\s)|^)[-−–](?=\w)(\S+)")
NUMBER = re.compile(r"^\d+$")
SURE, MET = 1.0, 0.5
"""So many more votes than the reader's language another one needs to be taken for the asker's; a little
word is one vote, a word that only occurs in a language's texts counts so much."""


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed. `plain` is all of it but exclusions and quotation marks."""

    text: str
    plain: str
    phrases: tuple[str, ...]
    excluded: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        """Whether there is no word in it."""
        return not tokens(self.plain, "other")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question. What is not `is_content` (articles, "what happens if") hardly counts.

    `joined` are forms of the whole hyphened word that it is part of.
    """

    exact: str
    fold: str
    is_content: bool
    joined: tuple[str, ...] = ()

    @property
    def is_number(self) -> bool:
        """Whether it is written in digits: numbers are never corrected."""
        return bool(NUMBER.match(self.fold))


def parse(text: str) -> Query:
    """Read what was typed. Never fails."""
    cleaned = _clean(text)
    plain = QUOTES.sub(" ", EXCLUDED.sub(" ", cleaned))
    if not tokens(plain, "other"):
        # Only exclusions: then the hyphen was no exclusion ("-5").
        return Query(cleaned, QUOTES.sub(" ", cleaned), (), ())
    phrases = tuple(p.strip() for p in QUOTED.findall(cleaned) if p.strip())
    return Query(cleaned, plain, phrases, tuple(EXCLUDED.findall(cleaned)))


def _clean(text: str) -> str:
    composed = unicodedata.normalize("NFC", text[: 10 * LETTERS])
    visible = "".join(" " if unicodedata.category(c) in ("Cc", "Cs", "Co", "Cn") else c for c in composed)
    return " ".join(visible.split())[:LETTERS]


def words(query: Query, language: str) -> tuple[Word, ...]:
    """The words of a query, read as a question in `language`."""
    found = tokens(query.plain, language)
    plain = [t for t in found if not t.is_joined][:WORDS]
    whole = [t for t in found if t.is_joined]
    scaffold = _scaffold([t.fold for t in plain], language)
    stop = word_list(language).stop
    read = [
        Word(
            exact=t.exact,
            fold=t.fold,
            is_content=i not in scaffold and t.fold not in stop,
            joined=_joined(t, whole),
        )
        for i, t in enumerate(plain)
    ]
    if not any(w.is_content for w in read):
        # "Qui est-ce ?": where nothing else was typed, every word counts.
        return tuple(replace(w, is_content=True) for w in read)
    return tuple(read)


def asks_how_many(query_words: tuple[Word, ...], language: str) -> bool:
    """Whether the answer should hold a number."""
    return any(w.fold in word_list(language).how_many for w in query_words)


def _joined(token: Token, whole: list[Token]) -> tuple[str, ...]:
    return tuple(w.fold for w in whole if w.start <= token.start and token.end <= w.end)


def _scaffold(folded: list[str], language: str) -> set[int]:
    """The places of the words that only wrap the question ("que se passe-t-il quand")."""
    places: set[int] = set()
    for phrase in _question_phrases(language):
        size = len(phrase)
        for at in range(len(folded) - size + 1):
            if tuple(folded[at : at + size]) == phrase:
                places.update(range(at, at + size))
    return places


@cache
def _question_phrases(language: str) -> tuple[tuple[str, ...], ...]:
    phrases = word_list(language).questions
    return tuple(tuple(t.fold for t in tokens(p, language) if not t.is_joined) for p in phrases)


Knows = Callable[[str, str], bool]
"""Whether a folded word occurs in the texts or the glossary of a language."""


def asked_in(query: Query, reader_language: str, knows: Knows, names: Set[str] = frozenset()) -> str:
    """The language of a question by its own words; the reader's, where they do not clearly tell.

    Little words tell most, then words that a language's texts have; `names` of games tell nothing.
    """
    typed = {t.fold for t in tokens(query.plain, OTHER) if not NUMBER.match(t.fold)}
    votes = {la: sum(_vote(word, la, knows) for word in typed - names) for la in LANGUAGES}
    best = max(LANGUAGES, key=lambda la: votes[la])
    if votes[best] >= votes.get(reader_language, 0) + SURE:
        return best
    return reader_language


def _vote(word: str, language: str, knows: Knows) -> float:
    if word in common_words(language):
        return 1.0
    return MET if knows(word, language) else 0.0


@cache
def common_words(language: str) -> frozenset[str]:
    """The little words of a language, its question words and its numbers: people do not mistype these."""
    listed = word_list(language)
    asking = (word for phrase in _question_phrases(language) for word in phrase)
    return listed.stop | listed.how_many | listed.among | frozenset(listed.numbers) | frozenset(asking)


def is_common(word: str) -> bool:
    """Whether a folded word is a common one of any language: such a word is never repaired."""
    return any(word in common_words(language) for language in LANGUAGES)
