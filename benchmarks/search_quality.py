"""How good search is: ours with all its mechanisms, without each of them, and the baselines, in one run.

    python -m benchmarks.search_quality [--shared FOLDER] [--sets held-out library] [--write]

Each row is measured in a process and on a copied data folder of its own, so that no cache carries a
mechanism over. `--shared` adds the handed sets of a folder with `seeds/` and `cases/`; `--write` puts the
tables into docs/search-quality.md.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.quality_mechanisms import MECHANISMS, Baseline, Mechanism
from search.intervals import Estimate, estimate

ROOT = Path(__file__).resolve().parent.parent
NOTE = ROOT / "docs" / "search-quality.md"
BEGIN, END = "<!-- figures: written by benchmarks/search_quality.py -->", "<!-- end of figures -->"
JUDGED = ROOT / "tests" / "search" / "judgments"
CHILD = "import django; django.setup(); from benchmarks.quality_run import main; main()"
SLIPS = ("1 typo",)
OURS, SURE = "**ours**", " \\*"
ALL_COPIES = ("no accents", "capitals", "typographic apostrophes", "1 typo", "2 typos")

Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Files of a library, and files of questions about it; `is_large` enough to tell mechanisms apart."""

    name: str
    files: tuple[Path, ...]
    judgments: tuple[Path, ...]
    is_large: bool = True


def main() -> None:
    """Measure, print, and write where told."""
    asked = _options()
    started, commit = datetime.now(UTC), _commit()
    sets = [judged for judged in _sets(asked.shared) if judged.name in (asked.sets or (judged.name,))]
    parts: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ludotheca-quality-") as folder:
        for judged in sets:
            parts.append(_of_set(judged, Path(folder), asked.jobs))
            if asked.write:
                _write("\n\n".join([_circumstances(started, commit), *parts]))
    print("\n\n".join([_circumstances(started, commit), *parts]))


def _write(tables: str) -> None:
    """Put the tables into the page, after each set: a run that breaks off leaves what it has measured."""
    before, _, rest = NOTE.read_text("utf-8").partition(BEGIN)
    NOTE.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--shared", type=Path, help="a folder with seeds/ and cases/")
    parser.add_argument("--jobs", type=int, default=2, help="rows measured at a time; 1 for times that count")
    parser.add_argument("--sets", nargs="+", help="only these sets")
    parser.add_argument("--write", action="store_true", help=f"write the tables into {NOTE.name}")
    return parser.parse_args()


def _sets(shared: Path | None) -> list[JudgedSet]:
    demo = ROOT / "fixtures" / "library"
    sets = [JudgedSet("held-out", _below(JUDGED / "texts"), (JUDGED / "heldout.tsv",))]
    if shared:
        cases = shared / "cases"
        seeds, rules = _below(shared / "seeds"), tuple(sorted(cases.glob("rules-*.txt")))
        sets += [JudgedSet("seeds", seeds, (cases / "queries-seeds.tsv",), is_large=False)]
        sets += [JudgedSet("cases", rules, (cases / "queries-rules.tsv",), is_large=False)]
    library = (JUDGED / "library-a.tsv", JUDGED / "library-b.tsv")
    return [*sets, JudgedSet("library", _below(demo), library)]


