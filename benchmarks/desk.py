"""How fast the desk is: lend, return, renew and the member page through a running server, at several sizes.

    python -m benchmarks.desk [--past-loans 10000 1000000] [--copies 100000] [--members 20000] [--write]
    DATABASE_URL=postgres://... python -m benchmarks.desk     # an empty database; else SQLite in a folder

By the method of the peers that were measured: one client on one connection, the CPU time that all processes
of the server (and of PostgreSQL) used for an action, read from /proc, beside the wall time that the client
saw. CPU moves far less with other programs' load, and a fixed loop timed before and after says how much: it
takes 18 ms on the idle machine of the peers' figures. Sizes stand in one run, so that growth is a ratio.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

ROOT = Path(__file__).resolve().parent.parent
NOTE = ROOT / "docs" / "desk-speed.md"
BEGIN, END = "<!-- figures on {}: written by benchmarks/desk.py -->", "<!-- end of figures on {} -->"
"""Each database has its own place in the note: a run on one leaves the other's figures alone."""
ACTIONS, WARMING, CLIENTS, BURST_SECONDS = 200, 40, 4, 8
PORT = 8973
TICK_MS = 1000 / os.sysconf("SC_CLK_TCK")

Figures = dict[str, Any]


def main() -> None:
    """Measure each size, print, and write where told."""
    asked = _options()
    if asked.step:
        print(json.dumps(_step_in_process(asked)))
        return
    started = datetime.now(UTC)
    found = {size: _of_size(asked, size) for size in asked.past_loans}
    whole = f"{_circumstances(started)}\n\n{_table(found)}"
    print(whole)
    if asked.write:
        begin, end = BEGIN.format(_database()), END.format(_database())
        before, _, rest = NOTE.read_text("utf-8").partition(begin)
        NOTE.write_text(f"{before}{begin}\n\n{whole}\n\n{end}{rest.partition(end)[2]}", "utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--past-loans", type=int, nargs="+", default=[10_000, 1_000_000])
    parser.add_argument("--copies", type=int, default=100_000)
    parser.add_argument("--members", type=int, default=20_000)
    parser.add_argument("--actions", type=int, default=ACTIONS)
    parser.add_argument("--write", action="store_true", help=f"into {NOTE.name}")
    # What the processes of their own are told.
    parser.add_argument("--step", choices=["fill", "boxes"], help=argparse.SUPPRESS)
    return parser.parse_args()


# --- in a process of its own -------------------------------------------------------------------


def _step_in_process(asked: argparse.Namespace) -> Figures:
    import django  # noqa: PLC0415 - only these processes have the database

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.contrib.auth.models import User  # noqa: PLC0415
    from django.contrib.sessions.backends.db import SessionStore  # noqa: PLC0415
    from django.core.management import call_command  # noqa: PLC0415

    from benchmarks import desk_library  # noqa: PLC0415

    if asked.step == "fill":
        call_command("migrate", verbosity=0, interactive=False)
        size = desk_library.Size(asked.copies, asked.members, asked.past_loans[0])
        desk_library.fill(size)
        return desk_library.counts()
    volunteer = User.objects.get(username="bench")
    session = SessionStore()
    session["_auth_user_id"] = str(volunteer.pk)
    session["_auth_user_backend"] = "config.staff.StaffBackend"
    session["_auth_user_hash"] = volunteer.get_session_auth_hash()
    session.save()
    return {
        "session": session.session_key,
        "boxes": desk_library.boxes(on_loan=False, count=20_000),
        "loans": desk_library.open_loans(2_000),
        "cards": desk_library.cards(4_000),
    }


def _step(step: str, asked: argparse.Namespace, size: int, env: dict[str, str]) -> Figures:
    command = [sys.executable, "-m", "benchmarks.desk", "--step", step, "--past-loans", str(size)]
    command += ["--copies", str(asked.copies), "--members", str(asked.members)]
    done = subprocess.run(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=True)
    figures: Figures = json.loads(done.stdout.splitlines()[-1])
    return figures


# --- the server and its CPU --------------------------------------------------------------------


@contextmanager
def _server(env: dict[str, str]) -> Any:
    command = [str(ROOT / ".venv" / "bin" / "gunicorn"), "-w", "2", "-k", "gthread", "--threads", "2"]
    command += ["-b", f"127.0.0.1:{PORT}", "--log-level", "error", "config.wsgi"]
    with subprocess.Popen(command, cwd=ROOT, env=env, start_new_session=True) as server:
        try:
            yield server
        finally:
            server.terminate()
            server.wait(timeout=20)


