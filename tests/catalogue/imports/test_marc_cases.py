"""The handed MARC files, against what their notes expect of an import."""

from pathlib import Path

import pytest

from catalogue.draft import CopyDraft, GameDraft, Problem, Reason, RecordDraft
from catalogue.imports import marc
from catalogue.imports.ingest import Options, import_files
from catalogue.imports.sniff import Format, sniff
from catalogue.models import Copy, Game


def results(shared: Path, name: str, kind: Format) -> list[RecordDraft | Problem]:
    found = sniff(shared / "cases" / name)
    assert (found.format, found.problems) == (kind, ())
    return list(marc.read(found.text))


def drafts(shared: Path, name: str, kind: Format) -> list[RecordDraft]:
    found = results(shared, name, kind)
    assert all(isinstance(one, RecordDraft) for one in found), found
    return [one for one in found if isinstance(one, RecordDraft)]


def people(game: GameDraft) -> list[tuple[str, str]]:
    return [(person.name, person.role) for person in game.contributors]


def publishers(game: GameDraft) -> list[tuple[str, str]]:
    return [(publication.place, publication.publisher) for publication in game.publications]


def numbers(game: GameDraft) -> tuple[int | None, ...]:
    return (game.players_min, game.players_max, game.age_min_months, game.minutes_min, game.minutes_max)


# --- UNIMARC as PMB exports it -----------------------------------------------------------------


def test_beep_with_its_own_fields_and_each_box_once(shared: Path) -> None:
    (draft,) = drafts(shared, "unimarc-constructed-beep.xml", Format.UNIMARC)
    game = draft.game
    assert (game.title, game.languages) == ("Beep/ Beep/", ("fr",))
    assert people(game) == [("Reinhard Staupe", "070")]
    assert publishers(game) == [("", "Intrafin Games")]
    assert numbers(game) == (2, 6, 96, 15, 15)
    assert game.categories == ("A 407 jeu de hasard (jeu de règles)",)
    place = {"call_number": "REI", "branch": "Maison des Enfants", "section": "A 407 jeu de hasard"}
    assert draft.copies == (CopyDraft("90859", **place), CopyDraft("90836", **place))
    assert game.note == ""


def test_chili_is_a_film_with_four_people_and_no_role(shared: Path) -> None:
    (draft,) = drafts(shared, "unimarc-pmb-chili.xml", Format.UNIMARC)
    game = draft.game
    assert (game.title, game.subtitle) == ("Chili", "la glace et le feu")
    assert game.document_type == "document projeté ou vidéo"
    assert people(game) == [
        ("Pierre Brouwers", ""),
        ("Annabel Loyola", ""),
        ("Magali Brouwers", ""),
        ("Philippe Reuter", ""),
    ]
    assert (publishers(game), game.year) == ([("Boulogne-Billancourt", "TF1 vidéo éd.")], 2002)
    assert game.keywords == ("Chili", "Pâques")
    assert numbers(game) == (None, None, None, None, None)
    assert "Importance : 1 DVD vidéo monoface zone 2 (1 h 21 min)" in game.note
    box = CopyDraft("3370000451290", "DVD TF1", "Documentaires", "Bibliothèque principale")
    assert draft.copies == (box,)


@pytest.mark.django_db
def test_the_export_and_the_page_of_one_record_are_one_record(shared: Path) -> None:
    cases = shared / "cases"
    page, export = cases / "pmb-rendered-chili-dvd-runon.txt", cases / "unimarc-pmb-chili.xml"
    report = import_files([page, export], Options())
    assert (report.created, report.problems) == (1, [])
    assert Game.objects.get().copies.get().barcode == "3370000451290"


# --- MARC 21 -----------------------------------------------------------------------------------


def test_bytes_that_are_not_utf8_are_reported_with_their_record(shared: Path) -> None:
    (problem,) = results(shared, "marc21-bad-utf8.mrc", Format.MARC21)
    assert isinstance(problem, Problem)
    assert (problem.place, problem.reason, problem.detail) == ("record 1", Reason.CHARACTERS, "0xC0")
    assert "This is a bad byte" in problem.raw


def test_codes_of_languages_in_one_go_are_split_into_threes(shared: Path) -> None:
    (draft,) = drafts(shared, "marc21-packed-languages.mrc", Format.MARC21)
    assert draft.game.languages == ("en", "fr", "de", "it", "es", "ru")
    assert (draft.game.year, draft.game.identifiers) == (1971, ("0444409041",))
    assert people(draft.game) == [("Jerzy Gluski", "")]


ALMA = "marcxml-alma-games.xml"


