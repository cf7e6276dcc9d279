"""Rows out of texts and workbooks: separators, quotes, headings, and what is no row."""

from collections.abc import Sequence
from datetime import date, datetime, time
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import openpyxl
import pytest

from catalogue.draft import Problem, Reason
from catalogue.imports import columns, tables, workbook
from catalogue.imports.sniff import Format, recognise
from catalogue.imports.tables import Row, Table

HEAD = "Titre;Joueurs;Age\n"


def opened(text: str) -> Table:
    return tables.open_text(text, columns.is_heading)


def rows(text: str) -> list[tuple[str, ...]]:
    return [row.cells for row in opened(text).rows() if isinstance(row, Row)]


def problems(text: str) -> list[tuple[str, Reason]]:
    return [(p.place, p.reason) for p in opened(text).rows() if isinstance(p, Problem)]


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
def test_separators_are_found(mark: str) -> None:
    text = f"Titre{mark}Joueurs{mark}Note\nHalma{mark}2-6{mark}\nGo{mark}2{mark}noir: blanc\n"
    table = opened(text)
    assert table.headings == ("Titre", "Joueurs", "Note")
    assert rows(text) == [("Halma", "2-6", ""), ("Go", "2", "noir: blanc")]


def test_a_line_that_names_the_separator_is_no_row() -> None:
    assert rows("sep=;\nTitre;Note\nHalma;a, b\n") == [("Halma", "a, b")]
    assert opened("sep=;\nTitre;Note\nHalma;a, b\n").place == "line 2"


def test_commas_inside_cells_part_nothing() -> None:
    assert rows("bggid;owners\n421;ana,ana\n422;bo\n") == [("421", "ana,ana"), ("422", "bo")]


def test_line_breaks_inside_cells_stay_and_lines_are_counted_by_the_file() -> None:
    text = HEAD + '"Halma\n(bleu)";2;6\nGo;2;8\n'
    assert rows(text) == [("Halma\n(bleu)", "2", "6"), ("Go", "2", "8")]
    places = [row.place for row in opened(text).rows()]
    assert places == ["line 2", "line 4"]


def test_html_breaks_are_line_breaks_and_control_characters_are_gone() -> None:
    assert tables.clean("1 dé<br />\n2 pions<BR>\x07 3 cartes\u00a0") == "1 dé\n2 pions\n3 cartes"


def test_nothing_is_calculated() -> None:
    text = HEAD + '+Les Pieds !;2;6\n"=HYPERLINK(""x"")";2;6\n@home;-2;6\n"=""00123""";2;6\n'
    assert [cells[0] for cells in rows(text)] == ["+Les Pieds !", '=HYPERLINK("x")', "@home", "00123"]


def test_quotes_by_apostrophes_and_by_backslashes() -> None:
    apostrophes = "'Titre','Note'\n'Halma','a, b'\n'Go','c, d'\n"
    backslashes = 'Titre,Note\n"Halma \\"bleu\\"","a, b"\n"Go","c"\n"Dame","d"\n'
    assert rows(apostrophes) == [("Halma", "a, b"), ("Go", "c, d")]
    assert rows(backslashes)[0] == ('Halma "bleu"', "a, b")
    assert rows('Title,Category\nSwing,"Big\\outdoor\\ride"\nGo,"x"\n')[0] == ("Swing", "Big\\outdoor\\ride")


def test_what_stands_above_the_headings_and_empty_rows_and_repeated_headings_are_no_records() -> None:
    text = f"Liste des jeux;;\n;;\n{HEAD}Halma;2-6;6\n;;\n{HEAD}Go;2;8\n"
    assert rows(text) == [("Halma", "2-6", "6"), ("Go", "2", "8")]


def test_headings_that_nobody_knows_are_told_from_numbers_below() -> None:
    assert opened("alpha;beta\nHalma;12\nGo;13\n").headings == ("alpha", "beta")
    assert opened("14,Finca,6\n15,Go,0\n16,Halma,3\n").headings == ()


@pytest.mark.parametrize("broken", ['"Halma;2;6', '"Halma" bleu;2;6', '"Ha"lma";2;6'])
def test_a_broken_quote_costs_one_row_and_is_told_with_its_line(broken: str) -> None:
    text = HEAD + f"Go;2;8\n{broken}\nDame;2;6\nXiangqi;2;9\n"
    assert problems(text) == [("line 3", Reason.QUOTES_BROKEN)]
    assert [cells[0] for cells in rows(text)] == ["Go", "Dame", "Xiangqi"]


def test_a_quote_that_swallows_rows_gives_them_back() -> None:
    lines = "".join(f"Jeu {number};2;8\n" for number in range(900))
    text = HEAD + 'Go;2;8\n"Dame;2;6\n' + lines
    assert problems(text) == [("line 3", Reason.QUOTES_BROKEN)]
    assert len(rows(text)) == 901


def test_rows_with_too_many_or_too_few_cells_are_told() -> None:
    body = "".join(f"Jeu {number};2;8\n" for number in range(20))
    text = HEAD + body + "Dame;blanche;2;6\nXiangqi;2\n"
    assert problems(text) == [("line 22", Reason.CELLS_MISCOUNTED), ("line 23", Reason.CELLS_MISCOUNTED)]


