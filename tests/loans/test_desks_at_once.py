"""Several desks at once: real processes, real connections, one database, SQLite or PostgreSQL."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import psycopg
import pytest

pytestmark = [pytest.mark.processes, pytest.mark.xdist_group("desks")]
ROOT = Path(__file__).resolve().parents[2]
_numbers = count(1)


class Desk:
    """A desk process and the line to it."""

    def __init__(self, env: dict[str, str]) -> None:
        command = [sys.executable, "-m", "tests.loans.desk_process"]
        self.process = subprocess.Popen(
            command, cwd=ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def tell(self, do: str = "", **arguments: Any) -> None:
        """Send a command (or an empty line) and do not wait."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """The next answer."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the desk has died"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def ask(self, do: str, **arguments: Any) -> dict[str, Any]:
        """A command and its answer."""
        self.tell(do, **arguments)
        return self.hear()

    def kill(self) -> None:
        """As when the power fails: no cleaning up."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self) -> None:
        """End the process and its pipes."""
        self.kill()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()


@pytest.fixture(scope="module")
def shared_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment that leads to an empty database of the kind that the tests run on."""
    env = os.environ | {"LUDOTHECA_DATA": str(tmp_path_factory.mktemp("desks"))}
    env["DJANGO_SETTINGS_MODULE"] = "config.settings"
    url = os.environ.get("DATABASE_URL", "")
    name = f"desks_{uuid4().hex}"
    if url:
        env["DATABASE_URL"] = urlsplit(url)._replace(path=f"/{name}").geturl()
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f"CREATE DATABASE {name}")
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "-v0", "--skip-checks"], cwd=ROOT, env=env, check=True
    )
    yield env
    if url:
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


NewDesk = Callable[[], Desk]


@pytest.fixture(scope="module")
def idle_desks(shared_database: dict[str, str]) -> Iterator[list[Desk]]:
    """Desks that the next test may use: to start one takes longer than most tests."""
    desks: list[Desk] = []
    yield desks
    for desk in desks:
        desk.close()


@pytest.fixture
def new_desk(shared_database: dict[str, str], idle_desks: list[Desk]) -> Iterator[NewDesk]:
    """Opens a desk."""
    used: list[Desk] = []

    def opened() -> Desk:
        used.append(idle_desks.pop() if idle_desks else Desk(shared_database))
        return used[-1]

    yield opened
    alive = [desk for desk in used if desk.process.poll() is None]
    idle_desks.extend(alive)
    for desk in set(used) - set(alive):
        desk.close()


