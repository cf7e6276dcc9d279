"""PDFs to text: order, joined words, no furniture, page numbers; and what cannot or must not be opened."""

import os
import stat
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.rules import pages, pdf
from catalogue.rules.pdf import Refused
from catalogue.rules.pdf_child import _is_garbled
from catalogue.rules.sections import parse
from tests.catalogue.rules.leaflets import leaflet, scanned, two_columns, with_headings

TESSERACT = """#!/bin/sh
case "$1" in --list-langs) printf 'List:\\nfra\\neng\\n'; exit;; esac
test "$OMP_THREAD_LIMIT" = 1 || exit 1
cat >/dev/null
printf 'level\\tpage\\tblock\\tpar\\tline\\tword\\tleft\\ttop\\twidth\\theight\\tconf\\ttext\\n'
printf '5\\t1\\t1\\t1\\t1\\t1\\t100\\t100\\t80\\t30\\t90\\tUne\\n'
printf '5\\t1\\t1\\t1\\t1\\t2\\t200\\t100\\t80\\t30\\t90\\tpomme\\n'
"""


def test_columns_are_read_one_after_the_other_though_drawn_across() -> None:
    first = pdf.read(two_columns()).pages[0]
    assert first.index("passe la carte") < first.index("À droite du plateau")


def test_words_are_joined_over_line_ends_and_a_hyphen_of_their_own_stays() -> None:
    first = pdf.read(two_columns()).pages[0]
    assert "Le plus jeune commence et tire" in first
    assert "un arc-en-ciel remplace" in first


def test_running_heads_and_page_numbers_are_left_out_but_the_title() -> None:
    found = pdf.read(two_columns())
    assert found.pages[0].startswith("Le Verger")
    assert [page.count("Le Verger") for page in found.pages] == [1, 0, 0]
    assert not any(page.strip().endswith(str(n)) for n, page in enumerate(found.pages, start=1))


def test_a_line_that_is_like_another_pages_is_no_furniture_in_the_midst() -> None:
    same = [(60.0, 700.0 - 14 * n, f"Ligne {word} de la règle du jeu.") for n, word in enumerate("abcdefg")]
    found = pdf.read(leaflet(same, same, same))
    assert [page.count("Ligne d") for page in found.pages] == [1, 1, 1]


def test_headings_are_told_by_their_letters() -> None:
    markdown = pages.to_markdown(pdf.read(with_headings()).pages)
    assert [section.heading for section in parse(markdown)] == [
        "Le Verger",
        "Les pommes mûres",
        "Le corbeau gourmand",
    ]
    assert "jamais les deux dans le même tour" in markdown
    assert "- Il recule quand" in markdown


def test_ligatures_and_forms_of_print_become_letters() -> None:
    from catalogue.rules.layout import Piece, texts  # noqa: PLC0415 - only here are pieces made by hand

    (text,) = texts([[Piece("La ﬁn du jeu: éﬀacer l'aﬃche", 10, 10, 200, 20, 10)]])
    assert text == "La fin du jeu: éffacer l'affiche"


# --- pages -------------------------------------------------------------------------------------


def test_each_page_is_marked_where_it_begins_even_inside_a_sentence() -> None:
    markdown = pages.to_markdown(pdf.read(two_columns()).pages)
    assert markdown.startswith("## Le Verger\n\n[p. 1] Chaque joueur")
    assert "à son tour et la [p. 2] carte suivante" in markdown
    assert "[p. 3] Le vainqueur" in markdown


def test_marks_take_no_word_away() -> None:
    found = pdf.read(two_columns())
    words = " ".join(found.pages).split()
    assert pages.without(pages.to_markdown(found.pages)).removeprefix("## ").split() == words