def test_rows_may_end_early_where_the_program_writes_them_so() -> None:
    text = HEAD + "Go;2\nDame\nHalma;2;6\nXiangqi;2\n"
    assert rows(text) == [("Go", "2", ""), ("Dame", "", ""), ("Halma", "2", "6"), ("Xiangqi", "2", "")]


def test_a_half_merged_file_is_told_and_the_rest_is_read() -> None:
    text = HEAD + "Go;2;8\n<<<<<<< HEAD\nDame;2;6\n=======\nDame;2;7\n>>>>>>> theirs\nHalma;2;6\n"
    assert problems(text) == [("line 3", Reason.MERGE_MARKS)]
    assert [cells[0] for cells in rows(text)] == ["Go", "Halma"]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "mac_roman", "cp850"]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends_of_all_machines(encoding: str, newline: str) -> None:
    text = "Titre;Éditeur;Âge\nChâteau d'été;Zoë;8\nForêt à pièges;François;6\nÎle;Rœmer;4\n"
    if encoding == "cp850":
        text = text.replace("œ", "oe")
    found = recognise(text.replace("\n", newline).encode(encoding))
    assert (found.format, found.text) == (Format.TABLE, text)
    is_guessed = encoding in ("mac_roman", "cp850")
    assert [(p.reason, p.detail) for p in found.problems] == [
        (Reason.ENCODING_GUESSED, encoding)
    ] * is_guessed


@pytest.mark.parametrize(
    "text",
    [
        "Dear all, here is news.\nThe library is closed, alas, on Monday.\nRegards, Ada\n",
        '{"a": 1,\n"b": 2,\n"c": 3}',
        "<table><tr><td>Titre</td></tr></table>",
        "Titre\nHalma\nGo\n",
    ],
)
def test_prose_and_other_formats_are_no_tables(text: str) -> None:
    assert not tables.is_table(text, columns.is_heading)


# --- workbooks ---------------------------------------------------------------------------------


def saved(*sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    for at, content in enumerate(sheets):
        sheet = book.active if at == 0 else book.create_sheet(f"Sheet {at}")
        assert sheet is not None
        for line in content:
            sheet.append(line)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def of_workbook(data: bytes) -> list[list[tuple[str, ...]]]:
    found, told = workbook.open_workbook(data, columns.is_heading)
    assert told == []
    return [[row.cells for row in table.rows() if isinstance(row, Row)] for table in found]


def test_cells_of_a_workbook_are_read_as_they_are_shown() -> None:
    line = ["Halma", date(2016, 9, 20), datetime(2016, 9, 20), time(1, 30), 24.9, 12.0, True, None, "=1+1"]  # noqa: DTZ001 - as workbooks have them
    head = ["Titre", "Date achat", "Jour", "Durée", "Prix", "Joueurs", "Actif", "Vide", "Note"]
    [[cells]] = of_workbook(saved([head, line]))
    assert cells == ("Halma", "2016-09-20", "2016-09-20", "01:30", "24.9", "12", "yes", "", "")


def test_a_number_with_more_digits_than_a_workbook_keeps_is_shown_as_damaged() -> None:
    [[cells]] = of_workbook(saved([["Titre", "EAN"], ["Halma", 6377021234567890]]))
    assert cells == ("Halma", "6.37702E+15")
    [[cells]] = of_workbook(saved([["Titre", "EAN"], ["Halma", 4010168220413]]))
    assert cells == ("Halma", "4010168220413")


def test_every_sheet_is_a_table_and_rows_are_counted_as_the_program_shows_them() -> None:
    data = saved(
        [["Titre", "Age"], [], ["Halma", 6]], [["IDJeux", "Nom", "Fonction"], ["1", "Ada", "Auteur"]]
    )
    found, _ = workbook.open_workbook(data, columns.is_heading)
    assert [[row.place for row in table.rows()] for table in found] == [
        ["row 3 (Sheet)"],
        ["row 2 (Sheet 1)"],
    ]
    one, _ = workbook.open_workbook(saved([["Titre", "Age"], ["Halma", 6]]), columns.is_heading)
    assert [row.place for row in one[0].rows()] == ["row 2"]


def test_an_archive_that_would_fill_the_disk_is_refused_unopened() -> None:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"\0" * 60_000_000)
    found, told = workbook.open_workbook(out.getvalue(), columns.is_heading)
    assert (found, [p.reason for p in told]) == ([], [Reason.TOO_LARGE])


def test_a_size_that_a_workbook_claims_is_not_believed() -> None:
    data = saved([["Titre", "Age"], ["Halma", 6]])
    out = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(out, "w") as new:
        for part in old.infolist():
            content = old.read(part).replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
            new.writestr(part.filename, content)
    assert of_workbook(out.getvalue()) == [[("Halma", "6")]]


@pytest.mark.parametrize("cut", [30, 200, 1500, -30])
def test_half_a_workbook_is_told_and_read_without_a_traceback(cut: int) -> None:
    data = saved([["Titre", "Age"], ["Halma", 6]])[:cut]
    found = recognise(data)
    if found.format is None:
        assert found.problems
        return
    tables_found, told = workbook.open_workbook(found.data, columns.is_heading)
    assert told
    assert tables_found == []
