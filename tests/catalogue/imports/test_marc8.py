"""MARC-8: read as the YAZ toolkit and pymarc read it, and refused where they would guess."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymarc.marc8 import marc8_to_unicode
from pymarc.marc8_mapping import CODESETS

from catalogue.imports import marc8
from tests.outside import program, run

SENTENCES = {
    b"R\xe2ecolte": "Récolte",
    b"\xe8Ubung, Stra\xc7e": "Übung, Straße",
    b"\xa1\xe2od\xe2z": "Łódź",
    b"\x1b(NkNIGA\x1b(B, a": "Книга, a",
    b"CO\x1bb2\x1bs": "CO₂",
    b"m\x1bp2\x1bs x": "m² x",
    b"\x1bga\x1bs-2": "α-2",
    b"\x1b$1!0!\x1b(B": "一",
    b"\x88La \x89Havane": "La Havane",
}


@pytest.mark.parametrize(("data", "text"), SENTENCES.items())
def test_sentences_of_many_scripts(data: bytes, text: str) -> None:
    assert marc8.decode(data) == text


@pytest.mark.parametrize("data", [b"caf\xe2", b"\xff", b"\x1b", b"\x1b(", b"\x1b(Z", b"\x1b$1!0", b"\x1bq"])
def test_what_no_set_has_is_refused(data: bytes) -> None:
    with pytest.raises(UnicodeError):
        marc8.decode(data)


@given(st.lists(st.sampled_from([*b"abcZ .,", 0xA1, 0xA5, 0xB5, 0xB8, 0xC7]), max_size=20).map(bytes))
def test_letters_without_marks_are_read_as_pymarc_reads_them(data: bytes) -> None:
    assert marc8.decode(data) == marc8_to_unicode(data)


def test_yaz_reads_every_sign_and_mark_of_extended_latin_as_we_do() -> None:
    yaz = program("yaz-iconv", "yaz")
    table = CODESETS[marc8.ANSEL]
    samples = [bytes((code, *b"e" * is_mark)) for code, (_letter, is_mark) in table.items() if code > 0xA0]
    halves = {0xEB, 0xEC, 0xFA, 0xFB}  # halves of marks over two letters, which YAZ makes whole
    samples = [sample for sample in samples if sample[0] not in halves]
    for at in range(0, len(samples), 20):
        portion = samples[at : at + 20]
        theirs = run(yaz, "-f", "marc-8", "-t", "utf-8", given=b"|".join(portion) + b"|").decode()
        assert unicodedata.normalize("NFC", theirs).split("|")[:-1] == list(map(marc8.decode, portion))
