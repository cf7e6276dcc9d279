"""Receipts: of money that was taken, and of games that were lent; in the member's language. Only reads.

One value (`Receipt`) is shown as a page by a template and printed by `paper`, so both say the same.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from loans import accounts, paper
from loans.amounts import shown
from loans.models import Account, Entry, EntryKind, Household, Member
from loans.models.money import OF_A_BRANCH

GAVE = {EntryKind.PAYOUT}
"""Entries in which the money goes the other way: to the member."""


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """Words, what stands small under them, and a value on the right."""

    text: str
    value: str = ""
    detail: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What stands on a receipt, in words of `language`."""

    language: str
    title: str
    place: str
    at: str
    who: str
    lines: tuple[ReceiptLine, ...]
    totals: tuple[ReceiptLine, ...] = ()
    closing: str = ""

    def as_document(self) -> paper.Document:
        """The same for paper."""
        blocks: list[paper.Block] = [
            paper.Text(settings.LIBRARY_NAME, strong=True),
            paper.Text(self.place, small=True),
            paper.Rule(),
            paper.Title(self.title),
            paper.Text("\n".join(filter(None, (self.who, self.at)))),
            paper.Rule(),
            *_rows(self.lines),
        ]
        if self.totals:
            blocks += [paper.Rule(), *_rows(self.totals)]
        blocks += [paper.Rule(), paper.Text(self.closing, small=True)]
        shown_blocks = tuple(b for b in blocks if not isinstance(b, paper.Text) or b.text)
        return paper.Document(
            title=self.title, author=settings.LIBRARY_NAME, language=self.language, blocks=shown_blocks
        )


def _rows(lines: Iterable[ReceiptLine]) -> Iterable[paper.Row]:
    return (paper.Row(line.text, line.value, line.detail, line.strong) for line in lines)


def of_entry(entry: Entry) -> Receipt:
    """The receipt of money taken or given."""
    account = _owed_account(entry)
    with translation.override(_language_of(account, entry.member)):
        return Receipt(
            language=translation.get_language(),
            title=_("Receipt %(number)s") % {"number": entry.pk},
            place=str(entry.branch or ""),
            at=_moment(entry.at),
            who=_who(account, entry.member),
            lines=tuple(_lines(entry, account)),
            totals=tuple(_totals(entry, account)),
            closing=_("Thank you, and enjoy the games!"),
        )


def of_loans(member: Member, *, now: datetime) -> Receipt:
    """The games that the member has at home, and until when."""
    loans = member.loans.filter(returned_at=None).select_related("copy__game", "copy__branch")
    with translation.override(_language_of(None, member)):
        lines = tuple(
            ReceiptLine(
                loan.copy.game.title, date_format(loan.due_on, "SHORT_DATE_FORMAT"), loan.copy.barcode
            )
            for loan in loans
        )
        return Receipt(
            language=translation.get_language(),
            title=_("Games at home"),
            place="",
            at=_moment(now),
            who=f"{member} · {member.card_number}",
            lines=(ReceiptLine(_("Game"), _("Back by"), strong=True), *lines)
            if lines
            else (ReceiptLine(_("No game at home.")),),
            closing=_("The last day counts: a game that comes back on it is not late."),
        )


# --- of money ------------------------------------------------------------------------------------


def _lines(entry: Entry, account: Account | None) -> Iterable[ReceiptLine]:
    """What it was for: the charges that a payment settled, or the entry itself."""
    settled = _settled(entry, account) if account and entry.kind not in GAVE else []
    if settled:
        yield from settled
        return
    voucher = getattr(entry, "voucher", None)
    detail = _("Code: %(code)s") % {"code": voucher.code} if voucher else entry.text
    yield ReceiptLine(capfirst(entry.get_kind_display()), shown(cents_of(entry)), detail)


def _settled(entry: Entry, account: Account) -> list[ReceiptLine]:
    charges = accounts.settlement(account).charges
    paid = {charge.entry: dict(charge.settled_by).get(entry.pk, 0) for charge in charges}
    entries = Entry.objects.filter(pk__in=[pk for pk, cents in paid.items() if cents])
    lines = [
        ReceiptLine(capfirst(what.get_kind_display()), shown(paid[what.pk]), about(what))
        for what in entries.select_related("loan__copy__game")
    ]
    rest = cents_of(entry) - sum(paid.values())
    if lines and rest > 0:
        lines.append(ReceiptLine(_("Kept as credit"), shown(rest)))
    return lines


def _totals(entry: Entry, account: Account | None) -> Iterable[ReceiptLine]:
    method = _method(entry)
    words = _("Given back") if entry.kind in GAVE else _("Received")
    yield ReceiptLine(words, shown(cents_of(entry)), method, strong=True)
    if entry.tendered_cents and entry.tendered_cents > cents_of(entry):
        yield ReceiptLine(_("Laid on the counter"), shown(entry.tendered_cents))
        yield ReceiptLine(_("Change given back"), shown(entry.tendered_cents - cents_of(entry)))
    if account is None:
        return
    owner = account.household or account.member
    purses = accounts.purses_of(owner) if owner else accounts.Purses()
    if purses.debt:
        yield ReceiptLine(_("Still to be paid"), shown(purses.debt))
    if purses.credit:
        yield ReceiptLine(_("Credit"), shown(purses.credit))
    if purses.prepaid:
        yield ReceiptLine(_("On the prepaid card"), shown(purses.prepaid))
    if purses.deposit:
        yield ReceiptLine(_("Deposit held"), shown(purses.deposit))


def cents_of(entry: Entry) -> int:
    """The amount of an entry."""
    return sum(line.cents for line in entry.lines.all())


def about(entry: Entry) -> str:
    """What an entry is about, in the words of who wrote it and the title of the game."""
    title = entry.loan.copy.game.title if entry.loan else ""
    return " · ".join(filter(None, (title, entry.text)))


def _method(entry: Entry) -> str:
    kinds = {a.kind: a for line in entry.lines.all() for a in (line.debit, line.credit)}
    return next((str(kinds[kind].get_kind_display()) for kind in OF_A_BRANCH if kind in kinds), "")


def _owed_account(entry: Entry) -> Account | None:
    """The account of what is owed of whoever the entry is about."""
    personal = accounts.personal_of(entry)
    owner = (personal.household or personal.member) if personal else None
    return accounts.find(owner) if owner else None


def _who(account: Account | None, member: Member | None) -> str:
    if account and account.household:
        return str(account.household)
    return f"{member} · {member.card_number}" if member else ""


def _language_of(account: Account | None, member: Member | None) -> str:
    """The member's language, or the first said in the household, where the interface speaks it."""
    spoken = {code for code, _name in settings.LANGUAGES}
    household: Household | None = account.household if account else None
    people = [member] if member else []
    people += list(household.members.all()) if household else []
    wanted = (person.language.split("-")[0].lower() for person in people if person)
    return next(
        (code for code in wanted if code in spoken), translation.get_language() or settings.LANGUAGE_CODE
    )


def _moment(at: datetime) -> str:
    return date_format(timezone.localtime(at), "SHORT_DATETIME_FORMAT")
