"""Whatever happens to a game, in whatever order: its queue has no gaps and no box is promised twice."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from catalogue.models import Copy, Game
from loans import desk, holds
from loans.act import Act, Refused
from loans.availability import Availability, annotate
from loans.models import ACTIVE, DeskEvent, Hold, HoldState, Loan, Member
from tests.make import NOON, make_copy, make_game, make_member, make_user

Step = tuple[str, int, int]
steps = st.tuples(
    st.sampled_from(["place", "cancel", "move", "shelve", "lend", "return", "undo", "renew", "expire"]),
    st.integers(0, 3),
    st.integers(0, 2),
)


def happens(step: Step, game: Game, members: list[Member], act: Act) -> None:
    """One thing at the desk; what is refused has not happened."""
    what, who, which = step
    copy, member = game.copies.order_by("pk")[which], members[who]
    hold = Hold.objects.filter(member=member, state__in=ACTIVE).first()
    loan = Loan.objects.filter(copy=copy, returned_at=None).first()
    last = DeskEvent.objects.filter(action__in=desk.CHANGES, undone_by=None).first()
    deeds: dict[str, Callable[[], object]] = {
        "place": lambda: holds.place_hold(game, member, act=act),
        "lend": lambda: desk.lend(copy, member, act=act),
        "return": lambda: desk.check_in(copy, act=act),
        "expire": lambda: holds.expire_holds(act.now),
        "undo": lambda: last and desk.undo(last, act=act),
        "renew": lambda: loan and desk.renew(loan, act=act),
        "cancel": lambda: hold and holds.cancel(hold, act=act),
        "move": lambda: hold and holds.move(hold, which + 1, act=act, reason="a reason"),
        "shelve": lambda: hold and holds.shelve(hold, act=act),
    }
    deeds[what]()


def contradictions(game: Game) -> list[str]:
    """What is wrong with the queue and the boxes of the game."""
    queue = list(Hold.objects.filter(game=game, state__in=ACTIVE).order_by("position"))
    status = {copy.pk: copy.status for copy in annotate(Copy.objects.filter(game=game))}
    promised = [hold.copy_id for hold in queue if hold.copy_id]
    found = []
    if [hold.position for hold in queue] != list(range(1, len(queue) + 1)):
        found.append("a gap in the queue")
    if len(set(promised)) != len(promised) or any(status[pk] != Availability.ON_HOLD for pk in promised):
        found.append("a box is promised that is not there, or twice")
    if any(hold.copy_id is None for hold in queue) and Availability.ON_SHELF in status.values():
        found.append("a box lies idle while somebody waits")
    if any(hold.state == HoldState.READY and hold.copy_id is None for hold in queue):
        found.append("ready without a box")
    return found


@pytest.mark.django_db
class QueueOfRows(TestCase):
    """Ten things or fewer, an hour and a day apart, with three boxes and four families."""

    @settings(
        max_examples=15,
        deadline=None,
        phases=(Phase.explicit, Phase.reuse, Phase.generate),
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.lists(steps, min_size=4, max_size=10))
    def test_the_queue_keeps_its_promises(self, story: list[Step]) -> None:
        """After every step."""
        game, by = make_game(), make_user("desk")
        for _ in range(3):
            make_copy(game)
        members = [make_member() for _ in range(4)]
        for n, step in enumerate(story):
            act = Act(by=by, now=NOON + n * timedelta(days=2, hours=1))
            try:
                happens(step, game, members, act)
            except Refused:
                continue
            assert contradictions(game) == [], story[: n + 1]
