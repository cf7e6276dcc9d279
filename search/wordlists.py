"""The plain word files of `search/words`: stop words, question phrases, irregular forms, numbers.

Read once, folded, never written. Callers: `analysis` (forms, numbers) and `query` (questions, stop words).
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from catalogue.text import fold

FOLDER = Path(__file__).parent / "words"
LANGUAGES = ("fr", "es", "en", "de", "it", "nl")


@dataclass(frozen=True, slots=True)
class WordList:
    """What one language's file says; every word folded."""

    stop: frozenset[str]
    stop_as_written: frozenset[str]
    questions: tuple[str, ...]
    how_many: frozenset[str]
    players: frozenset[str]  # a number close to one of them counts players
    among: frozenset[str]  # so does a number behind one of them and before a pause
    editions: frozenset[str]  # words for an edition
    first: frozenset[str]  # the ordinals of one, said of editions
    bases: dict[str, str]  # form -> base form (the base with its accents)
    numbers: dict[str, str]  # word -> digits


@cache
def fingerprint() -> str:
    """Changes with the files: an index made with others is rebuilt."""
    texts = [path.read_bytes() for path in sorted(FOLDER.glob("*.txt"))]
    return hashlib.sha256(b"\n".join(texts)).hexdigest()[:16]


@cache
def word_list(language: str) -> WordList:
    """The list of one of `LANGUAGES`; an empty one for any other language."""
    path = FOLDER / f"{language}.txt"
    if language not in LANGUAGES:
        nothing: frozenset[str] = frozenset()
        return WordList(nothing, nothing, (), nothing, nothing, nothing, nothing, nothing, {}, {})
    parts = _parts(path.read_text(encoding="utf-8"))
    return WordList(
        stop=frozenset(word for line in parts["stop"] for word in fold(line).split()),
        stop_as_written=frozenset(word for line in parts["stop"] for word in line.lower().split()),
        questions=tuple(sorted(parts["questions"], key=len, reverse=True)),
        how_many=frozenset(fold(" ".join(parts["how-many"])).split()),
        players=frozenset(fold(" ".join(parts["players"])).split()),
        among=frozenset(fold(" ".join(parts["among"])).split()),
        editions=frozenset(fold(" ".join(parts["editions"])).split()),
        first=frozenset(fold(" ".join(parts["first"])).split()),
        bases={fold(form): line.split()[0] for line in parts["forms"] for form in line.split()},
        numbers=_numbers(language, parts),
    )


def _parts(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            lines = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith("#"):
            lines.append(line)
    return found


def _numbers(language: str, parts: dict[str, list[str]]) -> dict[str, str]:
    """Words for 2 and more. "One" is left out: in four of six languages it is also the article."""
    units = [word.split("/") for word in fold(parts["numbers"][0]).split()]
    tens = [word.split("/") for word in fold(parts["numbers"][1]).split()]
    found = {word: str(n) for n, words in enumerate(units) if n != 1 for word in words}
    found |= {word: str(30 + 10 * n) for n, words in enumerate(tens) for word in words}
    found |= _composed(language, units, [units[20], *tens[:7]])
    ordinals = fold(" ".join(parts["ordinals"])).split()
    return found | {word: str(n) for n, words in enumerate(ordinals, start=2) for word in words.split("/")}


def _composed(language: str, units: list[list[str]], tens: list[list[str]]) -> dict[str, str]:
    """21 to 99 as one word (hyphens left out): `vingtdeux`, `quatrevingtdix`, `einundzwanzig`, `ventidue`."""
    found: dict[str, str] = {}
    for t, ten_words in enumerate(tens, start=2):
        for u in range(1, 20):
            for ten in ten_words:
                for unit in units[u]:
                    found.setdefault(_compose(language, ten, unit), str(10 * t + u))
    return found


def _compose(language: str, ten: str, unit: str) -> str:
    if language == "de":
        return f"{'ein' if unit == 'eins' else unit}und{ten}"
    if language == "nl":
        return f"{unit}en{ten}"
    if language == "it" and unit[0] in "uo":
        return ten[:-1] + unit
    if language == "es" and ten == "veinte":
        return "veinti" + unit
    return (ten.rstrip("s") if language == "fr" else ten) + unit
