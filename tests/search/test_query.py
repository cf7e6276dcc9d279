"""What is typed is read as words, whatever it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import query
from search.concepts import known_words


def in_glossary(word: str, language: str) -> bool:
    return word in known_words(language)


def content(text: str, language: str) -> list[str]:
    return [w.fold for w in query.words(query.parse(text), language) if w.is_content]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("fr", "Que se passe-t-il quand il n'y a plus de figues ?", ["plus", "figues"]),
        ("en", "What happens if the figs run out?", ["figs", "run", "out"]),
        ("de", "Was passiert, wenn die Feigen ausgehen?", ["feigen", "ausgehen"]),
        ("es", "¿Qué pasa cuando se acaban los higos?", ["acaban", "higos"]),
        ("it", "Cosa succede se finiscono i fichi?", ["finiscono", "fichi"]),
        ("nl", "Wat gebeurt er als de vijgen op zijn?", ["vijgen"]),
        ("fr", "sans jeton", ["sans", "jeton"]),
        ("de", "keine Karten", ["keine", "karten"]),
    ],
)
def test_what_only_wraps_a_question_does_not_count(language: str, text: str, expected: list[str]) -> None:
    assert content(text, language) == expected


def test_a_title_of_little_words_keeps_them_all() -> None:
    assert content("Qui est-ce ?", "fr") == ["qui", "est", "ce"]


def test_quotes_of_every_kind_make_a_phrase() -> None:
    assert query.parse("un “jeu de rôle” ou «jeu de plateau»").phrases == ("jeu de rôle", "jeu de plateau")
    assert query.parse('un "demi guillemet').phrases == ()


def test_a_hyphen_before_a_word_leaves_it_out_but_one_inside_does_not() -> None:
    assert query.parse("jeu -hasard").excluded == ("hasard",)
    assert query.parse("Kling-dong").excluded == ()
    assert query.parse("-5").excluded == ()


@pytest.mark.parametrize(
    "text", ["AND", "a AND b OR NOT c", "title:x", "n:[1 TO 5]", "jeu~2", "a* ?b", "{!x}"]
)
def test_operators_of_engines_are_plain_text(text: str) -> None:
    assert not query.parse(text).is_empty


@pytest.mark.parametrize("text", ["", "   ", "?!…", "***", "\x00", '""', "«»", "- - -", "\u200f\u0301"])
def test_marks_alone_are_no_question(text: str) -> None:
    assert query.parse(text).is_empty


def test_ten_thousand_letters_are_cut() -> None:
    parsed = query.parse("mot " * 2_500)
    assert len(parsed.text) <= query.LETTERS
    assert len(query.words(parsed, "fr")) <= query.WORDS


@pytest.mark.parametrize(
    ("text", "reader", "language"),
    [
        ("was passiert wenn die Karten alle sind", "fr", "de"),
        ("combien de cartes", "fr", "fr"),
        ("pioche", "de", "de"),
        ("pioche vide", "de", "fr"),
        ("wie viele karten", "fr", "de"),
        ("what does the donkey do", "fr", "en"),
        ("cuando termina la granja", "fr", "es"),
        ("quando finisce la partita", "fr", "it"),
        ("hoeveel kaarten krijg ik", "fr", "nl"),
        ("¿qué pasa cuando se acaban los higos?", "en", "es"),
        ("what if there are no more figs", "fr", "en"),
    ],
)
def test_the_language_is_the_readers_unless_the_little_words_say_otherwise(
    text: str, reader: str, language: str
) -> None:
    assert query.asked_in(query.parse(text), reader, in_glossary) == language


@given(st.text(max_size=300), st.sampled_from(["fr", "es", "en", "de", "it", "nl", "other", "xx", ""]))
def test_reading_never_fails(text: str, language: str) -> None:
    parsed = query.parse(text)
    query.words(parsed, language)
    query.asked_in(parsed, language, in_glossary)


@pytest.mark.parametrize("word", ["does", "viele", "cuando", "combien", "quanti", "hoeveel"])
def test_a_common_word_of_any_language_is_known_as_one(word: str) -> None:
    assert query.is_common(word)
