"""Reading the values that toy libraries type into tables: ages, players, durations, languages, names, states.

In the words of French, English, German, Spanish, Portuguese, Italian and Dutch. Pure functions on text:
what cannot be read is None or empty, and the caller says so. Units: ages in months, durations in minutes.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalogue import languages as tags
from catalogue.categories import category_key, read_category
from catalogue.draft import ContributorDraft, PublicationDraft
from catalogue.imports.values import LANGUAGE_NAMES, LANGUAGES, NO_UPPER_BOUND_FROM
from catalogue.roles import role_of
from catalogue.text import fold, name_key, one_line

NOTHING = {
    *("", "-", "--", "–", "—", "?", "none", "null", "nil", "n/a", "na", "nan", "#n/a"),
    *("aucun", "aucune", "keine"),
}
NOBODY = {
    *("unknown", "inconnu", "inconnue", "unbekannt", "desconocido", "desconhecido", "sconosciuto"),
    *("onbekend",),
    *(
        "donated",
        "divers",
        "various",
        "verschiedene",
        "diverse",
        "varios",
        "sans marque",
        "no brand",
        "no name",
    ),
    *("sans editeur", "self published", "uncredited", "anonyme", "anonymous"),
}
AUTHOR, ILLUSTRATOR = "070", "440"
MONTHS_A_YEAR, MINUTES_AN_HOUR = 12, 60
MOST_HOURS = 10

_MONTHS = r"mois|mths?|mos?|months?|monat\w*|mon|meses|mes|mesi|maand\w*|m"
_YEARS = r"ans?|annees?|yrs?|years?|y|jahr\w*|j|anos?|anni|jaar|a"
_AMOUNT = (
    r"(?P<{0}>\d{{1,3}}(?:[.,]\d)?)(?P<{0}_half>\s?½|\s?1/2)?\s*\+?\s*"
    r"(?:(?P<{0}_months>{1})|(?P<{0}_years>{2}))?(?![a-z])\.?"
)
AGE_SPAN = re.compile(
    _AMOUNT.format("low", _MONTHS, _YEARS)
    + r"\s*(?:-|–|a|à|to|bis|/|until|hasta|et|und|y|e|till|tot|jusqu'a|<)\s*"
    + _AMOUNT.format("high", _MONTHS, _YEARS)
)
AGE = re.compile(_AMOUNT.format("low", _MONTHS, _YEARS))
UP_TO = re.compile(r"\b(?:bis|jusqu|up to|until|under|moins de|hasta|menos de|fino|ate|max|tot)\b|<|≤")
ALL_AGES = re.compile(
    r"tout age|tous ages|tout public|all ages|jedes alter|todas las edades|tutte le eta|todas as idades"
)
DATE_LIKE = re.compile(
    r"\d{4}-\d\d-\d\d(?: .*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}[-. ]{1,2}(?:"
    r"jan|fe[bv]|f[eé]v|m[aä]r|a[pv]r|ma[iy]|jui|ju[nl]|a[ou][gûu]|sep|set|o[ck]t|ott|nov|d[eéi][cz]|ene|gen|mag|giu|lug"
    r")[a-zéû]{0,6}\.?",
    re.IGNORECASE,
)
PLAYERS_SPAN = re.compile(
    r"(\d{1,4})\s*(?:joueurs?|spieler|players?|jugadores)?\s*(?:-|–|a|to|bis|/|ou|or|oder|o|tot)\s*"
    r"(\d{1,4}|none|\+|plus|mehr|more|x|n|∞)"
)
PLAYERS_ONE = re.compile(
    r"(\d{1,4})\s*(\+|(?:et|ou) plus|(?:or|and) more|(?:und|oder) mehr|[yo] mas|e oltre|ou mais|en meer)?"
)
FROM = re.compile(r"\b(?:ab|des|from|a partir|desde|da|vanaf|mindestens|at least|min)\b")
COUNT = re.compile(r"\d{1,4}")
CLOCK = re.compile(r"\A(\d{1,3}):(\d\d)(?::\d\d)?\Z")
HOURS = re.compile(
    r"(\d{1,2}(?:[.,]\d{1,2})?)?\s*(½)?\s*(?:heures?|hours?|hrs?|stunden?|std|horas?|ore|ora|uur|h)(?![a-z])"
    r"\.?\s*(\d{1,2})?(?!\d)",
    re.IGNORECASE,
)
MINUTE_SPAN = re.compile(
    r"(\d{1,4})\s*(?:min\w*\.?|mn|['’′]|h)?\s*(?:-|–|à|a|to|bis|/|et|ou|tot)\s*(\d{1,4})", re.IGNORECASE
)
ONE_NUMBER = re.compile(r"\d{1,4}")
BETWEEN_LANGUAGES = re.compile(r"\s*[/,;+&|\n·]\s*|\s+(?:et|und|and|y|e|-)\s+", re.IGNORECASE)
OTHER_LANGUAGE_WORDS = {
    "d": "de", "f": "fr", "i": "it", "gb": "en", "uk": "en", "us": "en", "sp": "es", "esp": "es", "p": "pt",
    "ang": "en", "all": "de", "fran": "fr", "engl": "en", "dt": "de", "deutsch": "de", "franz": "fr",
    "flamand": "nl", "castellano": "es", "inglese": "en", "tedesco": "de", "francese": "fr", "ingles": "en",
    "aleman": "de", "frances": "fr", "spagnolo": "es", "olandese": "nl", "engels": "en", "duits": "de",
    "frans": "fr", "nederlands": "nl", "inglês": "en", "alemao": "de", "portugues": "pt", "italiano": "it",
    "espanol": "es", "francais": "fr", "english": "en", "italienisch": "it", "nl": "nl", "ch": "zh",
}  # fmt: skip
NO_ONE_LANGUAGE = {
    *("multilingue", "multilingual", "mehrsprachig", "multi", "plurilingue", "meertalig", "sans texte"),
    *("sprachneutral", "no text", "language independent", "sprachunabhangig", "sin texto"),
}
_AWARD = (
    r"as d['’]or|spiel des jahres|kinderspiel|kennerspiel|spiele ?preis|\bprix\b|\baward|\bprize|\bwinner"
    r"|\blaur[eé]at|label ludo|super as|tric ?trac|goldene|\bgagnant|juego del a[nñ]o|premio"
    r"|gioco dell['’]anno|mensa select|swiss gamers|\bm[eé]daille|\bnomin[eé]e?\b|jogo do ano"
)
AWARD = re.compile(rf"\s*[(\[]\s*((?=[^()\[\]]*(?:{_AWARD}))[^()\[\]]{{3,120}})\s*[)\]]\s*\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Span:
    """Both ends of what a cell says; None for an end that it leaves open."""

    low: int | None
    high: int | None


def is_nothing(value: str) -> bool:
    """Whether a cell says that there is nothing: `-`, `None`, `n/a`."""
    return value.strip().casefold() in NOTHING


def is_date_of_span(value: str) -> bool:
    """Whether a spreadsheet has made a day of `6-5` or `2-4`."""
    return DATE_LIKE.fullmatch(value.strip()) is not None


# --- ages --------------------------------------------------------------------------------------


def ages(value: str) -> Span | None:
    """`12-36mths`, `3 years +`, `ab 8`, `36 mois`, `1½ - 3 ans`, `4-99` -> months; 99 is no upper end."""
    text = fold(value).replace("½", " ½").replace("⁄", "/")
    text = re.sub(r"(\d)\s*1/2\b", r"\1½", text)
    if ALL_AGES.search(text):
        return Span(None, None)
    if found := AGE_SPAN.search(text):
        is_months = found["low_months"] or (found["high_months"] and not found["low_years"])
        unit = "months" if is_months else "years"
        low = _months(found, "low", unit)
        high = _months(found, "high", "months" if found["high_months"] else "years")
        return _ordered(low, high)
    if found := AGE.search(text):
        one = _months(found, "low", "months" if found["low_months"] else "years")
        return Span(None, one) if UP_TO.search(text) else Span(one, None)
    return None


def _months(found: re.Match[str], name: str, unit: str) -> int | None:
    amount = float(found[name].replace(",", ".")) + (0.5 if found[f"{name}_half"] else 0)
    if unit == "years" and name == "high" and (amount >= NO_UPPER_BOUND_FROM or amount == 0):
        return None
    return round(amount * (1 if unit == "months" else MONTHS_A_YEAR))


def _ordered(low: int | None, high: int | None) -> Span:
    if low is not None and high is not None and low > high:
        low, high = high, low
    return Span(low, high)


def upper_age(value: str) -> int | None:
    """A cell of the upper end alone: 0 and 99 are none."""
    span = ages(value)
    one = span and (span.high or span.low)
    return None if not one or one >= NO_UPPER_BOUND_FROM * MONTHS_A_YEAR else one


# --- players and durations ---------------------------------------------------------------------


def players(value: str) -> Span | None:
    """`4-12`, `2 à 4`, `2+`, `ab 3`, `2-None`, `1`."""
    value = fold(value)
    if found := PLAYERS_SPAN.search(value):
        high = int(found[2]) if found[2].isdigit() else None
        return _ordered(int(found[1]), None if high is not None and high >= 99 else high)
    found = PLAYERS_ONE.search(value)
    if found is None:
        return None
    numbers = [int(number) for number in COUNT.findall(value)]
    if found[2] or FROM.search(value):
        return Span(numbers[0], None)
    return Span(min(numbers), max(numbers))


def minutes(value: str) -> Span | None:
    """`00:40`, `01:30` (hours), `45`, `30-45 min`, `1 h 30`, `1,5 Std.`, `1-2 h`."""
    if clock := CLOCK.match(value.strip()):
        hours, rest = int(clock[1]), int(clock[2])
        total = hours if hours >= MOST_HOURS and not rest else hours * MINUTES_AN_HOUR + rest
        return Span(total, total) if total else None
    text = value.strip()
    is_hours = HOURS.search(text)
    if (ends := MINUTE_SPAN.search(text)) and not _is_hour_and_minutes(text):
        factor = MINUTES_AN_HOUR if is_hours and "min" not in text.casefold() else 1
        return _ordered(int(ends[1]) * factor, int(ends[2]) * factor)
    if is_hours and (is_hours[1] or is_hours[2]):
        whole = float((is_hours[1] or "0").replace(",", ".")) + (0.5 if is_hours[2] else 0)
        total = round(whole * MINUTES_AN_HOUR) + int(is_hours[3] or 0)
        return Span(total, total)
    one = ONE_NUMBER.search(text)
    if not one or not int(one[0]):
        return None
    return Span(int(one[0]), None if re.search(r"\+|plus|mehr|more|\bab\b", text) else int(one[0]))


def _is_hour_and_minutes(text: str) -> bool:
    return re.search(r"\d\s*h\s*\d", text, re.IGNORECASE) is not None


# --- words -------------------------------------------------------------------------------------


def languages(value: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`FR/DE/IT/EN`, `français, allemand` -> the tags, and the words that name no language."""
    found: dict[str, None] = {}
    unknown = []
    for word in BETWEEN_LANGUAGES.split(value):
        tag = _language(word)
        if tag:
            found[tag] = None
        elif tag is None:
            unknown.append(word.strip())
    if unknown == ["E"] and found:  # beside D and F: on Swiss boxes it is English
        return (*found, *({"en"} - found.keys())), ()
    return tuple(found), tuple(unknown)


