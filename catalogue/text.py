"""Folding of names: under which key two spellings are one, and where a title sorts."""

import re
import unicodedata
from functools import lru_cache

LIGATURES = str.maketrans(
    {"œ": "oe", "æ": "ae", "ø": "o", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
NOT_WORD = re.compile(r"[\W_]+")
BLANKS = re.compile(r"[\s\0]+")
MOST_WORDS = 8
LONGEST_WORD = 200
ARTICLES = re.compile(
    r"^(?:(?:le|la|les|un|une|des|el|los|las|una|unos|unas|the|an|a"
    r"|der|die|das|ein|eine|il|lo|gli|i|de|het|een) "
    r"|l (?=\w))"
)


def fold(text: str) -> str:
    """Lower case without accents and ligatures: `Œufs à l'Été` -> `oeufs a l'ete`."""
    lowered = unicodedata.normalize("NFKC", text).casefold().translate(LIGATURES)
    return "".join(c for c in unicodedata.normalize("NFD", lowered) if not unicodedata.combining(c))


@lru_cache(maxsize=8192)
def name_key(text: str) -> str:
    """Words only, folded: `Marco Teubner`, `marco  teubner` -> `marco teubner`.

    A name made of marks alone keeps them, so that it still has a key.
    """
    return NOT_WORD.sub(" ", fold(text)).strip() or one_line(text).casefold()


def sort_key(title: str) -> str:
    """Where a title stands in a list: no leading marks, no leading article."""
    key = name_key(title)
    return ARTICLES.sub("", key) or key


def typed_words(text: str) -> list[str]:
    """The words to look for in what somebody typed: so many, and so long, as a database still compares."""
    return [word[:LONGEST_WORD] for word in one_line(text).split()[:MOST_WORDS]]


def one_line(text: str) -> str:
    """Every run of white space, no-break blanks included, as one blank.

    A null counts as white space: PostgreSQL takes none in a text.
    """
    return BLANKS.sub(" ", text).strip()
