"""Languages: which tags we take, how they are written, and their names in the reader's language.

A tag is a well-formed BCP 47 tag whose first part names a language that Unicode's CLDR (Babel) knows.
Names come from the CLDR too, in the case in which the reader's language writes them in a sentence.
A tag that an older record holds and nobody knows is shown as it stands: pages never fail for it.
"""

import re
from functools import cache

from babel import Locale, UnknownLocaleError
from babel.core import get_global
from django.conf import settings
from django.conf.locale import LANG_INFO
from django.utils.translation import get_language

from catalogue.text import fold

LONGEST = 35
WELL_FORMED = re.compile(
    r"(?P<language>[a-z]{2,3})(?P<extended>(?:-[a-z]{3}){0,3})(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?(?P<rest>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*"
    r"(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*(?:-x(?:-[a-z\d]{1,8})+)?)",
    re.IGNORECASE | re.ASCII,
)
FALLBACK = "en"


def normal(tag: str) -> str | None:
    """The tag as one writes it (`PT-br` -> `pt-BR`, `fra` -> `fr`); None for a tag that we do not take."""
    parts = WELL_FORMED.fullmatch(tag.strip())
    if parts is None or len(tag.strip()) > LONGEST:
        return None
    language = _current(parts["language"].lower())
    if language is None:
        return None
    script, region = parts["script"], parts["region"]
    written = language + parts["extended"].lower()
    written += f"-{script.title()}" if script else ""
    written += f"-{region.upper()}" if region else ""
    return written + parts["rest"].lower()


def is_well_formed(tag: str) -> bool:
    """Whether the tag has the form of BCP 47, known or not."""
    return len(tag) <= LONGEST and WELL_FORMED.fullmatch(tag) is not None


def name(tag: str) -> str:
    """`nl` -> "Dutch", `fr-BE` -> "French (Belgium)" in the reader's language; an unknown tag as it is."""
    parts = WELL_FORMED.fullmatch(tag)
    if parts is None:
        return tag
    reader = _reader(get_language() or settings.LANGUAGE_CODE)
    language = parts["language"].lower()
    script, region = (parts["script"] or "").title(), (parts["region"] or "").upper()
    whole = "_".join(filter(None, (language, script, region)))
    if whole in reader.languages:
        return str(reader.languages[whole])
    plain = _plain_name(reader, language)
    if plain is None:
        return tag
    details = [reader.scripts.get(script, script), reader.territories.get(region, region)]
    told = ", ".join(filter(None, details))
    return f"{plain} ({told})" if told else plain


def tag_of(typed: str) -> str | None:
    """The tag of a language typed by name (in itself or in a language of the interface), or as a tag."""
    return _tags_by_name().get(fold(typed.strip())) or normal(typed)


def _current(language: str) -> str | None:
    """The code in use for a code; the libraries' old codes of three letters (`fre`) have one of two."""
    known = Locale.parse(FALLBACK).languages
    if language in known:
        return language
    alias = str(get_global("language_aliases").get(language))
    return alias if alias in known and "_" not in alias else None


def _plain_name(reader: Locale, language: str) -> str | None:
    """A language that the reader's has no name for goes by its English one."""
    found = reader.languages.get(language) or Locale.parse(FALLBACK).languages.get(language)
    return str(found) if found else None


@cache
def _reader(code: str) -> Locale:
    try:
        return Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale.parse(FALLBACK)


@cache
def _tags_by_name() -> dict[str, str]:
    """Folded names; the first to claim a name keeps it."""
    names: dict[str, str] = {}
    for code, info in LANG_INFO.items():
        if "name_local" in info and len(code) == 2:
            names.setdefault(fold(info["name_local"]), code)
    for reader, _ in settings.LANGUAGES:
        for key, told in _reader(reader).languages.items():
            names.setdefault(fold(told), key.replace("_", "-"))
    return names
