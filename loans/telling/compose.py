"""From news to a letter: the parts of a day put together, in the language of its reader. Only reads.

A part whose text has its list (`$games`, `$members`) alone in a paragraph shows it as one, with what can be
done about each line; inside a sentence the list is names with commas.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.conf import settings
from django.utils import translation
from django.utils.formats import date_format

from catalogue.text import one_line
from loans import amounts, fees, messages, policies, receipts, rules, situation
from loans.models import Hold, Loan
from loans.telling import placeholders, texts
from loans.telling.kinds import STAGES, Kind
from loans.telling.letter import Block, Letter, Line, Listing, Paragraph
from loans.telling.news import News
from loans.telling.parties import Party
from loans.telling.texts import PartText, Wording

RENEWABLE = {Kind.DUE_SOON, Kind.DUE_TODAY}
SUBJECT_LENGTH = 150
LinkMaker = Callable[[Loan], str]


def no_link(loan: Loan) -> str:  # noqa: ARG001 - the shape of a LinkMaker
    """Letters on paper, and shown ones, have no links."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sender:
    """What a letter may hold beside the news: links to renew and to stop letters; when it is written."""

    now: datetime
    renew: LinkMaker = no_link
    stop: str = ""


def letter(party: Party, news: Sequence[News], sender: Sender, wording: Wording | None = None) -> Letter:
    """The letter that tells `news` to `party`; `wording` in the place of the kept one, for a preview."""
    wording = wording or texts.wording(party.language)
    with translation.override(wording.language):
        desk = _Desk(party, wording, sender)
        kinds = [kind for kind in Kind if any(one.kind == kind for one in news)]
        parts = [desk.part(kind, [one for one in news if one.kind == kind]) for kind in kinds]
        return Letter(
            subject=_subject(part.subject for part in parts),
            language=wording.language,
            blocks=tuple(desk.framed(block for part in parts for block in part.blocks)),
        )


def receipt_letter(
    party: Party, receipt: receipts.Receipt, sender: Sender, wording: Wording | None = None
) -> Letter:
    """A receipt as a letter of its own."""
    wording = wording or texts.wording(receipt.language)
    with translation.override(wording.language):
        desk = _Desk(party, wording, sender)
        said = wording.parts[Kind.RECEIPT]
        values = desk.values()
        blocks = (
            *_blocks(said.body, values, {}),
            Paragraph("\n".join(filter(None, (receipt.title, receipt.place, receipt.who, receipt.at)))),
            Listing(tuple(desk.amount(line) for line in (*receipt.lines, *receipt.totals))),
        )
        return Letter(
            subject=_subject([placeholders.filled(said.subject, values)]),
            language=wording.language,
            blocks=tuple(desk.framed(blocks)),
        )


def _subject(subjects: Iterable[str]) -> str:
    """The subject of the most urgent part."""
    return one_line(next(iter(subjects), ""))[:SUBJECT_LENGTH]


