"""Pages of catalogues other than PMB: the handed ones whole, others of their kind, and damaged ones."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.draft import ContributorDraft, GameDraft, Problem, PublicationDraft, Reason, RecordDraft
from catalogue.imports import catalogue_page
from catalogue.imports.catalogue_page import in_small_letters
from catalogue.imports.sniff import Format, format_of, sniff

SHEET = """Accueil > Jeux

Le Verger magique

• Éditeur : Corne d'Or
• Auteurs : Anne Petit, Luc Grand
• Âge : 3 à 6 ans
• Durée : 10 min
• Joueurs : 1 à 4
• Couleur de la boîte : verte

Description

Les joueurs cueillent ensemble les fruits du verger avant que le corbeau n'arrive au bout du chemin.
"""
GERMAN = """Zurück zur Liste
Der kleine Garten (Blattverlag)
20 Minuten
2 bis 5 Spieler
ab 6 Jahren
Alle pflanzen Blumen und hoffen auf Regen, der aber immer auf das falsche Beet zu fallen scheint.
"""
STACKED = """Catalogue de jeux
Nom : Le Pont
Éditeur : Rive
Joueurs : 2 à 4
Age : 7 ans
Durée : 20 min
Nom : La Digue
Éditeur : Rive
Joueurs : 3 à 5
Age : 9 ans
Durée : 40 min
"""
WITH_RULES = """Nom | Le Gué |
Éditeur | Rive |
Auteur | Anne Petit |
Joueurs | 2 à 4 |
Durée | 20 min |

But du jeu
Arriver le premier sur l'autre rive avec ses trois pions, sans mouiller le sac de farine.

Préparation
Chacun pose ses trois pions sur la berge de départ et prend quatre cartes de la pioche.

