"""Refusals in words: what is wrong and what to do about it, in the reader's language.

The one place where a code becomes a sentence; pages and API both come here. Who has a box is told only
to people who may use the desk.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from catalogue.models import Condition
from loans import amounts
from loans.models import DeskAction, Member
from loans.rules import Refusal, RefusalCode, Term

Values = Mapping[str, Any]
Holders = Mapping[object, str]
"""Names of members by row id."""


@dataclass(frozen=True, slots=True)
class Told:
    """A refusal with its sentence."""

    refusal: Refusal
    sentence: str


def explain(refusals: Iterable[Refusal], reader: User | AnonymousUser) -> tuple[Told, ...]:
    """Each refusal in words for `reader`, in the language that is active; at most one query."""
    refusals = tuple(refusals)
    return in_words(refusals, holders(refusals, reader))


def in_words(refusals: Iterable[Refusal], holders: Holders) -> tuple[Told, ...]:
    """Each refusal in words, for many at a time: `holders` was asked for all of them at once."""
    return tuple(Told(refusal, _sentence(refusal, holders)) for refusal in refusals)


def holders(refusals: Iterable[Refusal], reader: User | AnonymousUser) -> Holders:
    """The names of the members that the refusals point at; none for people who may not use the desk."""
    wanted = {refusal.data["member"] for refusal in refusals if "member" in refusal.data}
    if not wanted or not reader.has_perm("loans.use_desk"):
        return {}
    return {member.pk: str(member) for member in Member.objects.filter(pk__in=wanted)}


def _sentence(refusal: Refusal, holders: Holders) -> str:
    words = SENTENCES[refusal.code]
    values = {name: _shown(name, value) for name, value in refusal.data.items()}
    values["holder"] = holders.get(refusal.data.get("member"), "")
    return str(words(values) if callable(words) else words) % values


def _shown(name: str, value: str | int) -> Any:
    """A value as the reader writes it: dates and times of the reader's language and zone."""
    if name.endswith("_on"):
        return date_format(date.fromisoformat(str(value)))
    if name in {"since", "at"}:
        return date_format(timezone.localtime(datetime.fromisoformat(str(value))), "SHORT_DATETIME_FORMAT")
    if name.endswith("cents"):
        return amounts.shown(int(value))
    if name == "condition":
        return Condition(str(value)).label
    if name == "action":
        return DeskAction(str(value)).label
    return value


def _on_loan(values: Values) -> Any:
    if values["holder"]:
        return _(
            "%(holder)s has this game since %(since)s. Take it back first: end with the open member and "
            "scan the box again."
        )
    return _("This game is on loan since %(since)s. It must come back first.")


def _lent_a_moment_ago(values: Values) -> Any:
    if values["holder"]:
        return _(
            "This game was lent to %(holder)s at another desk a moment ago (%(since)s). "
            "Is it really back? Then take it back with the button."
        )
    return _("This game was lent at another desk a moment ago (%(since)s).")


def _late(values: Values) -> Any:
    return ngettext_lazy(
        "%(late)s game of this member is late: take it back or renew it first.",
        "%(late)s games of this member are late: take them back or renew them first.",
        values["late"],
    )


def _blocked(values: Values) -> Any:
    if "until_on" in values:
        return _("This card is blocked until %(until_on)s: %(reason)s. Settle it, then lift the block.")
    return _("This card is blocked: %(reason)s. Settle it, then lift the block.")


def _limit(values: Values) -> Any:
    if "household" in values:
        return ngettext_lazy(
            "This household has %(open)s of at most %(limit)s game: one must come back first.",
            "This household has %(open)s of at most %(limit)s games: one must come back first.",
            values["limit"],
        )
    return ngettext_lazy(
        "This member has %(open)s of at most %(limit)s game: one must come back first.",
        "This member has %(open)s of at most %(limit)s games: one must come back first.",
        values["limit"],
    )


def _limit_of_kind(values: Values) -> Any:
    return ngettext_lazy(
        "At most %(limit)s game of this kind at once (%(kind)s), and %(open)s is out: "
        "one must come back first.",
        "At most %(limit)s games of this kind at once (%(kind)s), and %(open)s are out: "
        "one must come back first.",
        values["limit"],
    )


