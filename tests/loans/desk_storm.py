"""What a desk does in a storm: everything that may be done, on the same few boxes and cards as all others.

Commands of `desk_process`. Each action has a nonce of its own; what was answered is told together with what
must now stand in the journal and in the books, so that the test can look for it there.
"""

import logging
import random
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from catalogue import components
from catalogue.models import Copy
from loans import counting, desk, holds, ledger, sets
from loans.act import Act, Done, Refused
from loans.ledger import Method
from loans.models import ACTIVE, DeskAction, DeskEvent, Entry, Hold, Loan, Member
from tests.loans import invariants

Answer = dict[str, Any]


@dataclass
class Kept:
    """What one desk was told. `journal` and `books`: the nonces that must stand there, each once."""

    answered: int = 0
    journal: list[str] = field(default_factory=list)
    books: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def note(self, answer: object) -> None:
        """An answer, done or refused."""
        self.answered += 1
        event = answer.event if isinstance(answer, Done | Refused) else None
        if event and not getattr(answer, "repeated", False):
            self.journal.append(event.nonce)
        elif isinstance(answer, Entry):
            self.books.append(answer.nonce)


class _Retries(logging.Handler):
    """Counts how often the database sent an action back to its beginning."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:  # noqa: ARG002 - the logging's signature
        """One more."""
        _Retries.count += 1


logging.getLogger("loans.transaction").addHandler(_Retries())


def storm(seed: int, actions: int, copies: list[str], cards: list[str]) -> Answer:
    """So many actions, one after the other, as chance has it."""
    luck = random.Random(seed)  # noqa: S311 - a repeatable mixture
    by, kept = User.objects.get(username="volunteer"), Kept()
    for number in range(actions):
        what = luck.choice(DEEDS)
        begin = time.monotonic()
        act = Act(by=by, now=timezone.now(), nonce=f"storm-{seed}-{number}")
        try:
            kept.note(what(luck.choice(copies), luck.choice(cards), act))
        except Refused as refused:
            kept.note(refused)
        except Exception as error:
            kept.wrong.append(f"{what.__name__}: {error!r}")
        kept.slowest = max(kept.slowest, time.monotonic() - begin)
    return {**vars(kept), "retries": _Retries.count}


def aftermath(journal: list[str], books: list[str]) -> Answer:
    """What contradicts itself; which nonces are not where they should be, or are there unasked for."""
    told = DeskEvent.objects.filter(nonce__startswith="storm-")
    booked = Entry.objects.filter(nonce__startswith="storm-")
    return {
        "broken": invariants.broken(),
        "journal": _unlike(journal, told.values_list("nonce", flat=True)),
        "books": _unlike(books, booked.values_list("nonce", flat=True)),
    }


def _unlike(expected: Iterable[str], found: Iterable[str]) -> list[str]:
    return sorted(set(expected) ^ set(found))


# --- the deeds -----------------------------------------------------------------------------------


def lend(box: str, card: str, act: Act) -> object:
    """Lend a box."""
    return desk.lend(_copy(box), _member(card), act=act)


def scan(box: str, card: str, act: Act) -> object:
    """Scan a box with a card open."""
    return desk.scan_copy(_copy(box), _member(card), act=act)


def check_in(box: str, _card: str, act: Act) -> object:
    """Take a box back."""
    return desk.check_in(_copy(box), act=act)


def swap(box: str, card: str, act: Act) -> object:
    """Lend what is still on another card."""
    return sets.swap(_copy(box), _member(card), act=act)


def renew(_box: str, card: str, act: Act) -> object:
    """Renew a loan of the card."""
    loan = Loan.objects.filter(member__card_number=card, returned_at=None).first()
    return loan and desk.renew(loan, act=act)


def undo(_box: str, _card: str, act: Act) -> object:
    """Undo the last change, whoever made it."""
    event = DeskEvent.objects.filter(action__in=desk.CHANGES, undone_by=None).first()
    return event and desk.undo(event, act=act)


def batch(box: str, card: str, act: Act) -> object:
    """Lend a list."""
    events = sets.lend_many([box], _member(card), act=act)
    return Done(events[0], repeated=events[0].nonce != f"{act.nonce}-0")


def place(box: str, card: str, act: Act) -> object:
    """Ask for a game."""
    return holds.place_hold(_copy(box).game, _member(card), act=act)


def give_up(box: str, card: str, act: Act) -> object:
    """Do not want it any more."""
    game, member = _copy(box).game, _member(card)
    hold = Hold.objects.filter(game=game, member=member, state__in=ACTIVE).first()
    return hold and holds.cancel(hold, act=act)


def pay(_box: str, card: str, act: Act) -> object:
    """Pay a franc."""
    return ledger.pay(ledger.account_of(_member(card)), Method.CASH, 100, act=act)


def count(box: str, _card: str, act: Act) -> object:
    """Count the box after its last return: complete, or a piece is missing."""
    copy = _copy(box)
    back = copy.events.filter(action=DeskAction.CHECK_IN, undone_by=None).first()
    if back is None:
        return None
    tally, piece = counting.count_of(back, act=act), components.of(copy.game)[0]
    return counting.missing(tally, piece, act.now.microsecond % 2, act=act)


DEEDS: tuple[Callable[[str, str, Act], object], ...] = (
    *(lend, lend, lend, check_in, check_in, check_in, scan, swap),
    *(renew, undo, batch, place, give_up, pay, count),
)
"""What is done; what is named more than once is done more often."""


def _copy(barcode: str) -> Copy:
    return Copy.objects.select_related("game").get(barcode=barcode)


def _member(card: str) -> Member:
    return Member.objects.select_related("household").get(card_number=card)
