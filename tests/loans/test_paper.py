"""Documents as PDF, read back: what stands there, on how much paper, in which letters."""

from io import BytesIO
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from loans.paper import Document, Paper, Row, Rule, Text, Title, pdf_of

MM = 72 / 25.4


def document(*blocks: Any, language: str = "fr") -> Document:
    return Document(title="Reçu 12", author="Ludothèque", language=language, blocks=blocks)


def read(*blocks: Any, paper: Paper = Paper.ROLL) -> PdfReader:
    return PdfReader(BytesIO(pdf_of(document(*blocks), paper)))


def text(reader: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in reader.pages)


@pytest.mark.parametrize("paper", list(Paper))
def test_names_of_all_our_neighbours_print(paper: Paper) -> None:
    names = "Núñez, Groß, Łukasz, Ωμέγα, Юлия, Şükrü, Đorđe, Ǻsa, 12,50 €"
    assert names in text(read(Text(names), paper=paper)).replace("\n", " ")


def test_the_letters_are_in_the_file() -> None:
    reader = read(Text("Ω"), Title("Ω"))
    fonts = [font.get_object() for font in reader.pages[0]["/Resources"]["/Font"].values()]  # type: ignore[index]
    used = [font for font in fonts if "OpenSans" in font["/BaseFont"]]
    assert used
    assert all("/FontFile2" in font["/FontDescriptor"] for font in used)


def test_a_programme_that_reads_aloud_is_told_the_language_and_the_title() -> None:
    reader = read(Text("Bonjour"))
    assert reader.trailer["/Root"]["/Lang"] == "fr"  # type: ignore[index]
    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.author) == ("Reçu 12", "Ludothèque")


def test_the_roll_grows_with_its_lines_and_stays_one_page() -> None:
    short, long = (read(*[Row(f"Game {n}", "3,00 €") for n in range(count)]) for count in (2, 60))
    assert len(short.pages) == len(long.pages) == 1
    assert round(float(short.pages[0].mediabox.width) / MM) == 80
    assert float(long.pages[0].mediabox.height) > 10 * float(short.pages[0].mediabox.height)


def test_a4_takes_as_many_pages_as_it_needs() -> None:
    reader = read(*[Row(f"Game {n}", "3,00 €", "detail") for n in range(120)], paper=Paper.A4)
    assert len(reader.pages) > 1
    assert "Game 119" in text(reader)


def test_what_looks_like_markup_is_words() -> None:
    assert "<b>Dés & Cie</b>" in text(read(Text("<b>Dés & Cie</b>"), Rule()))


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300), st.text(max_size=40))
def test_no_text_breaks_the_paper(words: str, value: str) -> None:
    for paper in Paper:
        assert read(Title(words), Row(words, value, words), Text(words), paper=paper).pages