def _hold_limit(values: Values) -> Any:
    return ngettext_lazy(
        "This member waits for %(open)s of at most %(limit)s game: give up one place first.",
        "This member waits for %(open)s of at most %(limit)s games: give up one place first.",
        values["limit"],
    )


def _held(values: Values) -> Any:
    if values["holder"] and "until_on" in values:
        return _(
            "This box lies on the hold shelf for %(holder)s until %(until_on)s. "
            "Take another copy, or offer a place in the queue."
        )
    if values["holder"]:
        return _(
            "This box is promised to %(holder)s, who waits for it: put it on the hold shelf. "
            "Take another copy, or offer a place in the queue."
        )
    if "until_on" in values:
        return _("This box is kept for another member until %(until_on)s.")
    return _("This box is kept for another member.")


def _somebody_waits(values: Values) -> Any:
    if "due_on" in values:
        return ngettext_lazy(
            "%(waiting)s member waits for this game, so it cannot be renewed: it is due on %(due_on)s.",
            "%(waiting)s members wait for this game, so it cannot be renewed: it is due on %(due_on)s.",
            values["waiting"],
        )
    return ngettext_lazy(
        "%(waiting)s member waits for this game and comes first: see its queue.",
        "%(waiting)s members wait for this game and come first: see its queue.",
        values["waiting"],
    )


def _reason_missing(values: Values) -> Any:
    if "cents" in values:
        return _(
            "The count differs from what is expected by %(cents)s. Does a second count say the same? "
            "Say in words why."
        )
    return _("Say in words why.")


def _booked_soon(values: Values) -> Any:
    if "back_by_on" in values:
        return _(
            "This game is booked and must be in the house from %(first_on)s: it may go out "
            "until %(back_by_on)s, not longer."
        )
    return _("This game is booked and must be in the house from %(first_on)s.")


def _quarantine(values: Values) -> Any:
    if "until_on" in values:
        return _("This box is in quarantine until %(until_on)s. It may go out the day after.")
    return _("This box is in quarantine. Release it on the page of care first.")


