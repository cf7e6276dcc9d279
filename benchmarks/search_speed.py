"""How fast search is: ours beside plain Whoosh, SQLite FTS5 and tantivy, on the same made-up passages.

    python -m benchmarks.search_speed [--sizes 1000 15000] [--questions 200] [--keep FOLDER] [--write]

Each engine and size is measured in a process of its own, so that memory and caches are its own: one process
builds, a fresh one asks. Times are CPU milliseconds, each question asked once after others have warmed up
what a server keeps warm; so another program on the machine changes them less. `--write` puts the tables into
docs/search-speed.md; `--keep` leaves what was built in a folder, and the next run only asks.
"""

import argparse
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from benchmarks.speed_corpus import beginnings, library, questions
from benchmarks.speed_engines import ENGINES, Engine, Ours
from benchmarks.speed_server import edits_visible_ms

NOTE = Path(__file__).resolve().parent.parent / "docs" / "search-speed.md"
BEGIN, END = "<!-- figures: written by benchmarks/search_speed.py -->", "<!-- end of figures -->"
SIZES = (1_000, 15_000)
QUESTIONS, WARMING, EDITS = 200, 60, 7
WARM_SEED, ASK_SEED = 1, 2
KINDS = {"named": "game named", "unnamed": "no game named", "typing": "suggestions"}

Figures = dict[str, Any]


