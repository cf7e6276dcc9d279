"""What the desk page is about, as it stands in the page's address.

Two windows of one volunteer never share an open member, a reload shows the same page, and nothing is
kept in the session.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from urllib.parse import urlencode

from django.urls import reverse

from loans import scan
from loans.rules import Term

MOST_EVENTS = 200
"""How many answers one page shows; more makes an address that servers refuse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskState:
    """Row ids, the code that a question is about, and how boxes are lent or taken back just now.

    `member`: the open one. `event`: the last answer; `events`: of several things done at once. `again`:
    it had been given before. `copy`: a box on the shelf that waits for a card. `asked`: a code that may
    mean several things. `aside`: the member whose card was put away because the next code was not
    understood. `all`: show the whole undo list. `term`: how long the next boxes go out. `drop`: the day
    on which the next boxes came back, into the book drop.
    """

    member: int | None = None
    event: int | None = None
    events: tuple[int, ...] = ()
    copy: int | None = None
    aside: int | None = None
    asked: str = ""
    again: bool = False
    all: bool = False
    term: Term = Term.USUAL
    drop: date | None = None

    @classmethod
    def read(cls, fields: Mapping[str, str]) -> "DeskState":
        """The state in an address or a form; what cannot be read counts as absent."""
        return cls(
            member=row_id(fields.get("member")),
            event=row_id(fields.get("event")),
            events=_row_ids(fields.get("events", "")),
            copy=row_id(fields.get("copy")),
            aside=row_id(fields.get("aside")),
            asked=scan.clean(fields.get("asked", "")),
            again=fields.get("again") == "1",
            all=fields.get("all") == "1",
            term=read_term(fields.get("term")),
            drop=read_day(fields.get("drop")),
        )

    @property
    def url(self) -> str:
        """The address of the page in this state."""
        values: dict[str, object] = {
            "member": self.member,
            "event": self.event,
            "events": "-".join(map(str, self.events)),
            "copy": self.copy,
            "aside": self.aside,
            "asked": self.asked,
            "again": int(self.again),
            "all": int(self.all),
            "term": "" if self.term == Term.USUAL else self.term.value,
            "drop": self.drop.isoformat() if self.drop else "",
        }
        query = {name: value for name, value in values.items() if value}
        return reverse("loans:desk") + ("?" + urlencode(query) if query else "")


@dataclass(frozen=True, slots=True)
class DeskLine:
    """Something another part of the library has to say about the open member, before the first scan.

    `tone` is ok, ask or stop; `url` a page of the desk that tells more, or empty.
    """

    text: str
    tone: str = "ask"
    url: str = ""


def row_id(text: str | None) -> int | None:
    """A row id out of a form or an address, or None."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) <= 18 else None


def _row_ids(text: str) -> tuple[int, ...]:
    found = (row_id(part) for part in text.split("-")[:MOST_EVENTS])
    return tuple(pk for pk in found if pk)


def read_term(text: str | None) -> Term:
    """A term that a volunteer may choose; the usual one for anything else."""
    return Term(text) if text in CHOSEN_TERMS else Term.USUAL


CHOSEN_TERMS = (Term.NEXT_OPENING, Term.TODAY, Term.HOUSE)
"""The terms that the desk offers beside the usual one."""


def read_day(text: str | None) -> date | None:
    """A day out of a form or an address (ISO 8601), or None; so is one that no library has seen or plans."""
    try:
        day = date.fromisoformat(text or "")
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


FIRST_YEAR, LAST_YEAR = 1900, 2999
"""Days are counted on from a day that was typed: from year 1 or 9999 a count would run off the calendar."""
