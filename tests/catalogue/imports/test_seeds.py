"""The five handed files, imported unchanged: every cell of the table that the project promises."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from catalogue import pieces
from catalogue.draft import Doubt, Report
from catalogue.imports.ingest import Options, import_files
from catalogue.models import Copy, Document, Flag, Game, Person, Revision, RulesText, SourceRecord
from catalogue.rules.sections import parse

pytestmark = pytest.mark.django_db

REVISIONS = {
    "Perch": 1,
    "Space Station Phoenix": 6,
    "Uptown": 2,
    "Teotihuacan": 10,
    "Clans of Caledonia": 3,
    "La Granja": 28,
}
PMB_TITLES = ["Beep/ Beep/", "La havane", "Kling-dong", "+Les Pieds dans le Plat !"]


def seeds(shared: Path, *numbers: str) -> list[Path]:
    return [next((shared / "seeds").glob(f"{number}_*")) for number in numbers]


@pytest.fixture
def report(shared: Path) -> Report:
    return import_files(seeds(shared, "000", "001", "002", "003", "004"), Options())


def game(title: str) -> Game:
    return Game.objects.get(title=title)


def people(of: Game) -> list[tuple[str, str]]:
    return [(c.person.name, c.role) for c in of.contributors.all()]


def headings(text: RulesText) -> list[str]:
    assert text.current
    return [section.heading for section in parse(text.current.body) if section.heading]


def doubts(of: Game) -> set[str]:
    return set(Flag.objects.filter(game=of).values_list("code", flat=True))


def test_all_records_are_imported_without_a_problem(report: Report) -> None:
    assert (report.created, report.updated, report.unchanged) == (13, 0, 0)
    assert report.problems == []
    assert Game.objects.count() == 12


def test_importing_again_changes_nothing_and_says_so(report: Report, shared: Path) -> None:
    before = list(Game.objects.values_list("pk", "revision", "updated_at"))
    again = import_files(seeds(shared, "000", "001", "002", "003", "004"), Options())
    assert (again.created, again.updated, again.unchanged) == (0, 0, 13)
    assert list(Game.objects.values_list("pk", "revision", "updated_at")) == before


def test_the_order_of_the_files_does_not_matter(shared: Path) -> None:
    report = import_files(seeds(shared, "004", "003", "002", "001", "000"), Options())
    assert (report.created, report.problems) == (13, [])
    assert RulesText.objects.get(language="es").game == game("Finca")


def test_finca_is_one_game_with_all_its_facts(report: Report) -> None:
    finca = game("Finca")
    assert people(finca) == [
        ("Ralf zur Linde", "070"),
        ("Franz Vohwinkel", "440"),
        ("Wolfgang Sentker", "070"),
    ]
    publication = finca.publications.get()
    assert (publication.publisher.name, publication.place) == ("Filosofia", "Vaudreuil - Dorion")
    assert (finca.players_min, finca.players_max) == (2, 4)
    assert (finca.age_min_months, finca.age_max_months) == (120, None)
    assert (finca.minutes_min, finca.minutes_max, finca.year) == (45, 45, None)
    assert [str(c) for c in finca.categories.all()] == ["A 406 Jeu de stratégie"]
    assert [k.name for k in finca.keywords.all()] == ["fruits"]
    assert finca.document_type == "objet à 3 dimensions, artefacts, ..."
    assert finca.principle.startswith("Les joueurs incarnent des paysans de Majorque")
    assert finca.principle.endswith("le plus de points de victoire est le vainqueur.")
    assert not finca.languages.exists()
    assert not finca.copies.exists()


def test_the_code_of_finca_is_kept_as_printed_and_found_by_what_a_scanner_sends(report: Report) -> None:
    code = game("Finca").identifiers.get()
    assert (code.printed, code.gtin) == ("68862310192", "0688623101924")
    assert Doubt.IDENTIFIER_CHECK in doubts(game("Finca"))


def test_the_contents_of_finca_are_eleven_and_contradict_its_rules(report: Report) -> None:
    components = pieces.split(game("Finca").contents)
    assert len(components) == 11
    assert components[2].count == 44
    flag = Flag.objects.get(game=game("Finca"), code=Doubt.CONTENTS_CONTRADICT_RULES)
    assert flag.detail.startswith("44 / 42")


def test_the_french_rules_of_finca_are_sections(report: Report) -> None:
    text = game("Finca").rules_texts.get(language="fr")
    assert headings(text) == [
        "Placement initial",
        "Déroulement de la partie",
        "1. Déplacer une figurine paysan",
        "2. Approvisionner les villages",
        '3. Utiliser ses tuiles "action"',
        'Tuile "bonus"',
        "Fin de la partie",
    ]
    assert text.current
    assert text.current.body.count("Le placement initial est termine") == 1


def test_the_spanish_rules_are_attached_to_finca_with_their_slips(report: Report) -> None:
    text = game("Finca").rules_texts.get(language="es")
    found = headings(text)
    for heading in ("Componentes", "Objeto del juego", "Preparar", "1. Move Farmer", "2) Entrega fruta"):
        assert heading in found
    assert any(heading.startswith("3)") and "Usar mosaico" in heading for heading in found)
    assert text.current
    assert "La obra comienza con la fase de introducción" in text.current.body
    assert "•. Coloca los carros" in text.current.raw


def test_the_author_page_yields_one_person_and_four_games(report: Report) -> None:
    staupe = Person.objects.get(name="Reinhard Staupe")
    titles = staupe.contributions.order_by("game_id").values_list("game__title", flat=True)
    assert list(titles) == PMB_TITLES


def test_facts_of_the_other_notices(report: Report) -> None:
    for title, publisher, category, players, age, minutes, languages in (
        ("Beep/ Beep/", "Intrafin Games", "A 407", (2, 6), 8, 15, ["fr"]),
        ("La havane", "Filosofia", "A 406", (2, 4), 10, 45, ["fr"]),
        ("Kling-dong", "Amigo", "A 401", (2, 6), 5, 20, []),
        ("+Les Pieds dans le Plat !", "Gigamic", "A 409", (2, 5), 7, 30, ["fr"]),
        ("Safranito", "Zoch Zum Spielen", "A 404", (2, 4), 10, 45, ["fr"]),
    ):
        found = game(title)
        assert [p.publisher.name for p in found.publications.all()] == [publisher]
        assert [c.code for c in found.categories.all()] == [category]
        assert (found.players_min, found.players_max) == players
        assert (found.age_min_months, found.age_max_months) == (age * 12, None)
        assert (found.minutes_min, found.minutes_max) == (minutes, minutes)
        assert [language.tag for language in found.languages.all()] == languages


def test_six_copies_with_call_number_section_and_branch(report: Report) -> None:
    copies = {
        copy.barcode: (copy.game.title, copy.call_number, str(copy.section), str(copy.branch), copy.condition)
        for copy in Copy.objects.all()
    }
    rest = ("Maison des Enfants", "in_service")
    assert copies == {
        "90859": ("Beep/ Beep/", "REI", "A 407 jeu de hasard", *rest),
        "90836": ("Beep/ Beep/", "REI", "A 407 jeu de hasard", *rest),
        "91231": ("La havane", "REI", "A 406 jeu de stratégie", *rest),
        "90218": ("Kling-dong", "REI", "A 401 jeu d'association", *rest),
        "90220": ("Kling-dong", "REI", "A 401 jeu d'association", *rest),
        "90753": ("+Les Pieds dans le Plat !", "REI", "A 409 jeu mathématique", *rest),
    }


def test_four_names_of_documents(report: Report) -> None:
    assert dict(Document.objects.values_list("game__title", "name")) == {
        "Beep/ Beep/": "Beep_Bee__2014_08_26_16_05_03.pdf",
        "La havane": "La_havane_2014_08_22_15_02_36.pdf",
        "Kling-dong": "Kling_Dong__2015_09_12_15_16_38.pdf",
        "+Les Pieds dans le Plat !": "Les_pieds_dans_la_Plat__2014_03_7_10_56_36.pdf",
    }


def test_contents_that_hold_the_rules_are_split(report: Report) -> None:
    assert game("Beep/ Beep/").contents == "112 cartes d'animaux, 1 voiture Beep/Beep, 1 règle de jeu."
    assert game("Kling-dong").contents == "20 cartes Bruit, 30 cartes Erreurs, 1 règle de jeu."
    assert game("+Les Pieds dans le Plat !").contents == "96 cartes, 1 règle de jeu."
    assert game("La havane").contents.startswith("80 Matériaux de construction")
    assert "Aperçu du jeu" in headings(game("La havane").rules_texts.get())
    assert headings(game("Beep/ Beep/").rules_texts.get())[:2] == ["Préparation", "But du jeu"]
    for title in [*PMB_TITLES, "Safranito"]:
        assert Doubt.CONTENTS_SPLIT in doubts(game(title))


def test_no_passage_of_a_doubled_notice_stands_twice(report: Report) -> None:
    for text in RulesText.objects.filter(game__title__in=[*PMB_TITLES, "Finca", "Safranito"]):
        assert text.current
        long_lines = [line for line in text.current.body.split("\n") if len(line) > 60]
        assert len(long_lines) == len(set(long_lines))


def test_the_language_of_kling_dong_is_guessed_for_its_rules_only(report: Report) -> None:
    assert game("Kling-dong").rules_texts.get().language == "fr"
    assert Doubt.LANGUAGE_GUESSED in doubts(game("Kling-dong"))
    assert game("Kling-dong").pedagogy == "Un jeu d'association"
    assert game("Kling-dong").principle.startswith("Chacun leur tour, les joueurs prennent")


def test_wiki_pages_have_their_revisions_from_the_oldest_to_the_newest(report: Report) -> None:
    for title, count in REVISIONS.items():
        revisions = list(game(title).rules_texts.get().revisions.order_by("number"))
        assert len(revisions) == count
        keys = [int(revision.source_key) for revision in revisions]
        times = [revision.made_at for revision in revisions]
        assert keys == sorted(keys)
        assert times == sorted(times)
        assert {revision.author for revision in revisions} == {"VBrett"}


def test_wiki_comments_and_times_are_kept(report: Report) -> None:
    assert Revision.objects.exclude(comment="").filter(author="VBrett").count() == 18
    perch = game("Perch").rules_texts.get().current
    assert perch
    assert perch.comment == "Update format for better readibilty"
    assert perch.made_at == datetime(2026, 9, 10, 6, 34, 28, tzinfo=UTC)
    assert Revision.objects.filter(comment="/* ② Phase Revenu */").exists()


def test_only_the_newest_state_of_a_wiki_page_is_current(report: Report) -> None:
    granja = game("La Granja").rules_texts.get()
    assert granja.current
    assert granja.current.source_key == "2042"
    assert "A compléter" not in granja.current.body
    assert "A compléter" in granja.revisions.order_by("number")[5].body


def test_wikitext_becomes_clean_sections(report: Report) -> None:
    for title in REVISIONS:
        current = game(title).rules_texts.get().current
        assert current
        assert parse(current.body)
        for mark in ("<br", "</br", "<span", "<u>", "&#93", "__TOC__", "[[", "'''", "</div>"):
            assert mark not in current.body, (title, mark)
    assert "② Phase Revenu" in headings(game("La Granja").rules_texts.get())


def test_titles_made_from_page_names_are_marked_for_review(report: Report) -> None:
    assert all(Doubt.TITLE_PROPOSED in doubts(game(title)) for title in REVISIONS)
    text = game("Perch").rules_texts.get()
    assert text.source_url == "https://fr.doc.boardgamearena.com/index.php?title=Gamehelpperch"
    assert text.language == "fr"


def test_safranito_is_split_into_phases(report: Report) -> None:
    safranito = game("Safranito")
    assert people(safranito) == [("Marco teubner", "070")]
    text = safranito.rules_texts.get()
    assert [h for h in headings(text) if h[0].isdigit()] == [
        "1) Lancement des jetons",
        "2) Décompte des cases Action",
        "3) Vente et achat d'épices",
        "4 Préparation des plats",
    ]
    assert safranito.contents.startswith("2 moitiés du plateau de jeu, 2 agrafes")
    assert "(cury, gingembre, cardamome" in (text.current.body if text.current else "")


def test_what_came_in_is_kept_with_each_record(report: Report) -> None:
    assert SourceRecord.objects.count() == 13
    beep = SourceRecord.objects.get(game=game("Beep/ Beep/"))
    assert beep.raw.startswith("Titre : Beep/ Beep/")
    assert beep.raw.endswith("Beep_Bee__2014_08_26_16_05_03.pdfAdobe Acrobat PDF")
