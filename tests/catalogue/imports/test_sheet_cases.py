"""The handed tables against what their notes expect of an import."""

from collections import Counter
from pathlib import Path

import pytest

from catalogue import components, pieces
from catalogue.barcodes import read_product_code
from catalogue.draft import CategoryDraft, CopyDraft, Problem, Reason, RecordDraft
from catalogue.imports import sheets
from catalogue.imports.ingest import Options, import_files
from catalogue.imports.sheets import Result
from catalogue.imports.sniff import Format, sniff
from catalogue.models import Category, Copy, Game, Publisher

SWISS = ("toys-swiss-ludotheque.xlsx", "toys-swiss-ludotheque-win1252.csv")


def results(shared: Path, name: str) -> list[Result]:
    found = sniff(shared / "cases" / name)
    assert found.format is Format.TABLE
    return list(sheets.read_file(found.text, found.data, sheets.proposal_of))


def drafts(shared: Path, name: str) -> list[RecordDraft]:
    return [result for result in results(shared, name) if isinstance(result, RecordDraft)]


def told(shared: Path, name: str) -> list[Problem]:
    return [result for result in results(shared, name) if isinstance(result, Problem)]


def box(draft: RecordDraft) -> CopyDraft:
    (one,) = draft.copies
    return one


# --- Switzerland -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SWISS)
def test_swiss_sheet_and_its_export_say_the_same(shared: Path, name: str) -> None:
    kikou, zig, fiesta, sherlock = drafts(shared, name)
    assert told(shared, name) == []
    assert [box(draft).barcode for draft in (kikou, zig, fiesta, sherlock)] == [
        "2246",
        "3225",
        "3030",
        "3064",
    ]
    assert [draft.game.title for draft in (kikou, zig, fiesta, sherlock)] == [
        "Kikou le coucou",
        "Zig & Go Wroom (45 pcs.)",
        "Fiesta des perles",
        "Sherlock Holmes Détective Conseil n°3 : Carlton House & Queen's Park",
    ]
    assert [d.game.year for d in (kikou, zig, fiesta, sherlock)] == [2016, 2021, 2020, 2017]
    publishers = [draft.game.publications[0].publisher for draft in (kikou, zig, fiesta, sherlock)]
    assert publishers == ["HABA", "Djeco", "Haba", "Space Cowboys"]
    assert kikou.game.note.startswith("As d'Or enfants, Cannes 2017\n")
    assert kikou.game.note.count("Cannes") == 1
    assert "9 x 9 x 26" in kikou.game.note
    assert [d.game.identifiers for d in (kikou, zig, fiesta, sherlock)] == [
        *(("4010168220413",), ("3070900056435", "DJ05643"), ("4010168254074",), ("9782370990082",))
    ]
    assert read_product_code("9782370990082").kind == "isbn13"
    assert [d.game.age_min_months for d in (kikou, zig, fiesta, sherlock)] == [48, 96, 36, 168]
    players = [(d.game.players_min, d.game.players_max) for d in (kikou, zig, fiesta, sherlock)]
    assert players == [(2, 5), (1, 1), (2, 4), (1, 7)]
    assert [d.game.minutes_min for d in (kikou, zig, fiesta, sherlock)] == [15, None, 15, 90]
    assert [d.game.languages for d in (kikou, sherlock)] == [("fr", "de", "it", "en"), ("fr",)]


@pytest.mark.parametrize("name", SWISS)
def test_swiss_classes_mechanisms_contents_and_what_belongs_to_the_box(shared: Path, name: str) -> None:
    kikou, zig, fiesta, sherlock = drafts(shared, name)
    assert [draft.game.categories[1] for draft in (kikou, zig, fiesta, sherlock)] == [
        *("REG. adresse", "ASS. découvertes / expérimentation", "REG. hasard", "REG. énigme")
    ]
    assert all(len(draft.game.categories) == 2 for draft in (kikou, zig, fiesta, sherlock))
    assert "Prise de risque – Stop ou encore" in kikou.game.keywords
    assert "Coopération" in sherlock.game.keywords
    assert [piece.count for piece in pieces.split(kikou.game.contents)] == [1, 1, 70, 1, 20, 1]
    assert "Pces Rechanges: Sachets de billes" in box(fiesta).note
    assert "Prix: 24,9" in box(kikou).note
    assert "Date achat: 2016-09-20" in box(kikou).note
    assert {box(draft).condition for draft in (kikou, zig, fiesta, sherlock)} == {"in_service"}


def test_both_forms_of_the_swiss_sheet_make_the_same_drafts(shared: Path) -> None:
    one, other = (drafts(shared, name) for name in SWISS)
    assert [(d.key, d.game, d.copies) for d in one] == [(d.key, d.game, d.copies) for d in other]