def _cpu_ms(group: int) -> float:
    """CPU milliseconds so far of the server's process group and of all PostgreSQL processes."""
    total = 0
    for entry in Path("/proc").iterdir():
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split() if entry.name.isdigit() else []
            if fields and (int(fields[2]) == group or "postgres" in (entry / "comm").read_text()):
                total += sum(map(int, fields[11:15]))
        except OSError:
            continue
    return total * TICK_MS


class Client:
    """A signed-in desk on one connection."""

    def __init__(self, session: str) -> None:
        self.session, self.token = session, uuid4().hex
        self.connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)

    def send(self, method: str, path: str, body: str, kind: str, **headers: str) -> tuple[int, bytes]:
        """One request; the CSRF cookie is the client's own word, as Django allows."""
        token = (self.token * 2)[:32]
        cookies = f"sessionid={self.session}; csrftoken={token}"
        given = {"Cookie": cookies, "X-CSRFToken": token, "Content-Type": kind} | headers
        self.connection.request(method, path, body, given)
        answer = self.connection.getresponse()
        return answer.status, answer.read()

    def api(self, path: str, **fields: Any) -> Figures:
        """A desk action over the API."""
        status, body = self.send(
            "POST", path, json.dumps(fields | {"nonce": uuid4().hex}), "application/json"
        )
        assert status in {200, 201}, (path, status, body[:300])
        answer: Figures = json.loads(body)
        return answer

    def page(self, path: str, **fields: Any) -> bytes:
        """A desk action on the page, as `desk.js` sends it."""
        form = urlencode(fields | {"nonce": uuid4().hex})
        status, body = self.send(
            "POST", path, form, "application/x-www-form-urlencoded", **{"HX-Request": "true"}
        )
        assert status == 200, (path, status, body[:300])
        return body

    def get(self, path: str) -> bytes:
        """A page."""
        status, body = self.send("GET", path, "", "text/html")
        assert status == 200, (path, status)
        return body


def _wait_for(client: Client) -> None:
    for _ in range(600):
        try:
            client.get("/desk/")
        except OSError:
            client.connection.close()
            time.sleep(0.1)
        else:
            return
    raise RuntimeError("The server does not answer.")


# --- the measurement ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Action:
    """Something done `ACTIONS` times: its name, and one doing of it."""

    name: str
    do: Callable[[int], object]