@dataclass(frozen=True, slots=True)
class _Part:
    """A part with its words filled in."""

    subject: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class _Desk:
    """Where one letter is written; the language is active already."""

    party: Party
    wording: Wording
    sender: Sender

    def values(self) -> dict[str, str]:
        """What every part may say."""
        addressee = self.party.addressee
        return {
            "name": addressee.first_name or str(addressee),
            "library": settings.LIBRARY_NAME,
            "address": settings.LIBRARY_ADDRESS,
        }

    def framed(self, blocks: Iterable[Block]) -> Iterator[Block]:
        """The parts between greeting and closing, and how to have no more of them."""
        values = self.values()
        yield from _blocks(self.wording.parts[texts.GREETING].body, values, {})
        yield from blocks
        yield from _blocks(self.wording.parts[texts.CLOSING].body, values, {})
        if self.sender.stop:
            yield Paragraph(self._word("stop", **values, link=self.sender.stop), small=True)

    def part(self, kind: Kind, news: Sequence[News]) -> _Part:
        """One part of the letter: all news of a kind."""
        said: PartText = self.wording.parts[kind]
        told = [self._told(one) for one in news]
        names = ", ".join(dict.fromkeys(line.what for line in told))
        days = [one.on for one in news if one.on]
        values = self.values() | {
            "games": names,
            "members": names,
            "count": str(len(news)),
            "day": _day(min(days)) if days else "",
            "fee": amounts.shown(sum(line.cents for line in told)),
            "card": news[0].member.card_number,
        }
        listing = Listing(tuple(line.line for line in told))
        lists = dict.fromkeys(texts.LISTS, listing)
        subject = placeholders.filled(said.subject, values)
        return _Part(subject, tuple(_blocks(said.body, values, lists)))

    def amount(self, line: receipts.ReceiptLine) -> Line:
        """A line of a receipt."""
        text = self._word("amount", what=line.text, value=line.value) if line.value else line.text
        return Line(text, note=line.detail)

    def _told(self, one: News) -> "_Told":
        if one.loan:
            return self._loan(one, one.loan)
        if one.hold:
            return self._hold(one, one.hold)
        who = str(one.member)
        text = self._word("ending", who=who, card=one.member.card_number, day=_day(one.on))
        return _Told(who, Line(text))

    def _loan(self, one: News, loan: Loan) -> "_Told":
        title, what = loan.copy.game.title, self._what(one, loan.copy.game.title)
        day = _day(loan.due_on)
        if one.kind not in STAGES:
            return _Told(title, self._with_renewal(one, loan, self._word("due", what=what, day=day)))
        cents = _late_fee(one, loan)
        word = "late_fee" if cents else "late"
        line = Line(self._word(word, what=what, day=day, fee=amounts.shown(cents)))
        return _Told(title, line, cents)

    def _with_renewal(self, one: News, loan: Loan, text: str) -> Line:
        """The line with its link, or with the reason why the loan cannot go on."""
        if one.kind not in RENEWABLE or one.invented:
            return Line(text)
        facts = situation.to_renew(loan, now=self.sender.now, at_desk=False)
        refusals = rules.may_renew(facts)
        if refusals:
            return Line(text, note=_why(refusals))
        link = self.sender.renew(loan)
        return Line(text, link, self._word("renew", day=_day(facts.new_due_on))) if link else Line(text)

    def _hold(self, one: News, hold: Hold) -> "_Told":
        title, what = hold.game.title, self._what(one, hold.game.title)
        if one.kind == Kind.HOLD_LAPSED:
            return _Told(title, Line(self._word("lapsed", what=what)))
        branch = hold.copy.branch if hold.copy else hold.branch
        word = "ready_at" if branch else "ready"
        return _Told(title, Line(self._word(word, what=what, branch=str(branch), day=_day(one.on))))

    def _what(self, one: News, title: str) -> str:
        if not self.party.names_members:
            return title
        return self._word("of", title=title, who=one.member.first_name or str(one.member))

    def _word(self, word: str, **values: str) -> str:
        return placeholders.filled(self.wording.words[word], values)


@dataclass(frozen=True, slots=True)
class _Told:
    """A line, the name of what it is about, and what it costs."""

    what: str
    line: Line
    cents: int = 0


SAID_TO_MEMBERS = {
    rules.RefusalCode.SOMEBODY_WAITS,
    rules.RefusalCode.BOOKED_SOON,
    rules.RefusalCode.RENEWALS_USED_UP,
}
"""Why a loan cannot go on, where that is news for a member at home."""


def _why(refusals: Sequence[rules.Refusal]) -> str:
    said = [refusal for refusal in refusals if refusal.code in SAID_TO_MEMBERS]
    return " ".join(told.sentence for told in messages.in_words(said, {}))


def _late_fee(one: News, loan: Loan) -> int:
    if one.invented:
        return 0
    return fees.late_fee(policies.policy_for(loan.borrower, loan.copy), one.open_days_late)


def _blocks(body: str, values: Mapping[str, str], lists: Mapping[str, Listing]) -> Iterator[Block]:
    for paragraph in filter(None, (each.strip() for each in body.replace("\r", "").split("\n\n"))):
        name = paragraph.strip("${}")
        if paragraph in {f"${name}", f"${{{name}}}"} and name in lists:
            yield lists[name]
        else:
            yield Paragraph(placeholders.filled(paragraph, values))


def _day(day: date | None) -> str:
    return date_format(day, "DATE_FORMAT") if day else ""
