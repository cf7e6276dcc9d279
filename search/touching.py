"""Which errata and FAQ passages touch which passage of the rules, so that the rule can say so.

Pure functions on values. A note touches a passage that it names (its heading, the number of its section, its
page), and the one that speaks of the same rare things; where it is not clear which, none. Across languages
only concepts of the glossary and numbers of sections are compared. Called by `documents`.
"""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from catalogue.rules.words import CALLS
from catalogue.text import name_key

QUOTED = re.compile(r"[«“„\"]\s?([^«»“”„\"\n]{3,80}?)\s?[»”“\"]")
SECTION = re.compile(
    r"(?:\b(?:sections?|chapitres?|chapters?|points?|paragraphes?|paragraphs?|r[èe]gles?|rules?|abschnitte?|kapitel"
    r"|punkte?|regel|apartados?|cap[íi]tulos?|secci[óo]n|puntos?|sezione|capitolo|hoofdstuk|paragraaf)|§)"
    r"\s*(?:n[°o]\s*)?(\d{1,2}(?:\.\d{1,2}){0,2})\b",
    re.IGNORECASE,
)
PAGE = re.compile(r"\b(?:pages?|p[áa]g(?:ina)?s?|seiten?|blz|p|s)\.?\s?(\d{1,3})\b", re.IGNORECASE)
OWN_NUMBER = re.compile(r"^\s*(\d{1,2}(?:\.\d{1,2}){0,2})\b[.)]*")
OWN_PAGE = re.compile(rf"\((?:{PAGE.pattern})\)", re.IGNORECASE)

RARE_SHARE, RARE_AT_LEAST = 0.15, 2
"""A word is rare that stands in no more than this share of a text's passages, or in so few."""
RARE_SHARED, RARE_CONCEPTS = 2, 1
LIKE = 0.3
"""How many rare words, or concepts, a note shares with a passage at least; how alike both are (cosine)."""
CLEARLY, CLEARLY_ABROAD = 1.15, 1.25
"""By what factor the best passage must be better than the next."""
IN_HEADING = 1.6
"""A word of a heading counts so much more: there a FAQ asks, and a rule says what it is about."""
MOST = 4
MOST_PAIRS = 40_000
"""Of so many notes and passages each pair is compared; beyond, only what a note names is found."""
OFTEN = 8
"""A heading that stands at more places than these names none of them."""
NAMING = 8
"""Words that name a note without a heading."""


@dataclass(frozen=True, slots=True)
class Said:
    """A passage as it is compared: its headings as printed, the stems of its words, its concepts.

    `asked` are the stems and concepts of its headings.
    """

    text: int
    kind: str
    language: str
    id: str
    headings: tuple[str, ...]
    body: str
    stems: frozenset[str]
    concepts: frozenset[str]
    asked: frozenset[str] = frozenset()

    @property
    def words(self) -> frozenset[str]:
        """Its stems and concepts: a concept is a name with a blank or of a language of its own."""
        return self.stems | self.concepts


@dataclass(frozen=True, slots=True)
class Touch:
    """An errata or FAQ passage that touches a rule: where it stands and what it is headed."""

    text_id: int
    kind: str
    passage_id: str
    heading: str
    language: str


Key = tuple[int, str]
"""A passage by its text and its id."""


def touched(rules: Sequence[Said], notes: Sequence[Said]) -> dict[Key, tuple[Touch, ...]]:
    """What touches each passage of the rules: errata first, then notes in the passage's own language."""
    found: dict[Key, list[Said]] = defaultdict(list)
    for text in _by_text(rules) if notes else ():
        shelf = _Text(text)
        is_bounded = len(text) * len(notes) <= MOST_PAIRS
        for note in notes:
            meant = _meant(shelf, note) if is_bounded else ()
            for place in sorted({*_named(shelf, note), *meant}):
                found[text[place].text, text[place].id].append(note)
    languages = {(said.text, said.id): said.language for said in rules}
    return {key: _touches(notes, languages[key]) for key, notes in found.items()}


def _by_text(rules: Sequence[Said]) -> list[list[Said]]:
    texts: dict[int, list[Said]] = defaultdict(list)
    for said in rules:
        texts[said.text].append(said)
    return list(texts.values())


def _touches(notes: Sequence[Said], language: str) -> tuple[Touch, ...]:
    ranked = sorted(notes, key=lambda n: (n.kind != "errata", n.language != language))
    touches = (Touch(n.text, n.kind, n.id, _name(n), n.language) for n in ranked)
    return tuple(dict.fromkeys(touches))[:MOST]


