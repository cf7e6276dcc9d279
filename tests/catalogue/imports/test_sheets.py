"""Tables of games in the catalogue: what rows become, and what people say of columns."""

from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.draft import CategoryDraft, Problem, Reason, RecordDraft, Report
from catalogue.imports import batches, bgg, sheets, workbook
from catalogue.imports.columns import is_heading
from catalogue.imports.ingest import Options, import_batch, import_files, work_on
from catalogue.imports.sniff import recognise
from catalogue.models import BatchState, Category, ColumnMapping, Copy, Game
from tests.catalogue.imports.test_bgg import COLLECTION_CSV, row, thing
from tests.catalogue.imports.test_tables import saved
from tests.make import make_copy, make_game

LIST = (
    "Numéro;Titre;Éditeur;Année;EAN;Joueurs;Âge;Durée;Langue;Catégorie;Contenu;État;Rayon;Prix\n"
    "007;+Moulin bleu;Pré;2019;4006381333931;2-4;ab 8;00:40;FR/DE;A 406;"
    '"1 plateau<br>24 meules";Perdu;B;24,9\n'
    "008;Âne gris;pré;2020;;2;12 mois;45;FR;A 403;;Disponible;B;\n"
)
Bring = Callable[..., Report]


def read(text: str) -> list[RecordDraft]:
    return [result for result in sheets.read(text) if isinstance(result, RecordDraft)]


def told(text: str) -> list[tuple[str, Reason, str]]:
    return [(p.place, p.reason, p.detail) for p in sheets.read(text) if isinstance(p, Problem)]


@pytest.fixture
def bring(tmp_path: Path) -> Bring:
    """Import texts, each a file of its own."""

    def bring(*texts: str, **columns: str) -> Report:
        for number, text in enumerate(texts):
            (tmp_path / f"{number}.csv").write_text(text)
        paths = [tmp_path / f"{number}.csv" for number in range(len(texts))]
        return import_files(paths, Options(columns=columns))

    return bring


# --- rows --------------------------------------------------------------------------------------


def test_a_row_becomes_a_game_with_its_box() -> None:
    mill, donkey = read(LIST)
    assert mill.game.title == "+Moulin bleu"
    assert (mill.game.age_min_months, mill.game.minutes_min, mill.game.languages) == (96, 40, ("fr", "de"))
    assert mill.game.contents == "1 plateau\n24 meules"
    assert donkey.game.age_min_months == 12
    (box,) = mill.copies
    assert (box.barcode, box.condition, box.section, box.note) == ("007", "lost", "B", "Prix: 24,9")
    assert mill.place == "line 2"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("6.37702E+15;Halma;;;;;", "Numéro: 6.37702E+15"),
        ("1;Halma;4,00638E+12;;;;", "EAN: 4,00638E+12"),
        ("1;Halma;;02.04.2024;;;", "Joueurs: 02.04.2024"),
        ("1;Halma;;;6-mai;;", "Âge: 6-mai"),
    ],
)
def test_what_a_spreadsheet_has_ruined_is_left_out_and_told(line: str, expected: str) -> None:
    text = f"Numéro;Titre;EAN;Joueurs;Âge;Durée;Note\n{line}\n2;Go;;2;8;;\n"
    assert told(text) == [("line 2", Reason.CODE_DAMAGED, expected)]
    assert [draft.game.title for draft in read(text)] == ["Halma", "Go"]
    assert len(read(text)[0].copies) == (0 if expected.startswith("Numéro") else 1)


def test_values_that_cannot_be_read_are_told_one_by_one_with_their_headings() -> None:
    text = "Numéro;Titre;Joueurs;Âge;Durée;Année;Langue\n1;Halma;beaucoup;grand;long;vieux;elfique\n"
    assert [(reason, detail) for _place, reason, detail in told(text)] == [
        (Reason.VALUE_UNREADABLE, "Joueurs: beaucoup"),
        (Reason.VALUE_UNREADABLE, "Âge: grand"),
        (Reason.VALUE_UNREADABLE, "Durée: long"),
        (Reason.VALUE_UNREADABLE, "Année: vieux"),
        (Reason.VALUE_UNREADABLE, "Langue: elfique"),
    ]