@pytest.mark.django_db
def test_swiss_people_come_to_their_games_and_the_others_are_told(shared: Path) -> None:
    cases = shared / "cases"
    report = import_files([cases / "toys-swiss-authors.xlsx", cases / SWISS[0]], Options())
    assert (report.created, report.updated) == (4, 4)
    assert {problem.reason for problem in report.problems} == {Reason.RECORD_UNKNOWN}
    people = drafts(shared, "toys-swiss-authors.xlsx")
    assert len(people) == len(report.problems) + 4
    assert sum(len(draft.game.contributors) for draft in people) == 60
    kikou = Game.objects.get(title="Kikou le coucou")
    assert ("Josep Maria i Roca", "070") in _people(kikou)
    assert ("Gabriella Silveira", "440") in _people(kikou)
    sherlock = Game.objects.get(title__startswith="Sherlock")
    assert len(_people(sherlock)) == 8
    assert "Neriac" in {name for name, _role in _people(sherlock)}
    assert Publisher.objects.filter(key="haba").count() == 1
    assert import_files([cases / SWISS[1]], Options()).unchanged == 4


def _people(game: Game) -> list[tuple[str, str]]:
    return [(c.person.name, c.role) for c in game.contributors.select_related("person")]


def test_roles_of_the_swiss_people(shared: Path) -> None:
    people = [c for draft in drafts(shared, "toys-swiss-authors.xlsx") for c in draft.game.contributors]
    assert told(shared, "toys-swiss-authors.xlsx") == []
    assert {c.role for c in people} == {"", "070", "440", "245", "340"}


# --- New Zealand -------------------------------------------------------------------------------


def test_setls_list_of_toys(shared: Path) -> None:
    toys = drafts(shared, "toys-setls-list-b.csv")
    assert (len(toys), told(shared, "toys-setls-list-b.csv")) == (200, [])
    assert len({box(toy).barcode for toy in toys}) == 200
    conditions = Counter(box(toy).condition for toy in toys)
    assert conditions == {"in_service": 194, "withdrawn": 5, "lost": 1}
    joined = [box(toy).note for toy in toys if box(toy).condition == "withdrawn"]
    assert all("Joined with another toy" in note for note in joined)
    categories = Counter(category for toy in toys for category in toy.game.categories)
    assert len(categories) == 11
    assert categories["Preschool: 2+ yr olds"] == 78
    assert categories["Big: Big\\outdoor\\ride on"] == 30
    ages = Counter((toy.game.age_min_months, toy.game.age_max_months) for toy in toys)
    assert ages == {
        (24, 60): 41, (12, 60): 34, (36, None): 22, (36, 60): 20, (18, None): 15, (6, 12): 15,
        (None, None): 14, (60, None): 10, (9, 24): 9, (12, 36): 7, (0, 6): 5, (48, None): 4,
        (9, 36): 3, (6, 36): 1,
    }  # fmt: skip
    assert sum("Date purchased" in box(toy).note for toy in toys) == 200 - 61
    assert all(toy.game.title == toy.game.title.strip() for toy in toys)


def test_setls_descriptions_hold_two_fields_in_each_cell(shared: Path) -> None:
    toys = drafts(shared, "toys-setls-descriptions-b.csv")
    assert (len(toys), told(shared, "toys-setls-descriptions-b.csv")) == (72, [])
    by_number = {box(toy).barcode: toy for toy in toys}
    assert by_number["1337"].game.title == "balance bike, Blue, Eurotrike"
    assert box(by_number["1337"]).section == "Big toys and ride-ons"
    assert by_number["1337"].game.note.endswith("up to 25kg")
    assert (box(by_number["1356"]).section, by_number["1356"].game.note) == ("Over Toddlers years", "")
    assert (box(by_number["154"]).section, by_number["154"].game.note) == ("", "Size 47-50cms")
    assert "116" not in toys[0].game.note


def test_setls_pieces_are_gathered_by_toy_without_the_removed_ones(shared: Path) -> None:
    found = drafts(shared, "toys-setls-pieces-b.csv")
    assert (len(found), told(shared, "toys-setls-pieces-b.csv")) == (56, [])
    lists = {draft.known_as[1].removeprefix("label:"): draft.game.contents.split("\n") for draft in found}
    total = sum(len([line for line in lines if line]) for lines in lists.values())
    assert total == 350 - 26
    assert [len(lists[toy]) for toy in ("1357", "1371", "278")] == [37, 18, 24]


def test_setls_categories(shared: Path) -> None:
    found = results(shared, "toys-setls-categories.csv")
    assert len(found) == 13
    assert isinstance(found[1], CategoryDraft)
    assert found[1].printed == "Big: Big\\outdoor\\ride on"


@pytest.mark.django_db
def test_the_four_setls_files_together_in_any_order_and_again(shared: Path) -> None:
    names = ("pieces-b", "categories", "descriptions-b", "list-b")
    paths = [shared / "cases" / f"toys-setls-{name}.csv" for name in names]
    report = import_files(paths, Options())
    assert report.problems == []
    assert Game.objects.count() == Copy.objects.count() == 200
    assert Category.objects.filter(label__startswith="Books").exists()
    kit = Game.objects.get(copies__barcode="1357")
    assert kit.copies.get().section is not None
    torch = Copy.objects.get(barcode="134")
    assert torch.note == "Date purchased: 2018-07-16"
    assert sum(piece.count or 0 for piece in components.of(kit)) == 37
    assert Copy.objects.filter(condition="lost").count() == 1
    again = import_files(paths, Options())
    assert (again.created, again.updated) == (0, 0)


