"""Languages: the tags that we take and the names under which readers see them."""

import pytest
from django.core.exceptions import ValidationError
from django.utils.translation import override

from catalogue import languages
from catalogue.forms.fields import read_language


@pytest.mark.parametrize(
    ("reader", "tag", "name"),
    [
        ("fr", "nl", "néerlandais"),
        ("fr", "it", "italien"),
        ("fr", "la", "latin"),
        ("en", "pt-BR", "Brazilian Portuguese"),
        ("de", "pt-BR", "Portugiesisch (Brasilien)"),
        ("es", "zh-Hant", "chino tradicional"),
        ("fr", "fr-BE", "français (Belgique)"),
        ("de", "la", "Latein"),
        ("es", "ase", "American Sign Language"),
        ("en", "xx", "xx"),
        ("en", "no tag", "no tag"),
        ("en", "", ""),
    ],
)
def test_a_language_goes_by_its_name_in_the_readers_language(reader: str, tag: str, name: str) -> None:
    with override(reader):
        assert languages.name(tag) == name


@pytest.mark.parametrize(
    ("typed", "tag"),
    [
        ("fr", "fr"),
        ("PT-br", "pt-BR"),
        ("zh-hant", "zh-Hant"),
        ("sr-latn-rs", "sr-Latn-RS"),
        ("es-419", "es-419"),
        ("de-CH-1996", "de-CH-1996"),
        ("fre", "fr"),
        ("la", "la"),
        ("Français", "fr"),
        ("español", "es"),
        ("Latein", "la"),
        ("néerlandais", "nl"),
        ("Toki Pona", "tok"),
    ],
)
def test_a_language_is_taken_by_tag_and_by_name(typed: str, tag: str) -> None:
    assert read_language(typed) == tag


@pytest.mark.parametrize(
    "typed",
    ["xx", "zzz", "klingonais", "fr_BE!", "f", "fr-", "-fr", "fr--BE", "fr-abcdefghi", "fr" + "-x" * 40],
)
def test_a_tag_that_names_no_language_is_refused_with_the_remedy(typed: str) -> None:
    with override("en"), pytest.raises(ValidationError, match="type its code, such as fr"):
        read_language(typed)
