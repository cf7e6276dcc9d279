"""The words of a text as search sees them: exact, folded and stemmed forms with their places in the text.

Pure functions, no index and no database. Texts and questions go through the same analysis, so that
accents, case, elision, plural, hyphens, ligatures and number words never decide whether they meet.
A stem is taken in both orders, stem-then-fold and fold-then-stem-then-fold: the first joins words
typed with their accents, the second finds them typed without.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from catalogue.text import fold
from search.wordlists import LANGUAGES, word_list

VERSION = 2
"""Counted up when the same text would give other words: an index of another version is rebuilt."""

OTHER = "other"
SNOWBALL = {
    "fr": "french",
    "es": "spanish",
    "en": "english",
    "de": "german",
    "it": "italian",
    "nl": "dutch",
}
COMPOUNDING = ("de", "nl")
LINKS = ("", "s", "n", "en", "es", "er", "e")
APOSTROPHES = "'’ʼ´`‘＇"
ELIDED = {
    *(
        "l",
        "d",
        "j",
        "m",
        "t",
        "s",
        "n",
        "c",
        "qu",
        "jusqu",
        "lorsqu",
        "puisqu",
        "quoiqu",
        "quelqu",
        "presqu",
    ),
    *("dell", "nell", "all", "sull", "dall", "coll", "un", "quell", "quest", "sant", "bell", "gl"),
}
ELISION = re.compile(rf"[{APOSTROPHES}](?=\w)")
CLIPPED = {"en": {"s", "t", "re", "ve", "ll", "d", "m"}, "nl": {"s"}, "de": {"s"}}
"""What stands behind an apostrophe and is no word of its own: player's, can't, foto's."""
ORDINAL = re.compile(r"^(\d+)(?:e|er|ere|re|eme|ieme|nd|rd|th|st|o|a|de|ste|te|ter)$")
LONGEST_WORD = 60
"""Longer runs of letters are no words; they are cut, so that no input can swell the index."""


def _marks() -> str:
    """Combining marks as regular expression ranges: `\\w` leaves them out and would cut words there."""
    spans: list[list[int]] = []
    for point in range(0x300, 0xFFFF):
        if unicodedata.category(chr(point)) in ("Mn", "Mc"):
            if spans and spans[-1][1] == point - 1:
                spans[-1][1] = point
            else:
                spans.append([point, point])
    return "".join(f"{chr(a)}-{chr(b)}" for a, b in spans)


