"""The glossary is sound data, and joins the words of six languages."""

from collections import defaultdict
from pathlib import Path

import pytest

from search.analysis import tokens
from search.concepts import COLUMNS, FAINT, FOLDER, KIN, LONGEST, concepts, glossary, met_by
from search.wordlists import LANGUAGES

FILES = sorted(FOLDER.glob("*.tsv"))


def names(text: str, language: str) -> set[str]:
    return {f.concept for f in concepts([t for t in tokens(text, language) if not t.is_joined], language)}


def shares(mark: str) -> dict[str, float]:
    return {meeting.mark: meeting.share for meeting in met_by(mark)}


# --- the data ----------------------------------------------------------------------------------


def test_there_are_many_concepts_and_each_stands_once() -> None:
    listed = [c.name for c in glossary()]
    assert len(listed) >= 900
    assert sorted(listed) == sorted(set(listed))


def test_every_concept_has_a_term_in_each_language() -> None:
    lacking = [(c.name, la) for c in glossary() for la in LANGUAGES if not c.terms.get(la)]
    assert lacking == []


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_files_are_plain_tables_of_nine_columns(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == ["concept", *COLUMNS, "kin", "note"]
    assert {line.count("\t") for line in lines} == {8}


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_no_cell_is_empty_or_has_a_stray_blank_or_mark(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        name, *cells = line.split("\t")
        for cell in cells[: len(COLUMNS)]:
            for term in cell.split("; "):
                bare = term.removeprefix("~")
                assert bare, f"{name}: an empty term"
                assert bare == " ".join(bare.split()), f"{name}: {term!r}"
                assert not set(bare) & set("~;/"), f"{name}: {term!r}"


def test_a_term_is_strong_under_one_concept_only() -> None:
    strong = defaultdict(set)
    for concept in glossary():
        for language, terms in concept.terms.items():
            for term in terms:
                if (language, term) not in concept.weak:
                    strong[language, term.lower()].add(concept.name)
    assert {term: owners for term, owners in strong.items() if len(owners) > 1} == {}


def test_no_term_stands_twice_on_a_line() -> None:
    twice = [
        (concept.name, language)
        for concept in glossary()
        for language, terms in concept.terms.items()
        if len({t.lower() for t in terms}) != len(terms)
    ]
    assert twice == []


def test_terms_have_no_more_words_than_are_looked_for() -> None:
    long = [
        (concept.name, term)
        for concept in glossary()
        for language, terms in concept.terms.items()
        for term in terms
        if len([t for t in tokens(term, language) if not t.is_joined]) > LONGEST
    ]
    assert long == []


def test_kin_are_other_concepts_of_the_glossary() -> None:
    known = {c.name for c in glossary()}
    assert [(c.name, k) for c in glossary() for k in c.kin if k not in known or k == c.name] == []


# --- what stands in a text ---------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fr", "il n'y a plus de jetons"),
        ("es", "se acaban las fichas"),
        ("en", "there are none left"),
        ("de", "der Vorrat ist aufgebraucht"),
        ("it", "le tessere sono finite"),
        ("nl", "de fiches zijn op"),
    ],
)
def test_what_is_said_at_the_table_is_the_concept_too(language: str, text: str) -> None:
    assert "run-out" in names(text, language)


def test_the_longest_term_wins_and_those_inside_it_count_faintly() -> None:
    found = names("marché noir", "fr")
    assert "black-market" in found
    assert "~black" in found
    assert "black" not in found


def test_a_weak_term_marks_its_concept_faintly() -> None:
    assert "~tower" in names("la tour", "fr")
    assert "tower" in names("the tower", "en")


def test_a_word_as_it_is_written_wins_over_one_of_the_same_stem() -> None:
    assert "house" in names("la casa", "it")
    assert not {"house", "~house"} & names("in ogni caso", "it")


@pytest.mark.parametrize(
    ("language", "text", "concept"),
    [
        ("de", "wenn keine Feigen mehr da sind", "run-out"),
        ("nl", "geen rode fiches meer", "run-out"),
        ("en", "there are no figs left", "run-out"),
        ("de", "Wann scheidet ein Spieler aus?", "eliminate-player"),
        ("nl", "je gooit een kaart weg", "discard"),
    ],
)
def test_a_term_may_have_other_words_between_its_two_pieces(language: str, text: str, concept: str) -> None:
    assert concept in names(text, language)


def test_what_parts_a_term_ends_with_the_clause() -> None:
    assert "discard" in names("Wer legt eine Karte ab, zieht nach", "de")
    assert "discard" not in names("Wer legt, zieht danach ab", "de")
    assert "discard" not in names("Man legt sie ab Runde drei hin", "de")


def test_a_term_in_two_pieces_does_not_mark_what_it_is_said_of() -> None:
    found = concepts(tokens("keine Feigen mehr", "de"), "de")
    assert {f.first for f in found if f.concept == "run-out"} == {0, 2}


def test_a_little_word_is_no_term_by_its_stem() -> None:
    assert not {"pear", "~pear"} & names("una tessera per te", "it")
    assert "pear" in names("una pera", "it")


def test_a_little_word_is_no_term_unless_its_accent_says_so() -> None:
    assert "die" not in names("une pile de cartes", "fr")
    assert "die" in names("prenez un dé", "fr")


# --- how concepts meet -------------------------------------------------------------------------


def test_a_concept_is_met_fully_by_itself_and_less_where_either_side_is_weak() -> None:
    assert shares("tower")["tower"] == 1.0
    assert shares("tower")["~tower"] == shares("~tower")["tower"] == FAINT
    assert shares("~tower")["~tower"] == pytest.approx(FAINT * FAINT)


def test_kin_meet_both_ways_for_less() -> None:
    assert shares("fig")["fruit"] == shares("fruit")["fig"] == KIN
    assert shares("fig")["~fruit"] == pytest.approx(KIN * FAINT)
    assert "olive" not in shares("fig")
    assert [m.is_kin for m in met_by("fig") if m.mark == "fruit"] == [True]


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