def _language(word: str) -> str | None:
    """A tag, empty where the word says that there is no one language, None where it is not known."""
    key = fold(word).strip(" .()[]")
    if key in NOTHING or key in NO_ONE_LANGUAGE:
        return ""
    if key in OTHER_LANGUAGE_WORDS:
        return OTHER_LANGUAGE_WORDS[key]
    return LANGUAGES.get(key) or LANGUAGE_NAMES.get(key) or tags.tag_of(word.strip(" .()[]"))


def publishers(value: str) -> tuple[PublicationDraft, ...]:
    """`HABA`, `Libellud / Asmodee`; what names no firm is left out."""
    names = map(one_line, re.split(r"\s*;\s*|\s+/\s+|\n", value))
    return tuple(PublicationDraft(name) for name in names if not _is_nobody(name))


def _is_nobody(name: str) -> bool:
    return is_nothing(name) or name_key(name) in NOBODY or (name.startswith("(") and name.endswith(")"))


def people(value: str, role: str) -> tuple[ContributorDraft, ...]:
    """`Kramer, Wolfgang; Kiesling, Michael`, `Wolfgang Kramer, Michael Kiesling`, `A & B`."""
    parts = re.split(r"\s*;\s*|\s+/\s+|\n|\s+&\s+|\s+(?:et|und|and|y)\s+", value)
    names: list[str] = []
    for part in parts:
        pieces = [piece for piece in re.split(r"\s*,\s*", part) if piece]
        is_turned = len(pieces) == 2 and " " not in pieces[0]
        names += [f"{pieces[1]} {pieces[0]}"] if is_turned else pieces
    return tuple(ContributorDraft(one_line(name), role) for name in names if not _is_nobody(one_line(name)))


