"""Amounts as people type them, in their language; what could mean two things is asked about."""

import contextlib

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from loans.amounts import NotAnAmount, plain, read_amount, shown, shown_number


@pytest.mark.parametrize("language", ["fr", "de", "en", "es"])
@pytest.mark.parametrize(
    ("typed", "cents"),
    [
        ("12", 1200),
        ("12,5", 1250),
        ("12.50", 1250),
        ("0,05", 5),
        ("1 000,50", 100_050),
        ("1\u202f000,50", 100_050),
        ("1\u00a0000", 100_000),
        ("1.000,50", 100_050),
        ("1,000.50", 100_050),
        ("1'000.50", 100_050),
        ("€ 3", 300),
        ("3,20 €", 320),
        ("EUR 3.20", 320),
        (" 007 ", 700),
    ],
)
def test_an_amount_is_read_as_it_is_typed(language: str, typed: str, cents: int) -> None:
    with translation.override(language):
        assert read_amount(typed) == cents


@pytest.mark.parametrize(("language", "typed"), [("de", "1.000"), ("en", "1,000"), ("es", "1.000")])
def test_a_thousand_is_read_with_the_mark_of_the_readers_language(language: str, typed: str) -> None:
    with translation.override(language):
        assert read_amount(typed) == 100_000


@pytest.mark.parametrize(
    ("language", "typed"),
    [
        ("en", "1.000"),
        ("de", "1,000"),
        ("fr", "1,000"),
        ("fr", "1.000.5"),
        ("fr", "1,000,50"),
        ("fr", "12,345,6"),
        ("fr", "twelve"),
        ("fr", "1e3"),
        ("fr", "12,5,"),
        ("fr", "--5"),
        ("fr", "-5"),
        ("fr", "−5"),
        ("fr", ""),
        ("fr", "   "),
        ("fr", "9782070541270"),
        ("fr", "١٢"),
        ("fr", "5 + 5"),
        ("fr", "€"),
    ],
)
def test_what_is_no_amount_or_could_mean_two_is_refused_in_words(language: str, typed: str) -> None:
    with translation.override(language), pytest.raises(NotAnAmount) as caught:
        read_amount(typed)
    assert str(caught.value)


@given(st.text(max_size=30))
def test_nothing_typed_is_more_than_an_amount_or_a_refusal(typed: str) -> None:
    with contextlib.suppress(NotAnAmount):
        assert 0 <= read_amount(typed) <= 10_000_000


@given(st.integers(0, 10_000_000))
@pytest.mark.parametrize("language", ["fr", "de", "en", "es"])
def test_what_is_shown_can_be_typed_again(language: str, cents: int) -> None:
    with translation.override(language):
        assert read_amount(shown_number(cents)) == cents
        assert read_amount(shown(cents)) == cents
        assert read_amount(plain(cents)) == cents


@pytest.mark.parametrize(
    ("language", "text"), [("fr", "12,50 €"), ("en", "€12.50"), ("de", "12,50 €"), ("es", "12,50 €")]
)
def test_a_price_is_written_as_the_language_writes_it(language: str, text: str) -> None:
    with translation.override(language):
        assert shown(1250).replace("\u00a0", " ").replace("\u202f", " ") == text
