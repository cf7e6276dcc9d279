"""Concepts of tabletop games: the glossary of six languages, and which of its concepts stand in a text.

A concept is a token that no language owns: texts and questions are both marked with it, so that a
question in one language meets a text in another. The glossary is data (`search/glossary/*.tsv`).
A term that means something else as well marks its concept faintly: `~name` instead of `name`.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from pathlib import Path

from catalogue.text import fold
from search.analysis import Token, forms, tokens
from search.common import ranks
from search.wordlists import LANGUAGES, word_list

FOLDER = Path(__file__).parent / "glossary"
HAPPENINGS = FOLDER / "happenings.tsv"
LONGEST = 6
"""Words of the longest term; a multiword term is looked for before the words in it."""
COLUMNS = ("fr", "es", "en", "de", "it", "nl")
WEAK, CLOSE = "~", "="
FAINT = 0.8
"""What a meeting is worth where a weak term stands on one side; on both sides, it counts twice over."""
KIN, CLOSE_KIN = 0.5, 0.85
"""What meeting a related concept is worth: figs are asked for, the text speaks of fruit."""

SEEN_OFTEN = 2
COMMON_PARTS = 6000
"""Of so many of the commonest words compounds may be made, whether the collection has them alone or not."""
PLAYERS_NEAR = 2

GAP, BETWEEN = "…", 4
"""Stands in a term for the words that it is said of, of which there are so many at most: "keine … mehr"."""
PREFIXES = {
    "de": ("ab", "an", "auf", "aus", "ein", "nach", "um", "vor", "weg", "zurück", "los", "mit"),
    "nl": ("aan", "af", "bij", "in", "om", "op", "over", "terug", "uit", "weg", "mee"),
}
"""What a verb puts at the end of its clause: "setzt eine Runde aus"."""
SHORTEST_VERB = 4


@dataclass(frozen=True, slots=True)
class Concept:
    """One line of the glossary: its terms by language, the usual one first.

    `weak` are the (language, term) that mean something else as well; `kin` names related concepts,
    `close` those among them that say nearly the same.
    """

    name: str
    terms: dict[str, tuple[str, ...]]
    weak: frozenset[tuple[str, str]] = frozenset()
    kin: tuple[str, ...] = ()
    close: frozenset[str] = frozenset()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A concept in a text, by the index of its first word and how many words it takes.

    `concept` is its mark: the name, or `~name` where only a weak term or a part of a longer one says so.
    """

    concept: str
    first: int
    length: int


@cache
def glossary() -> tuple[Concept, ...]:
    """All concepts, file by file."""
    return tuple(
        _concept(line) for path in sorted(FOLDER.glob("*.tsv")) for line in _lines(path.read_text("utf-8"))
    )


@cache
def happenings() -> frozenset[str]:
    """The names of the concepts that say what happens to something: it runs out, falls over, gets lost."""
    return frozenset(_concept(line).name for line in _lines(HAPPENINGS.read_text("utf-8")))


@cache
def fingerprint() -> str:
    """Changes with the glossary: an index made with another is rebuilt."""
    texts = [path.read_bytes() for path in sorted(FOLDER.glob("*.tsv"))]
    return hashlib.sha256(b"\n".join(texts)).hexdigest()[:16]


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines()[1:] if line.strip()]


def _concept(line: str) -> Concept:
    name, *columns = line.split("\t")
    listed = {la: _listed(column) for la, column in zip(COLUMNS, columns, strict=False)}
    kin, note = columns[len(COLUMNS) :]
    return Concept(
        name=name,
        terms={la: tuple(t.removeprefix(WEAK) for t in terms) for la, terms in listed.items()},
        weak=frozenset((la, t[1:]) for la, terms in listed.items() for t in terms if t.startswith(WEAK)),
        kin=tuple(other.removeprefix(CLOSE) for other in _listed(kin)),
        close=frozenset(other[1:] for other in _listed(kin) if other.startswith(CLOSE)),
        note=note,
    )


def _listed(column: str) -> tuple[str, ...]:
    """The terms of one cell; a lone `-` says that the language has none."""
    return tuple(t.strip() for t in column.split(";") if t.strip() not in ("", "-"))


@cache
def _kin() -> Mapping[str, Mapping[str, float]]:
    """Related concepts, both ways, and what it is worth to meet the one for the other."""
    found: dict[str, dict[str, float]] = {}
    for concept in glossary():
        for other in concept.kin:
            share = CLOSE_KIN if other in concept.close else KIN
            found.setdefault(concept.name, {})[other] = share
            found.setdefault(other, {})[concept.name] = share
    return found


@dataclass(frozen=True, slots=True)
class Meeting:
    """A mark in a text that answers one in a question, and its share of a full meeting."""

    mark: str
    share: float
    is_kin: bool