def _of_size(asked: argparse.Namespace, size: int) -> Figures:
    with tempfile.TemporaryDirectory(prefix="desk-speed-") as folder:
        env = os.environ | {"LUDOTHECA_DATA": folder, "LUDOTHECA_DEMO": "0", "ALLOWED_HOSTS": "127.0.0.1"}
        if not Path(ROOT, "staticfiles", "staticfiles.json").exists():
            manage = [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"]
            subprocess.run(manage, cwd=ROOT, env=env, check=True)
        _reset(env)
        filled = _step("fill", asked, size, env)
        print(f"{size:,} past loans: filled, {filled}", file=sys.stderr)
        given = _step("boxes", asked, size, env)
        with _server(env) as server:
            client = Client(given["session"])
            _wait_for(client)
            figures = _measure(server.pid, client, given, asked.actions)
            figures["burst"] = _burst(given)
    return figures


def _reset(env: dict[str, str]) -> None:
    """PostgreSQL: an empty schema for each size (SQLite has a folder of its own)."""
    if not env.get("DATABASE_URL", "").startswith("postgres"):
        return
    statement = (
        "import django; django.setup(); from django.db import connection;"
        "connection.cursor().execute('DROP SCHEMA public CASCADE');"
        "connection.cursor().execute('CREATE SCHEMA public')"
    )
    env = env | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    subprocess.run([sys.executable, "-c", statement], cwd=ROOT, env=env, check=True)


def _measure(group: int, client: Client, given: Figures, count: int) -> Figures:
    cards, spare = given["cards"], iter(given["boxes"])
    total = count + WARMING
    by_api = [(next(spare), cards[i]) for i in range(total)]
    by_page = [(next(spare), cards[total + i]) for i in range(total)]
    members: dict[int, str] = {}

    def open_card(i: int) -> str:
        body = client.page("/desk/scan/", scan=by_page[i][1]).decode()
        return body.partition('name="member" value="')[2].partition('"')[0]

    def lend(i: int) -> None:
        client.api("/api/loans/", barcode=by_api[i][0], card_number=by_api[i][1])

    def card(i: int) -> None:
        members[i] = open_card(i)

    steps = (
        Action("lend, API", lend),
        Action("renew, API", lambda i: client.api("/api/renewals/", loan=given["loans"][i])),
        Action("return, API", lambda i: client.api("/api/check-ins/", barcode=by_api[i][0])),
        Action("open a card, page", card),
        Action("lend, page", lambda i: client.page("/desk/scan/", scan=by_page[i][0], member=members[i])),
        Action("member page", lambda i: client.get(f"/desk/?member={members[i]}")),
        Action("return, page", lambda i: client.page("/desk/scan/", scan=by_page[i][0])),
    )
    return {step.name: _timed(group, step, count) for step in steps if _possible(step, WARMING)}


def _possible(step: Action, warming: int) -> bool:
    """Warm up; what this library's rules refuse (a renewal on the day of the loan) is left out and said."""
    try:
        for i in range(warming):
            step.do(i)
    except AssertionError as refused:
        print(f"{step.name}: not measured: {refused}", file=sys.stderr)
        return False
    return True


def _timed(group: int, step: Action, count: int) -> Figures:
    walls = []
    before = _cpu_ms(group)
    loop = _fixed_loop_ms()
    for i in range(WARMING, WARMING + count):
        start = time.perf_counter()
        step.do(i)
        walls.append(1000 * (time.perf_counter() - start))
    cpu = (_cpu_ms(group) - before) / count
    loop = (loop + _fixed_loop_ms()) / 2
    return {"cpu": cpu, "p50": median(walls), "p95": quantiles(walls, n=20)[-1], "loop": loop}


def _fixed_loop_ms() -> float:
    start, x = time.process_time(), 0
    for i in range(400_000):
        x += i * i % 7
    return 1000 * (time.process_time() - start)


def _burst(given: Figures) -> float:
    """Actions a second, lend and return in turn, by four clients on boxes of their own."""

    def work(number: int) -> int:
        client, done = Client(given["session"]), 0
        mine = given["boxes"][len(given["boxes"]) // 2 + number :: CLIENTS]
        end = time.perf_counter() + BURST_SECONDS
        for barcode in mine:
            if time.perf_counter() > end:
                break
            client.api("/api/loans/", barcode=barcode, card_number=given["cards"][-1 - number])
            client.api("/api/check-ins/", barcode=barcode)
            done += 2
        return done

    with ThreadPoolExecutor(CLIENTS) as pool:
        return sum(pool.map(work, range(CLIENTS))) / BURST_SECONDS


# --- words -------------------------------------------------------------------------------------


def _circumstances(started: datetime) -> str:
    load = " ".join(f"{n:.1f}" for n in os.getloadavg())
    return (
        f"Measured {started:%Y-%m-%d %H:%M} UTC on {os.cpu_count()} cores with Python"
        f" {sys.version.split()[0]} and {_database()}, load {load} (1, 5, 15 minutes). Milliseconds."
    )


def _database() -> str:
    return "PostgreSQL" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "SQLite"


def _table(found: dict[int, Figures]) -> str:
    sizes = list(found)
    head = ["action", *(f"{n:,} past loans: CPU / p50 / p95 (loop)" for n in sizes), "growth of CPU / loop"]
    lines = [_row(head), _row(["---"] * len(head))]
    for name in found[sizes[0]]:
        cells = [found[size].get(name) for size in sizes]
        if name == "burst":
            shown = [f"{cell:.0f} actions a second, {CLIENTS} clients" for cell in cells]
            lines.append(_row([name, *shown, ""]))
            continue
        shown = [
            f"{c['cpu']:.1f} / {c['p50']:.1f} / {c['p95']:.1f} ({c['loop']:.0f})" if c else "-" for c in cells
        ]
        growth = f"{_of_loop(cells[-1]) / _of_loop(cells[0]):.2f}" if cells[0] and cells[-1] else ""
        lines.append(_row([name, *shown, growth]))
    return "\n".join(lines)


def _of_loop(figures: Figures) -> float:
    return float(figures["cpu"] / figures["loop"])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
