"""Which language a text is in: said by its source, else by the caller, else told from its words.

Only texts are ever guessed, never what a game's record says. py3langid is kept to the languages of
European toy libraries: on short texts the full list of 97 answers with neighbours (Galician, Luxembourgish).
"""

import re
from dataclasses import dataclass
from functools import cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

CANDIDATES = ["fr", "es", "en", "de", "it", "nl", "pt"]
SAMPLE = 6000
WORDS = re.compile(r"[^\W\d_]{2,}")
ENOUGH_WORDS = 5


@dataclass(frozen=True, slots=True)
class TextLanguage:
    """A BCP 47 tag, empty where the text is too short to tell; whether it was guessed."""

    tag: str
    is_guessed: bool


@cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages(CANDIDATES)
    return identifier


def language_of(text: str, *, said: str = "", asked: str = "") -> TextLanguage:
    """The language of `text`. `said` is what the source says, `asked` what the caller says."""
    if said or asked:
        return TextLanguage(said or asked, is_guessed=False)
    words = WORDS.findall(text[:SAMPLE])
    if len(words) < ENOUGH_WORDS:
        return TextLanguage("", is_guessed=False)
    tag, _ = _identifier().classify(" ".join(words))
    return TextLanguage(str(tag), is_guessed=True)
