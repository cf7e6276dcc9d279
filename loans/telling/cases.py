"""A letter to look at while its words are written: a real case of the library, or, in a new one, an example.

Only reads; the example is made of rows that are never saved.
"""

from dataclasses import replace
from datetime import date, datetime, timedelta

from django.utils.translation import gettext as _

from catalogue.models import Copy, Game
from loans import receipts
from loans.calendar import local_date
from loans.models import Hold, Loan, LoanPlace, Member
from loans.telling import compose, texts
from loans.telling.compose import Sender
from loans.telling.kinds import STAGES, Kind
from loans.telling.letter import Letter
from loans.telling.news import News, news
from loans.telling.parties import Party, parties_of
from loans.telling.texts import PartText

FRAME = Kind.DUE_SOON
"""What stands between greeting and closing while those are written."""


def example(part: str, language: str, said: PartText, *, now: datetime) -> Letter:
    """A letter in which `said` stands as the words of `part`."""
    today = local_date(now, None)
    wording = texts.wording(language)
    wording = replace(wording, parts={**wording.parts, part: said})
    kind = FRAME if part in {texts.GREETING, texts.CLOSING} else Kind(part)
    told = _case(kind, today)
    party = _party(told[0].member, today)
    sender = Sender(now=now)
    if kind == Kind.RECEIPT:
        return compose.receipt_letter(party, _receipt(told[0], language, now), sender, wording)
    return compose.letter(party, told, sender, wording)


def _case(kind: Kind, today: date) -> list[News]:
    """What is due today of this kind; else something alike that is real; else something made up."""
    due = [one for one in news(today) if one.kind == kind]
    if due:
        return [one for one in due if one.member == due[0].member]
    return [_alike(kind, today) or _made_up(kind, today)]


def _alike(kind: Kind, today: date) -> News | None:
    if kind in {Kind.HOLD_READY, Kind.HOLD_LAPSED}:
        hold = Hold.objects.select_related("member", "game", "branch", "copy__branch").last()
        until = (hold.expires_on if hold else None) or today + timedelta(days=7)
        return News(kind=kind, member=hold.member, about="", on=until, hold=hold) if hold else None
    if kind in {Kind.MEMBERSHIP_ENDING, Kind.WELCOME, Kind.RECEIPT}:
        member = Member.objects.order_by("-pk").first()
        ends_on = (member.membership_ends_on if member else None) or today + timedelta(days=14)
        return News(kind=kind, member=member, about="", on=ends_on) if member else None
    rows = Loan.objects.filter(place=LoanPlace.HOME, voided=False)
    loan = rows.select_related("member", "copy__game", "copy__branch").order_by("-pk").first()
    return _of_loan(kind, loan, today) if loan else None


def _of_loan(kind: Kind, loan: Loan, today: date) -> News:
    """A loan as if it were due when a notice of this kind is written; the row is not saved."""
    late = 7 * (STAGES.index(kind) + 1) if kind in STAGES else 0
    loan.due_on = today - timedelta(days=late) if late else today + timedelta(days=kind == Kind.DUE_SOON)
    return News(kind=kind, member=loan.borrower, about="", on=loan.due_on, loan=loan, open_days_late=late)


def _made_up(kind: Kind, today: date) -> News:
    member = Member(first_name=_("Camille"), last_name="Martin", card_number="000001")
    game = Game(title=_("A game of the library"))
    if kind in {Kind.HOLD_READY, Kind.HOLD_LAPSED}:
        until, hold = today + timedelta(days=7), Hold(game=game, member=member)
        return News(kind=kind, member=member, about="", on=until, hold=hold, invented=True)
    if kind in {Kind.MEMBERSHIP_ENDING, Kind.WELCOME, Kind.RECEIPT}:
        return News(kind=kind, member=member, about="", on=today + timedelta(days=14), invented=True)
    loan = Loan(member=member, copy=Copy(game=game), lent_on=today)
    return replace(_of_loan(kind, loan, today), invented=True)


def _receipt(one: News, language: str, now: datetime) -> receipts.Receipt:
    if not one.invented:
        return replace(receipts.of_loans(one.member, now=now), language=language)
    line = receipts.ReceiptLine(_("A game of the library"))
    return receipts.Receipt(
        language=language, title=_("Receipt"), place="", at="", who=str(one.member), lines=(line,)
    )


def _party(member: Member, today: date) -> Party:
    found = parties_of([member.pk], today) if member.pk else []
    alone = Party(key="", members=(member,), addressee=member, to=member.email, declines=False)
    return next(iter(found), alone)
