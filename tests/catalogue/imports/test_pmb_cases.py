"""Each handed PMB page against all that its note expects of an import; `test_cases` has their short facts."""

from pathlib import Path

import pytest

from catalogue.draft import Doubt, GameDraft, RecordDraft
from catalogue.imports import pmb, values
from catalogue.imports.sniff import Format, sniff
from catalogue.rules.sections import parse

# name: people with roles, ages in months, minutes, principle begins, pedagogy, lines of the note
PEOPLE = {
    "pmb-constructed-coup-table": [("rikki tahta", "070")],
    "pmb-constructed-eclipse-runon": [
        ("Touko Tahkokallio", "070"),
        ("Ossi Hiekkala", "440"),
        ("Sampo Sikiö", "440"),
    ],
    "pmb-page-salade-mdtable": [("Desouchi YaPa", "070")],
    "pmb-rendered-carte-table": [("Editions Michelin", "650")],
    "pmb-rendered-chili-dvd-runon": [
        ("Pierre Brouwers", ""),
        ("Annabel Loyola", ""),
        ("Magali Brouwers", ""),
        ("Philippe Reuter", ""),
    ],
    "pmb-rendered-chrysalide-runon": [("Mathieu Gallié", "070"), ("Jean-Baptiste Andréaé", "440")],
    "pmb-rendered-sarah-table": [("Rolande Causse", "070")],
}
NOTES = {
    "pmb-constructed-coup-table": [],
    "pmb-constructed-eclipse-runon": [],
    "pmb-page-salade-mdtable": [],
    "pmb-rendered-carte-table": ["Importance : 25 x 16", "Format : Carte 1/150000 13e édition"],
    "pmb-rendered-chili-dvd-runon": [
        "Importance : 1 DVD vidéo monoface zone 2 (1 h 21 min)",
        "Présentation : 4/3, coul. (PAL)",
        "Accompagnement : 1 brochure (14 p. : ill. ; 18 cm)",
    ],
    "pmb-rendered-chrysalide-runon": [
        "Importance : Cartonné - 48 pages",
        "Format : 23 x 32",
        "Prix : EUR 11,40",
    ],
    "pmb-rendered-sarah-table": [
        "Collection : Les |uns, les autres",
        "Importance : 136 p.",
        "Présentation : couv. ill. en coul.",
        "Format : 21 cm",
    ],
}
NO_GAMES = [name for name in PEOPLE if name.startswith("pmb-rendered")]
EMPTY = (
    *("players_min", "players_max", "age_min_months", "age_max_months", "minutes_min", "minutes_max"),
    *("pedagogy", "edition", "categories"),
)


def records(shared: Path, name: str) -> list[RecordDraft]:
    """The records of a case."""
    found = sniff(shared / "cases" / f"{name}.txt")
    assert (found.format, found.problems) == (Format.PMB, ())
    return [one for one in pmb.read(found.text) if isinstance(one, RecordDraft)]


def one(shared: Path, name: str) -> RecordDraft:
    """The one record of a case."""
    (record,) = records(shared, name)
    return record


def headings(record: RecordDraft) -> list[str]:
    return [section.heading for section in parse(record.rules[0].revisions[0].body) if section.heading]


@pytest.mark.parametrize(("name", "people"), PEOPLE.items())
def test_people_with_their_parts(shared: Path, name: str, people: list[tuple[str, str]]) -> None:
    assert [(person.name, person.role) for person in one(shared, name).game.contributors] == people


@pytest.mark.parametrize(("name", "lines"), NOTES.items())
def test_what_has_no_field_of_its_own_stands_in_the_note(shared: Path, name: str, lines: list[str]) -> None:
    kept = [line for line in one(shared, name).game.note.split("\n") if line and "Contient aussi" not in line]
    assert kept == lines


@pytest.mark.parametrize("name", NO_GAMES)
def test_a_book_a_map_and_a_film_have_nothing_of_a_game(shared: Path, name: str) -> None:
    record = one(shared, name)
    nothing = GameDraft(title="")
    assert [n for n in EMPTY if getattr(record.game, n) != getattr(nothing, n)] == []
    assert (record.rules, record.documents) == ((), ())


def test_the_summary_of_a_book_is_whole(shared: Path) -> None:
    # The note counts each line end, the last too, as two characters, as PMB keeps it.
    book = one(shared, "pmb-rendered-chrysalide-runon").game
    assert len(f"{book.principle}\n".replace("\n", "\r\n")) == 542
    assert one(shared, "pmb-rendered-carte-table").game.contents.endswith("pixel")


def test_a_table_with_marks_of_the_cataloguer(shared: Path) -> None:
    record = one(shared, "pmb-constructed-coup-table")
    assert (record.game.title, record.game.pedagogy) == ("Coup !", "Mentir sans se trahir")
    assert (record.game.minutes_min, record.game.minutes_max, record.game.year) == (15, 15, None)
    assert (record.game.contents.count(","), record.copies, record.documents) == (3, (), ())
    assert "+Coup ! /" in record.raw
    assert record.rules[0].head.language == "fr"


def test_a_plus_without_the_closing_mark_belongs_to_the_title() -> None:
    assert values.title_and_subtitle("+Les Pieds !") == ("+Les Pieds !", "")
    assert values.title_and_subtitle("+6 /") == ("6", "")
    assert values.title_and_subtitle("+ /")[0]


def test_a_run_on_record_without_rules(shared: Path) -> None:
    record = one(shared, "pmb-constructed-eclipse-runon")
    assert (record.rules, record.game.languages, record.doubts) == ((), (), ())
    assert record.game.contents.startswith("36 tuiles d'espace, 12 tuiles de joueur, 33 cubes")


def test_a_record_in_another_librarys_words(shared: Path) -> None:
    record = one(shared, "pmb-page-salade-mdtable")
    (box,) = record.copies
    assert (record.game.document_type, box.condition, box.note) == ("Jeu", "in_service", "Bon Etat")
    assert (record.game.minutes_min, record.game.minutes_max) == (15, 15)
    assert record.game.principle == ""


def test_a_publishers_page_whole(shared: Path) -> None:
    first, second = records(shared, "pmb-page-banana-runon")
    games = (first.game, second.game)
    assert [[p.publisher for p in game.publications] for game in games] == [["Zoch Zum Spielen"]] * 2
    assert [[p.place for p in game.publications] for game in games] == [[""]] * 2
    assert [(game.year, game.identifiers) for game in games] == [(None, ())] * 2
    assert [(p.name, p.role) for p in first.game.contributors] == [("Thilo Hutzler", "070")]
    assert first.game.languages == ("fr",)
    assert [game.categories[0] for game in games] == [
        "A 403 jeu de circuit (jeu de règles)",
        "A 401 jeu d'association (jeu de règles)",
    ]
    facts = [(g.players_min, g.players_max, g.age_min_months, g.age_max_months, g.minutes_min) for g in games]
    assert facts == [(3, 6, 72, None, 30), (2, 4, 48, None, 20)]
    assert len(first.game.contents.split(", ")) == 5
    assert {(box.section, box.branch) for box in first.copies} == {
        ("A 403 jeu de circuit", "Maison des Enfants")
    }
    assert headings(second) == ["But du jeu", "Déroulement du jeu", "Fin du jeu"]
    for record in (first, second):
        body = record.rules[0].revisions[0].body
        assert body.endswith(("le plus jeune gagne.", "la partie s'arrête."))
    assert Doubt.LANGUAGE_GUESSED in dict(second.doubts)
