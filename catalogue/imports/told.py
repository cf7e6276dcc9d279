"""What a MARC record tells of a game while it is read, and the small readings that UNIMARC and MARC 21 share.

`unimarc` and `marc21` fill a `Told`, `marc` makes the draft of it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from catalogue import languages
from catalogue.draft import ContributorDraft, CopyDraft, PublicationDraft
from catalogue.imports import values
from catalogue.imports.labels import WORDS, Field
from catalogue.text import fold, name_key, one_line

# What a reader of a record is told in the note, in the language of the record.
NOTE_WORDS = {
    "fr": (
        *("Importance", "Présentation", "Format", "Accompagnement", "Prix", "Collection", "Titre de série"),
        *("Index. décimale", "En ligne", "Numéro d'éditeur", "Cote", "Niveau", "Résumé", "Concepts"),
    ),
    "en": (
        *("Extent", "Presentation", "Size", "Accompanying material", "Price", "Series", "Set"),
        *("Class number", "Online", "Publisher's number", "Call number", "Level", "Summary", "Concepts"),
    ),
    "de": (
        *("Umfang", "Ausstattung", "Format", "Beilagen", "Preis", "Reihe", "Gesamttitel"),
        *("Notation", "Online", "Verlagsnummer", "Signatur", "Stufe", "Zusammenfassung", "Konzepte"),
    ),
    "es": (
        *("Extensión", "Presentación", "Formato", "Material anejo", "Precio", "Colección", "Título de serie"),
        *("Clasificación", "En línea", "Número de editor", "Signatura", "Nivel", "Resumen", "Conceptos"),
    ),
}
NOTE_NAMES = (
    *("extent", "presentation", "size", "accompanying", "price", "collection", "series", "class", "online"),
    *("publisher number", "call number", "level", "summary", "concepts"),
)
# Labels that notes of other catalogues begin with, folded; PMB's own stand in `labels`.
LABELS = {
    **dict.fromkeys(
        ("nombre de joueurs", "nombre de joueurs euses", "nombre de joueuses et joueurs", "joueurs"),
        Field.PLAYERS_AND_TIME,
    ),
    **dict.fromkeys(
        ("number of players", "players", "spieleranzahl", "anzahl spieler", "spieler"), Field.PLAYERS_AND_TIME
    ),
    **dict.fromkeys(("numero de jugadores", "jugadores"), Field.PLAYERS_AND_TIME),
    **dict.fromkeys(("age min", "age", "ages", "a partir de", "alter", "edad", "minimum age"), Field.AGE_MIN),
    **dict.fromkeys(("age max", "maximum age", "hochstalter"), Field.AGE_MAX),
    **dict.fromkeys(("duree", "duree de la partie", "duree de jeu", "duree d une partie"), Field.MINUTES),
    **dict.fromkeys(("playing time", "duration", "play time", "spieldauer", "spielzeit"), Field.MINUTES),
    **dict.fromkeys(("duracion", "tiempo de juego"), Field.MINUTES),
    **dict.fromkeys(
        ("mecanique", "mecanisme", "theme", "thematique", "mechanism", "thema", "tema"), Field.KEYWORDS
    ),
}
PMB_LABELS = {name_key(words): found for words, found in WORDS.items()}
# What a label in a note or an own field may fill; a title or a publisher has a field of its own in MARC.
BY_LABEL = {
    *(Field.PLAYERS_MIN, Field.PLAYERS_MAX, Field.PLAYERS_AND_TIME, Field.AGE_MIN, Field.AGE_MAX),
    *(Field.MINUTES, Field.PRINCIPLE, Field.PEDAGOGY, Field.RULES, Field.CONTENTS, Field.KEYWORDS),
}
LABELLED = re.compile(r"^(?P<label>[^\W\d_][^:\n]{1,40}?)\s*:\s+(?P<value>\S.*)$", re.DOTALL)
# Statements in the middle of a sentence. All others of a note are left in its words.
_TO = r"\s*(?:-|–|à|to|bis|a|et|or|oder|ou)\s*"
PLAYERS = re.compile(
    rf"(?:pour|for|für|para|de)?\s*\b(\d{{1,2}})(?:{_TO}(\d{{1,2}}))?\s*"
    r"(?:joueurs?|joueuses?|players?|spielern?|jugadores)\b",
    re.IGNORECASE,
)
MINUTES = re.compile(rf"\b(\d{{1,3}})(?:{_TO}(\d{{1,3}}))?\s*(?:min|mn|minutes?|minuten|minutos)\b\.?", re.I)
AGES = re.compile(
    r"(?:à partir de|dès|de|ab|from|for ages|ages?|alter|desde|a partir de)\s*:?\s*(\d{1,2})(?!\d)"
    rf"(?:{_TO}(\d{{1,2}})(?!\d))?\s*"
    r"(?:\+|(mois|ans|months?|years?|monaten?|jahren?|meses|años)?(?:\s*(?:and up|et plus|old|y más))?)",
    re.IGNORECASE,
)
IN_MONTHS = {"mois", "month", "months", "monat", "monate", "monaten", "meses"}
CLOCK = re.compile(r"^\s*(\d{1,2}):([0-5]\d)(?::[0-5]\d)?\s*$")
CLOSING = re.compile(r"(?:\s+[/:;=]|\s*,)\s*$")
FULL_STOP = re.compile(r"(?:(?<=\w{3})|(?<=[)\]»]))\s*\.$")
NO_PLACE = re.compile(
    r"\[?(?:s\.?\s?l\.?|(?:lieu|place|ort|erscheinungsort|lugar)\b[^\]]*(?:identif|ermittel|unknown|inconnu|publica)[^\]]*)\]?"
)
NO_NAME = re.compile(
    r"\[?(?:s\.?\s?n\.?"
    r"|(?:editeur|maison|publisher|verlag|editor)\b[^\]]*(?:identif|ermittel|unknown|inconnu)[^\]]*)\]?"
)
LONGEST_STATEMENT = 80
OPEN_END = re.compile(r"\+|\b(?:plus|more|mehr|más|mas)\b", re.IGNORECASE)
NOBODY = {"", "nan", "none", "null", "anonyme", "anonymous", "s n"}


@dataclass(slots=True)
class Told:
    """All that a record says, as it is met. `said` holds numbers and long texts by their printed labels."""

    language: str = "fr"  # of the words in its notes
    title: str = ""
    subtitle: str = ""
    alternative_titles: list[str] = field(default_factory=list)
    document_type: str = ""
    contributors: list[ContributorDraft] = field(default_factory=list)
    publications: list[PublicationDraft] = field(default_factory=list)
    edition: str = ""
    year: int | None = None
    identifiers: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    keywords: list[str] = field(default_factory=list)
    said: dict[Field, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    copies: list[CopyDraft] = field(default_factory=list)
    without_barcode: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)

    def note(self, name: str, *said: str) -> None:
        """A line of the note under the word for `name`, if there is anything to say."""
        text = one_line(" ".join(said))
        if text:
            words = NOTE_WORDS.get(self.language, NOTE_WORDS["en"])
            self.notes.append(f"{words[NOTE_NAMES.index(name)]} : {text}")

    def labelled(self, label: str, value: str) -> bool:
        """Take a value by its label; False if the label is not known."""
        found = field_of(label)
        if found is None or not value.strip():
            return False
        if found is Field.KEYWORDS:
            self.keywords += keywords(value)
        elif found is Field.PLAYERS_AND_TIME and not values.span(value) and "/" not in value:
            self._players(value)
        elif found in self.said:
            self.said[found] += f"\n{value.strip()}"
        else:
            self.said[found] = in_minutes(value) if found is Field.MINUTES else value.strip()
        return True

    def _players(self, value: str) -> None:
        """`1`; `3, 4 ou 5`; `2+` and `2 et plus`, which have no upper end."""
        counts = re.findall(r"\d+", value)
        if counts:
            self.said.setdefault(Field.PLAYERS_MIN, counts[0])
        if counts and not OPEN_END.search(value):
            self.said.setdefault(Field.PLAYERS_MAX, counts[-1])


@lru_cache(maxsize=2000)
def field_of(label: str) -> Field | None:
    """The field that a label means, in any spelling: the labels of PMB pages, and those of other notes."""
    key = name_key(label)
    found = LABELS.get(key) or PMB_LABELS.get(key)
    return found if found in BY_LABEL else None


def state(text: str, said: Told) -> bool:
    """Take players, age and duration out of a sentence; True if it says nothing else."""
    rest = text
    for pattern, found in (
        (PLAYERS, Field.PLAYERS_AND_TIME),
        (MINUTES, Field.MINUTES),
        (AGES, Field.AGE_MIN),
    ):
        match = pattern.search(rest)
        if match is None:
            continue
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
        ends = "-".join(end for end in match.groups()[:2] if end)
        if found is Field.AGE_MIN:
            _ages(match, said)
        elif found is Field.PLAYERS_AND_TIME:
            said.labelled("joueurs", ends)
        else:
            said.said.setdefault(found, ends)
    return not re.search(r"\w", rest)


def _ages(match: re.Match[str], said: Told) -> None:
    unit = "mois" if (match[3] or "").lower() in IN_MONTHS else "ans"
    said.said.setdefault(Field.AGE_MIN, f"{match[1]} {unit}")
    if match[2]:
        said.said.setdefault(Field.AGE_MAX, f"{match[2]} {unit}")


def note(text: str, said: Told) -> None:
    """A note: a labelled value, a statement of numbers alone, or words to keep."""
    text = text.strip()
    labelled = LABELLED.match(text)
    if labelled and said.labelled(labelled["label"], labelled["value"]):
        return
    trial = Told()
    if len(text) <= LONGEST_STATEMENT and state(text, trial):
        state(text, said)
    elif text:
        said.notes.append(text)


def audience(text: str, said: Told) -> None:
    """For whom a game is: what is no number is the level."""
    text = text.strip()
    labelled = LABELLED.match(text)
    if labelled and said.labelled(labelled["label"], labelled["value"]):
        return
    plus = re.fullmatch(r"(\d{1,2})\s*\+", text)
    if not state(f"ab {plus[1]}" if plus else text, said):
        said.note("level", text)


def in_minutes(value: str) -> str:
    """`01:30` is hours and minutes."""
    clock = CLOCK.match(value)
    return str(int(clock[1]) * 60 + int(clock[2])) if clock else value.strip()


def keywords(value: str) -> Iterator[str]:
    """Exports part keywords by semicolons; a phrase stays whole."""
    return (word for part in value.split(";") if (word := one_line(part).strip(" ,.")))


def unmarked(value: str) -> str:
    """A value without the mark that ISBD sets before the next one; a slash of its own has no blank."""
    return CLOSING.sub("", one_line(value)).strip()


def bare(value: str) -> str:
    """A value without the marks that cataloguing rules put before the next one, and without the last stop."""
    return FULL_STOP.sub("", unmarked(value)).strip()


def language_tags(codes: Iterable[str]) -> list[str]:
    """`fre`, `engfre` (packed in one subfield) -> BCP 47 tags that we know."""
    tags: list[str] = []
    for printed in codes:
        code = printed.strip().lower()
        packed = len(code) > 3 and len(code) % 3 == 0 and code.isalpha()
        parts = [code[at : at + 3] for at in range(0, len(code), 3)] if packed else [code]
        known = (languages.normal(values.LANGUAGES.get(part, part)) for part in parts if is_language(part))
        tags += [tag for tag in known if tag]
    return list(dict.fromkeys(tags))


def is_language(code: str) -> bool:
    """Not a code for none, several or unknown, nor a blank one."""
    return code.isalpha() and code not in values.NOT_A_LANGUAGE


def publications(pairs: Iterable[tuple[str, str]]) -> Iterator[PublicationDraft]:
    """Publishers with their places; "not known", in whatever words, is none."""
    for place, name in pairs:
        name, place = unmarked(name), unmarked(place)
        if not name or NO_NAME.fullmatch(fold(name)):
            continue
        place = "" if NO_PLACE.fullmatch(fold(place)) else values.COUNTRY.sub("", place).strip("[] ")
        yield PublicationDraft(name, place)


def paired(subfields: Iterable[tuple[str, str]], place: str, name: str) -> Iterator[tuple[str, str]]:
    """Each name with the places before it."""
    where: list[str] = []
    for code, value in subfields:
        if code == place:
            where.append(unmarked(value))
        elif code == name:
            yield " ; ".join(filter(None, where)), value
            where = []


def is_nobody(name: str) -> bool:
    """An empty cell that became a word on its way."""
    return name_key(name) in NOBODY or not name.strip()


def copy_note(*lines: str) -> str:
    """The lines of a box's note, each once."""
    return "\n".join(dict.fromkeys(line for line in map(one_line, lines) if line))