def test_a_row_without_a_title_is_told() -> None:
    assert told("Numéro;Titre;Âge\n1;;8\n2;Go;8\n") == [("line 2", Reason.NO_TITLE, "")]


def test_ends_in_columns_of_their_own_may_contradict_each_other() -> None:
    head = "Titre;Joueurs min;Joueurs max;Âge min;Âge max\n"
    first, second = read(f"{head}Halma;2;6;6;99\nGo;4;2;10;8\n")
    assert (first.game.players_min, first.game.players_max) == (2, 6)
    assert (first.game.age_min_months, first.game.age_max_months) == (72, None)
    assert (second.game.players_min, second.game.players_max) == (4, None)
    assert (second.game.age_min_months, second.game.age_max_months) == (120, None)
    assert len(told(f"{head}Go;4;2;10;8\n")) == 2


def test_rows_without_numbers_are_the_boxes_of_one_game_and_get_provisional_ones() -> None:
    text = "Titre;Cote\nForêt d'été;A1\nGo;B\nForêt d'été;A2\n"
    forest, go = read(text)
    assert [(c.barcode, c.call_number) for c in forest.copies] == [
        *(("P-FORET-D-ETE-1", "A1"), ("P-FORET-D-ETE-2", "A2"))
    ]
    assert [copy.barcode for copy in go.copies] == ["P-GO-1"]


def test_boxes_are_counted_where_the_table_counts_them_and_none_are_made_of_a_list_of_titles() -> None:
    assert [len(d.copies) for d in read("Titre;Âge;Exemplaires\nHalma;6;3\nGo;8;0\n")] == [3, 0]
    assert [len(d.copies) for d in read("Titre;Âge\nHalma;6\nGo;8\n")] == [0, 0]


def test_an_unknown_word_for_the_state_of_a_box_is_kept_in_its_note() -> None:
    text = "Code;Titre;Statut\n1;Halma;Disponible\n2;Go;Perdu\n3;Dame;Chez le menuisier\n"
    boxes = [draft.copies[0] for draft in read(text)]
    assert [(box.condition, box.note) for box in boxes] == [
        *(("in_service", ""), ("lost", "")),
        ("", "Statut: Chez le menuisier"),
    ]


def test_a_second_table_in_one_file_is_told_and_not_read() -> None:
    text = "Titre;Âge;Joueurs\nHalma;6;2\nTitre;Éditeur;Année\nGo;Pré;1990\n"
    assert [draft.game.title for draft in read(text)] == ["Halma"]
    assert told(text) == [("line 3", Reason.SECOND_TABLE, "Titre, Éditeur, Année")]


def test_pieces_with_wrong_counts_and_rows_of_no_game_are_told() -> None:
    text = (
        "Toy ID;Toy name;Quantity;Name;Deleted\n7;Mill;2;donkeys;\n7;Mill;many;stones;\n;Mill;1;roof;\n"
        "7;Mill;1;river;yes\n7;Mill;0;boat;\n7;Mill;;wheel;\n"
    )
    (draft,) = read(text)
    assert draft.game.contents == "2 donkeys\nstones\n1 wheel"
    assert [(place, reason) for place, reason, _detail in told(text)] == [
        *(("line 3", Reason.VALUE_UNREADABLE), ("line 4", Reason.RECORD_UNKNOWN))
    ]


def test_a_whole_name_in_the_cell_of_the_family_name() -> None:
    text = "IDJeux;Nom;Prénom;Fonction\n7;Ada du Pré;;Auteur\n7;Val;Bo;magicien\n"
    (draft,) = read(text)
    assert [(c.name, c.role) for c in draft.game.contributors] == [("Ada du Pré", "070"), ("Bo Val", "")]
    assert told(text) == [("line 3", Reason.VALUE_UNREADABLE, "Bo Val: magicien")]