MARKS = _marks()
WORD = re.compile(rf"[^\W_](?:[^\W_]|[{MARKS}])*")
UNSPACED = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿가-힯฀-໿က-႟ក-៿]+")


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a text: its forms, and where it stands (`text[start:end]`).

    `stems` always holds the folded form's kin; `parts` are stems of the words a compound is made of.
    `is_joined` marks the extra token of a hyphened word written as one (`klingdong`).
    """

    exact: str
    fold: str
    stems: tuple[str, ...]
    start: int
    end: int
    parts: tuple[str, ...] = ()
    is_joined: bool = False


def shelf_language(tag: str) -> str:
    """The language whose words a text of this BCP 47 tag has: `fr-BE` -> `fr`; unknown ones are "other"."""
    primary = re.split(r"[-_]", tag.strip().lower())[0]
    return primary if primary in LANGUAGES else OTHER


KnownWord = Callable[[str], bool]
"""Whether a folded word occurs in the collection: the parts of compounds are checked against it."""


def tokens(text: str, language: str, known: KnownWord | None = None) -> list[Token]:
    """The words of `text` in order. `language` is a shelf language; `known` allows splitting compounds."""
    found = list(_words(text, language))
    if known is not None and language in COMPOUNDING:
        found = [_with_parts(token, language, known) for token in found]
    return found + list(_joined(text, found, language))


def _words(text: str, language: str) -> Iterator[Token]:
    for match in WORD.finditer(text):
        start, end = match.span()
        word = match.group()
        if word.lower() in ELIDED and ELISION.match(text, end):
            continue
        if start and text[start - 1] in APOSTROPHES and word.lower() in CLIPPED.get(language, ()):
            continue
        if UNSPACED.search(word):
            yield from _unspaced(word, start)
        else:
            yield _token(word, language, start, end)


def _token(word: str, language: str, start: int, end: int) -> Token:
    exact, folded, stems = forms(word[:LONGEST_WORD], language)
    return Token(exact, folded, stems, start, end)


def _unspaced(word: str, offset: int) -> Iterator[Token]:
    """Scripts without blanks between words: pairs of letters, each also found by its first letter."""
    letters = unicodedata.normalize("NFKC", word).casefold()
    same = len(letters) == len(word)
    for i in range(max(1, len(letters) - 1)):
        pair = letters[i : i + 2]
        start = offset + i if same else offset
        end = start + len(pair) if same else offset + len(word)
        yield Token(pair, pair, tuple(dict.fromkeys((pair, *pair))), start, end)


def _joined(text: str, found: list[Token], language: str) -> Iterator[Token]:
    """The extra one-word forms of hyphened words."""
    run: list[Token] = []
    for token in [*found, None]:
        if run and token is not None and text[run[-1].end : token.start] in ("-", "‐", "‑"):
            run.append(token)
            continue
        if len(run) > 1:
            whole = "".join(t.exact for t in run)[:LONGEST_WORD]
            exact, folded, stems = forms(whole, language)
            yield Token(exact, folded, stems, run[0].start, run[-1].end, is_joined=True)
        run = [token] if token is not None else []


@lru_cache(maxsize=200_000)
def forms(word: str, language: str) -> tuple[str, str, tuple[str, ...]]:
    """A word's exact form (lower case, composed), its folded form, and its stems, the best first."""
    exact = unicodedata.normalize("NFKC", word).lower()
    folded = fold(exact)
    if language not in SNOWBALL:
        return exact, folded, (folded,)
    words = word_list(language)
    stems = [_stem(exact, language), _stem(folded, language)]
    if folded in words.bases:
        stems.insert(0, _stem(words.bases[folded], language))
    if folded in words.numbers:
        stems.append(words.numbers[folded])
    ordinal = ORDINAL.match(folded)
    if ordinal:
        stems.append(ordinal[1])
    return exact, folded, tuple(dict.fromkeys(stems))


_stemmers = threading.local()


def _stem(word: str, language: str) -> str:
    """Snowball, then fold. Spanish loses the plural that Snowball leaves behind a stressed i (días)."""
    stemmer = getattr(_stemmers, language, None)
    if stemmer is None:
        # One a thread: the C object keeps the word it works on.
        stemmer = Stemmer.Stemmer(SNOWBALL[language], 0)
        setattr(_stemmers, language, stemmer)
    stem = fold(stemmer.stemWord(word))
    if language == "es" and len(stem) > 3 and stem.endswith(("as", "os", "es", "is")):
        return stem[:-1]
    return stem or fold(word)


def _with_parts(token: Token, language: str, known: KnownWord) -> Token:
    parts = compound_parts(token.fold, language, known)
    if not parts:
        return token
    stems = dict.fromkeys(s for part in parts for s in forms(part, language)[2])
    return Token(token.exact, token.fold, token.stems, token.start, token.end, tuple(stems))


def compound_parts(word: str, language: str, known: KnownWord) -> tuple[str, ...]:
    """The words a German or Dutch compound is made of, if all of them are known; else empty.

    The cut nearest the middle wins among those whose two sides are known, a linking letter allowed
    between them; a side may itself be a compound of two.
    """
    if language not in COMPOUNDING or len(word) < 7:
        return ()
    cuts = sorted(range(3, len(word) - 2), key=lambda i: abs(2 * i - len(word)))
    for cut in cuts:
        head = _known_head(word[:cut], known)
        if head and _is_part(word[cut:], known):
            return head, word[cut:]
    for cut in cuts:
        head = _known_head(word[:cut], known)
        rest = compound_parts(word[cut:], language, known) if head and len(word) - cut >= 8 else ()
        if rest:
            return head, *rest
    return ()


def _known_head(head: str, known: KnownWord) -> str:
    for link in LINKS:
        bare = head.removesuffix(link) if link else head
        if (not link or bare != head) and _is_part(bare, known):
            return bare
    return ""


def _is_part(word: str, known: KnownWord) -> bool:
    return len(word) >= 3 and known(word)
