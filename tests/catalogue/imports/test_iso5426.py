"""ISO 5426 both ways, and against the table of the YAZ toolkit."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.imports import iso5426
from tests.outside import program, run

SENTENCES = {
    "récolte": b"r\xc2ecolte",
    "œuf à la coque": b"\xfauf \xc1a la coque",
    "Straße, Übung": b"Stra\xfbe, \xc9Ubung",
    "Ærø, Łódź": b"\xe1r\xf9, \xe8\xc2od\xc2z",
    "año, façade": b"a\xc4no, fa\xd0cade",
    "«l’été»": b"\xabl\xb9\xc2et\xc2e\xbb",
}


@pytest.mark.parametrize(("text", "data"), SENTENCES.items())
def test_sentences_of_european_languages(text: str, data: bytes) -> None:
    assert iso5426.decode(data) == text
    assert iso5426.encode(text) == data


def test_the_trema_and_the_umlaut_are_one_mark() -> None:
    assert iso5426.decode(b"No\xc8el \xc9uber") == "Noël über"


@pytest.mark.parametrize("data", [b"\xe3", b"\xff", b"\x80", b"caf\xc2", b"\xc2\x1e"])
def test_what_no_table_has_is_refused(data: bytes) -> None:
    with pytest.raises(UnicodeError):
        iso5426.decode(data)


def test_letters_without_a_code_are_refused() -> None:
    with pytest.raises(UnicodeError):
        iso5426.encode("Ж")


LETTERS = st.text(
    st.sampled_from(
        ["a", "e", "Z", " ", "é", "È", "ç", "ñ", "ő", "ž", "å", "œ", "ß", "ł", "Đ", "«", "’", "♯"]
    ),
    max_size=40,
)


@given(LETTERS)
def test_every_text_comes_back(text: str) -> None:
    assert iso5426.decode(iso5426.encode(text)) == text


def test_yaz_reads_every_sign_and_every_mark_as_we_do() -> None:
    yaz = program("yaz-iconv", "yaz")
    samples = [bytes((code,)) for code in iso5426.SIGNS]
    samples += [bytes((code,)) + letter for code in iso5426.MARKS for letter in (b"e", b"o", b"A")]
    assert len(iso5426.SIGNS) + len(iso5426.MARKS) > 70
    # In small portions: yaz-iconv tears a mark from its letter where one of its own buffers ends.
    for at in range(0, len(samples), 20):
        portion = samples[at : at + 20]
        theirs = run(yaz, "-f", "iso5426", "-t", "utf-8", given=b"|".join(portion) + b"|").decode()
        assert unicodedata.normalize("NFC", theirs).split("|")[:-1] == list(map(iso5426.decode, portion))