def main() -> None:
    """Measure, print, and write where told."""
    asked = _options()
    if asked.step:
        print(json.dumps(STEPS[asked.step](asked)))
        return
    started = datetime.now(UTC)
    table = "\n\n".join(
        _of_size(size, count=asked.questions, names=asked.engines, keep=asked.keep) for size in asked.sizes
    )
    whole = f"{_circumstances(started)}\n\n{table}"
    print(whole)
    if asked.write:
        before, _, rest = NOTE.read_text("utf-8").partition(BEGIN)
        NOTE.write_text(f"{before}{BEGIN}\n\n{whole}\n\n{END}{rest.partition(END)[2]}", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=SIZES, help="passages, e.g. 1000 15000 100000"
    )
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--engines", nargs="+", default=list(ENGINES), choices=list(ENGINES))
    parser.add_argument("--keep", type=Path, help="a folder for what is built, for the next run")
    parser.add_argument("--write", action="store_true", help=f"into {NOTE.name}")
    # What the processes of their own are told.
    parser.add_argument("--step", choices=list(STEPS), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


# --- in a process of its own -------------------------------------------------------------------


def _fill(asked: argparse.Namespace) -> Figures:
    engine = ENGINES[asked.engines[0]](asked.folder)
    if isinstance(engine, Ours):
        engine.fill(library(asked.sizes[0]))
    return {}


def _build(asked: argparse.Namespace) -> Figures:
    games = list(library(asked.sizes[0]))
    engine = ENGINES[asked.engines[0]](asked.folder)
    before, cpu = time.perf_counter(), time.process_time()
    engine.build(games)
    size = sum(path.stat().st_size for path in engine.index.rglob("*") if path.is_file())
    return {
        "build_s": time.perf_counter() - before,
        "build_cpu_s": time.process_time() - cpu,
        "index_mb": size / 1e6,
    }


def _ask(asked: argparse.Namespace) -> Figures:
    games = list(library(asked.sizes[0]))
    engine: Engine = ENGINES[asked.engines[0]](asked.folder)
    base = _megabytes()
    if isinstance(engine, Ours):
        engine.warm()
    warm = questions(games, WARMING, seed=WARM_SEED)
    cold = questions(games, asked.questions, seed=ASK_SEED)
    started = beginnings(games, WARMING, seed=WARM_SEED), beginnings(games, asked.questions, seed=ASK_SEED)
    figures: Figures = {
        "named": _timed(lambda q: engine.ask(q, is_named=True), warm, cold),
        "unnamed": _timed(lambda q: engine.ask(q, is_named=False), warm, cold),
        "typing": _timed(lambda t: engine.begin(*t), *started),
    }
    return figures | {"memory_mb": _megabytes() - base}


def _edit(asked: argparse.Namespace) -> Figures:
    engine = ENGINES[asked.engines[0]](asked.folder)
    # Other texts than in an earlier run on the same folder: its words would be found already.
    first = int(time.time()) % 100 * EDITS
    engine.edit(first)
    times = []
    for number in range(first + 1, first + EDITS):
        before = time.perf_counter()
        assert engine.edit(number), "what was edited is not found"
        times.append(1000 * (time.perf_counter() - before))
    return {"visible_ms": median(times)}


def _serve(asked: argparse.Namespace) -> Figures:
    if not isinstance(ENGINES[asked.engines[0]](asked.folder), Ours):
        return {}
    return {"served_ms": median(edits_visible_ms(asked.folder, count=EDITS))}


STEPS: dict[str, Callable[[argparse.Namespace], Figures]] = {
    "fill": _fill,
    "build": _build,
    "ask": _ask,
    "edit": _edit,
    "serve": _serve,
}


def _timed(ask: Callable[[Any], int], warm: Sequence[Any], cold: Sequence[Any]) -> Figures:
    """p50, p95 and the longest in CPU ms, the same by the clock, and how many found nothing."""
    for question in warm:
        ask(question)
    gc.collect()
    cpu_ms, wall_ms, empty = [], [], 0
    for question in cold:
        wall, cpu = time.perf_counter(), time.process_time()
        empty += not ask(question)
        cpu_ms.append(1000 * (time.process_time() - cpu))
        wall_ms.append(1000 * (time.perf_counter() - wall))
    return {"cpu": _points(cpu_ms), "wall": _points(wall_ms), "empty": empty}


def _points(times: list[float]) -> list[float]:
    return [median(times), quantiles(times, n=20)[-1], max(times)]


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# --- the run -----------------------------------------------------------------------------------


def _of_size(size: int, *, count: int, names: Sequence[str], keep: Path | None) -> str:
    found: dict[str, Figures] = {}
    missing = []
    for name in names:
        if name == "tantivy" and not _tantivy():
            missing.append(
                "tantivy is not installed (`pip install -r requirements-bench.txt`): not measured."
            )
            continue
        with tempfile.TemporaryDirectory(prefix="search-speed-") as passing:
            folder = keep / f"{size}-{name.replace(' ', '-')}" if keep else Path(passing)
            found[name] = _measured(name, size=size, count=count, folder=folder)
        print(f"{size} passages, {name}: done", file=sys.stderr)
    return "\n\n".join([f"### {size:,} passages", _table(found), *missing])


def _measured(name: str, *, size: int, count: int, folder: Path) -> Figures:
    """Built once: its figures stand beside what was built."""
    built = folder / "built.json"
    figures: Figures = json.loads(built.read_text("utf-8")) if built.exists() else {}
    folder.mkdir(parents=True, exist_ok=True)
    for step in [s for s in STEPS if not figures or s not in ("fill", "build")]:
        figures |= _step(step, name, size=size, count=count, folder=folder)
        if step == "build":
            built.write_text(json.dumps(figures), "utf-8")
    return figures


def _step(step: str, name: str, *, size: int, count: int, folder: Path) -> Figures:
    command = [sys.executable, "-m", "benchmarks.search_speed", "--step", step, "--folder", str(folder)]
    command += ["--engines", name, "--sizes", str(size), "--questions", str(count)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


def _tantivy() -> str:
    try:
        return version("tantivy")
    except PackageNotFoundError:
        return ""


def _circumstances(started: datetime) -> str:
    load = " ".join(f"{n:.1f}" for n in os.getloadavg())
    return (
        f"Measured {started:%Y-%m-%d %H:%M} UTC on {os.cpu_count()} cores with Python"
        f" {sys.version.split()[0]}, load {load} (1, 5, 15 minutes); Whoosh {version('Whoosh')},"
        f" tantivy {_tantivy() or 'not installed'}. CPU ms unless said otherwise."
    )


def _table(found: dict[str, Figures]) -> str:
    ours = found.get("Ludotheca")
    head = ["", *found, *(f"ours / {name}" for name in found if ours and name != "Ludotheca")]
    rows: list[tuple[str, Callable[[Figures], float | None], str]] = [
        (f"{label}, {point}", partial(_point, kind, i), ".1f")
        for kind, label in KINDS.items()
        for i, point in enumerate(("p50", "p95", "longest"))
    ]
    rows += [
        ("build, CPU s", lambda f: f["build_cpu_s"], ".1f"),
        ("index, MB", lambda f: f["index_mb"], ".1f"),
        ("memory gained while asking, MB", lambda f: f["memory_mb"], ".0f"),
        ("an edit is visible, ms by the clock", lambda f: f["visible_ms"], ".0f"),
        ("the same in the running library, from one browser to another", lambda f: f.get("served_ms"), ".0f"),
    ]
    lines = [_row(head), _row(["---"] * len(head))]
    for label, value, shape in rows:
        values = {name: value(f) for name, f in found.items()}
        own = values.get("Ludotheca")
        cells = ["" if n is None else format(n, shape) for n in values.values()]
        others = [n for name, n in values.items() if ours and name != "Ludotheca"]
        ratios = [f"{own / other:.2g}" if own and other else "" for other in others]
        lines.append(_row([label, *cells, *ratios]))
    return "\n".join(lines)


def _point(kind: str, place: int, figures: Figures) -> float:
    return float(figures[kind]["cpu"][place])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
