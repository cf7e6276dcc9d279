"""A desk in a process of its own: one JSON command a line on stdin, one JSON answer a line on stdout.

Run by `test_desks_at_once` against a database that several such processes share. A command names a
function below; `at` is the instant (seconds of the epoch) at which all desks begin at once.
"""

import json
import random
import sys
import threading
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.utils import timezone  # noqa: E402
from rest_framework.test import APIRequestFactory, force_authenticate  # noqa: E402

from catalogue.models import Copy  # noqa: E402
from loans import api, closures, desk, holds  # noqa: E402
from loans.closures import Change, ClosureDraft  # noqa: E402
from loans.models import ACTIVE, Closure, DeskEvent, Hold, Loan, Member  # noqa: E402
from tests.loans.desk_storm import aftermath, storm  # noqa: E402
from tests.make import make_copy, make_game, make_household, make_member, make_policy, make_user  # noqa: E402

Answer = dict[str, Any]


def say(answer: Answer) -> None:
    """One line to the test."""
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def act(nonce: str = "") -> desk.Act:
    """An action of the one volunteer, now."""
    return desk.Act(by=User.objects.get(username="volunteer"), now=timezone.now(), nonce=nonce)


def asked(action: Callable[[], desk.Done]) -> Answer:
    """What the desk answered: a loan, or the codes of the refusal."""
    try:
        done = action()
    except desk.Refused as refused:
        return {"refused": [str(refusal.code) for refusal in refused.refusals]}
    return {"loan": done.loan.pk, "event": done.event.pk, "repeated": done.repeated}


# --- commands ------------------------------------------------------------------------------------


def prepare(copies: list[str], cards: list[str], max_loans: int = 99) -> Answer:
    """Boxes and cards for one test."""
    make_policy(max_loans=max_loans)
    if not User.objects.filter(username="volunteer").exists():
        make_user("desk", "volunteer")
    for barcode in copies:
        make_copy(barcode=barcode)
    for card in cards:
        make_member(card_number=card)
    return {}


def hot_set(copies: list[str], cards: list[str]) -> Answer:
    """Boxes of two games and cards of a household and its neighbours, with fees and deposits on all of it."""
    prepare([], [])
    make_policy(fee_per_loan=100, deposit=500, max_holds=3)
    games = [make_game(title, contents="2 pions, 1 plateau") for title in ("Finca", "Hanabi")]
    for number, barcode in enumerate(copies):
        make_copy(games[number % 2], barcode=barcode)
    household = make_household()
    for number, card in enumerate(cards):
        make_member(card_number=card, household=household if number % 2 else None)
    return {}


def lend(barcode: str, card: str, nonce: str = "") -> Answer:
    """Lend one box."""
    copy, member = Copy.objects.get(barcode=barcode), Member.objects.get(card_number=card)
    return asked(lambda: desk.lend(copy, member, act=act(nonce)))


def place(barcode: str, card: str) -> Answer:
    """Put one member in the queue for the game of a box."""
    game, member = Copy.objects.get(barcode=barcode).game, Member.objects.get(card_number=card)
    try:
        return {"position": holds.place_hold(game, member, act=act()).position}
    except desk.Refused as refused:
        return {"refused": [str(refusal.code) for refusal in refused.refusals]}


def promises(barcode: str) -> Answer:
    """The queue for the game of a box, and how many boxes are promised although they are out."""
    queue = Hold.objects.filter(game__copies__barcode=barcode, state__in=ACTIVE).order_by("position")
    broken = queue.filter(copy__loans__returned_at=None, copy__loans__isnull=False)
    return {"places": list(queue.values_list("position", flat=True)), "broken": broken.count()}


def check_in(barcode: str) -> Answer:
    """Take one box back."""
    copy = Copy.objects.get(barcode=barcode)
    return asked(lambda: desk.check_in(copy, act=act()))


def scan(barcode: str, card: str) -> Answer:
    """Scan one box with a card open."""
    copy, member = Copy.objects.get(barcode=barcode), Member.objects.get(card_number=card)
    return asked(lambda: desk.scan_copy(copy, member, act=act()))


def undo(event: int) -> Answer:
    """Undo one action."""
    done = DeskEvent.objects.get(pk=event)
    return asked(lambda: desk.undo(done, act=act()))


def lend_by_api(barcode: str, card: str) -> Answer:
    """Lend one box through the API: the status and the code of the answer."""
    request = APIRequestFactory().post(
        "/api/loans/", {"barcode": barcode, "card_number": card}, format="json"
    )
    force_authenticate(request, User.objects.get(username="volunteer"))
    response = api.Loans.as_view()(request)
    return {"status": response.status_code, "told": json.loads(response.render().content)}


