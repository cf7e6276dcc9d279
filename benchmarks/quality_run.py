"""One step of `search_quality`, in a process and on a data folder of its own: import a library, or ask its
questions with one mechanism off or with a baseline in the place of our search.

Started by `search_quality` with Django set up; prints one JSON object on the last line.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management import call_command

from benchmarks.quality_baselines import asker
from benchmarks.quality_mechanisms import MECHANISMS, Baseline
from catalogue import records
from catalogue.draft import GameDraft
from catalogue.imports.ingest import Options, import_files
from catalogue.models import Game
from search import sync
from search.evaluation import (
    TITLE,
    Asker,
    Outcome,
    evaluate,
    evaluate_varied,
    figures,
    find,
    gain,
    read_judgments,
)
from search.scorecard import is_question, scorecard
from search.variations import Variation

META_GAME = re.compile(r"^game: *([^(\n]+?) *(?:\(|$)", re.MULTILINE)

Step = dict[str, Any]


def main() -> None:
    """Do the step that the first argument describes."""
    step = json.loads(sys.argv[1])
    sys.stdout.write("\n" + json.dumps(STEPS[step["step"]](step)) + "\n")


def _prepare(step: Step) -> Step:
    """A library of these files; rules with a `.meta` beside them go to the game that is named there."""
    call_command("migrate", verbosity=0)
    files = [Path(name) for name in step["files"]]
    with_meta = [path for path in files if path.with_suffix(".meta").exists()]
    reports = [import_files([path for path in files if path not in with_meta], Options())]
    reports += [import_files([path], Options(game=_game_of(path))) for path in with_meta]
    sync.rebuild()
    return {
        "problems": [str(p) for report in reports for p in report.problems],
        "games": Game.objects.count(),
    }


def _game_of(path: Path) -> Game:
    named = META_GAME.search(path.with_suffix(".meta").read_text("utf-8"))
    title = named[1] if named else path.stem
    return Game.objects.filter(title=title).first() or records.create_game(GameDraft(title=title))


def _without(step: Step) -> Step:
    """Ask with one mechanism off; without a name, with all of them on."""
    mechanism = next((m for m in MECHANISMS if m.name == step["name"]), None)
    if mechanism:
        mechanism.switch_off()
        if mechanism.is_indexed:
            sync.rebuild()
    return _measured(step, find)


def _baseline(step: Step) -> Step:
    return _measured(step, asker(Baseline(step["name"])))


def _measured(step: Step, ask: Asker) -> Step:
    judgments = list(chain.from_iterable(read_judgments(Path(name)) for name in step["judgments"]))
    outcomes = evaluate(judgments, ask)
    copies = {Variation(kind): evaluate_varied(judgments, Variation(kind), ask) for kind in step["copies"]}
    gains = [gain(o.rank) for o in outcomes if is_question(o)]
    rows = {row.name: row for row in scorecard(outcomes, copies)}
    return {
        "rows": {
            n: {m: asdict(e) for m, e in row.measures.items()} | {"n": row.n} for n, row in rows.items()
        },
        "gains": gains,
        "typo_ndcg": _mean_gain(copies.get(Variation.ONE_TYPO, [])),
        **{name: value for name, value in figures(outcomes).items() if name.endswith("_ms")},
    }


def _mean_gain(outcomes: list[Outcome]) -> float | None:
    gains = [gain(o.rank) for o in outcomes if TITLE not in o.judgment.slices()]
    return sum(gains) / len(gains) if gains else None


STEPS: dict[str, Callable[[Step], Step]] = {"prepare": _prepare, "without": _without, "baseline": _baseline}
