"""All that is held of one member, on the member's request: as plain values, and as a ZIP to hand over.

PARTS is the whole list. A test walks every table that leads to a member and fails for one that is not in
it: who adds a table adds a line here, and says in `erasure` what becomes of it. Columns of the staff and
of other members are left out.
"""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from loans.journal_csv import BOM, csv_line
from loans.models import (
    Account,
    Block,
    BookedLoan,
    Booking,
    CalendarFeed,
    DeskEvent,
    DeskNote,
    Entry,
    GamesDay,
    Hold,
    HoldEvent,
    Household,
    HouseholdMove,
    KeptScan,
    Line,
    Loan,
    Mail,
    Member,
    Membership,
    MissingPiece,
    NoMail,
    Notice,
    PieceCount,
    Player,
    PrivacyAction,
    PrivacyRecord,
    Redating,
    RenewalLink,
    ReturnedMail,
)

Rows = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Part:
    """One table: its rows are those whose `paths` lead to the member (any of them)."""

    name: str
    model: type[models.Model]
    paths: tuple[str, ...]

    def rows(self, member: Member) -> QuerySet[Any]:
        """The rows of this table that are held of the member."""
        mine = Q()
        for path in self.paths:
            mine |= Q(**{path: member.pk})
        return self.model._default_manager.filter(mine).distinct().order_by("pk")


PARTS = (
    Part("member", Member, ("pk",)),
    Part("account_of_the_site", User, ("member",)),
    Part("household", Household, ("members",)),
    Part("household_moves", HouseholdMove, ("member",)),
    Part("memberships", Membership, ("member",)),
    Part("blocks", Block, ("member",)),
    Part("desk_messages", DeskNote, ("member",)),
    Part("loans", Loan, ("member",)),
    Part("counts_of_pieces", PieceCount, ("loan__member",)),
    Part("missing_pieces", MissingPiece, ("loan__member",)),
    Part("redatings", Redating, ("loan__member",)),
    Part("desk_events", DeskEvent, ("member",)),
    Part("kept_scans", KeptScan, ("card", "event__member")),
    Part("reservations", Hold, ("member",)),
    Part("reservation_events", HoldEvent, ("hold__member",)),
    Part("bookings", Booking, ("member",)),
    Part("booked_loans", BookedLoan, ("booking__member", "loan__member")),
    Part("games_days", GamesDay, ("member",)),
    Part("played", Player, ("member", "loan__member")),
    Part("accounts", Account, ("member",)),
    Part("entries", Entry, ("member", "lines__debit__member", "lines__credit__member")),
    Part("lines", Line, ("entry__member", "debit__member", "credit__member")),
    Part("mails", Mail, ("member",)),
    Part("notices", Notice, ("member",)),
    Part("no_mail", NoMail, ("member", "household__members")),
    Part("returned_mail", ReturnedMail, ("member",)),
    Part("renewal_links", RenewalLink, ("loan__member",)),
    Part("calendar_feed", CalendarFeed, ("member",)),
    Part("privacy_records", PrivacyRecord, ("member",)),
)

NOT_TOLD = frozenset({"password", "nonce", "name_key", "before", "is_superuser", "is_staff", "token"})
"""Columns that say nothing of a person, or only let the program work."""


def held(member: Member) -> dict[str, Rows]:
    """All that is held of the member, table by table, as values that JSON knows."""
    return {part.name: [_plain_row(row, member) for row in _with_names(part.rows(member))] for part in PARTS}


def counts(member: Member) -> list[tuple[str, int]]:
    """How many rows of each table are held of the member; tables without any are left out."""
    found = ((part.model._meta.verbose_name_plural, part.rows(member).count()) for part in PARTS)
    return [(str(name), number) for name, number in found if number]


def as_zip(member: Member, *, by: User | None, now: datetime) -> bytes:
    """The same as a file to hand over: one JSON for programs, a table each for people; kept on record."""
    told = held(member)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        bundle.writestr("data.json", json.dumps(told, ensure_ascii=False, indent=1))
        bundle.writestr("README.txt", _read_me(now))
        for name, rows in told.items():
            if rows:
                bundle.writestr(f"{name}.csv", BOM + "".join(_csv(rows)))
    PrivacyRecord.objects.create(action=PrivacyAction.EXPORTED, member=member, at=now, by=by)
    return out.getvalue()


def _with_names(rows: QuerySet[Any]) -> QuerySet[Any]:
    related = [field.name for field in rows.model._meta.concrete_fields if _is_told_by_name(field)]
    return rows.select_related(*related) if related else rows


def _is_told_by_name(field: Any) -> bool:
    return field.is_relation and not issubclass(field.related_model, (User, Member))


def _plain_row(row: models.Model, member: Member) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for field in row._meta.concrete_fields:
        if field.name in NOT_TOLD or (field.is_relation and field.related_model is User):
            continue
        value: Any = getattr(row, field.attname)
        if _is_told_by_name(field):
            linked = getattr(row, field.name)
            value = None if linked is None else _name_of(linked)
        elif field.is_relation and value != member.pk:
            continue
        told[field.name] = _plain(value)
    return told


def _name_of(row: models.Model) -> Any:
    """A row that is pointed at: a box and a game by name; what names other people by its number."""
    return str(row) if row._meta.app_label == "catalogue" else row.pk


def _plain(value: Any) -> Any:
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    return value if isinstance(value, (str, int, float, bool, list, dict, type(None))) else str(value)


def _csv(rows: Rows) -> Iterator[str]:
    names = list(rows[0])
    yield csv_line(names)
    for row in rows:
        yield csv_line([_cell(row[name]) for name in names])


def _cell(value: Any) -> str | int:
    if value is None:
        return ""
    return value if isinstance(value, (str, int)) else json.dumps(value, ensure_ascii=False)


def _read_me(now: datetime) -> str:
    text = _(
        "All that the library holds of you on %(day)s. data.json is the whole of it for programs; each "
        "other file is one table, to be opened with a spreadsheet."
    )
    return text % {"day": now.date().isoformat()} + "\n"