# --- in the catalogue --------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_table_is_imported_and_again_changes_nothing(bring: Bring) -> None:
    assert bring(LIST).created == 2
    again = bring(LIST)
    assert (again.unchanged, again.problems) == (2, [])
    assert Copy.objects.get(barcode="007").condition == "lost"
    assert Game.objects.get(title="Âne gris").publications.get().publisher.name == "Pré"


@pytest.mark.django_db
def test_a_table_that_says_nothing_of_the_state_of_boxes_changes_none(bring: Bring) -> None:
    bring(LIST)
    bring("Toy;Description\n007: +Moulin bleu;Storage location: Games, blue\n008: Âne gris;grey\n")
    box = Copy.objects.get(barcode="007")
    assert (box.condition, box.note, box.section and box.section.name) == ("lost", "Prix: 24,9", "B")
    assert Game.objects.get(title="+Moulin bleu").note == "blue"


@pytest.mark.django_db
def test_pieces_come_to_the_box_with_the_label_and_to_no_other_title(bring: Bring) -> None:
    make_copy(make_game("Mill"), "7")
    make_copy(make_game("Donkey"), "8")
    head = "Toy ID;Toy name;Quantity;Name\n"
    report = bring(f"{head}7;MILL;2;stones\n8;Wheel;1;spoke\n9;River;1;boat\n")
    assert Game.objects.get(title="Mill").contents == "2 stones"
    assert Game.objects.get(title="Donkey").contents == ""
    assert [problem.reason for problem in report.problems] == [Reason.GAME_DOUBTFUL, Reason.RECORD_UNKNOWN]


@pytest.mark.django_db
def test_pieces_replace_no_contents_that_the_record_has(bring: Bring) -> None:
    make_copy(make_game("Mill", contents="1 board"), "7")
    bring("Toy ID;Toy name;Quantity;Name\n7;Mill;2;stones\n")
    assert Game.objects.get().contents == "1 board"