# --- other sheets ------------------------------------------------------------------------------


def test_lend_engine_items(shared: Path) -> None:
    finca, safranito, kit = drafts(shared, "lendengine-items.csv")
    assert told(shared, "lendengine-items.csv") == []
    assert [box(d).barcode for d in (finca, safranito, kit)] == ["LE-0001", "LE-0002", "LE-0003"]
    assert [d.game.document_type for d in (finca, safranito, kit)] == ["Board game", "Board game", "Kit"]
    assert kit.game.title == 'Birthday kit "Pirates"'
    assert finca.game.keywords[:2] == ("strategy", "family")
    for fact in ("Condition: B - Fair", "Loan period: 21", "Loan fee: 1.50"):
        assert fact in box(finca).note
    assert [(p.count, p.name) for p in pieces.split(finca.game.contents)] == [
        *((1, "board"), (108, "fruits"), (42, "fruit tiles"))
    ]
    assert [(p.count, p.name) for p in pieces.split(kit.game.contents)] == [
        *((3, "hats"), (1, "treasure chest, wood"), (12, "coins"))
    ]
    assert [box(d).condition for d in (finca, safranito, kit)] == ["in_service", "in_service", "in_repair"]
    assert "Donated by: Comité d'entreprise" in box(safranito).note
    assert "\nand deliver fruit." in finca.game.principle


def test_games_known_by_their_number_alone(shared: Path) -> None:
    found = drafts(shared, "csv-bggid-owners.csv")
    assert told(shared, "csv-bggid-owners.csv") == []
    rows = sum(len(draft.raw.split("bggid:")) - 1 for draft in found)
    assert (rows, sum(len(draft.copies) for draft in found)) == (255, 255 + 5)
    assert found[0].game.title == "BoardGameGeek 421"
    assert found[0].doubts


def test_german_shelf_list(shared: Path) -> None:
    found = drafts(shared, "csv-de-shelf-list-short.csv")
    assert told(shared, "csv-de-shelf-list-short.csv") == []
    boxes = [copy for draft in found for copy in draft.copies]
    assert (len(boxes), len({copy.barcode for copy in boxes})) == (60, 60)
    towers = next(draft for draft in found if draft.game.title == "5 Towers")
    assert [(c.section, c.call_number) for c in towers.copies] == [("Kleine Spiele", "2")] * 2
    assert towers.copies[0].note == "location2: Im Regal Erdgeschoss (Links)"
    assert "bgg:400205" in towers.known_as


def test_french_sheet_without_headings(shared: Path) -> None:
    found = {box(draft).barcode: draft for draft in drafts(shared, "csv-ludotheque-fr-sheet.csv")}
    assert told(shared, "csv-ludotheque-fr-sheet.csv") == []
    assert list(found) == ["14", "15", "16", "17"]
    finca, quilles = found["14"], found["17"]
    assert (finca.game.title, finca.game.players_min, finca.game.players_max) == ("Finca", 2, 4)
    assert (finca.game.age_min_months, box(finca).note) == (120, "manque 1 citron")
    assert "Exemple" not in str((finca.game, finca.copies))
    assert (quilles.game.players_min, quilles.game.players_max) == (2, None)
    assert (quilles.game.keywords, box(quilles).condition) == (("Extérieur",), "withdrawn")
    assert box(quilles).note == "quille n° 7 fendue, à recoller"
    assert box(found["15"]).note == ""


def test_assets_in_the_letters_of_an_old_machine(shared: Path) -> None:
    found = sniff(shared / "cases" / "csv-snipeit-assets-bad.csv")
    assert [(p.place, p.reason, p.detail) for p in found.problems] == [
        ("line 3", Reason.ENCODING_GUESSED, "mac_roman")
    ]
    assert "bmodèle1" in found.text
    assets = drafts(shared, "csv-snipeit-assets-bad.csv")
    assert len(assets) == 59
    problems = told(shared, "csv-snipeit-assets-bad.csv")
    assert {problem.reason for problem in problems} == {Reason.CODE_DAMAGED}
    assert (problems[0].place, problems[0].detail) == ("line 2", "Model Number: 6.37702E+15")
    assert box(assets[0]).barcode == "970882174-8"
    conditions = {box(asset).condition for asset in assets}
    assert conditions >= {"not_for_loan", "lost", "in_repair", "in_service", "withdrawn"}
    assert "exemple.invalid" not in str([(asset.game, asset.copies) for asset in assets])


def test_a_table_of_memberships_is_told_to_be_one(shared: Path) -> None:
    (problem,) = told(shared, "lendengine-memberships.csv")
    assert (problem.reason, problem.detail.partition(":")[0]) == (Reason.OTHER_TABLE, "members")