def test_the_four_games_of_an_alma_file(shared: Path) -> None:
    games = [draft.game for draft in drafts(shared, ALMA, Format.MARC21)]
    assert [game.title for game in games] == [
        "Kikou le coucou (As d'Or enfants, Cannes 2017)",
        "Zig & Go Wroom (45 pcs.)",
        "Fiesta des perles",
        "Sherlock Holmes Détective Conseil n°3 : Carlton House & Queen's Park",
    ]
    assert [numbers(game) for game in games] == [
        (2, 5, 48, 15, 15),
        (1, 1, 96, None, None),
        (2, 4, None, 15, 15),
        (1, 7, 168, 90, 90),
    ]
    assert [publishers(game) for game in games] == [
        [("", "HABA")],
        [("", "Djeco")],
        [("", "Haba")],
        [("", "Space Cowboys")],
    ]
    assert [game.year for game in games] == [2016, 2021, 2020, 2017]
    codes = ["4010168220413", "3070900056435", "4010168254074", "9782370990082"]
    assert [game.identifiers for game in games] == [(code,) for code in codes]
    four = ("fr", "de", "it", "en")
    assert [game.languages for game in games] == [four, ("fr",), four, ("fr",)]
    assert {game.document_type for game in games} == {"objet à 3 dimensions, artefacts, ..."}
    assert games[0].categories == games[2].categories == games[3].categories == ("4 Jeux de Règles",)
    assert games[1].categories == ("3 Jeux d'Assemblage",)


def test_people_of_an_alma_file_and_never_the_text_of_a_program(shared: Path) -> None:
    kikou, zig, fiesta, sherlock = (draft.game for draft in drafts(shared, ALMA, Format.MARC21))
    assert people(kikou) == [("Josep Maria i Roca", "070"), ("Gabriella Silveira", "440")]
    assert people(zig) == [("Grégory Bricout", "245"), ("Jean-Réné Ménard", "245")]
    assert people(fiesta) == [("Marek Blaha", "440"), ("Thade Precht", "070")]
    assert ("Neriac", "440") in people(sherlock)
    assert len(people(sherlock)) == 8
    assert "{'" not in "".join(map(str, (kikou, zig, fiesta, sherlock)))


def test_notes_with_a_label_and_pieces_of_an_alma_file(shared: Path) -> None:
    kikou, zig, fiesta, sherlock = (draft.game for draft in drafts(shared, ALMA, Format.MARC21))
    assert kikou.contents.split("\n")[:3] == [
        "1 boîte métallique Kikou (bas = nid)",
        "1 figurine en bois Kikou le coucou",
        "70 baguettes en bois",
    ]
    assert (len(zig.contents.split("\n")), len(sherlock.contents.split("\n"))) == (17, 8)
    assert kikou.keywords == ("Prise de risque – Stop ou encore", "Nature")
    assert fiesta.keywords == ("Collecte/ion-Combinaison-Famille", "Mer")
    for line in ("Interaction : Animation", "Dimensions : 9 / 9 / 26", "Niveau : Famille"):
        assert line in kikou.note.split("\n")
    assert "En ligne : Règles du jeu videoregles.net/videoregle/kikou-le-coucou" in kikou.note
    assert "Numéro d'éditeur : DJ05643 Djeco" in zig.note


def test_boxes_of_an_alma_file(shared: Path) -> None:
    boxes = [draft.copies for draft in drafts(shared, ALMA, Format.MARC21)]
    assert [(box.barcode, box.call_number, box.section) for (box,) in boxes] == [
        ("EY2246", "REG. adresse", "5678"),
        ("EY3225", "ASS. découvertes / expérimentation", ""),
        ("EY3030", "REG. hasard", "1234"),
        ("EY3064", "REG. énigme", "2345"),
    ]
    assert boxes[0][0].note.split("\n") == [
        "Ne convient pas aux enfants de moins de 3 ans !",
        "As d'Or Enfants, Cannes 2017",
        "Prix : 24,9",
        "Date d'entrée : 2016-09-20",
    ]
    assert boxes[2][0].note.startswith("Pièces de rechange : Sachets de billes\n")


def test_objects_of_evergreen_in_and_out_of_the_namespace(shared: Path) -> None:
    kobo, laptop = (draft.game for draft in drafts(shared, "marcxml-objects-evergreen.xml", Format.MARC21))
    assert (kobo.title, laptop.title) == ("Kobo Aura ONE ereader", "VeryPC Treeton Laptop")
    assert kobo.identifiers == laptop.identifiers == ("681495007240",)
    assert kobo.document_type == laptop.document_type == "three-dimensional object"
    assert kobo.note.split("\n") == [
        "Extent : 1 ereader",
        "Presentation : electronic texts, digital files",
        "Size : 20 x 14 x 1 cm in case",
        "Accompanying material : power cord",
        "Call number : KOBO EREADER",
    ]


@pytest.mark.django_db
def test_two_objects_with_one_product_code_are_never_made_one(shared: Path) -> None:
    report = import_files([shared / "cases" / "marcxml-objects-evergreen.xml"], Options())
    assert [problem.reason for problem in report.problems] in ([], [Reason.GAME_DOUBTFUL])
    assert Game.objects.count() + len(report.problems) == 2


@pytest.mark.django_db
def test_an_alma_file_is_imported_once(shared: Path) -> None:
    path = shared / "cases" / ALMA
    assert (import_files([path], Options()).created, Copy.objects.count()) == (4, 4)
    again = import_files([path], Options())
    assert (again.created, again.updated, again.unchanged, again.problems) == (0, 0, 4, [])
