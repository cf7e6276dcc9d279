"""The labels of a PMB notice: which words stand for which field, and where they stand in a text.

Order and words are those of PMB 7.0's display code, then the own fields met in toy libraries. Two
layouts are told apart: with bars (`| Titre : |`) every label is marked; in the run-on layout only
this list, its order, and the blank before the colon tell a label from the same word in a rules text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Field(StrEnum):
    """A field of a notice, in the order in which PMB prints them."""

    SERIES = "series"
    TITLE = "title"
    OTHER_TITLE = "other title"
    ORIGINAL_TITLE = "original title"
    TYPE = "type"
    AUTHORS = "authors"
    CONGRESS = "congress"
    EDITION = "edition"
    PUBLISHER = "publisher"
    YEAR = "year"
    OTHER_PUBLISHER = "other publisher"
    COLLECTION = "collection"
    SUBCOLLECTION = "subcollection"
    EXTENT = "extent"
    PRESENTATION = "presentation"
    SIZE = "size"
    ACCOMPANYING = "accompanying"
    CODE = "code"
    PRICE = "price"
    NOTE = "note"
    LANGUAGES = "languages"
    ORIGINAL_LANGUAGES = "original languages"
    CATEGORIES = "categories"
    CONCEPTS = "concepts"
    KEYWORDS = "keywords"
    CLASS_NUMBER = "class number"
    SUMMARY = "summary"
    CONTENTS_NOTE = "contents note"
    PLAYERS_MIN = "players min"
    PLAYERS_MAX = "players max"
    PLAYERS_AND_TIME = "players and time"
    AGE_MIN = "age min"
    AGE_MAX = "age max"
    MINUTES = "minutes"
    PRINCIPLE = "principle"
    PEDAGOGY = "pedagogy"
    RULES = "rules"
    CONTENTS = "contents"
    ONLINE = "online"
    ONLINE_FORMAT = "online format"
    PERMALINK = "permalink"


RANK = {field: position for position, field in enumerate(Field)}

WORDS: dict[str, Field] = {
    "Titre de série": Field.SERIES,
    "Titre": Field.TITLE,
    "Autre titre": Field.OTHER_TITLE,
    "Titre original": Field.ORIGINAL_TITLE,
    "Type de document": Field.TYPE,
    "Auteurs": Field.AUTHORS,
    "Auteur": Field.AUTHORS,
    "Congrès": Field.CONGRESS,
    "Mention d'édition": Field.EDITION,
    "Editeur": Field.PUBLISHER,
    "Éditeur": Field.PUBLISHER,
    "Année de publication": Field.YEAR,
    "Autre Editeur": Field.OTHER_PUBLISHER,
    "Autre Éditeur": Field.OTHER_PUBLISHER,
    "Collection": Field.COLLECTION,
    "Sous-collection": Field.SUBCOLLECTION,
    "Importance": Field.EXTENT,
    "Présentation": Field.PRESENTATION,
    "Format": Field.SIZE,
    "Accompagnement": Field.ACCOMPANYING,
    "ISBN/ISSN/EAN": Field.CODE,
    "Prix": Field.PRICE,
    "Note générale": Field.NOTE,
    "Langues": Field.LANGUAGES,
    "Langues originales": Field.ORIGINAL_LANGUAGES,
    "Catégories": Field.CATEGORIES,
    "Concepts": Field.CONCEPTS,
    "Mots-clés": Field.KEYWORDS,
    "Tags": Field.KEYWORDS,
    "Index. décimale": Field.CLASS_NUMBER,
    "Résumé": Field.SUMMARY,
    "Note de contenu": Field.CONTENTS_NOTE,
    "Nombre minimum de joueurs": Field.PLAYERS_MIN,
    "Nombre de joueurs minimum": Field.PLAYERS_MIN,
    "Nombre maximum de joueurs": Field.PLAYERS_MAX,
    "Nombre de joueurs maximum": Field.PLAYERS_MAX,
    "Joueur(s) et temps de jeu": Field.PLAYERS_AND_TIME,
    "Public visé": Field.AGE_MIN,
    "Age minimum": Field.AGE_MIN,
    "Âge minimum": Field.AGE_MIN,
    "Age maximum": Field.AGE_MAX,
    "Âge maximum": Field.AGE_MAX,
    "Durée moyenne (minutes)": Field.MINUTES,
    "Durée moyenne": Field.MINUTES,
    "Durée du jeu": Field.MINUTES,
    "Principe du jeu": Field.PRINCIPLE,
    "Analyse pédagogique": Field.PEDAGOGY,
    "Règles du jeu": Field.RULES,
    "Contenu": Field.CONTENTS,
    "En ligne": Field.ONLINE,
    "Format de la ressource électronique": Field.ONLINE_FORMAT,
    "Permalink": Field.PERMALINK,
}
# A number behind such a label proves that it is one, wherever it stands.
NUMBERS = {Field.PLAYERS_MIN, Field.PLAYERS_MAX, Field.AGE_MIN, Field.AGE_MAX, Field.MINUTES}
# Words that rules texts use as headings: in the run-on layout they need PMB's blank before the colon.
ALSO_HEADINGS = {Field.RULES, Field.CONTENTS, Field.PRINCIPLE, Field.SUMMARY, Field.TITLE, Field.PRESENTATION}
# The label that follows a title is one of these, in whatever layout.
AFTER_TITLE = {*list(Field)[RANK[Field.OTHER_TITLE] : RANK[Field.EXTENT]], Field.LANGUAGES, Field.CATEGORIES}

WORD = "|".join(re.escape(w).replace("'", "['’]") for w in sorted(WORDS, key=len, reverse=True))
BAR_LABEL = re.compile(rf"(?m)^[ \t]*(?:\|[ \t]*)?(?P<label>{WORD})[ \t\u00a0]*:[ \t]*\|")
OWN_BAR_LABEL = re.compile(r"(?m)^[ \t]*\|[ \t]*(?P<label>[^|\n:]{2,60}?)[ \t\u00a0]*:[ \t]*\|")
RUN_ON_LABEL = re.compile(rf"(?<![\w'’-])(?P<label>{WORD})(?P<blank>[ \u00a0]?):(?=\s)")


@dataclass(frozen=True, slots=True)
class Label:
    """A label met in a text; `field` is None for a field of the library's own."""

    field: Field | None
    words: str
    start: int
    end: int


def bar_labels(text: str) -> list[Label]:
    """The labels of the layouts with bars: known ones, and the library's own."""
    found = {m.start("label"): _label(m) for m in OWN_BAR_LABEL.finditer(text)}
    found |= {m.start("label"): _label(m) for m in BAR_LABEL.finditer(text)}
    return [found[start] for start in sorted(found)]


def run_on_labels(text: str) -> list[Label]:
    """The labels of the layout without marks, told by list, order and blank."""
    return list(_in_order(text))


def _in_order(text: str) -> Iterator[Label]:
    rank, seen = -1, set()
    for match in RUN_ON_LABEL.finditer(text):
        label = _label(match)
        field = label.field
        if field is None or field in seen or (field in ALSO_HEADINGS and not match["blank"]):
            continue
        if RANK[field] > rank or _is_number(field, text[match.end() : match.end() + 8]):
            rank = max(rank, RANK[field])
            seen.add(field)
            yield label


def _is_number(field: Field, behind: str) -> bool:
    return field in NUMBERS and behind.lstrip()[:1].isdigit()


def _label(match: re.Match[str]) -> Label:
    words = match["label"].replace("’", "'").strip()
    return Label(WORDS.get(words), words, match.start(), match.end())
