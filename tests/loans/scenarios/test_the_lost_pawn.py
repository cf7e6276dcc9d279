"""The lost pawn: a box comes back short, the family is charged, and the pawn turns up behind the sofa.

Each test is one way the story can end; `Saturday` tells its beginning.
"""

from datetime import timedelta

import pytest

from catalogue import components
from catalogue.components import ComponentDraft
from catalogue.models import Component, Copy
from loans import availability, care, counting, desk, ledger
from loans.care_rules import Move
from loans.models import CountState, Loan, MissingPiece, PieceDecision, PieceEnd
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_user

pytestmark = pytest.mark.django_db
WEEK = timedelta(days=7)


class Saturday:
    """Finca comes back from the Martins with 19 of its 20 farmers."""

    def __init__(self) -> None:
        self.volunteer = make_user("desk")
        self.game = make_game("Finca", contents="1 plan de jeu, 108 fruits, 20 joueurs, 1 règle de jeu")
        self.box = make_copy(self.game, barcode="1204.2")
        self.martins = make_member("Camille Martin")
        self.farmer = next(c for c in components.of(self.game) if c.name == "joueurs")
        priced = ComponentDraft(name="joueurs", count=20, price_cents=250)
        components.correct(self.farmer, priced)
        self.loan = make_loan(self.box, self.martins)
        self.now = NOON + WEEK

    def act(self) -> desk.Act:
        """What the volunteer does next, a minute later."""
        self.now += timedelta(minutes=2)
        return make_act(self.volunteer, self.now)

    def comes_back_short(self) -> MissingPiece:
        """The box is scanned, the tray is counted, one tap on the farmers."""
        back = desk.check_in(self.box, act=self.act())
        count = counting.count_of(back.event, act=self.act())
        counting.missing(count, self.farmer, 1, act=self.act())
        return MissingPiece.objects.get()

    def owed(self) -> int:
        """What the Martins owe, in cents."""
        return ledger.balance(ledger.account_of(self.martins))

    def condition(self) -> str:
        return Copy.objects.get(pk=self.box.pk).condition


@pytest.fixture
def saturday() -> Saturday:
    return Saturday()


def test_the_pawn_is_found_before_anybody_paid(saturday: Saturday) -> None:
    pawn = saturday.comes_back_short()
    assert (pawn.loan, pawn.quantity, saturday.condition()) == (saturday.loan, 1, "incomplete")

    pawn = counting.found(pawn, act=saturday.act())
    assert (pawn.end, pawn.charge_cents, saturday.condition()) == (PieceEnd.FOUND, 0, "in_service")


def test_the_family_is_charged_and_then_the_pawn_lies_behind_the_sofa(saturday: Saturday) -> None:
    pawn = saturday.comes_back_short()
    pawn = counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())
    assert (pawn.charge_cents, pawn.reversed_at, saturday.condition()) == (250, None, "incomplete")
    assert saturday.owed() == 250

    saturday.now += WEEK
    pawn = counting.found(pawn, act=saturday.act())
    assert pawn.end == PieceEnd.FOUND
    assert (pawn.charge_cents, pawn.reversed_at) == (250, saturday.now)
    assert (saturday.owed(), saturday.condition()) == (0, "in_service")


def test_what_was_paid_for_a_pawn_that_is_found_is_the_familys_credit(saturday: Saturday) -> None:
    pawn = saturday.comes_back_short()
    counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())
    ledger.pay(ledger.account_of(saturday.martins), ledger.Method.CASH, 250, act=saturday.act())
    assert saturday.owed() == 0

    counting.found(pawn, act=saturday.act())
    assert saturday.owed() == -250


def test_another_amount_is_a_new_entry_and_the_old_one_is_taken_back(saturday: Saturday) -> None:
    pawn = saturday.comes_back_short()
    for cents in (250, 100):
        pawn = counting.decide(pawn, PieceDecision.SHELF, charge_cents=cents, act=saturday.act())
    assert saturday.owed() == 100
    counting.decide(pawn, PieceDecision.SHELF, charge_cents=0, act=saturday.act())
    assert saturday.owed() == 0


def test_two_of_three_are_found_and_the_third_is_still_owed(saturday: Saturday) -> None:
    back = desk.check_in(saturday.box, act=saturday.act())
    count = counting.count_of(back.event, act=saturday.act())
    counting.missing(count, saturday.farmer, 3, act=saturday.act())
    pawns = MissingPiece.objects.get()
    counting.decide(pawns, PieceDecision.SHELF, charge_cents=750, act=saturday.act())

    counting.found(pawns, quantity=2, act=saturday.act())
    (still,) = counting.open_questions()
    assert (still.quantity, still.charge_cents, saturday.owed()) == (1, 250, 250)


def test_the_till_took_the_charge_back_already_so_finding_it_changes_nothing(saturday: Saturday) -> None:
    pawn = saturday.comes_back_short()
    pawn = counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())
    assert pawn.charge_entry is not None
    ledger.reverse(pawn.charge_entry, act=saturday.act())
    counting.found(pawn, act=saturday.act())
    assert saturday.owed() == 0


