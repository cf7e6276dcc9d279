"""Any sequence of things that two desks may do, the clock going on: after each, all invariants hold.

Refusals are answers. Any other exception is a fault, and so is a contradiction between rows and journals
(see `invariants`). `LUDOTHECA_STORM=1000` looks for longer, with that many mornings.
"""

import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from catalogue import components
from catalogue.components import ComponentDraft
from catalogue.models import Branch, Component, Copy
from loans import (
    bookings,
    closures,
    counting,
    desk,
    games_day,
    holds,
    ledger,
    sets,
    transfers,
)
from loans.act import Act, Refused
from loans.bookings import BookingDraft
from loans.closures import Change, ClosureDraft
from loans.ledger import Method
from loans.models import (
    ACTIVE,
    Booking,
    BookingState,
    Closure,
    CountState,
    DeskAction,
    DeskEvent,
    Entry,
    GamesDay,
    Hold,
    Loan,
    Member,
    MissingPiece,
    PieceCount,
    PieceDecision,
    Transfer,
)
from loans.rules import Term
from tests.loans.invariants import broken
from tests.make import (
    NOON,
    make_copy,
    make_game,
    make_household,
    make_member,
    make_opening,
    make_policy,
    make_user,
)

pytestmark = pytest.mark.django_db

MORNINGS = int(os.environ.get("LUDOTHECA_STORM", "12"))
BOXES, CARDS, DESKS = range(5), range(4), range(2)

boxes, cards, desks = st.sampled_from(BOXES), st.sampled_from(CARDS), st.sampled_from(DESKS)
which = st.integers(0, 6)
"""Which of the rows that there are: the number of one, counted round and round."""


class Library:
    """Two branches, two games with five boxes, four cards of three families, and what all of it costs."""

    def __init__(self) -> None:
        self.volunteers = [make_user("manager") for _ in DESKS]
        self.games = [make_game(title, contents="2 pions, 1 plateau") for title in ("Finca", "Hanabi")]
        places = ((0, "North"), (0, "North"), (0, "South"), (1, "North"), (1, "South"))
        self.boxes = [make_copy(self.games[game], branch=branch) for game, branch in places]
        martins = make_household()
        self.cards = [
            make_member("Camille Martin", household=martins),
            make_member("Lou Martin", household=martins),
        ]
        self.cards += [make_member("Ana Silva"), make_member("Jo Keller")]
        for game in self.games:
            for piece in components.of(game):
                components.correct(piece, ComponentDraft(name=piece.name, count=piece.count, price_cents=150))
        make_opening("FREQ=WEEKLY;BYDAY=WE,SA")
        make_policy(max_loans=3, fee_per_loan=100, fee_per_day=3, late_fee_per_day=20, late_fee_cap=300)
        make_policy(deposit=500, max_holds=2, hold_shelf_days=4)