SENTENCES: dict[RefusalCode, Any | Callable[[Values], Any]] = {
    RefusalCode.COPY_ON_LOAN: _on_loan,
    RefusalCode.COPY_WITHDRAWN: _(
        "This box was withdrawn. If it is to be lent again, put it in service in the catalogue."
    ),
    RefusalCode.COPY_LOST: _(
        "This box is listed as lost, and here it is: put it in service in the catalogue, then lend it."
    ),
    RefusalCode.COPY_IN_REPAIR: _(
        "This box is in repair. Put it in service in the catalogue once it is mended."
    ),
    RefusalCode.COPY_NOT_FOR_LOAN: _("This box is for play in the house and not for loan."),
    RefusalCode.MEMBER_BLOCKED: _blocked,
    RefusalCode.MEMBERSHIP_ENDED: _(
        "The membership ended on %(ended_on)s. It is renewed at the desk: the member's page, "
        "“Sell a membership”."
    ),
    RefusalCode.MEMBERSHIP_MISSING: _(
        "This member has no membership yet. It is bought at the desk: the member's page, “Sell a membership”."
    ),
    RefusalCode.CONDITIONS_NOT_SIGNED: _(
        "The conditions of loan are not signed: have them signed, and say so on the member's page."
    ),
    RefusalCode.TOO_YOUNG: _(
        "This game is for members of %(age)s years and more: lend it on the card of an adult."
    ),
    RefusalCode.COPY_UNPLAYABLE: _(
        "Pieces are missing and this game cannot be played without them: settle that first."
    ),
    RefusalCode.COPY_IN_CLEANING: _("This box is being cleaned. Put it in service once it is clean."),
    RefusalCode.COPY_IN_QUARANTINE: _quarantine,
    RefusalCode.COPY_NEEDS_CARE: _("Before this box goes out: %(what)s. Do it and say so, then lend it."),
    RefusalCode.COPY_DONATED: _("This box was given away: it is no longer the library's to lend."),
    RefusalCode.RETURN_UNDONE: _("This return was undone, so there is nothing to count."),
    RefusalCode.NOTHING_RETURNED: _(
        "No box has just come back here, so there is nothing to count. Scan the box first."
    ),
    RefusalCode.PIECE_SETTLED: _("This missing piece is settled already."),
    RefusalCode.NO_SPARE: _("There are not so many spare pieces: correct their number, or decide otherwise."),
    RefusalCode.NOBODY_TO_CHARGE: _(
        "It is not known who had the box when the piece went missing: say that first, then charge."
    ),
    RefusalCode.MOVE_NOT_ALLOWED: _("A box with the condition “%(condition)s” cannot be moved so."),
    RefusalCode.NOT_A_PHOTO: _("This file is no photo of at most 10 MB: send a JPEG, PNG or WebP file."),
    RefusalCode.MEMBER_HAS_LATE_LOANS: _late,
    RefusalCode.LOAN_LIMIT_REACHED: _limit,
    RefusalCode.LIMIT_OF_KIND_REACHED: _limit_of_kind,
    RefusalCode.NEVER_OPEN: _(
        "The calendar names no open day within a year, so there is no due date: correct the opening days."
    ),
    RefusalCode.COPY_HELD_FOR_OTHER: _held,
    RefusalCode.SOMEBODY_WAITS: _somebody_waits,
    RefusalCode.BOOKED_SOON: _booked_soon,
    RefusalCode.COPY_IN_TRANSIT: _(
        "This box is on its way to another branch. If it lies before you, receive it first."
    ),
    RefusalCode.HAS_GAME_AT_HOME: _("This game is at the member's home already: renew it instead."),
    RefusalCode.ALREADY_HOLDS: _("This member waits for this game already."),
    RefusalCode.HOLD_LIMIT_REACHED: _hold_limit,
    RefusalCode.NO_COPY_TO_HOLD: _("The library has no copy of this game that will be lent again."),
    RefusalCode.HOLD_CLOSED: _("This hold is closed: it was fetched, cancelled, or not fetched in time."),
    RefusalCode.TOO_FEW_COPIES: _(
        "Free on all days from %(first_on)s to %(last_on)s, with those kept free before and after: "
        "%(free)s of the %(wanted)s asked for. Ask for fewer copies, or choose other days."
    ),
    RefusalCode.BOOKING_DAYS_WRONG: _("The last day of a booking is not before its first, nor in the past."),
    RefusalCode.SAME_BRANCH: _("This box stands at that branch already."),
    RefusalCode.COPY_NOT_ON_LOAN: _(
        "This box is not on loan, so there is nothing to take back. Put it on the shelf."
    ),
    RefusalCode.RETURN_IN_FUTURE: _("Nothing comes back in the future (%(at)s): correct the day."),
    RefusalCode.RETURN_BEFORE_LOAN: _(
        "This game went out on %(at)s, so it cannot have come back before: correct the day, or take it "
        "back as of now."
    ),
    RefusalCode.NOT_TAKEN_HOME: _(
        "This game is played in the house and comes back today. To take it home, take it back and lend it."
    ),
    RefusalCode.LOAN_CLOSED: _("This game has come back already, so its loan cannot be renewed."),
    RefusalCode.LOAN_LATE: _(
        "This game was due on %(due_on)s. Bring it back, or ask at the desk for more time."
    ),
    RefusalCode.RENEWALS_USED_UP: _(
        "This loan was renewed %(renewals)s times of at most %(limit)s: the game must come back."
    ),
    RefusalCode.RENEWAL_GAINS_NOTHING: _(
        "Renewing today would not give more time: the game is due on %(due_on)s anyway. Renew later."
    ),
    RefusalCode.NOT_UNDOABLE: _("This changed nothing, so there is nothing to undo."),
    RefusalCode.ALREADY_UNDONE: _("This was undone already."),
    RefusalCode.CHANGED_SINCE: _(
        "Something has happened to this box since (%(action)s, %(at)s): undo that first, or do without."
    ),
    RefusalCode.TOO_LONG_AGO: _("Only the last %(reach)s actions can be undone: lend or take back instead."),
    RefusalCode.CARD_FIRST: _("This box is on the shelf. To lend it, scan the member's card first."),
    RefusalCode.CARD_FIRST_FOR_COMMAND: _(
        "This command is for an open card: scan the card, then the command."
    ),
    RefusalCode.NOTHING_TO_RENEW: _("This member has no game at home, so there is nothing to renew."),
    RefusalCode.NOTHING_ASKED: _("Nothing was asked, so there is nothing to say yes to."),
    RefusalCode.LENT_A_MOMENT_AGO: _lent_a_moment_ago,
    RefusalCode.RETURNED_A_MOMENT_AGO: _(
        "This game has come back a moment ago. If it is to go out again, lend it with the button."
    ),
    RefusalCode.MOVED_SINCE_SCAN: _(
        "This scan was kept since %(at)s, and the box has gone out or come back since. "
        "Scan the box again if it lies before you."
    ),
    RefusalCode.UNKNOWN_CODE: _(
        "No card and no box has the code %(code)s. Scan it again, type a name or a title, or add it first."
    ),
    RefusalCode.UNKNOWN_LOAN: _("There is no loan with the number %(loan)s."),
    RefusalCode.UNKNOWN_EVENT: _("There is no action with the number %(event)s."),
    RefusalCode.DAMAGED_CODE: _(
        "A spreadsheet has turned %(code)s into a rounded number, its digits are lost. Scan the label itself."
    ),
    RefusalCode.AMBIGUOUS_CODE: _("%(code)s may mean more than one thing: say which one."),
    RefusalCode.NONCE_REUSED: _("This scan carries the name of another one. Scan the box again."),
    RefusalCode.CARD_UNCLEAR: _(
        "The card scanned before this box was not understood, so nothing was done: scan the card, then "
        "the box."
    ),
    RefusalCode.NOT_A_KEPT_COMMAND: _(
        "This command was scanned without network and not obeyed: scan it again."
    ),
    RefusalCode.KEPT_TOO_LONG: _(
        "This scan says that it was kept since %(at)s: the clock of its device was wrong. Scan it again."
    ),
    RefusalCode.MEMBER_OWES: _(
        "%(owes_cents)s is still to be paid; lending goes on up to %(limit_cents)s. Take a payment first."
    ),
    RefusalCode.AMOUNT_MISSING: _("An amount above zero is needed."),
    RefusalCode.NOTHING_OWED: _(
        "Nothing is owed on this account. To keep the money as credit, tick “keep the rest as credit”."
    ),
    RefusalCode.NOT_THAT_MUCH: _("There is not that much: at most %(cents)s. Correct the amount."),
    RefusalCode.ALREADY_REVERSED: _("This entry was reversed already."),
    RefusalCode.NOT_REVERSIBLE: _("This entry cannot be reversed: book what puts it right."),
    RefusalCode.UNKNOWN_VOUCHER: _("There is no voucher with the code %(code)s. Read it once more."),
    RefusalCode.UNKNOWN_ENTRY: _("There is no entry with the number %(entry)s."),
    RefusalCode.VOUCHER_USED: _("The voucher %(code)s was redeemed already."),
    RefusalCode.REASON_MISSING: _reason_missing,
    RefusalCode.DAY_CLOSED: _("The till of %(closed_on)s is closed, and a closed day stays as it is."),
    RefusalCode.DAY_NOT_OVER: _("%(closed_on)s is still to come: a day is closed when it is over."),
    RefusalCode.WAIVER_NEEDS_REASON: _("Say in words why the refusal is set aside."),
}

TERM_WORDS = {
    Term.USUAL: _("as usual"),
    Term.NEXT_OPENING: _("until the next opening"),
    Term.TODAY: _("until today"),
    Term.BEFORE_BOOKING: _("until a booking"),
    Term.HOUSE: _("played in the house"),
    Term.GAMES_DAY: _("on a games day"),
}