def lend_in_threads(barcode: str, cards: list[str]) -> Answer:
    """Lend one box from several threads at once, each with a connection of its own."""
    barrier, answers = threading.Barrier(len(cards)), list[Answer]()

    def one(card: str) -> None:
        connection.ensure_connection()
        barrier.wait()
        answers.append(safely(lend, barcode=barcode, card=card))
        connection.close()

    threads = [threading.Thread(target=one, args=(card,)) for card in cards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return {"answers": answers}


def lend_and_wait(barcode: str, card: str) -> Answer:
    """Write a loan and stop before the commit; the test kills the process there, or sends a line."""
    with transaction.atomic():
        answer = lend(barcode, card)
        say({"written": answer})
        sys.stdin.readline()
    return answer


def close_days(first_on: str, last_on: str) -> Answer:
    """Close the library on some days; which loans move is told by `moved`."""
    days = ClosureDraft(first_on=date.fromisoformat(first_on), last_on=date.fromisoformat(last_on))
    by = User.objects.get(username="volunteer")
    return {"moves": len(closures.apply(Change(new=(days,)), by=by, now=timezone.now()).moves)}


def close_days_and_wait(first_on: str, last_on: str) -> Answer:
    """Write a closure and stop before the commit; the test kills the process there."""
    with transaction.atomic():
        say({"written": close_days(first_on, last_on)})
        sys.stdin.readline()
    return {}


def due(barcode: str, on: str = "") -> Answer:
    """When the open loan of a box is due (from now on: `on`), and how it came to that."""
    loan = Loan.objects.get(copy__barcode=barcode, returned_at=None)
    if on:
        Loan.objects.filter(pk=loan.pk).update(due_on=on)
    loan.refresh_from_db()
    return {
        "on": loan.due_on.isoformat(),
        "redatings": loan.redatings.count(),
        "closures": Closure.objects.count(),
    }


def lock_backwards(barcode: str, card: str) -> Answer:
    """Lock the member first and the copy then, as no desk does: with a desk that lends, a deadlock."""
    with transaction.atomic():
        Member.objects.select_for_update().get(card_number=card)
        say({"locked": card})
        if connection.vendor == "postgresql":
            wait_until_somebody_waits()
        Copy.objects.select_for_update().get(barcode=barcode)
    return {}


def wait_until_somebody_waits() -> None:
    """Until another connection stands in the queue for a lock."""
    with connection.cursor() as cursor:
        while True:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0]:
                return


def many(seed: int, actions: int, copies: list[str], cards: list[str]) -> Answer:
    """A busy desk: scans, returns and undos as they come. Answers with everything that was no answer."""
    luck = random.Random(seed)  # noqa: S311 - a repeatable mixture
    events, wrong = list[int](), list[str]()
    for _ in range(actions):
        box, card = {"barcode": luck.choice(copies)}, {"card": luck.choice(cards)}
        orders: list[tuple[Callable[..., Answer], Answer]] = [(lend, box | card), (scan, box | card)]
        orders += [(check_in, box)] + [(undo, {"event": event}) for event in events[-1:]]
        command, arguments = luck.choice(orders)
        answer = safely(command, **arguments)
        if "event" in answer:
            events.append(answer["event"])
        if "error" in answer:
            wrong.append(answer["error"])
    return {"wrong": wrong, "done": len(events)}


def count(barcode: str) -> Answer:
    """What stands in the database about one box."""
    loans = Loan.objects.filter(copy__barcode=barcode)
    return {
        "loans": loans.count(),
        "open": loans.filter(returned_at=None).count(),
        "events": DeskEvent.objects.filter(copy__barcode=barcode).count(),
    }


def contradictions() -> Answer:
    """Where loans and journal do not tell the same story."""
    found = []
    for copy in Copy.objects.all():
        is_out = False
        for event in DeskEvent.objects.filter(copy=copy).exclude(action="refuse").order_by("pk"):
            action = "undo " + event.undoes.action if event.undoes else event.action
            leaves = action in {"lend", "undo check_in"}
            if leaves == is_out:
                found.append(f"{copy}: {action} out of turn (event {event.pk})")
            is_out = leaves
        if is_out != copy.loans.filter(returned_at=None).exists():
            found.append(f"{copy}: the journal says {is_out}")
    return {"found": found}


COMMANDS: dict[str, Callable[..., Answer]] = {
    command.__name__: command
    for command in (
        *(place, promises, storm, aftermath, hot_set),
        *(prepare, lend, check_in, scan, undo, lend_by_api, lend_in_threads, lend_and_wait),
        *(close_days, close_days_and_wait, due),
        *(lock_backwards, many, count, contradictions),
    )
}


def safely(command: Callable[..., Answer], **arguments: Any) -> Answer:
    """The answer, or the error in place of it."""
    try:
        return command(**arguments)
    except Exception as error:
        return {"error": repr(error)}


def main() -> None:
    """Answer commands until the test closes the line."""
    connection.ensure_connection()
    for line in sys.stdin:
        order = json.loads(line)
        begin = order.pop("at", 0)
        while time.time() < begin:
            pass
        say(safely(COMMANDS[order.pop("do")], **order))


if __name__ == "__main__":
    main()
