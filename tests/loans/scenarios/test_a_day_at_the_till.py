"""A day at the till, in the words of the field: from the float in the morning to the count in the evening.

The library takes one euro a game and twenty cents a day for late ones, and keeps ten euros as a deposit. The
Núñez family has one bill for two cards.
"""

from datetime import timedelta

import pytest

from loans import accounts, desk, ledger, till
from loans.accounts import Purses
from loans.ledger import Method
from loans.models import EntryKind, Household, Member
from loans.receipts import of_entry
from tests.make import NOON, make_act, make_copy, make_game, make_loan, make_member, make_policy, make_user

pytestmark = pytest.mark.django_db

IN_FOUR_WEEKS = NOON + timedelta(days=28)


def test_a_day_at_the_till() -> None:
    make_policy(fee_per_loan=100, late_fee_per_day=20, late_fee_cap=200, deposit=1000, max_debt=500)
    family = Household.objects.create(name="Familia Núñez", name_key="familia nunez")
    ines, paco = make_member("Inés Núñez", language="es"), make_member("Paco Núñez")
    Member.objects.filter(pk__in=[ines.pk, paco.pk]).update(household=family)
    ines.refresh_from_db()
    paco.refresh_from_db()
    mia = make_user("desk", "mia")

    # Four weeks ago Inés took a game home and paid the euro and the deposit.
    finca = make_copy(make_game("Finca"))
    make_loan(finca, ines)
    bill = ledger.account_of(ines)
    ledger.pay(bill, Method.CASH, 1100, act=make_act(mia))
    till.close(None, NOON.date(), 1100, act=make_act(mia), to_safe=1100)
    now = make_act(mia, now=IN_FOUR_WEEKS)

    # In the morning Mia puts a float of fifty euros into the drawer.
    till.put(None, 5000, act=now, note="Float")

    # Paco brings the game, a week late: seven days of twenty cents, and the deposit pays them.
    done = desk.check_in(finca, act=now)
    assert [entry.kind for entry in done.event.entries.all()] == ["late", "deposit_back"]
    assert accounts.purses_of(family) == Purses(owed=140 - 1000)

    # A die is missing as well. It is charged, and the family may still borrow: there is credit.
    die = ledger.charge(bill, EntryKind.PIECES, 300, act=now, about=done.loan, note="1 die")
    azul = make_copy(make_game("Azul"))
    lent = desk.lend(azul, paco, act=now)
    assert accounts.owed_by(paco) == 140 - 1000 + 300 + 1100

    # Now 5.40 are owed, which is too much for another game, whoever of the family asks.
    with pytest.raises(desk.Refused, match=r"^member_owes$"):
        desk.lend(make_copy(), ines, act=now)

    # Oh, it was the wrong box: Mia takes the loan back, and its fee and deposit with it.
    desk.undo(lent.event, act=now)
    assert accounts.purses_of(family) == Purses(owed=-560)

    # The die lay under the sofa. Its charge is reversed, and Inés gets her money back in cash.
    ledger.reverse(die, act=now, note="Found under the sofa")
    paid_out = ledger.pay_out(bill, Method.CASH, 860, act=now)
    assert accounts.purses_of(family) == Purses()
    receipt = of_entry(paid_out)
    assert (receipt.language, receipt.who) == ("es", "Familia Núñez")

    # In the evening the drawer holds what the books say, less a coin that fell behind the shelf.
    evening = till.read(None, on=IN_FOUR_WEEKS.date())
    assert (evening.opening, evening.expected) == (0, 5000 - 860)
    closed = till.close(None, evening.on, 4130, act=now, reason="A coin fell behind the shelf", to_safe=130)
    assert closed.difference_cents == -10

    # The next day begins with what was left, and what comes in this evening is dated tomorrow.
    late_comer = ledger.charge(bill, EntryKind.OTHER, 250, act=now, note="A bag")
    assert late_comer.on == evening.on + timedelta(days=1)
    assert till.read(None, on=late_comer.on).opening == 4000
