"""A made-up library of any size for `search_speed`: words of the demo library's rules, drawn by Zipf's law.

The same seed gives the same library and the same questions. Nothing in it makes sense; its words, lengths,
headings and languages are as in real rules, and its vocabulary grows as a real one does.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path

RULES = Path(__file__).resolve().parent.parent / "fixtures" / "library" / "rules"
LANGUAGES = ("fr", "es", "en", "de", "it", "nl")
SEED = 20
VOCABULARY = 20_000
FLATNESS = 2.7
"""Zipf-Mandelbrot: the word of rank r comes in proportion to 1 / (r + 2.7)."""
WORDS, SECTIONS, TEXTS = (60, 140), (10, 40), (1, 3)
SENTENCE, QUESTION = 12, 7
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
WORD = re.compile(r"[^\W\d_]+(?:[’'-][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the words under it: one passage."""

    heading: str
    body: str


@dataclass(frozen=True, slots=True)
class Text:
    """The rules of a game in one language."""

    language: str
    sections: tuple[Section, ...]

    @property
    def markdown(self) -> str:
        """As a rules text is written."""
        return "\n\n".join(f"## {s.heading}\n{s.body}" for s in self.sections)


@dataclass(frozen=True, slots=True)
class MadeGame:
    """A game; numbers count from 1."""

    number: int
    title: str
    texts: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """Words that stand together in a passage of a game."""

    text: str
    language: str
    game: int
    title: str


def library(passages: int) -> Iterator[MadeGame]:
    """Games until there are so many passages."""
    drawn = random.Random(SEED)  # noqa: S311 - chance that can be repeated
    number = made = 0
    while made < passages:
        number += 1
        languages = drawn.sample(LANGUAGES, drawn.randint(*TEXTS))
        texts = tuple(_text(drawn, language, passages - made) for language in languages if made < passages)
        made += sum(len(text.sections) for text in texts)
        yield MadeGame(number, _title(drawn, number), texts)


def questions(games: list[MadeGame], count: int, *, seed: int) -> list[Question]:
    """Questions from everywhere in the library."""
    drawn = random.Random(seed)  # noqa: S311
    found = []
    for _ in range(count):
        game = drawn.choice(games)
        text = drawn.choice(game.texts)
        words = WORD.findall(drawn.choice(text.sections).body)
        first = drawn.randrange(max(1, len(words) - QUESTION))
        asked = " ".join(words[first : first + QUESTION]).lower()
        found.append(Question(asked, text.language, game.number, game.title))
    return found


def beginnings(games: list[MadeGame], count: int, *, seed: int) -> list[tuple[str, str]]:
    """What people type of titles and headings, two letters and more, with their language."""
    drawn = random.Random(seed)  # noqa: S311
    found = []
    for _ in range(count):
        game = drawn.choice(games)
        text = drawn.choice(game.texts)
        whole = drawn.choice((game.title, drawn.choice(text.sections).heading))
        found.append((whole[: drawn.randint(2, 9)].strip(), text.language))
    return found


def _text(drawn: random.Random, language: str, most: int) -> Text:
    sections = [_section(drawn, language) for _ in range(min(most, drawn.randint(*SECTIONS)))]
    return Text(language, tuple(sections))


def _section(drawn: random.Random, language: str) -> Section:
    known = _headings(language)
    # Half the headings are the usual ones of any rules, half have words of their own.
    heading = drawn.choice(known)
    if drawn.random() < 0.5:
        heading = " ".join([heading.split()[0], *_words(drawn, language, 2)])
    words = _words(drawn, language, drawn.randint(*WORDS))
    sentences = [words[i : i + SENTENCE] for i in range(0, len(words), SENTENCE)]
    return Section(heading, " ".join(f"{' '.join(s).capitalize()}." for s in sentences))


def _words(drawn: random.Random, language: str, count: int) -> list[str]:
    words, weights = _vocabulary(language)
    return drawn.choices(words, cum_weights=weights, k=count)


def _title(drawn: random.Random, number: int) -> str:
    parts = [w for w in _vocabulary(drawn.choice(LANGUAGES))[0][200:] if w.isalpha()]
    return f"{drawn.choice(parts).title()} {drawn.choice(parts).title()} {number % 97 or ''}".strip()


@cache
def _vocabulary(language: str) -> tuple[list[str], list[float]]:
    """Words, the usual ones first, with their weights summed up; rare ones are halves of real ones."""
    real = [w for w, _ in Counter(WORD.findall(_fixtures(language).lower())).most_common()]
    drawn = random.Random(f"{SEED} {language}")  # noqa: S311
    words = dict.fromkeys(real)
    long = [w for w in real if len(w) > 5 and w.isalpha()]
    while len(words) < VOCABULARY:
        first, second = drawn.choice(long), drawn.choice(long)
        words[first[: len(first) // 2 + 1] + second[len(second) // 2 :]] = None
    weights = accumulate(1 / (rank + FLATNESS) for rank in range(len(words)))
    return list(words), list(weights)


@cache
def _headings(language: str) -> list[str]:
    return HEADING.findall(_fixtures(language))


@cache
def _fixtures(language: str) -> str:
    texts = (path.read_text("utf-8") for path in sorted(RULES.glob(f"*.{language}.md")))
    return "\n".join(text.split("---", 2)[2] for text in texts)