def test_the_box_goes_out_without_the_pawn_and_the_next_family_is_not_asked_for_it(
    saturday: Saturday,
) -> None:
    pawn = saturday.comes_back_short()
    counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())

    saturday.now += timedelta(minutes=2)
    make_loan(saturday.box, make_member("Aminata Diallo"), now=saturday.now)
    saturday.now += WEEK
    back = desk.check_in(saturday.box, act=saturday.act())
    counting.complete(counting.count_of(back.event, act=saturday.act()), act=saturday.act())

    pawn.refresh_from_db()
    assert (pawn.end, pawn.loan) == ("", saturday.loan)
    assert saturday.condition() == "incomplete"


def test_a_spare_out_of_the_drawer_stands_in_and_the_pawn_found_later_is_the_new_spare(
    saturday: Saturday,
) -> None:
    components.change_spares(saturday.farmer, 1)
    pawn = saturday.comes_back_short()
    pawn = counting.decide(pawn, PieceDecision.SPARE, charge_cents=250, act=saturday.act())
    assert (spares_of(saturday.farmer), saturday.condition()) == (0, "in_service")

    pawn = counting.found(pawn, act=saturday.act())
    assert (spares_of(saturday.farmer), pawn.reversed_at) == (1, saturday.now)
    assert saturday.condition() == "in_service"


def test_a_withdrawn_box_gives_the_pawn_and_has_one_less(saturday: Saturday) -> None:
    old = make_copy(saturday.game, barcode="1204.1")
    librarian = make_act(make_user("librarian"), saturday.now)
    care.move(old, Move.WITHDRAW, act=librarian, why="the board is torn")
    pawn = saturday.comes_back_short()
    assert [(copy.barcode, held) for copy, held in counting.donors(saturday.farmer, but=saturday.box)] == [
        ("1204.1", 20)
    ]

    counting.decide(pawn, PieceDecision.SPARE, charge_cents=0, donor=old, act=saturday.act())
    assert counting.in_box(old, saturday.farmer) == 19
    assert saturday.condition() == "in_service"


def test_without_the_pawn_nobody_can_play_so_the_box_stays_off_the_shelf_until_it_is_found(
    saturday: Saturday,
) -> None:
    pawn = saturday.comes_back_short()
    counting.decide(pawn, PieceDecision.UNPLAYABLE, charge_cents=250, act=saturday.act())
    assert saturday.condition() == "unplayable"
    assert saturday.game.pk not in availability.available_games().values_list("game_id", flat=True)
    with pytest.raises(desk.Refused, match=r"^copy_unplayable$"):
        make_loan(saturday.box, make_member(), now=saturday.now)

    counting.found(pawn, act=saturday.act())
    assert saturday.condition() == "in_service"


def test_the_pawn_is_given_up_the_charge_stays_and_the_label_says_nineteen(saturday: Saturday) -> None:
    pawn = saturday.comes_back_short()
    pawn = counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())

    pawn = counting.give_up(pawn, note="still playable", act=saturday.act())
    assert (pawn.end, pawn.reversed_at) == (PieceEnd.GIVEN_UP, None)
    held = {e.component.name: (e.count, e.note) for e in components.expected_in(saturday.box)}
    assert held["joueurs"] == (19, "still playable")


def test_counted_a_week_later_it_is_still_the_martins_loan(saturday: Saturday) -> None:
    back = desk.check_in(saturday.box, act=saturday.act())
    count = counting.count_of(back.event, act=saturday.act())
    saturday.now += timedelta(minutes=2)
    make_loan(saturday.box, make_member("Aminata Diallo"), now=saturday.now)
    saturday.now += WEEK

    assert list(counting.waiting()) == [count]
    counting.missing(count, saturday.farmer, 1, act=saturday.act())
    pawn = MissingPiece.objects.get()
    assert pawn.loan == saturday.loan
    assert pawn.loan.member == saturday.martins
    assert not counting.waiting().exists()


def test_nobody_knows_who_lost_it_so_nobody_pays_until_somebody_says_so(saturday: Saturday) -> None:
    desk.check_in(saturday.box, act=saturday.act())
    count = counting.count_of_copy(saturday.box, None, act=saturday.act())
    counting.missing(count, saturday.farmer, 1, act=saturday.act())
    pawn = MissingPiece.objects.get()
    with pytest.raises(desk.Refused, match=r"^nobody_to_charge$"):
        counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())

    pawn = counting.lost_with(pawn, saturday.loan, act=saturday.act())
    pawn = counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())
    assert (pawn.loan, pawn.charge_cents) == (saturday.loan, 250)


def test_the_wrong_box_was_scanned_so_nothing_of_it_ever_was(saturday: Saturday) -> None:
    back = desk.check_in(saturday.box, act=saturday.act())
    count = counting.count_of(back.event, act=saturday.act())
    counting.missing(count, saturday.farmer, 1, act=saturday.act())
    pawn = MissingPiece.objects.get()
    counting.decide(pawn, PieceDecision.SHELF, charge_cents=250, act=saturday.act())

    desk.undo(back.event, act=saturday.act())
    pawn.refresh_from_db()
    count.refresh_from_db()
    assert (pawn.end, pawn.reversed_at, count.state) == (PieceEnd.VOID, saturday.now, CountState.VOID)
    assert saturday.owed() == 0
    assert saturday.condition() == "in_service"
    assert Loan.objects.get().returned_at is None


def spares_of(component: Component) -> int:
    return Component.objects.get(pk=component.pk).spares
