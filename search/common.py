"""How common a word is in its language at large, from the frequency lists that pyspellchecker carries.

What people say every day ("want", "everything", "ailleurs") tells little of what they look for, however
rare it is in rules; and a word of the language is never taken for a typing error. Called by `questions`.
"""

import gzip
import json
from functools import cache
from heapq import nlargest
from importlib import resources

from catalogue.text import fold
from search.wordlists import LANGUAGES

KEPT = 20_000
"""So many words of a language are known; rarer ones in the lists are names and slips as well."""


@cache
def ranks(language: str) -> dict[str, int]:
    """Folded words with their places in the list, the commonest first; empty for an unknown language."""
    if language not in LANGUAGES:
        return {}
    packed = (resources.files("spellchecker") / "resources" / f"{language}.json.gz").read_bytes()
    counts: dict[str, int] = json.loads(gzip.decompress(packed))
    found: dict[str, int] = {}
    for place, word in enumerate(nlargest(KEPT, counts, key=counts.__getitem__)):
        found.setdefault(fold(word), place)
    return found
