"""Holds as they are shown: the hold shelf, the queue of a game, a member's own, the outlook of a game.

Reads only. Who waits is named on pages of the desk alone; a member sees numbers, and his own place.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Protocol

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Min, Q, QuerySet
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from catalogue.models import Branch, Copy, Game
from loans import messages, rules, situation
from loans.availability import Availability
from loans.calendar import local_date
from loans.desk_state import DeskLine
from loans.marks import may_have
from loans.models import ACTIVE, Hold, HoldAction, HoldEvent, HoldState, Member, Transfer
from loans.queue import suits

LAPSED_SHOWN = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class HoldShelf:
    """All that the desk has to do about holds today.

    `to_fetch` from the open shelves, `to_send` to another branch; `ready` and waiting for their members;
    `lapsed` of late; `queues`: the games for which members wait, with `size` and `since`.
    """

    today: date
    to_fetch: tuple[Hold, ...]
    to_send: tuple[Hold, ...]
    ready: tuple[Hold, ...]
    lapsed: tuple[HoldEvent, ...]
    queues: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a reader can expect of a game: how many wait, what is free, and how he stands himself.

    `place`: his place if he asked now. `told`: why he may not ask. `branches`: where he may fetch it.
    """

    copies: int
    free: int
    in_line: int
    due_back_on: date | None
    member: Member | None
    own: Hold | None
    told: tuple[messages.Told, ...]
    branches: tuple[Branch, ...]

    @property
    def place(self) -> int:
        """The place at the end of the queue."""
        return self.in_line + 1


def hold_shelf(now: datetime) -> HoldShelf:
    """The desk's list for today."""
    promised = list(_rows(Hold.objects.filter(state=HoldState.WAITING, copy__isnull=False)))
    on_the_way = set(Transfer.objects.filter(received_at=None).values_list("copy", flat=True))
    here = [hold for hold in promised if hold.copy_id not in on_the_way]
    lapsed = HoldEvent.objects.filter(action=HoldAction.LAPSED, at__gt=now - LAPSED_SHOWN)
    return HoldShelf(
        today=local_date(now, None),
        to_fetch=tuple(hold for hold in here if _is_at_home(hold)),
        to_send=tuple(hold for hold in here if not _is_at_home(hold)),
        ready=tuple(_rows(Hold.objects.filter(state=HoldState.READY)).order_by("expires_on", "pk")),
        lapsed=tuple(lapsed.select_related("hold__game", "hold__member", "copy")),
        queues=tuple(_queues()),
    )


def queue_of(game: Game) -> tuple[Hold, ...]:
    """The queue in order."""
    return tuple(_rows(game.holds.filter(state__in=ACTIVE)).order_by("position"))


def of_member(member: Member) -> tuple[Hold, ...]:
    """The member's open holds, what is ready first."""
    return tuple(_rows(member.holds.filter(state__in=ACTIVE)).order_by("state", "expires_on", "placed_at"))


class WhereItIs(Protocol):
    """A copy and where it is now, as pages of games have it."""

    @property
    def copy(self) -> Copy: ...
    @property
    def status(self) -> Availability: ...
    @property
    def due_back_on(self) -> date | None: ...


def at_the_desk(member: Member, now: datetime) -> Iterator[DeskLine]:  # noqa: ARG001 - as all who say something
    """What the open member waits for, before the first scan."""
    if not may_have(member, "holds"):
        return
    for hold in of_member(member):
        url = reverse("loans:hold-queue", args=(hold.game_id,))
        box = hold.copy.barcode if hold.copy else ""
        words = {"game": hold.game, "box": box, "place": hold.position}
        if hold.expires_on:
            words["day"] = date_format(hold.expires_on)
            yield DeskLine(_("On the hold shelf until %(day)s: %(game)s, %(box)s") % words, "ok", url)
        elif hold.copy:
            yield DeskLine(_("Set aside, still to be fetched: %(game)s, %(box)s") % words, "ask", url)
        else:
            yield DeskLine(_("Waits for %(game)s at place %(place)s") % words, "ok", url)


def outlook(
    game: Game, places: Iterable[WhereItIs], reader: User | AnonymousUser, *, now: datetime
) -> Outlook:
    """What the reader can expect of the game, whose copies stand at `places`."""
    places = [place for place in places if place.copy.condition in situation.MAY_COME_BACK]
    due = [place.due_back_on for place in places if place.due_back_on]
    member = Member.objects.filter(user=reader).first() if isinstance(reader, User) else None
    own = _rows(game.holds.filter(member=member, state__in=ACTIVE)).first() if member else None
    return Outlook(
        copies=len(places),
        free=sum(place.status == Availability.ON_SHELF for place in places),
        in_line=game.holds.filter(state__in=ACTIVE).count(),
        due_back_on=min((day for day in due if day >= local_date(now, None)), default=None),
        member=member,
        own=own,
        told=_why_not(game, member, now) if member and not own else (),
        branches=tuple(_branches(place.copy.branch for place in places)),
    )


def _why_not(game: Game, member: Member, now: datetime) -> tuple[messages.Told, ...]:
    return messages.explain(rules.may_hold(situation.to_hold(game, member, now=now)), AnonymousUser())


def _branches(branches: Iterable[Branch | None]) -> list[Branch]:
    """The branches where a box stands; none where there is nothing to choose."""
    known = {branch.pk: branch for branch in branches if branch}
    return sorted(known.values(), key=lambda branch: branch.name) if len(known) > 1 else []


def _rows(holds: "QuerySet[Hold]") -> "QuerySet[Hold]":
    return holds.select_related("game", "member", "branch", "copy__branch", "copy__section")


def _is_at_home(hold: Hold) -> bool:
    return hold.copy is not None and suits(hold.branch_id, hold.copy.branch_id)


def _queues() -> "QuerySet[Game]":
    waits = Q(holds__state=HoldState.WAITING, holds__copy=None)
    since = Min("holds__placed_at", filter=waits)
    games = Game.objects.annotate(size=Count("holds", filter=waits), since=since)
    return games.filter(size__gt=0).order_by("-size", "since")