class Morning(RuleBasedStateMachine):
    """What may happen, one rule each; `may` lets the desk say no."""

    library: Library

    def __init__(self) -> None:
        super().__init__()
        self._all_of_it = transaction.atomic()
        self._all_of_it.__enter__()
        self.now = NOON
        self.scans = 0
        self.last: Callable[[], object] | None = None

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self._all_of_it.__exit__(None, None, None)

    # --- who and when ----------------------------------------------------------------------------

    def act(self, by: int) -> Act:
        """A scan of its own, a good minute after the last."""
        self.scans += 1
        self.now += timedelta(seconds=70)
        return Act(by=self.library.volunteers[by], now=self.now, nonce=f"scan-{self.scans}")

    def may(self, action: Callable[[], object]) -> None:
        """Do it, if the desk allows it."""
        self.last = action
        try:
            action()
        except (Refused, ledger.Refused, closures.PlanChanged):
            return

    def box(self, number: int) -> Copy:
        return Copy.objects.get(pk=self.library.boxes[number].pk)

    def card(self, number: int) -> Member:
        return Member.objects.get(pk=self.library.cards[number].pk)

    @staticmethod
    def one_of(rows: Any, number: int) -> Any:
        """One of the rows, if there is any."""
        found = list(rows.order_by("pk"))
        return found[number % len(found)] if found else None

    @rule(
        by=st.sampled_from([timedelta(minutes=1), timedelta(hours=3), timedelta(days=1), timedelta(days=9)])
    )
    def time_passes(self, by: timedelta) -> None:
        self.now += by

    @rule()
    def the_last_scan_comes_again(self) -> None:
        """Nothing is done twice."""
        if self.last is None:
            return
        before = self.written()
        self.may(self.last)
        assert self.written() == before

    @staticmethod
    def written() -> tuple[int, ...]:
        """How many rows of every journal there are."""
        return tuple(
            model.objects.count() for model in (DeskEvent, Loan, Entry, Hold, Booking, Transfer, MissingPiece)
        )

    # --- the desk --------------------------------------------------------------------------------

    @rule(
        box=boxes,
        card=cards,
        by=desks,
        term=st.sampled_from([Term.USUAL, Term.USUAL, Term.HOUSE, Term.NEXT_OPENING]),
    )
    def lend(self, box: int, card: int, by: int, term: Term) -> None:
        act = self.act(by)
        self.may(lambda: desk.lend(self.box(box), self.card(card), act=act, term=term))

    @rule(box=boxes, card=cards, by=desks)
    def scan(self, box: int, card: int, by: int) -> None:
        act = self.act(by)
        self.may(lambda: desk.scan_copy(self.box(box), self.card(card), act=act))

    @rule(box=boxes, by=desks)
    def check_in(self, box: int, by: int) -> None:
        act = self.act(by)
        self.may(lambda: desk.check_in(self.box(box), act=act))

    @rule(
        box=boxes, by=desks, ago=st.sampled_from([timedelta(hours=5), timedelta(days=2), timedelta(days=12)])
    )
    def book_drop(self, box: int, by: int, ago: timedelta) -> None:
        act = self.act(by)
        self.may(lambda: desk.check_in(self.box(box), act=act, returned_at=act.now - ago))

    @rule(number=which, by=desks)
    def renew(self, number: int, by: int) -> None:
        loan = self.one_of(Loan.objects.filter(returned_at=None), number)
        if loan:
            act = self.act(by)
            self.may(lambda: desk.renew(loan, act=act))

    @rule(card=cards, by=desks)
    def renew_all(self, card: int, by: int) -> None:
        act = self.act(by)
        self.may(lambda: sets.renew_all(self.card(card), act=act))

    @rule(box=boxes, card=cards, by=desks)
    def swap(self, box: int, card: int, by: int) -> None:
        act = self.act(by)
        self.may(lambda: sets.swap(self.box(box), self.card(card), act=act))

    @rule(back=st.integers(0, 3), by=desks)
    def undo(self, back: int, by: int) -> None:
        """The last change, or one a little before it."""
        events = list(DeskEvent.objects.filter(action__in=desk.CHANGES).order_by("-pk")[: back + 1])
        if events:
            act = self.act(by)
            self.may(lambda: desk.undo(events[-1], act=act))

    # --- the queue, bookings, branches -------------------------------------------------------------

    @rule(game=st.sampled_from([0, 0, 1]), card=cards, by=desks, at=st.sampled_from(["", "North", "South"]))
    def place_hold(self, game: int, card: int, by: int, at: str) -> None:
        act, branch = self.act(by), Branch.objects.filter(name=at).first()
        self.may(lambda: holds.place_hold(self.library.games[game], self.card(card), act=act, branch=branch))

    @rule(
        number=which,
        to=st.integers(1, 3),
        by=desks,
        what=st.sampled_from(["cancel", "move", "shelve", "shelve"]),
    )
    def handle_hold(self, number: int, to: int, by: int, what: str) -> None:
        hold = self.one_of(Hold.objects.filter(state__in=ACTIVE), number)
        if hold:
            act = self.act(by)
            deeds: dict[str, Callable[[], object]] = {
                "cancel": lambda: holds.cancel(hold, act=act),
                "move": lambda: holds.move(hold, to, act=act, reason="a reason"),
                "shelve": lambda: holds.shelve(hold, act=act),
            }
            self.may(deeds[what])

    @rule()
    def night(self) -> None:
        holds.expire_holds(self.now)

    @rule(
        game=st.sampled_from([0, 1]),
        card=cards,
        by=desks,
        copies=st.integers(1, 3),
        ahead=st.integers(0, 30),
        days=st.integers(0, 9),
    )
    def book(self, game: int, card: int, by: int, copies: int, ahead: int, days: int) -> None:
        act = self.act(by)
        first = act.now.date() + timedelta(days=ahead)
        draft = BookingDraft(
            game=self.library.games[game],
            member=self.card(card),
            copies=copies,
            from_on=first,
            to_on=first + timedelta(days=days),
        )
        self.may(lambda: bookings.book(draft, act=act))

    @rule(number=which, by=desks)
    def cancel_booking(self, number: int, by: int) -> None:
        booking = self.one_of(Booking.objects.filter(state=BookingState.PLANNED), number)
        if booking:
            act = self.act(by)
            self.may(lambda: bookings.cancel(booking, act=act))

    @rule(box=boxes, to=st.sampled_from(["North", "South"]), by=desks)
    def send(self, box: int, to: str, by: int) -> None:
        act, branch = self.act(by), Branch.objects.get(name=to)
        self.may(lambda: transfers.send(self.box(box), branch, act=act))

    @rule(box=boxes, by=desks)
    def receive(self, box: int, by: int) -> None:
        act = self.act(by)
        self.may(lambda: transfers.receive(self.box(box), act=act))

    # --- pieces ----------------------------------------------------------------------------------

    @rule(number=which, by=desks, missing=st.integers(0, 2), piece=st.integers(0, 1))
    def count(self, number: int, by: int, missing: int, piece: int) -> None:
        back = self.one_of(DeskEvent.objects.filter(action=DeskAction.CHECK_IN, undone_by=None), number)
        if back:
            act, part = self.act(by), self.pieces(back.copy)[piece]

            def counted() -> object:
                count = counting.count_of(back, act=act)
                return counting.missing(count, part, missing, act=act)

            self.may(counted)

    @staticmethod
    def pieces(copy: Copy) -> list[Component]:
        return components.of(copy.game)

    @rule(number=which, by=desks)
    def complete(self, number: int, by: int) -> None:
        count = self.one_of(PieceCount.objects.exclude(state=CountState.VOID), number)
        if count:
            act = self.act(by)
            self.may(lambda: counting.complete(count, act=act))

    @rule(
        number=which,
        by=desks,
        decision=st.sampled_from(list(PieceDecision)),
        cents=st.sampled_from([0, 150, 300]),
    )
    def decide(self, number: int, by: int, decision: PieceDecision, cents: int) -> None:
        piece = self.one_of(MissingPiece.objects.filter(end=""), number)
        if piece:
            act = self.act(by)
            self.may(lambda: counting.decide(piece, decision, charge_cents=cents, act=act))

    @rule(number=which, by=desks, what=st.sampled_from(["found", "found one", "give up", "unknown"]))
    def settle(self, number: int, by: int, what: str) -> None:
        piece = self.one_of(MissingPiece.objects.filter(end=""), number)
        if piece:
            act = self.act(by)
            deeds: dict[str, Callable[[], object]] = {
                "found": lambda: counting.found(piece, act=act),
                "found one": lambda: counting.found(piece, act=act, quantity=1),
                "give up": lambda: counting.give_up(piece, act=act),
                "unknown": lambda: counting.lost_with(piece, None, act=act),
            }
            self.may(deeds[what])

    # --- money -----------------------------------------------------------------------------------

    @rule(
        card=cards,
        by=desks,
        cents=st.sampled_from([100, 250, 900]),
        what=st.sampled_from(["pay", "receive", "top up", "prepaid", "pay out", "deposit back", "keep"]),
    )
    def pay(self, card: int, by: int, cents: int, what: str) -> None:
        act, account = self.act(by), ledger.account_of(self.card(card))
        deeds: dict[str, Callable[[], object]] = {
            "pay": lambda: ledger.pay(account, Method.CASH, cents, act=act),
            "receive": lambda: ledger.receive(account, Method.CASH, cents, act=act),
            "top up": lambda: ledger.top_up(account, Method.CARD, cents, act=act),
            "prepaid": lambda: ledger.pay_prepaid(account, cents, act=act),
            "pay out": lambda: ledger.pay_out(account, Method.CASH, cents, act=act),
            "deposit back": lambda: ledger.give_deposit_back(account, cents, act=act),
            "keep": lambda: ledger.keep_deposit(account, cents, act=act, note="broken"),
        }
        self.may(deeds[what])

    @rule(number=which, by=desks)
    def reverse(self, number: int, by: int) -> None:
        """One of the latest entries."""
        entries = list(Entry.objects.order_by("-pk")[: number + 1])
        if entries:
            act = self.act(by)
            self.may(lambda: ledger.reverse(entries[-1], act=act))

    # --- closures, games days ------------------------------------------------------------------------

    @rule(ahead=st.integers(0, 25), days=st.integers(0, 12), by=desks, at=st.sampled_from(["", "North"]))
    def close_the_branch(self, ahead: int, days: int, by: int, at: str) -> None:
        first, branch = self.now.date() + timedelta(days=ahead), Branch.objects.filter(name=at).first()
        draft = ClosureDraft(first_on=first, last_on=first + timedelta(days=days), branch=branch)
        by_whom = self.library.volunteers[by]
        self.may(lambda: closures.apply(Change(new=(draft,)), by=by_whom, now=self.now))

    @rule(number=which, by=desks)
    def lift(self, number: int, by: int) -> None:
        closure = self.one_of(Closure.objects.filter(lifted_at=None), number)
        if closure:
            by_whom = self.library.volunteers[by]
            self.may(lambda: closures.apply(Change(old=closure), by=by_whom, now=self.now))

    @rule(box=boxes, by=desks, badges=st.sampled_from([(), ("17",), ("17", "18")]))
    def play(self, box: int, by: int, badges: tuple[str, ...]) -> None:
        act = self.act(by)
        day = GamesDay.objects.filter(closed_at=None).first() or games_day.open_day("Night", now=act.now)
        code = self.library.boxes[box].barcode
        self.may(lambda: games_day.scan_code(day, code, badges, act=act))

    @rule(by=desks)
    def end_of_the_games_day(self, by: int) -> None:
        day = GamesDay.objects.filter(closed_at=None).first()
        if day:
            act = self.act(by)
            self.may(lambda: games_day.close(day, act=act))

    # --- what holds --------------------------------------------------------------------------------

    @invariant()
    def nothing_contradicts(self) -> None:
        assert broken() == []


def test_any_morning_leaves_the_books_the_queue_and_the_boxes_in_agreement() -> None:
    Morning.library = Library()
    run_state_machine_as_test(
        Morning,
        settings=settings(
            max_examples=MORNINGS, stateful_step_count=40, suppress_health_check=list(HealthCheck)
        ),
    )
