"""The journal of the books as rows and as CSV, cut by the filters that stand in the address. Only reads.

The file is for programs: dates as ISO 8601, amounts with a point, UTF-8 (with a byte order mark where a
spreadsheet needs one). Text that a spreadsheet would take for a formula is marked as text.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from catalogue.models import Branch
from loans.amounts import plain
from loans.models import Account, Line

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
BOM = "\ufeff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """Which part of the journal; what is not said is not asked."""

    first_on: date | None = None
    last_on: date | None = None
    kind: str = ""
    method: str = ""
    branch: Branch | None = None


def lines(cut: Cut) -> QuerySet[Line]:
    """The lines of the journal in their order, with all that a row shows."""
    asked = Q()
    if cut.first_on:
        asked &= Q(entry__on__gte=cut.first_on)
    if cut.last_on:
        asked &= Q(entry__on__lte=cut.last_on)
    if cut.kind:
        asked &= Q(entry__kind=cut.kind)
    if cut.method:
        asked &= Q(debit__kind=cut.method) | Q(credit__kind=cut.method)
    if cut.branch:
        asked &= Q(entry__branch=cut.branch)
    sides = [f"{side}__{of}" for side in ("debit", "credit") for of in ("household", "member", "branch")]
    rows = ("entry__by", "entry__branch", "entry__member", "entry__reversed_by", *sides)
    return Line.objects.filter(asked).select_related(*rows).order_by("entry__on", "pk")


def header() -> list[str]:
    """The names of the columns, in the reader's language."""
    return [
        *(_("entry"), _("day"), _("written"), _("kind"), _("debit"), _("credit"), _("amount")),
        *(_("currency"), _("branch"), _("card"), _("text"), _("by"), _("reverses")),
    ]


def as_csv(cut: Cut, *, bom: bool) -> Iterator[str]:
    """The journal piece by piece: it is never held whole."""
    yield (BOM if bom else "") + csv_line(header())
    for line in lines(cut).iterator(chunk_size=500):
        yield csv_line(_cells(line))


def _cells(line: Line) -> list[str]:
    entry = line.entry
    return [
        str(entry.pk),
        entry.on.isoformat(),
        timezone.localtime(entry.at).isoformat(timespec="seconds"),
        str(entry.get_kind_display()),
        _name(line.debit),
        _name(line.credit),
        plain(line.cents),
        settings.CURRENCY,
        str(entry.branch or ""),
        entry.member.card_number if entry.member else "",
        entry.text,
        entry.by.get_username() if entry.by else "",
        str(entry.reverses_id or ""),
    ]


def _name(account: Account) -> str:
    """An account by its kind and, for a person's, its number: a journal that is sent on names nobody."""
    personal = account.household_id or account.member_id
    return f"{account.get_kind_display()} #{account.pk}" if personal else str(account)


def csv_line(cells: Iterable[str | int | Decimal]) -> str:
    """One line of a file for spreadsheets; a number is a number, and no text is a formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow([_safe(cell) for cell in cells])
    return out.getvalue()


def _safe(cell: str | int | Decimal) -> str | int | Decimal:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(FORMULA) else cell