@pytest.mark.django_db
def test_categories_are_added_once_and_taken_back_with_the_import(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Code;Description;Reservable?\nBaby;Toys for 0-2;No\nBig;;Yes\n")
    batch = import_batch([tmp_path / "list.csv"], Options())
    assert set(Category.objects.values_list("label", flat=True)) == {"Baby: Toys for 0-2", "Big"}
    assert import_files([tmp_path / "list.csv"], Options()).unchanged == 2
    batches.ask_for(batch, BatchState.UNDOING)
    work_on(batch)
    assert not Category.objects.exists()


@pytest.mark.django_db
def test_an_import_of_boxes_and_linked_expansions_is_taken_back_whole(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("Code;Titre;Cote\n7;Halma;A\n")
    link = '<link type="boardgameexpansion" id="1" value="Mill" inbound="true"/>'
    (tmp_path / "1.xml").write_text(thing(1, "Mill"))
    (tmp_path / "2.xml").write_text(thing(2, "Mill: The Dam", "boardgameexpansion", link))
    batch = import_batch(sorted(tmp_path.iterdir()), Options())
    assert Game.objects.count() == 3
    batches.ask_for(batch, BatchState.UNDOING)
    work_on(batch)
    assert not Game.objects.exists()


# --- what people say of columns ----------------------------------------------------------------


@pytest.mark.django_db
def test_a_mapping_is_kept_for_tables_with_the_same_headings(bring: Bring) -> None:
    text = "alpha;beta;gamma\nHalma;7;rot\nGo;8;blau\n"
    assert [problem.reason for problem in bring(text, gamma="keywords").problems] == []
    bring(text, alpha="title", beta="barcode", gamma="keywords")
    assert {copy.barcode for copy in Copy.objects.all()} == {"7", "8"}
    bring("ALPHA;beta;gamma\nDame;9;grün\n")
    assert Copy.objects.get(barcode="9").game.title == "Dame"
    assert ColumnMapping.objects.get().mapping["alpha"] == "title"


def run(*arguments: object) -> str:
    out = StringIO()
    call_command("import_records", *map(str, arguments), stdout=out)
    return out.getvalue()


@pytest.mark.django_db
def test_the_command_takes_and_shows_the_meaning_of_columns(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("alpha;beta;Âge\nHalma;7;8\n")
    said = run(path, "--map", "alpha=title", "--map", "BETA=call_number", "--show-columns")
    assert "    alpha → title (100%)" in said.splitlines()
    assert "    Âge → age (95%)" in said.splitlines()
    assert "numbered_title" in said
    assert not Game.objects.exists()
    run(path)
    assert Copy.objects.get().call_number == "7"


@pytest.mark.django_db
@pytest.mark.parametrize("said", ["alpha", "alpha=colour", "=title"])
def test_a_mapping_that_means_nothing_is_refused(tmp_path: Path, said: str) -> None:
    with pytest.raises(CommandError, match="HEADING=field"):
        run(tmp_path / "list.csv", "--map", said)


# --- whatever is done to a table ---------------------------------------------------------------

SIDES = (
    "Quantity;Name;Deleted;Toy ID;Toy name\n2;stones;;7;Mill\n",
    "IDJeux;Nom;Prénom;Fonction\n7;Pré;Ada;Auteur\n",
    "Code;Description;Reservable?\nBaby;Toys for 0-2;No\n",
    'Toy,Description\n7: Mill,"Storage location: A, ""b"""\n',
    "14,Finca,6,2-4,10,,Perdu,Ana,manque,20/01/2024\n15,Go,0,2-6,5,,,,,\n",
    "bggid;owners\n421;a,b\n",
    COLLECTION_CSV + row(objectname="Mill", objectid="42", own="1", quantity="2", barcode="1"),
    thing(links='<link type="boardgameexpansion" id="1" value="M" inbound="true"/>'),
    "<message>later</message>",
    LIST,
)
PUT = st.sampled_from(
    ['"', ";", ",", "\n", "\r", "\t", "<<<<<<< x\n", '=1+1"', "9" * 400, "½", "6.37E+15", "<", ">", "&", "'"]
)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """A table or answer with a part cut out and something put in its place."""
    text = draw(st.sampled_from(SIDES))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 60)))
    return text[:start] + draw(st.one_of(PUT, st.text(max_size=20))) + text[end:]


@settings(max_examples=400)
@given(damaged())
def test_no_damage_makes_a_reader_of_tables_raise(text: str) -> None:
    for reader in (sheets.read, bgg.read):
        for result in reader(text):
            assert isinstance(result, RecordDraft | CategoryDraft | Problem)


@settings(max_examples=300)
@given(damaged(), st.sampled_from(["utf-8", "utf-16", "cp1252", "mac_roman", "cp850"]), st.binary(max_size=3))
def test_no_bytes_make_recognition_of_tables_raise(text: str, encoding: str, put: bytes) -> None:
    data = text.encode(encoding, errors="ignore")
    found = recognise(data[: len(data) // 2] + put + data[len(data) // 2 :])
    assert found.format or found.problems


WORKBOOK = saved([["Titre", "Âge", "Date"], ["Halma", 6, "x"], ["Go", None, 3.5]])


@settings(max_examples=150)
@given(st.integers(0, len(WORKBOOK)), st.binary(max_size=12), st.integers(0, 200))
def test_no_damage_to_a_workbook_raises(at: int, put: bytes, cut: int) -> None:
    data = WORKBOOK[:at] + put + WORKBOOK[at + cut :]
    found = recognise(data)
    if not found.data:
        return
    opened, problems = workbook.open_workbook(found.data, is_heading)
    results = [result for table in opened for result in sheets.read_table(table, sheets.proposal_of(table))]
    assert opened or problems or not results
