"""The glossary is sound data, and joins the words of six languages."""

from pathlib import Path

import pytest

from search.analysis import tokens
from search.concepts import FOLDER, concepts, glossary
from search.wordlists import LANGUAGES


def names(text: str, language: str) -> set[str]:
    return {f.concept for f in concepts([t for t in tokens(text, language) if not t.is_joined], language)}


def test_every_concept_has_a_term_in_each_language() -> None:
    lacking = [(c.name, la) for c in glossary() for la in LANGUAGES if not c.terms.get(la)]
    assert lacking == []
    assert len(glossary()) > 350


def test_every_concept_stands_once() -> None:
    listed = [c.name for c in glossary()]
    assert sorted(listed) == sorted(set(listed))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.tsv")), ids=lambda p: p.stem)
def test_files_are_plain_tables_of_seven_columns(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["concept", "fr", "es", "en", "de", "it", "nl"]
    assert {line.count("\t") for line in lines} == {6}


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "la pile de pioche"),
        ("es", "el mazo de robo"),
        ("en", "the draw pile"),
        ("de", "der Nachziehstapel"),
        ("it", "il mazzo di pesca"),
        ("nl", "de trekstapel"),
    ],
)
def test_one_thing_in_six_languages_is_one_concept(language: str, text: str) -> None:
    assert "draw-pile" in names(text, language)


def test_the_longest_term_wins() -> None:
    assert names("marché noir", "fr") == {"black-market"}


def test_a_little_word_is_no_term_unless_its_accent_says_so() -> None:
    assert "die" not in names("une pile de cartes", "fr")
    assert "die" in names("prenez un dé", "fr")


@pytest.mark.parametrize(
    ("language", "text", "count"),
    [
        ("fr", "2 joueurs : cinq figurines", 2),
        ("fr", "jouer à trois", 3),
        ("de", "zu viert", 4),
        ("en", "if there are three of us", 3),
        ("es", "si somos tres", 3),
        ("nl", "met vier spelers", 4),
        ("it", "giocare in due", 2),
    ],
)
def test_numbers_of_players_are_concepts_too(language: str, text: str, count: int) -> None:
    assert f"players {count}" in names(text, language)


def test_a_number_of_other_things_counts_no_players() -> None:
    assert not {n for n in names("prenez 3 cartes et 2 jetons", "fr") if n.startswith("players")}
