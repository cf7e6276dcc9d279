"""The handed cases of the formats that are read, against what their notes expect of an import."""

from pathlib import Path

import pytest

from catalogue.draft import Reason, RecordDraft
from catalogue.imports import mediawiki, pmb
from catalogue.imports.ingest import Options, import_files
from catalogue.imports.sniff import Format, sniff
from catalogue.models import Copy, Game, RulesText
from catalogue.rules.sections import parse
from tests.make import make_game

# name: title, subtitle, publisher, place, year, codes, languages, keywords
PMB_FACTS = {
    "pmb-constructed-coup-table": ("Coup !", "", "Ferti", "", None, (), ("fr",), ("bluff",)),
    "pmb-constructed-eclipse-runon": (
        *("Éclipse", "", "Lautapelit.fi", "Helsinki", 2011),
        *(("6430018273020",), (), ()),
    ),
    "pmb-page-salade-mdtable": (
        *("Salade de fruits", "sois le premier à composer ta salade de fruits", "Tactic", "", 2005),
        *(("6416739110110",), ("fr",), ()),
    ),
    "pmb-rendered-carte-table": (
        *("Carte routière : Ardèche - Haute-Loire, N° 11331", "Carte routière et touristique"),
        *("Michelin", "Paris", 2002, ("2-06-100392-3",), ("fr",)),
        ("bas-vivarais", "boutières", "brisadois", "cévennes", "haut-vivarais", "margeriche", "velay"),
    ),
    "pmb-rendered-chili-dvd-runon": (
        *("Chili", "la glace et le feu", "TF1 vidéo éd.", "Boulogne-Billancourt", 2002),
        *((), ("fr",), ("Chili", "Pâques")),
    ),
    "pmb-rendered-chrysalide-runon": (
        *("La Chrysalide Diaprée", "", "Vents d'Ouest", "Issy-les-Moulineaux", 1997),
        *(("2-86967-551-8",), ("fr",), ("bande dessinée",)),
    ),
    "pmb-rendered-sarah-table": (
        *("Sarah de Cordoue", "", "Syros jeunesse", "Paris", 1997),
        *(("2-84146-452-0",), ("fr",), ()),
    ),
}
# name: barcode, call number, section, branch, condition
COPIES = {
    "pmb-constructed-eclipse-runon": (
        *("91402", "TAH", "A 406 jeu de stratégie", "Maison des Enfants", "not_for_loan"),
    ),
    "pmb-page-salade-mdtable": ("ACC10000034595", "SAL", "Jeux 2/3 ans", "Clos-Toreau", "in_service"),
    "pmb-rendered-carte-table": (
        *("3370000451291", "910 MIC", "Documentaires", "Bibliothèque principale", "in_service"),
    ),
    "pmb-rendered-chili-dvd-runon": (
        *("3370000451290", "DVD TF1", "Documentaires", "Bibliothèque principale", "in_service"),
    ),
    "pmb-rendered-chrysalide-runon": (
        *("33700003868672", "JBD GAL", "Bande-dessinée Jeunes", "Bibliothèque principale", "in_service"),
    ),
    "pmb-rendered-sarah-table": (
        *("33700003719453", "JR CAU", "Romans Jeunes", "Bibliothèque principale", "in_service"),
    ),
}
GAMES = {
    "pmb-constructed-coup-table": ("A 403 jeu de déduction", 2, 6, 108, 15),
    "pmb-constructed-eclipse-runon": ("A 406 jeu de stratégie (jeu de règles)", 2, 6, 168, 200),
    "pmb-page-salade-mdtable": ("[ESAR] A401 Jeu d'association", 2, 4, 24, 15),
}
NOT_GAMES = {
    "pmb-rendered-carte-table": "document cartographique imprimé",
    "pmb-rendered-chili-dvd-runon": "document projeté ou vidéo",
    "pmb-rendered-chrysalide-runon": "texte imprimé",
    "pmb-rendered-sarah-table": "texte imprimé",
}
RULES = [
    *("accordion-de", "accordion-en", "accordion-es", "accordion-fr", "black-box-de", "black-box-en"),
    *("black-box-es", "black-box-fr", "black-box-nl", "four-in-a-row-de", "four-in-a-row-en"),
    *("four-in-a-row-es", "four-in-a-row-fr", "gomoku-de", "gomoku-en", "gomoku-es", "gomoku-fr"),
    *("gomoku-it", "gomoku-pt", "yukon-en", "yukon-es", "yukon-fr"),
]


def one(shared: Path, name: str) -> RecordDraft:
    found = sniff(shared / "cases" / f"{name}.txt")
    assert found.format == Format.PMB
    (draft,) = pmb.read(found.text)
    assert isinstance(draft, RecordDraft)
    return draft


def headings(draft: RecordDraft) -> list[str]:
    return [section.heading for section in parse(draft.rules[0].revisions[0].body) if section.heading]


@pytest.mark.parametrize(("name", "facts"), PMB_FACTS.items())
def test_facts_of_the_pmb_cases(shared: Path, name: str, facts: tuple[object, ...]) -> None:
    game = one(shared, name).game
    publisher = game.publications[0]
    assert (game.title, game.subtitle, publisher.publisher, publisher.place, game.year) == facts[:5]
    assert (game.identifiers, game.languages, game.keywords) == facts[5:]


@pytest.mark.parametrize(("name", "expected"), COPIES.items())
def test_copies_of_the_pmb_cases(shared: Path, name: str, expected: tuple[str, ...]) -> None:
    (copy,) = one(shared, name).copies
    assert (copy.barcode, copy.call_number, copy.section, copy.branch, copy.condition) == expected


