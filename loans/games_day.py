"""A games day: boxes go to tables and come back, players are known by their badges. Its only writer.

Each box in play is a loan to the day's own member, by `desk`: its rules, its journal, its undo.
"""

from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet

from catalogue.models import Copy
from catalogue.text import one_line
from loans import desk, members, rules, scan, sets, situation
from loans.act import Act, Done
from loans.calendar import local_date
from loans.journal import same_event
from loans.models import DeskAction, DeskEvent, GamesDay, Loan, Member, Player
from loans.rules import Refusal, RefusalCode, Term
from loans.transaction import in_one_transaction

CARD = "LDT-DAY-{}"
MOST_BADGES = 30
"""How many badges may wait for one box."""

LONGEST_BADGE = 8
"""Longer codes are labels that nobody knows rather than badges."""


@in_one_transaction
def open_day(name: str, *, now: datetime) -> GamesDay:
    """A new games day, today. Raises ValueError without a name."""
    name = one_line(name)[:150]
    if not name:
        raise ValueError("A games day needs a name.")
    number = (GamesDay.objects.order_by("-pk").values_list("pk", flat=True).first() or 0) + 1
    card = CARD.format(f"{number}-{now:%y%m%d%H%M%S}")
    member = members.add_member(members.MemberDraft(card_number=card, last_name=name))
    return GamesDay.objects.create(name=name, held_on=local_date(now, None), member=member)


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan at the games day was: a box with its answer, or a badge."""

    badge: str = ""
    done: Done | None = None


def scan_code(day: GamesDay, code: str, waiting: tuple[str, ...], *, act: Act) -> Scanned:
    """A box goes to the badges that wait, or comes back; anything else that is short is a badge.

    Raises Refused for a box that cannot be played, and for a code that is neither.
    """
    code = scan.clean(code)
    # The repairs that find a damaged label would make a box of many a badge number.
    found = scan.read_exact(code) if len(code) <= LONGEST_BADGE else scan.read(code)
    if len(found.copies) == 1:
        return Scanned(done=_box(day, found.copies[0], waiting, act))
    if len(found.members) == 1:
        return Scanned(badge=found.members[0].card_number)
    if found.found == scan.Found.UNKNOWN and len(code) <= LONGEST_BADGE:
        return Scanned(badge=code)
    known = found.found == scan.Found.CHOICE
    reason = RefusalCode.AMBIGUOUS_CODE if known else RefusalCode.UNKNOWN_CODE
    return Scanned(done=desk.refuse_scan(Refusal(reason, data={"code": code}), act=act))


def _box(day: GamesDay, copy: Copy, waiting: tuple[str, ...], act: Act) -> Done:
    holding = situation.holding_of(copy)
    played = holding is not None and holding.member_id == day.member_id
    scanned_twice = holding is not None and played and rules.is_a_moment_ago(holding.since, act.now)
    before = same_event(act)
    if _comes_back(before) if before else not waiting and not scanned_twice:
        return desk.check_in(copy, act=act)
    if holding and not scanned_twice and not before:
        # The next players take it over from the table, or a family brings it back just now.
        desk.check_in(copy, act=replace(act, nonce=""))
    done = desk.lend(copy, day.member, act=act, term=Term.GAMES_DAY)
    for badge in waiting:
        join(done.loan, badge, now=act.now)
    return done


def _comes_back(before: Done) -> bool:
    """Whether what was done, or tried, under this scan's nonce was a return."""
    return DeskAction.CHECK_IN in {before.event.action, before.event.tried}


def table_of(day: GamesDay, loan: int | None) -> Loan | None:
    """The table that further badges join: a box that is in play on this day, by the number of its loan."""
    return in_play(day).filter(pk=loan).first() if loan else None


def sit_down(day: GamesDay, badge: str, loan: int | None, *, now: datetime) -> Loan | None:
    """Let a badge join the table of the box that was scanned last; None where it has to wait for a box."""
    table = table_of(day, loan)
    if table:
        join(table, badge, now=now)
    return table


def join(loan: Loan, badge: str, *, now: datetime) -> None:
    """Somebody sits down at the table; a badge scanned twice sits once."""
    member = Member.objects.filter(card_number=badge).first()
    Player.objects.get_or_create(loan=loan, badge=badge, defaults={"member": member, "joined_at": now})


def in_play(day: GamesDay) -> "QuerySet[Loan]":
    """What is played now, the longest first."""
    loans = Loan.objects.filter(member=day.member_id, returned_at=None).order_by("lent_at", "pk")
    return loans.select_related("copy__game").prefetch_related("players__member")


def close(day: GamesDay, *, act: Act) -> tuple[DeskEvent, ...]:
    """The day is over: every box comes back, and is put on the shelf."""
    events = sets.take_back_all(in_play(day), act=act)
    GamesDay.objects.filter(pk=day.pk, closed_at=None).update(closed_at=act.now)
    return events
