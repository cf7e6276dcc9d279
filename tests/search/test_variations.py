"""A judged question typed in another way stays the same question, and changes as it says."""

import pytest
from rapidfuzz.distance import OSA

from search.variations import Variation, varied


@pytest.mark.parametrize(
    ("text", "variation", "typed"),
    [
        ("où va l'œuf ?", Variation.NO_ACCENTS, "ou va l'oeuf ?"),
        ("Weißer Käse", Variation.NO_ACCENTS, "Weisser Kase"),
        ("où va l'œuf ?", Variation.CAPITALS, "OÙ VA L'ŒUF ?"),
        ("où va l'œuf ?", Variation.APOSTROPHES, "où va l’œuf ?"),
        ("wie viele Karten", Variation.NO_ACCENTS, ""),
        ("wie viele Karten", Variation.APOSTROPHES, ""),
    ],
)
def test_a_question_is_typed_otherwise_or_there_is_no_copy(
    text: str, variation: Variation, typed: str
) -> None:
    assert varied(text, "fr", variation) == typed


@pytest.mark.parametrize(("variation", "slips"), [(Variation.ONE_TYPO, 1), (Variation.TWO_TYPOS, 2)])
def test_each_slip_is_one_error_in_a_long_content_word(variation: Variation, slips: int) -> None:
    text = "combien de paysans pour livrer 12345 figues avec votre charrette"
    typed = varied(text, "fr", variation)
    changed = [(a, b) for a, b in zip(text.split(), typed.split(), strict=True) if a != b]
    assert len(changed) == slips
    assert all(OSA.distance(a, b) == 1 for a, b in changed)
    assert {a for a, _ in changed} <= {"combien", "paysans", "livrer", "figues", "charrette"}


def test_the_same_question_always_gets_the_same_slip() -> None:
    text = "what happens to the merchant tokens"
    assert varied(text, "en", Variation.ONE_TYPO) == varied(text, "en", Variation.ONE_TYPO)


def test_without_words_long_enough_there_is_no_slip() -> None:
    assert varied("qui a le 7 ?", "fr", Variation.ONE_TYPO) == ""
    assert varied("deux figues", "fr", Variation.TWO_TYPOS) == ""