@cache
def met_by(mark: str) -> tuple[Meeting, ...]:
    """How a concept of a question may be met in a text: as itself, faintly, or by its kin."""
    name, share = (mark[1:], FAINT) if mark.startswith(WEAK) else (mark, 1.0)
    names = [
        (name, share, False),
        *((other, share * kin, True) for other, kin in _kin().get(name, {}).items()),
    ]
    return tuple(
        Meeting(prefix + other, s * factor, is_kin)
        for other, s, is_kin in names
        for prefix, factor in (("", 1.0), (WEAK, FAINT))
    )


@dataclass(frozen=True, slots=True)
class Parted:
    """A term in two pieces; that of a verb with its prefix ends its clause."""

    marks: tuple[str, ...]
    ends_clause: bool


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one language, laid out for look-up: a sequence of words -> marks of concepts.

    A word as it is written in the glossary is surer than one that only shares its stem with a term
    (Italian `caso`, `casa`), so `written` is asked before `stemmed`.
    """

    written: dict[tuple[str, ...], tuple[str, ...]]  # folded words
    stemmed: dict[tuple[str, ...], tuple[str, ...]]
    starts: dict[str, int]  # the stem a term begins with -> words of the longest such term
    parted: dict[str, dict[str, "Parted"]]  # its first word's stem -> its last word, folded

    def at(self, words: Sequence[Token]) -> tuple[str, ...]:
        """The marks of the term that these words are, if they are one."""
        written = self.written.get(tuple(w.fold for w in words))
        if written:
            return written
        return next((self.stemmed[key] for key in _keys(words) if key in self.stemmed), ())


@cache
def _terms(language: str) -> Terms:
    """A single word goes by its stem only if that is no little word's (Italian `pera`, `per`)."""
    found = Terms({}, {}, {}, _parted_terms(language))
    little = _little_stems(language)
    for mark, words in _term_words(language):
        if _is_little(words, language):
            continue
        folds = tuple(w.fold for w in words)
        found.written[folds] = _with(found.written.get(folds, ()), mark)
        for key in _keys(words):
            found.starts[key[0]] = max(found.starts.get(key[0], 0), len(key))
            if len(key) > 1 or key[0] not in little:
                found.stemmed[key] = _with(found.stemmed.get(key, ()), mark)
    return found


def _parted_terms(language: str) -> dict[str, dict[str, Parted]]:
    found: dict[str, dict[str, Parted]] = {}
    for mark, first, last, is_verb in (*_gapped(language), *_separable(language)):
        for stem in forms(first, language)[2]:
            ends = found.setdefault(stem, {})
            held = ends.get(last, Parted((), is_verb))
            ends[last] = Parted(_with(held.marks, mark), held.ends_clause and is_verb)
    return found


def _gapped(language: str) -> Iterator[tuple[str, str, str, bool]]:
    """The terms that are written with a gap, by their first and last word."""
    for mark, term in _marked_terms(language):
        if GAP in term:
            first, last = (part.strip() for part in term.split(GAP))
            yield mark, first, fold(last), False


def _separable(language: str) -> Iterator[tuple[str, str, str, bool]]:
    """The verbs that part with their prefix: "aussetzen", "setzt aus"."""
    for mark, term in _marked_terms(language):
        if " " in term or not term.islower():
            continue
        for prefix in PREFIXES.get(language, ()):
            if term.startswith(prefix) and len(term) - len(prefix) >= SHORTEST_VERB:
                yield mark, term.removeprefix(prefix), fold(prefix), True


@cache
def _little_stems(language: str) -> frozenset[str]:
    return frozenset(stem for word in word_list(language).stop for stem in forms(word, language)[2])


def _with(marks: tuple[str, ...], mark: str) -> tuple[str, ...]:
    """One more mark; of `name` and `~name` the stronger stays."""
    if mark in marks or mark.removeprefix(WEAK) in marks:
        return marks
    return (*(m for m in marks if m != WEAK + mark), mark)


@cache
def _accented(language: str) -> dict[str, tuple[str, ...]]:
    """Terms that only their accents tell from a little word (`dé`, not `de`): known as written."""
    stop = word_list(language).stop_as_written
    return {
        words[0].exact: (mark,)
        for mark, words in _term_words(language)
        if _is_little(words, language) and words[0].exact not in stop
    }


def _marked_terms(language: str) -> Iterator[tuple[str, str]]:
    for concept in glossary():
        for term in concept.terms.get(language, ()):
            yield WEAK + concept.name if (language, term) in concept.weak else concept.name, term


def _term_words(language: str) -> Iterator[tuple[str, list[Token]]]:
    for mark, term in _marked_terms(language):
        if GAP not in term:
            yield mark, [t for t in tokens(term, language) if not t.is_joined]


def _is_little(words: Sequence[Token], language: str) -> bool:
    return len(words) == 1 and words[0].fold in word_list(language).stop


@cache
def known_stems(language: str) -> frozenset[str]:
    """The stems of all words of the glossary."""
    return frozenset(stem for _, words in _term_words(language) for w in words for stem in w.stems)


