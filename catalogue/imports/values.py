"""Reading the short values of PMB notices: people, publishers, codes of languages, numbers, spans.

Pure functions on text. What cannot be read is None or empty, and the caller says so.
"""

import re

from catalogue.draft import ContributorDraft, PublicationDraft
from catalogue.roles import role_of
from catalogue.text import fold, one_line

NO_PLACE = re.compile(r"\[?\s*s\.?\s*l\.?\s*\]?", re.IGNORECASE)
NO_NAME = re.compile(r"\[?\s*(?:s\.?\s*n\.?|s\.?\s*d\.?|s\.?\s*l\.?\s*:\s*s\.?\s*n\.?)\s*\]?", re.IGNORECASE)
YEAR_BEHIND = re.compile(
    r",\s*(?:\[\s*s\.?\s*d\.?\s*\]|\[?(?:cop\.\s*|c)?(?P<year>\d{4})\]?(?:\s*\([^)]*\))?)\s*\.?$"
)
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
COUNTRY = re.compile(r"\s*[\[(][^\[\]()]*[\])]$")
LANGUAGE_CODE = re.compile(r"\(\s*([a-z]{2,3})\s*\)")
NUMBER = re.compile(r"\d+")
HOURS = re.compile(r"(\d{1,3})\s*(?:h|heures?)\b\s*(\d{1,2})?", re.IGNORECASE)
SPAN = re.compile(r"(\d{1,4})\s*(?:-|–|à|a)\s*(\d{1,4})")
MONTHS = re.compile(r"\bmois\b", re.IGNORECASE)

# ISO 639-2 codes that toy libraries use, in both forms, to the BCP 47 form; French names as PMB prints them.
LANGUAGES = {
    "fre": "fr", "fra": "fr", "eng": "en", "ger": "de", "deu": "de", "spa": "es", "ita": "it",
    "dut": "nl", "nld": "nl", "por": "pt", "cat": "ca", "gre": "el", "ell": "el", "rus": "ru",
    "pol": "pl", "jpn": "ja", "chi": "zh", "zho": "zh", "ara": "ar", "dan": "da", "swe": "sv",
    "nor": "no", "fin": "fi", "cze": "cs", "ces": "cs", "hun": "hu", "rum": "ro", "ron": "ro",
    "tur": "tr", "heb": "he", "kor": "ko", "baq": "eu", "eus": "eu", "bre": "br", "lat": "la",
}  # fmt: skip
LANGUAGE_NAMES = {
    "francais": "fr", "anglais": "en", "allemand": "de", "espagnol": "es", "italien": "it",
    "neerlandais": "nl", "portugais": "pt", "catalan": "ca", "grec": "el", "russe": "ru",
    "polonais": "pl", "japonais": "ja", "chinois": "zh", "arabe": "ar", "danois": "da",
    "suedois": "sv", "norvegien": "no", "finnois": "fi", "tcheque": "cs", "hongrois": "hu",
}  # fmt: skip
NOT_A_LANGUAGE = {"zxx", "mul", "und", "mis"}
NO_UPPER_BOUND_FROM = 77  # PMB catalogues write 77, 97, 99, 114 for "and older"; 0 likewise
MONTHS_A_YEAR = 12


def contributors(value: str) -> tuple[ContributorDraft, ...]:
    """`Ralf zur Linde, Auteur ; Franz Vohwinkel, Illustrateur` -> people with roles."""
    people = (contributor(part) for part in re.split(r"\s*;\s*|\n+", value))
    return tuple(dict.fromkeys(person for person in people if person.name))


def contributor(printed: str) -> ContributorDraft:
    """The role is what stands behind the last comma, if it is a role at all."""
    printed = one_line(printed).strip(" |")
    name, comma, word = printed.rpartition(",")
    role = role_of(word) if comma else None
    return ContributorDraft(name.strip(), role) if role else ContributorDraft(printed)