def _name(note: Said) -> str:
    """The heading of a note, or how it begins."""
    if note.headings:
        return note.headings[0]
    words = note.body.split()
    return " ".join(words[:NAMING]) + (" …" if len(words) > NAMING else "")


class _Text:
    """One text of the rules, laid out so that a note meets only the passages that share something with it."""

    def __init__(self, passages: Sequence[Said]) -> None:
        self.passages = passages
        self.language = passages[0].language
        self.rare = max(RARE_AT_LEAST, RARE_SHARE * len(passages))
        self.by_heading: dict[str, set[int]] = defaultdict(set)
        self.by_number: dict[str, set[int]] = defaultdict(set)
        self.by_page: dict[str, set[int]] = defaultdict(set)
        self.by_word: dict[str, list[int]] = defaultdict(list)
        for place, said in enumerate(passages):
            self._note_headings(place, said)
            for word in said.words:
                self.by_word[word].append(place)

    def weight(self, word: str, said: Said) -> float:
        """How telling a word of a passage is in this text: rare ones more, those of its heading more."""
        rarity = math.log(1 + len(self.passages) / (1 + len(self.by_word.get(word, ()))))
        return rarity * (IN_HEADING if word in said.asked else 1)

    def length(self, place: int, *, at_home: bool) -> float:
        """What all words of a passage weigh, so that a long one does not meet every note."""
        said = self.passages[place]
        words = said.words if at_home else said.concepts
        return math.sqrt(sum(self.weight(word, said) ** 2 for word in words)) or 1.0

    def _note_headings(self, place: int, said: Said) -> None:
        for heading in said.headings:
            if name_key(heading) not in CALLS:
                self.by_heading[name_key(heading)].add(place)
                self.by_heading[_bare(heading)].add(place)
            number = OWN_NUMBER.match(heading)
            if number:
                self.by_number[number[1]].add(place)
            for page in PAGE.findall(heading):
                self.by_page[page].add(place)


def _bare(heading: str) -> str:
    """A heading without its number and page."""
    return name_key(OWN_PAGE.sub("", OWN_NUMBER.sub("", heading, count=1)) or heading)


# --- named -------------------------------------------------------------------------------------


def _named(text: _Text, note: Said) -> Iterator[int]:
    """The passages that a note names by heading, section or page."""
    said = "\n".join((*note.headings, note.body))
    if note.language == text.language:
        for heading in (*note.headings, *QUOTED.findall(said)):
            places = text.by_heading.get(name_key(heading), ()) or text.by_heading.get(_bare(heading), ())
            yield from _few(places)
    for number in SECTION.findall(said):
        yield from _few(text.by_number.get(number, ()))
    for page in PAGE.findall(said):
        yield from _few(text.by_page.get(page, ()))


def _few(places: Collection[int]) -> Collection[int]:
    return places if len(places) <= OFTEN else ()


# --- meant -------------------------------------------------------------------------------------


def _meant(text: _Text, note: Said) -> list[int]:
    """The one passage that speaks of what the note speaks of, or none."""
    at_home = note.language == text.language
    # A heading that only calls for attention ("Example") says nothing of what is meant.
    idle = note.asked if any(name_key(heading) in CALLS for heading in note.headings) else frozenset()
    words = {word: text.weight(word, note) for word in (note.words if at_home else note.concepts) - idle}
    shared: dict[int, float] = defaultdict(float)
    telling: Counter[int] = Counter()
    for word, weight in words.items():
        where = text.by_word.get(word, ())
        for place in where:
            shared[place] += weight * text.weight(word, text.passages[place])
            telling[place] += len(where) <= text.rare
    own = math.sqrt(sum(weight**2 for word, weight in words.items() if word in text.by_word))
    likeness = {
        place: gained / (own * text.length(place, at_home=at_home)) for place, gained in shared.items()
    }
    return _clear(likeness, telling, at_home=at_home)


def _clear(likeness: Mapping[int, float], telling: Mapping[int, int], *, at_home: bool) -> list[int]:
    rare, clearly = (RARE_SHARED, CLEARLY) if at_home else (RARE_CONCEPTS, CLEARLY_ABROAD)
    ranked = sorted(likeness, key=lambda place: -likeness[place])
    if not ranked or telling[ranked[0]] < rare or likeness[ranked[0]] < LIKE:
        return []
    is_clear = len(ranked) < 2 or likeness[ranked[0]] >= clearly * likeness[ranked[1]]
    return ranked[:1] if is_clear else []