@cache
def known_words(language: str) -> frozenset[str]:
    """Folded single words of the glossary: the surest parts of compounds."""
    words = [t for c in glossary() for term in c.terms.get(language, ()) for t in tokens(term, language)]
    return frozenset(w.fold for w in words if len(w.fold) >= 3)


@dataclass(frozen=True, slots=True)
class CollectionWords:
    """Which folded words occur in the collection: the parts of compounds are checked against it.

    A word of the glossary is sure, and so is a common one of the language; any other must stand in several
    passages, lest a typing error or a name cut a word in two. Two of one language count as equal, so that
    readings can be kept.
    """

    language: str
    counts: Mapping[str, int] = field(compare=False)

    def __call__(self, word: str) -> bool:
        """Whether it is known."""
        if len(word) > 3 and (
            self.counts.get(word, 0) >= SEEN_OFTEN
            or ranks(self.language).get(word, COMMON_PARTS) < COMMON_PARTS
        ):
            return True
        return word in known_words(self.language)


def _keys(words: Sequence[Token]) -> list[tuple[str, ...]]:
    """The stem sequences under which words are looked up; a number word is no term by its digits."""
    stems = ([s for s in w.stems if not s.isdigit() or s == w.fold][:3] for w in words[:LONGEST])
    return list(product(*stems))


def concepts(words: Sequence[Token], language: str) -> list[Found]:
    """The concepts that stand in a text, the longest term first; what stands inside it counts faintly.

    A compound that is itself no term is also looked at part by part.
    """
    if language not in LANGUAGES:
        return []
    found = _player_counts(words, language)
    terms, accented = _terms(language), _accented(language)
    at = 0
    while at < len(words):
        here = _longest_at(words, at, terms)
        here = here or [Found(mark, at, 1) for mark in accented.get(words[at].exact, ())]
        found += here or _in_parts(words[at], at, terms)
        length = here[0].length if here else 1
        if length > 1:
            found += _inside(words, at, length, terms)
        at += length
    return [*found, *_in_two(words, terms)]


def _in_two(words: Sequence[Token], terms: Terms) -> Iterator[Found]:
    """Terms with other words between their two pieces, within one clause."""
    for first, word in enumerate(words):
        ends = {last: term for stem in word.stems for last, term in terms.parted.get(stem, {}).items()}
        if not ends:
            continue
        for at in range(first + 1, min(first + 2 + BETWEEN, len(words))):
            if _is_pause(words, at - 1):
                break
            term = ends.get(words[at].fold)
            if term and at > first + 1 and (not term.ends_clause or _is_pause(words, at)):
                yield from (Found(mark, place, 1) for mark in term.marks for place in (first, at))
                break


def _is_pause(words: Sequence[Token], at: int) -> bool:
    """Whether a clause may end behind this word: nothing follows, or something stands before what follows."""
    return at + 1 == len(words) or words[at + 1].start - words[at].end > 1


def _longest_at(words: Sequence[Token], at: int, terms: Terms) -> list[Found]:
    longest = max((terms.starts.get(stem, 0) for stem in words[at].stems), default=0)
    for length in range(min(longest, len(words) - at), 0, -1):
        marks = terms.at(words[at : at + length])
        if marks:
            return [Found(mark, at, length) for mark in marks]
    return []


def _inside(words: Sequence[Token], first: int, length: int, terms: Terms) -> list[Found]:
    """The terms inside a term of several words: a draw pile is a pile as well, but less so."""
    places = ((at, size) for size in range(1, length) for at in range(first, first + length - size + 1))
    return [
        Found(WEAK + mark.removeprefix(WEAK), at, size)
        for at, size in places
        for mark in terms.at(words[at : at + size])
    ]


def _in_parts(word: Token, at: int, terms: Terms) -> list[Found]:
    marks = dict.fromkeys(mark for part in word.parts for mark in terms.stemmed.get((part,), ()))
    return [Found(mark, at, 1) for mark in marks]


def _player_counts(words: Sequence[Token], language: str) -> list[Found]:
    """Numbers that count players, as concepts of their own: "2 joueurs", "zu dritt", "with four of us"."""
    numbers = ((i, s) for i, t in enumerate(words) for s in t.stems if s.isdigit() and len(s) < 3)
    return [Found(f"players {s}", i, 1) for i, s in numbers if _counts_players(words, i, language)]


def _counts_players(words: Sequence[Token], at: int, language: str) -> bool:
    """Whether a word for players stands close, or a "for" right before and a pause right behind."""
    listed = word_list(language)
    close = [*words[max(0, at - 1) : at], *words[at + 1 : at + 1 + PLAYERS_NEAR]]
    if any(t.fold in listed.players for t in close):
        return True
    return _is_pause(words, at) and at > 0 and words[at - 1].fold in listed.among