def publication(printed: str) -> tuple[PublicationDraft | None, int | None]:
    """`Ville [Pays] : Nom, 2005` -> publisher with place, and the year where it stands in the same cell."""
    printed = one_line(printed).strip(" |")
    behind = YEAR_BEHIND.search(printed)
    year = int(behind["year"]) if behind and behind["year"] else None
    named = printed[: behind.start()] if behind else printed
    place, colon, name = named.partition(" : ")
    if not colon:
        place, name = "", named
    if not name.strip() or NO_NAME.fullmatch(name.strip()):
        return None, year
    place = "" if NO_PLACE.fullmatch(place.strip()) else COUNTRY.sub("", place.strip())
    return PublicationDraft(name.strip(), place), year


def year_of(value: str) -> int | None:
    """`2002 (DL)` -> 2002; `[s.d.]` -> None."""
    found = YEAR.search(value)
    return int(found[1]) if found else None


def languages(value: str) -> tuple[str, ...]:
    """`Français (fre)`, `Français ( fre)`, `Français` -> BCP 47 tags; original languages are not ours."""
    own = re.split(r"Langues? originales?\s*:", value)[0]
    codes = LANGUAGE_CODE.findall(own)
    tags = [LANGUAGES.get(code, code) for code in codes if code not in NOT_A_LANGUAGE]
    if not codes:
        tags = [LANGUAGE_NAMES[word] for word in re.findall(r"\w+", fold(own)) if word in LANGUAGE_NAMES]
    return tuple(dict.fromkeys(tags))


def title_and_subtitle(printed: str) -> tuple[str, str]:
    """The subtitle stands behind the last ` : `. A closing ` /` is ISBD's mark before the authors.

    Where that mark stands, a `+` in front is the cataloguer's too; elsewhere it is a letter of the title.
    """
    printed = one_line(printed).strip(" |")
    if printed.endswith(" /"):
        printed = printed.removesuffix(" /").lstrip("+ ").strip() or printed
    title, colon, subtitle = printed.rpartition(" : ")
    return (title.strip(), subtitle.strip()) if colon and title.strip() else (printed, "")


def lines(value: str) -> tuple[str, ...]:
    """One value a line, without blank ones."""
    return tuple(
        dict.fromkeys(one for one in (one_line(part).strip(" |") for part in value.split("\n")) if one)
    )


def keywords(value: str) -> tuple[str, ...]:
    """Keywords are parted by `;` in PMB's data but by blanks on its screen.

    On screen the words of a phrase cannot be told from single keywords. Two small-lettered words
    are taken for a phrase (`bande dessinée`), anything else for single words.
    """
    separated = re.split(r"\s*[;,]\s*", one_line(value).strip(" |,;"))
    if len(separated) > 1:
        return tuple(dict.fromkeys(word for word in separated if word))
    words = separated[0].split()
    if len(words) == 2 and separated[0] == separated[0].lower():
        return (separated[0],)
    return tuple(dict.fromkeys(words))


def number(value: str) -> int | None:
    """The first whole number of a value (`2 ans` -> 2)."""
    found = NUMBER.search(value)
    return int(found[0]) if found and len(found[0]) < 5 else None


def span(value: str) -> tuple[int, int] | None:
    """`2-4 joueurs`, `15 à 20` -> both ends, the smaller first."""
    found = SPAN.search(value)
    if not found:
        return None
    ends = sorted((int(found[1]), int(found[2])))
    return ends[0], ends[1]


def months(value: str) -> int | None:
    """An age as months: `2 ans`, `A partir de 5 ans`, `18 mois`, `10` (years)."""
    age = number(value)
    if age is None:
        return None
    return age if MONTHS.search(value) else age * MONTHS_A_YEAR


def upper_age_months(value: str) -> int | None:
    """As `months`; 0, 77, 99, 114 ... mean that there is no upper bound, and None."""
    age = number(value)
    if not MONTHS.search(value) and age is not None and (age == 0 or age >= NO_UPPER_BOUND_FROM):
        return None
    return months(value) or None


def minutes(value: str) -> tuple[int, int] | None:
    """A duration: `45`, `15 min`, `15 à 20 min`, `1 h 30`."""
    hours = HOURS.search(value)
    if hours:
        total = int(hours[1]) * 60 + int(hours[2] or 0)
        return total, total
    if ends := span(value):
        return ends
    single = number(value)
    return None if single is None else (single, single)
