"""How common a word is in its language at large, from the frequency lists that pyspellchecker carries.

What people say every day ("want", "everything", "ailleurs") tells little of what they look for, however rare
it is in rules; and a word of the language is never taken for a typing error. Called by `questions`, `nearby`,
`concepts`. The lists take up to half a second each to read: the commonest words are kept as plain text beside
the index, read in some milliseconds; that, too, can be deleted at any time.
"""

import gzip
import json
import logging
import secrets
from functools import cache
from heapq import nlargest
from importlib import resources
from importlib.metadata import version
from pathlib import Path

from django.conf import settings

from catalogue.text import fold
from search.wordlists import LANGUAGES

logger = logging.getLogger(__name__)

KEPT = 20_000
"""So many words of a language are known; rarer ones in the lists are names and slips as well."""
FOLDER = "common"


@cache
def ranks(language: str) -> dict[str, int]:
    """Folded words with their places in the list, the commonest first; empty for an unknown language."""
    found: dict[str, int] = {}
    if language in LANGUAGES:
        for place, word in enumerate(_words(language)):
            found.setdefault(_folded(word), place)
    return found


def warm() -> None:
    """Keep the words of all languages now, so that no asker waits for it."""
    for language in LANGUAGES:
        ranks(language)


def _folded(word: str) -> str:
    # What is folded already is seen at a glance: half of all words.
    return word if word.isascii() and word.islower() else fold(word)


def _words(language: str) -> list[str]:
    """The commonest words, from the kept file; where it is missing or torn, it is made anew."""
    kept = Path(settings.SEARCH_INDEX_DIR, FOLDER, f"{language}-{version('pyspellchecker')}.txt")
    try:
        words = kept.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        words = []
    if len(words) != KEPT:
        words = _commonest(language)
        _keep(kept, words)
    return words


def _commonest(language: str) -> list[str]:
    packed = (resources.files("spellchecker") / "resources" / f"{language}.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(packed))
    return nlargest(KEPT, counts, key=counts.__getitem__)


def _keep(kept: Path, words: list[str]) -> None:
    """Written beside and renamed: another process reads all of it or none. To fail is no harm."""
    beside = kept.with_name(f"{secrets.token_hex(8)}.new")
    try:
        kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.write_text("\n".join(words), "utf-8")
        beside.replace(kept)
    except OSError as error:
        logger.warning("The common words cannot be kept in %s (%s).", kept, error)
