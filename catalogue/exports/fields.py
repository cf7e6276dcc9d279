"""What UNIMARC and MARC 21 records share on their way out: fields of text, names turned round, words for ages
and players that people and our own reader understand.
"""

import re
from collections.abc import Iterable, Iterator

from catalogue.draft import GameDraft
from catalogue.imports.charsets import clean
from catalogue.imports.values import LANGUAGES, MONTHS_A_YEAR
from catalogue.marc import MarcField
from catalogue.text import one_line

# A library without a language of ours says it in English.
WORDS = {
    "fr": ("Age minimum", "Age maximum", "Nombre de joueurs", "Durée", "ans", "mois", "minutes"),
    "en": ("Minimum age", "Maximum age", "Number of players", "Playing time", "years", "months", "minutes"),
    "de": ("Alter", "Höchstalter", "Spieleranzahl", "Spieldauer", "Jahre", "Monate", "Minuten"),
    "es": ("Edad", "Edad máxima", "Número de jugadores", "Duración", "años", "meses", "minutos"),
}
CODES = {tag: code for code, tag in reversed(LANGUAGES.items())}  # the bibliographic ones: fre, ger, dut
CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]")
LONGEST_LINE = 2400  # characters, of at most four bytes: a field of ISO 2709 has 9,999
PARTICLES = {
    "de",
    "van",
    "von",
    "zur",
    "zu",
    "der",
    "den",
    "del",
    "della",
    "di",
    "da",
    "du",
    "le",
    "la",
    "ter",
}


def text(value: str) -> str:
    """A value as a reader would have it: composed letters, and no control characters, which part fields."""
    return CONTROL.sub(" ", clean(value))


def field(tag: str, indicators: str, *subfields: tuple[str, str]) -> Iterator[MarcField]:
    """A field with the subfields that say something; none if none does."""
    said = tuple((code, text(value)) for code, value in subfields if value)
    if said:
        yield MarcField(tag, indicators, said)


def lines(value: str) -> list[str]:
    """The lines of a text, none longer than a field holds; longer ones are cut between words."""
    found: list[str] = []
    for line in value.split("\n"):
        while len(line) > LONGEST_LINE:
            cut = line.rfind(" ", LONGEST_LINE // 2, LONGEST_LINE)
            cut = cut if cut > 0 else LONGEST_LINE
            found.append(line[:cut])
            line = line[cut:].lstrip(" ")
        found.append(line)
    return [line for line in found if line.strip()]


def surname_and_first(name: str) -> tuple[str, str]:
    """`Ralf zur Linde` -> ("zur Linde", "Ralf"). A guess for other programs; put together it is the name."""
    words = one_line(name).split(" ")
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in PARTICLES:
        at -= 1
    return " ".join(words[at:]), " ".join(words[:at])


def audience(game: GameDraft, language: str) -> Iterator[str]:
    """`Age minimum : 8 ans`, `Nombre de joueurs : 2-6` in words."""
    words = WORDS.get(language, WORDS["en"])
    for label, months in zip(words[:2], (game.age_min_months, game.age_max_months), strict=True):
        if months is not None:
            yield f"{label} : {_age(months, words[4], words[5])}"
    if players := span(game.players_min, game.players_max):
        yield f"{words[2]} : {players}"
    if minutes := span(game.minutes_min, game.minutes_max):
        yield f"{words[3]} : {minutes} {words[6]}"


def _age(months: int, years: str, of_months: str) -> str:
    if months % MONTHS_A_YEAR:
        return f"{months} {of_months}"
    return f"{months // MONTHS_A_YEAR} {years}"


def span(low: int | None, high: int | None) -> str:
    """`2-6`, `15`, or nothing."""
    ends = [str(end) for end in dict.fromkeys((low, high)) if end is not None]
    return "-".join(ends)


def codes(tags: Iterable[str]) -> list[str]:
    """The three letters of each language that has a code in libraries."""
    return [CODES[tag] for tag in tags if tag in CODES]
