"""All rules of one game in one HTML file: it reads and searches without network, years later, from any disk.

Texts, styles, script and the words to search by stand in the file; a policy in its head forbids it to fetch
anything. The script cannot stem six languages, so the file carries what our own analysis made of its words:
which of them are one word in other forms, and which stand for which concept. Reads only.

Size: the texts, some 30 kB of style and script, and each distinct word once; a game of 20,000 words in six
languages stays below 500 kB.
"""

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.db.models import Prefetch
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe

from catalogue.models import Game, Revision, RulesText
from catalogue.rules import render, sections
from catalogue.rules.sections import Section
from search import concepts, wordlists
from search.analysis import Token, shelf_language, tokens
from search.passages import spoken
from search.pinned import Pin, pinned
from search.wordlists import LANGUAGES, word_list

FORMAT = 1
STYLES = ("css/bundle.css",)
SCRIPTS = ("js/finder.js", "js/bundle.js")
MOST_WORDS = 60_000  # thirty rule books; what lies beyond is found by its words as written
OWN_ANCHOR = re.compile(r'<(?:h[1-6] id="|a href="#)')


@dataclass(frozen=True, slots=True)
class BundledText:
    """One text of the game as the file shows it; `prefix` keeps the anchors of several texts apart."""

    text: RulesText
    revision: Revision
    prefix: str
    sections: tuple[Section, ...]
    pins: tuple[Pin, ...]
    html: SafeString
    has_twin: bool = False  # another text of this language and kind: only its edition tells them apart

    @property
    def contents(self) -> list[Section]:
        """The headings, in reading order."""
        return [section for section in self.sections if section.heading]


def fingerprint(game: Game, reader_language: str) -> str:
    """Changes when the file would: the game counts the states of its rules."""
    parts = (
        *(FORMAT, game.pk, game.revision, reader_language, settings.LIBRARY_NAME, settings.LIBRARY_ADDRESS),
        *(wordlists.fingerprint(), concepts.fingerprint(), _own_files()),
    )
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()[:24]


def html(game: Game, texts: Sequence[BundledText], *, address: str) -> str:
    """The file, its own words in the reader's language. `address` is where the rules stand online."""
    style, script = _joined(STYLES), _joined(SCRIPTS)
    shown = {
        "game": game,
        "texts": texts,
        "library_name": settings.LIBRARY_NAME,
        "address": address,
        "policy": f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; "
        "img-src data:; base-uri 'none'; form-action 'none'",
        "style": mark_safe(f"<style>{style}</style>"),  # noqa: S308 - our own file
        "script": mark_safe(f"<script>{script}</script>"),  # noqa: S308 - our own file
        "words": json_script(search_words(texts), "words"),
    }
    return render_to_string("search/bundle.html", shown)


def texts(game: Game, reader_language: str) -> list[BundledText]:
    """The current texts of a game, those in the reader's language first. Three queries."""
    heads = Prefetch("revisions", Revision.objects.defer("body", "raw"))
    current = {text: text.current for text in game.rules_texts.prefetch_related(heads)}
    shown = Revision.objects.filter(pk__in=[now.pk for now in current.values() if now])
    bodies = dict(shown.values_list("pk", "body"))
    found = [_bundled(text, now, bodies[now.pk]) for text, now in current.items() if now]
    own = shelf_language(reader_language)
    times = Counter((each.text.language, each.text.kind) for each in found)
    found = [replace(each, has_twin=times[each.text.language, each.text.kind] > 1) for each in found]
    return sorted(found, key=lambda each: shelf_language(each.text.language) != own)


def _bundled(text: RulesText, revision: Revision, body: str) -> BundledText:
    prefix = f"t{text.pk}-"
    parsed = sections.parse(body)
    # What is safe stays safe: cleaned HTML has these two in its own tags alone, and a prefix is a number.
    own = mark_safe(OWN_ANCHOR.sub(rf"\g<0>{prefix}", render.to_html(body, below=2)))  # noqa: S308
    return BundledText(text, revision, prefix, parsed, pinned(parsed, text.language), own)


