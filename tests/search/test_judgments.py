"""The held-out questions are sound: every snippet stands in a passage of the game that it is judged for."""

from collections import defaultdict
from pathlib import Path

import pytest
from django.core.management import call_command

from catalogue.models import Game, RulesText
from catalogue.text import name_key
from search.evaluation import ANY_TEXT, plain, read_judgments
from search.passages import cut

FOLDER = Path(__file__).parent / "judgments"


def passages() -> dict[str, list[str]]:
    """What the passages of each game say, their headings with them."""
    found: dict[str, list[str]] = defaultdict(list)
    for text in RulesText.objects.select_related("game"):
        current = text.current
        assert current is not None
        bodies = [plain("\n".join((*p.path, p.body))) for p in cut(current.body)]
        found[name_key(text.game.title)] += bodies
    return found


@pytest.mark.django_db
def test_every_held_out_snippet_stands_in_a_passage_of_its_game() -> None:
    call_command("import_records", *sorted(str(path) for path in (FOLDER / "texts").iterdir()))
    shown, titles = passages(), {name_key(game.title) for game in Game.objects.all()}
    judgments = read_judgments(FOLDER / "heldout.tsv")
    assert {j.game for j in judgments if j.game and name_key(j.game) not in titles} == set()
    astray = [
        (judgment.query, snippet)
        for judgment in judgments
        for snippet in judgment.snippets
        if snippet != ANY_TEXT and not any(plain(snippet) in body for body in shown[name_key(judgment.game)])
    ]
    assert astray == []


@pytest.mark.parametrize("name", ["library-a.tsv", "library-b.tsv", "heldout.tsv"])
def test_every_line_has_its_five_columns_and_no_question_stands_twice(name: str) -> None:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    assert {line.count("\t") for line in lines} == {4}
    queries = [line.split("\t")[0] for line in lines]
    assert len(queries) == len(set(queries))