def role(word: str) -> str | None:
    """The code of a person's part: empty for none said, None for one that is not known."""
    key = fold(word).strip()
    return "" if key in NOTHING else ROLE_WORDS.get(key) or role_of(word)


ROLE_WORDS = {
    "design": "245", "conception": "245", "concept": "245", "redaction": "340", "editing": "340",
    "author": "070", "designer": "070", "autor": "070", "autorin": "070", "autora": "070", "autore": "070",
    "illustrator": "440", "illustratorin": "440", "ilustrador": "440", "illustratore": "440",
    "illustration": "440", "illustrations": "440", "artist": "440", "grafik": "440", "graphisme": "410",
    "graphic artist": "410", "graphiste": "410", "ubersetzer": "730", "translator": "730", "traductor": "730",
    "traduction": "730", "other": "570", "andere": "570", "otro": "570", "sculpteur": "705",
    "redakteur": "340", "editor": "340", "developer": "245", "createur": "245",
}  # fmt: skip


def words(value: str) -> tuple[str, ...]:
    """Keywords parted by commas, semicolons, bars or line breaks; a phrase stays whole."""
    parts = (one_line(part) for part in re.split(r"\s*[,;|\n]\s*", value))
    return tuple(dict.fromkeys(part for part in parts if part and not is_nothing(part)))


def categories(values: Sequence[str]) -> tuple[str, ...]:
    """Each category once, however it is written; a cell may hold several, one a line or parted by `;`."""
    found: dict[str, str] = {}
    for value in values:
        for part in re.split(r"\s*[;|\n]\s*", value):
            printed = one_line(part)
            if printed and not is_nothing(printed):
                found.setdefault(category_key(read_category(printed)), printed)
    return tuple(found.values())


def split_award(title: str) -> tuple[str, str]:
    """`Kikou (As d'Or 2017)` -> title and award."""
    found = AWARD.search(title)
    return (title[: found.start()].strip(), found[1].strip()) if found and found.start() else (title, "")


def words_with_repeats(value: str) -> list[str]:
    """As `words`, but a name that stands twice counts twice."""
    return [part for part in map(one_line, re.split(r"[,;|\n]", value)) if part]


IN_SPAN: dict[str, Callable[[str], Span | None]] = {"age": ages, "players": players, "minutes": minutes}