# --- the words to search by --------------------------------------------------------------------


def search_words(texts: Iterable[BundledText]) -> dict[str, Any]:
    """By language: stop words, openings of questions, families of forms, and phrases with their concepts.

    A concept is a number. Its phrases are those that stand in the texts and, so that a question in any
    language meets them, the glossary's own.
    """
    read = list(_first_words(pair for each in texts for pair in _read(each)))
    numbers: dict[str, int] = {}
    phrases: dict[str, dict[str, list[int]]] = {language: {} for language in LANGUAGES}
    for language, words in read:
        for found in concepts.concepts(words, language):
            number = numbers.setdefault(found.concept, len(numbers))
            _add(phrases[language], words[found.first : found.first + found.length], number)
    for concept in concepts.glossary():
        if concept.name in numbers:
            for language, term in ((lang, t) for lang, terms in concept.terms.items() for t in terms):
                _add(phrases[language], _spoken_words(term, language), numbers[concept.name])
    return {
        "stop": {language: sorted(word_list(language).stop) for language in LANGUAGES},
        "questions": {language: _openings(language) for language in LANGUAGES},
        "families": _families(read),
        "phrases": phrases,
    }


def _openings(language: str) -> list[str]:
    """What questions begin with and no rule says: "what happens if", the longest first."""
    phrases = (_spoken_words(phrase, language) for phrase in word_list(language).questions)
    return [" ".join(word.fold for word in words) for words in phrases]


def _read(each: BundledText) -> Iterable[tuple[str, list[Token]]]:
    """The words of each section, headings before them."""
    language = shelf_language(each.text.language)
    for section in each.sections:
        yield language, _spoken_words(f"{section.heading}\n\n{spoken(section.body)}", language)


def _first_words(read: Iterable[tuple[str, list[Token]]]) -> Iterator[tuple[str, list[Token]]]:
    """What is analysed of a game: all of it, but of a heap of text no more than a reader can wait for."""
    size = 0
    for language, words in read:
        size += len(words)
        if size > MOST_WORDS:
            return
        yield language, words


def _spoken_words(text: str, language: str) -> list[Token]:
    return [token for token in tokens(text, language) if not token.is_joined]


def _add(phrases: dict[str, list[int]], words: Sequence[Token], number: int) -> None:
    phrase = " ".join(word.fold for word in words[: concepts.LONGEST])
    if phrase and number not in phrases.setdefault(phrase, []):
        phrases[phrase].append(number)


def _families(read: Iterable[tuple[str, list[Token]]]) -> dict[str, list[str]]:
    """By language, the folded words that share a stem, as one line each; a word alone is left out."""
    by_stem: dict[str, dict[str, set[str]]] = {}
    for language, words in read:
        stems = by_stem.setdefault(language, {})
        for word in words:
            for stem in word.stems:
                own = {stem} if stem.isdigit() else set()
                stems.setdefault(stem, set()).update({word.fold}, own)
    return {language: _groups(stems.values()) for language, stems in by_stem.items()}


def _groups(sharing: Iterable[set[str]]) -> list[str]:
    return sorted({" ".join(sorted(words)) for words in sharing if len(words) > 1})


# --- our own files -----------------------------------------------------------------------------


@cache
def _joined(names: tuple[str, ...]) -> str:
    """The static files as they stand in the repository, one after the other."""
    return "\n".join(_source(name) for name in names)


def _source(name: str) -> str:
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).read_text(encoding="utf-8")


def _own_files() -> str:
    template = Path(settings.BASE_DIR, "templates", "search", "bundle.html").read_text(encoding="utf-8")
    return hashlib.sha256((_joined(STYLES) + _joined(SCRIPTS) + template).encode()).hexdigest()


def _hash(source: str) -> str:
    """How a content security policy names an inline element (CSP level 3, section 2.3.1)."""
    digest = hashlib.sha256(source.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
