"""What does a scanned box mean? Pure: decided on who has it, who has it open, and what just happened."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from loans.facts import Holding

REPEAT_WITHIN = timedelta(seconds=60)
"""A box scanned again within this time, with nothing in between, is the same scan once more."""


class Meaning(StrEnum):
    """What to do about a box that was scanned at the desk."""

    LEND = "lend"
    CHECK_IN = "check_in"
    SAME_LOAN = "same_loan"
    SAME_RETURN = "same_return"
    ASK_FOR_CARD = "ask_for_card"
    ASK_IF_BACK = "ask_if_back"
    ASK_IF_LENT_AGAIN = "ask_if_lent_again"
    ASK_IF_STILL_MEANT = "ask_if_still_meant"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedBox:
    """All that decides what the scan of a box means. `at`: when Enter was pressed, maybe long before `now`.

    `returned_on_show`: the desk's last answer was the return of this very box. `returned_at`: when it last
    came back, here or at another desk; `returned_here`: it was the same volunteer who took it back.
    """

    member_id: int | None
    holding: Holding | None
    returned_at: datetime | None
    returned_here: bool
    returned_on_show: bool
    at: datetime
    now: datetime

    @property
    def moved_since(self) -> bool:
        """Whether the box went out or came back after this scan, which then waited for long."""
        moved_at = self.holding.since if self.holding else self.returned_at
        return moved_at is not None and moved_at > self.at and not is_a_moment_ago(self.at, self.now)


def meaning_of_scan(box: ScannedBox) -> Meaning:
    """A box on the shelf is lent to the open member, a box on loan comes back; a scan too many does nothing.

    A scan that waited for long, while the box moved, is asked about: it was made for what the box was
    then, and a box meant to be lent is not taken back. A box that another desk lent a moment ago can
    hardly be back already, and one that this desk took back a moment ago was rather scanned twice.
    """
    if box.holding is None:
        return _meaning_on_the_shelf(box)
    since = box.holding.since
    lent_now = is_a_moment_ago(since, box.at) or is_a_moment_ago(since, box.now)
    if lent_now and box.holding.member_id == box.member_id:
        return Meaning.SAME_LOAN
    if box.moved_since:
        return Meaning.ASK_IF_STILL_MEANT
    return Meaning.ASK_IF_BACK if lent_now and box.member_id is not None else Meaning.CHECK_IN


def _meaning_on_the_shelf(box: ScannedBox) -> Meaning:
    if box.returned_on_show:
        return Meaning.SAME_RETURN
    if box.moved_since:
        return Meaning.ASK_IF_STILL_MEANT
    if box.member_id is None:
        return Meaning.ASK_FOR_CARD
    here = box.returned_here and box.returned_at is not None and is_a_moment_ago(box.returned_at, box.at)
    return Meaning.ASK_IF_LENT_AGAIN if here else Meaning.LEND


def is_a_moment_ago(moment: datetime, now: datetime) -> bool:
    """Whether something just happened; also when two desks' clocks differ a little."""
    return abs(now - moment) <= REPEAT_WITHIN