@pytest.mark.parametrize(("name", "expected"), GAMES.items())
def test_games_of_the_pmb_cases(shared: Path, name: str, expected: tuple[object, ...]) -> None:
    game = one(shared, name).game
    players = (game.players_min, game.players_max)
    assert (game.categories[0], *players, game.age_min_months, game.minutes_min) == expected
    assert game.age_max_months is None


@pytest.mark.parametrize(("name", "kind"), NOT_GAMES.items())
def test_what_is_no_game_keeps_its_type_and_gets_no_players(shared: Path, name: str, kind: str) -> None:
    game = one(shared, name).game
    assert game.document_type == kind
    assert (game.players_min, game.age_min_months, game.minutes_min) == (None, None, None)


def test_authors_without_a_role_and_a_firm_with_one(shared: Path) -> None:
    film = one(shared, "pmb-rendered-chili-dvd-runon").game
    assert [(c.name, c.role) for c in film.contributors] == [
        ("Pierre Brouwers", ""),
        ("Annabel Loyola", ""),
        ("Magali Brouwers", ""),
        ("Philippe Reuter", ""),
    ]
    assert "Contient aussi : making of" in film.note
    assert [(c.name, c.role) for c in one(shared, "pmb-rendered-carte-table").game.contributors] == [
        ("Editions Michelin", "650")
    ]


def test_long_notes_of_contents_and_bars_inside_values(shared: Path) -> None:
    # The note counts line ends as PMB keeps them, two characters each.
    assert len(one(shared, "pmb-rendered-carte-table").game.contents.replace("\n", "\r\n")) == 707
    sarah = one(shared, "pmb-rendered-sarah-table").game
    assert len(sarah.contents) == 452
    assert "Collection : Les |uns, les autres" in sarah.note


def test_rules_out_of_contents_and_out_of_a_summary(shared: Path) -> None:
    coup = one(shared, "pmb-constructed-coup-table")
    assert headings(coup) == ["Préparation", "But du jeu", "Fin de partie"]
    assert coup.game.contents.startswith("15 cartes personnage")
    salad = one(shared, "pmb-page-salade-mdtable")
    assert headings(salad) == ["Déroulement du jeu", "Fin du jeu"]
    assert salad.game.contents.startswith("1 panier de fruits")
    assert one(shared, "pmb-constructed-eclipse-runon").rules == ()


def test_a_publishers_page_yields_its_games_and_tells_how_many_are_missing(shared: Path) -> None:
    results = list(pmb.read((shared / "cases" / "pmb-page-banana-runon.txt").read_text()))
    first, second, problem = results
    assert isinstance(first, RecordDraft)
    assert isinstance(second, RecordDraft)
    assert not isinstance(problem, RecordDraft)
    assert (first.game.title, second.game.title) == ("Banana Matcho", "Poule Poule et compagnie")
    assert headings(first)[:4] == [
        "But du jeu",
        "Préparation",
        "Déroulement du jeu",
        "Trois Matcho... ou des fruits!",
    ]
    assert headings(first)[4:] == ["Combien de cases?", "Fin du jeu"]
    assert [(c.barcode, c.call_number, c.condition) for c in first.copies] == [
        ("91102", "REI", "in_service"),
        ("91103", "REI", "not_for_loan"),
    ]
    assert first.documents == ("Banana_Matcho__2014_03_7_09_12_44.pdf",)
    assert (second.game.contributors, second.game.languages, second.copies) == ((), (), ())
    assert (problem.reason, problem.detail) == (Reason.RECORDS_MISSING, "2/6")


def test_atom_and_flattened_feeds_are_the_same(shared: Path) -> None:
    drafts = []
    for name in ("feed-atom-gomoku.xml", "feed-flattened-gomoku.txt"):
        (draft,) = mediawiki.read((shared / "cases" / name).read_text())
        assert isinstance(draft, RecordDraft)
        drafts.append(draft)
    assert drafts[0].rules == drafts[1].rules
    assert [revision.source_key for revision in drafts[0].rules[0].revisions] == ["410", "412"]
    assert drafts[0].rules[0].head.language == "fr"


@pytest.mark.django_db
@pytest.mark.parametrize("name", RULES)
def test_rules_files_are_imported_in_their_language_with_their_sections(shared: Path, name: str) -> None:
    game = make_game("Anything")
    path = shared / "cases" / f"rules-{name}.txt"
    report = import_files([path], Options(game=game))
    assert (report.created, report.problems) == (1, [])
    text = game.rules_texts.get()
    assert text.language == name.rpartition("-")[2]
    assert text.current
    found = [section.heading for section in parse(text.current.body)]
    for heading in _expected_sections(path):
        assert heading in found


def _expected_sections(path: Path) -> list[str]:
    line = next(x for x in path.with_suffix(".meta").read_text().split("\n") if x.startswith("  sections:"))
    return [part.strip("'\" ") for part in line.partition("[")[2].rstrip("]").split("', '")]


@pytest.mark.django_db
def test_all_cases_and_seeds_together_and_again(shared: Path) -> None:
    paths = [*sorted((shared / "seeds").iterdir()), *sorted((shared / "cases").glob("pmb-*.txt"))]
    paths += [shared / "cases" / f"rules-{game}-en-restated.txt" for game in ("finca", "teotihuacan")]
    report = import_files(paths, Options())
    assert report.created == 24
    assert [problem.reason for problem in report.problems] == [Reason.RECORDS_MISSING]
    assert Copy.objects.count() == 14
    assert RulesText.objects.get(game=Game.objects.get(title="Teotihuacan"), language="en")
    assert import_files(paths, Options()).unchanged == 24
