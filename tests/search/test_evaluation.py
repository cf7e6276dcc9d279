"""The measures of `evaluate_search` are what they say."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from search import sync
from search.evaluation import (
    Judgment,
    Outcome,
    by_slice,
    evaluate,
    evaluate_varied,
    figures,
    find,
    is_right,
    plain,
    read_judgments,
)
from search.find import PassageHit, PassageResults
from search.variations import Variation
from tests.make import make_game, make_rules

HEAD = "query\tquery_lang\texpected_game\texpected_snippet\tnote\n"


def outcome(
    rank: int, *, language: str = "fr", note: str = "", snippets: tuple[str, ...] = ("x",)
) -> Outcome:
    return Outcome(Judgment("q", language, "G", snippets, note), rank, rank, 10.0 * rank, PassageResults())


def hit(body: str, game: str = "Boum/ Boum/") -> PassageHit:
    return PassageHit(
        game_id=1,
        game_title=game,
        text_id=1,
        kind="rules",
        language="fr",
        edition="",
        revision=1,
        revised_at=None,
        anchor="a",
        path=(),
        body=body,
        score=1,
    )


def test_measures_of_known_ranks() -> None:
    found = figures([outcome(1), outcome(2), outcome(7), outcome(0)])
    assert found == {
        "n": 4,
        "success@1": 0.25,
        "mrr@10": round((1 + 1 / 2 + 1 / 7) / 4, 4),
        "ndcg@10": round((1 + 0.63093 + 1 / 3) / 4, 4),
        "recall@5": 0.5,
        "p50_ms": 10.0,
        "p95_ms": 70.0,
    }


def test_slices_are_languages_and_kinds_of_question() -> None:
    outcomes = [
        outcome(1, note="CROSS-LANGUAGE fr->es; more"),
        outcome(0, language="es", note="TYPO, missing accents"),
        outcome(1, language="es", snippets=()),
    ]
    found = by_slice(outcomes)
    assert {name: row["n"] for name, row in found.items()} == {
        "CROSS-LANGUAGE": 1,
        "NO ANSWER": 1,
        "TYPO": 1,
        "es": 2,
        "fr": 1,
        "missing accent": 1,
    }


@pytest.mark.parametrize(
    ("snippet", "body"),
    [
        ("la carte d'or", "Prenez LA   carte\nd’or."),
        ('dit "ouah" fort', "il dit « ouah » fort"),
        ("deux pions chacun", "**Deux** *pions* chacun"),
        ("les ouvriers libres", "les [ouvriers](#ouvriers) libres"),
        ("piocher. ensuite jouer", "1. Piocher.\n2. Ensuite jouer"),
        ("absent || présent", "il est présent"),
    ],
)
def test_marks_case_blanks_and_quotes_are_ignored(snippet: str, body: str) -> None:
    judgment = Judgment("q", "fr", "boum boum", tuple(snippet.split(" || ")), "")
    assert is_right(judgment, hit(body))
    assert not is_right(judgment, hit(body, game="Autre"))


def test_plain_keeps_words_apart() -> None:
    assert plain("a\n\n- b") == "a b"


def test_a_note_may_name_several_slices_and_two_typos_are_typos_too() -> None:
    judgment = Judgment("q", "nl", "G", ("x",), "TITLE, TYPO2; no game named")
    assert judgment.slices() == ("nl", "TITLE", "TYPO2", "TYPO", "no game named")


def test_an_asterisk_lets_any_text_of_the_game_pass_and_no_other() -> None:
    judgment = Judgment("boum", "fr", "Boum Boum", ("*",), "TITLE")
    assert is_right(judgment, hit("n'importe quoi"))
    assert not is_right(judgment, hit("n'importe quoi", game="Autre"))


@pytest.mark.django_db
def test_an_outcome_tells_whether_the_game_is_named_and_speaks_the_askers_language() -> None:
    make_rules(make_game("Les Pétards"), "## Fin\n\nLe dernier pétard arrête la partie aussitôt.")
    sync.sync()
    named, bare = evaluate(
        [
            Judgment("petards : qui arrête", "fr", "Les Pétards", ("dernier pétard",), ""),
            Judgment("who stops", "en", "Les Pétards", ("dernier pétard",), "CROSS-LANGUAGE en->fr"),
        ]
    )
    assert (named.names_game, named.has_asker_language) == (True, True)
    assert (bare.names_game, bare.has_asker_language) == (False, False)


@pytest.mark.django_db
def test_copies_are_asked_of_answerable_questions_that_they_change() -> None:
    make_rules(make_game("Boum"), "## Fin\n\nLe dernier pétard arrête la partie aussitôt.")
    sync.sync()
    judgments = [
        Judgment("boum qui arrête", "fr", "Boum", ("dernier pétard",), ""),
        Judgment("boum dernier", "fr", "Boum", ("dernier pétard",), ""),
        Judgment("où est la girafe", "fr", "Boum", (), ""),
    ]
    asked: list[str] = []

    def ask(judgment: Judgment, typed: str) -> PassageResults:
        asked.append(typed)
        return find(judgment, typed)

    (copy,) = evaluate_varied(judgments, Variation.NO_ACCENTS, ask)
    assert asked == ["boum qui arrete"]
    assert (copy.judgment, copy.rank) == (judgments[0], 1)


@pytest.mark.django_db
def test_a_question_with_a_typo_of_its_own_gets_no_further_slip() -> None:
    clean = Judgment("boum le dernier pétard", "fr", "Boum", ("x",), "")
    misspelt = Judgment("boum le dernier pétrad", "fr", "Boum", ("x",), "TYPO")
    copies = evaluate_varied(
        [clean, misspelt], Variation.ONE_TYPO, lambda _judgment, _typed: PassageResults()
    )
    assert [copy.judgment for copy in copies] == [clean]


@pytest.mark.django_db
def test_the_command_asks_and_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_rules(make_game("Boum/ Boum/"), "## Fin\n\nLe dernier pétard arrête la partie aussitôt.")
    sync.sync()
    file = tmp_path / "questions.tsv"
    file.write_text(
        HEAD
        + "qui arrête la partie, quel pétard ?\tfr\tBoum Boum\tLE DERNIER PETARD || dernier pétard\t\n"
        + "combien de girafes violettes\tfr\tBoum Boum\t\tno answer\n",
        encoding="utf-8",
    )
    call_command("evaluate_search", file, "--json")
    answer = json.loads(capsys.readouterr().out)
    assert answer["overall"]["success@1"] == 1.0
    assert [q["rank"] for q in answer["queries"]] == [1, 1]
    assert answer["queries"][0]["hits"][0]["anchor"] == "fin"
    assert set(answer["slices"]) == {"NO ANSWER", "fr"}
    assert answer["scorecard"]["same language"]["success@1"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert answer["scorecard"]["no accents"]["n"] == 1
    call_command("evaluate_search", file, "--misses")
    assert "success@1" in capsys.readouterr().out


@pytest.mark.django_db
def test_several_files_count_as_one_set_and_each_is_a_slice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_rules(make_game("Boum"), "## Fin\n\nLe dernier pétard arrête la partie aussitôt.")
    sync.sync()
    for name, query in (("a", "qui arrête la partie"), ("b", "dernier pétard")):
        (tmp_path / f"{name}.tsv").write_text(HEAD + f"{query}\tfr\tBoum\tpétard\t\n", encoding="utf-8")
    call_command("evaluate_search", tmp_path / "a.tsv", tmp_path / "b.tsv", "--json", "--quick")
    answer = json.loads(capsys.readouterr().out)
    assert answer["overall"]["n"] == 2
    assert {name: row["n"] for name, row in answer["slices"].items()} == {"a.tsv": 1, "b.tsv": 1, "fr": 2}
    assert "no accents" not in answer["scorecard"]


@pytest.mark.parametrize("content", ["query\tnote\nx\ty\n", "\udcff"])
def test_a_file_that_cannot_be_read_is_refused_in_words(tmp_path: Path, content: str) -> None:
    file = tmp_path / "bad.tsv"
    file.write_bytes(content.encode("utf-8", "surrogateescape"))
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("evaluate_search", file)


def test_the_handed_judgments_are_read(shared: Path) -> None:
    seeds = read_judgments(shared / "cases" / "queries-seeds.tsv")
    assert len(seeds) == 25
    assert sum("CROSS-LANGUAGE" in j.slices() for j in seeds) == 4
