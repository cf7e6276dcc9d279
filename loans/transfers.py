"""The only writer of transfers: a box leaves a branch and is received at another.

On its way it cannot be lent. It is then a box of the branch where it was received, and ready there for
whoever it was sent to. One transaction each, under the lock of the game.
"""

from dataclasses import replace

from catalogue import records
from catalogue.models import Branch, Copy
from catalogue.prepared import Prepared
from loans import holds
from loans.act import Act, Refused
from loans.locks import lock_game
from loans.models import Hold, HoldState, Transfer
from loans.queue import suits
from loans.rules import Refusal, RefusalCode
from loans.situation import holding_of
from loans.transaction import in_one_transaction


@in_one_transaction
def send(copy: Copy, to_branch: Branch, *, act: Act) -> Transfer:
    """Send a box to another branch; sent twice, it is the same transfer. Raises Refused."""
    lock_game(copy.game_id)
    copy = Copy.objects.select_related("branch").get(pk=copy.pk)
    if (under_way := open_transfer(copy)) and under_way.to_branch_id == to_branch.pk:
        return under_way
    if refusals := _why_not(copy, to_branch, under_way):
        raise Refused(refusals)
    hold = Hold.objects.filter(copy=copy).first()
    transfer = Transfer.objects.create(
        copy=copy, from_branch=copy.branch, to_branch=to_branch, hold=hold, sent_at=act.now, sent_by=act.by
    )
    holds.when_sent(copy, to_branch, act)
    return transfer


@in_one_transaction
def receive(copy: Copy, *, act: Act) -> Transfer | None:
    """The box has come: it stands at its new branch from now on. None if it was not on its way."""
    lock_game(copy.game_id)
    transfer = open_transfer(copy)
    if transfer is None:
        return None
    transfer.received_at, transfer.received_by = max(act.now, transfer.sent_at), act.by
    transfer.save(update_fields=["received_at", "received_by"])
    said = records.describe_copy(transfer.copy)
    records.update_copy(transfer.copy, replace(said, branch=transfer.to_branch.name))
    holds.when_received(transfer.copy, act)
    return transfer


def in_hand(copy: Copy, *, act: Act) -> None:
    """A box was scanned at the desk for nobody: if it is promised, it was fetched, and lies ready or leaves.

    Whether a box on its way has come, only a person can say: see `receive`.
    """
    promised = PROMISED(copy.pk)
    if not promised or open_transfer(copy):
        return
    for hold in promised:
        if suits(hold.branch_id, copy.branch_id):
            holds.shelve(hold, act=act)
        elif hold.branch:
            send(copy, hold.branch, act=act)


PROMISED = Prepared(
    lambda copy: Hold.objects.filter(copy=copy, state=HoldState.WAITING).select_related("branch"), int
)


def open_transfer(copy: Copy) -> Transfer | None:
    """The way that the box is on, if it is on one."""
    rows = Transfer.objects.select_related("copy__game", "from_branch", "to_branch", "hold__member")
    return rows.filter(copy=copy, received_at=None).first()


def _why_not(copy: Copy, to_branch: Branch, under_way: Transfer | None) -> tuple[Refusal, ...]:
    if holding := holding_of(copy):
        return (Refusal(RefusalCode.COPY_ON_LOAN, data=holding.as_data()),)
    if under_way:
        return (Refusal(RefusalCode.COPY_IN_TRANSIT),)
    return (Refusal(RefusalCode.SAME_BRANCH),) if copy.branch_id == to_branch.pk else ()
