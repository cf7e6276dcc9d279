"""Any sequence of things that two desks may do, the clock going on: after each, all invariants hold.

Refusals are answers. Any other exception is a fault, and so is a contradiction between rows and journals
(see `invariants`). `LUDOTHECA_STORM=1000` looks for longer, with that many mornings.
"""

import os
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from catalogue import components
from catalogue.components import ComponentDraft
from catalogue.models import Branch, Copy
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
    DeskAction,
    DeskEvent,
    Entry,
    GamesDay,
    Hold,
    Loan,
    Member,
    MissingPiece,
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

PAYMENTS = ("pay", "receive", "top up", "prepaid", "pay out", "deposit back", "keep")

boxes, cards, desks = st.sampled_from(BOXES), st.sampled_from(CARDS), st.sampled_from(DESKS)
games, branches = st.sampled_from([0, 0, 1]), st.sampled_from(["", "North", "South"])
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
        except (Refused, closures.PlanChanged):
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

    @rule(box=boxes, card=cards, by=desks, term=st.sampled_from([Term.USUAL, Term.HOUSE, Term.NEXT_OPENING]))
    def lend(self, box: int, card: int, by: int, term: Term) -> None:
        act = self.act(by)
        self.may(lambda: desk.lend(self.box(box), self.card(card), act=act, term=term))

    @rule(box=boxes, card=cards, by=desks, swap=st.booleans())
    def scan_or_swap(self, box: int, card: int, by: int, *, swap: bool) -> None:
        act, action = self.act(by), sets.swap if swap else desk.scan_copy
        self.may(lambda: action(self.box(box), self.card(card), act=act))

    @rule(number=which, by=desks, ago=st.sampled_from([0, 0, 5, 48, 300]))
    def bring_back(self, number: int, by: int, ago: int) -> None:
        """Over the desk, or some hours ago into the book drop."""
        loan = self.one_of(Loan.objects.filter(returned_at=None), number)
        if loan:
            act = self.act(by)
            back = act.now - timedelta(hours=ago) if ago else None
            self.may(lambda: desk.check_in(loan.copy, act=act, returned_at=back))

    @rule(number=which, by=desks, everything=st.booleans())
    def renew(self, number: int, by: int, *, everything: bool) -> None:
        loan = self.one_of(Loan.objects.filter(returned_at=None), number)
        if loan:
            act = self.act(by)
            self.may(
                lambda: sets.renew_all(loan.member, act=act) if everything else desk.renew(loan, act=act)
            )

    @rule(back=st.sampled_from([0, 0, 1, 2, 5]), by=desks)
    def undo(self, back: int, by: int) -> None:
        """The last change, or one a little before it."""
        changes = DeskEvent.objects.filter(action__in=desk.CHANGES, undone_by=None)
        events = list(changes.order_by("-pk")[: back + 1])
        if events:
            act = self.act(by)
            self.may(lambda: desk.undo(events[-1], act=act))

    # --- the queue, bookings, branches -------------------------------------------------------------

    @rule(game=games, card=cards, by=desks, at=branches)
    def place_hold(self, game: int, card: int, by: int, at: str) -> None:
        act, branch = self.act(by), Branch.objects.filter(name=at).first()
        self.may(lambda: holds.place_hold(self.library.games[game], self.card(card), act=act, branch=branch))

    @rule(number=which, to=st.integers(1, 3), by=desks, what=st.sampled_from(["cancel", "move", "shelve"]))
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

    @rule(game=games, card=cards, copies=st.integers(1, 2), ahead=st.integers(0, 20), days=st.integers(0, 9))
    def book(self, game: int, card: int, copies: int, ahead: int, days: int) -> None:
        act = self.act(0)
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

    @rule(box=boxes, by=desks)
    def on_its_way(self, box: int, by: int) -> None:
        """A box that stands somewhere is sent to the other branch; one on its way has come."""
        act, copy = self.act(by), self.box(box)
        other = Branch.objects.exclude(pk=copy.branch_id or 0)[0]
        if transfers.open_transfer(copy):
            self.may(lambda: transfers.receive(copy, act=act))
        else:
            self.may(lambda: transfers.send(copy, other, act=act))

    # --- pieces ----------------------------------------------------------------------------------

    @rule(number=which, by=desks, missing=st.integers(0, 2), piece=st.integers(0, 1))
    def count(self, number: int, by: int, missing: int, piece: int) -> None:
        back = self.one_of(DeskEvent.objects.filter(action=DeskAction.CHECK_IN, undone_by=None), number)
        if back:
            act, part = self.act(by), components.of(back.copy.game)[piece]

            def counted() -> object:
                count = counting.count_of(back, act=act)
                return (
                    counting.missing(count, part, missing, act=act)
                    if missing
                    else counting.complete(count, act=act)
                )

            self.may(counted)

    @rule(
        number=which, by=desks, decision=st.sampled_from(PieceDecision), cents=st.sampled_from([0, 150, 300])
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

    @rule(card=cards, by=desks, cents=st.sampled_from([100, 250, 900]), what=st.sampled_from(PAYMENTS))
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

    @rule(ahead=st.integers(0, 25), days=st.integers(0, 12), at=branches, lift=st.booleans())
    def close_the_branch(self, ahead: int, days: int, at: str, *, lift: bool) -> None:
        """Or open it again, if it is closed."""
        first, branch = self.now.date() + timedelta(days=ahead), Branch.objects.filter(name=at).first()
        draft = ClosureDraft(first_on=first, last_on=first + timedelta(days=days), branch=branch)
        old = self.one_of(Closure.objects.filter(lifted_at=None), ahead) if lift else None
        change = Change(old=old) if old else Change(new=(draft,))
        self.may(lambda: closures.apply(change, by=self.library.volunteers[0], now=self.now))

    @rule(box=boxes, by=desks, badges=st.sampled_from([(), ("17",), ("17", "18")]), over=st.booleans())
    def play(self, box: int, by: int, badges: tuple[str, ...], *, over: bool) -> None:
        act = self.act(by)
        day = GamesDay.objects.filter(closed_at=None).first() or games_day.open_day("Night", now=act.now)
        code = self.library.boxes[box].barcode
        self.may(lambda: games_day.scan_code(day, code, badges, act=act))
        if over:
            games_day.close(day, act=replace(act, nonce=""))

    # --- what holds --------------------------------------------------------------------------------

    @invariant()
    def nothing_contradicts(self) -> None:
        assert broken() == []


def test_any_morning_leaves_the_books_the_queue_and_the_boxes_in_agreement() -> None:
    Morning.library = Library()
    run_state_machine_as_test(
        Morning,
        settings=settings(
            max_examples=MORNINGS,
            stateful_step_count=30,
            suppress_health_check=list(HealthCheck),
            # To make thirty steps fewer takes minutes, and they are told as they were anyway.
            phases=(Phase.generate,),
        ),
    )