Fin du jeu
Dès que les trois pions d'un joueur sont arrivés, il a gagné et la partie s'arrête aussitôt.
"""


def records(text: str) -> list[RecordDraft]:
    """What is read of a text that is recognised as such a page, without any problem."""
    assert format_of(text) == Format.PAGE
    found = list(catalogue_page.read(text))
    assert not [one for one in found if isinstance(one, Problem)]
    return [one for one in found if isinstance(one, RecordDraft)]


def case(shared: Path, name: str) -> list[RecordDraft]:
    """The records of a handed page."""
    return records(sniff(shared / "cases" / f"{name}.txt").text)


def test_a_page_with_bulleted_labels(shared: Path) -> None:
    (record,) = case(shared, "page-domino-dragon")
    game = record.game
    assert (game.title, game.categories) == ("Ouste le dragon", ("Dés",))
    assert game.publications == (PublicationDraft("Haba"),)
    assert game.contributors == (
        ContributorDraft("Benjamin Schwer", "070"),
        ContributorDraft("Marina Rachner", "440"),
    )
    assert (game.age_min_months, game.age_max_months) == (60, None)
    assert (game.minutes_min, game.minutes_max, game.players_min, game.players_max) == (15, 20, 2, 4)
    assert (game.contents.count("\n"), game.contents.count(",")) == (0, 5)
    assert game.principle.startswith("Des dragons")
    assert game.principle.endswith("a gagné.")
    assert (record.copies, record.rules, game.note) == ((), (), "")


def test_a_page_with_bars_and_empty_labels(shared: Path) -> None:
    (record,) = case(shared, "page-escale-lilli")
    game = record.game
    assert (game.title, game.year) == ("Lilli Loto", 2011)
    assert game.contributors == (ContributorDraft("Hans Baumgartner", "070"),)
    assert game.publications == (PublicationDraft("Haba"),)
    assert (game.players_min, game.players_max, game.minutes_min, game.minutes_max) == (2, 4, 15, 15)
    assert {"bambins", "collecte", "hasard pur", "cartes"} < set(game.keywords)
    assert len(game.keywords) == 12 + 2 + 1 + 1
    assert "poissons ou animaux marins" in game.keywords
    assert (game.note, record.rules, record.copies) == ("Emplacement : archives L", (), ())
    assert game.principle.startswith("Un loto pour")


def test_two_pages_without_any_label(shared: Path) -> None:
    first, second = (record.game for record in case(shared, "page-ludoasis-two"))
    assert (first.title, first.publications) == ("La Ronde du fermier", (PublicationDraft("Haba"),))
    assert (first.minutes_min, first.minutes_max, first.players_min, first.players_max) == (15, 15, 2, 4)
    assert (first.age_min_months, first.age_max_months) == (36, None)
    assert first.principle.startswith("Un jeu où tout le monde gagne ou perd ensemble :")
    assert (second.title, second.publications) == ("Où est mon doudou?", (PublicationDraft("Oxybul"),))
    assert (second.minutes_min, second.players_min, second.players_max) == (10, 2, 4)
    assert (second.age_min_months, second.age_max_months) == (24, None)
    assert second.principle.startswith("Ensemble, on fouille")


def test_a_field_that_nobody_knows_is_kept_in_the_note() -> None:
    (record,) = records(SHEET)
    game = record.game
    assert (game.title, game.note) == ("Le Verger magique", "Couleur de la boîte : verte")
    assert [person.name for person in game.contributors] == ["Anne Petit", "Luc Grand"]
    assert (game.age_min_months, game.age_max_months, game.players_min) == (36, 72, 1)


def test_units_of_another_language() -> None:
    (record,) = records(GERMAN)
    game = record.game
    assert (game.title, game.publications) == ("Der kleine Garten", (PublicationDraft("Blattverlag"),))
    assert (game.minutes_min, game.players_min, game.players_max, game.age_min_months) == (20, 2, 5, 72)


def test_records_under_each_other_begin_at_their_titles() -> None:
    assert [record.game.title for record in records(STACKED)] == ["Le Pont", "La Digue"]


def test_a_description_that_is_the_rules_becomes_a_rules_text() -> None:
    (record,) = records(WITH_RULES)
    (rules,) = record.rules
    assert rules.head.language == "fr"
    assert rules.revisions[0].body.startswith("## But du jeu")
    assert (record.game.title, record.game.principle) == ("Le Gué", "")


def test_a_contradiction_is_told_and_neither_value_taken() -> None:
    text = SHEET.replace("Joueurs : 1 à 4", "Nombre minimum de joueurs : 6\n• Nombre maximum de joueurs : 2")
    record, problem = catalogue_page.read(text)
    assert isinstance(record, RecordDraft)
    assert (record.game.players_min, record.game.players_max) == (None, None)
    assert isinstance(problem, Problem)
    assert problem.reason == Reason.VALUE_UNREADABLE


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        ("LE PETIT CHAT", "Le Petit chat"),
        ("L'ARBRE EN FÊTE", "L'Arbre en fête"),
        ("OÙ EST-IL?", "Où est-il?"),
        ("UNO", "UNO"),
        ("Le Chat", "Le Chat"),
    ],
)
def test_titles_in_capitals_are_written_as_french_titles_are(printed: str, title: str) -> None:
    assert in_small_letters(printed) == title


@pytest.mark.parametrize(
    "text",
    [
        "Règles du Pont\n\nBut du jeu\n"
        "Être le premier sur l'autre rive avec ses pions.\n\nFin du jeu\nLe dernier perd.",
        "Bonjour à tous, la ludothèque est fermée samedi 12 mai. Merci de votre visite.",
        "---\ngame: Le Pont\nlanguage: fr\n---\n## But\nAller au but.",
    ],
)
def test_what_is_no_page_is_not_taken_for_one(text: str) -> None:
    assert format_of(text) != Format.PAGE


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A page with a part cut out and something put in its place."""
    text = draw(st.sampled_from([SHEET, GERMAN, STACKED, WITH_RULES]))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    put = st.one_of(
        st.sampled_from(["|", " : ", "\n|\n", "9" * 30, "Titre : ", "2 à joueurs"]), st.text(max_size=20)
    )
    return text[:start] + draw(put) + text[end:]


@settings(max_examples=200)
@given(damaged())
def test_no_damage_makes_the_reader_raise(text: str) -> None:
    found = list(catalogue_page.read(text))
    assert all(isinstance(one, RecordDraft | Problem) for one in found)
    assert all(one.game.title for one in found if isinstance(one, RecordDraft))
    assert all(isinstance(one.game, GameDraft) for one in found if isinstance(one, RecordDraft))