def _below(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


# --- running -----------------------------------------------------------------------------------


def _of_set(judged: JudgedSet, folder: Path, jobs: int) -> str:
    """The tables of one set."""
    prepared = folder / judged.name
    told = _step(prepared, {"step": "prepare", "files": [str(path) for path in judged.files]})
    for problem in told["problems"]:
        print(f"{judged.name}: {problem}", file=sys.stderr)
    asked = {"judgments": [str(path) for path in judged.judgments]}
    steps = {
        OURS: {"step": "without", "name": "", "copies": ALL_COPIES},
        **{name.value: {"step": "baseline", "name": name, "copies": SLIPS} for name in Baseline},
        **{f"ours without {m.name}": _without(m) for m in MECHANISMS if judged.is_large},
    }
    with ThreadPoolExecutor(jobs) as pool:
        runs = list(pool.map(lambda step: _on_a_copy(prepared, asked | step), steps.values()))
    whole = runs[0]
    for run in runs[1:]:
        run["change"] = _difference(run["gains"], whole["gains"])
    return (
        f"## Set “{judged.name}”\n\n{_scorecard(whole)}\n\n{_comparison(list(zip(steps, runs, strict=True)))}"
    )


def _without(mechanism: Mechanism) -> Figures:
    return {"step": "without", "name": mechanism.name, "copies": SLIPS if mechanism.needs_typos else ()}


def _difference(gains: Sequence[float], before: Sequence[float]) -> Estimate:
    """How nDCG@10 moves: the same questions, one by one."""
    return estimate([(now - then, 1.0) for now, then in zip(gains, before, strict=True)])


def _on_a_copy(prepared: Path, step: Figures) -> Figures:
    print(f"{prepared.name}: {step['step']} {step['name']}", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="ludotheca-quality-") as folder:
        copied = shutil.copytree(prepared, Path(folder) / "data")
        return _step(copied, step)


def _step(data: Path, step: Figures) -> Figures:
    """What a process of its own says of a step on this data folder."""
    environment = os.environ | {
        "LUDOTHECA_DATA": str(data),
        "LUDOTHECA_LOG": "error",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    environment.pop("DATABASE_URL", None)
    command = [sys.executable, "-c", CHILD, json.dumps(step)]
    done = subprocess.run(command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


# --- tables ------------------------------------------------------------------------------------


def _commit() -> str:
    """What is measured, asked before the page is written."""
    command = ["git", "describe", "--always", "--dirty"]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "an unknown commit"


def _circumstances(started: datetime, commit: str) -> str:
    minutes = (datetime.now(UTC) - started).total_seconds() / 60
    python = platform.python_version()
    return f"Measured {started:%Y-%m-%d} at {commit}, Python {python}, in {minutes:.0f} minutes."


def _scorecard(whole: Figures) -> str:
    lines = [
        _line(
            [name, row["n"], *(_interval(measure, found) for measure, found in row.items() if measure != "n")]
        )
        for name, row in whole["rows"].items()
    ]
    times = f"Each question asked once: p50 {whole['p50_ms']:.0f} ms, p95 {whole['p95_ms']:.0f} ms."
    return "\n".join(["| slice | n | measures, with 95 % intervals |", "|---|---|---|", *lines, "", times])


def _interval(measure: str, found: Figures) -> str:
    return f"{measure} {_short(found['value'])} [{_short(found['low'])}, {_short(found['high'])}]"


def _comparison(rows: Sequence[tuple[str, Figures]]) -> str:
    head = _line(["", *(name for name, _ in COLUMNS)])
    rule = _line(["---"] * (len(COLUMNS) + 1))
    lines = [_line([name, *(of(found) for _, of in COLUMNS)]) for name, found in rows]
    return "\n".join([head, rule, *lines])


def _line(cells: Sequence[object]) -> str:
    first, *rest = (str(cell) for cell in cells)
    return f"| {first} | {' | '.join(rest)} |"


def _measure(row: str, measure: str) -> Callable[[Figures], str]:
    return lambda found: _short(found["rows"].get(row, {}).get(measure, {}).get("value"))


def _change(found: Figures) -> str:
    """Against ours; starred where the interval of the difference does not hold zero."""
    change = found.get("change")
    if change is None:
        return ""
    is_sure = change.low > 0 or change.high < 0
    return f"{change.value:+.3f}" + (SURE if is_sure else "")


def _short(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}".replace("0.", ".", 1)


COLUMNS: tuple[tuple[str, Callable[[Figures], str]], ...] = (
    ("nDCG@10, all rules questions", lambda found: _short(sum(found["gains"]) / len(found["gains"]))),
    ("change", _change),
    ("same language: success@1", _measure("same language", "success@1")),
    ("nDCG@10", _measure("same language", "ndcg@10")),
    ("across: nDCG@10", _measure("across languages", "ndcg@10")),
    ("game not named: nDCG@10", _measure("game not named", "ndcg@10")),
    ("1 typo: nDCG@10", lambda found: _short(found["typo_ndcg"])),
    ("title: success@1", _measure("title", "success@1")),
    ("with a typo", _measure("title with a typo", "success@1")),
    ("wrong game first", _measure("game named", "wrong game first")),
    ("no answer flagged", _measure("no answer", "flagged")),
    ("answer wrongly flagged", _measure("answer", "wrongly flagged")),
)


if __name__ == "__main__":
    main()