def at_once(desks: list[Desk], do: str, orders: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give every desk its order; all begin in the same instant, all answers come back."""
    for desk in desks:
        desk.ask("count", barcode="nothing yet: only whether the desk is up")
    begin = time.time() + 0.2
    for desk, order in zip(desks, orders, strict=True):
        desk.tell(do, at=begin, **order)
    return [desk.hear() for desk in desks]


def labels(number: int) -> list[str]:
    """Barcodes that no other test has."""
    return [f"7{next(_numbers):05}" for _ in range(number)]


def test_two_desks_lend_the_same_copy_in_the_same_instant_and_one_loan_is_made(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(4)]
    for _ in range(10):
        (barcode,), cards = labels(1), labels(4)
        desks[0].ask("prepare", copies=[barcode], cards=cards)
        answers = at_once(desks, "lend", [{"barcode": barcode, "card": card} for card in cards])
        assert sum("loan" in answer for answer in answers) == 1
        assert [a for a in answers if "loan" not in a] == [{"refused": ["copy_on_loan"]}] * 3
        assert desks[0].ask("count", barcode=barcode) == {"loans": 1, "open": 1, "events": 4}


def test_who_came_second_is_told_who_was_first_with_a_409(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(2)]
    (barcode,), cards = labels(1), labels(2)
    desks[0].ask("prepare", copies=[barcode], cards=cards)
    answers = at_once(desks, "lend_by_api", [{"barcode": barcode, "card": card} for card in cards])
    assert sorted(answer["status"] for answer in answers) == [201, 409]
    told = next(answer["told"] for answer in answers if answer["status"] == 409)
    assert told["code"] == "copy_on_loan"
    assert "Camille Martin" in told["detail"]


def test_threads_of_one_server_lend_one_copy_once(new_desk: NewDesk) -> None:
    desk = new_desk()
    (barcode,), cards = labels(1), labels(6)
    desk.ask("prepare", copies=[barcode], cards=cards)
    answers = desk.ask("lend_in_threads", barcode=barcode, cards=cards)["answers"]
    assert sum("loan" in answer for answer in answers) == 1
    assert sum(answer.get("refused") == ["copy_on_loan"] for answer in answers) == 5


def test_one_scan_sent_twice_at_once_is_one_loan(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(3)]
    (barcode,), (card,) = labels(1), labels(1)
    desks[0].ask("prepare", copies=[barcode], cards=[card])
    order = {"barcode": barcode, "card": card, "nonce": f"n{barcode}"}
    answers = at_once(desks, "lend", [order] * 3)
    assert len({answer["loan"] for answer in answers}) == 1
    assert sorted(answer["repeated"] for answer in answers) == [False, True, True]
    assert desks[0].ask("count", barcode=barcode)["events"] == 1


def test_one_nonce_for_two_boxes_at_once_lends_one_and_refuses_the_other(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(2)]
    copies, (card,) = labels(2), labels(1)
    desks[0].ask("prepare", copies=copies, cards=[card])
    orders = [{"barcode": barcode, "card": card, "nonce": f"n{copies[0]}"} for barcode in copies]
    answers = at_once(desks, "lend", orders)
    assert sum("loan" in answer for answer in answers) == 1
    assert {"refused": ["nonce_reused"]} in answers


def test_the_limit_holds_when_two_desks_serve_one_family(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(4)]
    copies, (card,) = labels(4), labels(1)
    desks[0].ask("prepare", copies=copies, cards=[card], max_loans=2)
    answers = at_once(desks, "lend", [{"barcode": barcode, "card": card} for barcode in copies])
    assert sum("loan" in answer for answer in answers) == 2
    assert answers.count({"refused": ["loan_limit_reached"]}) == 2


def test_a_copy_returned_at_two_desks_at_once_comes_back_once(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(2)]
    (barcode,), (card,) = labels(1), labels(1)
    desks[0].ask("prepare", copies=[barcode], cards=[card])
    desks[0].ask("lend", barcode=barcode, card=card)
    answers = at_once(desks, "check_in", [{"barcode": barcode}] * 2)
    assert sorted(answer["repeated"] for answer in answers) == [False, True]
    assert answers[0]["event"] == answers[1]["event"]


def test_an_action_undone_at_two_desks_at_once_is_undone_once(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(2)]
    (barcode,), (card,) = labels(1), labels(1)
    desks[0].ask("prepare", copies=[barcode], cards=[card])
    event = desks[0].ask("lend", barcode=barcode, card=card)["event"]
    answers = at_once(desks, "undo", [{"event": event}] * 2)
    assert sum("loan" in answer for answer in answers) == 1
    assert {"refused": ["already_undone"]} in answers


def test_a_desk_in_a_deadlock_or_behind_a_lock_lends_all_the_same(new_desk: NewDesk) -> None:
    """PostgreSQL ends the desk's first try, which waited first; on SQLite the desk only waits."""
    desk, intruder = new_desk(), new_desk()
    (barcode,), (card,) = labels(1), labels(1)
    desk.ask("prepare", copies=[barcode], cards=[card])
    assert intruder.ask("lock_backwards", barcode=barcode, card=card) == {"locked": card}
    assert "loan" in desk.ask("lend", barcode=barcode, card=card)
    assert intruder.hear() == {}


def test_a_desk_killed_between_write_and_commit_leaves_nothing_half_written(new_desk: NewDesk) -> None:
    victim, other = new_desk(), new_desk()
    (barcode,), (card,) = labels(1), labels(1)
    other.ask("prepare", copies=[barcode], cards=[card])
    assert "loan" in victim.ask("lend_and_wait", barcode=barcode, card=card)["written"]
    victim.kill()
    assert other.ask("count", barcode=barcode) == {"loans": 0, "open": 0, "events": 0}
    assert "loan" in other.ask("lend", barcode=barcode, card=card)
    assert other.ask("count", barcode=barcode) == {"loans": 1, "open": 1, "events": 1}


def test_two_closures_at_once_on_overlapping_days_leave_no_loan_due_on_a_closed_day(
    new_desk: NewDesk,
) -> None:
    desks = [new_desk() for _ in range(2)]
    for year in range(2050, 2056):
        (barcode,), (card,) = labels(1), labels(1)
        desks[0].ask("prepare", copies=[barcode], cards=[card])
        desks[0].ask("lend", barcode=barcode, card=card)
        before = desks[0].ask("due", barcode=barcode, on=f"{year}-03-03")["closures"]
        spans = [("01", "05"), ("05", "09"), ("05", "09")]
        orders = [{"first_on": f"{year}-03-{first}", "last_on": f"{year}-03-{last}"} for first, last in spans]
        at_once([*desks, third := new_desk()], "close_days", orders)
        due = third.ask("due", barcode=barcode)
        assert due["on"] == f"{year}-03-10"
        assert due["closures"] == before + 2


def test_a_closure_killed_before_its_commit_has_moved_nothing(new_desk: NewDesk) -> None:
    victim, other = new_desk(), new_desk()
    (barcode,), (card,) = labels(1), labels(1)
    other.ask("prepare", copies=[barcode], cards=[card])
    other.ask("lend", barcode=barcode, card=card)
    before = other.ask("due", barcode=barcode, on="2060-03-03")
    days = {"first_on": "2060-03-01", "last_on": "2060-03-05"}
    assert victim.ask("close_days_and_wait", **days) == {"written": {"moves": 1}}
    victim.kill()
    assert other.ask("due", barcode=barcode) == before
    assert other.ask("close_days", **days) == {"moves": 1}
    assert other.ask("close_days", **days) == {"moves": 0}
    due = other.ask("due", barcode=barcode)
    assert due == {"on": "2060-03-06", "redatings": 1, "closures": before["closures"] + 1}


def test_a_desk_killed_after_its_answer_has_kept_the_loan(new_desk: NewDesk) -> None:
    victim, other = new_desk(), new_desk()
    (barcode,), (card,) = labels(1), labels(1)
    other.ask("prepare", copies=[barcode], cards=[card])
    loan = victim.ask("lend", barcode=barcode, card=card, nonce=f"n{barcode}")["loan"]
    victim.kill()
    again = other.ask("lend", barcode=barcode, card=card, nonce=f"n{barcode}")
    assert (again["loan"], again["repeated"]) == (loan, True)


def test_a_busy_morning_at_four_desks_leaves_loans_and_journal_in_agreement(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(4)]
    copies, cards = labels(5), labels(3)
    desks[0].ask("prepare", copies=copies, cards=cards, max_loans=3)
    orders = [{"seed": seed, "actions": 40, "copies": copies, "cards": cards} for seed in range(4)]
    answers = at_once(desks, "many", orders)
    assert [answer["wrong"] for answer in answers] == [[], [], [], []]
    assert all(answer["done"] for answer in answers)
    assert desks[0].ask("contradictions") == {"found": []}


def test_four_families_who_ask_at_once_stand_one_behind_the_other(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(4)]
    (barcode,), cards = labels(1), labels(5)
    desks[0].ask("prepare", copies=[barcode], cards=cards)
    desks[0].ask("lend", barcode=barcode, card=cards[4])
    answers = at_once(desks, "place", [{"barcode": barcode, "card": card} for card in cards[:4]])
    assert sorted(answer["position"] for answer in answers) == [1, 2, 3, 4]
    assert desks[0].ask("promises", barcode=barcode) == {"places": [1, 2, 3, 4], "broken": 0}


def test_a_box_asked_for_and_lent_in_the_same_instant_is_promised_or_lent_and_not_both(
    new_desk: NewDesk,
) -> None:
    desks = [new_desk() for _ in range(2)]
    for _ in range(5):
        (barcode,), cards = labels(1), labels(2)
        desks[0].ask("prepare", copies=[barcode], cards=cards)
        for desk, card, do in zip(desks, cards, ("lend", "place"), strict=True):
            desk.tell(do, barcode=barcode, card=card, at=time.time() + 0.1)
        lent, placed = desks[0].hear(), desks[1].hear()
        assert "loan" in lent or lent == {"refused": ["copy_held_for_other"]}
        assert placed == {"position": 1}
        assert desks[0].ask("promises", barcode=barcode) == {"places": [1], "broken": 0}


STORM = int(os.environ.get("LUDOTHECA_STORM_ACTIONS", "480"))
"""How many actions the storm has; 3000 for the figures of the benchmarks."""


def test_sixteen_desks_in_a_storm_lose_nothing_and_contradict_nothing(new_desk: NewDesk) -> None:
    desks = [new_desk() for _ in range(16)]
    copies, cards = labels(6), labels(5)
    desks[0].ask("hot_set", copies=copies, cards=cards)
    share = {"actions": STORM // len(desks), "copies": copies, "cards": cards}
    begin = time.monotonic()
    answers = at_once(desks, "storm", [share | {"seed": seed} for seed in range(len(desks))])
    print(  # noqa: T201 - the figures, for whoever runs it with -s
        f"{STORM} actions in {time.monotonic() - begin:.1f} s, {sum(a['retries'] for a in answers)} retries,"
        f" the slowest action {max(a['slowest'] for a in answers):.2f} s"
    )
    assert [answer["wrong"] for answer in answers] == [[]] * len(desks)
    assert [answer["answered"] for answer in answers] == [STORM // len(desks)] * len(desks)
    kept = {name: [nonce for answer in answers for nonce in answer[name]] for name in ("journal", "books")}
    assert len(set(kept["journal"])) == len(kept["journal"])
    assert desks[0].ask("aftermath", **kept) == {"broken": [], "journal": [], "books": []}
