"""The one seam between missing pieces and the books: what is charged, and taken back when it is found."""

from django.utils.translation import gettext as _

from loans import amounts, ledger
from loans.act import Act
from loans.amounts import NotAnAmount as NotAnAmount
from loans.entries import unnamed
from loans.models import Entry, EntryKind, Loan

MOST_CENTS = 99_999
"""No piece costs more; a box's barcode scanned into the field of an amount is refused."""


def charge(loan: Loan, cents: int, *, note: str, act: Act) -> Entry:
    """Charge the account of the loan's member, or of the household."""
    account = ledger.account_of(loan.borrower)
    return ledger.charge(account, EntryKind.PIECES, cents, act=unnamed(act), about=loan, note=note)


def reverse(entry: Entry, *, act: Act) -> Entry:
    """Take a charge back; if the till has done so already, that was it."""
    done = Entry.objects.filter(reverses=entry).first()
    return done or ledger.reverse(entry, act=unnamed(act))


def read(text: str) -> int:
    """What was typed as whole cents; nothing typed is nothing. Raises NotAnAmount."""
    if not text.strip():
        return 0
    cents = amounts.read_amount(text)
    if cents > MOST_CENTS:
        words = _("%(amount)s is more than can be meant: was a barcode scanned into this field?")
        raise NotAnAmount(words % {"amount": text.strip()[:40]})
    return cents
