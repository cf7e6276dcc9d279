"""The measures of `evaluate_search` are what they say."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from search import sync
from search.evaluation import Judgment, Outcome, by_slice, figures, is_right, plain, read_judgments
from search.find import PassageHit, PassageResults
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
    call_command("evaluate_search", file, "--misses")
    assert "success@1" in capsys.readouterr().out


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