def test_a_passage_says_the_page_on_which_it_begins() -> None:
    text = "## A\n\n[p. 1] one\n\n## B\n\ntwo [p. 2] three\n\nfour\n\n## C\n\n- [p. 4] five"
    sections = parse(text)
    assert [pages.page_of(sections, at, section.body) for at, section in enumerate(sections)] == [1, 1, 4]
    assert pages.page_of(sections, 1, "four") == 2
    assert pages.page_of(parse("## A\n\nword"), 0, "word") is None


def test_no_heading_and_no_table_holds_a_mark() -> None:
    marked = pages.to_markdown(
        ["Avant la page.", "# Titre\nLe texte.", "| a | b |\n|---|---|\n| c | d |\nAprès."]
    )
    assert "## Titre\n\n[p. 2] Le texte." in marked
    assert "[p. 3] Après." in marked


@settings(max_examples=100)
@given(st.lists(st.text(st.sampled_from("ab é.-#\n*1|[p. 2]"), max_size=40), max_size=5))
def test_any_text_keeps_its_letters_and_gets_no_page_twice(texts: list[str]) -> None:
    stripped = [text.strip() for text in texts]
    marked = pages.to_markdown(stripped)
    kept = [letter for letter in pages.without(marked) if letter.isalpha()]
    assert kept == [letter for letter in "".join(stripped) if letter.isalpha()]


# --- refusals ----------------------------------------------------------------------------------


def test_a_locked_pdf_is_refused() -> None:
    assert pdf.read(leaflet([(60, 700, "Secret.")], password="x")).refused == Refused.ENCRYPTED


@pytest.mark.parametrize("data", [b"", b"%PDF-1.4 nothing", b"%PDF-" + bytes(range(256)) * 40])
def test_what_is_no_pdf_inside_is_refused(data: bytes) -> None:
    assert pdf.read(data).refused == Refused.BROKEN


def test_too_many_pages_and_too_much_time_are_refused() -> None:
    assert pdf.read(two_columns(), most_pages=2).refused == Refused.TOO_MANY_PAGES
    assert pdf.read(two_columns(), seconds=0).refused == Refused.TOO_LONG


def test_a_small_file_that_swells_beyond_all_limits_is_refused() -> None:
    packer = zlib.compressobj(1)
    stream = b"".join(packer.compress(b"q " * 2**20) for _ in range(600)) + packer.flush()
    head = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    head += b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    page = b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj\n"
    body = b"4 0 obj<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream endobj\n" % (len(stream), stream)
    found = pdf.read(head + page + body + b"trailer<</Root 1 0 R>>", seconds=20)
    assert found.refused in {Refused.BROKEN, Refused.TOO_LONG, Refused.NO_TEXT}


def test_pages_that_are_pictures_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    found = pdf.read(scanned(2))
    assert (found.refused, found.unread) == (Refused.NO_TEXT, (1, 2))


def test_pictures_are_read_where_a_program_for_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "tesseract"
    program.write_text(TESSERACT)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    found = pdf.read(scanned())
    assert (found.pages, found.seen, found.unread) == (("Une pomme",), (1,), ())


@pytest.mark.parametrize(
    ("text", "is_garbled"),
    [
        ("Chaque joueur prend six cartes.", False),
        ("Βάλε τα φύλλα στο τραπέζι.", False),
        ("\ue001\ue002\ue003\ue004 abc", True),
        ("Dgbrtt kpvwt sqdfgh rt klmn prst bcdf", True),
        ("12 45", False),
    ],
)
def test_letters_that_mean_nothing_are_told(text: str, is_garbled: bool) -> None:  # noqa: FBT001
    assert _is_garbled(text) is is_garbled


@settings(max_examples=12)
@given(st.data())
def test_no_damaged_pdf_makes_the_reader_raise(data: st.DataObject) -> None:
    whole = two_columns()
    at = data.draw(st.integers(0, len(whole)))
    put = data.draw(st.binary(max_size=12))
    cut = data.draw(st.integers(0, 400))
    found = pdf.read(whole[:at] + put + whole[at + cut :])
    assert found.refused or found.pages
